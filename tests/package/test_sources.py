"""Dependencies read from import statements."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from mnlbandits.sources import PACKAGE, digest_of_modules, executed, imports, module_file, modules_behind


def names(*modules):
    return {
        str(module_file(name).relative_to(PACKAGE))
        for name in modules_behind(*(f"mnlbandits.{module}" for module in modules))
    }


def test_a_module_depends_on_what_it_imports_and_not_more():
    assert names("errors") == {"__init__.py", "errors.py"}
    assert "algorithms/real.py" not in names("simulators.runs")
    assert {"learners/mirror_descent.py", "learners/linalg.py", "model/softmax.py"} <= names("algorithms.real")
    assert "learners/mirror_descent.py" not in names("algorithms.yardsticks")


def test_nothing_is_played_anew_for_an_edit_of_the_ledger():
    """Instances are where all results come from: what makes them must not depend on what examines them."""
    for module in ("instances.families", "simulators.runs", "verify.calibration", "verify.scaling", "verify.exponents"):
        assert not [file for file in names(module) if file.startswith(("ledger/", "plots/"))]


def test_it_sees_all_modules_that_an_import_loads():
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, mnlbandits.verify.constants; print(*sorted(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    files = names("verify.constants")
    listed = {f"mnlbandits/{name}".removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in files}
    assert listed == {module for module in loaded if module.split(".")[0] == "mnlbandits"}


def test_an_unknown_module_is_an_error():
    with pytest.raises(ModuleNotFoundError):
        modules_behind("mnlbandits.nowhere")


def test_imports_run_one_way():
    layers = ["model", "instances", "learners", "algorithms", "simulate", "verify", "ledger", "plots"]
    for position, layer in enumerate(layers):
        for path in (PACKAGE / layer).rglob("*.py"):
            if path.stem == "__init__":
                continue
            depends = {name.split("/")[0] for name in names(".".join(path.relative_to(PACKAGE).with_suffix("").parts))}
            assert not depends & set(layers[position + 1 :]), path


def test_a_digest_changes_with_the_bytes_of_a_file(monkeypatch):
    before = digest_of_modules("mnlbandits.errors")
    digest_again = digest_of_modules.__wrapped__
    assert before == digest_again("mnlbandits.errors") != digest_again("mnlbandits.files")
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"#" * (path.name == "errors.py"))
    assert digest_again("mnlbandits.errors") != before


def test_relative_imports_and_files_outside_of_all_libraries_are_seen(tmp_path, monkeypatch):
    (tmp_path / "outer").mkdir()
    (tmp_path / "outer/__init__.py").touch()
    (tmp_path / "outer/inner.py").write_text("from . import other\nfrom .third import x\nimport numpy\nimport alone\n")
    for name in ("outer/other", "outer/third", "alone"):
        (tmp_path / f"{name}.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    __import__("outer.inner")
    try:
        expected = ["alone", "outer", "outer.inner", "outer.other", "outer.third"]
        assert modules_behind("outer.inner") == expected
    finally:
        for name in expected:
            del sys.modules[name]
        module_file.cache_clear()
        imports.cache_clear()


def test_a_module_without_a_file_has_no_digest():
    assert digest_of_modules("nowhere") is None


def test_what_only_a_type_checker_imports_is_no_source():
    tree = ast.parse("if TYPE_CHECKING:\n    import numba\nelse:\n    import numpy\nif numpy:\n    import scipy\n")
    names = {alias.name for node in executed(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert names == {"numpy", "scipy"}
