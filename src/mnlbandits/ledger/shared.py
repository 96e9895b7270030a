"""Checks and proofs that several claims rest on, as the paper says a thing in several places: each is written once."""

from collections.abc import Callable

from mnlbandits.ledger.arithmetic import Number
from mnlbandits.ledger.claim import Balls, Correction, Equality, Exactly, Inequality, Proof, Together
from mnlbandits.ledger.finding import Finding, all_of
from mnlbandits.ledger.formulas.adaptive import first_index
from mnlbandits.ledger.formulas.family import (
    CHAIN_WORDS,
    MENDED,
    MENDED_BOX,
    MENDED_OUTCOMES,
    MENDED_WORDS,
    chain_exactly,
    mended_reduced,
)
from mnlbandits.ledger.formulas.family_steps import ANGLES, ENTROPY_WORDS, PLANE, pinsker_below
from mnlbandits.ledger.formulas.kappa_tilde import (
    kappa_at_two,
    kappa_over_tilde,
    kappa_over_tilde_exactly,
    tilde_over_kappa,
    tilde_over_kappa_exactly,
    two_is_binary,
)
from mnlbandits.ledger.formulas.pairs_bound import (
    LARGE_BOX,
    PAIR_HORIZONS,
    PAIR_SIZES,
    SMALL_DIMENSIONS,
    SPREAD_BOX,
    UNIFORM_CASES,
    UNIFORM_WORDS,
    large_ratio,
    outcomes_ratio,
    pairs_ratio,
    small_ratio,
    spread_ratio,
    uniform_box,
    uniform_ratio,
)
from mnlbandits.ledger.formulas.pairs_steps import PAIR_WORDS, pair_steps
from mnlbandits.ledger.formulas.trees import chain_rule
from mnlbandits.ledger.prove import Certificate, Open
from mnlbandits.ledger.search import Effort, Point, vectors_box

# The lower bound of Theorem 2

CHAIN_PROOF = Exactly(chain_exactly, CHAIN_WORDS)
"""The steps of the proof of Theorem 2, from the members of the family to the bound."""

LOWER_BOUND_PROOF = Together((Balls(mended_reduced, MENDED_BOX, words=MENDED_WORDS), CHAIN_PROOF))
"""That the corrected bound holds for all K, d, T and all ||[M~]_1|| >= 1."""


def pairs_used(**_: object) -> Certificate | Open:
    """What the lower bound on the pairs rests on besides its constant."""
    parts = (
        Balls(spread_ratio, SPREAD_BOX, words=r"$\kappa_* \le 1.03\,k_0$"),
        Exactly(pair_steps, PAIR_WORDS),
        Exactly(pinsker_below, r"Pinsker's inequality for every event, so for every function with values in $[0, 1]$"),
        Exactly(chain_rule, r"the KL of $T$ rounds is the expected sum of those of the rounds, under the base"),
    )
    return Together(parts)()


PAIRS_PROOF = Together(
    (
        Balls(
            pairs_ratio,
            PAIR_HORIZONS,
            PAIR_SIZES,
            words=r"$c(K, d)$ at $K = 4, \ldots, 10^5$, $d = 2, 3, 5, 10$ and $T$ from the least to beyond $10^{30}$",
        ),
        Balls(uniform_ratio, uniform_box, UNIFORM_CASES, words=UNIFORM_WORDS),
        pairs_used,
    )
)
"""The lower bound on the pairs, for all K, d and T."""


def bounds_used(**_: object) -> Certificate | Open:
    """The two lower bounds."""
    return Together((LOWER_BOUND_PROOF, PAIRS_PROOF))()


RATE_PROOF = Together(
    (
        Balls(outcomes_ratio, {}, words=rf"$\sqrt{{{MENDED_OUTCOMES}}}/25000 \le 1/{MENDED}$"),
        Balls(small_ratio, {}, SMALL_DIMENSIONS, words=r"$\sqrt d \le 25000\,c$ for $d \le 10^6$ by C028c"),
        Balls(large_ratio, LARGE_BOX, words=r"$\sqrt{7.8 \cdot 10^7} \le 25000\,c$ for $K > 2500$ and $d > 10^6$"),
        bounds_used,
    )
)
"""That one of the two lower bounds implies the printed one, for K <= MENDED_OUTCOMES or d <= 7.8e7."""


def entropy_without_norm(ratio: Callable[..., Number], example: Point, proof: Proof) -> Correction:
    r"""Of the entropies of the proof, which leave out $\lVert [M]_1 \rVert$: a bound by 8 exp(2 eps) eps^2, and what it becomes."""
    printed = Inequality(ratio, ANGLES, PLANE, examples=(example,), share=0.5)
    mended = Inequality(ratio, ANGLES, PLANE, share=0.5, fixed={"factor": 2, "root": 1}, proof=proof)
    return Correction("rate", printed, mended, ENTROPY_WORDS)


# Lemma 5

AT_EVERY_ROUND = Inequality(
    first_index,
    {"S": (0.035, 0.05), "start": (20.0, 80.0), "longer": (1.0, 6.0)},
    ({"d": 3 * 10**10},),
    examples=({"S": 0.04, "d": 3 * 10**10, "start": 47.5776, "longer": 2.5},),
    share=0.1,
)
r"""Lemma 5 with its $\tau_t$ read for every t <= T."""

# kappa-tilde of earlier work beside kappa

TILDE_BELOW_KAPPA = Inequality(
    tilde_over_kappa,
    lambda K: vectors_box(z=(K, 5.0)),
    ({"K": 2}, {"K": 3}, {"K": 4}, {"K": 5}),
    share=0.3,
    note=r"$\tilde\kappa$ over $K \kappa$, $1$ at $S = 0$",
    proof=Exactly(
        tilde_over_kappa_exactly,
        r"$v^\top (\nabla\mu)' v = w^\top \nabla\mu\, w$ for $w = \Pi(v, 0)$, as $\nabla\mu\, 1 = 0$; $\lVert w \rVert^2 \ge \lVert v \rVert^2/K$, and $\lVert\Pi\tilde\theta\rVert \le \lVert\tilde\theta\rVert$",
    ),
)
TILDE_ABOVE_KAPPA = Inequality(
    kappa_over_tilde,
    {"r": (0.0, 300.0)},
    ({"K": 3}, {"K": 4}, {"K": 10}, {"K": 10**11}),
    note=r"an upper bound of $\kappa$ over $K - 1$ times a value of $\tilde\kappa$; $\kappa/\tilde\kappa$ itself is $0.33, 0.46, 0.58, 0.67$ at $K = 3$, $SX = 0, 1, 2, 20$",
    proof=Exactly(
        kappa_over_tilde_exactly,
        r"with $q = e^{SX/\sqrt 2}$, $\kappa \le 1 + (K - 1) q^2$ (C022), and $\tilde\kappa \ge 2 + (K - 2) q + q^2$ at logits $SX (1, -1, 0, \dots, 0)/\sqrt 2$, whose last is $0$ if $K \ge 3$; $(K - 1)$ times it is no less, for every $K \ge 3$",
    ),
)
TILDE_AT_TWO = Equality(
    kappa_at_two,
    {"r": (0.01, 300.0)},
    fixed={"norm_square": 2, "times": 2},
    proof=Exactly(
        two_is_binary,
        r"$\tilde\kappa = 1/\min \mu_1 (1 - \mu_1) = 2 + 2\cosh(SX)$ at $K = 2$, and $\kappa = 1 + \cosh(\sqrt 2 SX)$",
    ),
)


def tilde_between(effort: Effort, power: int = 1, others: int = 1, norm_square: int = 2, times: int = 2) -> Finding:
    """kappa-tilde/K <= kappa <= (K - 1) kappa-tilde at the same S, K >= 3; kappa-tilde(sqrt 2 S) = 2 kappa(S) at K = 2."""
    bounds = TILDE_BELOW_KAPPA(effort, power=power), TILDE_ABOVE_KAPPA(effort, others=others)
    return all_of(*bounds, TILDE_AT_TWO(effort, norm_square=norm_square, times=times))
