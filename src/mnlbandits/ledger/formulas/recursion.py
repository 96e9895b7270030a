r"""Lemma 2 with eta = 5/4: what a round does to ||theta_* - theta_t||^2_W, and the steps of its proof, each decided alone.

In round t, with a = theta_*, b = theta_t, e = theta_{t+1}, the loss l and its second-order model l~ at b,
H = grad mu(e x) (x) x x^T, W' = W + H, s = tr(H W'^-1), v = log |W'|/|W| and the forecast q_y = E mu_y(theta x) over
N(b, c W^-1), c = `WIDTH`:

1. <grad l~(e), e - a> <= (||b - a||^2_W - ||e - a||^2_W - ||e - b||^2_W)/(2 eta): `step_keeps_curvature`, optimality;
2. l(a) >= l(e) - <grad l(e), e - a> + ||e - a||^2_H/(2 zeta), zeta <= eta: `range_gap`;
3. |<grad l(e) - grad l~(e), e - a>| <= ||(e - a) x|| ||(e - b) x||^2/sqrt(8): `third_order_below`; at most `third`
   ||e - b||^2_W/lambda, third = 1/sqrt(48), as ||(e - a) x|| <= 1/sqrt(6) and ||(e - b) x||^2 <= ||e - b||^2_W/lambda;
4. -log q_y <= l(e) + phi c s/2 + (v - s)/2 + ||e - b||^2_W/(2 c): `forecast_steps`;
5. exp(sum l(a) + log q_y) is a martingale of mean 1, sum v <= D log(1 + n/(lambda D)): `rounds_add_up`.
"""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.formulas.concordance import third_derivative
from mnlbandits.ledger.formulas.frameworks import law_of
from mnlbandits.ledger.formulas.learning import range_below_norm, variance_below_range
from mnlbandits.ledger.formulas.mended import RADIUS_GROWTH, RADIUS_LEVEL, STEP_SIZE
from mnlbandits.ledger.formulas.potentials import tangents_cancel
from mnlbandits.ledger.formulas.softmax import sigmoid, slope

WIDTH = Fraction(7, 5)
"""c."""

SMALLEST_RIDGE = 4
"""The least lambda for which the proof goes through; Lemma 2 has at least 288."""

NODE, NODES = Fraction(3, 5), 16
"""Distance and number, each side, of the nodes of the trapezoidal rule for a normal law: an error of 1e-20."""


def range_gap(m: Arithmetic, eta: Number | str | Fraction = STEP_SIZE) -> Number:
    r"""zeta/eta at the range r = 1/sqrt(3): $1/(2 \eta)$ over $\int_0^1 (1 - v) e^{-r v} \mathrm dv$."""
    reach = 1 / m.sqrt(3)
    return reach**2 / (2 * m.number(eta) * (m.exp(-reach) - 1 + reach))


def variance_falls_slowly(**_: object) -> bool:
    """d/dv Var_q(v) e = E (e - E e)^3 and the range of e; (1 - v) e^(-r v) = F' with F(1) - F(0) = (e^-r - 1 + r)/r^2."""
    r, v, decay = unknowns("r", "v", "decay")
    primitive = (1 - r * (1 - v)) / r**2 * decay
    derivative = primitive.derivative(1) - r * decay * primitive.derivative(2)
    whole = decay / r**2 - (1 - r) / r**2 == (decay - 1 + r) / r**2
    return third_derivative() and range_below_norm() and derivative == (1 - v) * decay and whole


def third_order_below(square: Fraction = Fraction(1, 8), **_: object) -> bool:
    """Whether (range(w) Var u/2)^2 <= `square` ||w||^2 ||u||^4; range(w)^2 <= 2 ||w||^2, Var u <= range(u)^2/4."""
    w, u = unknowns("w", "u")
    bound = Fraction(1, 2) ** 2 * (2 * w) * (2 * u / 4) ** 2
    return third_derivative() and range_below_norm() and variance_below_range() and nonnegative(square * w * u**2 - bound)


def spread_of_outcomes() -> bool:
    """sum_k p_k (e_k - p)(e_k - p)^T = diag(p) - p p^T by its two kinds of entries, and ||e_k - p||^2 <= 2, for every K."""
    own, other, rest = unknowns("e", "f", "s")
    p, q, others = law_of([own, other, rest])
    diagonal = p * (1 - p) ** 2 + (q + others) * p**2 == p - p**2
    beside = -p * (1 - p) * q - q * (1 - q) * p + others * p * q == -p * q
    return diagonal and beside and nonnegative(2 - 2 * (1 - p) ** 2)


def forecast_steps(cost: Fraction | int = 1, **_: object) -> bool:
    """Step 4 with its phi times `cost`: `spread_of_outcomes`, the divergence w/(w + h) = 1 - h/(w + h) and s <= v.

    The last is log(1 + y) >= y/(1 + y), by its derivative; e^{w/2} - 1 <= phi w/2 is a series of coefficients >= 0 in w.
    """
    w, h, y = unknowns("w", "h", "y")
    divergence = w / (w + h) == 1 - h / (w + h)
    below = 1 / (1 + y) - (y / (1 + y)).derivative(2)
    return spread_of_outcomes() and divergence and nonnegative(below) and nonnegative((cost - 1) * w)


def step_keeps_curvature(**_: object) -> bool:
    """Step 1: W~/eta = W/eta + grad mu, and <W (c - b), a - c> = (|b - a|^2 - |c - a|^2 - |c - b|^2)/2 in a coordinate."""
    w, h, eta, a, b, c = unknowns("w", "h", "eta", "a", "b", "c")
    product = w * (c - b) * (a - c) == w * ((b - a) ** 2 - (c - a) ** 2 - (c - b) ** 2) / 2
    return (w + eta * h) / eta == w / eta + h and product


def recursion_adds_up(**_: object) -> bool:
    """Steps 1 to 4: the recursion spares 2 eta times their slack and three terms, whose signs `recursion_needs` decides."""
    names = "before after moved curved s v inner gradient star next forecast eta zeta third phi c"
    before, after, moved, curved, s, v, inner, gradient, star, following, forecast, eta, zeta, third, phi, c = unknowns(
        *names.split()
    )
    slack = (
        (before - after - moved) / (2 * eta) - inner,
        third * moved - (gradient - inner),
        star - following + gradient - curved / (2 * zeta),
        following + forecast + phi * c * s / 2 + (v - s) / 2 + moved / (2 * c),
    )
    spare = before + 2 * eta * (star + forecast) + eta * phi * c * v - (after + curved)
    rest = (1 - 2 * eta * third - eta / c) * moved + (eta / zeta - 1) * curved + eta * (phi * c - 1) * (v - s)
    return spare == 2 * eta * sum(slack) + rest


def rounds_add_up(**_: object) -> bool:
    """Step 5: sum_y mu_y q_y/mu_y = 1; tr grad mu = 1 - sum p^2 <= 1; log |I + A| <= D log(1 + tr A/D)."""
    e, f, g, h = unknowns("e", "f", "g", "h")
    p, q = law_of([e, f]), law_of([g, h])
    mean = sum(a * (b / a) for a, b in zip(p, q, strict=True)) == 1
    trace = sum(a * (1 - a) for a in p)
    return mean and trace == 1 - sum(a**2 for a in p) and tangents_cancel()


def least_point_near(factor: Fraction | int = 1) -> bool:
    """Whether ||theta - p||^2 <= `factor` S^2 if ||theta|| <= S and p is the point of least norm of a convex set with theta.

    |theta|^2 = |p|^2 + 2 <p, theta - p> + |theta - p|^2 in every coordinate, and <p, theta - p> >= 0.
    """
    a, p = unknowns("a", "p")
    square, spare, least, inner = unknowns("square", "spare", "least", "inner")
    parts = a**2 == p**2 + 2 * p * (a - p) + (a - p) ** 2
    return parts and nonnegative((factor - 1) * square + spare + least + 2 * inner)


def lemma_steps(**_: object) -> bool:
    """All steps of the module but `recursion_needs`."""
    rounds = step_keeps_curvature() and variance_falls_slowly() and third_order_below() and forecast_steps()
    return rounds and recursion_adds_up() and rounds_add_up() and least_point_near()


def mixture_excess(m: Arithmetic, width: Fraction = WIDTH, least: int = SMALLEST_RIDGE) -> Number:
    """phi = (e^a - 1)/a at a = c/lambda, which grows with a: e^{w/2} - 1 <= phi w/2 for 0 <= w <= 2 a."""
    a = m.number(width) / least
    return m.expm1(a) / a


def recursion_needs(
    m: Arithmetic,
    eta: Fraction = STEP_SIZE,
    width: Fraction = WIDTH,
    level: Fraction = RADIUS_LEVEL,
    volume: Fraction = RADIUS_GROWTH,
    least: int = SMALLEST_RIDGE,
) -> Number:
    """The largest of what has to be at most 1: zeta/eta, eta/c + 2 eta third/lambda, 1/(phi c), eta phi c/2.1, 2 eta/2.5."""
    step, c, phi = m.number(eta), m.number(width), mixture_excess(m, width, least)
    third = m.sqrt(m.number(Fraction(1, 8)) / 6)
    return m.maximum(
        range_gap(m, eta),
        step / c + 2 * step * third / least,
        1 / (phi * c),
        step * phi * c / m.number(volume),
        2 * step / m.number(level),
    )


def minus_log_forecast(m: Arithmetic, b: Number, spread: Number, x: Number, sign: int) -> Number:
    """-log q_y of the module, K = 2, d = 1, theta = (b, -b)/sqrt(2), y = 1 or 2 for sign = 1 or -1; spread^2 is c/W."""
    points = [m.number(NODE * k) for k in range(-NODES, NODES + 1)]
    weights = [m.exp(-point * point / 2) for point in points]
    chances = (sigmoid(m, sign * m.sqrt(2) * x * (b + spread * point)) for point in points)
    return -m.log(sum(w * p for w, p in zip(weights, chances, strict=True)) / sum(weights))


def loss_at(m: Arithmetic, b: Number, x: Number, sign: int) -> Number:
    """l of the module likewise."""
    return m.log1p(m.exp(-sign * m.sqrt(2) * x * b))


def forecast_gap(
    m: Arithmetic, sign: int, weight: Number, x: Number, b: Number, off: Number, cost: Fraction | int = 1
) -> Number:
    """-log q_y - l(theta_{t+1}) over the bound of step 4, its phi times `cost`; W = 10^weight, theta_{t+1} at b + off."""
    w, c = 10**weight, m.number(WIDTH)
    h = 2 * x**2 * slope(m, m.sqrt(2) * x * (b + off))
    s, v = h / (w + h), m.log1p(h / w)
    bound = m.number(cost) * mixture_excess(m) * c * s / 2 + (v - s) / 2 + w * off**2 / (2 * c)
    return (minus_log_forecast(m, b, m.sqrt(c / w), x, sign) - loss_at(m, b + off, x, sign)) / bound


def volume_needed(
    m: Arithmetic,
    sign: int,
    weight: Number,
    x: Number,
    centre: Number,
    here: Number,
    there: Number,
    eta: Fraction = STEP_SIZE,
    volume: Fraction = RADIUS_GROWTH,
) -> Number:
    """The factor of log |W'|/|W| that a round needs, over 2.1; theta_t, theta_* in Theta, 1/sqrt(6) wide about `centre`."""
    w, c, half, root, step = 10**weight, m.number(WIDTH), 1 / (2 * m.sqrt(6)), m.sqrt(2), m.number(eta)
    b, star = centre + here * half, centre + there * half
    gradient, curved = -sign * root * x * sigmoid(m, -sign * root * x * b), 2 * x**2 * slope(m, root * x * b)
    moved = m.minimum(m.maximum(b - step * gradient / (w + step * curved), centre - half), centre + half)
    h = 2 * x**2 * slope(m, root * x * moved)
    drop = loss_at(m, star, x, sign) - minus_log_forecast(m, b, m.sqrt(c / w), x, sign)
    return ((w + h) * (moved - star) ** 2 - w * (b - star) ** 2 - 2 * step * drop) / (m.number(volume) * m.log1p(h / w))
