"""Self-concordance of log-sum-exp: how the curvature changes when the logits are shifted, and the identities that bound it.

For q = mu(z + e), p = mu(z): var_q(u) <= sum_k q_k (u_k - p^T u)^2 <= max_k (q_k/p_k) var_p(u), where p_k/q_k =
sum_j p_j exp(e_j - e_k) >= exp(-r) for the range r of e, and r <= sqrt(2) ||e||: for every K, z and e.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mnlbandits.ledger.arithmetic import FLOATS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.formulas.frameworks import along_logit, law_of, unknown_vectors
from mnlbandits.ledger.formulas.softmax import softmax, softmax_jacobian
from mnlbandits.ledger.formulas.vectors import centred, dot, over, scaled, variance
from mnlbandits.ledger.search import Point, column, vectors_box
from mnlbandits.model.softmax import softmax as softmax_at_once


def contrast_of(point: Point) -> list[Number]:
    """The coordinates u centred; zero if they are close to equal, where variances are rounding."""
    u = centred(column(point, "u"))
    return u if dot(u, u) > 1e-6 else [0 * entry for entry in u]


def curvature_growth(m: Arithmetic, K: int, diameter: Number, **point: Number) -> Number:
    """u^T grad mu(z + e) u over u^T grad mu(z) u, e centred and of norm `diameter`."""
    del K
    z, u = column(point, "z"), contrast_of(point)
    e = scaled(m, centred(column(point, "e")), diameter)
    return over(variance(softmax(m, [a + b for a, b in zip(z, e, strict=True)]), u), variance(softmax(m, z), u))


def growth_box(K: int, **fixed: object) -> dict[str, tuple[float, float]]:
    """The coordinates of `curvature_growth`."""
    del fixed
    return vectors_box(z=(K, 8.0), e=(K, 1.0), u=(K, 1.0))


def mean_variance(m: Arithmetic, z: Sequence[Number], shift: Sequence[Number], u: Sequence[Number]) -> Number:
    """int_0^1 u^T grad mu(z + v shift) u dv."""
    return m.integral(lambda v: variance(softmax(m, [a + v * b for a, b in zip(z, shift, strict=True)]), u))


def mean_jacobian(m: Arithmetic, z: Sequence[Number], shift: Sequence[Number]) -> NDArray:
    """int_0^1 grad mu(z + v shift) dv (K, K), whose rows sum to 0; in floats all nodes of the quadrature at once."""
    K = len(z)
    if m is FLOATS:
        p = softmax_at_once(np.array(z) + (FLOATS.nodes + 0.5)[:, None] * np.array(shift))
        products = ((p * FLOATS.weights[:, None]).T @ p).tolist()
    else:
        below = [(i, j) for i in range(K) for j in range(i)]
        pairs = {place: m.integral(lambda v, place=place: shifted_product(m, z, shift, v, *place)) for place in below}
        products = [[pairs.get((max(i, j), min(i, j)), 0) for j in range(K)] for i in range(K)]
    sums = [sum(row[:i] + row[i + 1 :]) for i, row in enumerate(products)]
    return m.array([[sums[i] if i == j else -products[i][j] for j in range(K)] for i in range(K)])


def shifted_product(m: Arithmetic, z: Sequence[Number], shift: Sequence[Number], v: Number, i: int, j: int) -> Number:
    """mu_i mu_j at z + v shift."""
    p = softmax(m, [a + v * b for a, b in zip(z, shift, strict=True)])
    return p[i] * p[j]


def tilted_variance(K: int = 4) -> bool:
    """The identities of the module for unknown logits, shifts and directions.

    Variance as a sum of squares, how much it grows about another mean, and what a weight becomes after a shift.
    """
    e, g, u = unknown_vectors(e=K, g=K, u=K)
    p, q = law_of(e), law_of([a * b for a, b in zip(e, g, strict=True)])
    raw = dot(p, [entry**2 for entry in u]) - dot(p, u) ** 2
    about = sum(weight * (entry - dot(p, u)) ** 2 for weight, entry in zip(q, u, strict=True))
    shares = [q[k] * sum(p[j] * g[j] for j in range(K)) == p[k] * g[k] for k in range(K)]
    return raw == variance(p, u) and about - variance(q, u) == (dot(q, u) - dot(p, u)) ** 2 and all(shares)


def third_derivative(K: int = 4) -> bool:
    """D^3 f(z)[v, u, u] = sum_k p_k (v_k - p^T v)(u_k - p^T u)^2 for f = log sum exp, of unknown z, v and u."""
    e, v, u = unknown_vectors(e=K, v=K, u=K)
    p = law_of(e)
    derivative = sum(v[k] * along_logit(variance(p, u), e, k) for k in range(K))
    return derivative == sum(weight * (a - dot(p, v)) * (b - dot(p, u)) ** 2 for weight, a, b in zip(p, v, u, strict=True))


def jacobian_symbolically(K: int = 4) -> bool:
    """d mu_k/dz_j is the entry of grad mu, mu_k (1[k = j] - mu_j), of unknown z."""
    (e,) = unknown_vectors(e=K)
    p = law_of(e)
    return all(along_logit(p[k], e, j) == p[k] * (int(k == j) - p[j]) for k in range(K) for j in range(K))


def range_within(square: int = 2) -> bool:
    """(e_k - e_j)^2 <= square ||e||^2: the gap is (e_k + e_j)^2 and squares."""
    u, w, rest = unknowns("u", "w", "rest")
    gap = square * (u**2 + w**2 + rest) - (u - w) ** 2
    return nonnegative(gap - (u + w) ** 2)


def growth_below(square: int = 6) -> bool:
    """u^T grad mu(z + e) u <= exp(sqrt(square) ||e||) u^T grad mu(z) u, by the lines of the module."""
    return tilted_variance() and range_within(square)


def jacobian_with_ones(m: Arithmetic, z: Sequence[Number]) -> NDArray:
    """grad mu(z) + 11^T."""
    return softmax_jacobian(m, z) + m.array([[1] * len(z)] * len(z))
