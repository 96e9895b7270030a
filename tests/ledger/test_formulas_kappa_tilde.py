"""kappa-tilde beside kappa: by its definition, and by the package's certified kappa."""

import math

import numpy as np
import pytest
from agreement import assert_decides, everywhere

from mnlbandits.ledger.formulas.kappa_tilde import (
    kappa_at_two,
    kappa_over_tilde,
    kappa_over_tilde_exactly,
    tilde_at_least,
    tilde_over_kappa,
    tilde_over_kappa_exactly,
    truncated_curvature,
    two_is_binary,
)
from mnlbandits.model.kappa import kappa
from mnlbandits.model.softmax import softmax, softmax_jacobian

Z = [0.75, -1.5, 0.25]


def test_truncated_curvature():
    least = np.linalg.eigvalsh(softmax_jacobian(Z)[:2, :2])[0]
    assert everywhere(truncated_curvature, Z) == pytest.approx(least, rel=1e-13)


def test_tilde_over_kappa():
    values = np.linalg.eigvalsh(softmax_jacobian(Z))[1], np.linalg.eigvalsh(softmax_jacobian(Z)[:2, :2])[0]
    point = {f"z{k}": entry for k, entry in enumerate(Z)}
    assert everywhere(tilde_over_kappa, 3, **point) == pytest.approx(values[0] / values[1] / 3, rel=1e-12)
    assert everywhere(tilde_over_kappa, 3, 0, **point) == pytest.approx(values[0] / values[1], rel=1e-12)


@pytest.mark.parametrize("K", [3, 4, 7])
@pytest.mark.parametrize("r", [0.0, 0.5, 3.0])
def test_tilde_at_least(K, r):
    """The entry of the second outcome at logits (r, -r, 0, ..., 0)/sqrt(2), of norm r and with last entry 0."""
    z = r * np.array([1, -1] + [0] * (K - 2)) / math.sqrt(2)
    low = softmax(z)[1]
    assert everywhere(tilde_at_least, K, r) == pytest.approx(1 / (low * (1 - low)), rel=1e-13)
    assert np.linalg.eigvalsh(softmax_jacobian(z)[:-1, :-1])[0] <= low * (1 - low) * (1 + 1e-12)


@pytest.mark.parametrize("K", [3, 5])
def test_kappa_over_tilde(K):
    """1 + (K - 1) e^(sqrt(2) r) over (K - 1) times the other; it is at least what certified kappa gives."""
    upper, reached = 1 + (K - 1) * math.exp(math.sqrt(2) * 0.5), everywhere(tilde_at_least, K, 0.5)
    assert everywhere(kappa_over_tilde, K, 0.5) == pytest.approx(upper / reached / (K - 1), rel=1e-13)
    assert everywhere(kappa_over_tilde, K, 0.5, 0) == pytest.approx(upper / reached, rel=1e-13)
    assert kappa(K, 0.5).lower / reached / (K - 1) <= everywhere(kappa_over_tilde, K, 0.5)


def test_kappa_at_two():
    """1 + cosh(sqrt(2) r) against 2 + 2 cosh(r), and against half of 2 + 2 cosh(sqrt(2) r)."""
    ratio = (1 + math.cosh(1.5 * math.sqrt(2))) / (2 + 2 * math.cosh(1.5))
    assert everywhere(kappa_at_two, 1.5) == pytest.approx(abs(ratio - 1), rel=1e-12)
    assert everywhere(kappa_at_two, 1.5, 2, 2) == pytest.approx(0, abs=1e-14)


def test_identities():
    assert_decides(tilde_over_kappa_exactly, power=0)
    assert_decides(kappa_over_tilde_exactly, others=0)
    assert_decides(two_is_binary, norm_square=1, times=1)
