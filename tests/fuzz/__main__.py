"""Gives the package inputs that are wrong in one to three places: `make fuzz N=1000`.

    python tests/fuzz [--kinds command config ...] [--number 1000] [--seed 0] [--first 0]

tries so many of each kind, interpreted, in a process per core with a limit on its memory, each case for at most `PATIENCE`
seconds. It counts what was accepted, refused with one line, and wrong: tracebacks, warnings as such, hangs, files left by
what was refused, output that is no JSON. What is wrong is shown, and kept in work/fuzz/found.jsonl; those that were mended
are in corpus.jsonl, which a test replays.
"""

import argparse
import base64
import json
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

os.environ |= {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "agg"}

from cases import KINDS, case
from judge import judged

ROOT = Path(__file__).parents[2]
PATIENCE = 10.0  # seconds
MEMORY = 4 * 2**30  # bytes of addresses


def work(connection):
    """Judge the cases that come through the connection."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory() as folder:
        inner = Path(folder, "case")
        inner.mkdir()
        while True:
            kind, seed, number = connection.recv()
            connection.send(judged(kind, *case(kind, seed, number), inner))


class Worker:
    """A process that judges one case at a time, and is replaced when it hangs or dies."""

    def __init__(self):
        self.start()

    def start(self):
        self.connection, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.get_context("fork").Process(target=work, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    def give(self, task):
        self.task, self.until = task, time.monotonic() + PATIENCE
        self.connection.send(task)

    def answer(self):
        """The judgement, or None while there is none."""
        if self.connection.poll():
            try:
                return self.connection.recv()
            except EOFError:
                self.start()
                return "died", "the process ended"
        if time.monotonic() > self.until:
            self.process.kill()
            self.process.join()
            self.start()
            return "hang", f"more than {PATIENCE:.0f} s"
        return None


def main():
    parser = argparse.ArgumentParser(prog="python tests/fuzz", description=__doc__.split("\n")[0])
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--number", type=int, default=1000, help="cases of each kind (default: 1000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first case (default: 0)")
    arguments = parser.parse_args()
    tasks = ((kind, arguments.seed, arguments.first + k) for kind in arguments.kinds for k in range(arguments.number))
    counts, examples, busy = Counter(), {}, [Worker() for _ in range(os.cpu_count() or 1)]
    found = ROOT / "work" / "fuzz" / "found.jsonl"
    found.parent.mkdir(parents=True, exist_ok=True)
    started, done, total = time.monotonic(), 0, arguments.number * len(arguments.kinds)
    working = []
    for worker in busy:
        task = next(tasks, None)
        if task:
            worker.give(task)
            working.append(worker)
    with found.open("a") as file:
        while working:
            multiprocessing.connection.wait([worker.connection for worker in working], timeout=0.5)
            for worker in list(working):
                answer = worker.answer()
                if answer is None:
                    continue
                fate, details = answer
                kind, seed, number = worker.task
                counts[kind, fate] += 1
                done += 1
                if fate not in ("accepted", "refused"):
                    words, files = case(kind, seed, number)
                    key = (kind, fate, details)
                    if key not in examples:
                        examples[key] = f"{kind}:{seed}:{number}", words
                        coded = {name: base64.b64encode(data).decode() for name, data in files.items()}
                        entry = {"kind": kind, "fate": fate, "details": details, "words": words, "files": coded}
                        file.write(json.dumps(entry) + "\n")
                        file.flush()
                if done % 1000 == 0:
                    print(f"{done} of {total} cases, {time.monotonic() - started:.0f} s", file=sys.stderr)
                task = next(tasks, None)
                if task:
                    worker.give(task)
                else:
                    working.remove(worker)
    for kind in arguments.kinds:
        told = ", ".join(f"{count} {fate}" for (each, fate), count in sorted(counts.items()) if each == kind)
        print(f"{kind}: {told}")
    for (_, fate, details), (name, words) in examples.items():
        print(f"  {fate} {name}: {details}" + (f"\n    {words}" if words else ""))
    sys.exit(bool(examples))


if __name__ == "__main__":
    main()
