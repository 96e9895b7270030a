"""Appendix F.3, proof of Theorem 1, Step 6: the quadratic inequality and its solution."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import BALLS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Balls, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.formulas.concordance import growth_below
from mnlbandits.ledger.formulas.learning import cauchy_schwarz
from mnlbandits.ledger.formulas.softmax import binary_curvature


def lost_factor(m: Arithmetic, size: Number, away: Number, power: int = 1) -> Number:
    """2 eps_1 over e sigma ||Wbar^(-1/2) (I (x) x) G_t^(1/2)|| ||G_*^(1/2) rho||, K = 2: G_t at theta_t, of norm `size`, G_* at theta_*."""
    there = binary_curvature(m, size + away / m.sqrt(6))
    return 2 / m.e**power * m.sqrt(binary_curvature(m, size) / there)


def lost_factor_of_tanh(m: Arithmetic, tanh: Number, away: Number, power: int = 1) -> Number:
    """`lost_factor` of tanh(size/sqrt(2)): cosh(u + w)/cosh u = cosh w + tanh u sinh w, w = away/sqrt(12)."""
    w = away / m.sqrt(12)
    return 2 / m.e**power * (m.cosh(w) + tanh * m.sinh(w))


def dropped_factor(power: int = 1) -> bool:
    """2 exp(sqrt(2/6)/2) <= e^power, and the steps to it."""
    factor = 2 * BALLS.exp(1 / BALLS.sqrt(12)) / BALLS.e**power
    return growth_below(2) and cauchy_schwarz() and bool(factor <= 1)


C162 = claim(
    "C162",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 6, first display; Section 3.3.2, last display",
        lines=(1107, 1116),
        kind="step",
        prints=r"$2 \sum_t (\epsilon_{1,t} + \epsilon_{2,t}) \le 6 R \kappa \sigma_T^2 K d \log(1 + \tfrac{T}{K d \lambda \kappa}) + e \sigma_T [d \log(1 + \tfrac{T}{\lambda d})]^{1/2} [\tfrac{R^2 T}{\kappa_*} + (4 R + 2 \nu) \sum_t (\epsilon_{1,t} + \epsilon_{2,t})]^{1/2}$.",
        reading=r"With $Q_T$ for its bound $d \log(1 + \tfrac{T}{\lambda d})$ (C154).",
    ),
    Inequality(
        lost_factor,
        {"size": (0.0, 14.0), "away": (0.0, 1.0)},
        note=r"Steps 1 to 5 as printed give $2 e \sigma_T$. The $2$ is dropped, without harm: with the factor $\exp(1/\sqrt{12})$ for $e$ in Step 3 (C148) it is $2.67 < e$. In the square brackets of the sketch $1$ is added, which only helps",
        proof=Together(
            [
                Balls(
                    lost_factor_of_tanh,
                    {"tanh": (-1.0, 1.0), "away": (0.0, 1.0)},
                    words=r"$K = 2$: $\sqrt{g(s)/g(s + \sqrt{2} w)} = \cosh(u + w)/\cosh u = \cosh w + \tanh u \sinh w$ at $u = s/\sqrt{2}$, all $s$",
                ),
                Exactly(
                    dropped_factor,
                    r"any $K$: $G_t \preccurlyeq \exp(\sqrt 2/\sqrt 6) G_*$ by the identities of self-concordance, so $2 \epsilon_1$ is at most $2 \exp(1/\sqrt{12})$, less than $e$, times the product of the norms; summed by Cauchy-Schwarz, with C144 and C161",
                ),
            ]
        ),
    ),
    domain=r"$K = 2$, one round: $2 \epsilon_1$ over $e \sigma \lVert \bar W^{-1/2} (I \otimes x) G_t^{1/2} \rVert \lVert G_*^{1/2} \rho \rVert$; all logits, at most $1/\sqrt{6}$ apart, searched up to a norm of $14$; by the exact part of the proof any $K$ as well, and the sums as in C148",
    planted={"power": 0},
    module=__name__,
)


def larger_root(m: Arithmetic, c: Number, constant: int = 2) -> Number:
    r"""$x^2$ over its bound at the larger root of $x^2 - b x - c$, b = 1; c in powers of ten."""
    return ((1 + m.sqrt(1 + 4 * 10**c)) / 2) ** 2 / (constant + constant * 10**c)


def root_is_below(constant: int = 2) -> bool:
    """2 b^2 + 2 c - x^2 = (x - b)^2 + b^2 + 2 s where c = x^2 - b x + s, s >= 0."""
    x, b, s = unknowns("x", "b", "s")
    return constant * b**2 + constant * (x**2 - b * x + s) - x**2 == (x - b) ** 2 + b**2 + 2 * s


C163 = claim(
    "C163",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 6, implication",
        lines=(1117, 1117),
        kind="step",
        prints=r"$x^2 - b x - c \le 0$ implies $x^2 \le 2 b^2 + 2 c$.",
        hypotheses=r"$b, c \ge 0$.",
    ),
    Inequality(
        larger_root,
        {"c": (-9.0, 9.0)},
        note=r"$4/3$ for $2$ is the best common constant; $x^2 \le b^2 + 2 c$ holds too",
        proof=Exactly(root_is_below, r"with $c = x^2 - b x + s$, $s \ge 0$, right minus left is $(x - b)^2 + b^2 + 2 s$"),
    ),
    domain=r"all $x$, $b$ and $c$; searched: the larger root for $b = 1$, $c \in [10^{-9}, 10^9]$ on a log scale (the statement is homogeneous)",
    planted={"constant": 1},
    formal="C163",
    module=__name__,
)


def solved(m: Arithmetic, square: Number, first: int = 2, last: Fraction | int = 2, doubled: int = 1) -> Number:
    """2 X over 2 (A + B) + 2 b^2 n at the largest X with 2 X <= A + B + b sqrt(n X), A + B = 1, b^2 n = 10^square."""
    b = doubled * m.sqrt(10**square)
    x = (b + m.sqrt(b * b + 8)) / 4
    return 2 * x * x / (first + last * 10**square)


def solved_exactly(first: int = 2, last: Fraction | int = 2) -> bool:
    """Right minus left as squares, y = sqrt X, A + B = 2 y^2 - b y + s, s >= 0, also with 2 b for b; and the three lines."""
    y, b, s, A, B, R, nu = unknowns("y", "b", "s", "A", "B", "R", "nu")
    once = first * (2 * y**2 - b * y + s) + last * b**2 - 2 * y**2 == y**2 + (y - b) ** 2 + b**2 + 2 * s
    twice = first * (2 * y**2 - 2 * b * y + s) + last * b**2 - 2 * y**2 == 2 * (y - b) ** 2 + 2 * s
    lines = first * (6 * A + B) + last * b**2 * (4 * R + 2 * nu) == 12 * A + 2 * B + 4 * b**2 * (2 * R + nu)
    return once and twice and lines


C164 = claim(
    "C164",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 6, last display, first three lines",
        lines=(1117, 1121),
        kind="step",
        prints=r"$\mathrm{Reg}_T \le 12 R \kappa \sigma_T^2 K d \log(1 + \tfrac{T}{K d \lambda \kappa}) + 2 e \sigma_T [d \log(1 + \tfrac{T}{\lambda d})]^{1/2} R \sqrt{T/\kappa_*} + 4 e^2 \sigma_T^2 (2 R + \nu) d \log(1 + \tfrac{T}{\lambda d})$.",
        reading=r"From $2 X \le A + B + b \sqrt{(4 R + 2 \nu) X}$, $X = \sum_t (\epsilon_{1,t} + \epsilon_{2,t})$: $\mathrm{Reg} \le 2 X \le 2 A + 2 B + 2 b^2 (4 R + 2 \nu)$.",
    ),
    Inequality(
        solved,
        {"square": (-9.0, 9.0)},
        note=r"$4 e^2 \sigma_T^2 (2 R + \nu) Q_T = 2 e^2 \sigma_T^2 (4 R + 2 \nu) Q_T$ is twice what the quadratic gives. With the $2 e \sigma_T$ of C162 the $2 e$ becomes $4 e$, and $12 R$ and $4 e^2 (2 R + \nu)$ are still enough (ratio at most 1)",
        proof=Exactly(
            solved_exactly,
            r"with $y = \sqrt{X}$, $\beta = b \sqrt{4 R + 2 \nu}$ and $A + B = 2 y^2 - \beta y + s$, $s \ge 0$, right minus left is $y^2 + (y - \beta)^2 + \beta^2 + 2 s$; with $2 \beta$ for $\beta$, $2 (y - \beta)^2 + 2 s$",
        ),
    ),
    domain=r"all $A + B$, $b$, $X$, $R$, $\nu$, also with $2 e$ for $e$ in the display before (C162); searched: $A + B = 1$, $b^2 (4 R + 2 \nu) \in [10^{-9}, 10^9]$",
    planted={"first": 1, "last": Fraction(1, 4)},
    formal="C164",
    module=__name__,
)
