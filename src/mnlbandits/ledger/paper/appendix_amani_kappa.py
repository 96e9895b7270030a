"""Appendix D: kappa-tilde, how large it is and how it compares with kappa."""

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Identities, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, all_of, universal
from mnlbandits.ledger.formulas.constants import binary_kappa, binary_kappa_at
from mnlbandits.ledger.formulas.frameworks import centring_shortens, inverse_curvature, law_of
from mnlbandits.ledger.formulas.softmax import softmax_jacobian
from mnlbandits.ledger.formulas.vectors import centred, dot, over
from mnlbandits.ledger.search import Box, Effort, column, vectors_box

SIZES_TILDE = [{"K": K} for K in (2, 3, 5)]

# kappa-tilde is large


def growth_of_tilde(m: Arithmetic, K: int, r: Number, rate: int = 1) -> Number:
    r"""$e^{rate SX}$ times $\mu_1(1 - \mu_1)$, the quotient at $e_1$ for logits $(-SX, 0, \dots, 0)$, $\ge 1/\tilde\kappa$; SX = r."""
    return (K - 1) * m.exp((rate - 1) * r) / (K - 1 + m.exp(-r)) ** 2


def growth_of_tilde_exactly(rate: int = 1) -> bool:
    """1/(mu_1 (1 - mu_1)) - q^rate, of weights 1/q and K - 1 ones, q = e^{SX} and K = 2 + more, has no negative coefficient."""
    q, more = unknowns("q", "more")
    low, others = law_of([1 / q, 1 + more])
    closed = low * others * q == (1 + more) / (1 + more + 1 / q) ** 2
    return closed and nonnegative(1 / (low * others) - q**rate)


C056b = claim(
    "C056b",
    Statement(
        place="Appendix D, kappa-tilde",
        lines=(781, 785),
        kind="text",
        prints=r"$\tilde\kappa := 1/\min_{x\in\mathcal{X}} \min_{\lVert\theta\rVert_2\le S} \lambda_{\min}(\mathrm{diag}(\tilde\mu(\theta x)) - \tilde\mu(\theta x)\tilde\mu(\theta x)^\top)$ is exponentially large with respect to $S$ and $X$.",
        reading=r"$\tilde\kappa \ge e^{SX}$, for the parameters with last row $0$; in the Frobenius, the spectral or the row norm.",
    ),
    Inequality(
        growth_of_tilde,
        {"r": (0.0, 30.0)},
        SIZES_TILDE,
        proof=Exactly(
            growth_of_tilde_exactly,
            r"at logits $(-SX, 0, \dots, 0)$ the quotient of $\mathrm{diag}(\tilde\mu) - \tilde\mu\tilde\mu^\top$ at $e_1$ is $\mu_1(1 - \mu_1) \le e^{-SX}$, so that $\tilde\kappa \ge e^{SX}$, for every $K$",
        ),
    ),
    domain=r"every $K$ and $SX \ge 0$; searched at $K = 2, 3, 5$, $SX \in [0, 30]$",
    planted={"rate": 2},
    module=__name__,
)


# kappa-tilde and kappa


def tilde_against(m: Arithmetic, r: Number, matching: int = 1) -> Number:
    r"""The larger of $\kappa/\tilde\kappa$ and its inverse at K = 2, $\tilde\kappa$ at $\sqrt{matching}$ times the S of $\kappa$."""
    kappa, tilde = binary_kappa_at(m, r), binary_kappa(m, m.sqrt(m.number(matching)) * r)
    return m.maximum(kappa / tilde, tilde / kappa)


def same_norms(effort: Effort, matching: int = 1) -> Finding:
    """Whether one factor does for all S X, at K = 2."""

    def needed(m: Arithmetic, r: Number) -> Number:
        return tilde_against(m, r, matching)

    del effort
    return universal(needed, [1.0, 3.0, 5.0, 8.0, 12.0, 20.0], "S X (at K = 2)")


def closed_forms() -> bool:
    """At K = 2, of odds w = exp(difference of logits): 1/kappa = 2 mu_1 mu_2 at (1, -1), 1/kappa-tilde = mu_1 (1 - mu_1).

    1/(mu_1 mu_2) = 2 + w + 1/w grows with w = 1 + s >= 1, to 1 + s + step, so that both are attained at the largest norm: the
    difference of logits is sqrt(2) SX there for kappa, SX for kappa-tilde, 1 + cosh and 2 + 2 cosh of which they are.
    """
    w, s, step = unknowns("w", "s", "step")
    p = law_of([w, 1])
    eigen = p[0] * (1 - p[0]) + p[0] * p[1] == 2 * p[0] * p[1] and 1 / (p[0] * (1 - p[0])) == 2 + w + 1 / w
    return eigen and nonnegative(1 + s + step + 1 / (1 + s + step) - (1 + s + 1 / (1 + s)))


CLOSED_FORMS = Identities(
    closed_forms,
    r"at $K = 2$, $\kappa = 1 + \cosh(\sqrt 2 SX)$ and $\tilde\kappa = 2 + 2\cosh(SX)$, as rational functions of $e^{z_1 - z_2}$",
)


def tilde_over_kappa(m: Arithmetic, K: int, power: int = 1, **point: Number) -> Number:
    r"""$1/\lambda_{\min}(\mathrm{diag}(\tilde\mu) - \tilde\mu\tilde\mu^\top)$ over $K^{power}/\lambda_{K-1}(\nabla\mu)$, at one law."""
    z = column(point, "z")
    return 1 / smallest_without_last(m, z) / inverse_curvature(m, z) / K**power


def kappa_over_tilde(m: Arithmetic, K: int, **point: Number) -> Number:
    r"""$1/\lambda_{K-1}(\nabla\mu)$ over $1/\lambda_{\min}(\mathrm{diag}(\tilde\mu) - \tilde\mu\tilde\mu^\top)$, at one law."""
    del K
    z = column(point, "z")
    return inverse_curvature(m, z) * smallest_without_last(m, z)


def smallest_without_last(m: Arithmetic, z: list[Number]) -> Number:
    """The smallest eigenvalue of grad mu without its last row and column."""
    return m.eigenvalues(softmax_jacobian(m, z)[:-1, :-1])[0]


def tilde_over_kappa_exactly(power: int = 1) -> bool:
    """v^T (grad mu)' v = w^T grad mu w for w = Pi (v, 0), |w|^2 = |v|^2 - s^2/K >= |v|^2/K^power, s the sum of the K - 1 v_k.

    `spread` = (K - 1) |v|^2 - s^2 >= 0, K = 2 + more; and Pi shortens the parameter, so that norm S becomes at most S.
    """
    square, spread, more = unknowns("square", "spread", "more")
    K = 2 + more
    length = (square + spread) / (K - 1)
    return centring_shortens() and nonnegative(length - square / K - length / K**power)


def kappa_over_tilde_exactly() -> bool:
    """u^T grad mu u = w^T (grad mu)' w for w = (u_k - u_K)_{k < K}, whose norm squared is |u|^2 + K u_K^2 for u with sum 0.

    Moments under mu, first and second, show that u - u_K has the variance of u.
    """
    first, second, last, squares, K = unknowns("first", "second", "last", "squares", "K")
    shifted = second - 2 * last * first + last**2 - (first - last) ** 2 == second - first**2
    return shifted and nonnegative(squares + K * last**2 - squares)


def referred_to_smallest(m: Arithmetic, K: int, square: int = 2, **point: Number) -> Number:
    r"""$\lVert z - z_k 1 \rVert^2$ over square $\lVert z \rVert^2$, of centred logits, k the one of least size."""
    del K
    z = centred(column(point, "z"))
    least = m.minimum(*(entry**2 for entry in z))
    own = dot(z, z)
    return over(own + len(z) * least, square * own)


def referred_to_smallest_exactly(square: int = 2) -> bool:
    """|z - c 1|^2 = |z|^2 + K c^2 for z with sum 0, summand by summand, and |z|^2 = K c^2 + rest for the least c^2."""
    z, c, K, rest = unknowns("z", "c", "K", "rest")
    summand = (z - c) ** 2 == z**2 - 2 * c * z + c**2
    own = K * c**2 + rest
    return summand and nonnegative(square * own - (own + K * c**2))


def logits_box(K: int) -> Box:
    """Logits."""
    return vectors_box(z=(K, 5.0))


TILDE_OVER_KAPPA = Inequality(
    tilde_over_kappa,
    logits_box,
    SIZES_TILDE,
    share=0.3,
    proof=Exactly(
        tilde_over_kappa_exactly,
        r"$\tilde\kappa(S) \le K \kappa(S)$: $v^\top (\nabla\mu)' v = w^\top \nabla\mu\, w$ for $w = \Pi(v, 0)$, $\lVert w \rVert^2 \ge \lVert v \rVert^2/K$, and $\lVert\Pi\tilde\theta\rVert \le \lVert\tilde\theta\rVert$",
    ),
)
KAPPA_OVER_TILDE = Inequality(
    kappa_over_tilde,
    logits_box,
    SIZES_TILDE,
    share=0.3,
    proof=Exactly(
        kappa_over_tilde_exactly,
        r"$\kappa(S) \le \tilde\kappa(\sqrt 2 S)$: $u^\top \nabla\mu\, u = w^\top (\nabla\mu)' w$ for $w = (u_k - u_K)_{k<K}$, $\lVert w \rVert \ge \lVert u \rVert$ if $u \perp 1$",
    ),
)
LONGER_BY_ROOT = Inequality(
    referred_to_smallest,
    logits_box,
    SIZES_TILDE,
    note=r"$\lVert z - z_k 1 \rVert^2$ over $2 \lVert z \rVert^2$, $z$ centred and $z_k$ its smallest entry in size",
    proof=Exactly(
        referred_to_smallest_exactly,
        r"$\lVert z - z_k 1 \rVert^2 = \lVert z \rVert^2 + K z_k^2 \le 2 \lVert z \rVert^2$ if $1^\top z = 0$, outcome $k$ put last",
    ),
)


def comparable_norms(effort: Effort, power: int = 1, square: int = 2) -> Finding:
    """The two bounds at one law, the norm that the second takes, and the closed forms at K = 2."""
    bounds = TILDE_OVER_KAPPA(effort, power=power), KAPPA_OVER_TILDE(effort)
    return all_of(*bounds, LONGER_BY_ROOT(effort, square=square), CLOSED_FORMS(effort))


C056 = claim(
    "C056",
    Statement(
        place="Section 2; Appendix D, kappa-tilde",
        lines=(785, 785),
        kind="text",
        prints=r"These lower and upper bounds on $\tilde\kappa$ show that our constant $\kappa$ is comparable, see Appendix B.1.",
        reading=r"Comparable: within a factor that does not depend on $S$ and $X$, the same $S$ in both as in the display. $\lVert\theta\rVert_2$ is the Frobenius or the spectral norm, which at $K = 2$, $d = 1$ are one.",
    ),
    Correction(
        "rate",
        same_norms,
        comparable_norms,
        r"with the norms matched: $\tilde\kappa(S) \le K \kappa(S)$ and $\kappa(S) \le \tilde\kappa(\sqrt 2 S)$, where $\kappa(S)$, $\tilde\kappa(S)$ are the constants for parameters of norm $S$, as in C009; at $K = 2$, $\tilde\kappa(\sqrt 2 S) = 2\kappa(S)$. At the same $S$ both are exponentially large, with other rates",
    ),
    domain=r"printed: $K = 2$, $SX = 1, \dots, 20$; corrected: every $K$ and $S$, searched at one law, $K = 2, 3, 5$, $z \in [-5, 5]^K$",
    planted={"matching": 2, "mended_power": 0, "mended_square": 1},
    module=__name__,
)
