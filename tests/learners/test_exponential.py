"""exp of many numbers against numpy."""

import numpy as np

from mnlbandits.learners.exponential import exp_below


def test_exp_below_is_exp():
    x = -np.concatenate([[0.0], np.geomspace(1e-300, 700, 100_000), np.arange(1, 1000) * np.log(2) / 2])
    ours, bits = x.copy(), np.zeros(len(x), dtype=np.int64)
    exp_below(ours, len(x) - 1, bits, bits.view(np.float64))
    assert ours[-1] == x[-1]
    np.testing.assert_array_max_ulp(ours[:-1], np.exp(x[:-1]), 3)


def test_exp_below_of_less_than_it_can_hold_is_tiny():
    ours, bits = np.array([-701.0, -1e300, -np.inf]), np.zeros(3, dtype=np.int64)
    exp_below(ours, 3, bits, bits.view(np.float64))
    assert ((ours > 0) & (ours <= np.exp(-699))).all()
