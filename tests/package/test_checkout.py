"""A checkout is the same whatever git was told of line ends."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_checkout_with_other_line_ends_still_runs(tmp_path):
    git = ["git", "-c", "core.autocrlf=true", "-c", "core.eol=crlf"]
    subprocess.run([*git, "clone", "--quiet", str(ROOT), str(tmp_path / "clone")], check=True)
    files = subprocess.run(["git", "ls-files"], cwd=tmp_path / "clone", capture_output=True, text=True, check=True).stdout
    assert ".ci/run" in files.split()
    for name in files.splitlines():
        content = (tmp_path / "clone" / name).read_bytes()
        if name.endswith((".png", ".parquet")):
            assert content == (ROOT / name).read_bytes(), name
        else:
            assert b"\r\n" not in content, name
