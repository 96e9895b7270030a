"""Which source files a module of the package depends on, read from its import statements.

Snakemake does not see edits of an imported library; a digest of these files is a parameter of every job, so that an edit
reruns what depends on it and nothing else.
"""

import ast
import hashlib
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent


@cache
def module_file(name: str) -> Path | None:
    """The file of a dotted module name of this package, or None if it is not one."""
    path = PACKAGE.parent.joinpath(*name.split("."))
    for candidate in (path / "__init__.py", path.with_suffix(".py")):
        if candidate.is_file():
            return candidate
    return None


@cache
def imported_modules(path: Path) -> frozenset[str]:
    """Dotted names of the package's modules that the file imports, and the packages they lie in."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    names = {name for name in names if name.split(".")[0] == PACKAGE.name and module_file(name)}
    return frozenset(names) | {".".join(name.split(".")[:end]) for name in names for end in range(1, name.count(".") + 1)}


def sources_of(*modules: str) -> list[str]:
    """Sorted paths of the files of `modules` (dotted, without the package's name) and of all they import, transitively."""
    found: dict[str, Path] = {}
    waiting = [f"{PACKAGE.name}.{module}" for module in modules]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        path = module_file(name)
        if path is None:
            raise ModuleNotFoundError(name)
        found[name] = path
        waiting += imported_modules(path) | {".".join(name.split(".")[:end]) for end in range(1, name.count(".") + 1)}
    return sorted(str(path) for path in found.values())


@cache
def digest_of(*modules: str) -> str:
    """A hash of what `sources_of` lists: the names of the files and their bytes."""
    digest = hashlib.sha256()
    for path in map(Path, sources_of(*modules)):
        digest.update(str(path.relative_to(PACKAGE)).encode() + path.read_bytes())
    return digest.hexdigest()[:16]
