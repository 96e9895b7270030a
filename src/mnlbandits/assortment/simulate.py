"""Playing the assortment problem round by round, compiled; all algorithms face the same uniforms (common random numbers)."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from mnlbandits.assortment import algorithms
from mnlbandits.assortment.instances import AssortmentInstance
from mnlbandits.assortment.model import expected_revenue
from mnlbandits.compiled import kernel
from mnlbandits.seeds import generator
from mnlbandits.simulators.runs import checkpoints

BLOCK = 1 << 15
"""Most rounds between two draws of uniforms."""


@kernel
def play(state, t, theta, weights, best, uniforms, sums):
    """Play one round per entry of `uniforms`, after round t, with true `weights` e^{u_i} (M,) and `best` revenue.

    The outcome is the inverse of the cumulative probabilities, items in their order and no item last. Adds the regret to
    `sums[0]` and raises `sums[1]` to the largest ratio. Returns the outcome of the last round.
    """
    outcome = -1
    for uniform in uniforms:
        t += 1
        algorithms.choose(state, t)
        total, gain = 1.0, 0.0
        for i in range(len(weights)):
            if state.offered[i]:
                total += weights[i]
                gain += state.revenues[i] * weights[i]
        outcome, cumulative = len(weights), 0.0
        for i in range(len(weights)):
            if state.offered[i] and outcome == len(weights):
                cumulative += weights[i]
                if uniform * total < cumulative:
                    outcome = i
        algorithms.update(state, t, outcome)
        sums[0] += best - gain / total
        sums[1] = max(sums[1], algorithms.ratio(state, t, theta))
    return outcome


def simulate(
    instance: AssortmentInstance,
    algorithm: str,
    preset: str,
    horizon: int,
    runs: Sequence[int],
    seed: int = 0,
    delta: float = 0.05,
    radius_multiplier: float = 1.0,
) -> pd.DataFrame:
    """Columns run, t, regret (cumulative pseudo-regret) and worst (largest ratio up to t): a row per run and checkpoint."""
    stops, weights = checkpoints(1, horizon), np.exp(instance.utilities)
    rows = []
    for run in runs:
        state = algorithms.start(instance, algorithm, preset, horizon, delta, radius_multiplier)
        stream, sums, t = generator("choices", seed, instance.name, run), np.array([0.0, -1.0]), 0
        for stop in stops:
            while t < stop:
                uniforms = stream.random(min(BLOCK, int(stop) - t))
                play(state, t, instance.theta, weights, instance.best_revenue, uniforms, sums)
                t += len(uniforms)
            rows.append((run, t, *sums))
    return pd.DataFrame(rows, columns=["run", "t", "regret", "worst"])


def random_gap(instance: AssortmentInstance) -> float:
    """Expected regret per round of sets of exactly K items drawn uniformly."""
    count = len(instance.items)
    members = np.array(list(combinations(range(count), instance.size)))
    masks = np.zeros((len(members), count), dtype=bool)
    np.put_along_axis(masks, members, True, axis=1)
    revenues = [expected_revenue(instance.utilities, instance.revenues, mask) for mask in masks]
    return instance.best_revenue - float(np.mean(revenues))
