"""Section 3.3, Theorem 1: whether its constant is universal."""

from dataclasses import replace
from fractions import Fraction

from mnlbandits.ledger.arithmetic import FLOATS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import RATIONALS, nonnegative, unknowns
from mnlbandits.ledger.claim import Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, universal
from mnlbandits.ledger.formulas.learning import LEVEL, sigma_t
from mnlbandits.ledger.formulas.mended import LAST, LAST_LINE_BOX, Given, given_in_digits, last_line, later_terms
from mnlbandits.ledger.formulas.regret import leading, tau_of, uneven_arms, uneven_horizon
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.simulate.exploration import DELTA
from mnlbandits.ledger.simulate.learning import example, learning_regret

NORMS = [1e4, 1e8, 1e12, 1e16]
"""S, with arms of length 1/S at most, so that kappa stays at 3.18 and T >= tau at `uneven_horizon`."""


def radius_at_tau(m: Arithmetic, S: Number, power: int | Fraction = 0) -> Number:
    """sigma_T/sqrt(K d log(T/delta)) over (1 + S)^power for K = 2, d = 1 and that T."""
    horizon = uneven_horizon(S)
    level = m.log(horizon / m.number(LEVEL))
    return sigma_t(m, 2, S, horizon) / m.sqrt(2 * level) / m.power(1 + S, m.number(power))


def radius_free_of_bound(effort: Effort, power: int | Fraction = 0) -> Finding:
    """The constant that sigma_T needs against S, and the regret of REAL for several S, theta_* and T fixed."""

    def needed(m: Arithmetic, S: Number) -> Number:
        return radius_at_tau(m, S, power)

    printed = universal(needed, NORMS, "S")
    known = (2.0, 4.0, 8.0) if effort.rounds > 1000 else (2.0, 4.0)
    right = leading(FLOATS, example().constants, 1e20, DELTA)
    shown = ", ".join(f"{learning_regret(1e20, known=S) / right:.3g} at S = {S:g}" for S in known)
    return replace(printed, evidence=f"{printed.evidence}; the regret of REAL over the leading term, simulated: {shown}")


def leading_mended(m: Arithmetic, bound: int = 114, **point: Number) -> Number:
    """The leading term of the mended theorem over bound (1 + S/sqrt(log(T/delta))) R d K sqrt(T/kappa_*) log(T/delta)."""
    given = given_in_digits(m, **point)
    both = given.log_T + given.level
    return last_line(m, given)[0] / (bound * (1 + given.S / m.sqrt(both)) * given.d * given.K * both)


def leading_mended_below(bound: int = 114) -> bool:
    """Part by part: D <= K d, and (norm S)^2 K d D log T <= (bound S K d)^2 log(T/delta), of unknown K - 2, d - 1, S and so on."""
    more, others, S, log_T, level = unknowns("more", "others", "S", "log_T", "level")
    K, d = 2 + more, 1 + others
    free, both = (K - 1) * d, log_T + level
    first = nonnegative(bound * K * d * both - LAST["free"] * free * both)
    return first and nonnegative((bound * S * K * d) ** 2 * both - LAST["norm"] ** 2 * S**2 * K * d * free * log_T)


C157 = claim(
    "C157",
    Statement(
        place="Theorem 1, 'universal constant'; last line of Step 6, first term",
        lines=(448, 450),
        kind="step",
        prints=r"$C$ is a universal constant in the leading term $C R d \sqrt{K T/\kappa_*} \log(T/\delta)$.",
        reading=r"$C$ is free of $S$. The last line of the proof, 1122, has this term from $2 e \sigma_T(\delta) [d \log(1 + \tfrac{T}{\lambda d})]^{1/2} R \sqrt{T/\kappa_*}$ (line 1120), by $\sigma_T \le C \sqrt{K d \log(T/\delta)}$ with $C$ universal, for all $T \ge \tau$: that is examined. It is a step, so that what fails is not the bound on the regret, which other terms may carry (C156).",
    ),
    Correction(
        "rate",
        radius_free_of_bound,
        Inequality(
            leading_mended,
            LAST_LINE_BOX,
            note=r"the leading term of the mended theorem",
            proof=Exactly(leading_mended_below, r"part by part, as $D = (K - 1) d \le K d$ and $\log T \le \log(T/\delta)$"),
        ),
        r"$C (1 + S/\sqrt{\log(T/\delta)})$ in the leading term: $\sigma_T = \sqrt{K d}\, (0.82 \sqrt{\log(T/\delta)} + 24 S)$, and no hypothesis ties $\log T$ to $S$, as arms may be short. As $T$ grows with $S$ fixed, a $C$ free of $S$ will do, once $\log(T/\delta) > 864 S^2$. The mended theorem (C156) has this factor with $C = 114$, and $K$ for $\sqrt K$",
    ),
    domain=r"$K = 2$, $d = 1$, $\delta = 0.05$, arms $-1/S$ and $1/(2 S)$, so that $\kappa = 3.18$: $T = 6 \cdot 10^9 S \ge \tau$, $S = 10^4..10^{16}$; the constant needed, $0.82 + 24 S/\sqrt{\log(T/\delta)}$, is above every number. Corrected: all $K$, $d$, $S$, $T \ge 1$ and $\delta$, searched with $K \le 10^{11}$, $d \le 10^6$, $S \le 10^{16}$, $T \le e^{70}$. Simulated: REAL at the paper's constants with $S = 2, 4$ (full: $8$), $T = 10^{20}$",
    planted={"power": 1, "mended_bound": 20},
    module=__name__,
)


# The second term


def second_term_at_tau(m: Arithmetic, S: Number, power: int = 0) -> Number:
    """R tau alone over kappa R d^2 K^2 log^2(T/delta) (1 + S)^power, K = 2, d = 1, at that T."""
    horizon, kappa, delta = uneven_horizon(S), uneven_arms(m)["kappa"], m.number(LEVEL)
    level = m.log(horizon / delta)
    return tau_of(m, 2, S, horizon, kappa, delta) / (kappa * 4 * level**2) / (1 + S) ** power


def second_term_free_of_bound(effort: Effort, power: int = 0) -> Finding:
    """The constant that the second term needs against S."""
    del effort

    def needed(m: Arithmetic, S: Number) -> Number:
        return second_term_at_tau(m, S, power)

    return universal(needed, NORMS, "S")


def second_term_mended(m: Arithmetic, bound: int = 6000, **point: Number) -> Number:
    """All but the leading term of the mended theorem over bound (1 + S)^3 kappa (R + nu) K^2 d^2 log^2(T/delta)."""
    given = given_in_digits(m, **point)
    right = given.kappa * (1 + given.nu) * (given.K * given.d * (given.log_T + given.level)) ** 2
    return sum(later_terms(m, given)) / (bound * (1 + given.S) ** 3 * right)


def second_term_below(bound: int = 6000) -> bool:
    """The difference has no negative coefficient in K - 2, d - 1, kappa - K, log T - 2/3, log(1/delta), S, R and nu; log 2 > 2/3."""
    more, others, steep, far, level, S, R, nu = unknowns("more", "others", "steep", "far", "level", "S", "R", "nu")
    K, d, log_T = 2 + more, 1 + others, Fraction(2, 3) + far
    given = Given(K, d, S, log_T, level, K + steep, R, nu, 0)
    both = log_T + level
    right = bound * (1 + S) ** 3 * given.kappa * (R + nu) * (K * d * both) ** 2
    return nonnegative(right - sum(later_terms(RATIONALS, given)))


C157b = claim(
    "C157b",
    Statement(
        place="Theorem 1, 'universal constant'; last line of Step 6, second term",
        lines=(448, 450),
        kind="theorem",
        prints=r"$C$ is a universal constant in the term $C \kappa (R + \nu) d^2 K^2 \log^2(T/\delta)$.",
        reading=r"$C$ is free of $S$ in a term that contains $R \tau$, most of which is regret where the arm that the exploration plays is not optimal (C156).",
    ),
    Correction(
        "rate",
        second_term_free_of_bound,
        Inequality(
            second_term_mended,
            LAST_LINE_BOX,
            note=r"all but the leading term of the mended theorem",
            proof=Exactly(
                second_term_below,
                r"the difference is a polynomial without negative coefficients in $K - 2$, $d - 1$, $\kappa - K$, $\log T - 2/3$, $\log(1/\delta)$, $S$, $R$ and $\nu$",
            ),
        ),
        r"$(1 + S)^3$ in front of it: that is the power of $S$ in the mended $\tau = \lceil 42 (S + 3)^2 (S + 1) K d^2 \kappa \log(T/\delta) \log T \rceil$; the printed $\tau$ has one power, but with the printed $\tau$ and $\Theta$ the regret can be linear up to $T = 9 \cdot 10^{29}$ (C156). The last line of the proof has $1 + S$",
    ),
    domain=r"the instance of C157, $R \tau$ alone; the constant needed, $336^2 (S + 1) \log T/\log(T/\delta)$, is above every number. Corrected, with $C = 6000$: all $K$, $d$, $S$, $\kappa \ge K$, $T \ge 2$, $\delta$, $R$ and $\nu$, searched with $K \le 10^{11}$, $d \le 10^6$, $S \le 10^{16}$, $T \le e^{70}$, $\kappa = K$",
    planted={"power": 1, "mended_bound": 100},
    module=__name__,
)
