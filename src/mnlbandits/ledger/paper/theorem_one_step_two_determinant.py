"""Appendix F.3, proof of Theorem 1, Step 2: the determinant of the potential U_T."""

import numpy as np

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.estimates import identity
from mnlbandits.ledger.formulas.orders import vectors
from mnlbandits.ledger.formulas.potentials import tangents_cancel
from mnlbandits.ledger.search import Box, column, vectors_box


def determinant_of_potential(m: Arithmetic, K: int, d: int, share: Number, numerator: int = 1, outcomes: int = 1) -> Number:
    """log(|U_T|/|U_0|) over K d log(1 + numerator T/(K^outcomes d lambda kappa)), d arms in turn, T = lambda kappa 10^share."""
    rounds = 10**share
    return m.log1p(2 * rounds / d) / m.log1p(numerator * rounds / (K**outcomes * d))


def determinant_by_trace(m: Arithmetic, d: int, count: int, ridge: Number, numerator: int = 2, **point: Number) -> Number:
    """The same over K d log(1 + numerator T/(d lambda kappa)), T = `count` arms anywhere, lambda kappa = 10^ridge."""
    total, scale = identity(m, d), 10**ridge
    for x in vectors(m, column(point, "x"), d):
        total = total + 2 * np.outer(m.array(x), m.array(x)) / scale
    return m.log(m.determinant(total)) / (d * m.log1p(numerator * count / (d * scale)))


def arms_and_ridge_box(d: int, count: int) -> Box:
    """The coordinates of `determinant_by_trace`."""
    return vectors_box(x=(d * count, 1.0)) | {"ridge": (0.0, 6.0)}


def mean_above_root(numerator: int = 2) -> bool:
    """Tangents of log at the mean 1 + 2 sum |x|^2/(d lambda kappa) of the eigenvalues, at most 1 + numerator T/(d lambda kappa)."""
    inside, short, d, scale = unknowns("inside", "short", "d", "scale")
    mean = 1 + 2 * inside / (d * scale)
    return tangents_cancel() and nonnegative(1 + numerator * (inside + short) / (d * scale) - mean)


C145 = claim(
    "C145",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 2, last line (Lemma det_trace)",
        lines=(994, 995),
        kind="step",
        prints=r"$\log(|U_T|/|U_0|) \le K d \log(1 + T/(K d \lambda \kappa))$, $U_t = \sum_{s \le t} \tfrac1\kappa I_K \otimes x_s x_s^\top + \tfrac\lambda2 I_{Kd}$.",
        hypotheses=r"$\lVert x_s \rVert_2 \le 1$.",
    ),
    Correction(
        "rate",
        Inequality(
            determinant_of_potential,
            {"share": (-9.0, 12.0)},
            cases=[{"K": K, "d": d} for K in (2, 3, 10) for d in (1, 2)],
            examples=[{"K": 2, "d": 1, "share": 0.0}],
            share=0.1,
            note=r"beyond $\tau$ as well: with $K = 2$ $1.09$ at $T/(\lambda \kappa) = 10^7$",
        ),
        Inequality(
            determinant_by_trace,
            arms_and_ridge_box,
            cases=({"d": 1, "count": 1}, {"d": 2, "count": 4}),
            share=0.25,
            proof=Exactly(
                mean_above_root,
                r"$|2 U_T/\lambda|$ is the $K$-th power of a determinant with eigenvalues $1 + a_i$, $\sum_{i \le d} \log\frac{1 + a_i}{1 + \bar a} \le \sum_{i \le d} (\frac{1 + a_i}{1 + \bar a} - 1) = 0$, and their mean is $1 + \frac{2}{d \lambda \kappa} \sum |x_s|^2 \le 1 + \frac{2 T}{d \lambda \kappa}$",
            ),
        ),
        r"$1 + 2 T/(d \lambda \kappa)$: the ridge of $U_0$ is $\lambda/2$, and a round adds $K/\kappa$ to the trace. Only the logarithm changes: it is at most $\log(1 + T)$ either way",
    ),
    domain=r"$K = 2..10$, $d = 1, 2$ orthonormal arms in turn, $T/(\lambda \kappa) = 10^{-9}..10^{12}$; corrected: all $K$, $d$, $T$, $\lambda \kappa > 0$ and arms in the ball, searched with $d = 1, 2$, $T = 1, 4$",
    planted={"numerator": 20, "mended_numerator": 1},
    module=__name__,
)
