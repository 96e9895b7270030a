"""Which version of code a job runs: the source files behind it, and the installed libraries behind those.

A digest of both is a parameter of every job: an edit, or another pin in the lock file, reruns what it may change and nothing
else.
"""

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from mnlbandits.sources import PACKAGE, digest_of_modules, imports, module_file, modules_behind


def digest_of(*modules: str, lock: Path | str, libraries: Iterable[str] = ()) -> str:
    """A hash of all files behind these modules and of the libraries behind those, in the versions that the `lock` pins.

    Of a library that the lock file does not have, the installed version counts.

    Parameters
    ----------
    modules : dotted names without the package's name, or whole names of modules of algorithms outside of it.
    libraries : distributions that are used besides those that the files import.

    Raises
    ------
    ModuleNotFoundError : one of `modules` is none.
    """
    own = {module: f"{PACKAGE.name}.{module}" for module in modules}
    names = tuple(name if module_file(name) else module for module, name in own.items())
    used = sorted({*libraries_behind(*names), *with_requirements(libraries)})
    pins = [pinned(Path(lock)).get(library) or version(library) for library in used]
    return hashlib.sha256(" ".join([digest_of_modules(*names), *pins]).encode()).hexdigest()[:16]


@cache
def libraries_behind(*names: str) -> list[str]:
    """Sorted names of the installed distributions that all files behind these modules import, and of what those require."""
    roots = {name.split(".")[0] for module in modules_behind(*names) for name in imports(module)}
    return with_requirements(distribution for root in roots for distribution in distributions().get(root, ()))


def with_requirements(libraries: Iterable[str]) -> list[str]:
    """Sorted names of the installed ones of these distributions and of all that they require."""
    found, waiting = set(), list(libraries)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name != PACKAGE.name and name not in found and version(name):
            found.add(name)
            waiting += required(name)
    return sorted(found)


@cache
def distributions() -> dict[str, list[str]]:
    """Installed distributions by the name under which they are imported."""
    return dict(metadata.packages_distributions())


@cache
def version(library: str) -> str:
    """``name==version`` of an installed distribution, empty if it is not installed."""
    try:
        return f"{library}=={metadata.version(library)}"
    except metadata.PackageNotFoundError:
        return ""


@cache
def required(library: str) -> list[str]:
    """Names that an installed distribution requires on this machine, without extras."""
    requirements = map(Requirement, metadata.requires(library) or ())
    return [each.name for each in requirements if each.marker is None or each.marker.evaluate({"extra": ""})]


@cache
def pinned(lock: Path) -> dict[str, str]:
    """The pins of a lock file by library: ``name==version`` and all its hashes."""
    lines = lock.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    pins = [" ".join(line.split()) for line in lines if "==" in line and not line.startswith("#")]
    return {canonicalize_name(pin.partition("==")[0]): pin for pin in pins}
