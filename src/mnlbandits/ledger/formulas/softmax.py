"""The model: mu, its Jacobian and the sigmoid, which is mu for K = 2 and for one outcome against the rest."""

from collections.abc import Sequence

from numpy.typing import NDArray

from mnlbandits.ledger.arithmetic import Arithmetic, Number


def softmax(m: Arithmetic, z: Sequence[Number]) -> list[Number]:
    """mu(z), Section 2, as 1/sum_j exp(z_j - z_k): of balls, each logit stands once in a difference."""
    return [1 / sum(1 if j == k else m.exp(other - own) for j, other in enumerate(z)) for k, own in enumerate(z)]


def sigmoid(m: Arithmetic, u: Number) -> Number:
    """1/(1 + exp(-u))."""
    return 1 / (1 + m.exp(-u))


def slope(m: Arithmetic, u: Number) -> Number:
    """The derivative of the sigmoid at u, 1/(2 + 2 cosh u)."""
    return 1 / (2 + 2 * m.cosh(u))


def softmax_jacobian(m: Arithmetic, z: Sequence[Number]) -> NDArray:
    """grad mu(z) = diag(mu) - mu mu^T (K, K)."""
    return jacobian_of(m, softmax(m, z))


def jacobian_of(m: Arithmetic, p: Sequence[Number]) -> NDArray:
    """diag(p) - p p^T (K, K), of probabilities p; its diagonal is p_i sum_{j != i} p_j, without cancellation."""
    rows = [[a * sum(p[:i] + p[i + 1 :]) if i == j else -a * b for j, b in enumerate(p)] for i, a in enumerate(p)]
    return m.array(rows)


def curvature(m: Arithmetic, z: Sequence[Number]) -> Number:
    """lambda_{K-1}(grad mu(z)), the smallest eigenvalue but one."""
    return m.eigenvalues(softmax_jacobian(m, z))[1]


def binary_curvature(m: Arithmetic, size: Number) -> Number:
    """lambda_{K-1}(grad mu(theta x)) for K = 2 at ||theta x|| = size."""
    return 1 / (1 + m.cosh(m.sqrt(2) * size))
