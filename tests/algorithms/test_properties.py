"""What holds for every instance and seed: symmetries, monotonicity, positivity."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trajectories import Run, multiplier_for, uniforms, unit_instance

from mnlbandits.algorithms import REGISTRY, oful_mlogb, real
from mnlbandits.config import SPECIALIST
from mnlbandits.instances import Instance
from mnlbandits.learners.learner import LEARNT
from mnlbandits.seeds import generator

ROUNDS = 60
SYMMETRY = 1e-9
"""The transformed instance has the same gaps up to rounding, 60 of them; one other arm would be off by 1e-3."""
POSITIVE = 1e-12
"""60 additions of positive semi-definite matrices, each rounded by 1e-16."""

bounded = settings(derandomize=True, max_examples=12, deadline=None)
sizes = st.sampled_from([(2, 2), (3, 2), (3, 3), (4, 2)])
seeds = st.integers(0, 3)
streams = st.integers(0, 10**6)
learners = pytest.mark.parametrize(
    ("name", "preset"), [("real", "calibrated"), ("oful-mlogb", "valid"), ("oful-mlogb", "calibrated")]
)


def begin(instance: Instance, name: str, preset: str) -> Run:
    """A run; calibrated REAL explores for about 20 rounds."""
    options = {"radius_multiplier": 0.1} if preset == "calibrated" else {}
    if name == "real":
        options["exploration_multiplier"] = multiplier_for(instance.problem(1e4, 0.05), 20)
    return Run.begin(instance, name, preset, options)


def changed(instance: Instance, **fields) -> Instance:
    """The instance with other theta, arms or rewards, and the kappa that belongs to its shape."""
    kept = {"theta": instance.theta, "arms": instance.arms, "rewards": instance.rewards}
    other = Instance(instance.name, norm_bound=instance.norm_bound, **(kept | fields))
    other.__dict__["constants"] = instance.constants
    return other


@learners
@bounded
@given(size=sizes, seed=seeds, stream=streams)
def test_rotating_features_changes_nothing(name, preset, size, seed, stream):
    instance = unit_instance(*size, seed)
    q = np.linalg.qr(generator("test", stream, "rotation").standard_normal((size[1], size[1])))[0]
    run = begin(instance, name, preset)
    rotated = begin(changed(instance, theta=instance.theta @ q.T, arms=instance.arms @ q.T), name, preset)
    for uniform in uniforms(instance, stream, ROUNDS):
        assert run.round(uniform) == rotated.round(uniform)
        assert rotated.regret == pytest.approx(run.regret, rel=SYMMETRY, abs=SYMMETRY)


@learners
@bounded
@given(size=sizes, seed=seeds, stream=streams)
def test_relabelling_outcomes_changes_nothing(name, preset, size, seed, stream):
    """Outcome `label[j]` of the instance is outcome j of the other."""
    instance = unit_instance(*size, seed)
    label = generator("test", stream, "labels").permutation(size[0])
    run = begin(instance, name, preset)
    relabelled = begin(changed(instance, theta=instance.theta[label], rewards=instance.rewards[label]), name, preset)
    for uniform in uniforms(instance, stream, ROUNDS):
        seen = np.array([run.outcome(arm, uniform) for arm in range(len(instance.arms))])
        certain = (np.arange(size[0]) >= np.argsort(label)[seen][:, None]).astype(float)
        run.round(uniform)
        relabelled.round(uniform, cumulative=certain)
        assert relabelled.regret == pytest.approx(run.regret, rel=SYMMETRY, abs=SYMMETRY)


@pytest.mark.parametrize(
    ("name", "preset"), [(n, p) for n, a in REGISTRY.items() for p in a.presets if n != SPECIALIST and not a.family]
)
@bounded
@given(size=sizes, seed=seeds, stream=streams)
def test_regret_never_decreases(name, preset, size, seed, stream):
    outcomes, dim = size
    drawn = unit_instance(outcomes, dim, seed)
    playable = drawn if REGISTRY[name].setting.holds(drawn.rewards) else unit_instance(2, dim, seed)
    run, last = Run.begin(playable, name, preset, {}), 0.0
    for uniform in uniforms(run.instance, stream, 20):
        run.round(uniform)
        assert run.regret >= last
        last = run.regret


@learners
@bounded
@given(size=sizes, seed=seeds, stream=streams)
def test_w_stays_positive_definite(name, preset, size, seed, stream):
    """W = lambda I + positive semi-definite matrices, so its smallest eigenvalue never falls below lambda."""
    run = begin(unit_instance(*size, seed), name, preset)
    ridge, smallest = run.state.learner.w[0, 0], 0.0
    for uniform in uniforms(run.instance, stream, ROUNDS):
        run.round(uniform)
        smallest = np.linalg.eigvalsh(run.state.learner.w)[0]
        assert smallest >= ridge * (1 - POSITIVE)


def radius_at(name: str, preset: str, t: int, rounds: int, delta: float) -> float:
    """The confidence radius after `rounds` rounds of learning, in round t."""
    problem = unit_instance(3, 2).problem(1e4, delta)
    state = REGISTRY[name].start(problem, preset)
    state.learner.counters[LEARNT] = rounds
    return real.sigma(state, t) if name == "real" else oful_mlogb.radius(state, t)


@pytest.mark.parametrize("name", ["real", "oful-mlogb"])
@pytest.mark.parametrize("preset", ["paper", "valid", "calibrated"])
@bounded
@given(
    t=st.integers(1, 10**15),
    more=st.integers(0, 10**15),
    delta=st.floats(1e-9, 0.9),
    fraction=st.floats(0.01, 1.0),
)
def test_radius_never_decreases_in_t_and_in_one_over_delta(name, preset, t, more, delta, fraction):
    now = radius_at(name, preset, t, t - 1, delta)
    assert now > 0
    assert math.isfinite(now)
    assert radius_at(name, preset, t + more, t + more - 1, delta) >= now
    assert radius_at(name, preset, t, t - 1, delta * fraction) >= now
