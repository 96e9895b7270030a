"""kappa-tilde, Appendix D, beside kappa: of parameters with last row 0, and of grad mu without its last row and column.

Both are for parameters of norm at most S, r is S X. At K = 2 kappa-tilde is the constant of the binary problem.
"""

from collections.abc import Sequence

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.formulas.constants import binary_kappa, kappa_at_most, kappa_at_most_exactly, pair_curvature
from mnlbandits.ledger.formulas.frameworks import centring_shortens, inverse_curvature, law_of
from mnlbandits.ledger.formulas.learning import range_below_norm
from mnlbandits.ledger.formulas.softmax import softmax_jacobian
from mnlbandits.ledger.formulas.vectors import variance
from mnlbandits.ledger.search import column


def truncated_curvature(m: Arithmetic, z: Sequence[Number]) -> Number:
    """lambda_min of grad mu(z) without its last row and column, which is 1/kappa-tilde at its minimum."""
    return m.eigenvalues(softmax_jacobian(m, z)[:-1, :-1])[0]


def tilde_over_kappa(m: Arithmetic, K: int, power: int = 1, **point: Number) -> Number:
    """1/`truncated_curvature` over K^power/lambda_{K-1}(grad mu), at one law."""
    z = column(point, "z")
    return 1 / truncated_curvature(m, z) / inverse_curvature(m, z) / K**power


def tilde_over_kappa_exactly(power: int = 1) -> bool:
    """v^T (grad mu)' v = w^T grad mu w for w = Pi (v, 0), |w|^2 = |v|^2 - s^2/K >= |v|^2/K^power, s the sum of the v_k.

    `spread` = (K - 1) |v|^2 - s^2 >= 0, K = 2 + more; and Pi shortens the parameter, so that norm S becomes at most S.
    """
    square, spread, more = unknowns("square", "spread", "more")
    K = 2 + more
    length = (square + spread) / (K - 1)
    return centring_shortens() and nonnegative(length - square / K - length / K**power)


def tilde_at_least(m: Arithmetic, K: Number, r: Number) -> Number:
    """A value kappa-tilde reaches for K >= 3, where the last of `pair_logits` is 0: 1/(mu_2 (1 - mu_2)) = W + 2 + 1/W."""
    odds = (K - 2) * m.exp(r / m.sqrt(2)) + m.exp(m.sqrt(2) * r)
    return odds + 2 + 1 / odds


def kappa_over_tilde(m: Arithmetic, K: int, r: Number, others: int = 1) -> Number:
    """An upper bound of kappa over (K - 1)^others times `tilde_at_least`, at the same S, K >= 3."""
    return kappa_at_most(m, K, r) / (m.number(K - 1) ** others * tilde_at_least(m, K, r))


def kappa_over_tilde_exactly(others: int = 1) -> bool:
    """1 + (K - 1) q^2, which kappa is at most, is at most (K - 1)^others (2 + W); K = 3 + more, q = exp(r/sqrt(2)).

    W = (K - 2) q + q^2 are the odds against outcome 2 at logits (r, -r, 0, ..., 0)/sqrt(2); mu_2 (1 - mu_2) is the entry of
    grad mu there, and so at least `truncated_curvature`.
    """
    q, more = unknowns("q", "more")
    K = 3 + more
    odds = (K - 2) * q + q**2
    low, *rest = law_of([1 / q, q, K - 2])
    reached = 1 / (low * sum(rest)) == odds + 2 + 1 / odds
    return kappa_at_most_exactly() and reached and nonnegative((K - 1) ** others * (2 + odds) - 1 - (K - 1) * q**2)


def kappa_at_two(m: Arithmetic, r: Number, norm_square: int = 1, times: int = 1) -> Number:
    """`times` kappa of Eq. (1) at K = 2 over the binary constant at sqrt(norm_square) S, minus 1."""
    return abs(times / pair_curvature(m, 2, r) / binary_kappa(m, m.sqrt(m.number(norm_square)) * r) - 1)


def two_is_binary(norm_square: int = 2, times: int = 2) -> bool:
    """lambda_1 = 2 p (1 - p) at logits (u, -u), where 2 u = sqrt(2) |z|, and 1/(p (1 - p)) = 2 + e^2 + 1/e^2, e = exp(u).

    grad mu = p (1 - p) (1, -1)^T (1, -1), and cosh increases, so that kappa is at the longest logits.
    """
    e, s, v = unknowns("e", "s", "v")
    p, q = law_of([e, 1 / e])
    eigenvalue = variance([p, q], [1, -1]) / 2
    small, large = 1 + v, (1 + v) * (1 + s)
    rises = nonnegative(large + 1 / large - small - 1 / small)
    return rises and range_below_norm() and norm_square == 2 and times / eigenvalue == 2 + e**2 + 1 / e**2
