"""Introduction: the regret, and the mean reward as a multi-index model."""

import math
from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import Balls, Correction, Identities, Inequality, Statement, claim
from mnlbandits.ledger.formulas.family import rise
from mnlbandits.ledger.formulas.softmax import slope

PROOF_CONSTANT = Fraction(1, 25000)
"""The constant of the last line of the proof of Theorem 2."""


def regret_of_repeating(m: Arithmetic, angle: Number, T: int) -> Number:
    """Reg_T of playing T times the action at this angle to x_*: theta_* = (1, -1)^T e_1^T/sqrt(2), rho = (1, 0), ||x|| = 1."""
    top = m.sqrt(m.number(2))
    return T * rise(m, top, top - 2 * top * m.sin(angle / 2) ** 2)


def lower_bound_of_theorem(m: Arithmetic, T: int, constant: Fraction | int = PROOF_CONSTANT) -> Number:
    """constant R d sqrt(K T/kappa_*) of that instance, K = d = 2, R = 1."""
    return constant * 2 * m.sqrt(2 * T * slope(m, m.sqrt(m.number(2))))


def bound_over_regret(m: Arithmetic, angle: Number, T: int, proof_constant: Fraction | int = PROOF_CONSTANT) -> Number:
    """The lower bound over the regret of repeating one action."""
    constant = m.number(proof_constant)
    return lower_bound_of_theorem(m, T, constant) / regret_of_repeating(m, angle, T)


def bound_over_mean(m: Arithmetic, T: int, proof_constant: Fraction | int = PROOF_CONSTANT) -> Number:
    """The lower bound over the mean regret of an action drawn uniformly on the circle."""
    mean = m.integral(lambda v: regret_of_repeating(m, m.pi * v, T))
    return lower_bound_of_theorem(m, T, m.number(proof_constant)) / mean


MILLION = ({"T": 10**6},)
"""T of the check."""

C004 = claim(
    "C004",
    Statement(
        place="Introduction and Section 2, displays of Reg_T; Theorem 2",
        lines=(152, 155),
        kind="definition",
        prints=r"The goal of the learner is to minimize their expected regret, $\mathrm{Reg}_T := \sum_{t=1}^T \rho^\top (\mu(\theta_* x_*) - \mu(\theta_* x_t))$.",
        reading=r"It is what Theorem 2 bounds from below: $\mathrm{Reg}_T \ge \Omega(R d \sqrt{KT/\kappa_*})$, of any algorithm, also one that draws its actions at random.",
        labels=("section:introduction",),
    ),
    Correction(
        "misprint",
        Inequality(
            bound_over_regret,
            {"angle": (0.001, math.pi)},
            MILLION,
            examples=({"angle": 0.0003, "T": 10**6},),
            note=r"an action at a smaller angle to $x_*$, of probability $0.0003/\pi$ if it is drawn uniformly and repeated, has a smaller regret still",
        ),
        Inequality(
            bound_over_mean,
            cases=MILLION,
            note=r"$\mathbb E[\mathrm{Reg}_T]$ of the action drawn uniformly",
            proof=Balls(
                bound_over_mean, {}, MILLION, words=r"the mean over the angle is an integral of balls over $[0, \pi]$"
            ),
        ),
        r"$\mathbb E[\mathrm{Reg}_T] \ge \dots$ in Theorem 2; misprint, as its proof has $\mathbb E$. $\mathrm{Reg}_T$ is an expectation over $y_t$ but random through $x_t$, as Theorem 1 takes it",
    ),
    domain=r"$K = 2$, $d = 2$, $\mathcal X$ the circle, $S = 1$, $\rho = (1, 0)$: the learner draws one action uniformly and repeats it for $T = 10^6$ rounds; the constant $1/25000$ of the proof.",
    planted={"mended_proof_constant": 1000},
    module=__name__,
)


def gradients_differ(least: int = 3) -> bool:
    """Whether rho^T mu(theta x) has gradients at two points that are not parallel, for every K >= least.

    theta has rows e_1, e_2 and K - 2 times 0, rho = (1, 0, ..., 0); the two points give weights (1, 1) and (1, 2) to the first
    two outcomes, and the gradients (mu_k (rho_k - rho^T mu))_{k = 1, 2}. More outcomes than `least` are an unknown >= 0.
    """
    (more,) = unknowns("more")
    others = more + least - 2
    rows = []
    for second in (1, 2):
        total = 1 + second + others
        mean = 1 / total
        rows.append(((1 - mean) / total, -second * mean / total))
    minor = rows[0][1] * rows[1][0] - rows[0][0] * rows[1][1]
    return nonnegative(minor) and minor.numerator(0) > 0


C005 = claim(
    "C005",
    Statement(
        place="Introduction",
        lines=(162, 162),
        kind="text",
        prints=r"The MNL bandit problem is not a GLM, but a multi-index model.",
        reading=r"For $K \ge 3$ there are $\theta$ and $\rho$ for which $\rho^\top \mu(\theta x)$ is no function of one linear index of $x$: its gradients are not all parallel.",
    ),
    Identities(
        gradients_differ,
        r"$\theta$ with rows $e_1, e_2, 0, \dots, 0$, $\rho = (1, 0, \dots, 0)$, weights $e^{[\theta x]_k}$ of $(1, 1)$ and of $(1, 2)$: the determinant of the two gradients in $x$ is $K - 2$ over a positive number; at $K = 2$, where it is $0$, the problem is a GLM",
    ),
    domain=r"every $K \ge 3$, an instance with $d = 2$.",
    planted={"least": 2},
    module=__name__,
)
