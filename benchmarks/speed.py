"""What a round costs, as ratios of times that were taken in turns in one run on one core.

Usage: python benchmarks/speed.py [PATH ...]

Prints how many times as fast as its plain NumPy version every system is; as public code, where a PATH is a checkout of some
or a folder of checkouts, see `peers`; what REAL's rounds cost beside those of OFUL-MLogB, with the constraint active in none
and in all of them; and how the cost of a round grows with t, K, d and N. Rounds are `choose` and `update` and a drawn
outcome; compilation is not counted. Offline methods keep sufficient statistics, but in the growth with t a row per round.
"""

import math
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import peers

from mnlbandits.algorithms import REGISTRY
from mnlbandits.algorithms.base import DATA
from mnlbandits.instances import Instance, make_instance
from mnlbandits.learners.learner import LEARNT, PROJECTED
from mnlbandits.model.softmax import Array
from mnlbandits.seeds import generator
from mnlbandits.simulators.exact import loop_of
from mnlbandits.textbook import TEXTBOOK
from mnlbandits.verify.cost import fill, store_of

REPEATS = 3
"""Times that every ratio is taken; the median is printed."""

TIMES = 10
"""Plays of ours for one of public code: 300 of our rounds are over before the processor has their code at hand."""

DELTA = 0.05
ROUNDS, TEXTBOOK_ROUNDS = 1000, 30
SHAPES = [(3, 2, 32), (5, 10, 100), (10, 20, 200)]
"""(K, d, N) of the rows of `beside_oful`."""

GROWTH = {"t": (100, 1_000, 10_000, 100_000), "K": (2, 4, 8, 16), "d": (2, 4, 8, 16), "N": (20, 40, 80, 160)}
BASE = {"t": 100, "K": 4, "d": 4, "N": 40}
GROWING = ["oful-mlogb", "real", "adaptive-real", "rs-mnl", "mnl-ucb", "mnl-ucb-plus"]


class Run:
    """An algorithm on an instance, with the constants that it was proved for where there are such."""

    def __init__(self, name: str, instance: Instance, horizon: float, preset: str = "valid", **options: Any) -> None:
        self.algorithm, self.instance, self.t = REGISTRY[name], instance, 0
        preset = preset if preset in self.algorithm.presets else self.algorithm.presets[0]
        self.state = self.algorithm.begin(instance, instance.problem(horizon, DELTA), preset, options)
        self.loop, self.stream = loop_of(self.algorithm, "alone"), generator("benchmark", 0, name)
        self.cumulative = np.cumsum(instance.probabilities, axis=1)

    def play(self, rounds: int) -> None:
        """Play on."""
        self.loop(self.state, self.t, self.cumulative, self.stream.random(rounds))
        self.t += rounds


class TextbookRun:
    """The plain version of an algorithm."""

    def __init__(self, name: str, instance: Instance, horizon: float) -> None:
        self.instance, self.t, self.stream = instance, 0, generator("benchmark", 0, name)
        own = {"generator": generator("benchmark", 1, name)} if REGISTRY[name].randomised else {}
        preset = "valid" if "valid" in REGISTRY[name].presets else REGISTRY[name].presets[0]
        self.book = TEXTBOOK[name](instance.problem(horizon, DELTA), preset, **own)

    def play(self, rounds: int) -> None:
        """Play on."""
        for uniform in self.stream.random(rounds):
            self.t += 1
            arm = self.book.choose(self.t)
            self.book.update(self.t, arm, int((uniform >= np.cumsum(self.instance.probabilities[arm])[:-1]).sum()))


def seconds(play: Callable[[int], None], rounds: int) -> float:
    """Processor seconds of one round."""
    start = time.process_time()
    play(rounds)
    return (time.process_time() - start) / rounds


def against_textbook() -> None:
    """Print how many times as fast as their plain versions the systems are."""
    instances = [
        make_instance("three", "random", {"outcomes": 3, "dim": 2, "arms": 20}),
        make_instance("one-high", "large-kappa-star", {"outcomes": 3, "dim": 2, "arms": 20}),
        make_instance("two", "random", {"outcomes": 2, "dim": 2, "arms": 20}),
    ]
    print(f"Rounds per second, ours / textbook: d = 2, N = 20, {TEXTBOOK_ROUNDS} rounds of the textbook")
    print(f"{'system':24}{'K':>3}{'cost':>10}{'ratio':>10}")
    for name in TEXTBOOK:
        instance = next(each for each in instances if REGISTRY[name].setting.holds(each.rewards))
        Run(name, instance, ROUNDS).play(1)  # compiles
        ratios = []
        for _ in range(REPEATS):
            book, ours = TextbookRun(name, instance, ROUNDS), Run(name, instance, ROUNDS)
            ratios.append(seconds(book.play, TEXTBOOK_ROUNDS) / seconds(ours.play, ROUNDS))
        print(f"{name:24}{instance.outcomes:3}{REGISTRY[name].cost:>10}{median(ratios):10.0f}", flush=True)


def against_peers(paths: list[Path]) -> None:
    """Print how many times as fast as public code the systems are."""
    print("\nRounds per second, ours / public code: d = 2, N = 20, the first T rounds")
    print(f"{'system':24}{'K':>3}{'cost':>10}{'T':>6}{'ratio':>10}  public code")
    for peer in peers.found(paths):
        name, instance, rounds = peer.system, peer.instance, peer.rounds
        row = f"{name:24}{instance.outcomes:3}{REGISTRY[name].cost:>10}{rounds:6}"
        Run(name, instance, rounds).play(1)
        try:
            ratios = [
                seconds(peer.begin(), rounds) / seconds(Run(name, instance, rounds).play, rounds) for _ in range(REPEATS)
            ]
            print(f"{row}{median(ratios):10.0f}  {peer.label}", flush=True)
        except Exception as error:  # whatever goes wrong in code that is not ours
            print(f"{row}{'':10}  {peer.label}: {type(error).__name__}: {error}", flush=True)


def learning_real(instance: Instance, shrink: float) -> Run:
    """REAL after 10,000 pulls of every arm with expected outcomes, the radius of Theta times `shrink`."""
    run = Run("real", instance, 1e6, "paper")
    state, pulls = run.state, 10_000
    design = state.lambda_0 * np.eye(instance.dim) + pulls / state.kappa * instance.arms.T @ instance.arms
    run.algorithm.exploration.finish(state, design, np.rint(pulls * instance.probabilities).astype(np.int64))
    state.learner.radius[0] *= shrink
    return run


def beside_oful() -> None:
    """Print the time of REAL's rounds over that of OFUL-MLogB's."""
    print("\nSeconds per round of learning, REAL / OFUL-MLogB, and the share of rounds with its constraint active")
    print(f"{'K':>3}{'d':>4}{'N':>5}" + "".join(f"{f'{shrink:g} radius':>18}" for shrink in (1, 1e-5, 1e-6)))
    for outcomes, dim, count in SHAPES:
        instance = make_instance("shape", "random", {"outcomes": outcomes, "dim": dim, "arms": count})
        rounds = max(50, 200_000 // ((outcomes - 1) * dim) ** 2)
        oful, cells = Run("oful-mlogb", instance, 1e6), []
        for shrink in (1, 1e-5, 1e-6):
            real = learning_real(instance, shrink)
            for run in (oful, real):
                run.play(10)
            ratios = [seconds(real.play, rounds) / seconds(oful.play, rounds) for _ in range(3 * REPEATS)]
            counters = real.state.learner.counters
            cells.append(f"{median(ratios):10.2f}{f'({counters[PROJECTED] / counters[LEARNT]:.0%})':>8}")
        print(f"{outcomes:3}{dim:4}{count:5}" + "".join(cells), flush=True)


def costs(name: str, sizes: list[dict[str, int]]) -> Array:
    """Seconds of a round of each of the sizes of t, K, d and N."""
    runs = []
    for size in sizes:
        instance = make_instance("growth", "random", {"outcomes": size["K"], "dim": size["d"], "arms": size["N"]})
        data = {"data": "stream"} if DATA in REGISTRY[name].options else {}
        run = learning_real(instance, 1) if name == "real" else Run(name, instance, size["t"] + 10_000, **data)
        store = store_of(run.state)
        if store is None or not store.stream:
            run.play(size["t"])
        else:
            fill(store, instance, size["t"], run.stream)
            run.t = size["t"]
        run.play(2)
        runs.append(run)
    rounds = [max(1, min(1000, int(0.01 / max(1e-9, seconds(run.play, 2))))) for run in runs]
    times = [[seconds(run.play, many) for run, many in zip(runs, rounds, strict=True)] for _ in range(REPEATS)]
    return np.median(times, axis=0)


def growth() -> None:
    """Print how the time of a round grows with one of t, K, d and N, the others as in `BASE`."""
    print(
        "\nSeconds per round over those of the first size; the others are "
        + ", ".join(f"{k} = {n}" for k, n in BASE.items())
    )
    for quantity, values in GROWTH.items():
        print(f"{quantity:24}" + "".join(f"{value:10,}" for value in values) + f"{'exponent':>10}")
        for name in GROWING:
            times = costs(name, [BASE | {quantity: value} for value in values])
            exponent = math.log(times[-1] / times[-2]) / math.log(values[-1] / values[-2])
            print(f"{name:24}" + "".join(f"{ratio:10.1f}" for ratio in times / times[0]) + f"{exponent:10.1f}", flush=True)


def main() -> None:
    """Measure and print."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    against_textbook()
    if sys.argv[1:]:
        against_peers([Path(argument) for argument in sys.argv[1:]])
    beside_oful()
    growth()


if __name__ == "__main__":
    main()
