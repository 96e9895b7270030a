"""Milliseconds of the certified kappa and its relative gap, for every K, the longest and the widest over radii S X.

Usage: python benchmarks/kappa.py [K ...]
"""

import sys
import time

import numpy as np

from mnlbandits.model.kappa import kappa

RADII = np.geomspace(1e-6, 490, 60)
REPETITIONS = 5


def milliseconds(outcomes: int, radius: float) -> float:
    """The shortest of `REPETITIONS` calls."""
    times = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        kappa(outcomes, radius)
        times.append(time.perf_counter() - start)
    return 1e3 * min(times)


def main() -> None:
    """Print the table."""
    kappa(3, 1.0)  # compiles
    print(f"{'K':>6}{'median ms':>12}{'longest ms':>12}{'gap':>10}")
    for outcomes in [int(K) for K in sys.argv[1:]] or [2, 3, 10, 20, 50, 200, 10_000]:
        times = [milliseconds(outcomes, radius) for radius in RADII]
        gap = max(kappa(outcomes, radius).gap for radius in RADII)
        print(f"{outcomes:6}{np.median(times):12.3f}{max(times):12.3f}{gap:10.1e}")


if __name__ == "__main__":
    main()
