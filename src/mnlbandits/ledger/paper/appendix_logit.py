"""Appendix E: the Multinomial Logit bandits."""

from collections.abc import Sequence
from fractions import Fraction

import flint
import numpy as np

from mnlbandits.ledger.arithmetic import Number
from mnlbandits.ledger.arithmetic.quotients import RATIONALS, nonnegative, unknowns
from mnlbandits.ledger.claim import All, Identities, Statement, claim
from mnlbandits.ledger.formulas.frameworks import law_of, logit_law, reference_law, unknown_vectors
from mnlbandits.ledger.formulas.orders import integer_matrices
from mnlbandits.ledger.formulas.softmax import jacobian_of
from mnlbandits.ledger.formulas.vectors import dot

THETAS = 40
"""Integer parameters theta/log(2) that are looked at."""


def base_two(exponents: Sequence[Fraction]) -> list[Fraction]:
    """exp(log(2) n) for integers n: the weights are fractions, so that laws of such parameters are exact."""
    return [Fraction(2) ** int(entry) for entry in exponents]


# Feedback


def odds_stay(shift: int = 0) -> bool:
    """Logit: the odds of an item against none are those of the set that holds it alone, whatever the utilities.

    Items left out have probability 0. `second` stands for all other items together, of any number.
    """
    first, second = unknowns("e0", "e1")
    both, alone = logit_law([first, second], [True, True]), logit_law([first, second], [True, False])
    return both[0] / both[-1] == alone[0] / alone[-1] + shift and alone[1] == 0


def outcomes_possible() -> bool:
    """MNL: every outcome has positive probability, and the odds of two are the ratio of their weights; for every K."""
    first, second, rest = unknowns("e0", "e1", "s")
    p, q, _ = law_of([first, second, rest])
    return nonnegative(p) and p != 0 and p / q == first / second


def odds_change(spread: int = 1) -> bool:
    """MNL: of every integer theta with rows that differ, two actions give two outcomes other odds, all outcomes positive."""
    for theta in integer_matrices(3, 2, THETAS, "odds"):
        rows = spread * np.array(theta, dtype=object)
        unequal = [(i, j) for i in range(3) for j in range(i) if theta[i] != theta[j]]
        laws = [law_of(base_two((rows @ x).tolist())) for x in np.array([[0, 0], [1, 0], [0, 1]], dtype=object)]
        if not all(any(p[i] / p[j] != laws[0][i] / laws[0][j] for p in laws) for i, j in unequal):
            return False
        if min(min(p) for p in laws) <= 0:
            return False
    return True


def frameworks_differ(spread: int = 1, shift: int = 0) -> bool:
    """Both, so that no map of actions to sets, or of sets to actions, keeps the laws of all outcomes.

    All outcomes of an MNL action are possible: it could only be the set of all items, which has one law, and MNL actions
    have several. A set that leaves an item out gives an outcome probability 0, as no MNL action does.
    """
    return odds_stay(shift) and outcomes_possible() and odds_change(spread)


def renamed_outcomes(shift: int = 0, spread: int = 1) -> bool:
    """A set of items with contexts e_k (x) x and the parameter of all rows has the MNL law of x with the last row 0."""
    theta, x = unknown_vectors(t=6, x=2)
    rows = [theta[2 * k : 2 * k + 2] for k in range(3)]
    contexts = [[*[0 * x[0]] * (2 * k), *x, *[0 * x[0]] * (4 - 2 * k)] for k in range(3)]
    weights = unknowns("e0", "e1", "e2")
    same = all(dot(theta, context) == dot(row, x) for context, row in zip(contexts, rows, strict=True))
    return same and logit_law(weights, [True] * 3) == reference_law(weights) == law_of([*weights, 1])


C057 = claim(
    "C057",
    Statement(
        place="Introduction, Multinomial Logit bandits; Appendix E",
        lines=(243, 244),
        kind="text",
        prints=r"The settings differ in their parameterisation, feedback structure, and modeling assumptions. It appears that neither framework can be easily reduced to the other. [...] Moreover, in our framework, every outcome has a nonzero probability of being selected.",
        reading=r"A reduction gives each action a set, or each set an action, of the same law; item $k$ is outcome $k$ and none is outcome $K$, with contexts that the choice of a set does not change. If outcomes are renamed action by action, each framework does reduce: MNL actions $x$ to sets of $K - 1$ items with contexts $e_k \otimes x$, sets of exactly $n$ items to MNL actions of dimension $d n$.",
        labels=("appendix:logit bandits",),
    ),
    All(
        (
            Identities(
                frameworks_differ,
                r"Logit: an item left out has probability 0, and the odds of an item against none are those of every set that holds it; MNL: every outcome is possible, so that an action could only be the set of all items, which has one law; but two actions change the odds $e^{(\theta_i - \theta_k)^\top x}$ of any two outcomes with unequal rows",
            ),
            Identities(
                renamed_outcomes, r"with outcomes renamed the law of $e_k \otimes x$ is that of MNL, at $K = 4$, $d = 2$"
            ),
        )
    ),
    domain=r"the odds: every number of items, all utilities, and every $K$; that actions change them: $K = 3$, 40 draws of $\theta \in \log 2 \cdot \{-5, \dots, 5\}^{3 \times 2}$, actions $0, e_1, e_2$",
    planted={"spread": 0, "shift": 1},
    module=__name__,
)


# Parameters


def fraction_rank(matrix: Sequence[Sequence[Fraction]]) -> int:
    """The rank of a matrix of fractions."""
    return flint.fmpq_mat([[flint.fmpq(entry.numerator, entry.denominator) for entry in row] for row in matrix]).rank()


def information_ranks(K: int) -> tuple[int, int]:
    """Ranks of the Fisher information of 6 actions of MNL, and of 6 sets of K - 1 items of Logit; d = 2, in fractions."""
    (theta,), (actions,) = integer_matrices(K, 2, 1, f"theta {K}"), integer_matrices(6, 2, 1, f"actions {K}")
    full, shared, parameter = 0, 0, np.array(theta[0], dtype=object)
    for x in np.array(actions, dtype=object):
        p = law_of(base_two((np.array(theta, dtype=object) @ x).tolist()))
        full = full + np.kron(jacobian_of(RATIONALS, p), np.outer(x, x))
    for items in integer_matrices(K - 1, 2, 6, f"contexts {K}"):
        contexts = np.array(items, dtype=object)
        p = logit_law(base_two((contexts @ parameter).tolist()), [True] * (K - 1))
        shared = shared + contexts.T @ jacobian_of(RATIONALS, p)[:-1, :-1] @ contexts
    return fraction_rank(full.tolist()), fraction_rank(shared.tolist())


def parameters_counted(K: int, logit_rows: int = 1) -> bool:
    """(K - 1) d directions of theta are seen in MNL, d in Logit."""
    return information_ranks(K) == ((K - 1) * 2, logit_rows * 2)


def equal_contexts(K: int, logit_rows: int = 1) -> bool:
    """Items with equal contexts, hence equal weights, have equal probabilities in Logit, with one theta for all.

    Their odds are the ratio of their weights, whatever the other items; `logit_rows` belongs to the ranks.
    """
    weight, other, rest = unknowns("e", "f", "s")
    p: list[Number] = logit_law([weight] * K, [True] * K)[:-1]
    both = logit_law([weight, other, rest], [True] * 3)
    return all(entry == p[0] for entry in p) and both[0] / both[1] == weight / other


C057b = claim(
    "C057b",
    Statement(
        place="Appendix E, after the displays",
        lines=(803, 809),
        kind="text",
        prints=r"Each possible decision $i$ has its own parameter $(\theta_*)_i \in \mathbb{R}^d$; in the Logit setting there is a single shared parameter $\theta_* \in \mathbb{R}^d$, and all variations in decision probabilities arise from the context vectors, not from the parameter $\theta_*$.",
        reading=r"With equal contexts items have equal probabilities, for every $\theta_*$; the probability of an item still depends on $\theta_*$ and on the set.",
    ),
    All(
        (
            Identities(
                parameters_counted,
                r"ranks $(K - 1) d$ and $d$ of the Fisher information ($\theta$ of MNL up to $1 c^\top$)",
                [{"K": 3}, {"K": 4}],
            ),
            Identities(equal_contexts, "equal contexts, equal probabilities, as rational functions", [{"K": 2}, {"K": 3}]),
        )
    ),
    domain=r"ranks: $K = 3, 4$, $d = 2$, one draw each of six actions or sets of $K - 1$ items and of $\theta \in \log 2 \cdot \{-5, \dots, 5\}^{K \times 2}$; equal contexts: any number of items, all utilities",
    planted={"logit_rows": 2},
    module=__name__,
)
