"""kappa, Eq. (1), in the Frobenius norm, and kappa_*, Eq. (2): values, and bounds in closed form; r is S X.

Logits of norm r differ by at most sqrt(2) r, so that kappa is at most `kappa_at_most`; at logits of few levels the curvature
lambda_{K-1} has a closed form, and kappa is at least its inverse. At K = 2, kappa = 1 + cosh(sqrt(2) r).
"""

from collections.abc import Sequence

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.formulas.frameworks import inverse_curvature, law_of, second_at_least_smallest
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import dot, variance


def kappa_star(m: Arithmetic, z: Sequence[Number], rewards: Sequence[Number]) -> Number:
    """kappa_*, Eq. (2), where the only optimal action has logits z; undefined for uniform rewards."""
    return 1 / inverse_kappa_star(m, z, rewards)


def inverse_kappa_star(m: Arithmetic, z: Sequence[Number], rewards: Sequence[Number]) -> Number:
    """rho^T grad mu(z) rho/R^2; 0 for uniform rewards, undefined for rho = 0."""
    return inverse_star_of(softmax(m, z), rewards)


def inverse_star_of(p: Sequence[Number], rewards: Sequence[Number]) -> Number:
    """1/kappa_* where the optimal action has the law p, also of fractions and of rational functions."""
    return variance(p, rewards) / dot(rewards, rewards)


def binary_kappa(m: Arithmetic, r: Number) -> Number:
    """The kappa of the binary problem, 1/mu'(r) for the sigmoid mu."""
    return 2 + 2 * m.cosh(r)


def binary_kappa_at(m: Arithmetic, r: Number) -> Number:
    """kappa at K = 2, 1 + cosh(sqrt(2) r): half the one of the binary problem with logits up to sqrt(2) r."""
    return binary_kappa(m, m.sqrt(2) * r) / 2


def log_curvature(m: Arithmetic, z: Sequence[Number]) -> Number:
    """log lambda_{K-1}(grad mu(z)), accurate for logits of any size."""
    return -m.log(inverse_curvature(m, z))


def kappa_at_most(m: Arithmetic, K: Number, r: Number) -> Number:
    """1 + (K - 1) exp(sqrt(2) r): 1/kappa is at least the smallest probability, and that is at least 1 over this."""
    return 1 + (K - 1) * m.exp(m.sqrt(2) * r)


def kappa_at_most_exactly(square: int = 2) -> bool:
    """lambda_{K-1} >= min_k mu_k, 1/mu_k = 1 + sum_{j != k} exp(z_j - z_k), and (z_j - z_k)^2 <= square (z_j^2 + z_k^2)."""
    first, second = unknowns("z0", "z1")
    apart = square * (first**2 + second**2) - (second - first) ** 2 == (first + second) ** 2
    return apart and second_at_least_smallest()


def low_curvature(m: Arithmetic, K: Number, r: Number) -> Number:
    """lambda_{K-1} at one low logit and K - 1 equal ones, of norm r: K p_1 p_2 of the two probabilities."""
    small = m.exp(-r * m.sqrt(m.number(K) / (K - 1)))
    return K * small / (K - 1 + small) ** 2


def pair_logits(m: Arithmetic, K: int, r: Number) -> list[Number]:
    """r (1, -1, 0, ..., 0)/sqrt(2)."""
    high = r / m.sqrt(2)
    return [high, -high] + [0 * r] * (K - 2)


def pair_curvature(m: Arithmetic, K: Number, r: Number) -> Number:
    """lambda_{K-1} at `pair_logits`: the least root of x^2 - trace x + K p_1 p_2 p_3, of the three levels; K = 2 also."""
    small = m.exp(-r / m.sqrt(2))
    total = 1 + small**2 + (K - 2) * small
    p, low, other = 1 / total, small**2 / total, small / total
    if isinstance(K, int) and K == 2:
        return 2 * p * low
    trace = p * (low + (K - 2) * other) + low * (p + (K - 2) * other) + other * (p + low)
    product = K * p * low * other
    return 2 * product / (trace + m.sqrt(trace**2 - 4 * product))


def halves_curvature(m: Arithmetic, K: int, r: Number) -> Number:
    """lambda_{K-1} at the centred logits of norm r that are high for floor(K/2) outcomes and low for the others."""
    high = K // 2
    small = m.exp(-r * m.sqrt(m.number(K) / (high * (K - high))))
    lowest = small / (high + (K - high) * small)
    return 2 * lowest * (1 - lowest) if K == 2 else lowest


def kappa_at_least(m: Arithmetic, K: int, r: Number) -> Number:
    """A value that kappa reaches: of one high and one low outcome, of one low outcome, or of two halves."""
    return m.maximum(1 / pair_curvature(m, K, r), 1 / low_curvature(m, K, r), 1 / halves_curvature(m, K, r))


def levels_exactly() -> bool:
    """The closed forms of `low_curvature` and `pair_curvature`, for every K, as identities of probabilities.

    One low outcome: grad mu takes u = (K - 1, -1, ..., -1) to K p_1 p_2 u. A pair: in the orthonormal basis of e_1, e_2 and
    the mean of the others grad mu is ((a, -p q, -p w), (-p q, b, -q w), (-p w, -q w, c)), w = sqrt(K - 2) x, and singular.
    """
    p, q, x, K = unknowns("p", "q", "x", "K")
    other = (1 - p) / (K - 1)
    mean = (K - 1) * (p - other)
    low = p * (K - 1 - mean) == K * p * other * (K - 1) and other * (-1 - mean) == -K * p * other
    q = 1 - p - (K - 2) * x
    a, b, c, w = p * (1 - p), q * (1 - q), x * (1 - (K - 2) * x), (K - 2) * x**2
    minors = (a * b - p**2 * q**2) + (a * c - p**2 * w) + (b * c - q**2 * w)
    determinant = a * (b * c - q**2 * w) - p**2 * (q**2 * c + w * q**2) - p**2 * w * (q**2 + b)
    return low and minors == K * p * q * x and determinant == p * 0


def low_pair_reached(factor: int = 1) -> bool:
    """kappa >= factor (K - 1)/K (1 + (K - 2) q + q^2), q = exp(r/sqrt(2)), by the quotient of e_2 - 1/K at `pair_logits`.

    For every K it is mu_2 (1 - mu_2) K/(K - 1); what it is below 1, times the bound, has no negative coefficient.
    """
    q, more = unknowns("q", "more")
    K = 2 + more
    low, *others = law_of([1 / q, q, K - 2])
    quotient = variance([low, sum(others)], [1, 0]) / (1 - 1 / K)
    bound = factor * (K - 1) / K * (1 + (K - 2) * q + q**2)
    return bound * quotient == factor * sum(others) and nonnegative(1 - bound * quotient)
