"""How kernels are compiled and where their compiled form is kept.

A kernel works on arrays that its caller owns and allocates nothing. It is compiled without numba's reference counting
(``_nrt=False``), which would otherwise cost several microseconds a round in atomic increments for a state of many arrays.

numba's own cache on disk notices an edit of a cached function but not of a function that it calls from another file, so a
stale kernel could survive an edit. Ours names a file after all that decides what is compiled: the sources of the kernel's
module, of all that it imports and of the algorithm that it plays, the types, the options, the processor and numba. Jobs of
the workflow take theirs from archives that another of its jobs made, so that a node needs no cache of its own.

LLVM optimises kernels at level 1, whatever ``NUMBA_OPT`` says: they are as fast as at numba's default of 3, and compile in
two thirds of the time. No setting of numba is changed for other code in the process.
"""

import hashlib
import io
import logging
import math
import os
import pickle
import sys
import time
import warnings
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any
from zipfile import ZipFile

import numba
import numpy as np
from llvmlite.binding import parse_bitcode
from numba.core.caching import NullCache, _Cache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.environment import Environment, _rebuild_env, lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature

from mnlbandits.files import write_atomic, write_zip
from mnlbandits.sources import digest_of_modules

LOG = logging.getLogger("mnlbandits")
"""Where the library says what it does; silent unless somebody listens, as the command line does."""

LEVEL = type(numba.config.OPT)(1)
"""At which LLVM optimises kernels."""


@contextmanager
def optimised() -> Iterator[None]:
    """Compile at `LEVEL`."""
    users = numba.config.OPT
    numba.config.OPT = LEVEL
    try:
        yield
    finally:
        numba.config.OPT = users


MOMENT = 1.0
"""Seconds of compiling of which nothing is said."""


class Watch:
    """Time spent compiling in this process; the log is told once, when it goes on for more than a `MOMENT`."""

    def __init__(self) -> None:
        self.spent, self.began, self.depth, self.told = 0.0, 0.0, 0, False

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time inside; a kernel's own kernels are compiled, and counted, within it."""
        self.began = self.began if self.depth else time.monotonic()
        self.depth += 1
        if not self.told and self.spent + time.monotonic() - self.began > MOMENT:
            self.told = True
            folder = cache_folder()
            kept = f"kept in {folder} for the next time" if folder and not nothing_kept() else "in every process anew"
            LOG.info("compiling kernels, about half a minute, %s", kept)
        try:
            yield
        finally:
            self.depth -= 1
            self.spent += 0.0 if self.depth else time.monotonic() - self.began


WATCH = Watch()


class KernelCompiler(Compiler):
    """numba's compiler, at `LEVEL`, which says so where it takes long."""

    def compile_extra(self, func):
        """Compile a function."""
        with optimised(), WATCH.running():
            form = super().compile_extra(func)
        if form.entry_point is not None:  # of the parts in it, too, which were never given an address
            for environment in form._find_referenced_environments():
                form.codegen.set_env(environment.env_name, environment)
        return form


class PartCompiler(KernelCompiler):
    """Compiles what is called by other kernels only: code for LLVM, neither machine code nor wrappers for Python."""

    def compile_extra(self, func):
        """Compile a function."""
        flags = self.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        self.state.library = Part(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


class Part(JITCodeLibrary):
    """A library that others link, and that has no machine code of its own: it is optimised where it is linked."""

    def _optimize_final_module(self) -> None:
        """Nothing."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self):
        """What is kept of it: there is no object code."""
        return self.serialize_using_bitcode()

    @classmethod
    def read(cls, codegen: Any, name: str, bitcode: bytes) -> "Part":
        """The library that was kept."""
        part = cls(codegen, name)
        part._final_module = parse_bitcode(bitcode)
        part._finalize_final_module()
        return part


class Kernel(CPUDispatcher):
    """numba's dispatcher of what Python calls; other kernels link forms of `parts`.

    To make machine code of what Python never calls would take half of the time.
    """

    def __init__(self, function: Callable, options: Mapping[str, Any]) -> None:
        super().__init__(function, targetoptions=dict(options), pipeline_class=KernelCompiler)
        self._cache = KernelCache(self)
        self.parts = Parts(function, targetoptions=dict(options), pipeline_class=PartCompiler)

    def get_call_template(self, args, kws):
        """How a kernel that calls it with these types is typed."""
        return self.parts.get_call_template(args, kws)

    def get_overload(self, sig):
        """What a kernel that calls it with these types links."""
        return self.parts.get_overload(sig)


class Parts(CPUDispatcher):
    """The forms of a kernel that other kernels link; each is known to numba by an object in place of an address."""

    def __init__(self, function: Callable, **options: Any) -> None:
        super().__init__(function, **options)
        self._cache = KernelCache(self)

    def compile(self, sig):
        """Load or compile the form for a signature."""
        types, result = normalize_signature(sig)
        with global_compiler_lock, self._compiling_counter:
            if tuple(types) not in self.overloads:
                form = self._cache.load_overload(sig, self.targetctx)
                if form is None:
                    form = self._compiler.compile(tuple(types), result)._replace(entry_point=object())
                    self._cache.save_overload(sig, form)
                self.targetctx.insert_user_function(form.entry_point, form.fndesc, [form.library])
                self.overloads[tuple(types)] = form
        return self.overloads[tuple(types)].entry_point


def compiling(**options: Any) -> Callable[[Callable], Callable]:
    """Decorator that compiles with `numba.njit` and these options, cached; with ``NUMBA_DISABLE_JIT`` it changes nothing."""

    def decorate(function: Callable) -> Callable:
        return function if numba.config.DISABLE_JIT else Kernel(function, {"nopython": True, "boundscheck": None, **options})

    return decorate


def interpreted(function: Callable) -> Callable:
    """The Python function that was compiled, or the function itself if it was not."""
    return getattr(function, "py_func", function)


def keep_kernels_of(module: ModuleType) -> None:
    """Cache what a module decorates with ``numba.njit(cache=True)`` as kernels are: numba's own cache goes stale."""
    for value in vars(module).values():
        if isinstance(value, Dispatcher) and not isinstance(value._cache, NullCache | KernelCache):
            value._cache = KernelCache(value)


class KernelCache(_Cache):
    """A file for every compiled form of a kernel, named after all that decides it; one that cannot be read is made anew.

    A kernel that closes over something, or is handed a function, is not kept: no name would tell its forms apart.
    """

    def __init__(self, dispatcher: Dispatcher) -> None:
        self.function, self.options, self.of_parts = (
            dispatcher.py_func,
            dispatcher.targetoptions,
            isinstance(dispatcher, Parts),
        )

    @property
    def cache_path(self) -> str:
        """The folder of the files."""
        return str(cache_folder() or "")

    def name(self, signature: Any, codegen: Any, *sources: str) -> str | None:
        """What the form for a signature is called, of these sources; None if nothing tells it from others."""
        types, _ = normalize_signature(signature)
        if self.function.__closure__ or any(isinstance(kind, numba.types.Callable) for kind in types):
            return None
        name, line = f"{self.function.__module__}.{self.function.__qualname__}", self.function.__code__.co_firstlineno
        settings = (
            self.of_parts,
            sorted(self.options.items()),
            LEVEL,
            numba.config.BOUNDSCHECK,
            numba.__version__,
            sys.version,
        )
        key = repr((name, line, *sources, types, settings, codegen.magic_tuple()))
        return f"{name.removeprefix('mnlbandits.')}.{hashlib.sha256(key.encode()).hexdigest()[:32]}"

    def file(self, signature: Any, codegen: Any) -> Path | None:
        """Where the form for a signature is kept; None if nowhere, as a name or a folder for it cannot be known."""
        types, _ = normalize_signature(signature)
        folder, sources = cache_folder(), digest_of_modules(self.function.__module__, *state_modules(types))
        name = None if sources is None else self.name(signature, codegen, sources)
        return None if folder is None or name is None else folder / name

    def load_overload(self, sig, target_context) -> CompileResult | None:
        """The compiled form for a signature, None if there is none."""
        rtsys.initialize(target_context)
        codegen = target_context.codegen()
        name = self.name(sig, codegen)
        try:
            data = ARCHIVED.get(name) or self.file(sig, codegen).read_bytes()
            form = (rebuilt_part if self.of_parts else CompileResult._rebuild)(
                target_context, *Unpickler(io.BytesIO(data)).load()
            )
        except Exception:  # no file, or one cut short or garbled: any error of unpickling
            return None
        self.gather(name, data)
        return form

    def save_overload(self, sig, data: CompileResult) -> None:
        """Keep the compiled form of a signature; a folder that cannot be written gives one warning."""
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return
        name, file = self.name(sig, data.codegen), self.file(sig, data.codegen)
        if name is None:
            return
        packed = dumps(data._reduce())
        self.gather(name, packed)
        try:
            if file is not None:
                write_atomic(file, lambda handle: handle.write(packed))
        except OSError as error:
            warn_once(f"{file.parent} cannot be written ({error.strerror})")

    def gather(self, name: str | None, data: bytes) -> None:
        """Note a form that was loaded or compiled; who has the whole needs no parts."""
        if GATHERED is not None and name is not None and not self.of_parts:
            GATHERED[name] = data

    def enable(self) -> None:
        """Nothing: it is always on."""

    def disable(self) -> None:
        """Nothing: it is always on."""

    def flush(self) -> None:
        """Nothing: a file never becomes stale."""


def rebuilt_part(target_context, library, fndesc, environment, signature, *rest) -> CompileResult:
    """The form of a part as numba's `CompileResult._rebuild` makes that of a whole, without asking for its address."""
    objectmode, lifted, annotation, reload_init, _ = rest
    for each in reload_init:
        each()
    name, _, bitcode = library
    return compile_result(
        typing_context=target_context.typing_context,
        target_context=target_context,
        entry_point=object(),
        library=Part.read(target_context.codegen(), name, bitcode),
        fndesc=fndesc,
        environment=environment,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        type_annotation=annotation,
        reload_init=reload_init,
    )


class Unpickler(pickle.Unpickler):
    """Reads compiled forms without importing the parts of numba that made them, for a third of a second."""

    def find_class(self, module: str, name: str) -> Any:
        """A class or function that a form was made of."""
        found = super().find_class(module, name)
        return environment_of if found is _rebuild_env else found


def environment_of(module: str, constants: Iterable[Any], name: str) -> Environment:
    """numba's record of the constants of a function; compiled code does not look at the names of its module."""
    known = lookup_environment(name)
    if known is not None:
        return known
    made = Environment(vars(sys.modules[module]) if module in sys.modules else {})
    made.consts[:] = constants
    made.env_name = name
    Environment._memo[name] = made
    return made


ARCHIVED: Mapping[str | None, bytes] = {}
"""Compiled forms that come before those of the cache, by name."""

GATHERED: dict[str, bytes] | None = None
"""Compiled forms that go into an archive, while one is made."""


@contextmanager
def archiving(path: Path | str) -> Iterator[None]:
    """Write all kernels that are loaded or compiled within into an archive, a ZIP file."""
    global GATHERED
    GATHERED = {}
    try:
        yield
        forms = sorted(GATHERED.items())
    finally:
        GATHERED = None
    write_zip(path, forms)


class Archive(dict[str | None, bytes]):
    """The forms of an archive by name, read when they are asked for."""

    def __init__(self, path: Path | str) -> None:
        self.file = ZipFile(path)
        super().__init__(dict.fromkeys(self.file.namelist(), b""))

    def __getitem__(self, name: str | None) -> bytes:
        return self.file.read(str(name))


def take_kernels_from(paths: str | Iterable[str]) -> None:
    """From now on take kernels from these archives where they have them: whoever names them answers for their sources."""
    global ARCHIVED
    ARCHIVED = ChainMap(*map(Archive, [paths] if isinstance(paths, str) else paths))


PLAYED_BY: dict[type, str] = {}
"""By class of a state, the module that defines its algorithm, and so imports all that plays it."""


def state_modules(types: Iterable[Any]) -> set[str]:
    """Modules of the algorithms whose states are among numba's `types`; of other named tuples, those of their classes."""
    classes = {kind.instance_class for kind in types if isinstance(kind, numba.types.BaseNamedTuple)}
    return {PLAYED_BY.get(each, each.__module__) for each in classes}


@cache
def cache_folder() -> Path | None:
    """The folder of compiled kernels: ``NUMBA_CACHE_DIR``, ``XDG_CACHE_HOME`` or ``~/.cache``; None if there is no home."""
    if numba.config.CACHE_DIR:
        return Path(numba.config.CACHE_DIR, "mnlbandits")
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "mnlbandits")
    except RuntimeError:
        warn_once("there is no home folder")
        return None


@cache
def warn_once(reason: str) -> None:
    """Say that nothing is kept."""
    warnings.warn(
        f"kernels are compiled in every process anew: {reason}; NUMBA_CACHE_DIR=FOLDER keeps them elsewhere",
        RuntimeWarning,
        stacklevel=2,
    )


def nothing_kept() -> bool:
    """Whether it has been said that nothing is kept."""
    return warn_once.cache_info().currsize > 0


CACHE_LINE = 64
"""Bytes."""


def aligned_zeros(*shape: int) -> np.ndarray:
    """Zeros whose memory starts on a cache line: else a loop over them can take 1.4 times as long, by chance."""
    size, spare = math.prod(shape), CACHE_LINE // 8
    memory = np.zeros(size + spare)
    start = -memory.ctypes.data // 8 % spare
    return memory[start : start + size].reshape(shape)


kernel = compiling(_nrt=False, forceinline=True)
"""Decorator of what runs every round; inlined, since passing a state of many arrays costs more than most bodies."""

rare_kernel = compiling(_nrt=False)
"""Decorator of what runs seldom: compiled once, not into every caller."""

allocating_kernel = compiling()
"""Decorator of what makes arrays."""
