"""Files with algorithms of a user's own, for tests."""

import subprocess
from pathlib import Path

GREEDY = '''
"""Greedy on the empirical mean reward of each arm, or on an upper bound of it."""

from typing import NamedTuple

import numba
import numpy as np

from mnlbandits.algorithms.base import Algorithm, Option


class State(NamedTuple):
    rewards: np.ndarray
    totals: np.ndarray
    pulls: np.ndarray
    width: float


def start(problem, preset, width):
    count = len(problem.arms)
    return State(problem.rewards.copy(), np.zeros(count), np.zeros(count), width)


def choose(state, t):
    if t <= len(state.pulls):
        return t - 1
    return np.argmax(state.totals / state.pulls + state.width / np.sqrt(state.pulls))


def update(state, t, arm, outcome):
    state.totals[arm] += state.rewards[outcome]
    state.pulls[arm] += 1


ALGORITHM = Algorithm(
    name="greedy",
    title="greedy",
    source="mine",
    state=State,
    presets=("none",),
    start=start,
    choose=choose,
    update=update,
    options=(Option("width", "of the bonus", default=0.0, low=0.0, high=9.0),),
)
'''


DRAWS = (
    ("    width: float\n", "    width: float\n    generator: np.random.Generator\n"),
    ("def start(problem, preset, width):", "def start(problem, preset, width, generator):"),
    ("np.zeros(count), width)", "np.zeros(count), width, generator)"),
    (
        "if t <= len(state.pulls):\n        return t - 1",
        "if state.generator.random() < 2:\n        return int(state.generator.integers(len(state.pulls)))",
    ),
    ("    update=update,\n", "    update=update,\n    randomised=True,\n"),
)
"""Edits of `GREEDY` that make it draw its arms."""


def changed(*edits: tuple[str, str]) -> str:
    """`GREEDY` with texts replaced, each of which is there once."""
    text = GREEDY
    for before, after in edits:
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text


def compiled(*edits: tuple[str, str]) -> str:
    """The same with compiled functions."""
    text = changed(*edits)
    for name in ("choose", "update"):
        text = text.replace(f"def {name}(", f"@numba.njit(cache=True)\ndef {name}(")
    return text


def written(folder: Path, text: str, name: str = "greedy.py") -> Path:
    """A file with this text."""
    (folder / name).write_text(text)
    return folder / name


def line_of(text: str, part: str) -> int:
    """The number of the line with the first such part."""
    return text[: text.index(part)].count("\n") + 1


def output_of(command: list[str], environment: dict[str, str], folder: Path) -> tuple[str, str]:
    """What a command that succeeds prints, and what it warns of."""
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr
