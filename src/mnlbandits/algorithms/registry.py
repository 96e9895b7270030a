"""The registry: the systems of this folder, of installed packages and of files of a user's own.

A system is what a module names ``ALGORITHM``, or several in ``ALGORITHMS``. Modules of this folder are found by themselves,
as are those of installed packages with an entry point ``NAME = "package.module"`` in the group `GROUP`; a file elsewhere is
loaded by `load`. Of a module that is broken nothing is registered, and nothing else breaks.
"""

import hashlib
import importlib
import importlib.util
import pkgutil
import re
import sys
import traceback
import warnings
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from mnlbandits.algorithms.base import PRESETS, Algorithm
from mnlbandits.algorithms.options import Option
from mnlbandits.compiled import PLAYED_BY, keep_kernels_of
from mnlbandits.errors import InputError, Words, require_choice
from mnlbandits.sources import COUNTED, GROUP, PACKAGE, imports, modules_behind

REGISTRY: dict[str, Algorithm] = {}
"""All algorithms by name, sorted."""

BY_STATE: dict[type, Algorithm] = {}
"""The same by the class of their state."""

LOADED: dict[Path, str] = {}
"""Files that were loaded, and the names of their modules."""


def get_algorithm(name: str) -> Algorithm:
    """The algorithm called `name`.

    Raises
    ------
    InputError : there is none.
    """
    return REGISTRY[require_choice("algorithm", name, REGISTRY)]


def algorithm_of(state: Any) -> Algorithm:
    """The algorithm that `state` belongs to."""
    return BY_STATE[type(state)]


def module_of(algorithm: Algorithm) -> str:
    """The name of the module that registered it."""
    return PLAYED_BY.get(algorithm.state, algorithm.start.__module__)


def load(path: Path | str) -> list[Algorithm]:
    """Register the algorithms of a Python file, and return them.

    Its module is named after the file and its content: two files do not clash, a file that was edited is another module,
    whose algorithms take the place of the former ones, and one that was not is loaded once. It can import its
    neighbours.

    Raises
    ------
    InputError : in one line with the file, and the number of its line if one is to blame; then nothing is registered.
    """
    file = Path(path).resolve()
    if file.suffix != ".py" or not file.is_file():
        raise InputError("module", str(path), "a file that exists and ends in .py")
    source = file.read_bytes()
    name = re.sub(r"\W", "_", file.stem) + "_" + hashlib.sha256(source).hexdigest()[:8]
    try:
        module = sys.modules.get(name) or executed(name, file, source)
        require_own(module, file)
    except (Exception, SystemExit) as error:
        sys.modules.pop(name, None)
        raise broken(str(path), error, file) from None
    keep_own_kernels(module)
    former, registered = LOADED.get(file, ""), [each for each in REGISTRY.values() if module_of(each) == name]
    try:
        algorithms = registered or register(module, former)
    except InputError as error:
        raise InputError(f"{path}: {error.field}", error.value, error.allowed) from None
    if not algorithms:
        raise InputError(str(path), Words("neither"), "a file that defines ALGORITHM or ALGORITHMS")
    LOADED[file] = name
    return algorithms


def executed(name: str, file: Path, source: bytes) -> ModuleType:
    """The module of a file with this source; what Python may have compiled of the file before is not looked at."""
    spec = importlib.util.spec_from_file_location(name, file)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    COUNTED.add(name)
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    exec(compile(source, str(file), "exec"), vars(module))
    return module


def require_own(module: ModuleType, file: Path) -> None:
    """Raise `ImportError` if the module imported a namesake, other than Python's own, of a file that lies beside it."""
    for name in imports(module.__name__) - sys.stdlib_module_names:
        beside, found = file.with_name(f"{name}.py"), getattr(sys.modules.get(name), "__file__", None)
        if found is not None and beside.is_file() and Path(found).resolve() != beside:
            raise ImportError(f"{name} is {found}, not {beside}: give one of them another name")


def keep_own_kernels(module: ModuleType) -> None:
    """Cache kernels of a module, and of those of a user's own that it imports, as all are."""
    for name in modules_behind(module.__name__):
        if name in sys.modules and name.split(".")[0] != PACKAGE.name:
            keep_kernels_of(sys.modules[name])


def register(module: ModuleType, former: str = "") -> list[Algorithm]:
    """Put the algorithms that a module defines into the registry, or none of them, and return them.

    Parameters
    ----------
    former : the name of a module whose algorithms these replace.

    Raises
    ------
    InputError : what it defines is no algorithm, or another one has the same name or class of states.
    """
    single = getattr(module, "ALGORITHM", None)
    algorithms = getattr(module, "ALGORITHMS", () if single is None else (single,))
    if not isinstance(algorithms, list | tuple):
        raise InputError("ALGORITHMS", algorithms, "a list of algorithms")
    known = {name: each for name, each in REGISTRY.items() if module_of(each) != former}
    for algorithm in algorithms:
        check(algorithm)
        if algorithm.name in known:
            owner = module_of(known[algorithm.name])
            raise InputError("algorithm.name", algorithm.name, f"a name that no other algorithm has, as one of {owner}")
        if algorithm.state in {other.state for other in known.values()}:
            raise InputError(f"{algorithm.name}.state", algorithm.state.__name__, "a class of its own")
        known[algorithm.name] = algorithm
    for algorithm in algorithms:
        tell_apart(algorithm, module.__name__)
        PLAYED_BY[algorithm.state] = module.__name__
    REGISTRY.clear()
    REGISTRY.update(sorted(known.items()))
    BY_STATE.clear()
    BY_STATE.update({algorithm.state: algorithm for algorithm in REGISTRY.values()})
    return list(algorithms)


def tell_apart(algorithm: Algorithm, module: str) -> None:
    """Rename the class of its states if another has the same name: numba takes them for one where their fields agree."""
    state = algorithm.state
    if state.__name__ in {other.__name__ for other in PLAYED_BY if other is not state}:
        state.__name__ = f"{state.__qualname__}_of_{algorithm.name}_in_{module}"


def check(algorithm: Any) -> None:
    """Raise `InputError` unless this is an algorithm whose fields are what `Algorithm` says."""
    if not isinstance(algorithm, Algorithm):
        raise InputError("ALGORITHM", algorithm, "an Algorithm of mnlbandits.algorithms.base")
    name = algorithm.name
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9_+-]+", name):
        raise InputError("algorithm.name", name, "a name of letters, digits, _, + and -")
    for field in ("title", "source"):
        if not isinstance(getattr(algorithm, field), str) or not getattr(algorithm, field):
            raise InputError(f"{name}.{field}", getattr(algorithm, field), "a text that is not empty")
    state = algorithm.state
    if not (isinstance(state, type) and issubclass(state, tuple) and hasattr(state, "_fields")):
        raise InputError(f"{name}.state", state, "a class, a NamedTuple of arrays and numbers")
    if not isinstance(algorithm.presets, tuple) or not algorithm.presets:
        raise InputError(f"{name}.presets", algorithm.presets, f"a tuple of names of presets: {', '.join(PRESETS)}")
    for preset in algorithm.presets:
        require_choice(f"{name}.presets", preset, PRESETS)
    for field in ("start", "choose", "update", "ratio"):
        function = getattr(algorithm, field)
        if not callable(function) and not (field == "ratio" and function is None):
            raise InputError(f"{name}.{field}", function, "a function")
    check_options(name, algorithm.options)


def check_options(name: str, options: Any) -> None:
    """Raise `InputError` unless these are options of an algorithm of this name."""
    if not isinstance(options, tuple):
        raise InputError(f"{name}.options", options, "a tuple of options")
    for place, option in enumerate(options):
        if not isinstance(option, Option):
            raise InputError(f"{name}.options", option, "an Option of mnlbandits.algorithms.base")
        option.check(f"{name}.options")
        if option.name in [other.name for other in options[:place]]:
            raise InputError(f"{name}.options", option.name, "in the options once")


def discover(folder: Iterable[str]) -> None:
    """Register the modules of a folder of this package, then those of installed packages; what is broken gives a warning."""
    for info in sorted(pkgutil.iter_modules(folder), key=lambda info: info.name):
        find(f"{PACKAGE.name}.algorithms.{info.name}")
    for entry in sorted(metadata.entry_points(group=GROUP), key=lambda entry: entry.value):
        COUNTED.add(entry.value.split(".")[0])
        find(entry.value)


def find(name: str) -> None:
    """Import and register a module, or warn in one line that it is broken."""
    module = None
    try:
        module = importlib.import_module(name)
        (keep_kernels_of if name.startswith(f"{PACKAGE.name}.") else keep_own_kernels)(module)
        register(module)
    except (Exception, SystemExit) as error:
        problem = broken(name, error) if module is None else f"{module.__file__}: {error}"
        warnings.warn_explicit(f"{problem}; its algorithms are left out", RuntimeWarning, PACKAGE.name, 1)


def broken(name: str, error: BaseException, file: Path | None = None) -> InputError:
    """The error of a module that does not import, with its file and line: the last one that ran there."""
    path = name.replace(".", "/")
    found, what = described(error, *((str(file),) if file else (f"/{path}.py", f"/{path}/__init__.py")))
    return InputError(name if file else found or name, Words(what), "a module that imports")


def described(error: BaseException, *ends: str) -> tuple[str, str]:
    """The file whose path ends so that an error came out of, empty if none, and the error with its line in words."""
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((error.filename, error.lineno))
    file, line = next((place for place in reversed(frames) if place[0].endswith(ends)), ("", 0))
    what = error.msg if isinstance(error, SyntaxError) else str(error)
    return file, " ".join(f"{type(error).__name__}{f' in line {line}' if file else ''}: {what}".split())


def error_of(algorithm: Algorithm, error: BaseException) -> str:
    """An error that a function of an algorithm raised, in words, with its line in the file of the algorithm."""
    file = getattr(sys.modules.get(module_of(algorithm)), "__file__", None)
    return described(error, *([file] if file else []))[1]
