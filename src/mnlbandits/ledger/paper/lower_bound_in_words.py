"""Section 3.3, before Theorem 2: a regret proportional to 1/sqrt(kappa_*) for any K and any d; here d = 1."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Balls, Correction, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import Finding, universal
from mnlbandits.ledger.formulas.softmax import sigmoid
from mnlbandits.ledger.search import Effort

# An instance before T: the majority of all outcomes decides after a number of rounds that does not depend on T


def greedy_regret(m: Arithmetic, u: Number) -> Number:
    """A bound on the expected regret of the majority rule, for any T: gap (1 + sum_{n >= 1} exp(-n gap^2/2)), K = 2, d = 1.

    The arms are 1 and -1, the difference of the logits at 1 is u > 0, rho = (1, 0). Outcomes of the arm -1 are exchanged, so
    that n rounds show n draws of a chance s(u), whichever arms were played, and gap = 2 s(u) - 1.
    """
    gap = 2 * sigmoid(m, u) - 1
    return gap * (1 + 1 / m.expm1(gap**2 / 2))


def rate_over_greedy(m: Arithmetic, u: Number, horizon: Number, power: Fraction = Fraction(1, 2)) -> Number:
    """T^power R/sqrt(kappa_*) over that bound."""
    chance = sigmoid(m, u)
    return m.power(horizon, m.number(power)) * m.sqrt(chance * (1 - chance)) / greedy_regret(m, u)


def instance_first(effort: Effort, power: Fraction = Fraction(1, 2)) -> Finding:
    """The inverse of the constant c that Reg_T >= c R sqrt(T/kappa_*) needs, on one instance, against T."""
    del effort

    def needed(m: Arithmetic, horizon: Number) -> Number:
        return rate_over_greedy(m, m.number(1), horizon, power)

    return universal(needed, [1e4, 1e8, 1e12, 1e16], "T")


# T before the instance: two instances that exchange the two arms


def pair_exchanged(m: Arithmetic, u: Number, others: Number, constant: int | Fraction = Fraction(1, 5)) -> Number:
    """constant sqrt(T Var) over the Bayes regret of two instances, T = 1/(w_0 u^2), Var <= w/4.

    Half of the K outcomes have logit u/2 and reward 1, half -u/2 and 0 at the arm 1; `others` is 1/(2 m) for m = (K - 1)/2 if
    K is odd, where one more outcome has logit 0 and reward 1/2, and 0 if K is even. w = 1/(1 + others/cosh(u/2)) is the
    chance of all but that one, w_0 its value at u = 0; gap = w tanh(u/2) and KL = gap u, of a round, whatever the arm.
    """
    grown = (1 + others) / (1 + others / m.cosh(u / 2))
    flat = m.tanh(u / 2) / u
    return m.number(constant) * m.sqrt(grown) / (grown * flat * (1 - m.sqrt(grown * flat / 2)))


def pair_reduced(m: Arithmetic, flat: Number, grown: Number, constant: int | Fraction = Fraction(1, 5)) -> Number:
    """`pair_exchanged` of tanh(u/2)/u and w/w_0."""
    return m.number(constant) / (m.sqrt(grown) * flat * (1 - m.sqrt(grown * flat / 2)))


def exchange_exactly() -> bool:
    """gap = w tanh(u/2), KL = gap u and Var = w/4 - gap^2/4, as rational functions of e = exp(u/2), m and one other outcome."""
    e, size, other, u = unknowns("e", "size", "other", "u")
    total = size * e + size / e + other
    high, low = size * e / total, size / e / total
    gap, rest = high - low, other / total
    mean = high + rest / 2
    variance = high + rest / 4 - mean**2
    tanh = (e - 1 / e) / (e + 1 / e)
    divergence = high * u - low * u
    return gap == (high + low) * tanh and divergence == gap * u and variance == (high + low) / 4 - gap**2 / 4


PAIR = Inequality(
    pair_exchanged,
    {"u": (1e-6, 0.5), "others": (0.0, 0.5)},
    note=r"$T \ge \kappa_*$ makes $u \le 1/2$",
    proof=Together(
        [
            Exactly(
                exchange_exactly,
                r"with $P_{\pm}$ the laws of all outcomes, $E\,Reg_T \ge \tfrac T2 \mathrm{gap}\, (1 - \sqrt{T\, KL/2})$ on average (Pinsker), as each arm is the worse one on one of the two instances",
            ),
            Balls(
                pair_reduced,
                {"flat": (0.4898, 0.5), "grown": (1.0, 1.0315)},
                words=r"$\tanh(u/2)/u \in [0.4898, 0.5]$ and $w/w_0 \le \cosh(1/4)$ for $u \le 1/2$",
            ),
        ]
    ),
)

C027b = claim(
    "C027b",
    Statement(
        place="Section 3.3, before Theorem 2",
        lines=(456, 456),
        kind="text",
        prints=r"The following lower-bound shows that for any number of decisions $K$ and any dimension $d$, there exists a problem instance where the learner incurs a regret penalty proportional to $1/\sqrt{\kappa_*}$.",
        quantifiers=r"for all $K$, $d$ and every learner there is an instance with $\mathrm{Reg}_T \ge c R d \sqrt{T/\kappa_*}$ for all $T \ge d^2 \kappa_*$",
        reading=r"$d = 1$, which Theorem 2 leaves out and the sentence does not; $d \ge 2$ is C029. $\mathcal X$ is the sphere, the arms $1$ and $-1$.",
    ),
    Correction(
        "condition",
        instance_first,
        PAIR,
        r"$T$ before the instance: for every $K$, $T \ge \kappa_*$ and learner some instance with $d = 1$ has $E\,\mathrm{Reg}_T \ge R \sqrt{T/\kappa_*}/5$; for $d \ge 2$ C029. With the instance first there is none at $d = 1$: every round informs about both arms, and a learner that follows the majority has bounded regret on each instance",
    ),
    domain=r"$K = 2$, $d = 1$, difference of logits $u = 1$ at the arm $1$, $\rho = (1, 0)$, the learner that follows the majority: $E\,\mathrm{Reg}_T \le 4.6$ for every $T$ (Hoeffding), $T$ to $10^{16}$; likewise every $u \ne 0$. Corrected: every $K$, all $T \ge \kappa_*$ and learners, $d = 1$",
    planted={"power": 0, "mended_constant": 1},
    module=__name__,
)
