"""D-optimal designs: by hand, what changes none, and how far from the optimum they are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnlbandits.learners.optimal_design import GAP, make_scratch, optimal_design, square_root
from mnlbandits.seeds import generator


def design_of(vectors: np.ndarray, members: np.ndarray | None = None) -> np.ndarray:
    count, size = vectors.shape
    weights = np.zeros(count)
    members = np.ones(count, dtype=bool) if members is None else members
    optimal_design(vectors.copy(), members, weights, make_scratch(size))
    return weights


def test_designs_by_hand():
    """Axes share equally, two on a line w and 4 w in a step, five in all; a zero vector has nothing; only members count."""
    np.testing.assert_allclose(design_of(np.eye(3)), 1 / 3, rtol=1e-9)
    np.testing.assert_allclose(design_of(np.array([[2.0], [1.0]])), [1024 / 1025, 1 / 1025], rtol=1e-12)
    np.testing.assert_allclose(design_of(np.array([[1.0, 0], [0, 1], [0, 0]])), [0.5, 0.5, 0], atol=1e-12)
    np.testing.assert_allclose(design_of(np.zeros((2, 2))), [0.5, 0.5])
    np.testing.assert_allclose(design_of(np.eye(3), np.array([True, False, True])), [0.5, 0, 0.5], rtol=1e-9)


def test_a_linear_map_changes_no_design():
    """Not even one that squeezes a direction by 10^5."""
    vectors = generator("test", 0, "map").standard_normal((7, 3))
    np.testing.assert_allclose(design_of(vectors * [1, 1e-5, 1e5]), design_of(vectors), rtol=1e-8)


@settings(derandomize=True, max_examples=30, deadline=None)
@given(count=st.integers(1, 12), size=st.integers(1, 4), seed=st.integers(0, 10**6))
def test_a_design_is_nearly_optimal(count, size, seed):
    """The determinant is within the bound of Kiefer and Wolfowitz, rank GAP, of that after 2000 steps, in the arms' span."""
    vectors = generator("test", seed, "vectors").standard_normal((count, size))
    w = design_of(vectors)
    assert w.sum() == pytest.approx(1)
    assert (w >= 0).all()
    rank = np.linalg.matrix_rank(vectors)
    vectors = np.linalg.svd(vectors, full_matrices=False)[0][:, :rank]

    def matrix(w):
        return vectors.T @ (w[:, None] * vectors)

    best = np.full(count, 1 / count)
    for _ in range(2000):
        best *= np.einsum("ni,ij,nj->n", vectors, np.linalg.inv(matrix(best)), vectors) / rank
    assert -1e-9 <= np.linalg.slogdet(matrix(best))[1] - np.linalg.slogdet(matrix(w))[1] <= rank * GAP


def test_the_root_is_the_symmetric_one():
    g = np.array([[0.2, -0.1, -0.05], [-0.1, 0.24, -0.1], [-0.05, -0.1, 0.21]])
    root, vectors = np.zeros((3, 3)), np.zeros((3, 3))
    square_root(g.copy(), root, vectors)
    np.testing.assert_allclose(root @ root, g, atol=1e-15)
    np.testing.assert_allclose(root, root.T, atol=1e-15)
