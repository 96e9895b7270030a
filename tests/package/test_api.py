"""The library from outside: its names, their documentation and types, and an algorithm driven in a loop of one's own."""

import doctest
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mnlbandits
from mnlbandits import InputError, bandit, make_instance, plot_regret, resume, simulate
from mnlbandits.algorithms import REGISTRY
from mnlbandits.driver import Bandit
from mnlbandits.learners.split_sample import CORRECTION
from mnlbandits.seeds import generator

CALLABLES = [name for name in mnlbandits.__all__ if name != "algorithms"]
SYSTEMS = ("real", "adaptive-real", "oful-mlogb", "ts-mlogb", "mnl-ucb-plus", "b-mnl-cb")
BINARY = ("ofu-ecolog", "glm-ucb", "ofuglb", "oful-mlogb-binary")


def short_arms(outcomes: int = 3, arms: int = 6) -> Any:
    """An instance whose longest arm is shorter than 1, so that its units matter."""
    made = make_instance("short", "random", {"outcomes": outcomes, "dim": 2, "arms": arms, "norm": 1.5, "seed": 2})
    assert made.longest < 1
    return made


EXPLORERS = {"real": 1e-9, "ofu-ecolog": 0.03}
"""Systems that explore, and multipliers with which that ends within some rounds."""


def options_of(name: str) -> dict[str, float]:
    """Those of a system that is to learn soon."""
    return {"exploration_multiplier": EXPLORERS[name], "radius_multiplier": 1.0} if name in EXPLORERS else {}


def player_of(instance: Any, name: str, horizon: int, **others: Any) -> Bandit:
    """The algorithm on the instance without its theta_*."""
    common = {"arms": instance.arms, "rewards": instance.rewards, "norm_bound": instance.norm_bound, "horizon": horizon}
    constants = {"preset": "calibrated" if name in EXPLORERS else None, "options": options_of(name)}
    return bandit(name, **(common | constants | others))


@pytest.mark.parametrize("name", CALLABLES)
def test_every_name_is_documented_and_its_examples_are_true(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    thing = getattr(mnlbandits, name)
    text = inspect.getdoc(thing)
    assert "\nParameters\n" in text
    examples = doctest.DocTestFinder(recurse=False).find(thing, name)
    assert sum(len(each.examples) for each in examples) > 0
    for each in examples:
        assert doctest.DocTestRunner().run(each).failed == 0


@pytest.mark.parametrize("method", [name for name in vars(Bandit) if not name.startswith("_")])
def test_every_method_of_a_bandit_is_documented(method):
    assert inspect.getdoc(getattr(Bandit, method))


def test_names():
    assert sorted(mnlbandits.__all__) == mnlbandits.__all__ == dir(mnlbandits)
    assert callable(mnlbandits.simulate)
    assert mnlbandits.algorithms.REGISTRY is REGISTRY
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        mnlbandits.nothing  # noqa: B018


def test_importing_the_package_imports_nothing_else():
    heavy = "[name for name in ('numpy', 'numba', 'pandas', 'matplotlib', 'scipy') if name in sys.modules]"
    code = f"import sys, mnlbandits; print({heavy})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_user_passes_a_strict_type_checker(tmp_path):
    pytest.importorskip("mypy")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--cache-dir",
        str(tmp_path),
        str(Path(__file__).parent / "typed_use.py"),
    ]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("name", [*SYSTEMS, *BINARY])
def test_a_bandit_in_a_loop_plays_what_the_simulation_plays(name, tmp_path):
    """Told the outcomes of a simulated run it pulls the same arms, also if it is stopped and resumed from a file."""
    instance, horizon = short_arms(2 if name in BINARY else 3), 60
    preset = "calibrated" if name in EXPLORERS else None
    trace = simulate(instance, name, horizon, preset=preset, options=options_of(name), trace=True).trace
    player, pulled = player_of(instance, name, horizon), []
    for t, outcome in enumerate(trace.outcomes[0]):
        if t in (7, 40):
            arm = player.pull()
            player.save(tmp_path / "state.npz")
            player = resume(tmp_path / "state.npz")
            assert player.open_arm == arm
            player.update(arm, outcome)
            assert player.open_arm is None
            pulled.append(arm)
            continue
        pulled.append(player.pull())
        player.update(pulled[-1], outcome)
    if name == "ts-mlogb":  # its noise is keyed by the instance's name
        assert player.t == horizon
        return
    assert pulled == trace.arms[0].tolist()


@pytest.mark.parametrize("name", [name for name, algorithm in REGISTRY.items() if not algorithm.knows_theta])
def test_the_estimate_lies_in_its_set(name):
    instance = short_arms(3 if REGISTRY[name].setting.holds(short_arms(3).rewards) else 2)
    player, stream = player_of(instance, name, 60), generator("test", 0, name)
    for _ in range(30):
        arm = player.pull()
        player.update(arm, int((stream.random() >= np.cumsum(instance.probabilities[arm])[:-1]).sum()))
    estimate = player.estimate
    if name == "uniform":
        assert estimate is None
        return
    assert estimate.shape == instance.theta.shape
    np.testing.assert_allclose(estimate.sum(axis=0), 0, atol=1e-12 * max(1, np.abs(estimate).max()))
    if player.contains(estimate) is not None:
        assert player.contains(instance.theta)
        assert player.contains(1e6 * np.eye(*instance.theta.shape)) is False


def test_what_estimates_nothing_is_named():
    """And OFU-ECOLog estimates once it has explored: the centre of its set."""
    assert "``uniform``" in Bandit.estimate.__doc__
    assert "``ofu-ecolog``" in Bandit.estimate.__doc__
    instance = short_arms(2)
    player = player_of(instance, "ofu-ecolog", 60)
    player.update(player.pull(), 1)
    assert (player.phase, player.estimate) == ("exploring", None)
    for outcome in (0, 1, 1) * 9:
        player.update(player.pull(), outcome)
    assert player.phase == "learning"
    estimate = player.estimate * instance.longest
    assert REGISTRY["ofu-ecolog"].ratio(player._state, player.t, estimate) < 1e-12
    assert np.linalg.norm(estimate) > 0.1


def test_the_estimate_of_a_stage():
    """SupSplitLog's logits are those of its estimate."""
    player = player_of(short_arms(2), "sup-split-log", 10**6, options={"radius_multiplier": 0.05}, preset="calibrated")
    for t in range(300):
        player.update(player.pull(), int(t % 3 == 0))
    state, better = player._state, player._state.better
    assert state.stage[0] > 0
    estimate = player.estimate * short_arms(2).longest
    logits = state.data.arms @ (estimate[better] - estimate[1 - better])
    np.testing.assert_allclose(logits, state.logits[state.stage[0], CORRECTION], rtol=1e-12)
    assert np.abs(logits).max() > 0.01


def test_vectors_of_the_round_and_offers():
    vectors = generator("test", 0, "vectors").standard_normal((9, 4, 2))
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    player = bandit("oful-mlogb", dim=2, most=4, rewards=[0, 1, 2], norm_bound=1.0, horizon=100)
    for row in vectors:
        arm = player.pull(arms=row[:3])
        assert arm < 3
        np.testing.assert_array_equal(player.vector, row[arm])
        player.update(arm, 0)
    listed = bandit("oful-mlogb", arms=vectors[0] / 2, rewards=[0, 1, 2], norm_bound=1.0, horizon=100)
    mask = np.array([False, False, True, False])
    assert listed.pull(offered=mask) == 2
    np.testing.assert_allclose(listed.vector, vectors[0, 2] / 2, rtol=1e-15)
    listed.update(2, 1)
    mask[2], mask[1] = False, True
    assert listed.pull(offered=mask) == 1
    listed.update(1, 1)
    assert listed.phase == "learning"


def test_a_sphere():
    player = bandit("oful-mlogb", arms="sphere", dim=3, rewards=[0, 1], norm_bound=1.0, horizon=100)
    for _ in range(5):
        arm = player.pull()
        assert np.linalg.norm(player.vector) == pytest.approx(1, abs=1e-12)
        player.update(arm, 1)


def test_phases():
    instance = short_arms()
    paper = bandit("real", arms=instance.arms, rewards=instance.rewards, norm_bound=1.5, horizon=1e4)
    player = player_of(instance, "real", 1000)
    for each in (paper, player):
        each.update(each.pull(), 0)
    assert (paper.phase, player.phase) == ("exploring", "learning")
    assert paper.contains(instance.theta) is None


GOOD = {"algorithm": "oful-mlogb", "arms": np.eye(2), "rewards": [0, 1, 2], "norm_bound": 1.0, "horizon": 100}


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("algorithm", {"algorithm": "nobody"}),
        ("algorithm", {"algorithm": "oracle"}),
        ("arms", {"arms": 2 * np.eye(2)}),
        ("arms", {"arms": "cube"}),
        ("arms", {"arms": None}),
        ("dim", {"dim": 3}),
        ("dim", {"arms": "sphere"}),
        ("most", {"arms": None, "dim": 2, "most": 0}),
        ("rewards", {"rewards": [[1]]}),
        ("norm_bound", {"norm_bound": -1}),
        ("horizon", {"horizon": 0}),
        ("delta", {"delta": 1}),
        ("convention", {"convention": "columns"}),
        ("seed", {"seed": -1}),
        ("oful-mlogb.preset", {"preset": "best"}),
        ("oful-mlogb.radius_multiplier", {"preset": "calibrated"}),
        ("oful-mlogb.speed", {"options": {"speed": 2}}),
        ("real.instance", {"algorithm": "real", "arms": None, "dim": 2, "most": 3}),
        ("glm-ucb.instance", {"algorithm": "glm-ucb"}),
    ],
)
def test_bad_arguments_are_named(field, changes):
    with pytest.raises(InputError) as caught:
        bandit(**(GOOD | changes))
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("field", "call"),
    [
        ("arm", lambda player: player.update(0, 0)),
        ("arms", lambda player: player.pull(arms=np.eye(2))),
        ("offered", lambda player: player.pull(offered=[True])),
        ("offered", lambda player: player.pull(offered=np.zeros(2, dtype=bool))),
        ("vector", lambda player: player.vector),
        ("theta", lambda player: player.contains(np.eye(2))),
        ("pull", lambda player: (player.pull(), player.pull())),
        ("arm", lambda player: player.update(1 - player.pull(), 0)),
        ("outcome", lambda player: player.update(player.pull(), 3)),
        ("state", lambda player: resume("/nowhere.npz")),
        ("state", lambda player: player.restore({})),
    ],
)
def test_bad_calls_are_named_and_change_nothing(field, call):
    player = bandit(**GOOD)
    with pytest.raises(InputError) as caught:
        call(player)
    assert caught.value.field == field
    assert player.t == 0


def test_a_state_of_another_bandit_is_refused(tmp_path):
    other = bandit(**(GOOD | {"arms": np.eye(2)[:1]}))
    with pytest.raises(InputError, match="state"):
        bandit(**GOOD).restore(other.state())
    (tmp_path / "bad.npz").write_bytes(b"PK\x03\x04 no archive")
    with pytest.raises(InputError, match="state"):
        resume(tmp_path / "bad.npz")


@pytest.mark.parametrize(
    "actions", [None, {"name": "random-subsets", "size": 3}, {"name": "fresh", "least": 2, "most": 6}, "sphere"]
)
def test_a_trace_is_of_the_same_play(actions):
    """Same regret to the bit with and without it, and regret and rewards are those of what it says was played."""
    family = "large-kappa-star" if actions == "sphere" else "random"
    parameters = {"outcomes": 3, "dim": 2, "arms": 6}
    parameters |= {"grid": "sphere"} if actions == "sphere" else {} if actions is None else {"actions": actions}
    instance = make_instance("traced", family, parameters)
    plain, traced = (simulate(instance, "oful-mlogb", 50, 2, trace=trace) for trace in (False, True))
    np.testing.assert_array_equal(plain.regret, traced.regret)
    assert plain.trace is None
    assert traced.trace.vectors.shape == (2, 50, 2)
    np.testing.assert_array_equal(traced.trace.rewards, instance.rewards[traced.trace.outcomes])
    if actions is None:
        np.testing.assert_allclose(instance.gaps[traced.trace.arms].sum(axis=1), traced.regret[:, -1], rtol=1e-12)
        np.testing.assert_array_equal(traced.trace.vectors, instance.unit.arms[traced.trace.arms])


def test_what_can_be_simulated_by_a_count_of_runs():
    instance = short_arms()
    np.testing.assert_array_equal(
        simulate(instance, "uniform", 20, 3).regret, simulate(instance, "uniform", 20, range(3)).regret
    )
    for field, changes in {"runs": {"runs": 0}, "trace": {"simulator": "counts", "trace": True}}.items():
        with pytest.raises(InputError) as caught:
            simulate(instance, "real", **({"horizon": 20} | changes))
        assert caught.value.field == field
    with pytest.raises(InputError, match="trace"):
        simulate(instance, "uniform", 10**8, 1, trace=True)


def test_a_plot_of_runs():
    instance = short_arms()
    runs = [simulate(instance, name, 50, 3) for name in ("uniform", "oful-mlogb")]
    assert [text.get_text() for text in plot_regret(runs).axes[0].texts] == []
    named = plot_regret({"mine": runs[1], "theirs": runs[0]})
    assert {"mine", "theirs"} <= {text.get_text() for text in named.legends[0].get_texts()}
    assert plot_regret(runs, size=(8, 4.5), log=False).get_size_inches().tolist() == [8, 4.5]
    with pytest.raises(InputError, match="runs"):
        plot_regret([])
    for size in ((1, 4), (8,), (8, "4")):
        with pytest.raises(InputError, match="size: got"):
            plot_regret(runs, size=size)
