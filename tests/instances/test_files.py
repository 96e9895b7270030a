"""Atomic writing: the file is there and whole, or as it was before."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mnlbandits.errors import InputError
from mnlbandits.files import require_writable, write_atomic


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


@pytest.mark.parametrize("before", [[], ["a"]])
def test_leaves_no_folders_behind_on_failure(tmp_path, before):
    for name in before:
        (tmp_path / name).mkdir()

    def write(handle):
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        write_atomic(tmp_path / "a" / "b" / "file.txt", write)
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")] == before


def test_a_path_that_can_be_written_is_left_as_it_is(tmp_path):
    (tmp_path / "there.txt").write_bytes(b"old")
    for name in ("there.txt", "new.txt", "a/b/new.txt"):
        require_writable("out", tmp_path / name)
    assert [path.name for path in tmp_path.rglob("*")] == ["there.txt"]
    assert (tmp_path / "there.txt").read_bytes() == b"old"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("folder.csv", "Is a directory"),
        ("there.csv/x.csv", "Not a directory"),
        ("there.csv/deeper/x.csv", "Not a directory"),
        ("a/" + "x" * 300 + ".csv", "File name too long"),
        ("a/" + "x" * 300 + "/x.csv", "File name too long"),
        ("loop/x.csv", "File exists"),
        ("/proc/nowhere/x.csv", "No such file or directory"),
    ],
)
def test_a_path_that_cannot_be_written_is_named_and_nothing_left(tmp_path, path, reason):
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "there.csv").write_bytes(b"old")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InputError, match=reason) as caught:
        require_writable("out", tmp_path / path)
    assert (caught.value.field, caught.value.value) == ("out", str(tmp_path / path))
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_named(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="Permission denied"):
        require_writable("out", tmp_path / "a" / "x.csv")
    tmp_path.chmod(0o700)


def test_leaves_nothing_behind_when_the_move_fails(tmp_path):
    path = tmp_path / "folder"
    path.mkdir()
    with pytest.raises(IsADirectoryError):
        write_atomic(path, lambda handle: handle.write(b"content"))
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]
