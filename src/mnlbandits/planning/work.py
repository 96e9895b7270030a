"""How much a job does, in units that its time grows with: what doubles it doubles the time beyond the start.

Rounds, where they are played one by one. By `leap` a batch adds a share of information, so T rounds take about log(T)/step.
"""

import math
from collections.abc import Mapping
from typing import Any

from mnlbandits.simulators.runs import POINTS_PER_DECADE

Study = Mapping[str, Any]


def leaps(horizon: float, step: float) -> float:
    """Batches of a run by `leap`."""
    return (1 + math.log(horizon)) / step


def points(horizon: float) -> float:
    """Checkpoints of a run, a row of its table each."""
    return 2 + POINTS_PER_DECADE * math.log10(horizon)


def rounds_of_run(study: Study) -> float:
    """Rounds of a run that are played one by one; none by `leap`."""
    return {"exact": study["horizon"], "counts": study["learning_rounds"], "leap": 0}[study["simulator"]]


def work_of_run(study: Study) -> float:
    """Units of a run of a study."""
    return leaps(study["horizon"], study["step"]) if study["simulator"] == "leap" else max(1, rounds_of_run(study))


def sizes_of(grids: Mapping[str, Any]) -> int:
    """Points of all grids."""
    return sum(map(len, grids.values()))


def crossovers(study: Study) -> float:
    """Of one K: all d and S, REAL and its rivals."""
    return len(study["dims"]) * len(study["norms"]) * (1 + len(study["rivals"])) * leaps(study["horizon"], study["step"])


def exploration(study: Study) -> float:
    """All sizes and deltas."""
    return math.prod(len(study[key]) for key in ("outcomes", "dims", "norms", "deltas"))


def exponents(study: Study) -> float:
    """Of one algorithm: all points."""
    return sizes_of(study["grids"]) * leaps(study["horizon"], study["step"])


def scaling(study: Study) -> float:
    """Of one algorithm: all points at all horizons, with as many runs as there may be."""
    batches = sum(leaps(horizon, study["step"]) for horizon in study["horizons"])
    return (1 + sizes_of(study["grids"])) * study["most_runs"] * batches


def family(study: Study, grids: Mapping[str, Any], exact: bool) -> float:
    """Of one algorithm: all runs at all points of the grids, round by round if `exact`."""
    horizons = [value if quantity == "T" else study["horizon"] for quantity in grids for value in grids[quantity]]
    return study["runs"] * sum(horizon if exact else leaps(horizon, study["step"]) for horizon in horizons)
