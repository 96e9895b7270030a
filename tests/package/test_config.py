"""The config check: one clear error that names the field, the value and what is allowed."""

import json
from pathlib import Path

import pytest
import yaml

from mnlbandits.config import (
    KINDS,
    LIMITS,
    check_config,
    compose,
    expand_algorithms,
    laid_over,
    read_config,
    to_calibrate,
    to_run,
)
from mnlbandits.errors import InputError
from mnlbandits.instances import make_instance, write_instance

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
CALIBRATED = {"algorithm": "oful-mlogb", "preset": "calibrated"}


def config_with(change):
    config = laid_over(read_config(ROOT / "config/config.yaml"), change)
    expand_algorithms(config)
    return config


def test_lists_of_presets_are_written_out():
    config = {
        "algorithms": {
            "real-valid": {"radius_multiplier": 0.5},
            "uniform": ["none"],
            "real": ["paper", "valid"],
            "mine": {"algorithm": "real", "preset": "custom"},
        },
        "studies": {
            "regret": {"kind": "regret", "algorithms": ["uniform", "real", "mine"]},
            "coverage": {"kind": "coverage", "algorithms": ["real-valid"], "presets": ["paper"]},
            "early": {"kind": "horizon", "algorithms": ["uniform", ["real"], "mine"], "presets": ["paper", "custom"]},
            "scaling": {"kind": "scaling", "algorithms": ["real"]},
        },
    }
    expand_algorithms(config)
    assert config["algorithms"] == {
        "uniform": {"algorithm": "uniform", "preset": "none"},
        "real-paper": {"algorithm": "real", "preset": "paper"},
        "real-valid": {"algorithm": "real", "preset": "valid", "radius_multiplier": 0.5},
        "mine": {"algorithm": "real", "preset": "custom"},
    }
    assert config["studies"]["regret"]["algorithms"] == ["uniform", "real-paper", "real-valid", "mine"]
    assert config["studies"]["coverage"]["algorithms"] == ["real-valid"], "a label that is named is played"
    assert config["studies"]["early"]["algorithms"] == ["uniform", "real-paper", "mine"]
    assert config["studies"]["scaling"]["algorithms"] == ["real"], "names, not labels"


@pytest.mark.parametrize(
    ("field", "entries"),
    [
        ("algorithms.real", {"real": ["paper", 1]}),
        ("algorithms.nobody-paper.algorithm", {"nobody": ["paper"]}),
        ("algorithms.real-best.preset", {"real": ["best"]}),
    ],
)
def test_what_such_a_list_cannot_say(field, entries):
    with pytest.raises(InputError) as caught:
        check_config(config_with({"algorithms": entries}), SCHEMA)
    assert caught.value.field == field


def test_both_committed_configs_pass():
    check_config(config_with({}), SCHEMA)
    check_config(config_with(read_config(ROOT / "config/smoke.yaml")), SCHEMA)


@pytest.mark.parametrize(
    ("change", "field", "allowed"),
    [
        ({"sed": 1}, "sed", "seed"),
        ({"delta": 1.5}, "delta", "< 1"),
        ({"delta": "small"}, "delta", "number"),
        ({"seed": -1}, "seed", ">= 0"),
        ({"studies": {"regret": {"horizon": 0}}}, "studies.regret.horizon", ">= 1"),
        ({"studies": {"regret": {"horizon": 10**19}}}, "studies.regret.horizon", "<= 1000000000000000000"),
        ({"studies": {"regret": {"horizon": 10.5}}}, "studies.regret.horizon", "integer"),
        ({"studies": {"regret": {"horizont": 10}}}, "studies.regret.horizont", "horizon"),
        ({"studies": {"regret": {"simulator": "leep"}}}, "studies.regret.simulator", "exact"),
        ({"studies": {"regret": {"algorithms": ["reel"]}}}, "studies.regret.algorithms", "real-paper"),
        ({"studies": {"regret": {"instances": []}}}, "studies.regret.instances", "1 or more"),
        ({"studies": {"exploration": {"algorithms": ["uniform"]}}}, "studies.exploration.algorithms", "exploration phase"),
        ({"algorithms": {"x": {"algorithm": "reel", "preset": "paper"}}}, "algorithms.x.algorithm", "real"),
        ({"algorithms": {"x": {"algorithm": "real", "preset": "tuned"}}}, "algorithms.x.preset", "calibrated"),
        ({"algorithms": {"x": {"algorithm": "real"}}}, "algorithms.x.preset", "given"),
        (
            {"algorithms": {"x": {"algorithm": "real", "preset": "calibrated", "radius_multiplier": 0}}},
            "algorithms.x.radius_multiplier",
            "in [1e-30",
        ),
        (
            {"algorithms": {"x": {"algorithm": "real", "preset": "paper", "radius_multiplier": 0.5}}},
            "algorithms.x.radius_multiplier",
            "left out: preset paper has no multipliers, calibrated has exploration_multiplier and radius_multiplier",
        ),
        ({"instances": {"x": {"family": "randm"}}}, "instances.x.family", "random"),
        ({"instances": {"x": {"family": "random", "outcomes": 1}}}, "instances.x.outcomes", ">= 2"),
        ({"instances": {"x": {"family": "random", "dim": 0}}}, "instances.x.dim", ">= 1"),
        ({"instances": {"x": {"family": "random", "dmi": 2}}}, "instances.x.dmi", "dim"),
        ({"instances": {"x": {"family": "random", "norm": -2.0}}}, "instances.x.norm", "> 0"),
        ({"instances": {"x": {"file": "nowhere.json"}}}, "instances.x.file", "readable"),
        ({"instances": {"x": {"file": "."}}}, "instances.x.file", "Is a directory"),
        ({"instances": {"x": {"file": 3}}}, "instances.x.file", "text"),
        ({"instances": {"x": {"file": None}}}, "instances.x.file", "text"),
        (
            {"instances": {"x": {"file": "x.json", "dim": 2}}},
            "instances.x.dim",
            "left out, as the instance comes from a file",
        ),
        ({"instances": {"circle-K2": {"file": "x.json"}}}, "instances.circle-K2.file", "left out, as there is a family"),
        ({"instances": {"x": {"dim": 2}}}, "instances.x.family", "given, or file"),
        ({"instances": {"x": {}}}, "instances.x.family", "given, or file"),
        ({"instances": {"x": {"family": "random", "norm": 10**400}}}, "instances.x.norm", "finite"),
        ({"instances": {"x": None}}, "instances.x", "a mapping"),
        ({"instances": {1: {"family": "random"}}}, "instances", "text"),
        ({"instances": {"a b": {"family": "random"}}}, "instances", "a name of letters"),
        ({"algorithms": {"x": {"algorithm": "ofu-mnl+", "preset": "paper"}}}, "algorithms.x.algorithm", "other framework"),
        ({"algorithms": {"x": {"algorithm": "uniform", "preset": "none", "foo": 1}}}, "algorithms.x.foo", "left out"),
        ({"algorithms": {"x": CALIBRATED | {"calibrated_on": "nowhere"}}}, "algorithms.x.calibrated_on", "random-K3"),
        ({"algorithms": {"x": CALIBRATED | {"calibrated_on": 3}}}, "algorithms.x.calibrated_on", "random-K3"),
        (
            {"algorithms": {"x": CALIBRATED | {"calibrated_on": "random-K3", "radius_multiplier": 0.5}}},
            "algorithms.x.calibrated_on",
            "left out",
        ),
        (
            {"algorithms": {"x": CALIBRATED | {"algorithm": "glm-ucb", "calibrated_on": "random-K3"}}},
            "algorithms.x.calibrated_on",
            "glm-ucb can play",
        ),
        ({"studies": {"regret": {"algorithms": ["uniform", "uniform"]}}}, "studies.regret.algorithms", "in the list once"),
        ({"studies": {"regret": {"runs": [1]}}}, "studies.regret.runs", "an integer"),
        ({"studies": {"regret": {"runs": 10**400}}}, "studies.regret.runs", "finite"),
        ({"studies": {"regret": {"runs": int("f" * 4000, 16)}}}, "studies.regret.runs", "finite"),
        ({"studies": {"frameworks": {"size": 11}}}, "studies.frameworks.size", "[1, 10]"),
        ({"studies": {"frameworks": {"runs": 0}}}, "studies.frameworks.runs", ">= 1"),
        ({"studies": {"kappa": {"radii": [0]}}}, "studies.kappa.radii.0", "> 0"),
        ({"studies": {"diameter": {"instances": ["none"]}}}, "studies.diameter.instances", "random-K3"),
        ({"delta": float("nan")}, "delta", "finite"),
        ({"studies": {"scaling": {"step": float("nan")}}}, "studies.scaling.step", "finite"),
        ({"studies": {"scaling": {"bound": float("inf")}}}, "studies.scaling.bound", "finite"),
        ({"studies": {"scaling": {"most_runs": 3}}}, "studies.scaling.most_runs", "integer >= 50"),
        ({"studies": {"scaling": {"grids": {"R": [1, float("inf")]}}}}, "studies.scaling.grids.R.1", "finite"),
        ({"studies": {"scaling": {"grids": {"kappa_star": [25, 1e9]}}}}, "studies.scaling.grids.kappa_star", "K = 3"),
        ({"studies": {"exponents": {"grids": {"kappa_star": [32, 1e12]}}}}, "studies.exponents.grids.kappa_star", "K = 3"),
        ({"studies": {"family": {"spreads": [1000]}}}, "studies.family.grids.K", "a spread of 1000"),
        ({"studies": {"family": {"grids": {"T": [100]}}}}, "studies.family.grids.T", "larger for K = 3"),
        (
            {
                "algorithms": {"x": {"algorithm": "sign-sampler", "preset": "none"}},
                "studies": {"regret": {"algorithms": ["x"]}},
            },
            "studies.regret.algorithms",
            "family",
        ),
    ],
)
def test_a_bad_config_is_named(change, field, allowed):
    with pytest.raises(InputError) as caught:
        check_config(config_with(change), SCHEMA)
    assert caught.value.field.startswith(field), str(caught.value)
    assert allowed in caught.value.allowed, str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def message_of(change):
    """What the check says of a config."""
    with pytest.raises(InputError) as caught:
        check_config(config_with(change), SCHEMA)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed: 1.0", "seed: got 1.0, must be an integer, written as 1"),
        ("seed: 1.5", "seed: got 1.5, must be an integer"),
        ("seed: yes", "seed: got True, must be an integer"),
        ("seed:", "seed: got nothing, must be an integer"),
        ("seed: abc", "seed: got 'abc', must be an integer"),
        ("studies: {regret: {runs: 4.0}}", "studies.regret.runs: got 4.0, must be an integer, written as 4"),
        (
            "studies: {regret: {horizon: 1e5}}",
            "studies.regret.horizon: got '1e5', must be an integer: YAML reads this as text, write 100000",
        ),
        (
            "studies: {regret: {horizon: 1.0e+5}}",
            "studies.regret.horizon: got 100000.0, must be an integer, written as 100000",
        ),
        (
            "studies: {regret: {horizon: '7'}}",
            "studies.regret.horizon: got '7', must be an integer: YAML reads this as text, write 7",
        ),
        (
            "studies: {trigger: {norm: 1e5}}",
            "studies.trigger.norm: got '1e5', must be a number: YAML reads this as text, write 100000 or 1.0e+5",
        ),
        ("delta: 1e-3", "delta: got '1e-3', must be a number: YAML reads this as text, write 1.0e-3"),
        (
            "studies: {trigger: {norm: 1.5E3}}",
            "studies.trigger.norm: got '1.5E3', must be a number: YAML reads this as text, write 1500 or 1.5e+3",
        ),
        ("delta: '0.1'", "delta: got '0.1', must be a number: YAML reads this as text, write 0.1"),
        ("delta: 1e99999999999", "delta: got '1e99999999999', must be a number"),
        (
            "instances: {x: {family: random, arms: 1e1}}",
            "instances.x.arms: got '1e1', must be an integer >= 1: YAML reads this as text, write 10",
        ),
        (
            "algorithms: {x: {algorithm: real, preset: calibrated, radius_multiplier: 1e-2}}",
            "algorithms.x.radius_multiplier: got '1e-2', must be a number in [1e-30, 1e+30]: YAML reads this as text, "
            "write 1.0e-2",
        ),
    ],
)
def test_a_number_that_yaml_takes_for_something_else_is_told_how_to_be_written(text, message):
    assert message_of(yaml.safe_load(text)) == message


@pytest.mark.parametrize("hinted", ["100000", "7", "10", "1.0e+5", "1.0e-3", "1.5e+3", "0.1"])
def test_numbers_written_as_told_are_numbers(hinted):
    assert isinstance(yaml.safe_load(hinted), int | float)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"instances": None}, "instances: got nothing, must be a mapping"),
        ({"instances": [1]}, "instances: got a list, must be a mapping"),
        ({"studies": {"regret": {"runs": 0}}}, "studies.regret.runs: got 0, must be >= 1"),
        ({"studies": {"regret": {"runs": {"a": 1}}}}, "studies.regret.runs: got a mapping, must be an integer"),
        ({"studies": {"regret": {"simulator": 3}}}, "studies.regret.simulator: got 3, must be one of counts, exact, leap"),
        (
            {"studies": {"regret": {"instances": []}}},
            "studies.regret.instances: got an empty list, must be a list of 1 or more entries",
        ),
        ({"studies": {"regret": {"algorithms": "real"}}}, "studies.regret.algorithms: got 'real', must be a list"),
        ({"studies": {"regret": {"algorithms": [3]}}}, "studies.regret.algorithms.0: got 3, must be text"),
        ({"studies": {"kappa": {"radii": [1, 2, 1.0]}}}, "studies.kappa.radii: got 1.0, must be in the list once"),
        ({"claims": {"effort": "huge"}}, "claims.effort: got 'huge', must be one of full, smoke"),
        ({"studies": {"exponents": {"horizon": 1e31}}}, "studies.exponents.horizon: got 1e+31, must be <= 1e+30"),
        ({"studies": {"exponents": {"norm": 2}}}, "studies.exponents.norm: got 2, must be > 2"),
        ({"delta": 1}, "delta: got 1, must be < 1"),
        ({"name": "a b"}, "name: got 'a b', must be a name of letters, digits, _ and -, 60 at most, the first no -"),
        ({"algorithms": {"x": {"preset": "paper"}}}, "algorithms.x.algorithm: got nothing, must be given"),
    ],
)
def test_what_the_schema_refuses_is_said_in_words(change, message):
    assert message_of(change) == message


def test_an_empty_catalogue_is_refused():
    config = config_with({}) | {"instances": {}}
    with pytest.raises(InputError, match=r"^instances: got an empty mapping, must be a mapping of 1 or more entries$"):
        check_config(config, SCHEMA)


def test_every_keyword_of_the_schema_has_words():
    def keywords(schema):
        yield from schema.keys() - {"properties", "$defs"}
        for key in ("properties", "$defs"):
            for part in schema.get(key, {}).values():
                yield from keywords(part)
        for key in ("items", "additionalProperties", "propertyNames"):
            if isinstance(schema.get(key), dict):
                yield from keywords(schema[key])
        for part in schema.get("allOf", ()):
            yield from keywords(part)

    said = set(LIMITS) | {"type", "enum", "required", "uniqueItems", "additionalProperties"}
    structure = {"$schema", "$ref", "title", "description", "default", "items", "propertyNames", "allOf"}
    schema = yaml.safe_load(SCHEMA.read_text())
    kinds = schema["$defs"].pop("kinds")
    playing = {"properties": schema["$defs"].pop("playing")}
    found = {key for part in (schema, playing, *kinds.values()) for key in keywords(part)}
    assert found <= said | structure


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("instances: &a {mine: *a}", "instances.mine"),
        ("instances: {mine: &a {family: random, outcomes: *a}}", "instances.mine.outcomes"),
        ("studies: {regret: {algorithms: &a [*a]}}", "studies.regret.algorithms.0"),
    ],
)
def test_an_anchor_inside_what_it_names_is_refused(text, field):
    config = config_with({})
    for key, value in yaml.safe_load(text).items():  # not merged, which would not end
        config[key] = value if key == "instances" else config[key] | value
    with pytest.raises(InputError, match="got an anchor for what it is part of") as caught:
        check_config(config, SCHEMA)
    assert caught.value.field == field


def test_an_error_inside_an_instance_file_names_the_entry_once(tmp_path):
    path = tmp_path / "mine.json"
    write_instance(make_instance("mine", "random", {}), path)
    check_config(config_with({"instances": {"mine": {"file": str(path)}}}), SCHEMA)
    record = json.loads(path.read_text())
    for field, change in (
        ("theta", {"theta": 3}),
        ("constants.kappa", {"constants": {"kappa": 1e-9}}),
        ("thta", {"thta": 1}),
    ):
        path.write_text(json.dumps(record | change))
        assert message_of({"instances": {"mine": {"file": str(path)}}}).startswith(f"instances.mine.file.{field}: got ")


@pytest.mark.parametrize(
    ("entry", "found"), [({}, True), ({"radius_multiplier": 0.5}, False), ({"exploration_multiplier": 0.5}, False)]
)
def test_a_calibrated_entry_that_names_a_multiplier_is_not_calibrated(entry, found):
    entry = {"algorithm": "real", "preset": "calibrated"} | entry
    check_config(config_with({"algorithms": {"x": entry}}), SCHEMA)
    assert to_calibrate(entry) == found


def test_a_file_is_relative_to_the_config_that_names_it():
    first = {
        "name": "one",
        "instances": {"a": {"file": "a.json"}, "b": {"file": "/data/b.npz"}, "c": {"family": "random"}, "d": {"file": 3}},
    }
    second = {"name": "two", "instances": {"a": {"file": "../a.npz"}}}
    places = {"a": {"file": "/x/a.json"}}
    assert compose([(Path("/x"), first)])["instances"] == first["instances"] | places
    places = {"a": {"file": "/y/../a.npz"}}
    assert compose([(Path("/x"), first), (Path("/y"), second)])["instances"] == first["instances"] | places


def test_what_a_file_names_is_checked_with_the_config(tmp_path):
    path = tmp_path / "mine.json"
    record = {"name": "x", "theta": [[0.5], [-0.5]], "arms": "arms.csv", "rewards": [1, 0], "norm_bound": 1.0}
    path.write_text(json.dumps(record))
    entry = {"instances": {"mine": {"file": str(path)}}}
    assert message_of(entry).startswith("instances.mine.file.arms: got ")
    (tmp_path / "arms.csv").write_text("1\n-0.5x\n")
    assert message_of(entry) == (
        "instances.mine.file.arms: got '-0.5x', must be a finite number in row 2, column 1 of arms.csv"
    )
    (tmp_path / "arms.csv").write_text("1\n-0.5\n")
    check_config(config_with(entry), SCHEMA)
    entry["instances"]["mine"]["file"] = str(tmp_path / "arms.csv")
    assert message_of(entry).startswith("instances.mine.file: got ")


def test_a_list_is_replaced_or_extended():
    first = {"name": "one", "studies": {"regret": {"runs": 3, "algorithms": ["real", "uniform"]}}}
    for change, expected in (
        ({"algorithms": ["oracle"]}, ["oracle"]),
        ({"algorithms+": ["oracle", "real"]}, ["real", "uniform", "oracle"]),
    ):
        layers = [(Path(), first), (Path(), {"name": "two", "studies": {"regret": change}})]
        assert compose(layers)["studies"]["regret"] == {"runs": 3, "algorithms": expected}
    for change in ({"runs+": [4]}, {"algorithms+": "oracle"}, {"instances+": ["x"]}):
        with pytest.raises(InputError, match=r"^studies.regret.\w+\+: got .* must be a list, and studies.regret.\w+ one to"):
            compose([(Path(), first), (Path(), {"name": "two", "studies": {"regret": change}})])


def test_a_config_that_changes_something_has_a_name_of_its_own():
    first = {"name": "one", "seed": 1}
    assert compose([(Path(), first), (Path(), {}), (Path(), {"seed": 1})]) == first
    with pytest.raises(InputError, match=r"^name: got 'one', must be a name of its own, other than one:"):
        compose([(Path(), first), (Path(), {"seed": 2})])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("seed: 1\ndelta: 0.1\nseed: 2\n", "line 3: got seed, must be in the mapping once"),
        ("studies:\n  a: {runs: 1, runs: 2}\n", "line 2: got runs, must be in the mapping once"),
        ("seed: 1\nstays: no\n", "line 2: got no, must be true or false, or 'no' in quotes: YAML reads it as false"),
        ("a: [x, On]\n", "line 1: got On, must be true or false, or 'On' in quotes: YAML reads it as true"),
        ("y: 010\n", "line 1: got 010, must be 10, or '010' in quotes: YAML reads it in base 8"),
        ("at: 1:30\n", "line 1: got 1:30, must be '1:30' in quotes: YAML reads it in base 60"),
        ("name: 2026-11-30\n", "line 1: got 2026-11-30, must be '2026-11-30' in quotes: YAML reads it as a date"),
        ("- a\n", "must be a mapping"),
        ("a: [\n", "got what is no YAML, must be YAML ("),
    ],
)
def test_yaml_is_what_it_looks_like(tmp_path, text, said):
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        read_config(file)
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(file))
    assert len(str(caught.value).splitlines()) == 1


def test_yaml_that_means_what_it_says_is_read(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("a: &a {x: 'no', y: true, z: \"010\"}\nb: &b {<<: *a, x: 1.0e+5}\nc: {<<: *b, y: 0, w: 0.5}\n")
    read = read_config(file)
    assert read["b"] == yaml.safe_load(file.read_text())["b"]
    assert read["c"] == {"x": 1e5, "y": 0, "z": "010", "w": 0.5}


def test_a_study_has_any_name_and_leaves_out_what_has_a_default():
    study = {
        "kind": "regret",
        "horizon": 100,
        "instances": ["random-K3"],
        "algorithms": ["real", "uniform"],
        "presets": ["paper"],
    }
    change = {
        "run": ["mine", "claims"],
        "studies": {"mine": study, "far": study | {"kind": "horizon", "algorithms": ["real"]}},
    }
    config = config_with(change)
    check_config(config, SCHEMA)
    assert config["studies"]["mine"] | {"kind": "regret"} == config["studies"]["mine"]
    assert config["studies"]["mine"]["algorithms"] == ["real-paper", "uniform"]
    filled = {key: config["studies"]["mine"][key] for key in ("simulator", "runs", "batch")}
    assert filled == {"simulator": "exact", "runs": 20, "batch": 20}
    assert {key: config["studies"]["far"][key] for key in ("simulator", "runs")} == {"simulator": "leap", "runs": 1}
    assert to_run(config) == ["mine", "claims"]
    assert "mine" in to_run(config_with({"studies": {"mine": study}}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"studies": {"mine": {"kind": "regrett"}}}, "studies.mine.kind: got 'regrett', must be one of changing"),
        ({"studies": {"mine": {"horizon": 3}}}, "studies.mine.kind: got nothing, must be given"),
        ({"studies": {"mine": {"kind": "kappa", "runs": 3}}}, "studies.mine.runs: got 'runs', must be one of"),
        ({"studies": {"mine": {"kind": "regret"}}}, "studies.mine.horizon: got nothing, must be given"),
        ({"studies": {"a/b": {"kind": "kappa"}}}, "studies: got 'a/b', must be a name of letters"),
        (
            {"studies": {"final_regret": {"kind": "kappa", "outcomes": [2], "radii": [1]}}},
            "studies.final_regret: got a study that writes final_regret.csv, must be of another name",
        ),
        (
            {"studies": {"claims": {"kind": "kappa", "outcomes": [2], "radii": [1]}}},
            "studies.claims: got a study called claims, must be of another name",
        ),
        (
            {"studies": {"verdicts": {"kind": "kappa", "outcomes": [2], "radii": [1]}}},
            "studies.verdicts: got a study that writes verdicts.csv, must be of another name, as",
        ),
        ({"run": ["nothing"]}, "run: got 'nothing', must be one of"),
        ({"studies": {"coverage": {"also": ["kappa"]}}}, "studies.coverage.also: got 'kappa', must be one of"),
        ({"studies": {"mine": {"kind": "coverage"}}}, "studies.mine.horizon: got nothing, must be given, or horizon"),
        (
            {"studies": {"mine": {"kind": "coverage", "also": ["data"], "instances": ["fair"]}}},
            "studies.mine.horizon: got nothing, must be given, or horizon",
        ),
        ({"studies": {"horizon": {"simulator": "exact"}}}, "studies.horizon.simulator: got 'exact', must be one of leap"),
        ({"cost": {"comparison": "regret"}}, "cost.comparison: got 'regret', must be one of comparison"),
    ],
)
def test_what_a_study_cannot_be(change, message):
    assert message_of(change).startswith(message)


def test_every_kind_has_a_schema_a_figure_and_a_caption():
    kinds = yaml.safe_load(SCHEMA.read_text())["$defs"]["kinds"]
    assert set(kinds) == set(KINDS)
    for name, kind in KINDS.items():
        for figure, (module, table) in kind.figures.items():
            assert (ROOT / f"workflow/report/kinds/{figure.format(name)}.rst").exists()
            assert (ROOT / f"src/mnlbandits/plots/{module}.py").exists()
            assert table in kind.tables


def test_how_runs_are_split_into_jobs_needs_no_name_and_is_taken():
    first = {"name": "one", "studies": {"coverage": {"runs": 4, "batch": 2}}}
    split = {"studies": {"coverage": {"batch": 1}}}
    assert compose([(Path(), first), (Path(), split)])["studies"]["coverage"] == {"runs": 4, "batch": 1}
    with pytest.raises(InputError, match="a name of its own"):
        compose([(Path(), first), (Path(), {"studies": {"coverage": {"batch": 1, "runs": 5}}})])
