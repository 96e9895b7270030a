"""Atomic writing: the file is there and whole, or as it was before."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mnlbandits.files import write_atomic


def test_writes_the_file_and_its_folders(tmp_path):
    path = tmp_path / "a" / "b" / "file.txt"
    write_atomic(path, lambda handle: handle.write(b"content"))
    assert path.read_bytes() == b"content"
    assert [p.name for p in path.parent.iterdir()] == ["file.txt"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_takes_a_string_and_replaces(tmp_path):
    path = tmp_path / "file.txt"
    path.write_bytes(b"old and longer")
    write_atomic(str(path), lambda handle: handle.write(b"new"))
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
@pytest.mark.parametrize("before", [None, b"old"])
def test_leaves_nothing_behind_on_failure(tmp_path, error, before):
    path = tmp_path / "file.txt"
    if before is not None:
        path.write_bytes(before)

    def write(handle):
        handle.write(b"half")
        raise error

    with pytest.raises(error):
        write_atomic(path, write)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == ({} if before is None else {"file.txt": before})


CHILD = """
import sys, time
from mnlbandits.files import write_atomic

def write(handle):
    handle.write(b"half")
    handle.flush()
    print("half", flush=True)
    time.sleep(60)

write_atomic(sys.argv[1], write)
"""


@pytest.mark.parametrize("before", [None, b"old"])
def test_survives_a_kill_half_way(tmp_path, before):
    path = tmp_path / "file.txt"
    if before is not None:
        path.write_bytes(before)
    source = str(Path(sys.modules["mnlbandits"].__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": source}
    command = [sys.executable, "-c", CHILD, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as child:
        assert child.stdout.readline() == b"half\n"
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
    assert (path.read_bytes() if path.exists() else None) == before
    # What is left is a hidden sibling, which a later writing of the same file does not mind.
    left = [p for p in tmp_path.iterdir() if p != path]
    assert [p.name.startswith(".file.txt.") for p in left] == [True]
    write_atomic(path, lambda handle: handle.write(b"new"))
    assert path.read_bytes() == b"new"


def test_leaves_nothing_behind_when_the_move_fails(tmp_path):
    path = tmp_path / "folder"
    path.mkdir()
    with pytest.raises(IsADirectoryError):
        write_atomic(path, lambda handle: handle.write(b"content"))
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]
