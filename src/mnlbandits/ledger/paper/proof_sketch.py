"""Section 3.3.2: the proof sketch of Theorem 1."""

from dataclasses import replace
from fractions import Fraction

from mnlbandits.ledger.arithmetic import FLOATS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import RATIONALS, nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, all_of, universal
from mnlbandits.ledger.formulas.learning import LEVEL, bonuses, sigma_t
from mnlbandits.ledger.formulas.regret import (
    COST_BELOW_NORM,
    cost_below_norm,
    longer_arm_cost,
    round_cost,
    tau_of,
    two_arms_box,
    uneven_arms,
    uneven_horizon,
)
from mnlbandits.ledger.formulas.softmax import slope
from mnlbandits.ledger.search import Effort

C169 = claim(
    "C169",
    Statement(
        place="Section 3.3.2, proof sketch, first display",
        lines=(491, 494),
        kind="equation",
        prints=r"$\mathrm{Reg}_T \le \tau + \sum_{t > \tau} \rho^\top (\mu(\theta_* x_*) - \mu(\theta_* x_t)) \le \tau + 2 \sum_t \epsilon_{1,t}(x_t) + 2 \sum_t \epsilon_{2,t}(x_t)$.",
        labels=("eq:sketch_proof_thm4_1",),
    ),
    Correction(
        "misprint",
        Inequality(longer_arm_cost, {"S": (0.1, 10.0), "R": (0.01, 100.0)}, examples=[{"S": 2.0, "R": 4.0}]),
        Inequality(
            round_cost,
            two_arms_box,
            cases=({"K": 2}, {"K": 3}),
            share=0.25,
            proof=Exactly(cost_below_norm, COST_BELOW_NORM),
        ),
        r"misprint: $R \tau$ for $\tau$; the $R$ of the second term of Theorem 1 has it",
    ),
    domain=r"first inequality: $K = 2$, $d = 1$, arms $1/2$ and $-1$, of which the exploration plays only the longer, worse one, $S \in [0.1, 10]$, $\rho = (R, 0)$, $R \in [0.01, 100]$; corrected: every round, $K$ and instance. Second: C141; the sums over $t \le \tau$, where no bonus is defined, are at least $0$",
    planted={"power": 1, "mended_factor": Fraction(1, 2)},
    module=__name__,
)


# The exploration


def tau_over_squares(m: Arithmetic, size: Number, S: Number, log_T: Number, level: Number, power: int = 2) -> Number:
    """tau over 336^2 (1 + S) (K d)^2 kappa log^power(T/delta), level = log(1/delta)."""
    horizon, delta = m.exp(log_T), m.exp(-level)
    return tau_of(m, size, S, horizon, m.number(1), delta) / (336**2 * (1 + S) * size**2 * (log_T + level) ** power)


def logarithms_below(power: int = 2) -> bool:
    """log(T/delta) log T <= log^power(T/delta)."""
    log_T, level = unknowns("log_T", "level")
    return nonnegative((log_T + level) ** power - (log_T + level) * log_T)


C169b = claim(
    "C169b",
    Statement(
        place="Section 3.3.2, proof sketch, after its first display",
        lines=(496, 496),
        kind="text",
        prints=r"The first term $\tau$ corresponds to the exploration cost and yields the logarithmic term in $T$ in the regret upper-bound.",
        reading=r"$\tau$ is at most $C \kappa K^2 d^2 \log^2(T/\delta)$ with a $C$ that does not depend on $T$, $\delta$, $K$, $d$ and $\kappa$.",
    ),
    Inequality(
        tau_over_squares,
        {"size": (2.0, 1e6), "S": (0.0, 1e16), "log_T": (0.01, 70.0), "level": (0.0, 50.0)},
        note=r"$C = 336^2 (1 + S)$; on $S$ see C157b, on $R$ C169",
        proof=Exactly(
            logarithms_below, r"$\tau = 336^2 (S + 1) (K d)^2 \kappa \log(T/\delta) \log T$, and $\log T \le \log(T/\delta)$"
        ),
    ),
    domain=r"every $K$, $d$, $S$, $\kappa$, $T \ge 1$ and $\delta \in (0, 1]$; searched with $K d \le 10^6$, $S \le 10^{16}$, $T \le e^{70}$",
    planted={"power": 1},
    module=__name__,
)


# The sums of the bonuses


def sigma_missing(m: Arithmetic, S: Number, digits: Number, power: int = 1) -> Number:
    """|eps_2 of Section 3.2 over 3 R sigma_t^power ||.||^2 - 1|, R = ||.|| = 1, K = 2, d = 1, t = 10^digits."""
    sigma = sigma_t(m, 2, S, 10**digits)
    return abs(bonuses(m, (0 * sigma, 1), sigma, 1) / (3 * sigma**power) - 1)


def second_bonus_as_defined(power: int) -> bool:
    """3 R sigma^2 ||.||^2 = 3 R sigma^power ||.||^2 as rational functions."""
    R, sigma, norm = unknowns("R", "sigma", "norm")
    return bonuses(RATIONALS, (0 * norm, norm**2), sigma, R) == 3 * R * sigma**power * norm**2


SIGMA_BOX = {"S": (0.1, 20.0), "digits": (9.0, 18.0)}

FIRST_DISPLAY = Equality(
    sigma_missing,
    SIGMA_BOX,
    share=0.1,
    fixed={"power": 2},
    proof=Exactly(second_bonus_as_defined, r"$\epsilon_{2,t}$ as Section 3.2 defines it"),
)


def short_arms_over_display(m: Arithmetic, S: Number, power: int = 0) -> Number:
    """At least sum eps_2 over (1 + S)^power R kappa K^2 d^2 log^2(T/delta), on arms -1/S and 1/(2 S), K = 2, d = 1.

    Whatever is played, an arm is at least 1/(2 S) long and W_t at most lambda + rounds/(2 S^2) on Pi R^2.
    """
    horizon, kappa, delta = uneven_horizon(S), uneven_arms(m)["kappa"], m.number(LEVEL)
    tau = tau_of(m, 2, S, horizon, kappa, delta)
    rounds, level = horizon - tau - 1, m.log(horizon / delta)
    left = 3 * rounds * sigma_t(m, 2, S, tau) ** 2 / (4 * S**2 * (288 + rounds / (2 * S**2)))
    return left / (4 * kappa * level**2) / (1 + S) ** power


def second_bonus_display(effort: Effort, power: int = 0) -> Finding:
    """The constant that its last line needs against S, and the first line over eps_2."""
    del effort

    def needed(m: Arithmetic, S: Number) -> Number:
        return short_arms_over_display(m, S, power)

    found, missing = universal(needed, [1e4, 1e8, 1e12, 1e16], "S"), sigma_missing(FLOATS, 1.0, 10.0)
    return replace(
        found,
        evidence=f"{found.evidence}; $\\epsilon_2$ is {1 + missing:.4g} times the first line at $S = 1$, $t = 10^{{10}}$",
    )


def last_of_display(
    m: Arithmetic, outcomes: Number, dim: Number, size: Number, log_T: Number, level: Number, constant: int = 1728
) -> Number:
    """3 R kappa sigma_T^2 K d log(1 + T/(K d lambda kappa)) over constant R kappa K^2 d^2 L^2 (1 + S/sqrt L)^2, kappa = K."""
    K, S, both = 2 + 10**outcomes, 10**size, log_T + level
    Kd = K * (1 + 10**dim)
    left = 3 * sigma_t(m, Kd, S, m.exp(both), Fraction(1)) ** 2 * m.log1p(m.exp(log_T) / (144 * Kd**2 * K))
    return left / (constant * Kd * both**2 * (1 + S / m.sqrt(both)) ** 2)


def last_of_display_below(constant: int = 1728) -> bool:
    """sigma_T <= sqrt(K d) (a + 24 S), a^2 = L; log(1 + T/1152) <= log T for T >= 2."""
    a, S, far = unknowns("a", "S", "far")
    T = 2 + far
    return nonnegative(constant * (a + S) ** 2 - 3 * (a + 24 * S) ** 2) and nonnegative(T - 1 - T / 1152)


LAST_OF_DISPLAY = Inequality(
    last_of_display,
    {"outcomes": (-9.0, 11.0), "dim": (-9.0, 6.0), "size": (-9.0, 16.0), "log_T": (0.7, 70.0), "level": (0.0, 50.0)},
    note=r"$3 R \kappa \sigma_T^2 K d \log(1 + T/(K d \lambda \kappa))$, which C144 has for the sum, over $1728$ times the mended last line",
    proof=Exactly(
        last_of_display_below,
        r"$\sigma_T \le \sqrt{K d} (\sqrt L + 24 S)$, $L = \log(T/\delta)$, $K d \lambda \kappa \ge 1152$, and $T - 1 - T/1152 \ge 0$ for $T \ge 2$: no coefficient is negative",
    ),
)


def display_on_second_bonus(effort: Effort, power: int = 2, constant: int = 1728) -> Finding:
    """The first line with sigma_t^power, and the last."""
    return all_of(FIRST_DISPLAY(effort, power=power), LAST_OF_DISPLAY(effort, constant=constant))


C167 = claim(
    "C167",
    Statement(
        place="Section 3.3.2, proof sketch, display on eps_2",
        lines=(498, 500),
        kind="equation",
        prints=r"$\sum_t \epsilon_{2,t}(x_t) = 3 R \sum_t \sigma_t(\delta) \|(I_K \otimes x_t^\top) \bar W_t^{-1/2}\|_2^2 \lesssim \dots \le R \kappa \sigma_T(\delta) \sum_t \log \tfrac{|U_t|}{|U_{t-1}|} \lesssim R \kappa K^2 d^2 \log^2(T/\delta)$.",
        reading=r"$\lesssim$ hides a universal constant, so nothing that depends on $S$ (Section 2). The steps between the first and the last line are C144 to C146.",
        labels=("eq:sketch_proof_Thm4_2",),
    ),
    Correction(
        "rate",
        second_bonus_display,
        display_on_second_bonus,
        r"$\sigma_t^2$ and $\sigma_T^2$ for $\sigma_t$ and $\sigma_T$, a misprint, and $(1 + S/\sqrt{\log(T/\delta)})^2$ in the last line, $C = 1728$: $\sigma_T^2$ has $576 S^2 K d$, as in C157",
    ),
    domain=r"As printed: the instance of C157, $K = 2$, $d = 1$, $\delta = 0.05$, arms $-1/S$ and $1/(2 S)$, $T = 6 \cdot 10^9 S$, $S = 10^4..10^{16}$, whatever is played. Corrected: first line, $K = 2$, $d = 1$, $S \in [0.1, 20]$, $t \in [10^9, 10^{18}]$ and as rational functions in general; last line, from C144: every $K$, $d$, $S$, $\kappa \ge K$, $\delta$ and $T \ge 2$, searched with $K \le 10^{11}$, $d \le 10^6$, $S \le 10^{16}$, $T \le e^{70}$, $\kappa = K$",
    planted={"power": 2, "mended_power": 3, "mended_constant": 800},
    module=__name__,
)


def root_of_sigma(effort: Effort, power: Fraction = Fraction(1, 2)) -> Finding:
    """The constant that sigma_T <= C sigma_T^power needs against S, K = 2, d = 1; tau <= T for short arms."""
    del effort

    def needed(m: Arithmetic, S: Number) -> Number:
        return m.power(sigma_t(m, 2, S, uneven_horizon(S)), m.number(1 - power))

    return universal(needed, [1e4, 1e8, 1e12, 1e16], "S")


def first_bonus_split(
    m: Arithmetic, S: Number, digits: Number, asked: Number, weight: Number, reward: Number, power: int = 1
) -> Number:
    """|eps_1 over sigma^power ||Wbar^(-1/2) (I (x) x) G^(1/2)|| ||G^(1/2) rho|| - 1|; `weight` is Wbar on Pi R^2, `reward` rho's part there."""
    sigma, curved = sigma_t(m, 2, S, 10**digits), 2 * slope(m, m.sqrt(2) * S * asked)
    left = sigma * asked * curved * reward / m.sqrt(weight)
    right = sigma**power * (asked * m.sqrt(curved) / m.sqrt(weight)) * (m.sqrt(curved) * reward)
    return abs(left / right - 1)


def both_sides_agree(power: int) -> bool:
    """The squares of both sides are one rational function: G is 2 mu' on Pi R^2, a line, and 0 on 1."""
    sigma, asked, curved, weight, reward = unknowns("sigma", "asked", "curved", "weight", "reward")
    left = (sigma * asked * curved * reward) ** 2 / weight
    return left == sigma ** (2 * power) * (asked**2 * curved / weight) * (curved * reward**2)


C168 = claim(
    "C168",
    Statement(
        place="Section 3.3.2, proof sketch, display on eps_1",
        lines=(502, 506),
        kind="equation",
        prints=r"$\sum_t \epsilon_{1,t}(x_t) \lesssim \sqrt{\sigma_T(\delta)} \sqrt{\sum_t \|\bar W_t^{-1/2} (I_K \otimes x_t) \nabla\mu(\theta'_t x_t)^{1/2}\|_2^2} \sqrt{\sum_t \rho^\top \nabla\mu(\theta_* x_t) \rho}$.",
        reading=r"$\theta'_t$, which is not defined, is $\theta_t$; all sums are over the rounds of learning.",
        labels=("eq:sketch_proof_Thm4_3",),
    ),
    Correction(
        "misprint",
        root_of_sigma,
        Equality(
            first_bonus_split,
            SIGMA_BOX | {"asked": (0.01, 1.0), "weight": (1.0, 1e6), "reward": (0.01, 1.0)},
            share=0.1,
            fixed={"power": 1},
            proof=Exactly(
                both_sides_agree,
                r"both sides are positive and have the same square, a rational function of $\sigma$, $x$, $2 \mu'$, $\bar W_t$ and $\rho$",
            ),
        ),
        r"misprint: $\sigma_T$ for $\sqrt{\sigma_T}$, as in Step 3. Proved here for the rounds in the domain, $K = 2$, $d = 1$, $\theta_t = \theta_*$, where both sides agree; for all $K$, $d$ and $\theta_t$, with $C = e$, it is C148 that proves it",
    ),
    domain=r"$K = 2$, $d = 1$, $\delta = 0.05$, $\theta_t = \theta_*$, the one round of learning if $T = \tau + 1$, where the two sides agree but for $\sigma$: $T = 6 \cdot 10^9 S$, $S = 10^4..10^{16}$, the single arm as short as makes $\tau = T - 1$; the constant needed is $\sqrt{\sigma_T} \ge \sqrt{24 \sqrt 2 S}$, above every number; corrected, with $C = 1$: all such rounds, $\sigma$, arms and $\bar W_t$",
    planted={"power": 1, "mended_power": 2},
    module=__name__,
)
