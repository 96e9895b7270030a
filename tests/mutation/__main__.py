"""Whether the tests notice small changes to the science: `make mutate`.

    python tests/mutation [--folders model verify ...] [--number 200] [--seed 0] [--again] [--reach]

draws mutants of each folder of the package and runs the tests that reach the changed function against each, with kernels
interpreted, in processes forked from one that has imported the libraries. What was found is in `work/mutation/found.csv`,
a line per mutant; the same command goes on where it was, `--again` tries those that survived once more. `reach.csv` says
which tests run which functions; `--reach` finds it anew, which takes as long as an interpreted run of the suite.
`equivalent.csv` lists the mutants that change nothing that a test could see, and why.
"""

import argparse
import csv
import os
import sys
import time
from collections import Counter

os.environ |= {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "agg"}

from children import children, run_tests, test_files
from mutants import drawn, mutants
from reach import FOLDER, PACKAGE, ROOT, find_reach, function_at, imports, read_reach

UNKNOWN = 20.0  # seconds
FOUND = ROOT / "work" / "mutation" / "found.csv"
FIELDS = ["folder", "module", "line", "before", "after", "fate", "by", "seconds"]
FOLDERS = ("model", "instances", "learners", "algorithms", "simulators", "analysis", "verify", "ledger")


def key(mutant):
    """What identifies a mutant after lines have moved."""
    return str(mutant.path.relative_to(PACKAGE)), *mutant.lines


def read_rows(path):
    """The rows of a CSV file, or none if it is not there."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def equivalent():
    """The keys of the mutants that change nothing; an error for an entry that is no mutant of today's sources."""
    listed = {(row["module"], row["before"], row["after"]) for row in read_rows(FOLDER / "equivalent.csv")}
    there = {key(mutant) for module in {entry[0] for entry in listed} for mutant in mutants(PACKAGE / module)}
    if listed - there:
        sys.exit(
            "\n".join(
                f"tests/mutation/equivalent.csv: no such mutant: {' | '.join(entry)}" for entry in sorted(listed - there)
            )
        )
    return listed


def importing(module):
    """The test files that import a module, of which reach.csv knows nothing, and the seconds that each is given."""
    return [(str(path.relative_to(ROOT)), UNKNOWN) for path in test_files() if module in imports(path)]


def judge(mutant, reach):
    """What becomes of the mutant, and by which test: (killed, slow or survived, test)."""
    module, function = function_at(mutant)
    tests = reach.get((module, function)) or reach.get((module, "")) or importing(module)
    for stage in (tests[:6], tests[6:]):
        if stage:
            fate, test = run_tests(stage, mutant)
            if fate != "survived":
                return fate, test
    return "survived", "" if tests else "no test imports it"


def main():
    parser = argparse.ArgumentParser(prog="python tests/mutation", description=__doc__.split("\n")[0])
    parser.add_argument("--folders", nargs="+", default=FOLDERS, choices=FOLDERS)
    parser.add_argument("--number", type=int, default=220, help="mutants of each folder (default: 220)")
    parser.add_argument("--seed", type=int, default=0, help="which are drawn (default: 0)")
    parser.add_argument("--again", action="store_true", help="try those that survived once more")
    words = "find which tests run which functions, for the test files whose paths hold one of these words, or all"
    parser.add_argument("--reach", nargs="*", metavar="WORD", help=words)
    parser.add_argument("--least", type=float, default=95.0, help="percentage to be killed in each folder (default: 95)")
    arguments = parser.parse_args()
    if arguments.reach is not None:
        find_reach(arguments.reach)
        return
    spared, reach = equivalent(), read_reach()
    rows = {(row["module"], row["before"], row["after"]): row for row in read_rows(FOUND)}
    if arguments.again:
        rows = {known: row for known, row in rows.items() if row["fate"] != "survived"}
    FOUND.parent.mkdir(parents=True, exist_ok=True)
    wanted = {
        folder: {
            key(mutant): mutant for mutant in drawn(PACKAGE.joinpath(folder).rglob("*.py"), arguments.number, arguments.seed)
        }
        for folder in arguments.folders
    }
    tasks = [
        (folder, known, mutant)
        for folder, every in wanted.items()
        for known, mutant in every.items()
        if known not in rows and known not in spared
    ]
    started = time.monotonic()

    def row_of(task):
        folder, (module, before, after), mutant = task
        begun = time.monotonic()
        fate, test = judge(mutant, reach)
        return dict(
            zip(
                FIELDS,
                (folder, module, mutant.line, before, after, fate, test, f"{time.monotonic() - begun:.1f}"),
                strict=True,
            )
        )

    with FOUND.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows.values())
        for done, row in enumerate(children(row_of, tasks), start=1):
            writer.writerow(row)
            file.flush()
            rows[row["module"], row["before"], row["after"]] = row
            if sys.stderr.isatty() or done % 20 == 0 or done == len(tasks):
                print(f"{done} of {len(tasks)} mutants, {time.monotonic() - started:.0f} s", file=sys.stderr)
    enough = True
    for folder, every in wanted.items():
        fates = Counter(rows[known]["fate"] for known in every if known not in spared)
        tried = sum(fates.values())
        share = 100 * (1 - fates["survived"] / tried) if tried else 100.0
        enough &= share >= arguments.least
        print(
            f"{folder}: {len(every)} mutants, {fates['killed']} killed, {fates['slow']} too slow, "
            f"{len(every) - tried} equivalent, {fates['survived']} survived: {share:.1f} % of those that are not equivalent"
        )
        for known in every:
            if known not in spared and rows[known]["fate"] == "survived":
                row = rows[known]
                print(f"  survived: {row['module']}:{row['line']}\n    {row['before']}\n    {row['after']}")
    sys.exit(not enough)


if __name__ == "__main__":
    main()
