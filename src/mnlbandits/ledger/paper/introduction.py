"""Introduction: the regret, and the mean reward as a multi-index model."""

import math
from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import All, Balls, Correction, Exactly, Identities, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import Finding, confirmed
from mnlbandits.ledger.formulas.family import (
    CHAIN_WORDS,
    MENDED,
    MENDED_BOX,
    MENDED_WORDS,
    chain_exactly,
    mended_ratio,
    mended_reduced,
    rise,
)
from mnlbandits.ledger.formulas.softmax import slope
from mnlbandits.ledger.formulas.vectors import variance
from mnlbandits.ledger.search import Effort

PROOF_CONSTANT = Fraction(1, 25000)
"""The constant of the last line of the proof of Theorem 2."""


def regret_of_repeating(m: Arithmetic, angle: Number, T: int, size: Number | None = None) -> Number:
    """Reg_T of playing T times the action at this angle to x_* on the circle: K = 2, rho = (1, 0), ||theta_1 - theta_2|| = size.

    By default sqrt(2): theta_* = (1, -1)^T e_1^T/sqrt(2), S = 1.
    """
    top = m.sqrt(m.number(2)) if size is None else size
    return T * rise(m, top, top - 2 * top * m.sin(angle / 2) ** 2)


def lower_bound_of_theorem(
    m: Arithmetic, T: int, constant: Fraction | int = PROOF_CONSTANT, size: Number | None = None
) -> Number:
    """constant R d sqrt(K T/kappa_*) of that instance, K = d = 2, R = 1."""
    return m.number(constant) * 2 * m.sqrt(2 * T * slope(m, m.sqrt(m.number(2)) if size is None else size))


def bound_over_regret(m: Arithmetic, angle: Number, T: int, proof_constant: Fraction | int = PROOF_CONSTANT) -> Number:
    """The lower bound over the regret of repeating one action."""
    return lower_bound_of_theorem(m, T, proof_constant) / regret_of_repeating(m, angle, T)


def bound_over_mean(m: Arithmetic, T: int, proof_constant: Fraction | int = PROOF_CONSTANT) -> Number:
    """The lower bound over the mean regret of an action drawn uniformly on the circle."""
    mean = m.integral(lambda v: regret_of_repeating(m, m.pi * v, T))
    return lower_bound_of_theorem(m, T, proof_constant) / mean


MILLION = ({"T": 10**6},)
"""T of the check."""


def below_on_caps() -> bool:
    """Whether Reg_T is at most c R d sqrt(K T/kappa_*), K = d = 2, where angle^2 = 16 c w/(s root) or less.

    s = ||theta_1 - theta_2||, root = sqrt(T), w = sqrt(2 mu'(s)), both sides over |rho_1 - rho_2|: a round loses sigmoid(s) -
    sigmoid(s cos(angle)) <= s angle^2/8, as sigmoid' = p (1 - p) <= 1/4 and 1 - cos(angle) <= angle^2/2.
    """
    s, root, c, w, p = unknowns("s", "root", "c", "w", "p")
    square = 16 * c * w / (s * root)
    flat = 1 - 4 * p * (1 - p) == (1 - 2 * p) ** 2
    deviation = p * (1 - p) == variance([p, 1 - p], [1, 0])
    return flat and deviation and root**2 * s * square / 8 == 2 * c * w * root


DRAWN_ONCE = Inequality(
    bound_over_regret,
    {"angle": (0.0001, math.pi)},
    MILLION,
    examples=({"angle": 0.0003, "T": 10**6},),
    note=r"an action at a smaller angle to $x_*$, of probability $0.0003/\pi$ if it is drawn uniformly and repeated, has a smaller regret still",
)
"""One instance, one T."""


def drawn_once(effort: Effort, **printed: object) -> Finding:
    """That instance, and whether it is so on all of them: without that the statement that one exists is not refuted."""
    found = DRAWN_ONCE(effort, **printed)
    if found.verdict != "refuted":
        return found
    words = r"at every $\theta_*$ and $\rho$, $T$ and $c$ likewise, exactly: $\mathrm{Reg}_T \le c R d \sqrt{KT/\kappa_*}$ if the angle is at most $4 \sqrt{c w/(s \sqrt T)}$, $s = \lVert \theta_1 - \theta_2 \rVert$, $w = \sqrt{2 \mu'(s)}$, which has a positive probability"
    return confirmed(found, below_on_caps(), words, found.level)


def expected_over_family(
    m: Arithmetic, K: int, d: int, surplus: Number, proof_constant: Fraction | int = PROOF_CONSTANT
) -> Number:
    """proof_constant sqrt(2500) over the constant of R d sqrt(T/kappa_*) in the corrected bound, for K <= 2500."""
    return m.number(50 * MENDED * Fraction(proof_constant)) * mended_ratio(m, K, d, surplus)


def expected_reduced(m: Arithmetic, logit: Number, part: Number, proof_constant: Fraction | int = PROOF_CONSTANT) -> Number:
    """`expected_over_family` by its two scalars."""
    return m.number(50 * MENDED * Fraction(proof_constant)) * mended_reduced(m, logit, part)


EXPECTED = All(
    (
        Inequality(
            bound_over_mean,
            cases=MILLION,
            note=r"$\mathbb E[\mathrm{Reg}_T]$ of the action drawn uniformly",
            proof=Balls(
                bound_over_mean, {}, MILLION, words=r"the mean over the angle is an integral of balls over $[0, \pi]$"
            ),
        ),
        Inequality(
            expected_over_family,
            {"surplus": (0.0, 60.0)},
            ({"K": 2, "d": 2}, {"K": 3, "d": 3}, {"K": 2500, "d": 10}),
            share=0.2,
            note=r"$\sqrt{2500}/25000$ over the constant of $R d \sqrt{T/\kappa_*}$ that the corrected proof of Theorem 2 gives, for every algorithm; surplus $= \ln(\sqrt{T/\kappa_*}/d)$",
            proof=Together((Balls(expected_reduced, MENDED_BOX, words=MENDED_WORDS), Exactly(chain_exactly, CHAIN_WORDS))),
        ),
    )
)
"""The expected regret: of that learner on that instance, and of every learner on the worst member of the family."""

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
        drawn_once,
        EXPECTED,
        r"$\mathbb E[\mathrm{Reg}_T] \ge \dots$ in Theorem 2; misprint, as its proof has $\mathbb E$. $\mathrm{Reg}_T$ is an expectation over $y_t$ but random through $x_t$, as Theorem 1 takes it",
    ),
    domain=r"printed: $K = d = 2$, $\mathcal X$ the circle, every $\theta_* \ne 0$, $\rho \notin \mathbb R 1_K$, $T$ and constant, the learner draws one action uniformly and repeats it; in numbers at $S = 1$, $\rho = (1, 0)$, $T = 10^6$ and the constant $1/25000$ of the proof; corrected: this learner there, and every learner for all $K \in [2, 2500]$, $d \ge 2$ and $T \ge d^2 \kappa_*$, $T$ before the instance (C029), with that constant.",
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
