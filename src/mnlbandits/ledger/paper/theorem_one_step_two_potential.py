"""Appendix F.3, proof of Theorem 1, Step 2: the potential U_t, and the sum of the second bonuses that it bounds."""

from fractions import Fraction

from mnlbandits.ledger import finding
from mnlbandits.ledger.arithmetic import BALLS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Balls, Correction, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import Finding
from mnlbandits.ledger.formulas.concordance import growth_below
from mnlbandits.ledger.formulas.learning import LEVEL, sigma_t
from mnlbandits.ledger.formulas.potentials import tangents_cancel
from mnlbandits.ledger.formulas.radii import TAU
from mnlbandits.ledger.formulas.regret import SHORTEST_HORIZON, harmonic, tau_of
from mnlbandits.ledger.formulas.softmax import binary_curvature
from mnlbandits.ledger.search import Effort


def missing_reward(m: Arithmetic, count: int, S: Number, R: Number, power: int = 0) -> Number:
    """R sum ||.||^2 over R^power kappa sum Tr((U_t - U_{t-1}) U_t^-1), x = 1, K = 2, d = 1, lambda = 288, `count` rounds."""
    g = binary_curvature(m, S)
    return R * harmonic(m, count, m.number(288), g) / (2 * harmonic(m, count, 144 + g, g)) / R**power


def trace_in_every_round(power: int = 1) -> bool:
    """R/(288 + i g) <= R 2/(144 + (i + 1) g) for round i, g = 1/(2 + h), h = cosh - 1 >= 0."""
    i, h, R = unknowns("i", "h", "R")
    g = 1 / (2 + h)
    return nonnegative(2 * R**power * (288 + i * g) - R * (144 + (i + 1) * g))


def trace_at_any_arm(power: int = 1) -> bool:
    """lambda I + M/(c kappa) - (lambda/2 I + M/kappa + x x^T/kappa)/K has no negative coefficient, c = exp(1/sqrt(3)) < 2 <= K.

    M is the sum of the x_s x_s^T before x = x_t. K = 2 + `more`, lambda = 2 + `ridge`, kappa = 1 + `curved`; so R times the norm
    is at most R^power times kappa times the trace, norm + `excess`, for every R, which the last coefficient says.
    """
    more, ridge, curved, R, norm, excess = unknowns("more", "ridge", "curved", "R", "norm", "excess")
    K, lam, kappa = 2 + more, 2 + ridge, 1 + curved
    of_unit, of_sum = lam * (1 - 1 / (2 * K)) - 1 / (K * kappa), Fraction(1, 2) - 1 / K
    of_reward = R**power * (norm + excess) - R * norm
    return (
        growth_below(2)
        and bool(BALLS.exp(1 / BALLS.sqrt(3)) < 2)
        and nonnegative(of_unit)
        and nonnegative(of_sum)
        and nonnegative(of_reward)
    )


C143 = claim(
    "C143",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 2, second display, first line",
        lines=(991, 993),
        kind="step",
        prints=r"$\sum_t \epsilon_{2,t}(x_t) \le 3 \kappa \sigma_T(\delta)^2 \sum_t \mathrm{Tr}((U_t - U_{t-1}) U_t^{-1})$, $U_t := \sum_{s \le t} \tfrac1\kappa I_K \otimes x_s x_s^\top + \tfrac\lambda2 I_{Kd}$.",
        hypotheses=r"$\tau$, $\lambda_0$ and $\lambda = 144 K d$ as in Theorem 1; $\mathrm{diam}(\Theta) \le 1$ and $\theta_{s+1} \in \Theta$ (line 952).",
        reading=r"With this $\tau$ $\mathrm{diam}(\Theta) \le 1/\sqrt 6$ whatever the outcomes, for $T \ge \max(\tau, 2)$ (C122), and that is used, as in C144.",
    ),
    Correction(
        "misprint",
        Inequality(
            missing_reward,
            {"S": (0.1, 6.0), "R": (0.01, 100.0)},
            cases=[{"count": 10**n} for n in (0, 3, 6)],
            examples=[{"count": 1, "S": 1.0, "R": 10.0}],
        ),
        Inequality(
            missing_reward,
            {"S": (0.1, 6.0), "R": (0.01, 100.0)},
            cases=[{"count": 10**n} for n in (0, 3, 6)],
            fixed={"power": 1},
            share=0.25,
            proof=Together(
                [
                    Exactly(
                        trace_in_every_round,
                        r"round by round, with $g = 1/(1 + \cosh(\sqrt 2 S)) = 1/\kappa$: the difference has no negative coefficient",
                    ),
                    Exactly(
                        trace_at_any_arm,
                        r"any $K$, $d$ and arms, with $c = e^{1/\sqrt 3}$ and $\bar W_t \succcurlyeq I \otimes (\lambda I + \frac{1}{c \kappa} M)$ as in C144, $M = \sum_{s<t} x_s x_s^\top$: a norm is at most $x_t^\top (\lambda I + \frac{1}{c \kappa} M)^{-1} x_t$, and $\kappa$ times a trace is $K x_t^\top (\frac\lambda2 I + \frac1\kappa M + \frac1\kappa x_t x_t^\top)^{-1} x_t$; as $x_t x_t^\top \preccurlyeq I$ and $c < 2 \le K$, the matrix of the first is at least a $K$-th of that of the second",
                    ),
                ]
            ),
        ),
        r"$3 R \kappa \sigma_T^2$, as in the lines after it; that $\mathrm{diam}(\Theta) \le 1/\sqrt 6$, as Lemma 1 has it, is used, see C144",
    ),
    domain=r"$K = 2$, $d = 1$, $x = 1$, $\lambda = 288$, $\|\theta_{s+1}\| = S$; $S \in [0.1, 6]$, $1$ to $10^6$ rounds, $R \in [0.01, 100]$; corrected: all $K$, $d$, $\lambda \ge 2$, arms in the unit ball, $\theta_{s+1}$ with $\|(\theta_{s+1} - \theta_*) x\| \le 1/\sqrt 6$, $\|\theta_*\| \le S$, $R > 0$ and numbers of rounds",
    planted={"power": 1, "mended_power": 0},
    module=__name__,
)


def second_bonus(m: Arithmetic, K: int, d: int, curved: Number, digits: Number, factor: int | Fraction = 1) -> Number:
    """sum of ||.||^2 over `factor` K d kappa log(1 + T/(K d lambda kappa)); kappa = K 10^curved, each arm 10^digits times."""
    size, kappa, times = K * d, K * 10**curved, 10**digits
    tau = TAU * size**2 * kappa * m.log(m.number(SHORTEST_HORIZON)) ** 2
    left = d * harmonic(m, times, m.number(144 * size), m.exp(-1 / m.sqrt(3)) / kappa) / kappa
    return left / (m.number(factor) * size * m.log(1 + (tau + times * d) / (size * 144 * size * kappa)))


def beyond_the_truth(m: Arithmetic, S: int, horizon: int, count: int, square: int = 1) -> tuple[Number, Number, Number]:
    """kappa, the rounds of learning, at most T - tau, and sum ||.||^2 over them; K = 2, d = 1, x = 1, lambda = 288, T = `horizon`.

    theta_{s+1} is beyond theta_* by 1/sqrt(square) for `count` rounds, and theta_* after them. The sum is 0 if the first are not
    on the event of Lemma 2.
    """
    near, far = (binary_curvature(m, m.number(S) + away) for away in (0, 1 / m.sqrt(m.number(square))))
    rounds, met = horizon - tau_of(m, 2, S, m.number(horizon), 1 / near, m.number(LEVEL)) - 1, 288 + count * far
    if not met <= square * 4 * S**2 * 288:
        return 1 / near, rounds, 0 * near
    return 1 / near, rounds, harmonic(m, m.number(count), m.number(288), far) + harmonic(m, rounds - count, met, near)


def second_bonus_beyond(m: Arithmetic, S: int, horizon: int, count: int, square: int = 1) -> Number:
    """sum of eps_2 of these rounds, sigma_tau for sigma_t, over 3 R kappa sigma_T^2 K d log(1 + T/(K d lambda kappa))."""
    kappa, rounds, norms = beyond_the_truth(m, S, horizon, count, square)
    smaller = sigma_t(m, 2, S, horizon - rounds) / sigma_t(m, 2, S, m.number(horizon))
    return smaller**2 * norms / (2 * kappa * m.log1p(horizon / (576 * kappa)))


BEYOND = {"S": 30, "horizon": 18 * 10**28, "count": 56 * 10**23}
"""K = 2, T just above 2 tau."""


def second_bonus_reduced(m: Arithmetic, v: Number, factor: int | Fraction = 1) -> Number:
    """An upper bound of c d log(1 + 2 y/c) over `factor` K d log(1 + y/K), c = exp(1/sqrt(3)), K >= 2, y >= exp(13), v = 1/log(y)."""
    steep = m.exp(1 / m.sqrt(3))
    return steep * (1 + v * m.log(2 / steep + m.exp(-13))) / (2 * m.number(factor) * (1 - v * m.log(2)))


def sum_by_determinant(factor: int | Fraction = 1) -> bool:
    """The steps to it: grad mu >= grad mu_*/c, the tangents of log, K log(1 + y/K) grows with K, and y >= exp(13) at T >= tau."""
    del factor
    y, K = unknowns("y", "K")
    derivative = K * (y / K**2) / (1 + y / K) == (y / K) / (1 + y / K)
    least = 2 * 784 * BALLS.log(SHORTEST_HORIZON) ** 2 > BALLS.exp(13)
    return growth_below(2) and tangents_cancel() and derivative and TAU == 784 * 144 and bool(least)


BEYOND_WORDS = r"$K = 2$, $d = 1$, $x = 1$, $\delta = 1/20$, $T$ just above $2 \tau$: $\theta_{s+1}$ is longer than $\theta_*$ by $1$ until $\bar W = 4 S^2 \lambda$, which is on the event, and $\theta_*$ after that; its curvature is up to $e^{\sqrt 2} = 4.11$ times less, more than $K$"
"""What `BEYOND` is."""

SECOND_BONUS = Inequality(
    second_bonus,
    {"curved": (0.0, 9.0), "digits": (0.0, 18.0)},
    cases=[{"K": K, "d": d} for K in (2, 3, 64) for d in (1, 2, 10)],
    note=r"true although C145 and C146 are not as printed, because the norm is a $K$-th part of the trace: as $I \otimes M$ has the norm of $M$, $3 e R \kappa \sigma_T^2 d \log(1 + 2 T/(d \lambda \kappa))$ is a bound too, with $\sigma_T^2 d$ for $\sigma_T^2 K d$. The term of Theorem 1 that comes from it is $\kappa d^2 K$ instead of $\kappa d^2 K^2$; $R \tau$ keeps $K^2$. For $T < \tau$ the sum is empty. With the shorter $\tau$ of Lemma 1 as corrected (C121b) that bound is used in its place",
    share=0.25,
    proof=Together(
        [
            Exactly(
                sum_by_determinant,
                r"$\nabla\mu(\theta_{s+1} x) \succcurlyeq \nabla\mu(\theta_* x)/c \succcurlyeq I/(c \kappa)$ on $1^\perp$ with $c = e^{1/\sqrt 3}$, as $\|(\theta_{s+1} - \theta_*) x\| \le 1/\sqrt 6$ and $\|\theta_*\| \le S$, and $1 1^\top \succcurlyeq I$ on $1$: so $\bar W_t \succcurlyeq I \otimes B_t$, $B_t = \frac\lambda2 I + \frac1{c \kappa} \sum_{s \le t} x_s x_s^\top$ over the rounds of learning. A norm is at most $x_t^\top B_t^{-1} x_t \le c \kappa \log(|B_t|/|B_{t-1}|)$, the sum at most $c \kappa d \log(1 + 2 y/c)$ with $y = T/(d \lambda \kappa)$, by tangents of $\log$ at the mean eigenvalue",
            ),
            Balls(
                second_bonus_reduced,
                {"v": (0.0, Fraction(1, 13))},
                words=r"$K \log(1 + y/K)$ grows with $K$ as $\log(1 + u) \ge u/(1 + u)$, so $K = 2$ is worst; $y \ge \tau/(d \lambda \kappa) \ge 784 K \log^2(3 \cdot 10^8) > e^{13}$; $v = 1/\log y$",
            ),
        ]
    ),
)
"""The line, of any K and d, with the diameter of Lemma 1."""


def second_bonuses(effort: Effort, factor: int | Fraction = 1, square: int = 6) -> Finding:
    """With the counterexample at 1/sqrt(square)."""
    proof = Balls(second_bonus_beyond, {}, cases=[BEYOND])
    beyond = Inequality(second_bonus_beyond, cases=[BEYOND], fixed={"square": square}, proof=proof)
    return finding.all_of(SECOND_BONUS(effort, factor=factor), beyond(effort))


C144 = claim(
    "C144",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 2, last line",
        lines=(993, 995),
        kind="step",
        prints=r"$\sum_t \epsilon_{2,t}(x_t) \le 3 R \kappa \sigma_T(\delta)^2 K d \log(1 + T/(K d \lambda \kappa))$.",
        hypotheses=r"$\tau$, $\lambda_0$ and $\lambda = 144 K d$ as in Theorem 1; $\mathrm{diam}(\Theta) \le 1$ and $\lVert \theta_* - \theta_{t+1} \rVert_{\bar W_{t+1}} \le \sigma_t(\delta)$ (line 952).",
        reading=r"With this $\tau$ $\mathrm{diam}(\Theta) \le 1/\sqrt 6$ whatever the outcomes, for $T \ge \max(\tau, 2)$ (C122), and that is used; for $T < \tau$ the sum is empty, and at $T = 1$ a diameter of at most 1 makes the arm short enough. In a $\Theta$ of which only the $1$ of line 952 is known the line would fail for $K \le 3$: "
        + BEYOND_WORDS
        + r", and the sum is $1.16$ times the bound at $S = 30$.",
    ),
    second_bonuses,
    domain=r"all $K \ge 2$, $d$, arms in the unit ball, $\theta_{s+1}$ with $\|(\theta_{s+1} - \theta_*) x\| \le 1/\sqrt 6$, $\lambda = 144 K d$ and $T \ge \max(\tau, 2)$; searched: orthonormal arms in turn, the curvature $\exp(-1/\sqrt 3)/\kappa$ (the least there is), after the shortest $\tau$, $K = 2, 3, 64$, $d = 1, 2, 10$, $\kappa \ge K$, up to $10^{18}$ rounds",
    planted={"square": 1, "factor": Fraction(3, 10)},
    module=__name__,
)


def potential_below_wbar(
    m: Arithmetic, ridge: int, S: Number, away: Number, digits: Number, exponent: Fraction | int = 0, square: int = 6
) -> Number:
    """U_t with kappa exp(exponent) over Wbar_t, 10^digits rounds t, all theta_{s+1} at S + away/sqrt(square)."""
    t, low = 10**digits, binary_curvature(m, S + away / m.sqrt(m.number(square)))
    return (t * binary_curvature(m, S) / m.exp(m.number(exponent)) + m.number(Fraction(ridge, 2))) / ((t - 1) * low + ridge)


def curvature_reduced(m: Arithmetic, h: Number, w: Number, exponent: Fraction | int = 1) -> Number:
    """g/(exp(exponent) g') = (cosh w + h sinh w)^2/exp(exponent), h = tanh(S/sqrt(2)), w = away/(2 sqrt(3))."""
    return (m.cosh(w) + h * m.sinh(w)) ** 2 / m.exp(m.number(exponent))


def curvature_falls_slowly(exponent: Fraction | int = 1, square: int = 6) -> bool:
    """grad mu(theta_* x) <= exp(exponent) grad mu(theta x) for ||(theta - theta_*) x||^2 <= 1/square: exponent^2 >= 2/square."""
    return growth_below(2) and exponent >= 0 and square * Fraction(exponent) ** 2 >= 2


POTENTIAL_BOX = {"S": (0.1, 8.0), "away": (0.0, 1.0), "digits": (0.0, 12.0)}

POTENTIAL_CASES = ({"ridge": 288}, {"ridge": 2})

EVERY_CURVATURE = Exactly(
    curvature_falls_slowly,
    r"for every $K$ $\nabla\mu(\theta_{s+1} x) \succcurlyeq e^{-\sqrt 2 r} \nabla\mu(\theta_* x) \succcurlyeq I/(c \kappa)$ on $1^\perp$ at a distance of $r$, $\sqrt 2 r$ at most $1$, or $3/2$, and $c$ its exponential; $1 1^\top \succcurlyeq I$ on $1$, and $x_t x_t^\top/(c \kappa) \preccurlyeq I \preccurlyeq \frac\lambda2 I$",
)

NEAR = Inequality(
    potential_below_wbar,
    POTENTIAL_BOX,
    cases=POTENTIAL_CASES,
    share=0.3,
    proof=Together(
        [
            Balls(
                curvature_reduced,
                {"h": (0.0, 1.0), "w": (0.0, 0.2887)},
                words=r"for $K = 2$ with $g = 1/\kappa$ and $g'$ the curvature at $\theta_{s+1}$: $t g/e + \lambda/2 \le (t - 1) g' + \lambda$ for all $t \ge 1$ and $\lambda \ge 2$ as $g/e \le g'$, which is what the balls show for all $S \ge 0$, and $g' \le 1/2 \le \lambda/2$",
            ),
            EVERY_CURVATURE,
        ]
    ),
)
"""With the diameter of Lemma 1."""

FARTHER = Inequality(
    potential_below_wbar,
    POTENTIAL_BOX,
    cases=POTENTIAL_CASES,
    share=0.3,
    fixed={"square": 1},
    proof=EVERY_CURVATURE,
)
"""With that of line 952."""


def potentials_below(effort: Effort, exponent: Fraction | int = 1, wide: Fraction | int = Fraction(3, 2)) -> Finding:
    """Both."""
    return finding.all_of(NEAR(effort, exponent=exponent), FARTHER(effort, exponent=wide))


C146 = claim(
    "C146",
    Statement(
        place="Appendix F.3, proof of Theorem 1, Step 2; Section 3.3.2",
        lines=(991, 991),
        kind="step",
        prints=r"$U_t := \sum_{s \le t} \tfrac1\kappa I_K \otimes x_s x_s^\top + \tfrac\lambda2 I_{Kd} \preccurlyeq \bar W_t$ for $\lambda \ge 2$.",
        hypotheses=r"$\mathrm{diam}(\Theta) \le 1$ (line 952).",
        reading=r"Both sums are over the rounds of learning, counted from $1$ as in Step 4. Read with the $\bar W_{\tau+1} = \lambda I$ of Algorithm 2 and with the exploration in $U_t$, as $s \le t$ says, it is far from true: at $t = \tau + 1$, $T = \tau$, $K = 2$, $S = 1$, $x = 1$ $U_t$ is $1.6 \cdot 10^6$ times $\bar W_t$.",
    ),
    Correction(
        "constant",
        Inequality(
            potential_below_wbar,
            POTENTIAL_BOX,
            cases=POTENTIAL_CASES,
            examples=[{"ridge": 288, "S": 1.0, "away": 1.0, "digits": 4.0}],
            share=0.3,
        ),
        potentials_below,
        r"$U_t = \sum_{s = \tau + 1}^t \tfrac{1}{c \kappa} I_K \otimes x_s x_s^\top + \tfrac\lambda2 I$ with $c = e$ for $\mathrm{diam}(\Theta) \le 1/\sqrt 6$, as Lemma 1 has it, and $c = e^{3/2}$ for the $1$ of line 952: $\theta_{s+1}$ is in $\Theta$, which is not cut to $\|\theta\| \le S$ (Algorithm 1, line 360): at $K = 2$ the curvature at the edge is up to $1.30, 1.49, 1.70, 1.78$ times less than $1/\kappa$ for $S = 1/2, 1, 2, 4$; $\exp(1/\sqrt 3) = 1.781$ does for $e$. The $\kappa$ term of Theorem 1 is multiplied by at most $c$, and not at all if $\Theta$ is cut to that ball",
    ),
    domain=r"$K = 2$, $d = 1$, $x = 1$, all $\theta_{s+1} x$ at the same distance $\le 1/\sqrt 6$ outside of the ball of radius $S$: $\lambda = 288, 2$, $S \in [0.1, 8]$; corrected: all $K$, $d$, arms in the unit ball, $\theta_{s+1}$ with $\|(\theta_{s+1} - \theta_*) x\| \le 1/\sqrt 6$, or $\le 1$, $\|\theta_*\| \le S$, $\lambda \ge 2$ and $t \ge 1$",
    planted={"exponent": 1, "mended_exponent": Fraction(1, 2), "mended_wide": 1},
    module=__name__,
)
