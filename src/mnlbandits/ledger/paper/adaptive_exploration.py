"""Section 3.4: adaptive exploration, its length and its trigger."""

from fractions import Fraction
from types import SimpleNamespace

from mnlbandits.ledger.arithmetic import FLOATS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import All, Balls, Equality, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import Finding, corrected, exactly, inequality
from mnlbandits.ledger.formulas.adaptive import (
    DELTA_W,
    beta_grows,
    elliptical_below,
    score_of_round,
)
from mnlbandits.ledger.formulas.radii import TAU
from mnlbandits.ledger.formulas.regret import tau_of
from mnlbandits.ledger.search import Effort, at, worst_of
from mnlbandits.ledger.simulate.exploration import DELTA
from mnlbandits.ledger.simulate.learning import example
from mnlbandits.simulators.runs import LEAP_RESOLUTION
from mnlbandits.simulators.trigger import trigger


def kappa_over_tau(m: Arithmetic, size: Number, S: Number, log_T: Number, level: Number, constant: int = TAU) -> Number:
    r"""$\kappa$, which cancels, over $\tau$ with `constant` for $336^2$; level = log(1/delta)."""
    T, one = m.exp(log_T), m.number(1)
    return m.number(TAU) / constant * one / tau_of(m, size, S, T, one, m.exp(-level))


def not_proportional(m: Arithmetic, size: Number, kappa: Number, constant: int = TAU) -> Number:
    r"""Relative difference of $\tau$ at $10^{kappa}$ and 1, over $\kappa$; S = 1, T = 1e9, delta = 0.05."""
    del constant
    many, one = (
        tau_of(m, size, m.number(1), m.number(10**9), value, m.number(DELTA_W)) for value in (10**kappa, m.number(1))
    )
    return abs(many / one / 10**kappa - 1)


def proportional(constant: int = TAU) -> bool:
    r"""Whether $\tau$ at an unknown $\kappa$ is $\kappa$ times that at 1, the logarithms unknown too."""
    size, S, T, kappa, delta = unknowns("size", "S", "T", "kappa", "delta")
    plain = SimpleNamespace(log=lambda value: value)
    return constant > 0 and tau_of(plain, size, S, T, kappa, delta) == kappa * tau_of(plain, size, S, T, 1, delta)


def tau_above(constant: int = TAU) -> bool:
    r"""$\tau/\kappa$ is at least 4 `constant` $\log^2 T$, and $\log 2 \ge 2/3$."""
    return 4 * constant * Fraction(2, 3) ** 2 >= 1


COSTLY = {"size": (2.0, 1e12), "S": (0.0, 1e16), "log_T": (0.6931472, 69.0), "level": (0.0, 600.0)}

C187 = claim(
    "C187",
    Statement(
        place="Section 3.4, first paragraph",
        lines=(538, 539),
        kind="text",
        prints=r"The initial exploration enforces $\kappa$ rounds of exploration, which given the nature of $\kappa$ might be costly; Algorithm 3 employs adaptive rather than hardcoded exploration.",
        reading=r"$\tau \ge \kappa$, in proportion to it.",
    ),
    All(
        (
            Inequality(
                kappa_over_tau,
                COSTLY,
                share=0.2,
                proof=Exactly(tau_above, r"$K d \ge 2$, $\log(T/\delta) \ge \log T \ge \log 2$"),
            ),
            Equality(
                not_proportional,
                {"size": (2.0, 1e6), "kappa": (0.0, 9.0)},
                share=0.1,
                proof=Exactly(proportional, "for every value of the logarithms"),
            ),
        )
    ),
    domain=r"every $K$, $d$, $S$, $\kappa$, $\delta \in (0, 1]$ and $T \ge 2$",
    planted={"constant": Fraction(1, 10)},
    module=__name__,
)


def ratio_of_trigger(m: Arithmetic, rounds: Number, tau: Number, share: Number | int = 1) -> Number:
    r"""$|T^w|$ over tau."""
    return rounds / (share * tau)


def explored_over_tau(m: Arithmetic, S: Number, root: Number, share: Number | int = 1) -> Number:
    r"""$2 \tau_T^2 \kappa K d \log T$ over tau, at $\log(T/\delta)^{-1/2}$ = `root`: K d, kappa and log T cancel."""
    radius = 4 + 2 * m.sqrt(72 * (1 + m.sqrt(6) * S)) * root
    return 48 * S**2 * radius**2 / (m.number(share) * 336**2 * (S + 1))


SHORTER = Together(
    (
        Balls(
            explored_over_tau,
            {"S": (0.0, 4.0), "root": (0.0, 0.3163)},
            words=r"$\log(1 + T/(K d \lambda^w)) \le \log T$ as $K d \lambda^w \ge 288$, and $K d$, $\kappa$ and $\log T$ cancel",
        ),
        Balls(
            score_of_round, {"q": (0.0, 0.5)}, words=r"$|T^w| \le 2 \tau_T^2 \kappa K d \log(1 + T/(K d \lambda^w))$, C181"
        ),
        Exactly(elliptical_below, "from single scores to their sum, C181b"),
        Exactly(beta_grows, "by the trigger, C181c"),
    )
)
"""That |T^w| <= tau for S <= 4 and log(T/delta) >= 10."""


def practical(effort: Effort, share: float = 1.0) -> Finding:
    """|T^w| over tau on three instances, all arms on offer in every round."""
    del effort
    ratios, shown = [], []
    for K, S in ((3, 1.0), (3, 2.0), (2, 4.0)):
        instance = example(K, norm=S, known=S)
        found, kappa = trigger(instance, 1e12, DELTA, LEAP_RESOLUTION // 10), instance.constants["kappa"]
        tau = tau_of(FLOATS, 2 * K, S, 1e12, kappa, DELTA)
        ratios.append(at(ratio_of_trigger, f"K = {K}, d = 2, S = {S:g}", rounds=float(found.rounds), tau=tau, share=share))
        shown.append(f"{found.rounds:.3g} of {tau:.3g} (= {found.rounds / kappa:.3g} kappa) at K = {K}, S = {S:g}")
    note = f"|T^w| of tau rounds: {'; '.join(shown)}. Much shorter, but still proportional to kappa: both explore in the norm of (1/kappa) I (x) x x^T"
    return inequality(worst_of(ratios), ratio_of_trigger, note, loose=False, proof=SHORTER())


C187b = claim(
    "C187b",
    Statement(
        place="Section 3.4, first paragraph; Appendix H",
        lines=(538, 539),
        kind="text",
        prints=r"Algorithm 3 explores less than Algorithm 1: $|T^w| \le \tau$.",
        reading=r"Ours, the likely point of the paragraph; with the constants of both algorithms as printed.",
    ),
    practical,
    domain=r"every $K$, $d$, $\kappa$ and sequence of action sets in the unit ball, $S \le 4$, $T \ge 2$, $\log(T/\delta) \ge 10$; run on the large $\kappa_*$ example, $K = 3$, $d = 2$, $S = 1, 2$ and $K = 2$, $d = 2$, $S = 4$; $T = 10^{12}$, all arms on offer in every round. For larger $S$ and small $\log(T/\delta)$ the bound of Lemma 5 can be above $\tau$: $1.395 \tau$ at $S = 6$, $\log(T/\delta) = 10$",
    planted={"share": 1e-9},
    ours=True,
    module=__name__,
)


def trigger_determinants(ridge: Fraction | int) -> list[Fraction]:
    """Determinants of the d x d block of H^w_0 for d = 1, 2 and of H^w_1 for d = 2, kappa = 1, a unit arm."""
    ridge = Fraction(ridge)
    return [ridge, ridge**2, ridge * (ridge + 1)]


def trigger_matrix(effort: Effort, ridge: int = 0, mended_ridge: int = 72) -> Finding:
    """Whether the matrices of the trigger have inverses."""
    del effort
    values = [f"{float(value):.3g}" for value in trigger_determinants(ridge)]
    evidence = f"det of the block, in exact arithmetic: {values[1]} at t = 1, {values[2]} at t = 2 with d = 2, kappa = 1"
    printed = exactly(min(trigger_determinants(ridge)) > 0, evidence, "t = 1: H^w_0 = 0 has no inverse")
    mended = exactly(
        min(trigger_determinants(mended_ridge)) > 0, r"with $\lambda^w \ge 72$ the determinants are positive", "t = 1"
    )
    return corrected("misprint", printed, mended, r"misprint: plus $\lambda^w I$, as in Algorithm 3")


C171 = claim(
    "C171",
    Statement(
        place="Section 3.4, trigger condition",
        lines=(553, 556),
        kind="equation",
        prints=r"$\max_{x \in \mathcal X_t} \|I_K \otimes x\|^2_{(H^w_{t-1})^{-1}} \ge \frac{1}{\tau_t^2}$ where $H^w_{t-1} = \sum_{s=1}^{t-1} \frac{1}{\kappa} I_K \otimes x_s x_s^\top \mathbf 1\{s \in T^w\}$",
        reading=r"The trigger is defined.",
    ),
    trigger_matrix,
    domain=r"determinant of the $d \times d$ block before and after one round; $d = 1, 2$",
    planted={"ridge": 72, "mended_ridge": 0},
    module=__name__,
)
