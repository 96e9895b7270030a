"""What an input must not do: end in a traceback, warn, hang, leave a file that was refused, or print what is no JSON."""

import contextlib
import io
import json
import os
import shutil
import traceback
import warnings
from pathlib import Path

import yaml

from mnlbandits import cli, read_instance
from mnlbandits.algorithms import load
from mnlbandits.commands.plot import read_regret
from mnlbandits.config.catalogue import expand_algorithms
from mnlbandits.config.check import check_config
from mnlbandits.config.layers import compose
from mnlbandits.config.yaml_file import read_config
from mnlbandits.errors import InputError
from mnlbandits.instances.fit import fit_instance

SCHEMA = Path(__file__).parents[2] / "workflow" / "schemas" / "config.schema.yaml"


def strict(text):
    """JSON as its standard has it, without NaN and Infinity."""

    def refuse(word):
        raise ValueError(word)

    return json.loads(text, parse_constant=refuse)


def take(kind, words):
    """Give the files of this folder, or the command line, to the package."""
    match kind:
        case "command":
            return cli.main(words)
        case "config":
            config = compose([(Path.cwd(), read_config("case.yaml"))])
            expand_algorithms(config)
            check_config(config, SCHEMA)
        case "instance":
            read_instance("case.json")
        case "table":
            with contextlib.suppress(InputError):
                fit_instance("x", "data.csv", "y")
            read_regret("regret.csv")
        case "algorithm":
            load("mine.py")
    return 0


def judged(kind, words, files, folder):
    """(accepted or refused, None) for a case, or (what is wrong, details); `folder` is emptied, and left empty."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    out, err = io.StringIO(), io.StringIO()
    before = Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            status = take(kind, words)
    except InputError as error:
        lines = str(error).splitlines()
        status = 2
        if len(lines) != 1:
            return "lines", str(error)
    except SystemExit as end:
        status = end.code
    except BaseException as error:
        ours = [place for place in traceback.extract_tb(error.__traceback__) if "/mnlbandits/" in place.filename]
        where = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "no place of the package"
        return "traceback", f"{type(error).__name__}: {str(error)[:200]} at {where}"
    finally:
        os.chdir(before)
        left = sorted(path.name for path in folder.iterdir() if path.name not in (*files, "__pycache__"))
        shutil.rmtree(folder)
        folder.mkdir()
    said = err.getvalue()
    if status in (0, None):
        if kind == "command" and "--json" in words and out.getvalue():
            try:
                strict(out.getvalue())
            except ValueError as error:
                return "no JSON", str(error)
        return "accepted", None
    if left:
        return "partial", " ".join(left)
    if (
        kind == "command"
        and (status != 2 or "error: " not in (said.splitlines() or [""])[-1])
        and not (status == 1 and said)
    ):
        return "no message", f"status {status}: {said[-200:]}"
    return "refused", None


yaml.SafeLoader = yaml.CSafeLoader  # the schema is read for every case
