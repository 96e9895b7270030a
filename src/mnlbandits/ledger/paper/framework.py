"""Section 2: the goal of the learner, and that the framework's normalisation loses no generality."""

from collections.abc import Sequence

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import All, Equality, Exactly, Identities, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, all_of
from mnlbandits.ledger.formulas.frameworks import (
    centring_shortens,
    law_of,
    projected,
    reference_law,
    shift_keeps_law,
    unknown_vectors,
)
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import centred, dot, over
from mnlbandits.ledger.search import Box, Effort, column, vectors_box

SIZES_FRAMEWORK = [{"K": K} for K in (2, 3, 5)]

# The goal


def reward_and_regret(shift: int = 0) -> bool:
    """Two rounds, the second action chosen by the first outcome: expected reward and regret add up to twice the best mean.

    K = 2; the laws are those of unknown weights, `shift` misplaces the rewards that are got, not those of the regret.
    """
    *weights, low, high = unknowns("a", "b", "c", "d", "e", "f", "g", "h", "r0", "r1")
    first, left, right, best = (law_of(weights[i : i + 2]) for i in range(0, 8, 2))
    rewards = [low, high]
    got = rewards[shift:] + rewards[:shift]

    def after_first(of_round: Sequence[Number], of_left: Number, of_right: Number) -> Number:
        return dot(first, [of_round[0] + of_left, of_round[1] + of_right])

    mean = dot(best, rewards)
    reward = after_first(got, dot(left, got), dot(right, got))
    regret = mean - dot(first, rewards) + after_first([0, 0], mean - dot(left, rewards), mean - dot(right, rewards))
    return reward + regret == 2 * mean


C018c = claim(
    "C018c",
    Statement(
        place="Section 2, Framework 1",
        lines=(265, 270),
        kind="text",
        prints=r"The learner receives a reward $\rho_{y_t}$. The goal of the learner is to maximise their expected reward which is equivalent to minimising the expected regret $Reg_T := \sum_{t=1}^T \rho^\top \mu(\theta_* x_*) - \rho^\top \mu(\theta_* x_t)$.",
        hypotheses=r"$\mathbb P[y_t = k | x_t] = \mu(\theta_* x_t)_k$, $x_t$ may depend on what came before",
        reading=r"The two add up to $T \rho^\top \mu(\theta_* x_*)$ in expectation, whatever the learner does.",
        labels=("framework:MLB",),
    ),
    Identities(
        reward_and_regret,
        r"as rational functions of the weights $e^{z_k}$ and of $\rho$, the second action depending on the first outcome; a round adds $\mathbb E[\rho_{y_t} | x_t] = \rho^\top\mu(\theta_* x_t)$ to one and what it lacks to the best mean to the other",
    ),
    domain=r"every $T$ and $K$, round by round; decided at $K = T = 2$, all laws and rewards",
    planted={"shift": 1},
    module=__name__,
)


# The normalisation


def projected_law(m: Arithmetic, K: int, uneven: int = 0, **point: Number) -> Number:
    r"""Largest difference of $\mu(\Pi z)$ to $\mu(z)$."""
    z = column(point, "z")
    return m.maximum(*(abs(a - b) for a, b in zip(softmax(m, z), softmax(m, projected(z, uneven)), strict=True)))


def projected_norm(m: Arithmetic, K: int, uneven: int = 0, **point: Number) -> Number:
    r"""$\lVert \Pi z \rVert^2/\lVert z \rVert^2$."""
    z = column(point, "z")
    ours = projected(z, uneven)
    return dot(ours, ours) / dot(z, z)


def framework_box(K: int) -> Box:
    """Logits."""
    return vectors_box(z=(K, 20.0))


C017 = claim(
    "C017",
    Statement(
        place="Section 2, Framework",
        lines=(272, 272),
        kind="text",
        prints=r"This is ensured by the fact that $\theta_* \in \Pi\mathbb{R}^{K \times d}$, which can be assumed without loss of generality since for any $\theta \in \mathbb{R}^{K \times d}$ and $x \in \mathbb{R}^d$ the probability vector of outcomes satisfies $\mu(\theta x) = \mu(\Pi\theta x)$.",
        reading=r"Nor is the bound on the norm lost: $\lVert \Pi\theta \rVert \le \lVert \theta \rVert$.",
        labels=("section:problem formulation",),
    ),
    All(
        (
            Equality(
                projected_law,
                framework_box,
                SIZES_FRAMEWORK,
                proof=Exactly(
                    shift_keeps_law,
                    r"$\mu(z + c 1) = \mu(z)$ as rational functions of $e^{z_k}$, the sum of the others and $e^c$",
                ),
            ),
            Inequality(
                projected_norm,
                framework_box,
                SIZES_FRAMEWORK,
                proof=Exactly(
                    centring_shortens,
                    r"$\lVert z \rVert^2 - \lVert \Pi z \rVert^2 = (\sum_k z_k)^2/K$, column by column for the Frobenius norm, at $z = \theta v$ for the spectral norm",
                ),
            ),
        )
    ),
    domain=r"every $K$ and $z = \theta x$; searched at $K = 2, 3, 5$, $z \in [-20, 20]^K$",
    planted={"uneven": 1},
    module=__name__,
)


def referred_norm(m: Arithmetic, K: int, **point: Number) -> Number:
    r"""$\lVert z - z_K 1 \rVert^2$ over $K \lVert \Pi z \rVert^2$: the form with last entry 0 against ours."""
    z = column(point, "z")
    referred, ours = [entry - z[-1] for entry in z], centred(z)
    return over(dot(referred, referred), K * dot(ours, ours))


def referred_norm_exactly() -> bool:
    """K |z|^2 - |z - z_K 1|^2 = (K - 1) sum_{k<K} (z_k - m)^2 for z with sum 0, m the mean of its entries below K; every K.

    `squares` is the sum of z_k^2 below K, where the z_k sum to -z_K, `last`.
    """
    K, last, squares = unknowns("K", "z", "squares")
    referred = squares + 2 * last**2 + (K - 1) * last**2
    mean = -last / (K - 1)
    spread = squares + 2 * mean * last + (K - 1) * mean**2
    return K * (squares + last**2) - referred == (K - 1) * spread


def longer_norm(most: int = 1) -> bool:
    """For z = (1, ..., 1, 1 - K), K = 2 + more: |z - z_K 1|^2 = (K - 1) K^2 > most^2 |z|^2, |z|^2 = K - 1 + (K - 1)^2."""
    (more,) = unknowns("more")
    K = 2 + more
    return nonnegative((K - 1) * K**2 - most**2 * (K - 1 + (K - 1) ** 2) - 1)


WITHIN_ROOT = Inequality(
    referred_norm,
    framework_box,
    SIZES_FRAMEWORK,
    note=r"squared norm of their parameter for one of ours with norm $S$, over $K S^2$",
    proof=Exactly(
        referred_norm_exactly,
        r"$K \lVert z \rVert^2 - \lVert z - z_K 1 \rVert^2 = (K - 1) \sum_{k<K} (z_k - m)^2$ if $1^\top z = 0$, $m$ the mean below $K$",
    ),
)
LONGER = Identities(
    longer_norm,
    r"at $z = (1, \dots, 1, 1 - K)$ their form is longer for every $K \ge 2$: some laws of norm $S$ need a norm above $S$ there",
)


def theirs_among_ours() -> bool:
    """Pi of their parameter has the same law and no larger norm; and equal laws have logits that differ by a constant."""
    first, second, rest = unknowns("e", "f", "s")
    p, q, _ = law_of([first, second, rest])
    return shift_keeps_law() and centring_shortens() and p / q == first / second


AMONG_OURS = Identities(
    theirs_among_ours,
    r"$\mu(\Pi z) = \mu(z)$ and $\lVert \Pi z \rVert \le \lVert z \rVert$; $\mu_i/\mu_k = e^{z_i - z_k}$, so that a law has one form with last row 0",
)


def more_general(effort: Effort, most: int = 1) -> Finding:
    """At the same S theirs is among ours; ours is theirs with a norm up to sqrt(K) times as long, and some laws longer."""
    return all_of(LONGER(effort, most=most), AMONG_OURS(effort), WITHIN_ROOT(effort))


C018 = claim(
    "C018",
    Statement(
        place="Section 2, Framework",
        lines=(272, 273),
        kind="text",
        prints=r"Our framework differs from the original one of Amani and Thrampoulidis: instead of fixing one line of $\theta_*$ to be zero, we assume that $\sum_{k=1}^K [\theta_* x]_k = 0$. Hence our model is more general, as it does not assume the existence of a dedicated no-choice item.",
        reading=r"At the same $S$, which is part of both models (lines 265, 311 and 783): every problem of theirs is one of ours, and some of ours are none of theirs, whichever item has the line of zeros. With $S$ free the two are equivalent, as Appendix D says (C053b): $\theta - 1 [\theta]_K^\top$ has the laws of $\theta$, and a constant added to $\rho$ changes no regret.",
    ),
    more_general,
    domain=r"every $K$; $d = 1$, all $z$; searched at $K = 2, 3, 5$, $z \in [-20, 20]^K$; norm of $\theta - 1 \theta_K^\top$, the one form with last row $0$ of the same law, against that of $\Pi\theta$",
    planted={"most": 3},
    module=__name__,
)


def no_choice_incorporated(base: int = 1) -> bool:
    """Of any outcome of weight s: its utility becomes 0 by a shift, and with reward 0 it adds nothing to the mean reward.

    The other outcomes are two, of which one stands for all that are not looked at.
    """
    weights, (chosen,), rewards = unknown_vectors(e=2, s=1, r=2)
    ours = law_of([*weights, chosen])
    theirs = reference_law([weight / chosen for weight in weights], base)
    same = all(a == b for a, b in zip(ours, theirs, strict=True))
    return same and dot(theirs, [*rewards, 0]) == dot(ours[:2], rewards)


INCORPORATED = Identities(
    no_choice_incorporated,
    r"the law of Appendix D and its mean reward, as rational functions of $e^{z_k}$ and $\rho$; of the other outcomes only sums enter",
)


def no_choice(effort: Effort, base: int = 1) -> Finding:
    """The law and mean reward with that item, and the norm of the parameter."""
    return all_of(INCORPORATED(effort, base=base), WITHIN_ROOT(effort))


C018d = claim(
    "C018d",
    Statement(
        place="Section 2, Framework",
        lines=(272, 273),
        kind="text",
        prints=r"Such an option can be naturally incorporated by assigning a reward of $0$ to any item, effectively allowing users to choose nothing.",
        reading=r"For any $k$, $\theta - 1 [\theta]_k^\top$ has the same laws and gives item $k$ the utility $0$ of their no-choice item; its norm is at most $\sqrt K$ times that of $\theta$.",
    ),
    no_choice,
    domain=r"every $K$, every item, all laws and rewards",
    planted={"base": 2},
    module=__name__,
)
