"""Which tests run which functions, as found by one interpreted run of the suite: reach.csv.

A test that takes more than `LIMIT` seconds interpreted is left out, as is one that fails there because it is about compiled
forms. What a fixture runs is reached by all tests of its file.
"""

import ast
import csv
import gzip
import json
import os
import signal
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
PACKAGE = ROOT / "src" / "mnlbandits"
REACH = FOLDER / "reach.csv"
LIMIT = 4.0  # seconds of the processor, interpreted and traced
MOST = 40  # tests of one function
QUIET = ("-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
BUDGET = 60.0  # seconds of the tests of one function


@cache
def spans(path):
    """(first line, last line, name) of each function of a file, outermost, methods as Class.method."""
    found = []

    def walk(body, prefix):
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found.append((node.lineno, node.end_lineno, prefix + node.name))
            elif isinstance(node, ast.ClassDef):
                walk(node.body, f"{prefix}{node.name}.")

    walk(ast.parse(path.read_text()).body, "")
    return found


def name_of(path, line):
    """The function that line `line` of `path` is in, or the empty string."""
    return next((name for first, last, name in spans(path) if first <= line <= last), "")


def function_at(mutant):
    """(module's path in the package, function) of a mutant; the empty string for what runs when the module is imported."""
    return str(mutant.path.relative_to(PACKAGE)), name_of(mutant.path, mutant.line)


def read_reach():
    """(module, function) -> [(test, seconds)], the fastest of each file first."""
    reach = defaultdict(list)
    with REACH.open(newline="") as file:
        for row in csv.DictReader(file):
            reach[row["module"], row["function"]].append((row["test"], float(row["seconds"])))
    return reach


class Watch:
    """A plugin of pytest that tells coverage which test runs, and ends one that takes too long."""

    def __init__(self, coverage):
        self.coverage, self.seconds, self.bad = coverage, defaultdict(float), set()

    def pytest_runtest_setup(self, item):
        self.coverage.switch_context("fixture")

    def pytest_runtest_call(self, item):
        def end(*_):
            raise TimeoutError("too slow")

        self.coverage.switch_context(item.nodeid.split("[")[0])
        signal.signal(signal.SIGVTALRM, end)
        signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)

    def pytest_runtest_teardown(self, item):
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        self.coverage.switch_context("fixture")

    def pytest_runtest_logreport(self, report):
        test = report.nodeid.split("[")[0]
        self.seconds[test] += report.duration
        if report.failed or (report.skipped and report.when != "call"):
            self.bad.add(test)


def reached_by(test_file):
    """[(module, function, test), ..], seconds of each test, and those left out, of `test_file` run here under coverage."""
    import pytest
    from coverage import Coverage

    os.chdir(ROOT)
    coverage = Coverage(data_file=None, include=[f"{PACKAGE}/*"], config_file=False)
    watch = Watch(coverage)
    coverage.start()
    pytest.main([*QUIET, str(test_file.relative_to(ROOT))], plugins=[watch])
    coverage.stop()
    good, data = [test for test in watch.seconds if test not in watch.bad], coverage.get_data()
    pairs = set()
    for path in data.measured_files():
        module = str(Path(path).relative_to(PACKAGE))
        for line, contexts in data.contexts_by_lineno(path).items():
            function = name_of(Path(path), line)
            for context in contexts:
                if function and context:
                    pairs |= {
                        (module, function, test) for test in (good if context == "fixture" else [context]) if test in good
                    }
    return [
        sorted(pairs),
        {test: round(seconds, 2) for test, seconds in watch.seconds.items() if test in good},
        sorted(watch.bad),
    ]


def imports(test_file):
    """The modules of the package that a test file names in its imports, as paths in the package."""
    found = set()
    for node in ast.walk(ast.parse(test_file.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "mnlbandits":
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.split(".")[0] == "mnlbandits"]
        else:
            continue
        for name in names:
            path = PACKAGE.joinpath(*name.split(".")[1:])
            found |= {
                str(file.relative_to(PACKAGE)) for file in (path.with_suffix(".py"), path / "__init__.py") if file.exists()
            }
    return found


def find_reach(wanted):
    """Runs the test files whose paths hold one of `wanted`, or all not run here yet, and brings reach.csv up to date.

    The part of each test file is kept in work/mutation; of those without one the rows of reach.csv stay. What was left out
    is said on standard error.
    """
    from children import children, test_files

    kept = ROOT / "work" / "mutation" / "reach"
    kept.mkdir(parents=True, exist_ok=True)
    files = test_files()

    def part(test_file):
        file = kept / f"{test_file.stem}.json.gz"
        file.with_suffix(".part").write_bytes(gzip.compress(json.dumps(reached_by(test_file)).encode()))
        file.with_suffix(".part").rename(file)
        return test_file.stem

    there = {path.stem for path in files if (kept / f"{path.stem}.json.gz").exists()}
    left = [path for path in files if (any(word in str(path) for word in wanted) if wanted else path.stem not in there)]
    for done, stem in enumerate(children(part, left), start=1):
        print(f"{done} of {len(left)} test files: {stem}", file=sys.stderr)
    reach, seconds = defaultdict(set), {}
    there |= {path.stem for path in left}
    for row in csv.DictReader(REACH.read_text().splitlines()):
        file = ROOT / row["test"].split("::")[0]
        if file.exists() and file.stem not in there:
            reach[row["module"], row["function"]].add(row["test"])
            seconds[row["test"]] = float(row["seconds"])
    for path in (path for path in files if path.stem in there):
        with gzip.open(kept / f"{path.stem}.json.gz", "rt") as file:
            pairs, usual, bad = json.load(file)
        seconds |= usual
        if bad:
            print(f"left out of {path.stem}: {' '.join(test.split('::')[-1] for test in bad)}", file=sys.stderr)
        named = imports(path)
        for module, function, test in pairs:
            reach[module, function].add(test)
            if module in named:
                reach[module, ""].add(test)
        for module in named:
            reach[module, ""] |= set(usual)
    with REACH.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["module", "function", "test", "seconds"])
        for (module, function), tests in sorted(reach.items()):
            writer.writerows([module, function, test, seconds[test]] for test in first_of_each(tests, seconds, module))


def first_of_each(tests, seconds, module):
    """The tests to run, in order: in turn the fastest left of each file, first those beside the module."""
    by_file = defaultdict(list)
    for test in sorted(tests, key=lambda test: (seconds[test], test)):
        by_file[test.split("::")[0]].append(test)
    stem = Path(module).stem

    def order(file):
        return (stem not in file, seconds[by_file[file][0]], file)

    files, chosen, spent = sorted(by_file, key=order), [], 0.0
    while any(by_file.values()) and len(chosen) < MOST:
        for file in files:
            if by_file[file] and len(chosen) < MOST:
                test = by_file[file].pop(0)
                if spent + seconds[test] <= BUDGET or not chosen:
                    chosen.append(test)
                    spent += seconds[test]
    return chosen
