"""Designs A, of which V = I_K (x) A: scores x^T A^-1 x, the picks of Algorithm 1 and the elliptical potential.

Identities about A, x and one more vector are decided in coordinates in which A = I and a plane holds both: for every d.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import RATIONALS, unknowns
from mnlbandits.ledger.formulas.estimates import identity


def design_score(a: Number, b: Number, c: Number, x: Sequence[Number]) -> Number:
    """x^T A^-1 x for A = ((a, b), (b, c))."""
    return (c * x[0] ** 2 - 2 * b * x[0] * x[1] + a * x[1] ** 2) / (a * c - b * b)


def with_arm(a: Number, b: Number, c: Number, x: Sequence[Number]) -> tuple[Number, Number, Number]:
    """The entries of A + x x^T for A = ((a, b), (b, c))."""
    return a + x[0] ** 2, b + x[0] * x[1], c + x[1] ** 2


def scores_decrease() -> bool:
    """x^T A^-1 x - x^T (A + y y^T)^-1 x = (x^T A^-1 y)^2/(1 + y^T A^-1 y), Sherman and Morrison: it is never negative."""
    x0, x1, y0, y1 = unknowns("x0", "x1", "y0", "y1")
    gain = x0**2 + x1**2 - design_score(*with_arm(1, 0, 1, (y0, y1)), (x0, x1))
    return gain == (x0 * y0 + x1 * y1) ** 2 / (1 + y0**2 + y1**2)


def determinant_grows() -> bool:
    """|A + x x^T| = |A| (1 + x^T A^-1 x)."""
    x0, x1 = unknowns("x0", "x1")
    a, b, c = with_arm(1, 0, 1, (x0, x1))
    return a * c - b * b == 1 + x0**2 + x1**2


def one_over_log(m: Arithmetic, q: Number, near: bool, constant: Fraction | int) -> Number:
    """q/(constant log(1 + q)); near 0, where it is 0/0, the ratio of the two sides' derivatives, which bounds it there."""
    return (1 + q) / constant if near else q / (constant * m.log(1 + q))


def score_norms(power: int = 1) -> bool:
    """(I_K (x) x)^T V^-1 (I_K (x) x) = x^T A^-1 x I_K, for K = 3, d = 2 and unknown A, x; V + I_K (x) x x^T/kappa likewise.

    Its spectral norm is then x^T A^-1 x and its trace, the square of the Frobenius norm, K times that.
    """
    a, b, c, x0, x1, kappa = unknowns("a", "b", "c", "x0", "x1", "kappa")
    x, eye = np.array([x0, x1], dtype=object), identity(RATIONALS, 3)
    design, adjugate = np.array([[a, b], [b, c]], dtype=object), np.array([[c, -b], [-b, a]], dtype=object)
    tall, score = np.kron(eye, x[:, None]), design_score(a, b, c, (x0, x1))
    inverse = np.kron(eye, adjugate / (a * c - b * b))
    block = tall.T @ inverse @ tall
    step = np.kron(eye, design) + np.kron(eye, np.outer(x, x)) / kappa**power
    return all(
        left == right
        for left, right in [
            *zip((np.kron(eye, design) @ inverse).ravel(), identity(RATIONALS, 6).ravel(), strict=True),
            *zip(block.ravel(), (eye * score).ravel(), strict=True),
            *zip(step.ravel(), np.kron(eye, design + np.outer(x, x) / kappa).ravel(), strict=True),
        ]
    )
