"""Kill a small study at random moments, with signal 9, resume it each time, and compare the bytes with a run left alone.

A run that ends before its kill is compared, and the study begins anew. By `--slurm` jobs go to a Slurm of one node, where
those that were started outlive the kill.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from slurm import PROFILE, Slurm, missing
from tiny import TARGETS, Workflow


def start(workflow: Workflow, *arguments: str) -> subprocess.Popen[bytes]:
    """A run in a session of its own."""
    nowhere = subprocess.DEVNULL
    environment = workflow.environment()
    return subprocess.Popen(
        workflow.command(*arguments), env=environment, stdout=nowhere, stderr=nowhere, start_new_session=True
    )


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a run with all processes of its session."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    parser.add_argument("--within", type=float, default=20, help="seconds from a start to the latest kill")
    parser.add_argument("--targets", nargs="+", default=TARGETS, help="files of the tiny study, see tiny.py")
    parser.add_argument("--slurm", action="store_true")
    options = parser.parse_args()
    if options.slurm and missing():
        sys.exit(missing())
    chance, began, kills, complete = random.Random(options.seed), time.monotonic(), 0, 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name in ("alone", "killed"):
            (folder / name).mkdir()
        alone, study = Workflow(folder / "alone"), Workflow(folder / "killed")
        alone.run("--cores", "2", "--", *options.targets)
        expected = alone.hashes()
        if options.slurm:
            stack.enter_context(Slurm(folder / "slurm"))
        arguments = [*(PROFILE if options.slurm else ("--cores", "2")), "--nolock", "--", *options.targets]
        while kills < options.kills:
            process = start(study, *arguments)
            try:
                process.wait(chance.uniform(0, options.within))
            except subprocess.TimeoutExpired:
                kill(process)
                kills += 1
                continue
            assert study.hashes() == expected, f"other bytes after {kills} kills"
            complete += 1
            for made in ("results", "figures", "work"):
                (study.folder / made).rename(folder / f"{made}-{complete}")
        study.run(*arguments)
        assert study.hashes() == expected, f"other bytes after {kills} kills"
    print(f"{kills} kills, {complete + 1} complete runs, each with the same bytes; {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
