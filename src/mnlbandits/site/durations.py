"""How long the parts of a study took, by the benchmarks that Snakemake writes of its jobs."""

import json
from collections import Counter
from pathlib import Path

from mnlbandits.benchmarks import read_benchmarks

PARTS = {
    "compile_kernels": "kernels",
    "calibrate": "calibration",
    "collect_calibration": "calibration",
    "examine_claims": "claims",
    "collect_claims": "claims",
    "picture_claims": "claims",
}
"""Rules whose jobs are not named after a study, and the part of the build that they belong to."""


def durations(folder: Path | str) -> dict[str, float]:
    """Seconds of all jobs of each part of a study, one after the other; `folder` has the benchmarks."""
    seconds: Counter[str] = Counter()
    for rule, job, took in read_benchmarks(folder)[["rule", "job", "seconds"]].itertuples(index=False):
        seconds[PARTS.get(rule) or job.split(".")[0] or rule] += took
    return {part: round(total, 1) for part, total in sorted(seconds.items())}


def as_script(seconds: dict[str, float]) -> str:
    """Durations as a script that a page loads, as it may not read files."""
    return f"const DURATIONS = {json.dumps(seconds, indent=1)};\n"
