"""Introduction, related work: the constants of the binary problem, kappa, and kappa of earlier work."""

import math
from fractions import Fraction

from mnlbandits.instances.instance import kappa_once
from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import All, Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.constants import binary_kappa
from mnlbandits.ledger.formulas.frameworks import centring_shortens, inverse_curvature
from mnlbandits.ledger.formulas.learning import cauchy_schwarz
from mnlbandits.ledger.formulas.orders import rows_of
from mnlbandits.ledger.formulas.softmax import softmax_jacobian
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Box, column, vectors_box

RADIUS = {"r": (0.01, 300.0)}
"""S X of the binary problem."""


# The binary problem


def exponential_over_kappa(m: Arithmetic, r: Number, rate: int = 1) -> Number:
    """exp(rate S X) over kappa."""
    return m.exp(rate * r) / binary_kappa(m, r)


def kappa_above_exponential(rate: int = 1) -> bool:
    """2 + e + 1/e - e^rate, e = exp(S X), has no negative coefficient."""
    (e,) = unknowns("e")
    return nonnegative(2 + e + 1 / e - e**rate)


C006 = claim(
    "C006",
    Statement(
        place="Introduction, related work",
        lines=(166, 166),
        kind="text",
        prints=r"Notably, $\kappa$ may be exponentially large in $S$ and the diameter of $\mathcal X$.",
        hypotheses=r"$K = 2$, $\kappa := 1/\min_{\lVert\theta\rVert_2 \le S} \min_{x \in \mathcal X} \mu'(\theta x)$, $\mu$ the sigmoid function.",
        reading=r"$e^{SX} \le \kappa$, $X$ the largest norm of an action.",
    ),
    Inequality(
        exponential_over_kappa,
        RADIUS,
        note=r"$\kappa = 2 + 2\cosh(SX)$; a single action of norm $X$ has diameter $0$ and the same $\kappa$, so the diameter of $\mathcal X$ matters for sets symmetric about $0$",
        proof=Exactly(
            kappa_above_exponential,
            r"$\kappa \ge 1/\mu'(SX)$ by $\theta$ along the longest action, and that is $2 + 2 \cosh(SX) = 2 + e^{SX} + e^{-SX}$",
        ),
    ),
    domain=r"every $SX > 0$; searched in $[0.01, 300]$.",
    planted={"rate": 2},
    module=__name__,
)


def favourable_star(m: Arithmetic, r: Number, alignment: str = "1") -> Number:
    """kappa/kappa_* - 1 where theta_* x_* = alignment S X, kappa the largest of 1/mu' over a grid of |theta x| <= S X."""
    grid = [binary_kappa(m, r * share / 10) for share in range(-10, 11)]
    return abs(m.maximum(*grid) / binary_kappa(m, m.number(alignment) * r) - 1)


def favourable_exactly(alignment: str = "1") -> bool:
    """cosh(v + s) - cosh(v) has no negative coefficient in e^s - 1 and e^v - 1, so that kappa = 2 + 2 cosh(S X)."""
    s, v = unknowns("s", "v")
    small, large = 1 + v, (1 + v) * (1 + s)
    return alignment == "1" and nonnegative(large + 1 / large - small - 1 / small)


C007 = claim(
    "C007",
    Statement(
        place="Introduction, related work",
        lines=(167, 167),
        kind="text",
        prints=r"In the most favorable cases, we have $\kappa_* \approx \kappa$.",
        hypotheses=r"$K = 2$, $\kappa_* := 1/\mu'(\theta_* x_*)$, $\mu$ the sigmoid function.",
        reading=r"They are equal if $\lVert\theta_*\rVert = S$ and $x_*$ is the longest action, parallel to $\theta_*$.",
    ),
    Equality(
        favourable_star,
        RADIUS,
        proof=Exactly(
            favourable_exactly, r"$\cosh$ increases with $|\theta x|$, so that $\kappa = 2 + 2 \cosh(SX) = \kappa_*$"
        ),
    ),
    domain=r"every $SX > 0$; searched in $[0.01, 300]$.",
    planted={"alignment": "0.9"},
    module=__name__,
)


# kappa, Eq. (1)

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
    return m.maximum(abs(found / certified.lower - 1), abs(size / m.number(S) - 1))


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
                note=r"over the certified upper value of $\kappa$, of relative gap $5 \cdot 10^{-4}$",
                proof=SAME_LOGITS,
            ),
            Equality(kappa_attained, {"angle": (0.0, math.pi)}, DEFINED, proof=SAME_LOGITS),
        )
    ),
    domain=r"every $K$, $d$, $S$ and $\mathcal X$ that has a longest action; searched over the spectral norm at $(K, d, SX) = (2, 1, 2), (4, 1, 0.5), (3, 2, 0.5)$, three actions, against $\kappa$ by branch and bound.",
    planted={"longest": Fraction(4, 5)},
    module=__name__,
)


# kappa-tilde of earlier work


def truncated_curvature(m: Arithmetic, z: list[Number]) -> Number:
    """lambda_min of grad mu(z) without its last row and column, which is 1/kappa-tilde at its minimum."""
    return m.eigenvalues(softmax_jacobian(m, z)[:-1, :-1])[0]


def tilde_at_zero(m: Arithmetic, K: int, constant: int = 4) -> Number:
    """kappa-tilde/kappa at S = 0, over a constant."""
    z = [m.number(0)] * K
    return 1 / inverse_curvature(m, z) / truncated_curvature(m, z) / constant


def tilde_equivalent(m: Arithmetic, K: int, outcomes_power: int = 1, **point: Number) -> Number:
    """The larger of the ratio of the two eigenvalues over K^outcomes_power and of its inverse."""
    z = column(point, "z")
    ratio = 1 / inverse_curvature(m, z) / truncated_curvature(m, z)
    return m.maximum(ratio / K**outcomes_power, 1 / ratio)


def tilde_between(outcomes_power: int = 1) -> bool:
    """For v in R^K and w = (v_i - v_K)_{i < K}: v^T grad mu v = w^T (grad mu)' w, and sum v = 0 gives |w|^2 = |v|^2 + K v_K^2.

    A centred (w, 0) has norm squared |w|^2 - s^2/K >= |w|^2/K^outcomes_power. First and second moments under mu, and plain
    sums s and squares q, stand for vectors of any length: `spread` = (K - 1) q - s^2 >= 0 for the K - 1 entries of w.
    """
    first, second, c, v, q, last, s_square, spread, n = unknowns(
        "first", "second", "c", "v", "q", "last", "s_square", "spread", "n"
    )
    term = (v - c) ** 2 == v**2 - 2 * c * v + c**2
    shifted = term and second - 2 * c * first + c**2 - (first - c) ** 2 == second - first**2 and centring_shortens()
    K, total = n + 2, 0
    longer = nonnegative(q - 2 * last * total + K * last**2 - q)
    squares = (s_square + spread) / (K - 1)
    return shifted and longer and nonnegative(squares - s_square / K - squares / K**outcomes_power)


C009 = claim(
    "C009",
    Statement(
        place="Introduction, footnote; Section 2; Appendix D",
        lines=(169, 169),
        kind="text",
        prints=r"The constant $\kappa$ is originally defined slightly differently in Amani and Thrampoulidis (2021) but the definitions are equivalent up to constant factors.",
        reading=r"Constant factors are the universal constants of Section 2, which do not depend on $K$: at most $4$ here. $\tilde\kappa$ has $\lambda_{\min}$ of $\nabla\mu$ without its last row and column for $\lambda_{K-1}(\nabla\mu)$, Appendix D, at the same parameters.",
    ),
    Correction(
        "rate",
        Inequality(
            tilde_at_zero,
            cases=({"K": 2}, {"K": 4}, {"K": 8}),
            examples=({"K": 2}, {"K": 4}, {"K": 8}),
            note=r"at $S = 0$, $\kappa = K$ and $\tilde\kappa = K^2$",
        ),
        Inequality(
            tilde_equivalent,
            lambda K: vectors_box(z=(K, 5.0)),
            ({"K": 2}, {"K": 3}, {"K": 4}),
            proof=Exactly(
                tilde_between,
                r"$v^\top \nabla\mu\, v = w^\top (\nabla\mu)' w$ for $w = (v_i - v_K)_{i < K}$, as $\nabla\mu\, 1 = 0$; $\lVert w \rVert \ge \lVert v \rVert$ for $v \perp 1$, and $\lVert v \rVert^2 \ge \lVert w \rVert^2/K$ for the centred $v$",
            ),
        ),
        r"for the same parameters $\kappa \le \tilde\kappa \le K \kappa$, $K$ attained, so equivalent for fixed $K$",
    ),
    domain=r"$z = 0$, $K = 2, 4, 8$, a factor of $4$ allowed; as corrected every $K$ and $z$, the eigenvalues at one $\theta x$, searched at $K = 2, 3, 4$, $z \in [-5, 5]^K$.",
    planted={"constant": 8, "mended_outcomes_power": 0},
    module=__name__,
)
