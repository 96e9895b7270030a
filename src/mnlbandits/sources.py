"""Which source files a module depends on, read from import statements.

Snakemake does not see edits of an imported library, nor numba those of what a kernel calls: a digest of these files is a
parameter of every job and part of the name of every compiled kernel, so that an edit redoes what depends on it and nothing
else.
"""

import ast
import hashlib
import re
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

PACKAGE = Path(__file__).parent

LIBRARIES = tuple(Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib"))
"""Where Python's and installed libraries lie: their versions say what they are."""

GROUP = "mnlbandits.algorithms"
"""Entry points of installed packages that bring algorithms."""

COUNTED: set[str] = set()
"""Modules and packages that count wherever they lie, by the first part of their names: those that bring algorithms."""


BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")
"""The fields of a node of a syntax tree that hold statements, or what holds statements."""


@cache
def module_file(name: str) -> Path | None:
    """The file of a module of this package, or of one that was imported from outside of all libraries; else None."""
    if name.split(".")[0] == PACKAGE.name:
        path = PACKAGE.parent.joinpath(*name.split("."))
        return next((file for file in (path / "__init__.py", path.with_suffix(".py")) if file.is_file()), None)
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None or not file.endswith(".py"):
        return None
    path = Path(file).resolve()
    counts = name.split(".")[0] in COUNTED or not any(path.is_relative_to(library) for library in LIBRARIES)
    return path if path.is_file() and counts else None


@cache
def imports(name: str) -> frozenset[str]:
    """Dotted names that the file of a module imports; ``a.b.c`` also gives ``a`` and ``a.b``."""
    path = module_file(name)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    names = set()
    for node in executed(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            source = "." * node.level + (node.module or "")
            if source.startswith("."):
                source = resolve_name(source, package)
            names |= {source} | {f"{source}.{alias.name}" for alias in node.names}
    return frozenset(names.union(*map(packages_of, names)))


def executed(tree: ast.AST) -> Iterator[ast.AST]:
    """The statements of a tree but those that only a type checker looks at, under ``if TYPE_CHECKING``."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting += node.orelse
        else:
            yield node
            waiting += (statement for block in BLOCKS for statement in getattr(node, block, ()))


def packages_of(name: str) -> list[str]:
    """The packages that a dotted name lies in, outermost first."""
    return [name[: dot.start()] for dot in re.finditer(r"\.", name)]


def modules_behind(*names: str) -> list[str]:
    """Sorted names of these modules, of their packages and of all modules with a file that they import, transitively.

    Raises
    ------
    ModuleNotFoundError : one of `names` has no file.
    """
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        if module_file(name) is None:
            raise ModuleNotFoundError(name)
        found.add(name)
        waiting += [other for other in (*imports(name), *packages_of(name)) if module_file(other)]
    return sorted(found)


@cache
def digest_of_modules(*names: str) -> str | None:
    """A hash of the names and bytes of all files behind these modules; None if one has no file, as in a notebook."""
    digest = hashlib.sha256()
    try:
        for name in modules_behind(*names):
            digest.update(name.encode() + module_file(name).read_bytes())
    except ModuleNotFoundError:
        return None
    return digest.hexdigest()[:16]


@cache
def digest_of_files(pattern: str) -> str:
    """A hash of the names and bytes of the files of this package that fit a pattern of `Path.glob`."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.glob(pattern)):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]
