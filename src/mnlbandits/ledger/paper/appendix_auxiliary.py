"""Auxiliary results: the lemmas of the last appendix, and the one of Hazan et al. that the proof of Theorem 1 cites."""

from fractions import Fraction
from itertools import product

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, exactly
from mnlbandits.ledger.formulas.orders import rows_of
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Box, Effort, column, vectors_box

# First-order optimality

GRID = tuple(Fraction(n, 3) for n in range(-3, 7))
"""Centres of the examples; those in [0, 1] are points of the square."""


def secant_of_square(sign: int = 1) -> bool:
    """(f(x_0 + h (y - x_0)) - f(x_0))/h is f'(x_0) (y - x_0) and a multiple of h, for f(x) = sign (x - c)^2."""
    x, y, c, h = unknowns("x", "y", "c", "h")
    return sign * ((x + h * (y - x) - c) ** 2 - (x - c) ** 2) / h == 2 * (x - c) * (y - x) + h * (y - x) ** 2


def first_order_optimality(effort: Effort, sign: int = 1) -> Finding:
    """The least derivative at the point of [0, 1]^2 nearest to a centre, towards another point, exactly."""
    square = [value for value in GRID if 0 <= value <= 1]
    lowest = Fraction(0)
    for centre, point in product(product(GRID, repeat=2), product(square, repeat=2)):
        nearest = [min(max(c, Fraction(0)), Fraction(1)) for c in centre]
        slopes = (sign * 2 * (x - c) * (y - x) for c, y, x in zip(centre, point, nearest, strict=True))
        lowest = min(lowest, sum(slopes))
    evidence = (
        rf"the smallest $\nabla f(x_0)^\top (y - x_0)$ is {lowest} in the examples; in general $(f(x_0 + h (y - x_0)) - f(x_0))/h \ge 0$ "
        r"for every $h \in (0, 1]$, as $x_0$ is a minimiser and $\mathcal C$ convex, and so is its limit as $h \to 0$"
    )
    return exactly(lowest >= 0 and secant_of_square(sign), evidence, f"grad f(x_0)^T (y - x_0) = {lowest}")


C188 = claim(
    "C188",
    Statement(
        place="Appendix, auxiliary results",
        lines=(1703, 1712),
        kind="lemma",
        prints=r"$\nabla f(x_0)^\top (y - x_0) \ge 0$ for any $y \in \mathcal C$, $x_0 := \arg\min_{x_0 \in \mathcal C} f(x)$.",
        hypotheses=r"$f : \mathbb R^d \to \mathbb R$ convex and differentiable, $\mathcal C \subseteq \mathbb R^d$ convex.",
        reading=r"The $x_0$ under $\arg\min$ is a wrong letter with one possible meaning, the $x$ of $f(x)$: $x_0 \in \arg\min_{x \in \mathcal C} f(x)$. The paper does not refer to this lemma.",
        labels=("lemma:minimiser to gradient positive", "appendix:auxiliary results"),
    ),
    first_order_optimality,
    domain=r"every $f$ and $\mathcal C$, reduced to $h \mapsto f(x_0 + h (y - x_0))$ on $[0, 1]$; examples: $f(x) = \lVert x - c \rVert^2$ over $[0, 1]^2$, $c$ on a grid of fractions in $[-1, 2]^2$.",
    planted={"sign": -1},
    formal="C188",
    module=__name__,
)


# Freedman's inequality


def exponential_over_square(m: Arithmetic, y: Number, taken: int = 2) -> Number:
    """exp(y) over 1 + y + (e - taken) y^2."""
    return m.exp(y) / (1 + y + (m.e - taken) * y * y)


def remainder_of_exponential(taken: int = 2) -> bool:
    """exp(y) - 1 - y = y^2 times the integral of (1 - v) exp(v y), which increases in y and is e - taken at y = 1.

    The integrand is the derivative of A(v) exp(v y), A = ((1 - v) y + 1)/y^2: A' + y A = 1 - v. At v = 1 it is exp(y)/y^2,
    at v = 0 it is (1 + y)/y^2. For y = 1 - s, s >= 0: v - v y = v s >= 0.
    """
    y, v, s, e = unknowns("y", "v", "s", "e")
    one = y / y
    primitive = ((1 - v) * y + 1) / y**2
    derivative = -y / y**2 + y * primitive == 1 - v
    ends = e / y**2 - (1 + y) / y**2 == (e - 1 - y) / y**2
    at_one = (e - 1 - one) == e - taken
    return derivative and ends and at_one and nonnegative(v - v * (1 - s))


C189 = claim(
    "C189",
    Statement(
        place="Appendix, auxiliary results",
        lines=(1714, 1719),
        kind="lemma",
        prints=r"$\sum_{s=1}^t X_s \le (e-2) \eta \sum_{s=1}^t \mathbb E[X_s^2 | \mathcal F_{s-1}] + \frac1\eta \log \delta^{-1}$ for all $t \ge 1$, with probability $1 - \delta$.",
        hypotheses=r"$X_s$ a martingale difference sequence with $\max_s |X_s| \le D$ a.s., $\delta \in (0, 1]$, $\eta \in [0, 1/D]$.",
        quantifiers=r"for every $\delta$ and $\eta$, with probability $1 - \delta$ for all $t$ at once.",
        reading=r"What is examined, and what the level is of, is the step that it rests on, $e^y \le 1 + y + (e - 2) y^2$ for $y = \eta X_s \in [-1, 1]$; the rest, a supermartingale and Ville's inequality, is cited. For $\eta = 0$ the right side is $\infty$. The paper does not use this lemma.",
        labels=("lemma:modified Freedman inequality",),
    ),
    Inequality(
        exponential_over_square,
        {"y": (-1.0, 1.0)},
        note=r"equality at $y = 0$ and $y = 1$, so $e - 2$ is the best constant; the bound holds for all $t$ at once because Ville's inequality does",
        proof=Exactly(
            remainder_of_exponential,
            r"$e^y - 1 - y = y^2 \int_0^1 (1 - v) e^{vy} dv$, by its primitive, and $vy \le v$; then $\mathbb E[e^{\eta X_s} | \mathcal F_{s-1}] \le 1 + (e - 2) \eta^2 \mathbb E[X_s^2 | \mathcal F_{s-1}]$, a supermartingale, and Ville's inequality",
        ),
    ),
    domain=r"$y = \eta X_s \in [-1, 1]$: $e^y \le 1 + y + (e - 2) y^2$.",
    planted={"taken": 3},
    formal="C189",
    module=__name__,
)


# Determinant and trace


def below_tangent() -> bool:
    """w - log(1 + w) >= 0 for w > -1: the integral over v in [0, 1] of (1 - v) w^2/(1 + v w)^2, which is never negative.

    A primitive in v is -(1 - v) w/(1 + v w) - log(1 + v w), of which the log has the derivative w/(1 + v w); from v = 0 to 1
    it grows by w - log(1 + w).
    """
    v, w = unknowns("v", "w")
    first = (w * (1 + v * w) + (1 - v) * w * w) / (1 + v * w) ** 2
    return first - w / (1 + v * w) == (1 - v) * w**2 / (1 + v * w) ** 2


DETERMINANT_CASES = ({"d": 2, "t": 1}, {"d": 2, "t": 2}, {"d": 3, "t": 3}, {"d": 2, "t": 4})
"""Sizes at which determinants are searched."""


def determinant_trace(m: Arithmetic, d: int, t: int, ridge: Number, power: int = 1, **point: Number) -> Number:
    """det(V_t)^(1/d) over (lambda + t X^2/d)^power, X the length of the longest of the x_s, lambda = 10^ridge."""
    rows, level = rows_of(column(point, "x"), d), 10**ridge
    longest = m.maximum(*(dot(row, row) for row in rows))
    total = m.array([[sum(row[i] * row[j] for row in rows) + level * int(i == j) for j in range(d)] for i in range(d)])
    return m.power(m.determinant(total), m.number(Fraction(1, d))) / (level + t * longest / d) ** power


def determinant_box(d: int, t: int) -> Box:
    """lambda and the entries of t vectors."""
    return {"ridge": (-6.0, 1.0), **vectors_box(x=(t * d, 1.0))}


def trace_of_squares(power: int = 1) -> bool:
    """Tr(V_t) = d lambda + sum ||x_s||^2 <= d (lambda + t X^2/d), X^2 = ||x_s||^2 + `short`, summand by summand."""
    square, short, ridge, d = unknowns("square", "short", "ridge", "d")
    summand = nonnegative((square + short) - square) and d * ((ridge + square / d) ** power) == d * ridge + square
    return summand and below_tangent()


C190 = claim(
    "C190",
    Statement(
        place="Appendix, auxiliary results",
        lines=(1721, 1726),
        kind="lemma",
        prints=r"$\det(V_t) \le (\lambda + t X^2/d)^d$ for $V_t := \sum_{s=1}^t x_s x_s^\top + \lambda I_d$.",
        hypotheses=r"$\lVert x_s \rVert_2 \le X$ for all $s \ge 1$, $\lambda \ge 0$, $t \ge 1$.",
        labels=("lemma:det_trace inequality",),
    ),
    Inequality(
        determinant_trace,
        determinant_box,
        DETERMINANT_CASES,
        note=r"equality at $d$ orthogonal unit vectors, each played $t/d$ times",
        share=0.25,
        proof=Exactly(
            trace_of_squares,
            r"$\sum_i \log(a_i/a) \le \sum_i (a_i/a - 1) = 0$ for the eigenvalues $a_i$ of $V_t$ and their mean $a$, by $w - \log(1 + w) = \int_0^1 (1 - v) w^2/(1 + vw)^2 dv \ge 0$; and $d a = \mathrm{Tr}\, V_t \le d\lambda + t X^2$ (a $V_t$ with an eigenvalue $0$ has determinant $0$)",
        ),
    ),
    domain=r"every $d$, $t$, $\lambda \ge 0$; searched at $d = 2, 3$, $t = 1..4$, $\lambda \in [10^{-6}, 10]$.",
    planted={"power": 2},
    module=__name__,
)


def trace_logarithm(m: Arithmetic, b0: Number, b1: Number, l0: Number, l1: Number, l2: Number, factor: int = 1) -> Number:
    """factor Tr(A^-1 (A - B)) over log(|A|/|B|), B = diag(10^b), A = B + L L^T."""
    b = m.array([[10**b0, 0], [0, 10**b1]])
    a = b + m.array([[l0 * l0, l0 * l1], [l0 * l1, l1 * l1 + l2 * l2]])
    both = m.inverse(a) @ (a - b)
    return factor * (both[0, 0] + both[1, 1]) / m.log(m.determinant(a) / m.determinant(b))


def trace_logarithm_exactly(factor: int = 1) -> bool:
    """For each eigenvalue x of B^(-1/2) A B^(-1/2), 1 - 1/x <= log x: `below_tangent` at 1 + w = 1/x; both sides add up."""
    (x,) = unknowns("x")
    return factor * (1 - 1 / x) == -(1 / x - 1) and below_tangent()


C191 = claim(
    "C191",
    Statement(
        place="Proof of Theorem 1, Step 2 (Lemma 4.5 of Hazan et al.)",
        lines=(993, 994),
        kind="lemma",
        prints=r"$\sum_t \mathrm{Tr}((U_t - U_{t-1}) U_t^{-1}) \le \sum_t \log\frac{|U_t|}{|U_{t-1}|}$.",
        reading=r"Positive definite $A \succeq B$ satisfy $\mathrm{Tr}(A^{-1}(A - B)) \le \log(|A|/|B|)$.",
    ),
    Inequality(
        trace_logarithm,
        {"b0": (-6.0, 3.0), "b1": (-6.0, 3.0), "l0": (0.1, 3.0), "l1": (-3.0, 3.0), "l2": (0.1, 3.0)},
        note=r"of one eigenvalue it is $1 - b/a \le \log(a/b)$, an equality in the limit $a = b$",
        proof=Exactly(
            trace_logarithm_exactly,
            r"$\mathrm{Tr}(A^{-1}(A - B)) = \sum_i (1 - 1/x_i)$ and $\log(|A|/|B|) = \sum_i \log x_i$ for the eigenvalues $x_i$ of $B^{-1/2} A B^{-1/2}$; $\log(1/x) \le 1/x - 1$ by the integral above",
        ),
    ),
    domain=r"every dimension; searched at $d = 2$: $B = \mathrm{diag}(b)$, $b \in [10^{-6}, 10^3]$, $A = B + L L^\top$ with entries of $L$ in $[-3, 3]$.",
    planted={"factor": 2},
    formal="C191",
    module=__name__,
)
