"""Section 2: notations, the framework, and that its normalisation loses no generality."""

from fractions import Fraction

import numpy as np

from mnlbandits.instances.families import random_instance
from mnlbandits.ledger.arithmetic import DIGITS, FLOATS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.claim import All, Equality, Exactly, Identities, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, all_of, exceedance
from mnlbandits.ledger.formulas.frameworks import centring_shortens, law_of, projected, shift_keeps_law
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import centred, dot, over
from mnlbandits.ledger.search import Box, Effort, column, vectors_box
from mnlbandits.seeds import generator

SIZES_FRAMEWORK = [{"K": K} for K in (2, 3, 5)]

# Notations


def projection(power: int = 1) -> bool:
    """I + b 1 1^T, b = -1/K: its square I + (2 b + K b^2) 1 1^T is itself, and it takes 1 to (1 + K b) 1 = 0; for every K.

    As a matrix at K = 2, ..., 5.
    """
    for size in range(2, 6):
        matrix = np.array([[int(i == j) - Fraction(1, size**power) for j in range(size)] for i in range(size)], dtype=object)
        same = (matrix @ matrix == matrix).all() and (matrix == matrix.T).all()
        if not (same and (matrix.sum(axis=1) == 0).all()):
            return False
    (K,) = unknowns("K")
    b = -1 / K**power
    return 2 * b + K * b**2 == b and 1 + K * b == 0


C017b = claim(
    "C017b",
    Statement(
        place="Section 2, Notations and Framework",
        lines=(254, 254),
        kind="definition",
        prints=r"$1_K \in \mathbb{R}^K$ is the vector of 1's, $\mathcal{H}$ the hyperplane supported by $1_K$, and $\Pi : \mathbb{R}^K \to \mathbb{R}^K$ the projection on $\mathcal{H}$.",
        reading=r"$\Pi = I - 1 1^\top/K$: $\Pi^2 = \Pi = \Pi^\top$ and $\Pi 1 = 0$, so that $\sum_k [\theta_* x]_k = 0$.",
    ),
    Identities(projection, r"$I - 1 1^\top/K$, as rational functions of $K$, and as matrices at $K = 2, \dots, 5$"),
    domain=r"every $K$",
    planted={"power": 2},
    module=__name__,
)


# The model


def played_arm(run: int) -> tuple[list[float], list[float]]:
    """Logits and rewards of the one arm of a random instance."""
    instance = random_instance("framework", outcomes=4, dim=3, norm=2.0, arms=1, seed=run)
    return (instance.theta @ instance.arms[0]).tolist(), instance.rewards.tolist()


def outcomes_drawn(run: int, rounds: int) -> list[int]:
    """How often each outcome of that arm is drawn, by inversion of the cumulated probabilities."""
    z, _ = played_arm(run)
    uniforms = generator("claims", 0, "framework", run).random(rounds)
    places = np.searchsorted(np.cumsum(softmax(FLOATS, z))[:-1], uniforms, side="right")
    return np.bincount(places, minlength=len(z)).tolist()


def game_deviation(m: Arithmetic, run: int, rounds: int, shift: int = 0) -> Number:
    """The largest of |frequency of k - mu(z)_k| and |mean reward - rho^T mu(z)|/range, over a Hoeffding radius.

    The level of all K + 1 together is 0.05; `shift` misplaces the rewards that are got.
    """
    z, rewards = ([m.number(entry) for entry in entries] for entries in played_arm(run))
    law, drawn = softmax(m, z), outcomes_drawn(run, rounds)
    got = dot(drawn, rewards[shift:] + rewards[:shift]) / rounds
    off = [abs(m.number(n) / rounds - chance) for n, chance in zip(drawn, law, strict=True)]
    mean = abs(got - dot(rewards, law)) / (m.maximum(*rewards) - m.minimum(*rewards))
    return m.maximum(*off, mean) / m.sqrt(m.log(m.number(40 * (len(z) + 1))) / (2 * rounds))


def rounds_played(effort: Effort, shift: int = 0) -> Finding:
    """Frequencies and mean reward of one action leave that radius in at most 5% of the runs."""
    ratios = [game_deviation(FLOATS, run, effort.rounds, shift) for run in range(effort.runs)]
    what = f"largest deviation over the radius {max(ratios):.3g}"
    return exceedance(ratios, 0.05, what, lambda run: game_deviation(DIGITS, run, effort.rounds, shift))


C018b = claim(
    "C018b",
    Statement(
        place="Section 2, Framework 1",
        lines=(278, 286),
        kind="algorithm",
        prints=r"In each round: play action $x_t \in \mathcal{X}$, observe $y_t \in \llbracket K \rrbracket$ such that $\mathbb{P}[y_t = k \mid x_t] = \mu(\theta_* x_t)_k$, get reward $\rho_{y_t}$.",
        reading=r"The reward has mean $\rho^\top \mu(\theta_* x_t)$, which the regret compares.",
        labels=("framework:MLB",),
    ),
    rounds_played,
    domain=r"random instances, $K = 4$, $d = 3$, $S = 2$: frequencies of the outcomes of one action and the mean of its rewards within Hoeffding radii of level 0.05 together",
    planted={"shift": 1},
    unproved="It is the definition of a game, so that there is nothing to prove; what is looked at is that outcomes drawn by inversion, as they are in all runs here, have this law and the mean reward of the regret.",
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
    r"at $z = (1, \dots, 1, 1 - K)$ their form is longer for every $K \ge 2$: some laws of norm $S$ need a norm above $S$ there; with $S$ free the models are the same up to a constant added to $\rho$, as Appendix D says",
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
    """Theirs is among ours; ours is theirs with a norm up to sqrt(K) times as long, and for some laws a longer one."""
    return all_of(LONGER(effort, most=most), AMONG_OURS(effort), WITHIN_ROOT(effort))


C018 = claim(
    "C018",
    Statement(
        place="Section 2, Framework",
        lines=(272, 273),
        kind="text",
        prints=r"Our framework differs from the original one of Amani and Thrampoulidis: instead of fixing one line of $\theta_*$ to be zero, we assume that $\sum_{k=1}^K [\theta_* x]_k = 0$. Hence our model is more general, as it does not assume the existence of a dedicated no-choice item.",
        reading=r"At the same $S$: the laws of a $\theta$ whose last row is 0, $\lVert\theta\rVert \le S$, are among ours, and not conversely.",
    ),
    more_general,
    domain=r"every $K$; $d = 1$, all $z$; searched at $K = 2, 3, 5$, $z \in [-20, 20]^K$; norm of $\theta - 1 \theta_K^\top$, the one form with last row 0 of the same law, against that of $\Pi\theta$",
    planted={"most": 3},
    module=__name__,
)
