"""Section 3.2, Section 3.3.1 and Appendix F.2: the learning routine, its optimistic reward and its confidence set."""

import itertools
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from mnlbandits.algorithms import get_algorithm
from mnlbandits.algorithms.omd import learn, make_learner
from mnlbandits.claims import precise
from mnlbandits.claims.claim import Effort, Finding, claim, corrected, equality, exceedance, frequency, inequality
from mnlbandits.claims.exploration import (
    DELTA,
    HORIZON,
    at,
    bound,
    box,
    centred,
    dot,
    examples,
    explorations,
    in_digits,
    in_words,
    over,
    precise_theta,
    precise_truth,
    probabilities,
    ridge_of,
    scaled,
    short_arm,
    variance,
    worst_over,
)
from mnlbandits.claims.exploration_proofs import (
    centred_columns,
    form,
    integer_matrices,
    inverse_form,
    jacobian,
    kron,
    rows_of,
    vectors,
)
from mnlbandits.claims.precise import mp, sigmoid, slope
from mnlbandits.claims.search import column, worst_of
from mnlbandits.instances import Instance, make_instance
from mnlbandits.model.constants import mean_rewards
from mnlbandits.model.softmax import contrast_basis, loss_gradient, softmax_jacobian
from mnlbandits.seeds import generator
from mnlbandits.simulate import exact, leap
from mnlbandits.textbook.real import Real
from mnlbandits.textbook.solvers import mirror_descent

LOG_FACTOR, RIDGE_FACTOR = 2 / math.sqrt(6), 2.0
"""The two constants of sigma_t."""


def radius(
    ctx: Any, size: int, S: Any, t: Any, delta: Any = DELTA, log_factor: Any = LOG_FACTOR, ridge_factor: Any = RIDGE_FACTOR
) -> Any:
    """sigma_t(delta) = (2/sqrt(6)) sqrt(Kd log(t/delta)) + 2 S sqrt(144 Kd), size = Kd."""
    return log_factor * ctx.sqrt(size * ctx.log(t / delta)) + ridge_factor * S * ctx.sqrt(144 * size)


class Round(NamedTuple):
    """A round t of learning: theta_t (K, d), and the `state` of REAL with the round's scores, theta_{t+1} and W_{t+1}."""

    t: int
    theta: np.ndarray
    state: Any


def learning(instance: Instance, state: Any, stream: np.random.Generator, rounds: int) -> Iterator[Round]:
    """Play the first rounds after the exploration, at whose end `state` is, one by one."""
    pulls, basis = np.zeros(len(instance.arms), dtype=np.int64), contrast_basis(instance.outcomes)
    for t in range(state.tau + 1, state.tau + 1 + rounds):
        theta = basis @ state.learner.phi
        exact.advance(get_algorithm("real"), state, instance, stream, t - 1, t, pulls, np.array([-1.0]))
        yield Round(t, theta, state)


def distance(instance: Instance, state: Any) -> float:
    """||theta_* - theta_{t+1}||_{W_{t+1}}, the same with Wbar_{t+1}."""
    difference = (contrast_basis(instance.outcomes).T @ instance.theta - state.learner.phi).ravel()
    return math.sqrt(difference @ state.learner.w @ difference)


def first_step(instance: Instance, counts: np.ndarray, tau: int) -> Any:
    """Least ||theta_* - theta_{tau+2}||_{Wbar_{tau+2}}/sigma_{tau+1} in 50 digits, K = 2, one arm and d = 1.

    theta_{tau+1} is where `initial_estimate` starts or its mirror image in Theta; either outcome.
    """
    centre, shape = precise_theta(instance, counts)
    root, x, found = mp.sqrt(2), mp.mpf(float(instance.arms[0, 0])), []
    middle, truth = ((theta[0] - theta[1]) / root for theta in (centre, precise_truth(instance)))
    reach = 84 * mp.sqrt(ridge_of(instance, ctx=mp) / shape[0, 0])
    for side, outcome in itertools.product((-1, 1), repeat=2):
        b = middle + side * mp.mpf(0.999) * reach
        gradient = -outcome * root * x * sigmoid(-outcome * root * b * x, mp)
        moved = b - gradient / (288 + 2 * x**2 * slope(root * b * x, mp))
        moved = min(max(moved, middle - reach), middle + reach)
        found.append(abs(moved - truth) * mp.sqrt(288 + 2 * x**2 * slope(root * moved * x, mp)))
    return min(found) / radius(mp, 2, instance.norm_bound, tau + 1)


# Section 3.2


@claim(
    "C127",
    labels=("algo:learning routine",),
    place="Algorithm 2, line 2 (initialisation)",
    kind="algorithm",
    statement=(
        "Algorithm 2 sets W_{tau+1} and Wbar_{tau+1} and leaves theta_{tau+1} open. If any start in Theta will do, then "
        "||theta_* - theta_{t+1}||_{Wbar_{t+1}} <= sigma_t, as in Lemma 2, from all of them."
    ),
    method="Monte Carlo",
    domain=(
        "an arm of length 1e-5 with S = 1, the start on the boundary of Theta or at hat theta; first 10 rounds of learning"
    ),
)
def initial_estimate(effort: Effort, start: str = "boundary") -> Finding:
    def found(start: str, instance: Instance) -> Finding:
        ratios, ends = [], list(explorations(instance, 10))
        for end in ends:
            learner, stream = end.state.learner, generator("claims start", 0, instance.name)
            if start == "boundary":
                learner.phi[0, 0] += 0.999 * learner.radius[0] * learner.shape[1, 0, 0]
            rounds = learning(instance, end.state, stream, 10)
            worst = max(distance(instance, state) / radius(math, 2, instance.norm_bound, t) for t, _, state in rounds)
            ratios.append(worst)
        return exceedance(
            ratios,
            DELTA,
            f"largest distance/sigma {max(ratios):.4g}",
            lambda run: first_step(instance, ends[run].counts, ends[run].state.tau),
            "from the counts of the exploration and after one round of either outcome",
        )

    printed = found(start, short_arm(1.0))
    printed = in_words(printed, "K = 2, d = 1, S = 1, the single arm 1e-5, theta_{tau+1} on the boundary of Theta")
    note = (
        "an omission: theta_{tau+1} = hat theta_{tau+1}, the centre of Theta, as the index suggests. 2 S sqrt(lambda) in "
        "sigma_t needs ||theta_{tau+1} - theta_*|| <= 2 S, and Theta can be 168 wide where the arms are short"
    )
    return corrected("misprint", printed, found("estimate", short_arm(1.0)), note)


@claim(
    "C128",
    place="Section 3.2, definition of Wtilde_t after Eq. probleme optim",
    kind="definition",
    statement=(
        "Wtilde_t = sum_{s=1}^{t-1} grad mu(theta_{s+1} x_s) (x) x_s x_s^T + eta grad mu(theta_t x_t) (x) x_t x_t^T + "
        "lambda I is "
        "the matrix of Algorithm 2, W_t + eta grad mu(theta_t x_t) (x) x_t x_t^T."
    ),
    method="search",
    domain=(
        "K = 2, d = 1, x = 1, t = tau + 1, S in [0.1, 4], T = 1e12; hat theta in place of the iterates "
        "theta_2..theta_tau, which do not exist"
    ),
)
def step_matrix(effort: Effort, after: float = 0.0) -> Finding:
    def ratio(ctx: Any, after: float, S: Any) -> Any:
        level, root = ctx.log(HORIZON / DELTA), ctx.sqrt(2)
        tau = 336**2 * (S + 1) * 2 * level * (1 + ctx.cosh(root * S)) * 2 * ctx.log(HORIZON)
        curvature = 2 * slope(root * S, ctx)
        return (tau - after * tau) * curvature / (curvature + 288)

    def found(after: float) -> Finding:
        points = [at(ratio, f"K = 2, d = 1, x = 1, S = ||theta_*|| = {S:g}", after=after, S=S) for S in (1.0, 0.1, 4.0)]
        return equality(worst_of(points[:1] if after == 0 else points), in_digits(ratio))

    note = "misprint: the sum starts at s = tau + 1, as in Algorithm 2; the rounds of the exploration are not in W_t"
    return corrected("misprint", found(after), found(1.0), note)


@claim(
    "C128b",
    labels=("eq:probleme optim learning routine",),
    place="Section 3.2, Eq. probleme optim",
    kind="equation",
    statement="theta_t = argmin over Theta of <grad l_{t+1}(theta_t), theta> + ||theta - theta_t||^2_{Wtilde_t}/(2 eta).",
    method="search",
    domain=(
        "K = 2, d = 1, x = 1, y = 1, eta = 1, lambda = 288: theta_t = (b, -b)/sqrt(2) inside Theta, b in [-8, 8], W_t "
        "in [288, 1e6]"
    ),
)
def step_equation(effort: Effort, lag: int = 0) -> Finding:
    def ratio(ctx: Any, lag: int, b: Any, weight: Any) -> Any:
        """Distance of theta_{t+lag} from the minimiser, over that of theta_t."""
        root = ctx.sqrt(2)
        gradient, matrix = -root * sigmoid(-root * b, ctx), 10**weight + 2 * slope(root * b, ctx)
        minimiser = b - gradient / matrix
        return abs((minimiser if lag else b) - minimiser) / abs(gradient / matrix)

    coordinates = {"b": (-8.0, 8.0), "weight": (math.log10(288), 6.0)}
    example = at(ratio, "K = 2, d = 1, x = 1, y = 1, theta_t = 0, W_t = 288 I", lag=lag, b=0.0, weight=math.log10(288))
    printed = equality(example, in_digits(ratio), "the gradient never vanishes, so theta_t is not the minimiser")
    mended = equality(worst_over(ratio, [{"lag": 1}], lambda lag: coordinates, effort, "step equation", 0.25))
    return corrected("misprint", printed, mended, "misprint: theta_{t+1} on the left, as in Algorithm 2")


@claim(
    "C129",
    place="Section 3.2 after Eq. optimistic reward; Section 3.3.1; Appendix A; Algorithm 2, line 10",
    kind="definition",
    statement=(
        "Wbar_t, with 11^T (x) x_s x_s^T added for s = 1..t (text; it contains x_t before x_t is chosen) or for s = "
        "tau + 1..t - 1 "
        "(Appendix A, Algorithm 2), gives the same eps_1 and eps_2."
    ),
    method="search",
    domain="(K, d) = (2, 1), (3, 1), (2, 2); 2 arms learnt 1 to 1e6 times, 0 to 1e3 times explored, lambda in [1, 1e3]",
)
def index_of_wbar(effort: Effort, ones: float = 1.0) -> Finding:
    def ratio(ctx: Any, K: int, d: int, ridge: Any, more: Any, **point: Any) -> Any:
        theta, rewards = rows_of(centred_columns(column(point, "t"), d), d), column(point, "r")
        size = K * d
        w = 10**ridge * (np.eye(size) if ctx is math else mp.eye(size))
        short, long = w.copy(), w.copy()
        all_ones = np.ones((K, K)) if ctx is math else mp.ones(K)
        arms = vectors(ctx, column(point, "x"), d)
        for x, digits in zip(arms, column(point, "n"), strict=True):
            outer = [[a * b for b in x] for a in x]
            z = [dot(row, x) for row in theta]
            curved = 10**digits * kron(ctx, jacobian(ctx, z), outer)
            short = short + curved + 10**digits * kron(ctx, all_ones, outer)
            long = long + curved + ones * (10**digits + 10**more) * kron(ctx, all_ones, outer)
        (first, second), (other_first, other_second) = (terms(ctx, theta, rewards, arms[0], w) for w in (short, long))
        scale = ctx.sqrt(second * dot(rewards, rewards))
        return max(over(abs(first - other_first), scale), over(abs(second - other_second), second))

    def boxes(K: int, d: int) -> dict[str, tuple[float, float]]:
        sizes = {"ridge": (0.0, 3.0), "more": (0.0, 3.0), "n0": (0.0, 6.0), "n1": (0.0, 6.0)}
        return box(t=(K * d, 3.0), x=(2 * d, 1.0)) | {f"r{k}": (0.0, 1.0) for k in range(K)} | sizes

    cases = [{"K": 2, "d": 1}, {"K": 3, "d": 1}, {"K": 2, "d": 2}]
    worst = worst_over(ratio, cases, boxes, effort._replace(starts=0), "wbar", 0.25)
    note = (
        "eps_1 relative to R ||.||; grad mu rho has no part along 1, and in that direction Wbar_t^-1 is below its "
        "value on Pi R^{K x d}: harmless"
    )
    return equality(worst, in_digits(ratio), note)


def terms(ctx: Any, theta: list[list[Any]], rewards: list[Any], x: list[Any], wbar: Any) -> tuple[Any, Any]:
    """||Wbar^-1/2 (I (x) x) grad mu(theta x) rho|| and ||(I (x) x^T) Wbar^-1/2||^2, the factors of sigma and 3 R sigma^2."""
    K = len(theta)
    p = probabilities(ctx, [dot(row, x) for row in theta])
    mean = dot(p, rewards)
    slopes = [q * (reward - mean) * entry for q, reward in zip(p, rewards, strict=True) for entry in x]
    if ctx is math:
        tall = np.kron(np.eye(K), np.array(x)[:, None])
        block = tall.T @ np.linalg.solve(wbar, tall)
        return math.sqrt(max(0.0, inverse_form(math, np.array(slopes), wbar))), float(np.linalg.eigvalsh(block)[-1])
    tall = mp.zeros(K * len(x), K)
    for k in range(K):
        for i, entry in enumerate(x):
            tall[k * len(x) + i, k] = entry
    block = tall.T * mp.inverse(wbar) * tall
    return mp.sqrt(inverse_form(mp, mp.matrix(slopes), wbar)), precise.eigenvalues((block + block.T) / 2)[-1]


@claim(
    "C130",
    place="Algorithm 2, line 8",
    kind="algorithm",
    statement=(
        "theta_{t+1} = argmin over Theta of <grad l_{t+1}(theta_t), theta> + ||theta - theta_t||^2_{Wtilde_t}/(2 eta) "
        "is a unique "
        "point of Pi R^{K x d}, found in closed form inside Theta and by one scalar equation on its boundary."
    ),
    method="search",
    domain=(
        "K = 3, d = 2, random theta_t, W_t, arms, outcomes and radii of Theta: the compiled step against the "
        "textbook's solver"
    ),
)
def mirror_step(effort: Effort, factor: float = 2.0) -> Finding:
    stream, basis = generator("claims", 0, "mirror step"), contrast_basis(3)
    largest, lowest, active = 0.0, 0.0, 0
    for _ in range(effort.draws // 10):
        arms = stream.uniform(-0.7, 0.7, (4, 2))
        learner = make_learner(basis, arms, np.ones(3), 10 ** stream.uniform(-1, 1), 1.0, 10 ** stream.uniform(-2, 1))
        for _ in range(3):
            learn(learner, int(stream.integers(4)), int(stream.integers(3)))
        arm, outcome = int(stream.integers(4)), int(stream.integers(3))
        theta, lift, x = basis @ learner.phi, np.kron(basis, np.eye(2)), arms[arm]
        whole = lift @ learner.w @ lift.T + learner.w[0, 0] * (np.eye(6) - lift @ lift.T)
        matrix = whole + np.kron(softmax_jacobian(theta @ x), np.outer(x, x))
        gradient = loss_gradient(theta, x, outcome).ravel()
        learn(learner, arm, outcome)
        found = (basis @ learner.phi).ravel()
        solved, bounded = mirror_descent(
            theta.ravel(), gradient, matrix, factor / 2, np.zeros(6), np.eye(6), learner.radius[0]
        )
        active += bounded
        largest = max(largest, float(np.linalg.norm(found - solved) / np.linalg.norm(found)))
        descent = gradient + matrix @ (found - theta.ravel()) * 2 / factor
        others = np.kron(basis, np.eye(2)) @ stream.standard_normal((4, 50))
        others *= learner.radius[0] / np.linalg.norm(others, axis=0)
        scale = np.linalg.norm(gradient) * learner.radius[0]
        lowest = min(lowest, float(((others - found[:, None]).T @ descent).min() / scale))
    evidence = (
        f"largest relative difference of the two {largest:.3g}, {active} of {effort.draws // 10} on the boundary; "
        "first-order "
        f"condition violated by at most {-lowest:.3g}"
    )
    if largest > 1e-7 or lowest < -1e-7:
        return Finding("refuted", largest, f"the step differs by {largest:.3g}", evidence)
    return Finding("holds", largest, evidence=evidence)


@claim(
    "C131",
    place="Table 1 and introduction, O(1) per iteration; Section 3.2, text after Proposition 1",
    kind="text",
    statement=(
        "Time and memory of a round of learning do not grow with t, and the optimistic reward of an arm needs no "
        "optimisation."
    ),
    method="search",
    domain=(
        "K = 3, d = 2: calls made in the first and in the last 10 of 100 (full: 400) rounds; size of the state at both ends"
    ),
)
def constant_cost(effort: Effort, power: float = 0.0) -> Finding:
    instance = examples()[2]
    real = Real(instance.problem(HORIZON, DELTA))
    real.begin_learning()
    stream, calls = generator("claims", 0, "cost"), []
    rounds = 100 if effort.rounds < 1000 else 400

    def count(frame: FrameType, event: str, argument: Any) -> None:
        if event in ("call", "c_call"):
            calls[-1] += 1

    previous = sys.getprofile()
    for t in range(real.tau + 1, real.tau + 1 + rounds):
        calls.append(0)
        outcome = int(stream.integers(3))
        sys.setprofile(count)
        try:
            real.update(t, real.choose(t), outcome)
        finally:
            sys.setprofile(previous)
    state = next(explorations(instance, 1)).state
    sizes = [array_bytes(state) for _ in learning(instance, state, stream, 300)]
    work, memory = sum(calls[-10:]) / sum(calls[:10]), sizes[-1] / sizes[0]
    worst = at(lambda ctx, growth: growth / (rounds / 10) ** power, f"t = tau + {rounds}", growth=max(work, memory))
    note = (
        f"calls per round {calls[0]} and {calls[-1]}, arrays of {sizes[-1]} bytes; the estimate after the exploration, "
        "once, reads N K counts"
    )
    return inequality(worst, lambda point: mp.mpf(point["growth"]) / mp.mpf(rounds / 10) ** power, note, loose=False)


def array_bytes(state: Any) -> int:
    """Size of the arrays of a state and of the states in it."""
    return sum(
        part.nbytes if isinstance(part, np.ndarray) else array_bytes(part) if isinstance(part, tuple) else 0
        for part in state
    )


@claim(
    "C132",
    place="Section 3.2, eps_2 in Eq. optimistic reward",
    kind="step",
    statement=(
        "The remainder of rho^T mu(z + e) after its first order is at most 3 R ||e||_2^2, for rho >= 0 with ||rho||_2 = R."
    ),
    method="search",
    domain="K = 2..6; logits in [-8, 8]^K, rho in [0, 1]^K, all directions e: half the second derivative",
)
def remainder(effort: Effort, constant: float = 3.0) -> Finding:
    def ratio(ctx: Any, K: int, **point: Any) -> Any:
        p, rewards, e = probabilities(ctx, column(point, "z")), column(point, "r"), centred(column(point, "e"))
        mean, spread = dot(p, e), variance(p, e)
        second = sum(r * q * ((v - mean) ** 2 - spread) for r, q, v in zip(rewards, p, e, strict=True))
        return over(abs(second) / 2, constant * ctx.sqrt(dot(rewards, rewards)) * dot(e, e))

    def boxes(K: int) -> dict[str, tuple[float, float]]:
        return box(z=(K, 8.0), e=(K, 1.0)) | {f"r{k}": (0.0, 1.0) for k in range(K)}

    worst = worst_over(ratio, [{"K": K} for K in (2, 3, 4, 6)], boxes, effort, "remainder", 0.25)
    return bound(ratio, worst, f"the constant {worst.value * constant:.3g} would do in the domain")


def means_on_event(ctx: Any, K: int, d: int, ridge: Any, sigma: Any, share: Any, **point: Any) -> tuple[Any, Any, Any, Any]:
    """Means rho^T mu at theta and at theta_t, and eps_1/sigma, eps_2/(3 R sigma^2), for ||theta - theta_t||_Wbar <= sigma.

    Wbar holds two arms `x`, learnt 10^`n` times, with lambda = 10^`ridge`; the arm asked about is `q`.
    """
    theta, rewards = rows_of(centred_columns(column(point, "t"), d), d), column(point, "r")
    size = K * d
    wbar = 10**ridge * (np.eye(size) if ctx is math else mp.eye(size))
    all_ones = np.ones((K, K)) if ctx is math else mp.ones(K)
    for x, digits in zip(vectors(ctx, column(point, "x"), d), column(point, "n"), strict=True):
        outer = [[a * b * 10**digits for b in x] for a in x]
        wbar = wbar + kron(ctx, jacobian(ctx, [dot(row, x) for row in theta]) + all_ones, outer)
    away = centred_columns(column(point, "e"), d)
    length = ctx.sqrt(form(ctx, np.array(away) if ctx is math else mp.matrix(away), wbar))
    scale = share * 10**sigma / length if length > 0 else 0 * length
    asked = vectors(ctx, column(point, "q"), d)[0]
    z = [dot(row, asked) for row in theta]
    moved = [a + scale * dot(row, asked) for a, row in zip(z, rows_of(away, d), strict=True)]
    first, second = terms(ctx, theta, rewards, asked, wbar)
    return dot(probabilities(ctx, moved), rewards), dot(probabilities(ctx, z), rewards), first, second


def event_box(K: int, d: int) -> dict[str, tuple[float, float]]:
    """The coordinates of `means_on_event`."""
    numbers = {"ridge": (0.0, 3.0), "sigma": (-2.0, 2.5), "share": (0.0, 1.0), "n0": (0.0, 5.0), "n1": (0.0, 5.0)}
    vectors_box = box(t=(K * d, 5.0), e=(K * d, 1.0), x=(2 * d, 1.0), q=(d, 1.0))
    return vectors_box | {f"r{k}": (0.0, 1.0) for k in range(K)} | numbers


EVENT_CASES = ({"K": 2, "d": 1}, {"K": 3, "d": 1}, {"K": 2, "d": 2})


@claim(
    "C133",
    labels=("eq:optimistic reward", "prop:optimistic reward"),
    place="Section 3.2, Proposition 1, second statement",
    kind="proposition",
    statement=(
        "If ||theta_* - theta_t||_{Wbar_t} <= sigma_t then |rho^T mu(theta_* x) - rho^T mu(theta_t x)| <= eps_{1,t}(x) + "
        "eps_{2,t}(x) for all x, so tilde r_t(x) >= rho^T mu(theta_* x)."
    ),
    method="search",
    domain=(
        "(K, d) = (2, 1), (3, 1), (2, 2); two arms learnt 1 to 1e5 times, any arm asked, lambda in [1, 1e3], sigma in "
        "[0.01, 300]"
    ),
)
def optimism_on_event(effort: Effort, constant: float = 3.0) -> Finding:
    def ratio(ctx: Any, K: int, d: int, sigma: Any, **point: Any) -> Any:
        there, here, first, second = means_on_event(ctx, K, d, sigma=sigma, **point)
        rewards = column(point, "r")
        bonus = 10**sigma * first + constant * ctx.sqrt(dot(rewards, rewards)) * 10 ** (2 * sigma) * second
        return over(abs(there - here), bonus) if bonus > 1e-6 else 0.0

    worst = worst_over(ratio, EVENT_CASES, event_box, effort._replace(starts=0), "optimism")
    improved = worst_over(
        ratio, EVENT_CASES[:1], event_box, effort._replace(draws=8, starts=effort.starts // 24), "improved"
    )
    small = {"t0": 1.0, "t1": -1.0, "e0": 1.0, "e1": -1.0, "x0": 1.0, "x1": 1.0, "n0": 5.0, "n1": 5.0, "q0": 1.0}
    text = "K = 2, d = 1, theta_t = (1, -1), arm 1 learnt 2e5 times, sigma = 0.01"
    limit = at(ratio, text, K=2, d=1, ridge=0.0, sigma=-2.0, share=1.0, r0=1.0, r1=0.0, **small)
    note = (
        "equality in the limit of a small sigma, where eps_1 is the derivative. Lemma 2 gives the event with sigma_{t-1} <= "
        "sigma_t; in round tau + 1 it is a condition on theta_{tau+1}, see C127"
    )
    return bound(ratio, worst_of([limit, worst, improved]), note, loose=False)


@claim(
    "C133b",
    labels=("eq:def_tilder_nonefficient",),
    place="Section 3.2, Eq. def_tilder_nonefficient and text after it",
    kind="equation",
    statement=(
        "max over C_t of rho^T mu(theta x) is a non-concave maximisation in general; tilde r_t in closed form is at "
        "least this "
        "maximum."
    ),
    method="search",
    domain="concavity: rho = (1, 0), K = 2, x = 1; the maximum: as C133, theta anywhere in C_t",
)
def closed_form_above_maximum(effort: Effort, left: float = -4.0) -> Finding:
    ends = [sigmoid(mp.mpf(left), mp), sigmoid(mp.mpf(left) + 4, mp)]
    middle, mean = sigmoid(mp.mpf(left) + 2, mp), sum(ends) / 2
    words = (
        f"logits {left:g}, {left + 2:g}, {left + 4:g}: value in the middle {float(middle):.4g}, mean of the ends "
        f"{float(mean):.4g}"
    )
    if middle >= mean:
        return Finding("refuted", counterexample=words, evidence="no failure of concavity at this point, in 50 digits")
    below = optimism_on_event(effort._replace(draws=effort.draws // 2, starts=0))
    return replace(below, evidence=f"not concave, {words}; closed form: {below.evidence}")


# Section 3.3.1 and Appendix F.2


@claim(
    "C134",
    place="Section 3.2, Proposition 1, its probability",
    kind="proposition",
    statement=(
        "With probability 1 - delta, for all t > tau and all x: tilde r_t(x) >= rho^T mu(theta_* x) and "
        "|rho^T mu(theta_* x) - rho^T mu(theta_t x)| <= eps_1 + eps_2."
    ),
    method="Monte Carlo",
    domain=(
        "three instances (K = 2, 3; S = 1, 2, 3) and an arm of length 1e-5 with S = 3, all arms, first rounds of learning"
    ),
)
def optimism(effort: Effort, scale: float = 1.0) -> Finding:
    shares, rounds = [], max(30, effort.rounds // 10)
    for instance in [*examples(), short_arm(3.0)]:
        truth = instance.probabilities @ instance.rewards
        for n, end in enumerate(explorations(instance, max(10, effort.runs // 4))):
            stream, worst = generator("claims optimism", 0, instance.name, n), 0.0
            for _, theta, state in learning(instance, end.state, stream, rounds):
                here = mean_rewards(theta, instance.arms, instance.rewards)
                worst = max(worst, float((np.abs(truth - here) / (scale * (state.learner.scores - here))).max()))
            shares.append(worst)
    note = (
        f"all arms in {rounds} rounds; largest |difference|/(eps_1 + eps_2) {max(shares):.3g}. By the proofs the "
        "probability is "
        "1 - delta given Lemma 1, 1 - 2 delta in all"
    )
    return frequency(sum(share > 1 for share in shares), len(shares), DELTA, note)


@claim(
    "C135",
    labels=("lemma:confidence set learning", "section:confidence set"),
    place="Section 3.3.1, Lemma 2",
    kind="lemma",
    statement=(
        "With probability 1 - delta, for all t > tau, ||theta_* - theta_{t+1}||_{Wbar_{t+1}} <= sigma_t = "
        "(2/sqrt(6)) sqrt(Kd log(t/delta)) + 2 S sqrt(144 Kd), with eta = 1."
    ),
    method="Monte Carlo",
    domain=(
        "three instances with S = 1, 2, 3, one with ||theta_*|| = 0.1 = S, one with K = 6, and an arm of length 1e-5 "
        "with S = 0.1, 3, 80; 3000 (full: 20000) rounds, then to 1e18 in batches"
    ),
)
def learning_coverage(effort: Effort, log_factor: float = LOG_FACTOR, ridge_factor: float = RIDGE_FACTOR) -> Finding:
    weak = make_instance("K = 3, d = 2, S = 0.1", "random", {"outcomes": 3, "dim": 2, "norm": 0.1, "arms": 5})
    many = make_instance("K = 6, d = 2, S = 0.5", "random", {"outcomes": 6, "dim": 2, "norm": 0.5, "arms": 5})
    instances = [*examples(), weak, many, *map(short_arm, (0.1, 3.0, 80.0))]
    record, largest, failures, count = get_algorithm("real"), {}, 0, 0
    for instance in instances:
        size = instance.outcomes * instance.dim

        def share(state: Any, t: float, reached: float, instance: Instance = instance, size: int = size) -> float:
            printed = radius(math, size, instance.norm_bound, t)
            return reached * printed / radius(math, size, instance.norm_bound, t, DELTA, log_factor, ridge_factor)

        for n, end in enumerate(explorations(instance, max(5, effort.runs // 16))):
            state, stream, reached = end.state, generator("claims coverage", 0, instance.name, n), np.array([-1.0])
            stop, pulls = state.tau + 10 * effort.rounds, np.zeros(len(instance.arms), dtype=np.int64)
            exact.advance(record, state, instance, stream, state.tau, stop, pulls, reached)
            worst, pulls = share(state, stop, reached[0]), np.zeros(len(instance.arms))
            for t in (1e14, 1e16, 1e18) if n < effort.runs // 40 else ():
                leap.follow(record, state, instance, stop, np.array([t]), pulls, 0.1, stream, True)
                sigma = radius(math, size, instance.norm_bound, t, DELTA, log_factor, ridge_factor)
                worst = max(worst, distance(instance, state) / sigma)
            largest[instance.name] = max(worst, largest.get(instance.name, 0.0))
            failures, count = failures + (worst > 1), count + 1
    words = ", ".join(f"{name}: {value:.3g}" for name, value in largest.items())
    return frequency(failures, count, DELTA, f"largest distance/sigma {words}")


@claim(
    "C135b",
    labels=("appendix:proof confidence set learning",),
    place="Appendix F.2, proof of Lemma 2",
    kind="step",
    statement="||theta_{t+1} - theta_*||_{Wbar_{t+1}} = ||theta_{t+1} - theta_*||_{W_{t+1}} on Pi R^{K x d}.",
    method="exact",
    domain=(
        "rational arithmetic: 200 random integer differences (K, d) = (4, 3), centred, two arms, W = lambda I + M (x) "
        "x x^T, M 1 = 0"
    ),
)
def norms_agree(effort: Effort, projected: bool = True) -> Finding:
    largest = Fraction(0)
    differences, arms = integer_matrices(4, 3, 200, "differences"), integer_matrices(2, 3, 200, "two arms")
    for difference, pair in zip(differences, arms, strict=True):
        entries = [entry for row in difference for entry in row]
        rows = rows_of(centred_columns(entries, 3) if projected else entries, 3)
        extra = sum(sum(dot(row, x) for row in rows) ** 2 for x in pair)
        largest = max(largest, extra)
    evidence = f"||.||^2_Wbar - ||.||^2_W is at most {largest} in rational arithmetic"
    if largest:
        return Finding("refuted", counterexample=evidence, evidence=evidence)
    return Finding("holds", 0.0, evidence=evidence)


@claim(
    "C136",
    place="Section 3.3.1, sentence before Lemma 2",
    kind="text",
    statement="The confidence set of Lemma 2 is poly(S)-free; read literally: sigma_t does not grow with S.",
    method="search",
    domain="sigma_t(S_2)/sigma_t(S_1) for S_1 < S_2 in [0.1, 20], K d in [2, 100], t in [1e9, 1e18], delta = 0.05",
)
def free_of_norm(effort: Effort, ridge_factor: float = RIDGE_FACTOR) -> Finding:
    def growth(ctx: Any, S: Any, more: Any, size: Any, digits: Any) -> Any:
        first, second = (radius(ctx, size, s, 10**digits, ridge_factor=ridge_factor) for s in (S, S * more))
        return second / first

    def shares(ctx: Any, S: Any, more: Any, size: Any, digits: Any) -> Any:
        """Relative difference of the increase from that of 24 S sqrt(Kd)."""
        first, second = (radius(ctx, size, s, 10**digits) for s in (S, S * more))
        expected = 24 * S * (more - 1) * ctx.sqrt(size)
        return abs(second - first - expected) / second

    coordinates = {"S": (0.1, 10.0), "more": (1.0, 2.0), "size": (2.0, 100.0), "digits": (9.0, 18.0)}
    example = at(growth, "K = 2, d = 1, t = 1e10, S = 2 against S = 1", S=1.0, more=2.0, size=2.0, digits=10.0)
    widest = worst_over(growth, [{}], lambda: coordinates, effort, "growth in S", 0.25)
    printed = bound(growth, example if example.value > 1 else widest, loose=False)
    mended = equality(worst_over(shares, [{}], lambda: coordinates, effort, "shares", 0.25), in_digits(shares))
    note = (
        "the factor of sqrt(Kd log(t/delta)), all that counts as t grows, is free of S; 24 S sqrt(Kd) is added, linear in S "
        "and the larger part unless log(t/delta) > 864 S^2. So sigma_T is O(sqrt(Kd log(T/delta))), as Step 6 has it, only "
        "for S up to a constant times sqrt(log(T/delta)), see C157"
    )
    return corrected("condition", printed, mended, note)


@claim(
    "C137",
    place="Lemma 2 against the last display of its proof",
    kind="step",
    statement=(
        "Given Lemma 1 the set holds with probability 1 - delta (Lemma 2), hence both hold with probability 1 - 2 "
        "delta (end of the "
        "proof, Theorem 1): (1 - delta)^2 >= 1 - 2 delta."
    ),
    method="exact",
    domain="rational arithmetic: delta = 1/1000..1",
)
def probabilities_add(effort: Effort, multiple: int = 2) -> Finding:
    levels = [Fraction(n, 1000) for n in range(1, 1001)]
    worst = min(levels, key=lambda delta: (1 - delta) ** 2 - (1 - multiple * delta))
    gap = (1 - worst) ** 2 - (1 - multiple * worst)
    if gap < 0:
        text = f"delta = {worst}: (1 - delta)^2 = {(1 - worst) ** 2} < {1 - multiple * worst}"
        return Finding("refuted", counterexample=text, evidence="rational arithmetic")
    evidence = (
        f"smallest excess {gap} at delta = {worst}. 1 - delta is conditional on Lemma 1 ('let us assume'), the 1 - 2 "
        "delta of the "
        "proof is not; without the condition 1 - delta would not follow: delta = 1/2 gives 1/4"
    )
    return Finding("holds", evidence=evidence)


@claim(
    "C138",
    place="Appendix F.2, proof of Lemma 2 (Theorem 4.2 of Lee and Oh with alpha = 1/sqrt(6))",
    kind="step",
    statement=(
        "alpha = 1/sqrt(6) gives the lemma's eta = (1 + sqrt(6) alpha)/2 = 1, lambda = 144 eta K d = 144 K d and 2 "
        "alpha = 2/sqrt(6) "
        "in sigma_t."
    ),
    method="exact",
    domain="50 digits; the cited theorem is not restated in the paper, so only that its constants agree among themselves",
)
def constants_of_citation(effort: Effort, alpha: float | None = None) -> Finding:
    value = 1 / mp.sqrt(6) if alpha is None else mp.mpf(alpha)
    eta = (1 + mp.sqrt(6) * value) / 2
    difference = max(abs(eta - 1), abs(144 * eta / 144 - 1), abs(2 * value * mp.sqrt(6) / 2 - 1))
    evidence = (
        f"alpha = {float(value):.6g}: eta = {float(eta):.6g}, lambda = {float(144 * eta):.6g} K d, factor "
        f"{float(2 * value):.6g}"
    )
    if difference > mp.mpf(10) ** -40:
        return Finding("refuted", float(difference), evidence, evidence)
    note = "Algorithm 3's eta^w = (1 + sqrt(6) S)/2 and 4 S sqrt(.) do not fit this pattern with one alpha (C177)"
    return Finding("holds", float(difference), evidence=f"{evidence}; {note}")


@claim(
    "C138b",
    place="Lemma 2, eta = 1",
    kind="text",
    statement=(
        "Ours, not in the paper, which cites a theorem instead: with eta = 3/2 the one-step inequality of the usual "
        "mirror-descent proof is true, l(z + e) >= l(z) + <grad l(z), e> + e^T grad mu(z) e/(2 eta) for ||e||_2 <= "
        "1/sqrt(6), the diameter of Theta."
    ),
    method="search",
    domain="K = 2, 3; logits in [-4, 4]^K, all shifts of norm 1/sqrt(6)",
)
def one_step(effort: Effort, eta: float = 1.5) -> Finding:
    def ratio(ctx: Any, K: int, eta: Any, **point: Any) -> Any:
        z, e = column(point, "z"), scaled(ctx, centred(column(point, "e")), 1 / ctx.sqrt(6))
        p = probabilities(ctx, z)
        rise = ctx.log(sum(q * ctx.exp(v) for q, v in zip(p, e, strict=True))) - dot(p, e)
        return over(variance(p, e) / (2 * eta), rise)

    cases = [{"K": K, "eta": eta} for K in (2, 3)]
    widest = worst_over(ratio, cases, lambda K, eta: box(z=(K, 4.0), e=(K, 1.0)), effort, "one step", 0.25)
    small = at(ratio, "K = 2, z = (2, -2), e = (1, -1)/sqrt(12)", K=2, eta=1.0, z0=2.0, z1=-2.0, e0=1.0, e1=-1.0)
    note = (
        f"smallest eta in the domain {widest.value * eta:.4g}, in the limit of large logits 1.2026; with Lemma 2's eta = 1 "
        f"left over right side is {small.value:.4g} at {small.text}, so a proof on this way changes constants of lambda and "
        "sigma_t, but no rate. It is one way to prove Lemma 2 and not the lemma, which C135 simulates with eta = 1"
    )
    return bound(ratio, widest, note, loose=False)
