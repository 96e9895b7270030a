"""Vectors and quadratic forms over any numbers."""

from collections.abc import Iterable, Sequence

from mnlbandits.ledger.arithmetic import Arithmetic, Number


def dot(u: Iterable[Number], v: Iterable[Number]) -> Number:
    """u^T v."""
    return sum(a * b for a, b in zip(u, v, strict=True))


def centred(v: Sequence[Number]) -> list[Number]:
    """v minus its mean: Pi v."""
    mean = sum(v) / len(v)
    return [entry - mean for entry in v]


def scaled(m: Arithmetic, v: Sequence[Number], length: Number) -> list[Number]:
    """v with Euclidean norm `length`; the zero vector stays."""
    norm = m.norm(v)
    return [entry * length / norm for entry in v] if norm > 0 else list(v)


def variance(p: Sequence[Number], u: Sequence[Number]) -> Number:
    """u^T (diag(p) - p p^T) u, for probabilities p."""
    mean = dot(p, u)
    return sum(weight * (entry - mean) ** 2 for weight, entry in zip(p, u, strict=True))


def over(left: Number, right: Number) -> Number:
    """left/right, 0 where the right side is 0 to rounding."""
    return left / right if right > 1e-280 else 0 * left
