"""Work in forked processes: many tasks at a time, and tests against a changed module."""

import importlib.machinery
import importlib.util
import json
import os
import signal
import sys
import tempfile
import traceback
from contextlib import suppress
from pathlib import Path

import hypothesis  # noqa: F401  what tests and the package import is imported once, before the forks
import matplotlib.pyplot  # noqa: F401
import numba  # noqa: F401
import pandas  # noqa: F401
import pyarrow.parquet  # noqa: F401
import pytest
import scipy.integrate
import scipy.optimize
import scipy.stats  # noqa: F401
import seaborn  # noqa: F401
from reach import PACKAGE, QUIET, ROOT

PATIENCE = 30.0  # seconds; tests of the suite's fast part that take longer than their usual time and this hang


def children(function, tasks):
    """The results of `function` (JSON) for each of `tasks`, in a process each, as they come; as many at once as cores."""
    waiting, running = list(reversed(tasks)), {}
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            task, out = waiting.pop(), tempfile.TemporaryFile("w+")  # noqa: SIM115
            pid = os.fork()
            if not pid:
                try:
                    json.dump(function(task), out)
                    out.flush()
                except BaseException:
                    traceback.print_exc()
                    os._exit(1)
                os._exit(0)
            running[pid] = task, out
        pid, status = os.wait()
        if pid in running:
            task, out = running.pop(pid)
            with out:
                out.seek(0)
                if status:
                    sys.exit(f"{task} ended with status {status}")
                yield json.load(out)


def take_in_place(mutant):
    """Imports of the mutant's module get the changed source from now on."""
    name = ".".join(("mnlbandits", *mutant.path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    code = compile(mutant.source(), str(mutant.path), "exec")

    class Loader(importlib.machinery.SourceFileLoader):
        def get_code(self, fullname):
            return code

    class Finder:
        @staticmethod
        def find_spec(fullname, path=None, target=None):
            if fullname == name:
                return importlib.util.spec_from_file_location(name, mutant.path, loader=Loader(name, str(mutant.path)))
            return None

    sys.meta_path.insert(0, Finder)


class First:
    """Remembers the first test that failed."""

    test = ""

    def pytest_runtest_logreport(self, report):
        if report.failed and not self.test:
            self.test = report.nodeid

    def pytest_collectreport(self, report):
        if report.failed and not self.test:
            self.test = report.nodeid


def run_tests(tests, mutant, patience=PATIENCE):
    """Whether one of `tests` (node ids) fails with the mutant in place: (killed, slow or survived, first that fails).

    They run in a process of their own, which is ended after `patience` seconds and three for each that they usually take.
    """
    names, usual = [test for test, _ in tests], sum(seconds for _, seconds in tests)
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryDirectory() as folder:
        pid = os.fork()
        if not pid:
            os.setsid()
            status = 2
            with suppress(BaseException):
                null = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1, 2):
                    os.dup2(null, stream)
                os.environ["TMPDIR"] = tempfile.tempdir = folder
                os.chdir(ROOT)
                take_in_place(mutant)
                first = First()
                options = ["-x", "-q", *QUIET, f"--basetemp={folder}/t"]
                status = int(pytest.main([*options, *names], plugins=[first]))
                out.write(first.test)
                out.flush()
            os._exit(status)
        signal.signal(signal.SIGALRM, lambda *_: os.killpg(pid, signal.SIGKILL))
        signal.setitimer(signal.ITIMER_REAL, patience + 3 * usual)
        _, status = os.waitpid(pid, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        out.seek(0)
        test = out.read()
    if os.WIFSIGNALED(status):
        return "slow", ""
    if not test and os.WEXITSTATUS(status):
        raise RuntimeError(f"pytest ended with status {os.WEXITSTATUS(status)} and without a failed test: {' '.join(names)}")
    return ("killed", test) if test else ("survived", "")


def test_files():
    """The test files of which mutants run: all but those that run the workflow, the site or a browser in other processes."""
    left_out = ("workflow", "site", "mutation", "plots", "cli")
    return sorted(path for path in Path(ROOT, "tests").rglob("test_*.py") if path.parent.name not in left_out)
