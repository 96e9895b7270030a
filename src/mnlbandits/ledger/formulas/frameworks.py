"""The model in rational functions of weights exp(z_k), its Fisher information, and the two neighbouring frameworks."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import Quotient, nonnegative, unknowns
from mnlbandits.ledger.formulas.softmax import jacobian_of, softmax
from mnlbandits.ledger.formulas.vectors import dot, variance


def unknown_vectors(**lengths: int) -> list[list[Quotient]]:
    """Vectors of independent unknowns, called like the keywords and as long as they say; the first come first."""
    names = [f"{name}{i}" for name, length in lengths.items() for i in range(length)]
    found = iter(unknowns(*names))
    return [[next(found) for _ in range(length)] for length in lengths.values()]


def law_of(weights: Sequence[Number]) -> list[Number]:
    """mu(z) of the weights exp(z_k)."""
    return [weight / sum(weights) for weight in weights]


def along_logit(function: Quotient, weights: Sequence[Quotient], place: int) -> Quotient:
    """The derivative in z_k of a function of the weights exp(z_k), which are the first unknowns."""
    return weights[place] * function.derivative(place)


def centring(m: Arithmetic, size: int) -> NDArray:
    """Pi = I - 1 1^T/K, the projection on the hyperplane 1^perp, Section 2."""
    return m.array([[m.number(Fraction(int(i == j) * size - 1, size)) for j in range(size)] for i in range(size)])


def projected(z: Sequence[Number], uneven: int = 0) -> list[Number]:
    """Pi z; `uneven` subtracts another multiple of the mean from every entry."""
    mean = sum(z) / len(z)
    return [entry - (1 + uneven * k) * mean for k, entry in enumerate(z)]


def fisher_of(m: Arithmetic, p: Sequence[Number]) -> NDArray:
    """E[(Y - mu)(Y - mu)^T] of a one-hot Y with law mu, summed over the outcomes, Appendix C."""
    total = 0
    for y, weight in enumerate(p):
        off = m.array([int(k == y) - entry for k, entry in enumerate(p)])
        total = total + np.outer(off, off) * weight
    return total


def diagonal(m: Arithmetic, entries: Sequence[Number]) -> NDArray:
    """diag(v)."""
    return m.array([[entry if i == j else 0 for j in range(len(entries))] for i, entry in enumerate(entries)])


def pseudo_inverse(m: Arithmetic, p: Sequence[Number]) -> NDArray:
    """(diag(mu) - mu mu^T)^+ = Pi diag(1/mu) Pi; its largest eigenvalue is 1/lambda_{K-1}(grad mu)."""
    pi = centring(m, len(p))
    return pi @ diagonal(m, [1 / entry for entry in p]) @ pi


def pseudo_inverse_exactly() -> bool:
    """J diag(1/mu) = I - mu 1^T, by its two kinds of entries, for every K.

    As 1^T Pi = 0 and J 1 = 0, hence J Pi = J, J J^+ = J diag(1/mu) Pi = (I - mu 1^T) Pi = Pi, which is symmetric, and
    Pi J = J, Pi J^+ = J^+. These are the conditions of Penrose.
    """
    own, other, rest = unknowns("e", "f", "s")
    p, q, others = law_of([own, other, rest])
    return p * (q + others) / p == 1 - p and -p * q / q == -p and p * (q + others) - p * q - p * others == 0


def cramer_rao(m: Arithmetic, p: Sequence[Number], rewards: Sequence[Number]) -> Number:
    """CRLB = grad Gamma^T I^+ grad Gamma for Gamma = rho^T mu, Appendix C."""
    gradient = jacobian_of(m, p) @ m.array(rewards)
    return gradient @ pseudo_inverse(m, p) @ gradient


def inverse_curvature(m: Arithmetic, z: Sequence[Number]) -> Number:
    """1/lambda_{K-1}(grad mu(z)), to full relative accuracy at logits of any size."""
    return m.eigenvalues(pseudo_inverse(m, softmax(m, z)))[-1]


def shift_keeps_law(uneven: int = 0) -> bool:
    """mu(z + c 1) = mu(z) for every K: one outcome of weight e, the others together of weight s."""
    weight, rest, factor = unknowns("e", "s", "c")
    moved = law_of([factor ** (1 + uneven) * weight, factor * rest])
    return moved[0] == law_of([weight, rest])[0]


def centring_shortens(uneven: int = 0) -> bool:
    """|z|^2 - |Pi z|^2 = (sum_k z_k)^2/K: directly at K = 2, ..., 5, and for every K from the sums of z_k and of z_k^2."""
    for size in range(2, 6):
        (entries,) = unknown_vectors(z=size)
        ours = projected(entries, uneven)
        if dot(entries, entries) - dot(ours, ours) != sum(entries) ** 2 / size:
            return False
    z, mean, K, total, squares = unknowns("z", "mean", "K", "total", "squares")
    term = (z - mean) ** 2 == z**2 - 2 * mean * z + mean**2
    centre = total / K
    return term and squares - (squares - 2 * centre * total + K * centre**2) == total**2 / K


def second_at_least_smallest() -> bool:
    """lambda_{K-1}(grad mu) >= min_k mu_k: directly at K = 2, ..., 5, and for every K from sums of terms.

    u^T grad mu u = sum_k (mu_k - p) (u_k - c)^2 + p (|u|^2 + K c^2) for u with sum 0, c = mu^T u, p = min_k mu_k.
    """
    for K in range(2, 6):
        weights, first, (low,) = unknown_vectors(e=K, u=K - 1, p=1)
        p, u = law_of(weights), [*first, -sum(first)]
        mean = dot(p, u)
        excess = sum((weight - low) * (entry - mean) ** 2 for weight, entry in zip(p, u, strict=True))
        if variance(p, u) != excess + low * (dot(u, u) + K * mean**2):
            return False
    u, c, low, over, second, squares, K = unknowns("u", "c", "p", "over", "second", "squares", "K")
    square = (u - c) ** 2 == u**2 - 2 * c * u + c**2
    form = second - c**2 == second - 2 * c * c + c**2
    term = (low + over) * (u - c) ** 2 == over * (u - c) ** 2 + low * (u - c) ** 2
    return square and form and term and nonnegative(K * c**2 + squares - squares)


def reference_law(weights: Sequence[Number], base: int = 1) -> list[Number]:
    """The law of Appendix D of K - 1 weights: e_i/(1 + sum_k e_k) for i < K, and 1/(1 + sum_k e_k) for i = K."""
    total = base + sum(weights)
    return [weight / total for weight in [*weights, 1]]


def logit_law(weights: Sequence[Number], offered: Sequence[bool]) -> list[Number]:
    """The law of the Logit framework of a set of items, and of none of them at the end, Appendix E."""
    chosen = [weight * int(held) for weight, held in zip(weights, offered, strict=True)]
    return reference_law(chosen)
