"""Algorithms of a user's own: files anywhere, installed packages, and files of the package that are broken."""

import json
import os
import shutil
import sys

import numpy as np
import pytest
from own import DRAWS, GREEDY, changed, compiled, line_of, output_of, written

from mnlbandits import bandit, resume
from mnlbandits.algorithms import REGISTRY, get_algorithm, load, module_of
from mnlbandits.algorithms.base import Option
from mnlbandits.config import compose, load_modules
from mnlbandits.errors import InputError
from mnlbandits.instances import make_instance
from mnlbandits.simulators import simulate
from mnlbandits.sources import PACKAGE, digest_of_modules
from mnlbandits.versions import digest_of

pytestmark = pytest.mark.usefixtures("registry")


@pytest.fixture(scope="module")
def instance():
    return make_instance("own", "large-kappa-star", {"arms": 4, "outcomes": 2})


def last(instance, **options):
    return simulate(instance, "greedy", 50, [0], preset="none", options=options).regret[0, -1]


def test_a_file_anywhere_is_played(tmp_path, instance, registry):
    (algorithm,) = load(written(tmp_path, GREEDY))
    assert registry["greedy"] is get_algorithm("greedy") is algorithm
    assert list(registry) == sorted(registry)
    assert 0 < last(instance) < 50 * instance.gaps.max()
    assert load(tmp_path / "greedy.py")[0] is algorithm, "loaded once"


def test_an_edited_file_takes_the_place_of_the_former_one_at_once(tmp_path, instance, registry, monkeypatch):
    """Even within the second in which the file system's clock stands, and with a file of the same size."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = written(tmp_path, changed(("if t <= len(state.pulls):\n        return t - 1", "if t < 99:\n        return 0")))
    os.utime(path, (1, 1))
    (before,) = load(path)
    regret = last(instance)
    written(tmp_path, changed(("if t <= len(state.pulls):\n        return t - 1", "if t < 99:\n        return 2")))
    os.utime(path, (1, 1))
    (after,) = load(path)
    assert registry["greedy"] is after is not before
    assert module_of(before) != module_of(after)
    assert before.state not in [algorithm.state for algorithm in registry.values()]
    assert last(instance) != regret
    written(tmp_path, "1 /")
    with pytest.raises(InputError):
        load(path)
    assert registry["greedy"] is after, "what is broken replaces nothing"


def test_two_files_of_one_name_do_not_clash(tmp_path, instance):
    for folder, name in (("one", "first"), ("two", "second")):
        (tmp_path / folder).mkdir()
        load(written(tmp_path / folder, changed(('name="greedy"', f'name="{name}"')), "mine.py"))
    regrets = [simulate(instance, name, 20, [0], preset="none").regret for name in ("first", "second")]
    assert regrets[0].tobytes() == regrets[1].tobytes()
    assert module_of(get_algorithm("first")) != module_of(get_algorithm("second"))


def test_states_of_one_name_and_make_are_told_apart(tmp_path, instance):
    """Not by numba: it takes two named tuples for one if their names and the types of their fields are the same."""
    first = compiled(("if t <= len(state.pulls):\n        return t - 1", "if t < 99:\n        return 0"))
    load(written(tmp_path, first))
    assert last(instance) == pytest.approx(50 * instance.gaps[0])
    for name, arm in (("second", 2), ("third", 3)):
        text = compiled(("if t <= len(state.pulls):\n        return t - 1", f"if t < 99:\n        return {arm}"))
        load(written(tmp_path, text.replace('name="greedy"', f'name="{name}"'), f"{name}.py"))
        played = simulate(instance, name, 50, [0], preset="none").regret[0, -1]
        assert played == pytest.approx(50 * instance.gaps[arm])


def test_several_algorithms_of_a_file_are_registered_or_none(tmp_path, registry):
    before = dict(registry)
    two = GREEDY + "\nfrom dataclasses import replace\nALGORITHMS = [ALGORITHM, replace(ALGORITHM, name='second')]\n"
    with pytest.raises(InputError) as caught:
        load(written(tmp_path, two))
    assert caught.value.field.endswith("second.state")
    assert registry == before


BROKEN = {
    "NameError": ("import numba\n", "import numba\nno_such_name\n", "no_such_name"),
    "SyntaxError": ("return t - 1", "return t -", "return t -"),
    "ModuleNotFoundError": ("import numba\n", "import no_such_module\n", "import no_such_module"),
    "TypeError": ('title="greedy"', 'titel="greedy"', "ALGORITHM = Algorithm("),
    "SystemExit": ("import numba\n", "raise SystemExit('no')\n", "raise SystemExit"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_is_named_with_its_line(tmp_path, kind, registry):
    before, text = dict(registry), changed(BROKEN[kind][:2])
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: got {kind} in line {line_of(text, BROKEN[kind][2])}: ")
    assert "\n" not in message
    assert registry == before


@pytest.mark.parametrize(
    ("edits", "field", "allowed"),
    [
        ([('name="greedy"', 'name="real"')], "algorithm.name", "mnlbandits.algorithms.real"),
        ([('name="greedy"', 'name="my greedy"')], "algorithm.name", "letters"),
        ([('name="greedy"', "name=3")], "algorithm.name", "letters"),
        ([('title="greedy"', 'title=""')], "greedy.title", "not empty"),
        ([("state=State", "state=dict")], "greedy.state", "NamedTuple"),
        ([('presets=("none",)', 'presets=("tuned",)')], "greedy.presets", "calibrated"),
        ([('presets=("none",)', 'presets="none"')], "greedy.presets", "a tuple"),
        ([("    choose=choose", "    choose=None")], "greedy.choose", "a function"),
        ([("    update=update", "    update=update,\n    ratio=1")], "greedy.ratio", "a function"),
        ([('"width", "of', '"the width", "of')], "greedy.options.name", "keyword"),
        ([('"width", "of', '"preset", "of')], "greedy.options.preset", "another name"),
        ([("default=0.0", "default=9.5")], "greedy.options.width.default", "in [0, 9]"),
        ([("default=0.0", "default=[]")], "greedy.options.width.default", "a float"),
        (
            [('options=(Option("width", "of the bonus", default=0.0, low=0.0, high=9.0),)', "options=(3,)")],
            "greedy.options",
            "",
        ),
        ([("ALGORITHM = Algorithm(", "OTHER = Algorithm(")], "", "ALGORITHMS"),
        ([("ALGORITHM = Algorithm(", "ALGORITHM = dict(")], "ALGORITHM", "an Algorithm of"),
    ],
)
def test_a_wrong_field_is_named(tmp_path, edits, field, allowed, registry):
    before, path = dict(registry), written(tmp_path, changed(*edits))
    with pytest.raises(InputError) as caught:
        load(path)
    assert caught.value.field == f"{path}: {field}" if field else str(path)
    assert allowed in caught.value.allowed
    assert registry == before


@pytest.mark.parametrize("name", ["none.py", "folder.py", "text.txt"])
def test_what_is_no_python_file_is_refused(tmp_path, name):
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "text.txt").touch()
    with pytest.raises(InputError, match=r"ends in \.py"):
        load(tmp_path / name)


def test_two_files_with_one_algorithm_are_refused(tmp_path):
    load(written(tmp_path, GREEDY, "one.py"))
    with pytest.raises(InputError, match=r"algorithm.name: got 'greedy', .* as one of one_"):
        load(written(tmp_path, GREEDY + "# another\n", "two.py"))


def test_modules_beside_it_are_found_and_part_of_its_digest(tmp_path, monkeypatch):
    written(tmp_path, "FIRST = 1\n", "neighbour.py")
    (algorithm,) = load(written(tmp_path, "from neighbour import FIRST\n" + GREEDY))
    name = module_of(algorithm)
    before = digest_of_modules.__wrapped__(name)
    assert before is not None
    written(tmp_path, "FIRST = 2\n", "neighbour.py")
    assert digest_of_modules.__wrapped__(name) != before
    lock = PACKAGE.parents[1] / "requirements.lock"
    assert digest_of(name, lock=lock) != digest_of("algorithms.yardsticks", lock=lock)


def test_a_namesake_of_a_module_beside_it_is_refused(tmp_path):
    """Not played with another file than the user sees."""
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder, f"WHERE = '{folder}'\n", "beside.py")
    written(tmp_path / "one", "", "typing.py")
    load(written(tmp_path / "one", "import beside\n" + GREEDY))
    other = changed(('name="greedy"', 'name="other"'))
    with pytest.raises(InputError, match=r"ImportError: beside is .*one/beside\.py, not "):
        load(written(tmp_path / "two", "import beside\n" + other))


WIDTH = Option("width", "a range", default=1.0, low=0.0, high=2.5)
EVERY = Option("every", "an integer", default=3, low=1)
LESS = Option("less", "to the left", default=0.5, high=1)
SWITCH = Option("warm", "a switch", default=True)
TEXT = Option("mode", "a text", ("a", "b"))
FACTOR = Option("radius", "a factor")


@pytest.mark.parametrize(
    ("option", "value", "accepted"),
    [
        *[(WIDTH, 0, 0.0), (WIDTH, 2.5, 2.5), (EVERY, 10**9, 10**9), (EVERY, 4.0, 4), (LESS, -5, -5.0)],
        *[(SWITCH, False, False), (TEXT, "b", "b"), (FACTOR, 3, 3.0)],
    ],
)
def test_a_value_in_range_comes_as_its_kind(option, value, accepted):
    got = option.accept("x", value)
    assert got == accepted
    assert type(got) is type(accepted)


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        *[(WIDTH, value, "a finite number in [0, 2.5]") for value in (-0.1, 2.6, "1", True, np.nan)],
        *[(EVERY, value, "an integer >= 1") for value in (0, 1.5, True, "3", None)],
        *[(LESS, value, "a finite number <= 1") for value in (1.1, np.inf)],
        *[(SWITCH, value, "true or false") for value in (1, "true", None)],
        *[(TEXT, value, "one of a, b") for value in ("c", 1)],
        *[(FACTOR, value, "a number in [1e-30, 1e+30]") for value in (0, -1, "1")],
    ],
)
def test_a_value_out_of_range_is_named(option, value, allowed):
    with pytest.raises(InputError) as caught:
        option.accept("mine.option", value)
    assert (caught.value.field, caught.value.allowed) == ("mine.option", allowed)


@pytest.mark.parametrize("option", [WIDTH, EVERY, LESS, SWITCH, TEXT, FACTOR])
def test_the_default_is_read_as_it_is_written(option):
    assert option.accept("x", option.read(option.written)) == option.usual


def test_options_go_with_any_preset_and_have_their_defaults(tmp_path, instance):
    load(written(tmp_path, GREEDY))
    assert last(instance) == last(instance, width=0.0) != last(instance, width=9)
    with pytest.raises(InputError, match=r"greedy.width: got 9.5, must be a finite number in \[0, 9\]"):
        last(instance, width=9.5)


def player_of(folder, *edits):
    load(written(folder, changed(*edits)))
    return bandit("greedy", arms=np.eye(5), rewards=[0, 1], norm_bound=1.0, horizon=100)


def test_one_that_draws_goes_on_where_its_generator_stood(tmp_path):
    player, arms = player_of(tmp_path, *DRAWS), []
    for t in range(60):
        if t == 20:
            player.save(tmp_path / "state.npz")
        arms.append(player.pull())
        player.update(arms[-1], t % 2)
    resumed = resume(tmp_path / "state.npz")
    for t, arm in enumerate(arms[20:]):
        assert resumed.pull() == arm
        resumed.update(arm, t % 2)
    assert len(set(arms)) == 5
    for text in ("{}", "no json", json.dumps({"bit_generator": "MT19937"})):
        with pytest.raises(InputError, match=r"state.generator: got another text, must be the state of a PCG64DXSM"):
            resumed.restore(player.state() | {"state.generator": np.array(text)})


def test_a_state_that_nobody_could_save_is_refused(tmp_path):
    player = player_of(tmp_path, ("rewards.copy(), np.zeros(count)", "rewards.copy(), [0.0] * count"))
    with pytest.raises(InputError, match=r"state.totals: got a list, must be an array, a number"):
        player.save(tmp_path / "state.npz")
    assert not (tmp_path / "state.npz").exists()


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (("state.pulls[arm] += 1", "state.pulls[arm] += 7 // (t != 7)"), "update: got ZeroDivisionError in line {}: .* 7"),
        (("return t - 1", "return [0, 1, 2][t - 1]"), "choose: got IndexError in line {}: .* 4"),
    ],
)
def test_an_error_while_it_plays_names_function_line_and_round(tmp_path, instance, edit, message):
    text = changed(edit)
    load(written(tmp_path, text))
    expected = f"greedy.{message.format(line_of(text, edit[1]))}".replace(".* ", r".*\(round ")
    with pytest.raises(InputError, match=expected):
        last(instance)


def test_modules_of_a_config_are_relative_to_it(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    layers = [(one, {"name": "one", "modules": ["a.py"]}), (two, {"name": "two", "modules": ["b.py"]}), (one, {})]
    config = compose(layers)
    assert config["modules"] == [str(two / "b.py")]
    extended = compose([*layers, (one, {"name": "three", "modules+": ["c.py"]})])
    assert extended["modules"] == [str(two / "b.py"), str(one / "c.py")]
    with pytest.raises(InputError, match="modules: module: got"):
        load_modules(config)


# In processes of their own: what importing the package finds.


@pytest.fixture
def package(tmp_path):
    """A copy of the package."""
    copy = tmp_path / "source" / "mnlbandits"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def mnlbandits(folder, *arguments):
    return output_of([sys.executable, "-m", "mnlbandits", *arguments], os.environ | {"PYTHONPATH": str(folder)}, folder)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (("import numba\n", "import numba\nno_such_name\n"), "got NameError in line {}: name 'no_such_name' is not defined"),
        (('presets=("none",)', 'presets=("tuned",)'), "greedy.presets: got 'tuned', must be one of"),
    ],
)
def test_a_broken_file_of_the_package_breaks_nothing_else(package, edit, message):
    file = package / "algorithms" / "mine.py"
    file.write_text(changed(edit))
    listed, warned = mnlbandits(package.parent, "algorithms")
    assert "\nreal: REAL, " in listed
    assert "greedy" not in listed
    assert len(warned.splitlines()) == 1
    assert f"{file}: " in warned
    assert message.format(line_of(file.read_text(), "no_such") if "{}" in message else "") in warned
    printed, again = mnlbandits(package.parent, "kappa", "--outcomes", "2", "--radius", "1")
    assert "kappa" in printed
    assert again in ("", warned)


def test_an_installed_package_brings_algorithms(tmp_path):
    lab = tmp_path / "lab"
    lab.mkdir()
    (lab / "__init__.py").touch()
    written(lab, "from lab.parts import NAME\n" + changed(('name="greedy"', "name=NAME")), "bandits.py")
    written(lab, "NAME = 'from-a-lab'\n", "parts.py")
    written(lab, "no_such_name\n", "broken.py")
    info = tmp_path / "lab-1.0.dist-info"
    info.mkdir()
    written(info, "Metadata-Version: 2.1\nName: lab\nVersion: 1.0\n", "METADATA")
    written(info, "[mnlbandits.algorithms]\na = lab.bandits\nb = lab.broken\nc = lab.nowhere\n", "entry_points.txt")
    path = os.pathsep.join([str(tmp_path), str(PACKAGE.parent)])
    environment = os.environ | {"PYTHONPATH": path}
    listed, warned = output_of([sys.executable, "-m", "mnlbandits", "algorithms"], environment, tmp_path)
    assert "\nfrom-a-lab: greedy, mine\n" in listed
    assert len(warned.splitlines()) == 2
    assert f"{lab / 'broken.py'}: got NameError in line 1: name 'no_such_name' is not defined" in warned
    assert "lab.nowhere: got ModuleNotFoundError: No module named 'lab.nowhere'" in warned
    code = f"""
import sysconfig
sysconfig.get_path = lambda name: {str(tmp_path)!r}
import mnlbandits.algorithms
from mnlbandits.sources import modules_behind
print(*[name for name in modules_behind("lab.bandits") if name.startswith("lab")])
"""
    found, _ = output_of([sys.executable, "-W", "ignore", "-c", code], environment, tmp_path)
    assert found == "lab lab.bandits lab.parts\n", "its files count though they lie where libraries do"


def test_the_registry_is_as_it_was():
    assert "greedy" not in REGISTRY
