"""Introduction, related work: kappa, Eq. (1), beside kappa of the binary problem and of earlier work."""

import math
from fractions import Fraction

from mnlbandits.instances.instance import kappa_once
from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import All, Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.constants import binary_kappa, pair_curvature
from mnlbandits.ledger.formulas.frameworks import centring_shortens, inverse_curvature, law_of
from mnlbandits.ledger.formulas.learning import cauchy_schwarz, range_below_norm
from mnlbandits.ledger.formulas.orders import rows_of
from mnlbandits.ledger.formulas.softmax import softmax_jacobian
from mnlbandits.ledger.formulas.vectors import centred, dot, variance
from mnlbandits.ledger.search import Box, column, vectors_box

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
                share=0.4,
                note=r"over the certified upper value of $\kappa$, of relative gap $5 \cdot 10^{-4}$",
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


def kappa_at_two(m: Arithmetic, r: Number, norm_square: int = 1, times: int = 1) -> Number:
    """`times` kappa of Eq. (1) at K = 2 over the binary kappa at sqrt(norm_square) S, minus 1."""
    return abs(times / pair_curvature(m, 2, r) / binary_kappa(m, m.sqrt(m.number(norm_square)) * r) - 1)


def two_is_binary(norm_square: int = 1, times: int = 1) -> bool:
    """lambda_1 = 2 p (1 - p) at logits (u, -u) and 1/(p (1 - p)) = 2 + e^2 + 1/e^2, e = exp(u): |z|^2 = 2 u^2, so 2 u = sqrt(2) |z|.

    grad mu = p (1 - p) (1, -1)^T (1, -1), and cosh increases, so that kappa is at the longest logits.
    """
    e, s, v = unknowns("e", "s", "v")
    p, q = law_of([e, 1 / e])
    eigenvalue = variance([p, q], [1, -1]) / 2
    small, large = 1 + v, (1 + v) * (1 + s)
    rises = nonnegative(large + 1 / large - small - 1 / small)
    return rises and range_below_norm() and norm_square == 2 and times / eigenvalue == 2 + e**2 + 1 / e**2


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


def truncated_curvature(m: Arithmetic, z: list[Number]) -> Number:
    """lambda_min of grad mu(z) without its last row and column, which is 1/kappa-tilde at its minimum."""
    return m.eigenvalues(softmax_jacobian(m, z)[:-1, :-1])[0]


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


def tilde_equivalent(m: Arithmetic, K: int, outcomes_power: int = 1, norm_square: int = 2, **point: Number) -> Number:
    """The largest of three quotients that are at most 1, at logits z.

    The truncated inverse eigenvalue over K^outcomes_power times the other, which is centred; the latter over the former where
    the entry of least size is the last; and the norm squared, that entry subtracted, over norm_square |z|^2, 1 added to both.
    """
    z = sorted(centred(column(point, "z")), key=abs, reverse=True)
    away = [entry - z[-1] for entry in z]
    whole, cut = inverse_curvature(m, z), 1 / truncated_curvature(m, z)
    norms = (1 + dot(away, away)) / (1 + norm_square * dot(z, z))
    return m.maximum(cut / (whole * K**outcomes_power), whole / cut, norms)


def tilde_between(outcomes_power: int = 1, norm_square: int = 2) -> bool:
    """For v in R^K and w = (v_i - v_K)_{i < K}: v^T grad mu v = w^T (grad mu)' w, and sum v = 0 gives |w|^2 = |v|^2 + K v_K^2.

    A centred (w, 0) has norm squared |w|^2 - s^2/K >= |w|^2/K^outcomes_power. First and second moments under mu, and plain
    sums s and squares q, stand for vectors of any length: `spread` = (K - 1) q - s^2 >= 0 for the K - 1 entries of w. The
    same identity for logits, of which the last is the least in size, K z_K^2 = |z|^2 - `rest` gives at most 2 |z|^2.
    """
    first, second, c, v, q, last, s_square, spread, n, rest = unknowns(
        "first", "second", "c", "v", "q", "last", "s_square", "spread", "n", "rest"
    )
    term = (v - c) ** 2 == v**2 - 2 * c * v + c**2
    shifted = term and second - 2 * c * first + c**2 - (first - c) ** 2 == second - first**2 and centring_shortens()
    K, total = n + 2, 0
    longer = nonnegative(q - 2 * last * total + K * last**2 - q)
    squares = (s_square + spread) / (K - 1)
    least = K * last**2 + rest
    moved = nonnegative(norm_square * least - (least - 2 * last * total + K * last**2))
    return shifted and longer and moved and nonnegative(squares - s_square / K - squares / K**outcomes_power)


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
        Inequality(
            tilde_equivalent,
            lambda K: vectors_box(z=(K, 5.0)),
            ({"K": 2}, {"K": 3}, {"K": 4}),
            proof=Exactly(
                tilde_between,
                r"$v^\top \nabla\mu\, v = w^\top (\nabla\mu)' w$ for $w = (v_i - v_K)_{i < K}$, as $\nabla\mu\, 1 = 0$; $\lVert w \rVert \ge \lVert v \rVert$ for $v \perp 1$, and $\lVert v \rVert^2 \ge \lVert w \rVert^2/K$ for the centred $v$; logits with last entry $0$ are among those of norm $SX$, and centred ones, the smallest in size put last and subtracted, have norm at most $\sqrt 2 SX$",
            ),
        ),
        r"$\tilde\kappa(S) \le K \kappa(S)$, with equality at $S = 0$, and $\kappa(S) \le \tilde\kappa(\sqrt 2 S)$, so comparable for fixed $K$ up to a factor $\sqrt 2$ in $S$",
    ),
    domain=r"printed: $K = 8$ at $S = 0$, $K = 2$ at $SX = 12$, a factor of $4$ allowed; as corrected every $K$ and $S$, by the eigenvalues at every $z$, searched at $K = 2, 3, 4$, $z \in [-5, 5]^K$.",
    planted={"constant": 100, "mended_outcomes_power": 0, "mended_norm_square": 1},
    module=__name__,
)
