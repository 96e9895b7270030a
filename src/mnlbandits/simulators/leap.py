"""Many rounds at once, far from the start: the played arm changes rarely, so it is played in batches.

A batch after n rounds plays the chosen arm m = max(1, floor(step min(1/g, n))) times, g the relative growth of the
algorithm's matrices by one pull, so that neither they nor the number of rounds change by much more than a share `step`.
The algorithm itself does the rest: `Batch.pull` is its update for m rounds of one arm. What this leaves out is that the
algorithm could have changed its arm within a batch: an error of first order in `step`, which two steps, one half of the
other, show and remove (Richardson).

Outcomes of a batch are multinomial (``drawn``), or their expectation (``off``). With batches of one round and drawn outcomes
this is the algorithm itself.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numba.core.dispatcher import Dispatcher

from mnlbandits.algorithms import Algorithm, algorithm_of
from mnlbandits.compiled import allocating_kernel, interpreted, kernel
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance, Problem
from mnlbandits.instances.action_sets import ALL_ARMS, AllArms, Cycle, Sphere
from mnlbandits.instances.families import frame_of
from mnlbandits.learners.learner import Learner, make_learner, measure_blocks
from mnlbandits.model.constants import relative
from mnlbandits.model.softmax import Array, softmax
from mnlbandits.simulators.dispatch import dispatched
from mnlbandits.simulators.exact import choose, mean_reward

NOISE = ("off", "drawn")

LARGEST_COUNT = 1e15
"""More outcomes than this are drawn from the normal distribution: beyond 2^53 whole numbers are not exact anyway."""

JUST_BELOW = 1 - 1e-12
"""Factor of the chances with which outcomes are drawn.

A generator of binomial numbers jumps where the chance is 1/2 (above it draws the failures), and where the expected number
is 30 or near a whole number. The chances of equally likely outcomes are 1/2, 1/3, ... up to rounding, which would decide on
the side: all are put below.
"""


@dispatched(lambda algorithm: algorithm.batch.pull)
def pull(state, t, arm, counts):
    """`Batch.pull` of the algorithm that the state belongs to."""
    algorithm_of(state).batch.pull(state, t, arm, counts)


@dispatched(lambda algorithm: algorithm.batch.information)
def information(state, arm):
    """`Batch.information` of the algorithm that the state belongs to."""
    return algorithm_of(state).batch.information(state, arm)


@allocating_kernel
def choose_arm(state, t):
    """`choose`, compiled once and not into every loop: a batch costs little beside what compiling would."""
    return choose(state, t)


@allocating_kernel
def pull_arm(state, t, arm, counts):
    """`pull`, likewise."""
    pull(state, t, arm, counts)


@allocating_kernel
def information_of(state, arm):
    """`information`, likewise."""
    return information(state, arm)


@kernel
def rounds_of(information, step, done, left):
    """Rounds of a batch that adds the share `step` of information, and of rounds at most, which may be all there is."""
    most = done if information * done < 1.0 else 1.0 / information
    return min(max(1.0, np.floor(step * most)), left)


@allocating_kernel
def draw_counts(generator, pulls, probabilities, drawn, counts):
    """Outcomes of `pulls` rounds with `probabilities` (K,) into `counts` (K,): multinomial if `drawn`, else expected."""
    left, share = pulls, 1.0
    for k in range(len(counts) - 1):
        chance = min(1.0, probabilities[k] / share) if share > 0.0 else 0.0
        if not drawn:
            counts[k] = pulls * probabilities[k]
        elif left <= LARGEST_COUNT:
            counts[k] = generator.binomial(np.int64(left), JUST_BELOW * chance)
        else:
            deviation = math.sqrt(left * chance * (1.0 - chance))
            counts[k] = min(left, max(0.0, left * chance + deviation * generator.standard_normal()))
        left -= counts[k]
        share -= probabilities[k]
    counts[-1] = max(0.0, left)


class World(NamedTuple):
    """What the loop needs of an instance, and the settings of a run."""

    theta: Array  # (K, d)
    rewards: Array  # rho - min rho (K,)
    outcomes: Array  # (N, K) their probabilities
    gaps: Array  # (N,)
    slopes: Array  # (N,) 1/kappa_{*,t} where the arm is the best on offer
    masks: Array  # (M, N) bool: the sets, offered in turn
    start: float  # the round before the first one
    step: float  # share of information in a batch
    drawn: bool  # whether outcomes are drawn


def world_of(instance: Instance, start: float, step: float, drawn: bool) -> World:
    """The record for an instance whose sets are its list of arms or repeat."""
    arms = len(instance.arms)
    masks = instance.actions.masks(arms) if isinstance(instance.actions, Cycle) else np.ones((1, arms), dtype=bool)
    arrays = (
        instance.theta,
        relative(instance.rewards),
        instance.probabilities,
        instance.gaps,
        instance.inverse_kappa_stars,
    )
    return World(*(array.copy() for array in arrays), masks, float(start), step, drawn)


def offering(algorithm: Algorithm) -> Callable[[Any, Array], None]:
    """What puts a set on offer."""
    return offer_subset if "offered" in algorithm.state._fields else offer_all


@kernel
def offer_subset(state, mask):
    """The mask (N,) as the state's `offered`."""
    for n in range(len(mask)):
        state.offered[n] = mask[n]


@kernel
def offer_all(state, mask):
    """Nothing to do for an algorithm that plays lists only."""


@dispatched(offering)
def offer(state, mask):
    """Put the arms of a mask (N,) on offer."""
    offering(algorithm_of(state))(state, mask)


@allocating_kernel
def play(state, world, done, stop, generator, pulls, optimal):
    """Play batches from `done` to `stop` rounds after round `world.start`: every set in turn, each as long.

    Round numbers are start + rounds done: at 1e24 a round more would not change their sum.

    Parameters
    ----------
    pulls : (N,) float, raised by the pulls of each arm and, if there are several sets, lowered by those of the best.
    optimal : (1,) raised by the sum of 1/kappa_{*,t}.
    """
    sets, counts = len(world.masks), np.zeros(world.outcomes.shape[1])
    while done < stop:
        quota, first = max(1.0, np.floor(world.step * done / sets)), int(done % sets)
        for turn in range(sets):
            offered = world.masks[(first + turn) % sets]
            offer(state, offered)
            best, end = -1, stop if sets == 1 else min(stop, done + quota)
            for n in range(len(offered)):
                if offered[n] and (best < 0 or world.gaps[n] < world.gaps[best]):
                    best = n
            while done < end:
                arm = choose_arm(state, world.start + done + 1.0)
                many = rounds_of(information_of(state, arm), world.step, done, end - done)
                draw_counts(generator, many, world.outcomes[arm], world.drawn, counts)
                done += many
                pull_arm(state, world.start + done, arm, counts)
                pulls[arm] += many
                optimal[0] += many * world.slopes[best]
                if sets > 1:
                    pulls[best] -= many


PROBES_STOP = 1e-3
"""The search on the sphere ends at steps of this share of the angle to the best arm."""


@allocating_kernel
def refine(state, probe, t, frame, arm, centre):
    """Improve the arm that `state` chose, over the whole sphere; the result into `centre` (d,) and the probe's first arm.

    A pattern search: the index, as `choose` of the algorithm has it, at the centre and a step to both sides of it in every
    direction that `frame` (d, d) has besides its first row. A better point becomes the centre, else the step halves.

    Parameters
    ----------
    probe : the state with a learner of 1 + 2 (d - 1) arms of its own; all else is shared.
    """
    dim, arms = len(frame), probe.learner.arms
    tangent = 0.0
    for j in range(dim):
        centre[j] = state.learner.arms[arm, j]
        tangent += centre[j] * frame[0, j]
    angle = math.sqrt(max(0.0, 1.0 - tangent * tangent))
    step = 0.3 * angle
    for _ in range(200):
        for side in range(len(arms)):
            length = 0.0
            for j in range(dim):
                arms[side, j] = centre[j]
                if side > 0:
                    arms[side, j] += (step if side % 2 else -step) * frame[1 + (side - 1) // 2, j]
                length += arms[side, j] ** 2
            for j in range(dim):
                arms[side, j] /= math.sqrt(length)
                probe.learner.features[j, side] = arms[side, j]
        measure_blocks(probe.learner)
        best = choose_arm(probe, t)
        for j in range(dim):
            centre[j] = arms[best, j]
        if best == 0:
            if step <= PROBES_STOP * angle:
                break
            step *= 0.5


@allocating_kernel
def play_on_sphere(state, probe, world, done, stop, generator, frame, best, regret):
    """`play` on the whole sphere, for states whose rounds only call `mirror_descent.learn`; raises `regret` (1,).

    Parameters
    ----------
    frame : (d, d), its first row the best direction. best : the largest mean reward.
    """
    centre, first, (p, counts) = np.zeros(len(frame)), np.int64(0), np.zeros((2, len(world.theta)))
    while done < stop:
        arm = choose_arm(state, world.start + done + 1.0)
        refine(state, probe, world.start + done + 1.0, frame, arm, centre)
        many = rounds_of(information_of(probe, first), world.step, done, stop - done)
        mean = mean_reward(world.theta, centre, world.rewards, p)
        draw_counts(generator, many, p, world.drawn, counts)
        done += many
        pull_arm(probe, world.start + done, first, counts)
        measure_blocks(state.learner)
        regret[0] += many * (best - mean)


def loop_of(algorithm: Algorithm) -> Callable[..., None]:
    """The loop, compiled when the algorithm is."""
    return play if isinstance(algorithm.choose, Dispatcher) else interpreted(play)


def follow(
    algorithm: Algorithm,
    state: Any,
    instance: Instance,
    start: float,
    stops: Array,
    pulls: Array,
    step: float,
    generator: np.random.Generator,
    drawn: bool,
    watch: Callable[[int, float], None] = lambda column, optimal: None,
) -> Array:
    """Regret (P,) of one run at `stops` (P,) rounds after round `start`.

    Parameters
    ----------
    pulls : (N,) float, those before `start`.
    step : the share of information in a batch, in (0, 1].
    watch : called at every stop with its index and the sum of 1/kappa_{*,t} since `start`.
    """
    world = world_of(instance, start, step, drawn)
    if isinstance(instance.actions, Sphere):
        return follow_on_sphere(state, instance, world, stops, (pulls * instance.gaps).sum(), generator, watch)
    loop, done, regret, optimal = loop_of(algorithm), 0.0, np.zeros(len(stops)), np.zeros(1)
    for column, stop in enumerate(stops):
        loop(state, world, done, float(stop), generator, pulls, optimal)
        regret[column], done = (pulls * instance.gaps).sum(), float(stop)
        watch(column, optimal[0])
    return regret


def follow_on_sphere(state, instance, world, stops, spent, generator, watch) -> Array:
    """`follow` on the whole sphere; `spent` is the regret before it."""
    star, probe = np.argmin(instance.gaps), state._replace(learner=probe_of(state.learner))
    best = instance.arms[star]
    mean, frame = float(softmax(world.theta @ best) @ world.rewards), frame_of(best)
    total, done, regret = np.array([spent]), 0.0, np.zeros(len(stops))
    for column, stop in enumerate(stops):
        play_on_sphere(state, probe, world, done, float(stop), generator, frame, mean, total)
        regret[column], done = total[0], float(stop)
        watch(column, done * world.slopes[star])
    return regret


def probe_of(learner: Learner) -> Learner:
    """A learner with 1 + 2 (d - 1) arms of its own that shares estimate and matrices."""
    dim = learner.arms.shape[1]
    own = make_learner(learner.basis, np.zeros((2 * dim - 1, dim)), learner.rewards, 1.0, learner.eta, 1.0)
    names = ("arms", "features", "blocks", "scores", "wide", "bits", "powers")
    return learner._replace(**{name: getattr(own, name) for name in names})


def problem_of(instance: Instance, problem: Problem) -> Problem:
    """What a learner sees: on the sphere the list of arms to start from."""
    return replace(problem, arms=instance.arms, actions=ALL_ARMS) if isinstance(instance.actions, Sphere) else problem


def require_leaps(algorithm: Algorithm, instance: Instance) -> None:
    """Raise `InputError` unless the algorithm can play the instance in batches."""
    if algorithm.batch is None:
        raise InputError("simulator", "leap", f"exact: {algorithm.name} cannot play many rounds at once")
    if not isinstance(instance.actions, AllArms | Cycle | Sphere):
        raise InputError("simulator", "leap", "exact: the instance's sets neither repeat nor are the sphere")
    if isinstance(instance.actions, Sphere) and not algorithm.batch.on_sphere:
        raise InputError("instance", instance.name, f"a finite set of arms: {algorithm.name} cannot play the whole sphere")
