"""Microseconds per round of every system on one core, and the ratio to its plain NumPy version, in one run.

Usage: python benchmarks/round_cost.py
"""

import time

from mnlbandits.algorithms import REGISTRY
from mnlbandits.algorithms.base import DATA
from mnlbandits.instances import Instance, make_instance
from mnlbandits.seeds import generator
from mnlbandits.textbook import TEXTBOOK
from mnlbandits.verify.cost import microseconds_per_round

ROUNDS = 4000
TEXTBOOK_ROUNDS = 30

INSTANCES = [
    make_instance("three", "random", {"outcomes": 3, "dim": 2, "arms": 20}),
    make_instance("one-high", "large-kappa-star", {"outcomes": 3, "dim": 2, "arms": 20}),
    make_instance("two", "random", {"outcomes": 2, "dim": 2, "arms": 20}),
]
"""d = 2, N = 20; each system plays on the first that is of its setting."""


def textbook_microseconds(name: str, instance: Instance) -> float:
    """Microseconds of one round of the plain version, over its rounds 11 to `TEXTBOOK_ROUNDS`."""
    stream = generator("benchmark", 0, name)
    own = {"generator": generator("benchmark", 1, name)} if REGISTRY[name].randomised else {}
    book = TEXTBOOK[name](instance.problem(1e4, 0.05), "valid", **own)
    start = 0.0
    for t in range(1, TEXTBOOK_ROUNDS + 1):
        if t == 11:
            start = time.perf_counter()
        arm = book.choose(t)
        book.update(t, arm, int(stream.choice(instance.outcomes, p=instance.probabilities[arm])))
    return 1e6 * (time.perf_counter() - start) / (TEXTBOOK_ROUNDS - 10)


def main() -> None:
    """Print the table."""
    print(f"d = 2, N = 20, valid constants, after {ROUNDS} rounds; microseconds per round on one core")
    print(f"{'system':24}{'K':>2}{'stream':>10}{'suffstat':>10}{'textbook':>12}{'ratio':>9}")
    for name in TEXTBOOK:
        instance = next(entry for entry in INSTANCES if REGISTRY[name].setting.holds(entry.rewards))
        stream = microseconds_per_round(name, instance, ROUNDS)
        ours = microseconds_per_round(name, instance, ROUNDS, data="suffstat") if DATA in REGISTRY[name].options else stream
        theirs = textbook_microseconds(name, instance)
        print(f"{name:24}{instance.outcomes:2}{stream:10.1f}{ours:10.1f}{theirs:12.0f}{theirs / ours:9.0f}")


if __name__ == "__main__":
    main()
