"""The only place that makes random numbers: every stream is named by what it is for.

A stream depends on its purpose, the study's seed, a name and a run index, and on nothing else: not on the number of cores,
the order of jobs, the batch, or which other algorithms, instances and runs a study holds. Runs of different algorithms on
the same instance and run index see the same uniforms (common random numbers).
"""

import hashlib

import numpy as np

from mnlbandits.model.softmax import Array


def generator(purpose: str, seed: int, name: str, run: int = 0) -> np.random.Generator:
    """Generator (PCG64DXSM) of the stream (purpose, seed, name, run).

    Parameters
    ----------
    purpose : what the numbers are for, e.g. ``outcomes``.
    seed : the study's seed, >= 0.
    name : what is simulated, e.g. the instance's name.
    run : run index, >= 0.
    """
    digest = hashlib.sha256(f"{purpose}|{name}".encode()).digest()
    words = tuple(int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4))
    return np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=(*words, run))))


def normals(uniforms: Array) -> Array:
    """Standard normal numbers, by their quantile function, from `uniforms` in (0, 1), of the same shape."""
    from scipy.special import ndtri  # slow to import, and no job that reads its instance needs it

    numbers: Array = ndtri(uniforms)
    return numbers
