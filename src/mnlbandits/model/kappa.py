"""The curvature constant kappa (Eq. kappa), certified from both sides, and the bounds the paper prints for it.

kappa = max of 1 / lambda_{K-1}(grad mu(z)) over the logits z = theta x that the norm convention allows. Both conventions
that the paper mixes are here:

- ``frobenius``: ||theta||_F <= S, so ||z||_2 <= S X (the spectral norm gives the same set). The default.
- ``rows``: every row of theta has norm <= S, so |z_k| <= S X; this is what the proof in Appendix B.1 uses.

Write r = S X, p = mu(z) with p_1 <= ... <= p_K, lambda for the eigenvalue, and kappa also for 1/lambda as a function of z.
What follows is our derivation.

**Rows: a closed form.** lambda, a minimum of variances under p, is concave in p. With E = e^{2r}, p is proportional to a
point of the cube [1, E]^K, so it is a mean of the p of the cube's corners, and some corner has no larger lambda. With m
coordinates at 1 and the others at E, 1/lambda is m + (K-m) E for m >= 2, at most 2 + (K-2) E, and for m = 1 it is
(1 + (K-1) E)^2 / (K E), which is more, by (1 - 1/E)(E - 1) / K. So kappa = (1 + (K-1) E)^2 / (K E).

**Frobenius: derivatives.** Where p_1 < p_2, lambda is the root in (p_1, p_2) of sum_k t_k = 0, t_k = p_k / (p_k - lambda).
With y_k = log(p_k / lambda), t = 1 / (1 - e^{-y}). Put s = t (t-1) = 1 / (4 sinh^2(y/2)), so that t' = -s and s' = -(2t-1) s
as functions of y, q = s / sum_k s_k, and T = -t_1 = t_2 + ... + t_K, where t_k > 1. Along a curve z(.),

(1)  (log kappa)' = sum_k (p_k - q_k) z_k',
     (log kappa)'' = Var_p(z') + sum_k q_k (2 t_k - 1) (z_k' - E_q z')^2 + sum_k (p_k - q_k) z_k''.

Hence, and by continuity also where p_1 = p_2, log kappa moves by at most max z' - min z' <= sqrt(2) ||z'||; and as q/p,
proportional to (t-1)^2, decreases in p, log kappa grows along rays from 0: the maximum lies on the sphere ||z|| = r.

**Three levels.** At a maximum z_2 = ... = z_{K-1}. Only K >= 4 needs a proof.

(2) p_1 < p_2. If m >= 2 coordinates are lowest, lambda = p_1, its eigenvectors v are the unit vectors on them that sum to 0,
    and 1 / Var_p(v) <= kappa has a maximum at z too. So p_k - v_k^2 = nu z_k on them and p_k = nu z_k elsewhere, for every
    v: all v_k^2 are equal, m = 2. Let A = z_3 - z_1. As p_3 <= 1/2, nu A = p_3 - p_1 + 1/2 <= A p_3 + 1/2 <= A/2 + 1/2. Now
    move z_1 and z_2 by -e and e and shrink z back to the sphere: log kappa moves by (p_1 + (1 + O)/2 - nu) e^2 + o(e^2),
    O = t_3 + ... + t_K. But O > t_3 + 1 > 1/A + 3/2, so this is a gain.
(3) By (1), p_k - q_k = nu z_k for all k: every y_k is a zero of h(y) = lambda e^y - N s(y) - nu (y - mean), N = 1 / sum s_k.
    If z_i = z_j, i, j >= 2, then by (1) on the great circle towards e_i - e_j, h'(y_i) <= 0. On y > 0, h' first falls, then
    rises, since e^{-y} s''(y) falls.
(4) Suppose b = y_2 < y_{K-1}; let c be the next level above b. If c is repeated, h'(c) <= 0 by (3); if not, h has the zeros
    b < c < y_K, and h' < 0 between its two zeros, so h'(c) < 0. As h' has a zero between b and c, h'(b) > 0 > h''(b).
(5) Let t = t_2, tau that of c, O > 1 the sum over the other outcomes, T = t + tau + O, and B = y_2 - y_1, A = c - b. The
    zeros y_1 and b give nu B = q_1 - q_2 + p_2 - p_1 > N (T+t)(T-t+1), and (4) gives nu < p_2 - N s'(b) < N (s'' - s')(b) =
    2 N t^2 (t-1)(3t-2). So 12 < 3 (2t+2) <= (T+t)(T-t+1) < 2 t^2 (t-1)(3t-2) B, and B < log(t/(t-1)) + log(4/3). The right
    side grows with t and is 10.9 at t = 1.6: t > 1.6.
(6) The zeros b and c, and e^{-A} >= 1 - A, p_c <= 1/2, give nu A = p_c - p_b + q_b - q_c < A/2 + N (t-tau)(t+tau-1). With
    (5), (T+t)(T-t+1)/B - (t-tau)(t+tau-1)/A < 1/(2N). Put x = t - 1/2 > 1.1, xi = tau - 1/2 in (1/2, x), X = T + 1/2 =
    x + xi + d, d = O + 3/2 > 5/2. As y(x) = log((x+1/2)/(x-1/2)) = 1/x + 1/(12 x^3) + ..., A >= 1/xi - 1/x and
    B <= f (1/x + 1/X), where f = x y(x) < 1.08 and x^2 (f-1) < 0.1. So x (X (X-x) / f - xi (x+xi)) < 1/(2N) <=
    (X^2 + x^2 + xi^2 + d^2 - 4d + 3) / 2. Since X (X-x) = xi (x+xi) + d (x + 2 xi + d), it follows that
    1.85 x d (x + 2 xi + d) - 0.4 x < X^2 + x^2 + xi^2 + d^2 - 4d + 3. But left minus right grows with d, and at d = 5/2 it
    is at least 2.6 x^2 + 5.2 x xi + 1.1 x - 5.5 > 0: a contradiction.

**The search.** So z has K-2 coordinates at one level between the other two, for K >= 3 an arc from (1-K, 1, ..., 1) to
(-1, ..., -1, K-1) of angle arccos(1/(K-1)), run through with speed r and z'' = -z. In (1) only the term of k = 1 can be
negative besides the last, and -sum_k (p_k - q_k) z_k >= -sqrt(2) r. As |z_1' - E_q z'| <= (1 - q_1) sqrt(2) r, 1 - q_1 <=
(t_2 - 1)/(T+1), T >= (K-2) t_2, and, with g = z_2 - z_1, t_2 - 1 = 1/(e^{y_2} - 1) <= (K-1)/(K-2) / (e^g - 1), we have

(7)  (log kappa)'' >= -M,   M = sqrt(2) r + 4 r^2 (K-1) / ((K-2)^2 (e^g - 1)).

Between two angles at distance w, log kappa is therefore at most the larger of its values there + M w^2 / 8, with the
smallest g in M; and at most their mean + sqrt(2) r w / 2. Intervals that may hold a better value are halved until none may.
"""

import math
import sys
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from mnlbandits.compiled import allocating_kernel, kernel
from mnlbandits.errors import InputError, require_choice, require_integer, require_positive

Convention = Literal["frobenius", "rows"]
CONVENTIONS: tuple[str, ...] = get_args(Convention)

MOST_OUTCOMES = 10**6
"""Largest K: the logits are listed."""

TOLERANCE = 1e-10
"""Gap in log(kappa) at which the search stops."""

ROUNDING = 64 * sys.float_info.epsilon
"""Times 1 + r + log K: what rounding does to log(kappa) at most.

Levels are off by at most 10 epsilon r, and their differences, exponentials and sums by a few epsilon (1 + r + log K); all
this acts as if z moved by as much, and log kappa moves by at most twice as much as a coordinate of z.
"""

LOG_LARGEST = math.log(sys.float_info.max)


@dataclass(frozen=True)
class Kappa:
    """Certified kappa: lower <= kappa <= upper. `value` is the best estimate, attained at `logits` (K,) up to rounding."""

    lower: float
    value: float
    upper: float
    logits: tuple[float, ...]

    @property
    def gap(self) -> float:
        """Relative gap between the two certified bounds."""
        return self.upper / self.lower - 1


@allocating_kernel
def log_second_eigenvalue(levels, multiplicity):
    """log of lambda_{K-1}(grad mu(z)) where z repeats levels[i] multiplicity[i] times.

    The eigenvalue is (1 + u) p_min where u solves 1/u = sum over the other outcomes of 1 / (1 - (1 + u) p_min / p_i),
    the secular equation of diag(p) - p p^T, and u = 0 if p_min occurs twice. Accurate to rounding for logits of any size.
    """
    low, high = levels.min(), levels.max()
    copies, outcomes, total = 0, 0, 0.0
    for i in range(len(levels)):
        outcomes += multiplicity[i]
        total += multiplicity[i] * math.exp(levels[i] - high)
        if levels[i] == low:
            copies += multiplicity[i]
    log_smallest = low - high - math.log(total)
    if copies > 1:
        return log_smallest
    left, right = 0.0, 1.0 / (outcomes - 1)
    for _ in range(60):
        middle = 0.5 * (left + right)
        total = 0.0
        for i in range(len(levels)):
            if levels[i] > low:
                remainder = 1.0 - (1.0 + middle) * math.exp(low - levels[i])
                total += multiplicity[i] / remainder if remainder > 0 else math.inf
        if total * middle > 1.0:
            right = middle
        else:
            left = middle
    return log_smallest + math.log1p(0.5 * (left + right))


def kappa(outcomes: int, radius: float, convention: Convention = "frobenius") -> Kappa:
    """Certified kappa for any action set whose longest action has norm X, with radius = S X (Eq. kappa).

    The relative gap is at most 2e-10.

    Parameters
    ----------
    outcomes : int
        K in [2, 1e6].
    radius : float
        S X > 0, the largest norm of theta x.
    convention : str
        Which norm of theta is bounded by S, ``"frobenius"`` or ``"rows"``, see the module's docstring.

    Returns
    -------
    Kappa
        Its best estimate ``value``, its certified bounds ``lower`` and ``upper``, and the logits where it is attained.

    Raises
    ------
    InputError
        outcomes not in [2, 1e6], radius not in (0, inf) or too large for kappa to be a float, unknown convention.

    Examples
    --------
    >>> from mnlbandits import kappa
    >>> certified = kappa(3, 1.0)
    >>> certified.lower <= certified.value <= certified.upper
    True
    >>> round(float(certified.value), 6)
    5.969008
    """
    outcomes = require_integer("outcomes", outcomes, 2, MOST_OUTCOMES)
    radius = require_positive("radius", radius)
    require_choice("convention", convention, CONVENTIONS)
    too_large = InputError("radius", radius, "small enough for kappa to be a floating-point number")
    if radius > LOG_LARGEST:  # kappa > e^radius
        raise too_large
    if convention == "rows":
        levels, tolerance = radius * np.array([-1.0, 1.0, 1.0]), 0.0
    elif outcomes == 2:
        levels, tolerance = radius * math.sqrt(0.5) * np.array([-1.0, 1.0, 1.0]), 0.0
    else:
        levels, tolerance = levels_on_arc(outcomes, radius, best_angle(outcomes, radius)), TOLERANCE
    multiplicity = np.array([1, outcomes - 2, 1])
    attained, rounding = -log_second_eigenvalue(levels, multiplicity), ROUNDING * (1 + radius + math.log(outcomes))
    if attained + tolerance + rounding > LOG_LARGEST:
        raise too_large
    return Kappa(
        math.exp(attained - rounding),
        math.exp(attained),
        math.exp(attained + tolerance + rounding),
        tuple(float(z) for z in np.repeat(levels, multiplicity)[::-1]),
    )


@allocating_kernel
def levels_on_arc(outcomes, radius, angle):
    """Levels (3,) of multiplicities 1, K-2 and 1, on the arc of three levels at `angle` from (1-K, 1, ..., 1); K >= 3."""
    speed, length = radius * math.sqrt((outcomes - 1) / (outcomes - 2)), math.acos(1 / (outcomes - 1))
    low_gap, high_gap = speed * math.sin(length - angle), speed * math.sin(angle)
    lowest = -((outcomes - 1) * low_gap + high_gap) / outcomes
    return np.array([lowest, lowest + low_gap, lowest + low_gap + high_gap])


@kernel
def steepest_bend(outcomes, radius, gap):
    """M of (7), at least -(log kappa)'' on the arc of three levels wherever z_2 - z_1 >= gap > 0."""
    odds = math.exp(-gap) / -math.expm1(-gap)
    return math.sqrt(2.0) * radius + 4.0 * radius**2 * (outcomes - 1) / (outcomes - 2) ** 2 * odds


@allocating_kernel
def best_angle(outcomes, radius):
    """Where log kappa on the arc of three levels is at most `TOLERANCE` below its maximum; K >= 3."""
    multiplicity, width = np.array([1, outcomes - 2, 1]), math.acos(1 / (outcomes - 1))
    first = -log_second_eigenvalue(levels_on_arc(outcomes, radius, 0.0), multiplicity)
    last = -log_second_eigenvalue(levels_on_arc(outcomes, radius, width), multiplicity)
    best, angle = (first, 0.0) if first >= last else (last, width)
    pending = [(0.0, width, first, last)]
    while len(pending) > 0:
        left, width, first, last = pending.pop()
        levels = levels_on_arc(outcomes, radius, left + width)
        gap = levels[1] - levels[0]
        bound = 0.5 * (first + last + math.sqrt(2.0) * radius * width)
        if gap > 0.0:
            bound = min(bound, max(first, last) + 0.125 * steepest_bend(outcomes, radius, gap) * width**2)
        if bound > best + TOLERANCE:
            half = 0.5 * width
            middle = -log_second_eigenvalue(levels_on_arc(outcomes, radius, left + half), multiplicity)
            if middle > best:
                best, angle = middle, left + half
            pending.append((left + half, half, middle, last))
            pending.append((left, half, first, middle))
    return angle


def printed_bounds(outcomes: int, radius: float) -> dict[str, float]:
    """The bounds on kappa that the paper prints, at S X = radius.

    ``weyl_upper``: K e^{2SX} (App. B.1); ``main_lower``: the inverse of the right side of Eq. kappa bounds;
    ``even_lower``: K/4 + K/4 e^{2SX} (App. B.1, stated for even K).

    Raises
    ------
    InputError : a bound may be beyond the floating-point numbers.
    """
    if 3 * radius + math.log(outcomes) > LOG_LARGEST:
        raise InputError("radius", radius, "small enough for the printed bounds to be floating-point numbers")
    e = math.exp
    return {
        "weyl_upper": outcomes * e(2 * radius),
        "main_lower": (2 * e(-radius) + (outcomes - 2) * e(radius)) / (2 * e(-2 * radius)),
        "even_lower": outcomes / 4 * (1 + e(2 * radius)),
    }
