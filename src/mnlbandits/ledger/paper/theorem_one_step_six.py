"""Appendix F.3, proof of Theorem 1, Step 6: the quadratic inequality and its solution."""

from fractions import Fraction

from mnlbandits.ledger import finding, search
from mnlbandits.ledger.arithmetic import BALLS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Balls, Correction, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.concordance import growth_below
from mnlbandits.ledger.formulas.learning import cauchy_schwarz
from mnlbandits.ledger.formulas.potentials import first_bonuses, polygon
from mnlbandits.ledger.formulas.softmax import binary_curvature
from mnlbandits.ledger.search import Effort

MOVED = Fraction(5, 4 * 288)
"""eta/lambda for eta = 5/4 and the smallest lambda: grad mu(theta_t x) <= exp(2 eta/lambda) grad mu(theta_{t+1} x), C149."""


def lost_factor(m: Arithmetic, size: Number, away: Number, power: int = 1) -> Number:
    """2 eps_1 over e sigma ||Wbar^(-1/2) (I (x) x) G^(1/2)|| ||G_*^(1/2) rho||, K = 2: theta_t of norm `size`, G_* at theta_*.

    G is at theta_{t+1}, where it is exp(2 `MOVED`) times less than at theta_t.
    """
    there = binary_curvature(m, size + away / m.sqrt(6))
    return 2 * m.exp(m.number(MOVED)) / m.e**power * m.sqrt(binary_curvature(m, size) / there)


def lost_factor_of_tanh(m: Arithmetic, tanh: Number, away: Number, power: int = 1) -> Number:
    """`lost_factor` of tanh(size/sqrt(2)): cosh(u + w)/cosh u = cosh w + tanh u sinh w, w = away/sqrt(12)."""
    w = away / m.sqrt(12)
    return 2 * m.exp(m.number(MOVED)) / m.e**power * (m.cosh(w) + tanh * m.sinh(w))


def dropped_factor(power: int = 1, dims: int = 1) -> bool:
    """2 exp(sqrt(2/6)/2 + `MOVED`) <= e^power, and the steps to it; Q_T as C154 has it needs D of at least K - 1, K = 2 + more."""
    (more,) = unknowns("more")
    factor = 2 * BALLS.exp(1 / BALLS.sqrt(12) + BALLS.number(MOVED)) / BALLS.e**power
    return growth_below(2) and cauchy_schwarz() and nonnegative((1 + more) ** dims - (1 + more)) and bool(factor <= 1)


# Step 6 as printed, where many arms are optimal and each tells two outcomes apart


def codewords(m: Arithmetic, order: int) -> tuple[int, int, Number]:
    """d, log_2 of the number N of arms but one, and the largest logit A, of `display_on_code`; A - 2 log N = 8."""
    words = 1 + order + order * (order - 1) // 2
    return 2**order + 1, words, 2 * words * m.log(m.number(2)) + 8


def display_on_code(m: Arithmetic, order: int, factor: int = 1) -> Number:
    """At most the left side over `factor` times the right side, on the arms of a code, in turn, to T = kappa^(21/10).

    The arms are the N words of the Reed-Muller code of second order and length d - 1 = 2^order, as vectors of norm 1, no two
    with an inner product above 1/2; of each there are two outcomes, K = 2N, with the logits A <c, x> and rewards 1 and 0. All
    are optimal, theta_t = theta_*, and Q >= 1/(1 + N exp(-A/2))^2 is the sum of the squared shares of the pairs at an arm. The
    arm e_d, which is not played, has the logits -1 and 1 for the rewards 1 and 0, so that nu = 2.
    """
    d, words, largest = codewords(m, order)
    log_N, log_K = words * m.log(m.number(2)), (words + 1) * m.log(m.number(2))
    root_K = m.exp(log_K / 2)
    S = m.sqrt(largest**2 + 1) * root_K
    log_kappa = log_K + m.sqrt(m.number(2)) * S
    log_T = m.number(Fraction(21, 10)) * log_kappa
    level, ridge = log_T - m.log(m.number(Fraction(1, 20))), 144 * d * m.exp(log_K)
    sigma = m.sqrt(m.number(Fraction(2, 3)) * level) + 24 * S
    pairs = 1 / (1 + m.exp(log_N - largest / 2)) ** 2
    small = m.exp(-log_T / 100)
    left = 2 * (24 * S) * m.sqrt(pairs) * m.exp(log_N / 2) * (1 - small)
    right = m.e * sigma * m.sqrt(d * (log_T - m.log(ridge * d) + small)) * m.sqrt(m.number(Fraction(1, 4)) + small)
    return left / (factor * (right + small))


CODE = r"rows of length $A$ on the $N = 2^{29}$ words of the Reed-Muller code of second order and length $128$, any two of which differ in at least 32 places (classical), two rows, with rewards $1$ and $0$, on each, and the same words, of length $1$, as arms: all are optimal. A last arm $e_{129}$, at which a further coordinate $\mp 1$ of the rows favours the reward $0$, is worse and is not played: $\nu = 2$, as $\rho^{\odot 2} = \rho$. The others played in turn, with $u = \nabla\mu \rho$ and $v = u \otimes x$, $v^\top \bar W^{-1} v \ge |v|^4/(v^\top \bar W v) \ge \frac{Q}{4 (2 \lambda + n + 1)}$ after $n$ turns, as $|u|^2 = Q/8$ and, by the symmetry of the code, a turn adds at most $Q/16$ to $v^\top \bar W v$; so $2 \sum \epsilon_1 \ge 2 \sigma_\tau \sqrt{Q N T}$ up to terms of lower order, against $\frac e2 \sigma_T \sqrt{d T \log(1 + T/(\lambda d))}$. At $T = \kappa^{2.1}$, $\log \kappa \le \log K + \sqrt 2 S$, $S = \sqrt{(A^2 + 1) K}$, the term with $\kappa$, $\tau$ and the bonuses in the bracket are below $T^{-1/100}$ of the others"
"""What `display_on_code` stands on."""


CODE_WORDS = r"$K = 2^{30}$, $d = 129$, $T = \kappa^{2.1}$: the $2^{29}$ words of the Reed-Muller code of second order as arms, two outcomes with rewards 1 and 0 on each, $\theta_t = \theta_*$, arms in turn; one more arm with a smaller mean, $\nu = 2$"
"""The counterexample in words."""


def display_printed(effort: Effort, factor: int = 1) -> Finding:
    """`display_on_code` at the first order that violates the display."""
    del effort
    worst = search.at(display_on_code, CODE_WORDS, order=7, factor=factor)
    return finding.inequality(worst, display_on_code, CODE, loose=False)


def display_on_polygon(m: Arithmetic, K: int, dims: int = 1) -> Number:
    """2 sum eps_1 over e sigma [D log(1 + 2 T/(D lambda)) sum Var]^(1/2), D = (K - 1)^dims d, sigma_t = sigma; arms in turn."""
    theta, arms = polygon(K)
    ridge, size, pairs = 288 * K, (K - 1) ** dims * 2, len(arms)
    steps = [(n, ridge) for _ in range(60) for n in range(pairs)]
    bonuses, variances = first_bonuses(m, theta, arms, [1.0, 0.0] * (K // 2), steps, ridge)
    log = m.log1p(m.number(2 * 60 * pairs) / size)
    return 2 * bonuses / (m.e * m.sqrt(size * log * variances))


POLYGONS = ({"K": 4}, {"K": 8}, {"K": 32})

STEP_SIX_SUMS = Exactly(
    dropped_factor,
    r"any $K$: $G_t \preccurlyeq \exp(\sqrt 2/\sqrt 6) G_*$ by the identities of self-concordance, and $G_t \preccurlyeq \exp(2 \eta/\lambda) \nabla\mu(\theta_{t+1} x_t)$ by C149 for $\eta = 1$, and likewise for every $\eta$; so $2 \epsilon_1$ is at most $2 \exp(1/\sqrt{12} + \eta/\lambda) \le 0.987 e$ for $\eta \le 5/4$ times the product of the norms; summed by Cauchy-Schwarz, with C144, C154 as corrected and C161",
)

DROPPED = Inequality(
    lost_factor,
    {"size": (0.0, 14.0), "away": (0.0, 1.0)},
    note=r"Steps 1 to 5 as printed give $2 e \sigma_T$. The $2$ is dropped, without harm: with the factor $\exp(1/\sqrt{12})$ for $e$ in Step 3 (C148) and $\exp(\eta/\lambda)$ for the index (C149) it is $2.69 < e$. In the square brackets of the sketch $1$ is added, which only helps",
    proof=Together(
        [
            Balls(
                lost_factor_of_tanh,
                {"tanh": (-1.0, 1.0), "away": (0.0, 1.0)},
                words=r"$K = 2$: $\sqrt{g(s)/g(s + \sqrt{2} w)} = \cosh(u + w)/\cosh u = \cosh w + \tanh u \sinh w$ at $u = s/\sqrt{2}$, all $s$",
            ),
            STEP_SIX_SUMS,
        ]
    ),
)


def display_mended(effort: Effort, power: int = 1, dims: int = 1) -> Finding:
    """One round for K = 2, and whole runs on polygons, all of whose arms are optimal."""
    runs = Inequality(display_on_polygon, cases=POLYGONS, fixed={"dims": dims}, proof=STEP_SIX_SUMS)
    return finding.all_of(DROPPED(effort, power=power), runs(effort))


C162 = claim(
    "C162",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 6, first display; Section 3.3.2, last display",
        lines=(1107, 1116),
        kind="step",
        prints=r"$2 \sum_t (\epsilon_{1,t} + \epsilon_{2,t}) \le 6 R \kappa \sigma_T^2 K d \log(1 + \tfrac{T}{K d \lambda \kappa}) + e \sigma_T [d \log(1 + \tfrac{T}{\lambda d})]^{1/2} [\tfrac{R^2 T}{\kappa_*} + (4 R + 2 \nu) \sum_t (\epsilon_{1,t} + \epsilon_{2,t})]^{1/2}$.",
        hypotheses=r"The event of Proposition 1; of the plays the step uses nothing else.",
    ),
    Correction(
        "rate",
        display_printed,
        display_mended,
        r"$[(K - 1) d \log(1 + \tfrac{2 T}{(K - 1) d \lambda})]^{1/2}$, from C154 as corrected, for $[d \log(1 + \tfrac{T}{\lambda d})]^{1/2}$, with $\mathrm{diam}(\Theta) \le 1/\sqrt 6$ (C139b). All arms that the counterexample plays are optimal, so that it is none to Theorem 1. The half on $\epsilon_2$ is C144",
    ),
    domain=r"printed: one family of arms, $K = 2^{30}$, $d = 129$, $\lambda = 144 K d$, $\delta = 1/20$; corrected: all $K$, $d$, arms, $T \ge \max(\tau, 2)$ with the printed $\tau$ (for C144) and plays on the event, by the exact part of the proof and C154; searched: one round, $K = 2$, logits of a norm to $14$, at most $1/\sqrt 6$ apart; polygons, $K = 4, 8, 32$",
    planted={"factor": 2, "mended_power": 0, "mended_dims": 0},
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
        hypotheses=r"The display before it (C162).",
        reading=r"The implication: from $2 X \le A + B + b \sqrt{(4 R + 2 \nu) X}$, $X = \sum_t (\epsilon_{1,t} + \epsilon_{2,t})$: $\mathrm{Reg} \le 2 X \le 2 A + 2 B + 2 b^2 (4 R + 2 \nu)$.",
    ),
    Inequality(
        solved,
        {"square": (-9.0, 9.0)},
        note=r"$4 e^2 \sigma_T^2 (2 R + \nu) Q_T = 2 e^2 \sigma_T^2 (4 R + 2 \nu) Q_T$ is twice what the quadratic gives. With the $2 e \sigma_T$ of Steps 1 to 5 (C162) the $2 e$ becomes $4 e$, and $12 R$ and $4 e^2 (2 R + \nu)$ are still enough (ratio at most 1)",
        proof=Exactly(
            solved_exactly,
            r"with $y = \sqrt{X}$, $\beta = b \sqrt{4 R + 2 \nu}$ and $A + B = 2 y^2 - \beta y + s$, $s \ge 0$, right minus left is $y^2 + (y - \beta)^2 + \beta^2 + 2 s$; with $2 \beta$ for $\beta$, $2 (y - \beta)^2 + 2 s$",
        ),
    ),
    domain=r"all $A + B$, $b$, $X$, $R$, $\nu$; searched: $A + B = 1$, $b^2 (4 R + 2 \nu) \in [10^{-9}, 10^9]$",
    planted={"first": 1, "last": Fraction(1, 4)},
    formal="C164",
    module=__name__,
)
