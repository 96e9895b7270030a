"""Random numbers inside compiled rounds."""

import math

import numpy as np
import pytest

from mnlbandits.learners import splitmix


def test_splitmix64():
    """The published outputs for key 1234567."""
    stream = np.array([1234567], dtype=np.uint64)
    for expected in (6457827717110365317, 3203168211198807973, 9817491932198370423):
        assert splitmix.uniform(stream) == (expected >> 11) / 2**53


def test_normals():
    stream, out = np.array([7], dtype=np.uint64), np.zeros(20001)
    splitmix.normals(stream, out)
    assert abs(out.mean()) < 4 / math.sqrt(20001)
    assert abs(out.var() - 1) < 4 * math.sqrt(2 / 20001)
    assert abs((out[:-1] * out[1:]).mean()) < 4 / math.sqrt(20000)
    assert (np.abs(out) < 1.959964).mean() == pytest.approx(0.95, abs=0.007)
