"""Appendix E: the Multinomial Logit bandits."""

from collections.abc import Sequence
from fractions import Fraction

import flint
import numpy as np

from mnlbandits.ledger.arithmetic import Number
from mnlbandits.ledger.arithmetic.quotients import RATIONALS, nonnegative, unknowns
from mnlbandits.ledger.claim import All, Correction, Identities, Statement, claim
from mnlbandits.ledger.finding import Finding, exactly, not_testable
from mnlbandits.ledger.formulas.frameworks import law_of, logit_law, reference_law, unknown_vectors
from mnlbandits.ledger.formulas.orders import integer_matrices
from mnlbandits.ledger.formulas.softmax import jacobian_of
from mnlbandits.ledger.formulas.vectors import dot
from mnlbandits.ledger.search import Effort

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


def reductions(effort: Effort, named: bool = False) -> Finding:
    """Whether neither framework reduces to the other; decided where an item keeps its name, item k outcome k."""
    if named:
        return DIFFERENT(effort)
    return not_testable(
        r"it is an impression, and what counts as a reduction, and as easy, is open. Where items keep their names no map of actions to sets, or of sets to actions, keeps all laws: an item left out has probability $0$, as no outcome of an MNL action has, and sets with the same items keep the odds of two of them, which MNL actions change. Where outcomes may be renamed action by action each law is one of the other framework, C057c; it says nothing of what a learner is told, or of the regret that is then obtained"
    )


DIFFERENT = Identities(
    frameworks_differ,
    r"Logit: an item left out has probability 0, and the odds of an item against none are those of every set that holds it; MNL: every outcome is possible, so that an action could only be the set of all items, which has one law; but two actions change the odds $e^{(\theta_i - \theta_k)^\top x}$ of any two outcomes with unequal rows",
)

C057 = claim(
    "C057",
    Statement(
        place="Introduction, Multinomial Logit bandits; Appendix E",
        lines=(243, 244),
        kind="text",
        prints=r"The settings differ in their parameterisation, feedback structure, and modeling assumptions. It appears that neither framework can be easily reduced to the other. In particular, the combinatorial nature of the Logit framework [...] together with the normalization in the softmax function makes any such reduction highly challenging.",
        labels=("appendix:logit bandits",),
    ),
    reductions,
    domain="none: the reason is an argument",
    planted={"named": True},
    unproved="no verdict: the sentence is an impression; what of it can be decided is in the reason and in C057c",
    module=__name__,
)


def mnl_is_logit(place: int = 0) -> bool:
    """Items with contexts e_k (x) x, k < K, moved by `place`, and the parameter of all rows but the last have the MNL law of x.

    The last row is 0; K = 4, d = 2.
    """
    theta, x = unknown_vectors(t=6, x=2)
    rows = [theta[2 * k : 2 * k + 2] for k in range(3)]
    contexts = [[*[0 * x[0]] * (2 * k), *x, *[0 * x[0]] * (4 - 2 * k)] for k in range(3)]
    contexts = contexts[place:] + contexts[:place]
    weights = unknowns("e0", "e1", "e2")
    same = all(dot(theta, context) == dot(row, x) for context, row in zip(contexts, rows, strict=True))
    return same and logit_law(weights, [True] * 3) == reference_law(weights) == law_of([*weights, 1])


C057c = claim(
    "C057c",
    Statement(
        place="Appendix E, on its two displays",
        lines=(799, 808),
        kind="text",
        prints=r"An MNL action $x$ has the law of a Logit set: the $K - 1$ items with contexts $e_k \otimes x$, with the shared parameter $([\theta]_1 - [\theta]_K, \dots, [\theta]_{K-1} - [\theta]_K) \in \mathbb R^{(K-1)d}$, and none of them as outcome $K$.",
        reading=r"A statement of ours, on the two displays of Appendix E. The sets are $\{(k, x)\}_{k<K}$ for $x \in \mathcal X$, so that the learner may not choose their parts freely.",
    ),
    Identities(
        mnl_is_logit,
        r"utilities $\langle \theta, e_k \otimes x \rangle = [\theta]_k^\top x$ as polynomials and laws as rational functions, $K = 4$, $d = 2$; each item has the entries of one row, and of the weights of the others only the sum enters",
    ),
    domain=r"every $K$ and $d$, all $\theta$ and $x$; decided at $K = 4$, $d = 2$",
    planted={"place": 1},
    ours=True,
    module=__name__,
)


# Parameters


def fraction_rank(matrix: Sequence[Sequence[Fraction]]) -> int:
    """The rank of a matrix of fractions."""
    return flint.fmpq_mat([[flint.fmpq(entry.numerator, entry.denominator) for entry in row] for row in matrix]).rank()


def mnl_rank(K: int, actions: int = 6) -> int:
    """Rank of the Fisher information of that many of 6 actions of MNL, d = 2, in fractions."""
    (theta,), (arms,) = integer_matrices(K, 2, 1, f"theta {K}"), integer_matrices(6, 2, 1, f"actions {K}")
    information = 0
    for x in np.array(arms[:actions], dtype=object):
        p = law_of(base_two((np.array(theta, dtype=object) @ x).tolist()))
        information = information + np.kron(jacobian_of(RATIONALS, p), np.outer(x, x))
    return fraction_rank(information.tolist())


def logit_rank(K: int) -> int:
    """Rank of the Fisher information of 6 sets of K - 1 items of Logit, d = 2, in fractions."""
    (theta,) = integer_matrices(K, 2, 1, f"theta {K}")
    information, parameter = 0, np.array(theta[0], dtype=object)
    for items in integer_matrices(K - 1, 2, 6, f"contexts {K}"):
        contexts = np.array(items, dtype=object)
        p = logit_law(base_two((contexts @ parameter).tolist()), [True] * (K - 1))
        information = information + contexts.T @ jacobian_of(RATIONALS, p)[:-1, :-1] @ contexts
    return fraction_rank(information.tolist())


def parameters_counted(K: int, logit_rows: int = 1) -> bool:
    """(K - 1) d directions of theta are seen in MNL, d in Logit."""
    return mnl_rank(K) == (K - 1) * 2 and logit_rank(K) == logit_rows * 2


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
        reading=r"What varies is the probability from decision to decision, at one $\theta_*$ and one set: with equal contexts items have equal probabilities, for every $\theta_*$. With other $\theta_*$ or another set the probability of an item is another one in both settings.",
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


def models_per_action(actions: int, shared: bool = False) -> bool:
    """Whether the Fisher information of that many MNL actions, K = 3, d = 2, has the rank of a model of d parameters for each.

    Of the 3 outcomes one is a reference; with a `shared` theta the rank does not depend on the actions.
    """
    return mnl_rank(3, actions) == (mnl_rank(3) if shared else 2 * 2 * actions)


def models_per_outcome(actions: int, references: int = 1) -> bool:
    """Whether it has the rank of a model for each outcome but that of reference."""
    return mnl_rank(3, actions) == 2 * (3 - references)


def models_as_printed(effort: Effort, shared: bool = False) -> Finding:
    """4 actions, and how many parameters they show."""
    del effort
    return exactly(
        models_per_action(4, shared),
        rf"the Fisher information of $4$ actions at $K = 3$, $d = 2$ has rank ${mnl_rank(3, 4)}$, against $16$ parameters of $4$ models of $(K - 1) d$, in fractions",
        "K = 3, d = 2: four actions show 4 parameters, not 16",
    )


C057d = claim(
    "C057d",
    Statement(
        place="Appendix E, last paragraph",
        lines=(809, 811),
        kind="text",
        prints=r"Ours involves learning distinct models per action; the Logit setting uses a shared parameter across all items.",
    ),
    Correction(
        "misprint",
        models_as_printed,
        Identities(
            models_per_outcome,
            r"that rank is $(K - 1) d = 4$ for $4$ actions as for $6$: a model of $d$ parameters for each outcome but one",
            [{"actions": 4}, {"actions": 6}],
        ),
        r"misprint: distinct models per decision, that is per outcome, as line 803 says; the actions share one $\theta_*$",
    ),
    domain=r"$K = 3$, $d = 2$, one draw of actions and of $\theta \in \log 2 \cdot \{-5, \dots, 5\}^{3 \times 2}$",
    planted={"shared": True, "mended_references": 0},
    module=__name__,
)
