"""Introduction, related work: kappa, Eq. (1), beside kappa of the binary problem and of earlier work."""

import math
from fractions import Fraction

from mnlbandits.instances.instance import kappa_once
from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import All, Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.constants import binary_kappa, pair_curvature
from mnlbandits.ledger.formulas.frameworks import inverse_curvature
from mnlbandits.ledger.formulas.kappa_tilde import (
    kappa_at_two,
    truncated_curvature,
    two_is_binary,
)
from mnlbandits.ledger.formulas.learning import cauchy_schwarz
from mnlbandits.ledger.formulas.orders import rows_of
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Box, column, vectors_box
from mnlbandits.ledger.shared import tilde_between

ACTIONS = ((1.0, 0.0), (0.3, -0.4), (-0.6, 0.7))
"""Three actions, the first of them the longest, of norm 1."""

DEFINED = ({"K": 2, "d": 1, "S": Fraction(2)}, {"K": 4, "d": 1, "S": Fraction(1, 2)}, {"K": 3, "d": 2, "S": Fraction(1, 2)})
"""Sizes at which kappa is computed."""


def kappa_reached(m: Arithmetic, K: int, d: int, S: Fraction, longest: Fraction | int = 1, **point: Number) -> Number:
    """1/lambda_{K-1}(grad mu(theta x)) of the worst of three actions over kappa, computed for an X of `longest`.

    theta over S is cut to the unit ball of the spectral norm, which holds that of the Frobenius norm.
    """
    columns = m.array(rows_of(column(point, "t"), d))
    norm = m.maximum(m.sqrt(m.maximum(m.eigenvalues(columns.T @ columns)[-1], m.number(0))), m.number(1))
    theta = [[entry * m.number(S) / norm for entry in row] for row in columns.tolist()]
    logits = [[dot(row, x[:d]) for row in theta] for x in ACTIONS]
    return m.maximum(*(inverse_curvature(m, z) for z in logits)) / kappa_once(K, float(S * longest)).upper


def kappa_attained(m: Arithmetic, K: int, d: int, S: Fraction, angle: Number, longest: Fraction | int = 1) -> Number:
    """Relative difference of kappa from 1/lambda_{K-1}(grad mu(theta x)), theta = z x^T, or of ||theta|| from S, if larger.

    x has norm 1 and is at this angle to e_1, z is where the curvature is least among the logits of norm S `longest`.
    """
    certified = kappa_once(K, float(S * longest))
    x = [m.cos(angle), m.sin(angle)][:d] if d > 1 else [m.number(1)]
    theta = [[m.number(entry) * part for part in x] for entry in certified.logits]
    found = inverse_curvature(m, [dot(row, x) for row in theta])
    size = m.sqrt(sum(dot(row, row) for row in theta))
    return m.maximum(abs(found / certified.value - 1), abs(size / m.number(S) - 1))


def theta_box(K: int, d: int, S: Fraction) -> Box:
    """theta over S."""
    del S
    return vectors_box(t=(K * d, 1.0))


def same_logits(longest: Fraction | int = 1) -> bool:
    """Whether the logits that theta x takes, ||theta|| <= S and x in X, are those of norm at most S X.

    ||theta x|| <= S ||x||, in the Frobenius norm row by row; and z = theta x for theta = z x^T/||x||^2, whose rows have norm
    |z_k|/||x||, as has its spectral norm, ||z x^T y|| <= ||z|| ||x|| ||y||. Two coordinates stand for the plane of both vectors.
    """
    z, a, b = unknowns("z", "a", "b")
    square = a**2 + b**2
    row = [z * a / square, z * b / square]
    return cauchy_schwarz() and row[0] * a + row[1] * b == z and dot(row, row) == z**2 / square and longest == 1


SAME_LOGITS = Exactly(
    same_logits,
    r"$\{\theta x : \lVert\theta\rVert \le S, x \in \mathcal X\}$ is the ball of radius $S \max_{\mathcal X} \lVert x \rVert$: $\lVert\theta x\rVert \le \lVert\theta\rVert \lVert x \rVert$, and $\theta = z x^\top/\lVert x \rVert^2$ of the longest $x$, of rank one, whose Frobenius and spectral norms are $\lVert z \rVert/\lVert x \rVert$, takes $x$ to $z$",
)

C008 = claim(
    "C008",
    Statement(
        place="Introduction, Eq. (1)",
        lines=(169, 173),
        kind="definition",
        prints=r"$\kappa^{-1} := \min_{\lVert\theta\rVert_2 \le S} \min_{x \in \mathcal X} \lambda_{K-1}(\nabla\mu(\theta x))$.",
        reading=r"It depends on $\mathcal X$ by the longest action only, and is the same for the Frobenius and for the spectral norm.",
        labels=("eq:kappa",),
    ),
    All(
        (
            Inequality(
                kappa_reached,
                theta_box,
                DEFINED,
                share=0.4,
                note=r"over the certified upper value of $\kappa$, of relative gap $2 \cdot 10^{-10}$",
                proof=SAME_LOGITS,
            ),
            Equality(kappa_attained, {"angle": (0.0, math.pi)}, DEFINED, proof=SAME_LOGITS),
        )
    ),
    domain=r"every $K$, $d$, $S$ and $\mathcal X$ that has a longest action; searched over the spectral norm at $(K, d, SX) = (2, 1, 2), (4, 1, 0.5), (3, 2, 0.5)$, three actions, against $\kappa$ by branch and bound.",
    planted={"longest": Fraction(4, 5)},
    ours=True,
    module=__name__,
)


# The binary kappa and kappa-tilde beside it


C008b = claim(
    "C008b",
    Statement(
        place="Introduction, before Eq. (1)",
        lines=(169, 169),
        kind="text",
        prints=r"$\kappa$ is a generalization of the binary setting constant defined as follows: Eq. (1).",
        hypotheses=r"the binary setting constant $1/\min_{\lVert\theta\rVert_2 \le S} \min_{x \in \mathcal X} \mu'(\theta x)$, line 166.",
        reading=r"Generalization is read as equality: at $K = 2$ Eq. (1) is that constant, for the same $S$ and $\mathcal X$, as $\kappa_*$ is (C001b). As a constant of the same kind, exponential in $SX$, it is one (C025).",
        labels=("eq:kappa",),
    ),
    Correction(
        "rate",
        Equality(
            kappa_at_two,
            {"r": (0.01, 300.0)},
            examples=({"r": 0.0}, {"r": 3.0}),
            note=r"at $SX = 0$, $2$ against $4$; the quotient is $0.62, 1.62, 3.92, 13.7$ at $SX = 1, 3, 5, 8$ and grows for ever, as $\theta_1 - \theta_2$ may have norm $\sqrt 2 S$",
        ),
        Equality(
            kappa_at_two,
            {"r": (0.01, 300.0)},
            fixed={"norm_square": 2, "times": 2},
            proof=Exactly(
                two_is_binary,
                r"$\lambda_1 = 2 \mu_1 \mu_2$ and $z_1 - z_2$ takes the values of at most $\sqrt 2 SX$: $\kappa = 1 + \cosh(\sqrt 2 SX)$, the binary constant is $2 + 2\cosh(SX)$",
            ),
        ),
        r"at $K = 2$ it is half the binary constant at $\sqrt 2 S$, the largest norm of $\theta_1 - \theta_2$; at the same $S$ it grows like the power $\sqrt 2$ of that constant",
    ),
    domain=r"$K = 2$, every $SX$; searched in $[0.01, 300]$.",
    planted={"mended_norm_square": 1, "mended_times": 1},
    module=__name__,
)


def tilde_apart(m: Arithmetic, K: int, r: Number, constant: int = 4) -> Number:
    """The larger of kappa/kappa-tilde and its inverse over a constant, at S X = r; r = 0 or K = 2, where both are known."""
    if K == 2:
        ratio = 1 / pair_curvature(m, K, r) / binary_kappa(m, r)
    else:
        z = [0 * r] * K
        ratio = truncated_curvature(m, z) * inverse_curvature(m, z)
    return m.maximum(ratio, 1 / ratio) / constant


TILDE_AT = ({"K": 8, "r": 0.0}, {"K": 2, "r": 12.0})
"""Where they are far apart: by K, and by S."""

C009 = claim(
    "C009",
    Statement(
        place="Introduction, footnote; Section 2; Appendix D",
        lines=(169, 169),
        kind="text",
        prints=r"The constant $\kappa$ is originally defined slightly differently in Amani and Thrampoulidis (2021) but the definitions are equivalent up to constant factors.",
        reading=r"Constant factors are the universal constants of Section 2, which depend neither on $K$ nor on $S$: at most $4$ here. $\tilde\kappa$ has $\lambda_{\min}$ of $\nabla\mu$ without its last row and column for $\lambda_{K-1}(\nabla\mu)$, and the last row of $\theta$ is $0$, Appendix D, with the same bound $S$ on its norm.",
    ),
    Correction(
        "rate",
        Inequality(
            tilde_apart,
            cases=TILDE_AT,
            examples=TILDE_AT,
            note=r"at $S = 0$, $\kappa = K$ and $\tilde\kappa = K^2$; at $K = 2$, $\kappa = 1 + \cosh(\sqrt 2 SX)$ and $\tilde\kappa = 2 + 2\cosh(SX)$, whose quotient is $72$ at $SX = 12$ and grows for ever",
        ),
        tilde_between,
        r"for $K \ge 3$ they are equivalent at the same $S$ up to a factor that depends on $K$ only: $\tilde\kappa/K \le \kappa \le (K - 1) \tilde\kappa$, the first with equality at $S = 0$; at $K = 2$, $\tilde\kappa(\sqrt 2 S) = 2 \kappa(S)$ (at the same $S$, $\tilde\kappa \le 2\kappa$, and $\kappa$ grows like the power $\sqrt 2$ of $\tilde\kappa$)",
    ),
    domain=r"printed: $K = 8$ at $S = 0$, $K = 2$ at $SX = 12$, a factor of $4$ allowed; as corrected every $K$ and $SX \ge 0$: the first bound at every $z$, searched at $K = 2, 3, 4, 5$, $z \in [-5, 5]^K$, the second searched at $K = 3, 4, 10, 10^{11}$, $SX \in [0, 300]$.",
    planted={"constant": 100, "mended_power": 0, "mended_others": 0, "mended_norm_square": 1},
    module=__name__,
)
