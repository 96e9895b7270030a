"""Random numbers inside compiled rounds: splitmix64 (Steele, Lea and Flood 2014), a counter that belongs to the run."""

import math

import numpy as np

from mnlbandits.compiled import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""Step of the counter of splitmix64 (Steele, Lea and Flood 2014)."""


@kernel
def uniform(stream):
    """The next number in [0, 1) of splitmix64."""
    stream[0] += GOLDEN
    z = stream[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * 2.0**-53


@kernel
def index_drawn(stream, weights):
    """An index with these probabilities (n,), which sum to 1; the last one where rounding leaves less than that."""
    left = uniform(stream)
    for i in range(len(weights)):
        left -= weights[i]
        if left < 0.0:
            return i
    return len(weights) - 1


@kernel
def normals(stream, out):
    """Standard normal numbers into `out` (d,), by Box and Muller; an odd one out is thrown away."""
    for i in range(0, len(out), 2):
        length = math.sqrt(-2.0 * math.log(1.0 - uniform(stream)))
        angle = 2.0 * math.pi * uniform(stream)
        out[i] = length * math.cos(angle)
        if i + 1 < len(out):
            out[i + 1] = length * math.sin(angle)
