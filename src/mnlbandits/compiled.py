"""How kernels are compiled and where their compiled form is kept.

A kernel works on arrays that its caller owns and allocates nothing. It is compiled without numba's reference counting
(``_nrt=False``), which would otherwise cost several microseconds a round in atomic increments for a state of many arrays.

numba's disk cache notices an edit of a cached function but not of a function that it calls from another file, so a stale
kernel could survive an edit. The cache folder is therefore named after a hash of all sources that hold kernels.

LLVM optimises at level 1: the kernels are as fast as at numba's default of 3, and compile in two thirds of the time.
"""

import hashlib
import os
from pathlib import Path

import numba

numba.config.OPT = type(numba.config.OPT)(1)

kernel = numba.njit(cache=True, _nrt=False, forceinline=True)
"""Decorator of what runs every round; inlined, since passing a state of many arrays costs more than most bodies."""

rare_kernel = numba.njit(cache=True, _nrt=False)
"""Decorator of what runs seldom: compiled once, not into every caller."""


KERNEL_FOLDERS = ("algorithms", "assortment", "model", "simulate")


def place_compiled_kernels() -> None:
    """Point numba's disk cache to a folder that belongs to exactly this version of the kernels."""
    package = Path(__file__).parent
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for source in sorted(path for folder in KERNEL_FOLDERS for path in (package / folder).rglob("*.py")):
        digest.update(str(source.relative_to(package)).encode() + source.read_bytes())
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    numba.config.CACHE_DIR = str(home / "mnlbandits" / digest.hexdigest()[:16])
