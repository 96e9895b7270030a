"""What runs each line of the paper's Algorithms 1, 2 and 3; `docs/lines.md` is the table.

The lines stand in the docstrings of `real` and `adaptive_real`, numbered; functions are named from the package down.
"""

import re
from typing import NamedTuple

from mnlbandits.algorithms import adaptive_real, real


class Line(NamedTuple):
    """A line of an algorithm's box, the functions that run it, and what there is to say."""

    number: int
    text: str
    functions: tuple[str, ...]
    note: str


TITLES = {1: "Exploration_Routine", 2: "REAL", 3: "REAL with adaptive exploration"}

PLAY = "simulators.exact.play"
PLAY_ANY = "simulators.exact.play simulators.exact.play_subsets simulators.exact.play_fresh"
REGRET = "not the reward is summed but the regret, pulls times gaps"
STEP = "learners.mirror_descent.step learners.mirror_descent.descend learners.projection.project"
CURVATURE = "learners.learner.prepare learners.mirror_descent.descend: by Woodbury's formula, never formed"
CHANGES_NOTHING = "changes no number, see `learners.learner`; the textbook version carries it"

RUNS: dict[int, tuple[str, ...]] = {
    1: (
        "algorithms.real.start",
        f"{PLAY} algorithms.real.explored learners.design.greedy_pulls: `counts` runs lines 2, 3 and 6 for many rounds",
        "algorithms.real.choose learners.design.greedy_pulls: line 6 keeps the scores",
        f"{PLAY} algorithms.real.update: kept as counts by arm and outcome",
        f"{PLAY}: {REGRET}",
        "algorithms.real.update learners.design.add_pulls learners.design.refresh_scores learners.design.greedy_pulls",
        "algorithms.real.begin_learning learners.likelihood.ridge_estimate",
        "algorithms.real.begin_learning learners.eigen.matrix_roots: centre, shape and radius of the learner",
    ),
    2: (
        "algorithms.real.update algorithms.real.begin_learning algorithms.real.finish",
        "algorithms.real.start learners.learner.make_learner",
        f"{PLAY} simulators.leap.play: `leap` plays many rounds of an arm at once",
        "algorithms.real.choose algorithms.real.sigma learners.optimistic_index.optimistic_arm",
        PLAY,
        f"{PLAY}: {REGRET}",
        CURVATURE,
        STEP,
        "learners.learner.add_curvature learners.learner.correct",
        f"textbook.real.Real.learn: {CHANGES_NOTHING}",
    ),
    3: (
        "algorithms.adaptive_real.start",
        PLAY_ANY,
        "simulators.exact.play_subsets simulators.exact.play_fresh: the state's `offered` and `arms`",
        "algorithms.adaptive_real.choose: line 10 keeps the norms",
        "algorithms.adaptive_real.choose learners.linalg.first_offered",
        PLAY_ANY,
        f"{PLAY_ANY}: {REGRET}",
        "learners.exploration_step.step_printed: by Woodbury's formula, never formed; see the readings",
        "learners.exploration_step.explore learners.exploration_step.step_printed: see the readings",
        "algorithms.adaptive_real.add_exploration learners.design.add_pulls learners.design.refresh_scores",
        "algorithms.adaptive_real.add_exploration algorithms.adaptive_real.adopt_set: adopted when learning resumes",
        "algorithms.adaptive_real.choose algorithms.adaptive_real.update",
        "algorithms.adaptive_real.choose algorithms.adaptive_real.sigma learners.optimistic_index.optimistic_arm",
        CURVATURE,
        STEP,
        "learners.learner.add_curvature learners.learner.correct",
        f"textbook.adaptive_real.AdaptiveReal.learn: {CHANGES_NOTHING}",
        "algorithms.adaptive_real.update: changes nothing",
        "algorithms.adaptive_real.update: changes nothing",
        "algorithms.adaptive_real.update: changes nothing",
    ),
}
"""By algorithm, for its lines in turn: the functions that run them and, after a colon, a note."""


def boxes(docstring: str) -> list[list[tuple[int, str]]]:
    """Numbers and texts of the lines of every box in a docstring, a text broken in two made one; line 1 begins a box."""
    found: list[list[tuple[int, str]]] = []
    for number, text in re.findall(r"^ {3,4}(\d+)\. ( *\S.*(?:\n {8,}\S.*)*)", docstring, re.MULTILINE):
        if number == "1":
            found.append([])
        found[-1].append((int(number), re.sub(r"\n +", " ", text)))
    return found


def table() -> dict[int, list[Line]]:
    """Every line of the three algorithms, by algorithm."""
    found = [*boxes(real.__doc__), *boxes(adaptive_real.__doc__)]
    return {
        number: [line_of(*line, run) for line, run in zip(lines, RUNS[number], strict=True)]
        for number, lines in enumerate(found, start=1)
    }


def line_of(number: int, text: str, run: str) -> Line:
    """A line and its entry of `RUNS`."""
    functions, _, note = run.partition(": ")
    return Line(number, text, tuple(functions.split()), note)


def page() -> str:
    """The table in Markdown."""
    rows = [
        "# The lines of the paper, and the functions that run them",
        "",
        "Functions are named from `src/mnlbandits` down. The paper's boxes bear no numbers: line 1 is the first below the",
        "input. In the code `real.py` and `adaptive_real.py` open with the same lines, and docstrings name them.",
        "",
    ]
    for number, lines in table().items():
        rows += [f"## Algorithm {number}: {TITLES[number]}", "", "| line | the paper | run by |", "| --- | --- | --- |"]
        for line in lines:
            indent = len(line.text) - len(line.text.lstrip())
            text = "&emsp;" * (indent // 4) + f"`{line.text.strip()}`".replace("|", "\\|")
            runs = ", ".join(f"`{name}`" for name in line.functions)
            rows.append(f"| {line.number} | {text} | {runs}{': ' + line.note if line.note else ''} |")
        rows.append("")
    return "\n".join(rows)
