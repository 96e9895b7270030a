"""The random streams: named by purpose, seed, name and run, and by nothing else."""

import itertools

import numpy as np
import pytest

from mnlbandits.seeds import generator

GOLDEN = {
    ("outcomes", 0, "golden", 0): ["0x1.09b1bc10229b0p-4", "0x1.9ddb8dd32fcd6p-1", "0x1.b14a71e486258p-2"],
    ("counts", 0, "golden", 0): ["0x1.1a5ff56d29e60p-3", "0x1.65a6615f011b5p-1", "0x1.0e7d5001d9a0dp-1"],
    ("instance", 0, "golden", 0): ["0x1.0bc7c63a0c712p-2", "0x1.7d516223a301cp-3", "0x1.0491adbe3c33dp-1"],
    ("outcomes", 2026, "random-K3", 7): ["0x1.634661ddd98f7p-1", "0x1.155c299ed04f8p-3", "0x1.e6cc4a353ca20p-2"],
}
"""First three uniforms, as hexadecimal floats: PCG64DXSM is promised never to change."""


@pytest.mark.parametrize(("key", "expected"), GOLDEN.items())
def test_streams_are_pinned(key, expected):
    assert [value.hex() for value in generator(*key).random(3)] == expected


def test_every_part_of_the_key_matters():
    keys = list(itertools.product(("outcomes", "counts"), (0, 1, 2**40), ("a", "b", ""), (0, 1, 2**33)))
    streams = {generator(*key).random(4).tobytes() for key in keys}
    assert len(streams) == len(keys)


def test_a_stream_does_not_depend_on_other_streams():
    alone = generator("outcomes", 5, "x", 3).random(100)
    others = [generator("outcomes", 5, "x", run) for run in range(3)]
    this = generator("outcomes", 5, "x", 3)
    interleaved = []
    for _ in range(100):
        for other in others:
            other.random()
        interleaved.append(this.random())
    np.testing.assert_array_equal(interleaved, alone)


def test_the_run_index_defaults_to_zero():
    assert generator("instance", 1, "x").random() == generator("instance", 1, "x", 0).random()


def test_streams_of_neighbouring_runs_are_uncorrelated():
    """Correlation of 10^4 pairs of uniforms: standard error 0.01, so 0.05 is five of them (and the streams are fixed)."""
    a, b = (generator("outcomes", 0, "x", run).random(10_000) for run in (0, 1))
    assert abs(np.corrcoef(a, b)[0, 1]) < 0.05
