"""Inputs that a user could give by mistake or in bad faith: valid ones, with a few changes drawn at random.

A case is known by its kind, a seed and its number: the same three give the same case everywhere.
"""

import copy
import json
import random

import yaml

NUMBERS = (
    *(
        0,
        1,
        2,
        3,
        5,
        17,
        100,
        -1,
        -3,
        0.0,
        -0.0,
        0.5,
        1.0,
        1.5,
        2.0,
        1e-3,
        1e-9,
        1e-17,
        1e-200,
        5e-324,
        1e3,
        1e5,
        1e17,
        1e18,
    ),
    *(1e19, 1e40, 1e200, 1e308, -1e308, float("inf"), float("-inf"), float("nan"), 2**31, 2**53 + 1, 2**63, 2**64, 10**30),
    *(10**400, True, False),
)
WORDS = (
    *(
        "",
        " ",
        "x",
        "real",
        "uniform",
        "oful-mlogb",
        "paper",
        "valid",
        "calibrated",
        "none",
        "exact",
        "leap",
        "counts",
        "off",
    ),
    *(
        "frobenius",
        "rows",
        "graded",
        "sphere",
        "list",
        "all",
        "../x",
        "/",
        "/dev/null",
        "a\0b",
        "a\nb",
        "é漢",
        "$x$",
        r"\input{x}",
    ),
    *(
        "<b>",
        "`id`",
        "{x}",
        "--",
        "-1",
        "nan",
        "inf",
        "1e5",
        "1_000",
        "0x10",
        "1e999",
        "x" * 300,
        "null",
        "~",
        "no",
        "lower-bound",
    ),
)
OTHERS = (None, [], {}, [[]], [{}], {"a": 1}, [1, 2], [[1.0, 0.0]], ["x"], [None], [float("nan")], [[1.0], [1.0, 2.0]])
SIZES = ("1", "2", "3", "5", "8")


def nasty(draw):
    """Any value."""
    value = draw.choice(draw.choice((NUMBERS, NUMBERS, WORDS, OTHERS)))
    return copy.deepcopy(value)


def places(value, path=()):
    """Paths to all values inside of nested lists and mappings."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


def at(value, path):
    """The value at a path."""
    for key in path:
        value = value[key]
    return value


def changed(record, draw):
    """A copy of nested lists and mappings with one to three changes."""
    record = copy.deepcopy(record)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        every = list(places(record))
        if not every:
            return record
        *above, key = draw.choice(every)
        holder = at(record, above)
        match draw.randrange(8):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[draw.choice(WORDS)] = nasty(draw)
            case 1:
                holder.insert(key, nasty(draw))
            case 2:
                holder[key] = copy.deepcopy(at(record, draw.choice(every))) if draw.random() < 0.5 else [holder[key]]
            case 3 if isinstance(holder[key], int | float) and abs(holder[key]) < 1e300:
                holder[key] = holder[key] * draw.choice((-1, 0, 2, 1e-300, 1e300, 0.999, 1 + 1e-12))
            case _:
                holder[key] = nasty(draw)
    return record


def garbled(text, draw):
    """A text with a few bytes changed, cut short or doubled."""
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(draw.choice((1, 2, 5))):
        if not data:
            break
        place = draw.randrange(len(data))
        match draw.randrange(4):
            case 0:
                data[place] = draw.randrange(256)
            case 1:
                del data[place : place + draw.choice((1, 3, 50))]
            case 2:
                data[place:place] = data[place : place + draw.choice((1, 10, 200))]
            case _:
                del data[place:]
    return bytes(data)


def text_of(record, draw, write):
    """A changed record as text, at times garbled, as bytes."""
    if draw.random() < 0.15:
        return garbled(write(record), draw)
    return write(changed(record, draw)).encode("utf-8", "surrogatepass")


INSTANCES = (
    {"name": "shop", "theta": [[1, 0], [0, 1]], "arms": [[0.6, 0], [0, 0.8]], "rewards": [0, 1], "norm_bound": 1.5},
    {"name": "three", "theta": [[0.5, -0.2], [0, 0.3], [0.1, 0.0]], "arms": [[1, 0], [0, 1], [0.6, 0.6]], "rewards": [1, 0, 0.5],
     "norm_bound": 2.0, "convention": "rows", "discretisation_error": 0.01, "family": "mine", "parameters": {"a": 1}},
    {"name": "offered", "theta": [[0.5, -0.2], [0, 0.3]], "arms": [[1, 0], [0, 1], [0.6, 0.6]], "rewards": [1, 0],
     "norm_bound": 1.0, "actions": {"name": "random-subsets", "size": 2}},
    {"name": "cycle", "theta": [[0.5, -0.2], [0, 0.3]], "arms": [[1, 0], [0, 1], [0.6, 0.6]], "rewards": [1, 0],
     "norm_bound": 1.0, "actions": {"name": "cycle", "sets": [[0, 1], [1, 2]]}},
    {"name": "fitted", "fit": {"data": "data.csv", "outcome": "y", "bound": 1.5}},
    {"name": "tables", "theta": "theta.csv", "arms": "arms.csv", "rewards": [0, 1], "norm_bound": 1.5},
)  # fmt: skip
TABLES = {
    "theta.csv": "1,0\n0,1\n",
    "arms.csv": "0.6,0\n0,0.8\n",
    "data.csv": "a,b,y\n1,0,0\n0,1,1\n1,0,1\n0,1,0\n0.5,0.2,0\n0.3,0.9,1\n0.2,0.4,0\n0.8,0.1,1\n",
}


def instance(draw):
    """An instance file and the tables that it may name."""
    files = {"case.json": text_of(draw.choice(INSTANCES), draw, json.dumps)}
    for name, text in TABLES.items():
        files[name] = table(text, draw) if draw.random() < 0.15 else text.encode()
    return files


def table(text, draw):
    """A table with changed cells, or garbled."""
    if draw.random() < 0.3:
        return garbled(text, draw)
    rows = [line.split(",") for line in text.splitlines()]
    return "\n".join(",".join(map(str, row)) for row in changed(rows, draw) if isinstance(row, list)).encode(
        "utf-8", "surrogatepass"
    )


ON = {"instances": ["a", "b"], "horizon": 300, "runs": 2}
CONFIG = {
    "name": "small",
    "seed": 3,
    "delta": 0.05,
    "instances": {
        "a": {"family": "large-kappa-star", "norm": 1, "arms": 5},
        "b": {"family": "random", "outcomes": 3, "dim": 2, "arms": 6, "norm": 1},
        "c": {"family": "random", "outcomes": 3, "dim": 2, "arms": 6, "actions": {"name": "random-subsets", "size": 2}},
    },
    "algorithms": {
        "uniform": ["none"],
        "oracle": ["none"],
        "mnl-ucb": ["valid", "calibrated"],
        "mine": {"algorithm": "real", "preset": "calibrated", "exploration_multiplier": 0.01, "radius_multiplier": 0.1},
        "other": {"algorithm": "oful-mlogb", "preset": "valid"},
    },
    "calibration": {"horizon": 100, "long_horizon": 1000000, "seed": 1},
    "cost": {"comparison": "systems", "instances": ["b"], "algorithms": ["oful-mlogb"]},
    "studies": {
        "regret": {"kind": "regret", **ON, "batch": 2, "algorithms": ["uniform", "mine", "other"]},
        "systems": {"kind": "comparison", **ON, "algorithms": ["uniform", "oracle", "other"]},
        "explored": {"kind": "runs", "simulator": "counts", **ON, "learning_rounds": 50, "algorithms": ["mine"]},
        "covered": {"kind": "coverage", **ON, "algorithms": ["other"]},
        "far": {"kind": "horizon", "instances": ["a"], "horizon": 1000000000000, "step": 0.1, "algorithms": ["other"]},
        "changing": {"kind": "changing", "instances": ["c"], "horizon": 100, "runs": 2, "algorithms": ["other"]},
        "crossed": {"kind": "crossovers", "rivals": ["mnl-ucb"], "horizon": 1000000000, "step": 0.5, "outcomes": [2], "dims": [2],
                    "norms": [1.0], "arms": 11},
        "lengths": {"kind": "exploration", "horizon": 1000000, "outcomes": [2], "dims": [2], "norms": [0.5], "deltas": [0.1], "arms": 8},
        "trigger": {"kind": "trigger", "horizon": 1000, "outcomes": 3, "dim": 2, "norm": 1.0, "arms": 20, "seeds": 2},
        "powers": {"kind": "exponents", "horizon": 1e20, "step": 0.5, "norm": 4.0, "algorithms": ["real"],
                   "grids": {"d": [2, 3], "K": [2, 3], "kappa_star": [32, 55], "R": [1, 2]}},
        "scaling": {"kind": "scaling", "horizons": [1000, 10000], "step": 0.5, "runs": 5, "most_runs": 5, "norm": 2.2, "bound": 3.0,
                    "algorithms": ["oful-mlogb"], "grids": {"kappa_star": [25, 34], "d": [2, 3], "K": [2, 3], "R": [1, 2]}},
        "width": {"kind": "diameter", "horizon": 1000000, "instances": ["a"]},
        "choices": {"kind": "frameworks", "items": 5, "dim": 2, "size": 2, "horizon": 100, "runs": 2},
        "kappa": {"kind": "kappa", "outcomes": [2, 3], "radii": [0.5, 1.0]},
        "kappa_star": {"kind": "kappa_star", "outcomes": [2, 3], "norms": [0.5, 1.0]},
    },
    "claims": {"effort": "smoke", "parts": ["introduction", "setting"]},
}  # fmt: skip


def config(draw, base=None):
    """A config's file."""
    return {
        "case.yaml": text_of(
            base or CONFIG, draw, lambda record: yaml.dump(record, Dumper=yaml.CSafeDumper, allow_unicode=True)
        )
    }


REGRET = "run,t,regret,instance,algorithm,preset\n" + "".join(
    f"{run},{t},{0.1 * t},a,x,none\n" for run in (0, 1) for t in (1, 2, 10)
)


def tables(draw):
    """A table of labelled data, or one of regret."""
    return {"data.csv": table(TABLES["data.csv"], draw), "regret.csv": table(REGRET, draw)}


ALGORITHM = {
    "name": "mine", "title": "mine", "source": "mine", "presets": ("none",), "randomised": False, "horizon": False,
}  # fmt: skip
SOURCE = """from typing import NamedTuple
import numpy as np
from mnlbandits.algorithms.base import Algorithm, Option

class State(NamedTuple):
    totals: np.ndarray
    width: float

def start(problem, preset, width):
    return State(np.zeros(len(problem.arms)), width)

def choose(state, t):
    return (t - 1) % len(state.totals)

def update(state, t, arm, outcome):
    state.totals[arm] += outcome

ALGORITHM = Algorithm(name="mine", title="mine", source="mine", state=State, presets=("none",), start=start, choose=choose,
    update=update, options=(Option("width", "of the bonus", default=0.0, low=0.0, high=9.0),))
"""


def algorithm(draw):
    """A file with an algorithm."""
    if draw.random() < 0.3:
        return {"mine.py": garbled(SOURCE, draw)}
    lines = SOURCE.splitlines()
    for _ in range(draw.choice((1, 1, 2))):
        place = draw.randrange(len(lines))
        words = lines[place].split(" ")
        match draw.randrange(4):
            case 0:
                del lines[place]
            case 1:
                lines.insert(draw.randrange(len(lines)), lines[place])
            case 2:
                words[draw.randrange(len(words))] = repr(nasty(draw))
                lines[place] = " ".join(words)
            case _:
                for old, new in (('"', ""), ("=", "=" + repr(nasty(draw)) + ","), ("state", "t"), ("(", "((")):
                    if old in lines[place] and draw.random() < 0.4:
                        lines[place] = lines[place].replace(old, new, 1)
    return {"mine.py": "\n".join(lines).encode("utf-8", "surrogatepass")}


FAMILY = (
    ["--instance", "large-kappa-star", "--arms", "5"],
    ["--instance", "random", "--outcomes", "3", "--dim", "2", "--arms", "6", "--norm", "1"],
    ["--instance", "lower-bound", "--outcomes", "2", "--dim", "2", "--epsilon", "0.1"],
    ["--instance", "case.json"],
    ["--instance", "random", "--outcomes", "3", "--dim", "2", "--arms", "6", "--offered", "2"],
)
COMMANDS = (
    ["constants", "FAMILY", "--json"],
    ["constants", "FAMILY"],
    ["simulate", "FAMILY", "--algorithm", "uniform", "--horizon", "20", "--runs", "2", "--seed", "1", "--out", "out.csv"],
    ["simulate", "FAMILY", "--algorithm", "real", "--horizon", "20", "--out", "out.parquet"],
    ["simulate", "FAMILY", "--algorithm", "oful-mlogb", "--preset", "valid", "--horizon", "15", "--delta", "0.1"],
    ["simulate", "FAMILY", "--algorithm", "real", "--exploration-multiplier", "1e-9", "--preset", "calibrated", "--horizon", "50"],
    ["simulate", "FAMILY", "--algorithm", "oful-mlogb", "--simulator", "leap", "--step", "0.9", "--horizon", "20"],
    ["kappa", "--outcomes", "3", "--radius", "1", "--json"],
    ["kappa", "--outcomes", "3", "--radius", "2", "--convention", "rows"],
    ["fit", "data.csv", "--outcome", "y", "--json"],
    ["fit", "data.csv", "--outcome", "y", "--features", "a", "b", "--rewards", "0", "1", "--bound", "1.5", "--out", "out.json"],
    ["claims", "--verdict", "refuted", "--json"],
    ["claims", "--label", "x"],
    ["algorithms", "--json"],
    ["instances", "--json"],
)  # fmt: skip
SLOW = (
    ["plot", "regret.csv", "--out", "out.svg"],
    ["plot", "regret.csv", "mine=regret.csv", "--out", "out.pdf", "--linear", "--size", "4", "3"],
    ["plan", "--config", "case.yaml"],
    ["plan", "--config", "case.yaml", "--profile", "slurm", "--json"],
    ["constants", "--instance", "data", "--dataset", "anes96", "--arms", "4", "--json"],
)
"""Commands that take a second, tried seldom."""
OPTIONS = [
    "--instance",
    "--outcomes",
    "--dim",
    "--norm",
    "--arms",
    "--reward-norm",
    "--convention",
    "--grid",
    "--actions",
    "--offered",
    "--member",
    "--epsilon",
    "--signs",
    "--rounds",
    "--hypothesis",
    "--saturation",
    "--geometry",
    "--dataset",
    "--features",
    "--bound",
    "--instance-seed",
    "--algorithm",
    "--preset",
    "--simulator",
    "--learning-rounds",
    "--step",
    "--noise",
    "--runs",
    "--seed",
    "--delta",
    "--out",
    "--radius-multiplier",
    "--exploration-multiplier",
    "--json",
    "--radius",
    "--horizon",
    "--nothing",
]
EXPLORED = frozenset(map(str, (1, 2, 3, 5, 8, 17, 100, 0.5, 1.0, 1.5, 2.0, 1e-3, 1e3, 1e5, 1e17)))
"""Explorations that take seconds to plan where kernels are interpreted, and half a second where they are compiled."""

LONG = frozenset(
    {"1e5", "1e17", "1e18", "100000.0", "1e+17", "1e+18", "2147483648", "9007199254740993", "9223372036854775808"}
)
"""What asks for much, as a user may: with a bar that tells how far it is."""


def word(draw):
    """A word of a command line; it can hold no zero byte."""
    value = draw.choice((draw.choice(NUMBERS), draw.choice(WORDS), draw.choice(SIZES)))
    try:
        return str(value).replace("\0", "")
    except ValueError:  # 400 digits and more
        return "1" + "0" * 400


def command(draw):
    """Words of a command line, and the files that it may name."""
    words = []
    for each in draw.choice(COMMANDS if draw.random() < 0.99 else SLOW):
        words += draw.choice(FAMILY) if each == "FAMILY" else [each]
    for _ in range(draw.choice((0, 1, 1, 1, 2, 3))):
        place = draw.randrange(1, len(words)) if len(words) > 1 else 0
        match draw.randrange(6):
            case 0:
                del words[place]
            case 1:
                words += [draw.choice(OPTIONS), word(draw)]
            case 2:
                words.insert(place, word(draw))
            case _:
                numbers = [k for k in range(1, len(words)) if not words[k].startswith("--")]
                words[draw.choice(numbers or [place])] = word(draw)
    for k, each in enumerate(words[:-1]):
        if each in ("--horizon", "--runs", "--learning-rounds") and words[k + 1] in LONG:
            words[k + 1] = "7"
        if each == "--exploration-multiplier" and words[k + 1] in EXPLORED:
            words[k + 1] = "1e-9"
    files = {"case.json": json.dumps(INSTANCES[0]).encode(), "case.yaml": b"name: x\n", "regret.csv": REGRET.encode()}
    return words, files | {name: text.encode() for name, text in TABLES.items()}


KINDS = ("command", "config", "instance", "table", "algorithm")


def case(kind, seed, number):
    """(words of the command line or None, files by name) of a case."""
    draw = random.Random(f"{kind}:{seed}:{number}")
    match kind:
        case "command":
            return command(draw)
        case "config":
            return None, config(draw)
        case "instance":
            return None, instance(draw)
        case "table":
            return None, tables(draw)
        case _:
            return None, algorithm(draw)
