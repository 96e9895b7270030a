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
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

from mnlbandits.algorithms import Algorithm, algorithm_of
from mnlbandits.compiled import allocating_kernel, interpreted
from mnlbandits.errors import InputError
from mnlbandits.instances import Instance
from mnlbandits.instances.families import frame_of
from mnlbandits.learners import mirror_descent
from mnlbandits.learners.likelihood import probabilities
from mnlbandits.model.constants import relative
from mnlbandits.model.softmax import Array, softmax
from mnlbandits.simulate.dispatch import dispatched
from mnlbandits.simulate.exact import choose

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


@allocating_kernel
def play(state, start, done, stop, outcomes, step, generator, drawn, pulls, counts):
    """Play batches from `done` to `stop` rounds after round `start`.

    Round numbers are start + rounds done: at 1e24 a round more would not change their sum.

    Parameters
    ----------
    outcomes : (N, K) their probabilities. pulls : (N,) float, raised by the pulls of each arm. counts : (K,) working memory.
    """
    while done < stop:
        arm = choose_arm(state, start + done + 1.0)
        many = min(max(1.0, np.floor(step * min(1.0 / information_of(state, arm), done))), stop - done)
        draw_counts(generator, many, outcomes[arm], drawn, counts)
        done += many
        pull_arm(state, start + done, arm, counts)
        pulls[arm] += many


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
        mirror_descent.measure_blocks(probe.learner)
        best = choose_arm(probe, t)
        for j in range(dim):
            centre[j] = arms[best, j]
        if best == 0:
            if step <= PROBES_STOP * angle:
                break
            step *= 0.5


@allocating_kernel
def play_on_sphere(state, probe, start, done, stop, theta, rewards, frame, best, step, generator, drawn, regret, counts):
    """`play` on the whole sphere, for states whose rounds only call `mirror_descent.learn`; raises `regret` (1,).

    Parameters
    ----------
    theta : (K, d). frame : (d, d), its first row the best direction. best : the largest mean reward.
    """
    centre, p, identity, first = np.zeros(len(frame)), np.zeros(len(theta)), np.eye(len(theta)), np.int64(0)
    while done < stop:
        arm = choose_arm(state, start + done + 1.0)
        refine(state, probe, start + done + 1.0, frame, arm, centre)
        many = min(max(1.0, np.floor(step * min(1.0 / information_of(probe, first), done))), stop - done)
        probabilities(identity, theta, centre, p)
        mean = 0.0
        for k in range(len(p)):
            mean += p[k] * rewards[k]
        draw_counts(generator, many, p, drawn, counts)
        done += many
        pull_arm(probe, start + done, first, counts)
        mirror_descent.measure_blocks(state.learner)
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
) -> Array:
    """Regret (P,) of one run at `stops` (P,) rounds after round `start`; `pulls` (N,) float are those before it.

    Parameters
    ----------
    step : the share of information in a batch, in (0, 1].
    """
    if instance.sphere:
        return follow_on_sphere(state, instance, start, stops, (pulls * instance.gaps).sum(), step, generator, drawn)
    loop, counts, done, regret = loop_of(algorithm), np.zeros(instance.outcomes), 0.0, np.zeros(len(stops))
    for column, stop in enumerate(stops):
        loop(state, float(start), done, float(stop), instance.probabilities, step, generator, drawn, pulls, counts)
        regret[column], done = (pulls * instance.gaps).sum(), float(stop)
    return regret


def follow_on_sphere(state, instance, start, stops, spent, step, generator, drawn) -> Array:
    """`follow` on the whole sphere; `spent` is the regret before it."""
    best, probe = instance.arms[np.argmin(instance.gaps)], state._replace(learner=probe_of(state.learner))
    theta, rewards = instance.theta.copy(), relative(instance.rewards)
    mean, frame = float(softmax(theta @ best) @ rewards), frame_of(best)
    total, counts, done, regret = np.array([spent]), np.zeros(instance.outcomes), 0.0, np.zeros(len(stops))
    for column, stop in enumerate(stops):
        interval, rest = (float(start), done, float(stop)), (step, generator, drawn, total, counts)
        play_on_sphere(state, probe, *interval, theta, rewards, frame, mean, *rest)
        regret[column], done = total[0], float(stop)
    return regret


def probe_of(learner: mirror_descent.Learner) -> mirror_descent.Learner:
    """A learner with 1 + 2 (d - 1) arms of its own that shares estimate and matrices."""
    dim = learner.arms.shape[1]
    own = mirror_descent.make_learner(learner.basis, np.zeros((2 * dim - 1, dim)), learner.rewards, 1.0, learner.eta, 1.0)
    names = ("arms", "features", "blocks", "scores", "wide", "bits", "powers")
    return learner._replace(**{name: getattr(own, name) for name in names})


def require_leaps(algorithm: Algorithm, instance: Instance) -> None:
    """Raise `InputError` unless the algorithm can play the instance in batches."""
    if algorithm.batch is None:
        raise InputError("simulator", "leap", f"exact: {algorithm.name} cannot play many rounds at once")
    if instance.offered:
        raise InputError("simulator", "leap", "exact: the instance offers other arms in every round")
    if instance.sphere and not algorithm.batch.on_sphere:
        raise InputError("instance", instance.name, f"a finite set of arms: {algorithm.name} cannot play the whole sphere")
