"""The estimate theta^w of Algorithm 3: where rare outcomes take it, and mirror descent whose steps prove a radius.

As mended, theta^w_{t+1} minimises <grad l_{t+1}(theta^w_t), theta> + ||theta - theta^w_t||^2/(2 eta^w) over the centred
theta with ||theta|| <= S, in the norm of M + eta^w grad mu(theta^w_t x_t) (x) x_t x_t^T; M is lambda^w I and the sum of
grad mu(theta^w_{s+1} x_s) (x) x_s x_s^T over the rounds s of exploration before.
"""

from fractions import Fraction

import numpy as np

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.formulas.adaptive import beta_over_norm, eta_w, lambda_w, sigma_w
from mnlbandits.ledger.formulas.softmax import binary_curvature, sigmoid

WIDENED, GROWN = Fraction(101, 100), Fraction(51, 50)
"""Variance of the mixture over eta^w, and the factor of eta^w^2 D log(1 + t/(lambda^w D)) in the mended beta_t^2."""

NODES = 12
"""Of the quadrature of a Gaussian mean."""


def eta_w_mended(m: Arithmetic, S: Number) -> Number:
    """1 + sqrt(2) S."""
    return 1 + m.sqrt(m.number(2)) * S


def lambda_w_mended(m: Arithmetic, size: Number, S: Number) -> Number:
    """144 (1 + sqrt(2) S)(K d + S), size = K d."""
    return 144 * eta_w_mended(m, S) * (size + S)


def beta_w_mended(m: Arithmetic, size: Number, free: Number, S: Number, level: Number, t: Number) -> Number:
    """sqrt(S^2 lambda^w + 2 eta^w log(1/delta) + 1.02 eta^w^2 D log(1 + t/(lambda^w D))), level = log(1/delta), free = D."""
    eta, ridge = eta_w_mended(m, S), lambda_w_mended(m, size, S)
    return m.sqrt(S**2 * ridge + 2 * eta * level + m.number(GROWN) * eta**2 * free * m.log1p(t / (ridge * free)))


def repeated(m: Arithmetic, S: Number, count: int) -> tuple[Number, Number]:
    """theta^w and H^w after `count` explorations of the arm 1, all of outcome 1, K = 2, d = 1.

    theta^w is along (1, -1)/sqrt(2) and starts at 0.
    """
    root, eta, curved = m.sqrt(m.number(2)), eta_w(m, S), binary_curvature(m, S)
    theta, design = 0 * S, lambda_w(m, m.number(2), S)
    for _ in range(count):
        theta = theta + eta * root * sigmoid(m, -root * theta) / (design + eta * curved)
        design = design + curved
    return theta, design


def radius_at(m: Arithmetic, S: Number, level: Number, t: int, noise: Number | int = 0) -> Number:
    """beta_t, K = 2, d = 1, level = log(1/delta); `noise` adds that much of 2 eta^w log(1/delta) to its square."""
    printed = S * beta_over_norm(m, m.number(2), S, level + m.log(m.number(t)))
    return m.sqrt(printed**2 + noise * 2 * eta_w(m, S) * level)


def strayed(m: Arithmetic, S: Number, level: Number, count: int, noise: Number | int = 0) -> Number:
    """||theta_* - theta^w||_{H^w} over beta, theta_* = 0, in an event of probability 2^-count; 0 unless that exceeds delta.

    The first `count` rounds explore: the first and the last do, H^w is linear in t and beta_t^2 is concave.
    """
    theta, design = repeated(m, S, count)
    first, last, after = (radius_at(m, S, level, t, noise) for t in (1, count, count + 1))
    explore = 24 * first**2 >= lambda_w(m, m.number(2), S) and 24 * last**2 >= design
    return theta * m.sqrt(design) / after if explore and level > count * m.log(m.number(2)) else 0 * S


def strayed_mended(m: Arithmetic, S: Number, surplus: Number, count: int, scale: Number | int = 1) -> Number:
    """The same of the mended theta^w and beta (times `scale`), log(1/delta) = count log 2 + surplus."""
    two, root = m.number(2), m.sqrt(m.number(2))
    eta, ridge, least, theta = eta_w_mended(m, S), lambda_w_mended(m, two, S), binary_curvature(m, S), 0 * S
    own = ridge
    for _ in range(count):
        step = eta * root * sigmoid(m, -root * theta) / (own + eta * binary_curvature(m, theta))
        theta = m.minimum(theta + step, S)
        own = own + binary_curvature(m, theta)
    level = count * m.log(two) + surplus
    return m.sqrt(ridge + count * least) * theta / (scale * beta_w_mended(m, two, m.number(1), S, level, m.number(count)))


def left_behind(m: Arithmetic, S: Number, level: Number, count: int, rounds: int, cut: bool = False) -> Number:
    """A lower bound of ||theta_* - theta_{t+1}||_{Hbar_{t+1}}/sigma_t, theta_* = 0, t = `rounds`, explored outcomes all 1.

    Of the t rounds `count` explore, 0 if that is wrong or the event, of probability 2^-count, has not twice delta; the
    others learn inside of W_t, which is beyond 0 and below 1. `cut`: W_t has the mended radius.
    """
    two, (theta, design), last = m.number(2), repeated(m, S, count), radius_at(m, S, level, rounds)
    counted = design - binary_curvature(m, S) <= 24 * last**2 and design > 24 * last**2
    reach = beta_w_mended(m, two, m.number(1), S, level, m.number(rounds)) if cut else last
    nearest, furthest = theta - reach / m.sqrt(design), theta + reach / m.sqrt(design)
    if not (counted and level > (count + 1) * m.log(two) and nearest > 0 and furthest < 1):
        return 0 * S
    learnt = 288 + (rounds - count) * binary_curvature(m, m.number(1))
    return nearest * m.sqrt(learnt) / sigma_w(m, two, S, level + m.log(m.number(rounds)))


def explorer_step(
    m: Arithmetic,
    S: Number,
    x: Number,
    truth: Number,
    place: Number,
    grown: Number,
    growth: Fraction | int = GROWN,
) -> Number:
    """Growth of ||theta^w - theta_*||_M^2 in a step, less 2 eta^w (l(theta_*) + log q), over `growth` eta^w^2 that of log M.

    q is the mean of mu_1(theta x) over the Gaussian N(theta^w, 1.01 eta^w M^-1), known before the outcome. K = 2, d = 1,
    arm x, outcome 1 (the other by symmetry), theta_* = `truth` S, theta^w = `place` S along (1, -1)/sqrt(2),
    M = 10^grown lambda^w.
    """
    root, eta = m.sqrt(m.number(2)), eta_w_mended(m, S)
    own = lambda_w_mended(m, m.number(2), S) * 10**grown
    theta, star, across = place * S, truth * S, root * x
    free_step = eta * across * sigmoid(m, -across * theta) / (own + eta * x**2 * binary_curvature(m, x * theta))
    move = m.minimum(m.maximum(free_step, -S - theta), S - theta)
    after = theta + move
    added = x**2 * binary_curvature(m, x * after)
    change = own * move * (move + 2 * (theta - star)) + added * (after - star) ** 2
    spread = across * m.sqrt(2 * m.number(WIDENED) * eta / own)
    nodes, weights = np.polynomial.hermite.hermgauss(NODES)
    total = sum(m.number(weight) for weight in weights)
    places = [across * theta + spread * m.number(node) for node in nodes]
    chance = sum(m.number(weight) * sigmoid(m, u) for weight, u in zip(weights, places, strict=True))
    gain = m.log(chance / total) + m.log1p(m.exp(-across * star))
    return (change - 2 * eta * gain) / (m.number(growth) * eta**2 * m.log1p(added / own))


def explorer_constants(growth: Fraction = GROWN) -> bool:
    """The numbers of the steps for every K, d and S: eta/c + sqrt(2) eta S/lambda^w <= 1 and c/eta (e^a - 1)/a <= `growth`.

    c = 1.01 eta, a = c/lambda^w <= 1.01/288, (e^a - 1)/a <= 1 + a for a <= 1;
    (sqrt(2) S/144)^2 <= ((1 - 1/1.01)(K d + S))^2.
    """
    size, S = unknowns("size", "S")
    room = (1 - 1 / WIDENED) ** 2 * (size + S) ** 2 - 2 * (S / 144) ** 2
    return nonnegative(room) and growth >= WIDENED * (1 + WIDENED / 288)
