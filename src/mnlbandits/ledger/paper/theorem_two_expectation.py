"""Theorem 2: what its regret is the expectation of."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.claim import All, Balls, Correction, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import Finding, exactly
from mnlbandits.ledger.formulas.family import (
    MENDED,
    MENDED_BOX,
    MENDED_OUTCOMES,
    MENDED_WORDS,
    PRINTED,
    mended_ratio,
    mended_reduced,
)
from mnlbandits.ledger.formulas.repeating import (
    CAPS_BOX,
    PROOF_CONSTANT,
    below_on_caps,
    lower_bound_of_theorem,
    regret_of_repeating,
    repeated_over_bound,
)
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.shared import CHAIN_PROOF


def bound_over_mean(m: Arithmetic, T: int, proof_constant: Fraction | int = PROOF_CONSTANT) -> Number:
    """The lower bound over the mean regret of an action drawn uniformly on the circle."""
    mean = m.integral(lambda v: regret_of_repeating(m, m.pi * v, T))
    return lower_bound_of_theorem(m, T, proof_constant) / mean


MILLION = ({"T": 10**6},)
"""T of the check."""


CAPS_OF_DRAWS = Inequality(
    repeated_over_bound,
    CAPS_BOX,
    proof=Exactly(
        below_on_caps,
        r"at every $\theta_*$ and $\rho$, $T$ and constant $c$: $\mathrm{Reg}_T \le \frac{1}{4} c R d \sqrt{KT/\kappa_*}$ if the angle is at most $2 \sqrt{c w/(s \sqrt T)}$, $s = \lVert \theta_1 - \theta_2 \rVert$, $w = \sqrt{2 \mu'(s)}$",
    ),
)
"""The regret of an action near x_* over the bound."""


def drawn_once(effort: Effort, expected: bool = False) -> Finding:
    """Whether an action drawn uniformly and repeated keeps above the bound on some instance: it does if on none it is near x_*."""
    found = CAPS_OF_DRAWS(effort, expected=expected)
    return exactly(
        found.verdict == "refuted" or found.level != "proved",
        f"regret over bound: {found.evidence}; an angle that small has a positive probability on every instance",
        r"$K = d = 2$, the circle: draw one action uniformly, play it in all rounds; at $S = 1$, $T = 10^6$ an angle of at most $2.5 \cdot 10^{-4}$ to $x_*$, of probability $8 \cdot 10^{-5}$, has at most a quarter of the bound with $1/25000$",
        ratio=1 / found.ratio,
    )


def expected_over_family(
    m: Arithmetic, K: int, d: int, surplus: Number, proof_constant: Fraction | int = PROOF_CONSTANT
) -> Number:
    """proof_constant sqrt(MENDED_OUTCOMES) over the constant of R d sqrt(T/kappa_*) in the corrected bound."""
    return MENDED * m.number(proof_constant) * m.sqrt(m.number(MENDED_OUTCOMES)) * mended_ratio(m, K, d, surplus)


def expected_reduced(m: Arithmetic, logit: Number, part: Number, proof_constant: Fraction | int = PROOF_CONSTANT) -> Number:
    """`expected_over_family` by its two scalars."""
    return MENDED * m.number(proof_constant) * m.sqrt(m.number(MENDED_OUTCOMES)) * mended_reduced(m, logit, part)


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
            ({"K": 2, "d": 2}, {"K": 3, "d": 3}, {"K": MENDED_OUTCOMES, "d": 10}),
            share=0.2,
            note=rf"$\sqrt{{{MENDED_OUTCOMES}}}/{PRINTED}$ over the constant of $R d \sqrt{{T/\kappa_*}}$ that the corrected proof of Theorem 2 gives, for every algorithm; surplus $= \ln(\sqrt{{T/\kappa_*}}/d)$",
            proof=Together((Balls(expected_reduced, MENDED_BOX, words=MENDED_WORDS), CHAIN_PROOF)),
        ),
    )
)
"""The expected regret: of that learner on that instance, and of every learner on the worst member of the family."""

C004 = claim(
    "C004",
    Statement(
        place=r"Theorem 2, its $\mathrm{Reg}_T$",
        lines=(458, 464),
        kind="theorem",
        prints=r"For any algorithm there exist $\theta_*$ and $\rho$ such that the cumulative regret satisfies $\mathrm{Reg}_T \ge \Omega(R d \sqrt{KT/\kappa_*})$.",
        hypotheses=r"$\mathrm{Reg}_T := \sum_{t=1}^T \rho^\top (\mu(\theta_* x_*) - \mu(\theta_* x_t))$ (lines 153 to 155 and 268), $\mathcal X = \mathcal S_1(\mathbb R^d)$, $T \ge d^2 \kappa_*$.",
        reading=r"$\mathrm{Reg}_T$ is a mean over $y_t$ given $x_t$, and random through $x_t$, as Theorem 1 takes it; any algorithm, also one that draws its actions at random. The order of $T$ and the instance is C029's.",
    ),
    Correction(
        "misprint",
        drawn_once,
        EXPECTED,
        r"misprint: $\mathbb E[\mathrm{Reg}_T] \ge \dots$, as Step 6 of its proof has it",
    ),
    domain=rf"printed: $K = d = 2$, $\mathcal X$ the circle, every $\theta_* \ne 0$, $\rho \notin \mathbb R 1_K$, $T$ and constant, the learner draws one action uniformly and repeats it; searched at $s \in [0.001, 60]$, $T \in [1, 10^{{30}}]$, constants in $[10^{{-6}}, 1]$; corrected: this learner at $S = 1$, $T = 10^6$, and every learner for all $K \in [2, {MENDED_OUTCOMES}]$, $d \ge 2$ and $T \ge d^2 \kappa_*$, $T$ before the instance (C029), with the constant $1/25000$ of the proof.",
    planted={"expected": True, "mended_proof_constant": 1000},
    module=__name__,
)
