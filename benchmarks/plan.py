"""How well `mnlbandits plan` foresees a larger job: processor time as foreseen from the smaller one, over what it took.

Each quantity is doubled by itself. A job is timed in this process, so it has no start.
"""

import time

from mnlbandits.instances import make_instance
from mnlbandits.planning.costs import ROUNDS
from mnlbandits.results import read_table
from mnlbandits.simulators import simulate

SYSTEMS = ("oful-mlogb", "mnl-ucb", "rs-mnl", "adaptive-real", "glm-ucb")
BASE = {"T": 20000, "runs": 10, "K": 3, "d": 2, "arms": 20}


def seconds(name: str, T: int, runs: int, K: int, d: int, arms: int) -> float:
    """Processor time of the runs, the less of two times."""
    instance = make_instance("plan", "random", {"outcomes": K, "dim": d, "norm": 1.0, "arms": arms, "seed": 1})
    took = []
    for _ in range(2):
        start = time.process_time()
        simulate(instance, name, T, runs, preset="valid")
        took.append(time.process_time() - start)
    return min(took)


def main() -> None:
    """Print the ratios, a line a system."""
    powers = read_table(ROUNDS, "rounds").drop_duplicates("algorithm").set_index("algorithm")
    print(f"{'foreseen / took':<20}" + "".join(f"{quantity:>8}" for quantity in BASE))
    for name in SYSTEMS:
        binary = not powers.loc[name, "K"] and name != "adaptive-real"
        base = BASE | ({"K": 2} if binary else {})
        once, ratios = seconds(name, **base), []
        for quantity in base:
            if binary and quantity == "K":
                ratios.append(f"{'-':>8}")
                continue
            power = powers.loc[name].get(quantity, 1.0)
            ratios.append(f"{2**power * once / seconds(name, **base | {quantity: 2 * base[quantity]}):8.2f}")
        print(f"{name:<20}" + "".join(ratios), flush=True)


if __name__ == "__main__":
    main()
