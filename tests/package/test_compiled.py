"""Kernels that are never stale, run without a cache and without a compiler, and leave numba as it was."""

import errno
import os
import shutil
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path

import numba
import numpy as np
import pytest

from mnlbandits import compiled
from mnlbandits.sources import PACKAGE

MINE = '''
"""A kernel of a user's own that calls one of another file."""

import numba
import numpy as np

from mnlbandits.learners import linalg

FACTOR = 1.0


@numba.njit(cache=True)
def length(matrix, vector):
    return FACTOR * linalg.quadratic_form(matrix, vector)


def value():
    matrix, vector = np.eye(2), np.array([3.0, 4.0])
    print(length(matrix, vector), sum(length.stats.cache_hits.values()))
'''


@pytest.fixture
def package(tmp_path):
    """A copy of the package with a user's kernel in it."""
    copy = tmp_path / "source" / "mnlbandits"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "algorithms" / "mine.py").write_text(MINE)
    return copy


def python(package: Path, code: str, **environment: str) -> subprocess.CompletedProcess:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "XDG_"))}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=clean | {"PYTHONPATH": str(package.parent)} | environment,
        cwd=package.parent,
        capture_output=True,
        text=True,
        check=True,
    )


def length(package: Path, **environment: str) -> tuple[float, int]:
    """The value of the user's kernel, and how often it came from the cache."""
    done = python(package, "from mnlbandits.algorithms import mine; mine.value()", **environment)
    value, hits = done.stdout.split()
    return float(value), int(hits)


@pytest.mark.parametrize("place", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME", "nowhere"])
def test_an_edit_of_what_a_kernel_calls_is_never_missed(package, tmp_path, place):
    (tmp_path / "file").touch()
    where = {"XDG_CACHE_HOME": str(tmp_path / "file" / "below")} if place == "nowhere" else {place: str(tmp_path / "cache")}
    assert length(package, **where) == (25.0, 0)
    assert length(package, **where) == (25.0, place != "nowhere")
    linalg = package / "learners" / "linalg.py"
    marked = "def quadratic_form"
    head, tail = linalg.read_text().split(marked)
    head_of_body, body = tail.split("return total", 1)
    linalg.write_text(head + marked + head_of_body + "return 2.0 * total" + body)
    assert length(package, **where) == (50.0, 0)
    mine = package / "algorithms" / "mine.py"
    mine.write_text(mine.read_text().replace("FACTOR = 1.0", "FACTOR = 3.0"))
    assert length(package, **where) == (150.0, 0)
    assert not list(package.rglob("*.nbi")), "numba's own cache, which goes stale, is not used"


def test_an_edit_of_one_algorithm_compiles_no_other(package, tmp_path):
    where = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    code = """
from mnlbandits.algorithms import yardsticks
from mnlbandits.simulators.runs import compile_loops
compile_loops("yardsticks")
"""
    python(package, code, **where)
    kept = set((tmp_path / "cache" / "mnlbandits").iterdir())
    with (package / "algorithms" / "mine.py").open("a") as mine:
        mine.write("\n# edited\n")
    python(package, code, **where)
    assert set((tmp_path / "cache" / "mnlbandits").iterdir()) == kept
    with (package / "algorithms" / "yardsticks.py").open("a") as edited:
        edited.write("\n# edited\n")
    python(package, code, **where)
    assert set((tmp_path / "cache" / "mnlbandits").iterdir()) > kept


FACTORY = """
import numba

@numba.njit(cache=True)
def applied(function, x):
    return function(x)

def scaled(factor):
    @numba.njit(cache=True)
    def product(x):
        return factor * x
    return product

def plus(x):
    return x + 1.0

def minus(x):
    return x - 1.0

two, three, up, down = scaled(2.0), scaled(3.0), numba.njit(plus), numba.njit(minus)
"""


def test_kernels_of_one_factory_are_told_apart(package, tmp_path):
    (package / "algorithms" / "factory.py").write_text(FACTORY)
    code = "from mnlbandits.algorithms.factory import *; print(two(1.0), three(1.0), applied(up, 1.0), applied(down, 1.0))"
    for _ in range(2):
        assert python(package, code, NUMBA_CACHE_DIR=str(tmp_path / "cache")).stdout == "2.0 3.0 2.0 0.0\n"


PARTS = {
    "parts": """
from typing import NamedTuple

import numpy as np


class PartsState(NamedTuple):
    arm: np.ndarray
""",
    "assembled": """
import numba
import numpy as np

from mnlbandits.algorithms.base import Algorithm
from mnlbandits.algorithms.parts import PartsState


def start(problem, preset):
    return PartsState(np.zeros(1))


@numba.njit(cache=True)
def choose(state, t):
    return 0


@numba.njit(cache=True)
def update(state, t, arm, outcome):
    pass


ALGORITHM = Algorithm("assembled", "assembled", "mine", PartsState, ("none",), start, choose, update)
""",
}


def test_an_edit_of_an_algorithm_whose_state_lies_elsewhere_is_not_missed(package, tmp_path):
    for name, text in PARTS.items():
        (package / "algorithms" / f"{name}.py").write_text(text)
    code = """
from mnlbandits.instances import make_instance
from mnlbandits.simulators import simulate
instance = make_instance("small", "large-kappa-star", {"arms": 4, "outcomes": 2})
instance.__dict__["constants"] = {"kappa_upper": 5.0}
print(simulate(instance, "assembled", 1, [0], preset="none").regret[0, -1] == instance.gaps[0])
"""
    where = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert python(package, code, **where).stdout == "True\n"
    file = package / "algorithms" / "assembled.py"
    file.write_text(file.read_text().replace("return 0", "return 1"))
    assert python(package, code, **where).stdout == "False\n"


@pytest.mark.parametrize("garble", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: b"x" * len(data)])
def test_a_garbled_file_of_the_cache_is_made_anew(package, tmp_path, garble):
    where = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert length(package, **where) == (25.0, 0)
    for file in (tmp_path / "cache" / "mnlbandits").iterdir():
        file.write_bytes(garble(file.read_bytes()))
    assert length(package, **where) == (25.0, 0)
    assert length(package, **where) == (25.0, 1)


def test_a_cache_that_cannot_be_written_gives_one_warning(package, tmp_path):
    (tmp_path / "file").touch()
    code = """
import numpy as np
from mnlbandits.learners import linalg
from mnlbandits.model.kappa import kappa
print(linalg.quadratic_form(np.eye(2), np.array([3.0, 4.0])), kappa(2, 0.5).upper > 2)
"""
    done = python(package, code, NUMBA_CACHE_DIR=str(tmp_path / "file"))
    assert done.stdout == "25.0 True\n"
    assert done.stderr.count("Warning") == 1
    assert "cannot be written" in done.stderr


@pytest.fixture
def squared():
    """A kernel that nothing has compiled yet."""
    compiled.warn_once.cache_clear()
    compiled.cache_folder.cache_clear()
    yield compiled.allocating_kernel(lambda x: x * x)
    compiled.warn_once.cache_clear()
    compiled.cache_folder.cache_clear()


def test_a_full_disk_gives_one_warning(squared, monkeypatch):
    def full(path, write):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(compiled, "write_atomic", full)
    with pytest.warns(RuntimeWarning, match="No space left on device") as caught:
        assert (squared(3.0), squared(3)) == (9.0, 9)
    assert len(caught) == 1


def test_without_a_home_it_computes_with_one_warning(squared, monkeypatch):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.warns(RuntimeWarning, match="no home folder") as caught:
        assert (squared(3.0), squared(3)) == (9.0, 9)
    assert len(caught) == 1


PLAY = """
import numpy as np
from mnlbandits.algorithms import REGISTRY
from mnlbandits.instances import make_instance
from mnlbandits.simulators import simulate
from mnlbandits.verify.family import member
for name, record in REGISTRY.items():
    outcomes = 3 if record.setting.holds(np.array([2.0, 1.0, 1.0])) else 2
    instance = make_instance("small", "large-kappa-star", {"arms": 4, "outcomes": outcomes})
    if name == "sign-sampler":
        instance = member(3, 2, 1000, 1.0)
    if record.family:
        instance = make_instance("small", record.family, {})
    instance.__dict__["constants"] = {"kappa_upper": 5.0}
    runs = simulate(instance, name, 6, [0], preset=record.presets[0])
    print(name, runs.regret[0, -1], runs.worst[0, -1])
"""


def test_every_system_runs_without_a_compiler(package, tmp_path):
    """As a debugger or a measurement of coverage needs it; slow."""
    done = python(package, PLAY, NUMBA_DISABLE_JIT="1", NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert len(done.stdout.splitlines()) > 20
    assert "nan" not in done.stdout
    assert not (tmp_path / "cache").exists()


CONFIG = "{key: str(getattr(numba.config, key)) for key in dir(numba.config) if key.isupper()}"


def test_importing_and_compiling_leave_the_settings_of_numba(package, tmp_path):
    code = f"""
import numba
before = {CONFIG}
import mnlbandits.cli, mnlbandits.ledger.paper, mnlbandits.plots.regret
from mnlbandits.algorithms import mine
mine.value()
assert before == {CONFIG}
"""
    python(package, code, NUMBA_CACHE_DIR=str(tmp_path / "cache"), NUMBA_OPT="2")


def test_a_users_settings_of_numba_change_no_number(package, tmp_path):
    code = """
from mnlbandits.model.kappa import kappa
print(kappa(3, 1.5))
"""
    settings = [{}, {"NUMBA_OPT": "0"}, {"NUMBA_OPT": "max", "NUMBA_BOUNDSCHECK": "1"}, {"NUMBA_LOOP_VECTORIZE": "0"}]
    settings += [{"NUMBA_CACHE_LOCATOR_CLASSES": "InTreeCacheLocator"}, {"NUMBA_CPU_NAME": "generic"}]
    printed = {
        python(package, code, NUMBA_CACHE_DIR=str(tmp_path / str(number)), **each).stdout
        for number, each in enumerate(settings)
    }
    assert len(printed) == 1


def test_what_is_compiled_equals_what_is_interpreted():
    matrix, vector = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, -2.0])
    from mnlbandits.learners import linalg

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert linalg.quadratic_form(matrix, vector) == compiled.interpreted(linalg.quadratic_form)(matrix, vector) == 10.0
    assert compiled.interpreted(len) is len


HOMELESS = """
import pwd

def unknown(number):
    raise KeyError(f"getpwuid(): uid not found: {number}")

pwd.getpwuid = unknown
from mnlbandits.cli import main
main(["kappa", "--outcomes", "3", "--radius", "1"])
main(["constants", "--instance", "large-kappa-star"])
"""


def test_an_unknown_user_without_a_home_gets_numbers_and_one_warning(package, monkeypatch):
    monkeypatch.delenv("HOME", raising=False)
    done = python(package, HOMELESS)
    assert "upper" in done.stdout
    assert "nu " in done.stdout
    assert done.stderr.count("Warning: ") == 1
    assert "there is no home folder" in done.stderr


SAYING = """
from mnlbandits import compiled
from mnlbandits.cli import main
compiled.MOMENT = {moment}
main(["kappa", "--outcomes", "3", "--radius", "1"])
"""


def test_the_command_line_says_once_that_it_compiles(package, tmp_path):
    kept = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    folder = tmp_path / "cache" / "mnlbandits"
    line = f"mnlbandits: compiling kernels, about half a minute, kept in {folder} for the next time\n"
    assert python(package, SAYING.format(moment=-1), **kept).stderr == line
    assert python(package, SAYING.format(moment=-1), **kept).stderr == "", "nothing is compiled again"
    assert python(package, SAYING.format(moment=1e9), NUMBA_CACHE_DIR=str(tmp_path / "other")).stderr == ""
    assert python(package, SAYING.format(moment=-1), NUMBA_DISABLE_JIT="1").stderr == ""
    code = "from mnlbandits import compiled\ncompiled.MOMENT = -1\nfrom mnlbandits.model.kappa import kappa\nkappa(3, 1.0)"
    assert python(package, code, NUMBA_CACHE_DIR=str(tmp_path / "third")).stderr == "", "a library is silent"


def test_a_cache_that_cannot_be_written_is_not_promised(squared, monkeypatch, caplog):
    monkeypatch.setattr(compiled, "MOMENT", -1.0)
    caplog.set_level("INFO", logger="mnlbandits")
    with pytest.warns(RuntimeWarning, match="full"):
        compiled.warn_once("the disk is full")
    with compiled.Watch().running():
        assert caplog.messages == ["compiling kernels, about half a minute, in every process anew"]


def test_time_is_counted_once_where_kernels_compile_within_kernels(monkeypatch, caplog):
    times = iter([0.0, 0.0, 0.4, 0.9, 100.0, 100.0, 100.2, 100.6, 101.0])
    monkeypatch.setattr(compiled.time, "monotonic", lambda: next(times))
    caplog.set_level("INFO", logger="mnlbandits")
    watch = compiled.Watch()
    with watch.running(), watch.running():  # 0.9 s
        pass
    assert (watch.spent, watch.depth, watch.told) == (0.9, 0, False)
    with watch.running():  # a moment is over 0.2 s later
        assert not watch.told
        with watch.running():
            assert watch.told
    assert watch.spent == pytest.approx(0.9 + 0.6)
    assert caplog.text.count("compiling kernels") == 1


EVERYTHING = """
import pkgutil
import mnlbandits
for module in pkgutil.walk_packages(mnlbandits.__path__, "mnlbandits."):
    if not module.name.endswith("__main__"):
        __import__(module.name)
from mnlbandits.cli import main
with open("data.csv", "w") as file:
    file.write("a,y\\n" + "".join(f"{i % 5},{i * i % 3}\\n" for i in range(40)))
small = ["--instance", "large-kappa-star", "--arms", "4"]
simulate = ["simulate", *small, "--algorithm", "oful-mlogb", "--out", "a.csv"]
for words in (
    ["algorithms"],
    ["instances"],
    ["kappa", "--outcomes", "3", "--radius", "1"],
    ["constants", *small],
    ["constants", "--instance", "data", "--arms", "5"],
    ["claims", "--theorem", "3"],
    ["claims", "C020", "--effort", "smoke"],
    ["fit", "data.csv", "--outcome", "y", "--out", "a.json"],
    ["simulate", "--instance", "a.json", "--algorithm", "real", "--horizon", "5", "--out", "b.csv"],
    [*simulate, "--horizon", "5"],
    [*simulate, "--horizon", "100", "--simulator", "leap", "--step", "0.9"],
    [*simulate, "--grid", "sphere", "--horizon", "3"],
):
    print("status", *words, main(words))
"""


def test_every_command_runs_without_a_compiler(package, tmp_path):
    """And all modules can be imported; slow. What `counts` draws round by round would take minutes."""
    done = python(package, EVERYTHING, NUMBA_DISABLE_JIT="1", NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    statuses = [line.rsplit(" ", 1)[1] for line in done.stdout.splitlines() if line.startswith("status ")]
    assert statuses == ["0"] * 12, done.stderr
    assert not (tmp_path / "cache").exists()


ARCHIVED = """
from contextlib import contextmanager
import numpy as np
from mnlbandits import compiled
from mnlbandits.learners import linalg

@contextmanager
def taken(path):
    compiled.take_kernels_from(path)
    yield

path = "{archive}"
with {act}:
    print(linalg.quadratic_form(np.eye(2), np.array([3.0, 4.0])), compiled.WATCH.spent > 0)
"""


def test_an_archive_replaces_the_cache(package, tmp_path):
    archive = tmp_path / "kernels.zip"
    made = python(
        package, ARCHIVED.format(archive=archive, act="compiled.archiving(path)"), NUMBA_CACHE_DIR=str(tmp_path / "one")
    )
    taken = python(package, ARCHIVED.format(archive=archive, act="taken(path)"), NUMBA_CACHE_DIR=str(tmp_path / "two"))
    assert made.stdout == "25.0 True\n"
    assert taken.stdout == "25.0 False\n"
    assert not (tmp_path / "two").exists()


@pytest.mark.parametrize("change", ["processor", "garbled"])
def test_a_form_of_an_archive_that_does_not_fit_is_made_anew(package, tmp_path, change):
    archive = tmp_path / "kernels.zip"
    python(package, ARCHIVED.format(archive=archive, act="compiled.archiving(path)"), NUMBA_CACHE_DIR=str(tmp_path / "one"))
    where = {"NUMBA_CACHE_DIR": str(tmp_path / "two")}
    if change == "processor":
        where["NUMBA_CPU_NAME"] = "generic"
    else:
        with zipfile.ZipFile(archive) as file:
            names = file.namelist()
        with zipfile.ZipFile(archive, "w") as file:
            for name in names:
                file.writestr(name, b"nothing that unpickles")
    assert python(package, ARCHIVED.format(archive=archive, act="taken(path)"), **where).stdout == "25.0 True\n"
