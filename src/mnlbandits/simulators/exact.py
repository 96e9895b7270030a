"""One round after another, compiled when the algorithm is."""

from collections.abc import Callable
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numba.core.dispatcher import Dispatcher

from mnlbandits.algorithms import Algorithm, algorithm_of
from mnlbandits.algorithms.registry import error_of
from mnlbandits.compiled import allocating_kernel, interpreted, kernel
from mnlbandits.errors import InputError, Words
from mnlbandits.instances import Instance
from mnlbandits.instances.action_sets import ROUNDING, Ball
from mnlbandits.model.constants import relative
from mnlbandits.model.softmax import Array
from mnlbandits.simulators.dispatch import dispatched

BLOCK = 1 << 15
"""Most rounds between two draws of uniforms: memory does not grow with the horizon."""


@kernel
def no_ratio(state, t, theta):
    """`ratio` of an algorithm without confidence sets."""
    return -1.0


def called(function, state, t, *rest):
    """What a function of the algorithm that the state belongs to returns; its error names it, its line and the round."""
    algorithm = algorithm_of(state)
    try:
        return getattr(algorithm, function)(state, t, *rest)
    except InputError:
        raise
    except Exception as error:
        what = Words(f"{error_of(algorithm, error)} (round {t})")
        raise InputError(f"{algorithm.name}.{function}", what, "free of errors") from error


@dispatched(lambda algorithm: algorithm.choose)
def choose(state, t):
    """`choose` of the algorithm that the state belongs to."""
    arm = called("choose", state, t)
    if isinstance(arm, bool) or not isinstance(arm, Integral):
        raise InputError(f"{algorithm_of(state).name}.choose", arm, "the integer index of an arm")
    return arm


@dispatched(lambda algorithm: algorithm.update)
def update(state, t, arm, outcome):
    """`update` of the algorithm that the state belongs to."""
    called("update", state, t, arm, outcome)


@dispatched(lambda algorithm: algorithm.ratio or no_ratio)
def ratio(state, t, theta):
    """`ratio` of the algorithm that the state belongs to; -1 if it has none."""
    return -1.0 if algorithm_of(state).ratio is None else called("ratio", state, t, theta)


@kernel
def outcome_of(cumulative, uniform):
    """The inverse of the cumulative probabilities (K,) at a uniform."""
    outcome = 0
    while outcome < len(cumulative) - 1 and uniform >= cumulative[outcome]:
        outcome += 1
    return outcome


@kernel
def play(state, t, theta, cumulative, uniforms, pulls, worst):
    """Play one round per entry of `uniforms`, after round t.

    The outcome of an arm is the inverse of its cumulative probabilities, (N, K), at the round's uniform. Adds to `pulls`
    (N,) and raises `worst` (1,) to the largest ratio. Returns the arm chosen in the last round played; a number outside
    0 .. N-1 ended the play.
    """
    arm = 0
    for uniform in uniforms:
        t += 1
        arm = choose(state, t)
        if arm < 0 or arm >= len(pulls):
            return arm
        update(state, t, arm, outcome_of(cumulative[arm], uniform))
        pulls[arm] += 1
        worst[0] = max(worst[0], ratio(state, t, theta))
    return arm


@kernel
def play_alone(state, t, cumulative, uniforms):
    """`play` of the algorithm alone, to time it: no ratio, which needs theta_*, and no tally."""
    for uniform in uniforms:
        t += 1
        arm = choose(state, t)
        update(state, t, arm, outcome_of(cumulative[arm], uniform))


@kernel
def play_subsets(state, t, theta, cumulative, uniforms, masks, which, gaps, slopes, pulls, worst, optimal):
    """`play` on subsets of the arms: round by round the set masks[which] (N,) becomes the state's `offered`.

    The best arm offered, of the smallest of `gaps` (N,), is taken off `pulls`: their sum of products with `gaps` stays the
    regret. Its 1/kappa_{*,t}, of `slopes` (N,), is added to `optimal` (1,). An arm that is not offered ends the play too.
    """
    arm, offered = 0, state.offered
    count = len(pulls)
    for row in range(len(uniforms)):
        t += 1
        for n in range(count):
            offered[n] = masks[which[row], n]
        arm = choose(state, t)
        if arm < 0 or arm >= count or not offered[arm]:
            return arm
        update(state, t, arm, outcome_of(cumulative[arm], uniforms[row]))
        best = arm
        for n in range(count):
            if offered[n] and gaps[n] < gaps[best]:
                best = n
        pulls[arm] += 1
        pulls[best] -= 1
        optimal[0] += slopes[best]
        worst[0] = max(worst[0], ratio(state, t, theta))
    return arm


@kernel
def play_fresh(state, t, theta, rewards, square, uniforms, vectors, counts, p, regret, worst, optimal):
    """`play` on fresh vectors: round by round the first counts[row] of vectors[row] (N, d) become the state's `arms`.

    The regret of every round is added to `regret` (1,), its 1/kappa_{*,t} to `optimal` (1,). `rewards` are
    rho - min rho (K,), `square` is ||rho||^2, `p` (K,) working memory.
    """
    arm, offered, arms = 0, state.offered, state.arms
    for row in range(len(uniforms)):
        t += 1
        for n in range(len(arms)):
            offered[n] = n < counts[row]
            for j in range(arms.shape[1]):
                arms[n, j] = vectors[row, n, j] if offered[n] else 0.0
        arm = choose(state, t)
        if arm < 0 or arm >= counts[row]:
            return arm
        best, spread, played, outcome = -np.inf, 0.0, 0.0, 0
        for n in range(counts[row]):
            mean = mean_reward(theta, vectors[row, n], rewards, p)
            if mean > best:
                best, spread = mean, 0.0
                for k in range(len(p)):
                    spread += p[k] * (rewards[k] - mean) ** 2
            if n == arm:
                played = mean
                for k in range(1, len(p)):
                    p[k] += p[k - 1]
                outcome = outcome_of(p, uniforms[row])
        update(state, t, arm, outcome)
        regret[0] += best - played
        optimal[0] += spread / square if square > 0.0 else 0.0
        worst[0] = max(worst[0], ratio(state, t, theta))
    return arm


@kernel
def play_continuous(state, t, theta, rewards, best, least, uniforms, p, regret, worst):
    """`play` on a sphere or ball: the vector of a round is what `choose` leaves in the first row of the state's `arms`.

    The regret of every round, of the mean reward to the `best`, is added to `regret` (1,). A vector that is not in the set,
    of norm in [`least`, 1], ends the play with -1.
    """
    for uniform in uniforms:
        t += 1
        arm = choose(state, t)
        x, square = state.arms[0], 0.0
        for j in range(len(x)):
            square += x[j] * x[j]
        if not (least * least - ROUNDING <= square <= 1.0 + ROUNDING):
            return -1
        regret[0] += best - mean_reward(theta, x, rewards, p)
        for k in range(1, len(p)):
            p[k] += p[k - 1]
        update(state, t, arm, outcome_of(p, uniform))
        worst[0] = max(worst[0], ratio(state, t, theta))
    return 0


@kernel
def mean_reward(theta, x, rewards, p):
    """rho^T mu(theta x), with mu(theta x) into `p` (K,)."""
    top = -np.inf
    for k in range(len(p)):
        p[k] = 0.0
        for j in range(len(x)):
            p[k] += theta[k, j] * x[j]
        top = max(top, p[k])
    total, mean = 0.0, 0.0
    for k in range(len(p)):
        p[k] = np.exp(p[k] - top)
        total += p[k]
    for k in range(len(p)):
        p[k] /= total
        mean += p[k] * rewards[k]
    return mean


LOOPS = {
    kind: (loop, allocating_kernel(interpreted(loop)))
    for kind, loop in {
        "list": play,
        "subsets": play_subsets,
        "fresh": play_fresh,
        "continuous": play_continuous,
        "alone": play_alone,
    }.items()
}
"""The loops by kind of sets, and of the algorithm alone; and with reference counting, for kernels that allocate arrays."""


class Tally(NamedTuple):
    """What a run has added up so far; arrays are changed in place."""

    pulls: Array  # (N,) int64; with subsets of the arms less the rounds in which an arm was the best on offer
    regret: Array  # (1,) unless the sets are a list or its subsets: there the products of `pulls` and the gaps sum to it
    worst: Array  # (1,) largest ratio
    optimal: Array  # (1,) sum of 1/kappa_{*,t}, for sets that change


def new_tally(arms: int, pulls: Array | None = None) -> Tally:
    """The tally of a run before round 1, or after the `pulls` (N,)."""
    pulls = np.zeros(arms, dtype=np.int64) if pulls is None else pulls
    return Tally(pulls, np.zeros(1), np.array([-1.0]), np.zeros(1))


def loop_of(algorithm: Algorithm, kind: str = "list") -> Callable[..., int]:
    """The loop that fits the sets and how the algorithm is compiled: see `mnlbandits.compiled`; interpreted if it is not."""
    loop, counted = LOOPS[kind]
    if not isinstance(algorithm.choose, Dispatcher):
        return interpreted(loop)
    return counted if algorithm.choose.targetoptions.get("_nrt", True) else loop


def advance(
    algorithm: Algorithm,
    state: Any,
    instance: Instance,
    generator: np.random.Generator,
    t: int,
    stop: int,
    tally: Tally,
    sets: np.random.Generator | None = None,
    record: Callable[[Any, int, int, float], None] | None = None,
) -> None:
    """Play the rounds t+1 .. stop; `generator` draws the outcomes, `sets` what is on offer, if that is random.

    `record` is called after every round with the state, t, the arm and the uniform of its outcome.

    Raises
    ------
    InputError : the algorithm chose an arm that does not exist or is not offered.
    """
    actions, count, theta = instance.actions, len(instance.arms), instance.theta.copy()
    loop, listed, continuous = loop_of(algorithm, actions.kind), actions.kind == "list", actions.kind == "continuous"
    rewards, square = relative(instance.rewards), float(instance.rewards @ instance.rewards)
    cumulative, p = np.cumsum(instance.probabilities, axis=1), np.zeros(instance.outcomes)
    best, least = float((instance.probabilities @ rewards).max()), 0.0 if isinstance(actions, Ball) else 1.0
    block = BLOCK if listed or continuous else max(1, BLOCK // instance.arms.size)
    block = block if record is None else 1
    while t < stop:
        rounds = min(block, stop - t)
        uniforms = generator.random(rounds)
        if listed:
            arm = loop(state, t, theta, cumulative, uniforms, tally.pulls, tally.worst)
        elif continuous:
            arm = loop(state, t, theta, rewards, best, least, uniforms, p, tally.regret, tally.worst)
        elif actions.kind == "subsets":
            worth = (instance.gaps, instance.inverse_kappa_stars, tally.pulls, tally.worst, tally.optimal)
            arm = loop(state, t, theta, cumulative, uniforms, *actions.offers(sets, t + 1, rounds, instance.gaps), *worth)
        else:
            rest = (p, tally.regret, tally.worst, tally.optimal)
            vectors = actions.vectors(sets, rounds, instance.dim)
            arm = loop(state, t, theta, rewards, square, uniforms, *vectors, *rest)
        if not 0 <= arm < count or not (listed or continuous or state.offered[arm]):
            allowed = f"an arm in 0 .. {count - 1}" if listed else "an arm that is offered in this round"
            allowed = "a vector of the set in the state's arms" if continuous else allowed
            raise InputError(f"{algorithm.name}.choose", arm, allowed)
        t += rounds
        if record is not None:
            record(state, t, arm, uniforms[0])
