"""The sketch of EOFD-MLogB: its inequalities, and OFUL-MLogB where nothing is lost."""

import numpy as np
import pytest
from trajectories import Run, uniforms, unit_instance

from mnlbandits.instances import Instance
from mnlbandits.simulators import simulate

NAME = "eofd-mlogb"


@pytest.mark.parametrize(("outcomes", "dim"), [(2, 1), (2, 3), (3, 2), (4, 1), (4, 3)])
def test_sketch_against_the_exact_matrix(outcomes, dim):
    """lambda I + F^T F <= exact <= H <= exact + zeta I, where the exact matrix adds the curvature at the same estimates."""
    instance = unit_instance(outcomes, dim, 1)
    run = Run.begin(instance, NAME, "valid", {})
    state = run.state
    learner, size = state.learner, (outcomes - 1) * dim
    assert state.size == max(-(-size // 2), outcomes - 1)
    exact, lost = state.radius.ridge * np.eye(size), 0.0
    for uniform in uniforms(instance, 0, 60):
        arm, _ = run.round(uniform)
        logits = learner.basis @ learner.phi @ instance.arms[arm]
        p = np.exp(logits - logits.max())
        p /= p.sum()
        block = learner.basis.T @ (np.diag(p) - np.outer(p, p)) @ learner.basis
        exact += np.kron(block, np.outer(instance.arms[arm], instance.arms[arm]))
        rows = state.sketch[: state.rows[0]]
        low = state.radius.ridge * np.eye(size) + rows.T @ rows
        for smaller, larger in ((low, exact), (exact, learner.w), (learner.w, exact + state.lost[0] * np.eye(size))):
            assert np.linalg.eigvalsh(larger - smaller).min() >= -1e-10 * state.radius.ridge
        assert state.lost[0] >= lost
        lost = state.lost[0]
    assert lost > 0
    np.testing.assert_allclose(learner.inverse @ learner.w, np.eye(size), atol=1e-10)


def test_nothing_is_lost_on_few_directions():
    """Two arms on a line: F has rank 1 of D = 3, m = 2, so the play is that of OFUL-MLogB."""
    arms = np.array([[0.6, 0.0, 0.8], [-0.3, 0.0, -0.4]])
    instance = Instance("line", np.array([[0.5, 0.0, 0.1], [-0.5, 0.0, -0.1]]), arms, np.array([1.0, 0.0]), 1.0)
    sketched, exact = (Run.begin(instance, name, "calibrated", {"radius_multiplier": 0.1}) for name in (NAME, "oful-mlogb"))
    for uniform in uniforms(instance, 0, 100):
        assert sketched.round(uniform) == exact.round(uniform)
        np.testing.assert_allclose(sketched.state.learner.phi, exact.state.learner.phi, atol=1e-9)
    assert sketched.state.lost[0] < 1e-10


def test_the_valid_set_holds_the_truth():
    result = simulate(unit_instance(3, 2, 2), NAME, 300, range(20), preset="valid")
    assert (result.worst[:, -1] <= 1).all()


def test_equal_arms_and_a_single_arm():
    for arms in (np.ones((3, 1)), np.ones((1, 1))):
        instance = Instance("equal", np.array([[0.5], [-0.5]]), arms, np.array([1.0, 0.0]), 1.0)
        run = Run.begin(instance, NAME, "valid", {})
        assert {run.round(uniform)[0] for uniform in uniforms(instance, 0, 50)} == {0}
