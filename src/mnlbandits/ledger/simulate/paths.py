"""The learning phase of Algorithm 2 in batches, as a list of its plays."""

import itertools
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms import get_algorithm
from mnlbandits.instances import Instance
from mnlbandits.ledger.simulate.exploration import DELTA
from mnlbandits.ledger.simulate.learning import example
from mnlbandits.seeds import generator
from mnlbandits.simulate import leap
from mnlbandits.simulate.counts import explore
from mnlbandits.simulate.runs import LEAP_RESOLUTION, checkpoints


class Path(NamedTuple):
    """Batches that REAL played after its exploration, on the arms of `instance`: (arm, plays) in turn."""

    instance: Instance
    steps: list[tuple[int, float]]


def path_of(outcomes: int, horizon: float) -> Path:
    """The learning phase of REAL to `horizon` rounds in batches, expected outcomes, at the paper's constants."""
    instance = example(outcomes)
    record = get_algorithm("real")
    state = record.begin(instance, instance.problem(horizon, DELTA), "paper", {})
    pulls, steps = np.zeros(len(instance.arms)), []
    plan = record.exploration.plan(state)
    design = explore(instance.arms, plan, np.array([plan.tau]), LEAP_RESOLUTION)
    seen = np.rint(design.pulls[-1][:, None] * instance.probabilities).astype(np.int64)
    record.exploration.finish(state, design.matrix, seen)
    stops = checkpoints(1, horizon)[::-3][::-1]
    stream = generator("claims path", 0, instance.name)
    for start, stop in itertools.pairwise(np.append(0, stops)):
        before = pulls.copy()
        leap.follow(record, state, instance, state.tau + start, np.array([stop - start]), pulls, 0.2, stream, False)
        steps += [(n, float(count)) for n, count in enumerate(pulls - before) if count > 0]
    return Path(instance, steps)
