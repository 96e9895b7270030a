"""Microseconds per round of REAL on one core, compiled against textbook NumPy, and the memory that rounds take.

    python benchmarks/learning_phase.py

K = 3, d = 2, N = 32 and the paper's constants. The learning phase starts where an exploration of tau rounds leaves it, see
`mnlbandits.simulators.counts`. Compilation is not counted. Every time is the best of `REPEATS`, taken in turns.
"""

import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from mnlbandits.algorithms.real import ALGORITHM
from mnlbandits.instances import Problem
from mnlbandits.instances.families import large_kappa_star
from mnlbandits.seeds import generator
from mnlbandits.simulators.counts import draw_outcomes, explore
from mnlbandits.simulators.exact import advance, new_tally
from mnlbandits.textbook.real import Real

INSTANCE = large_kappa_star("benchmark", outcomes=3, dim=2, norm=1.0, arms=32)
HORIZON, DELTA = 1e12, 0.05
REPEATS = 5
COMPILED_ROUNDS, TEXTBOOK_ROUNDS = 200_000, 200
FEW_ROUNDS, MANY_ROUNDS = 10**5, 10**6


class Compiled:
    """The compiled algorithm in the simulator's loop."""

    def __init__(self, problem: Problem) -> None:
        self.state, self.t = ALGORITHM.start(problem, "paper"), 0
        self.stream = generator("outcomes", 0, INSTANCE.name)
        self.tally = new_tally(len(INSTANCE.arms))

    def begin_learning(self, t: int, design: Any, counts: Any) -> None:
        """Skip the exploration of t rounds."""
        ALGORITHM.exploration.finish(self.state, design, counts)
        self.t = t

    def play(self, rounds: int) -> None:
        """Play on."""
        advance(ALGORITHM, self.state, INSTANCE, self.stream, self.t, self.t + rounds, self.tally)
        self.t += rounds


class Textbook:
    """The textbook algorithm in a Python loop."""

    def __init__(self, problem: Problem) -> None:
        self.book, self.t = Real(problem, "paper"), 0
        self.stream = generator("outcomes", 0, INSTANCE.name)
        self.cumulative = np.cumsum(INSTANCE.probabilities, axis=1)[:, :-1]

    def begin_learning(self, t: int, design: Any, counts: Any) -> None:
        """Skip the exploration of t rounds."""
        self.book.V, self.book.counts = np.kron(np.eye(INSTANCE.outcomes), design), counts
        self.book.begin_learning()
        self.t = t

    def play(self, rounds: int) -> None:
        """Play on."""
        for uniform in self.stream.random(rounds):
            self.t += 1
            arm = self.book.choose(self.t)
            self.book.update(self.t, arm, int(np.searchsorted(self.cumulative[arm], uniform, side="right")))


def microseconds(play: Callable[[int], None], rounds: int) -> float:
    """Per round."""
    start = time.perf_counter()
    play(rounds)
    return (time.perf_counter() - start) / rounds * 1e6


def resident_memory() -> int:
    """Bytes of this process that are in memory (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def compare(name: str, compiled: Compiled, textbook: Textbook) -> None:
    """Print one row."""
    compiled.play(10)  # loads the compiled loop
    ours, theirs = math.inf, math.inf
    for _ in range(REPEATS):
        ours = min(ours, microseconds(compiled.play, COMPILED_ROUNDS))
        theirs = min(theirs, microseconds(textbook.play, TEXTBOOK_ROUNDS))
    print(f"{name:<12}{ours:>12.3f}{theirs:>12.1f}{theirs / ours:>10.0f}")


def main() -> None:
    """Measure and print."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    problem = INSTANCE.problem(HORIZON, DELTA)
    exploring, learning = (Compiled(problem), Textbook(problem)), (Compiled(problem), Textbook(problem))
    plan = ALGORITHM.exploration.plan(learning[0].state)
    design = explore(INSTANCE.arms, plan, [plan.tau])
    counts = draw_outcomes(INSTANCE, design.pulls[0], generator("counts", 0, INSTANCE.name))
    for side in learning:
        side.begin_learning(plan.tau, design.matrix, counts)

    print(f"REAL, K = 3, d = 2, N = 32, paper constants, tau = {plan.tau:.3g}; microseconds per round on one core")
    print(f"{'phase':<12}{'compiled':>12}{'textbook':>12}{'ratio':>10}")
    compare("exploration", *exploring)
    compare("learning", *learning)

    compiled = Compiled(problem)
    compiled.begin_learning(plan.tau, design.matrix, counts)
    compiled.play(FEW_ROUNDS)
    few = resident_memory()
    compiled.play(MANY_ROUNDS - FEW_ROUNDS)
    many = resident_memory()
    for rounds, size in ((FEW_ROUNDS, few), (MANY_ROUNDS, many)):
        print(f"resident memory after {rounds:>9,} rounds of learning: {size / 2**20:.2f} MiB")


if __name__ == "__main__":
    main()
