"""The config check: one clear error that names the field, the value and what is allowed."""

from pathlib import Path

import pytest
import yaml

from mnlbandits.config import check_config
from mnlbandits.errors import InputError

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"


def config_with(change):
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    merge(config, change)
    return config


def merge(config, change):
    for key, value in change.items():
        if isinstance(value, dict) and isinstance(config.get(key), dict):
            merge(config[key], value)
        else:
            config[key] = value


def test_both_committed_configs_pass():
    check_config(config_with({}), SCHEMA)
    check_config(config_with(yaml.safe_load((ROOT / "config/smoke.yaml").read_text())), SCHEMA)


@pytest.mark.parametrize(
    ("change", "field", "allowed"),
    [
        ({"sed": 1}, "sed", "seed"),
        ({"delta": 1.5}, "delta", "< 1"),
        ({"delta": "small"}, "delta", "number"),
        ({"seed": -1}, "seed", ">= 0"),
        ({"studies": {"regret": {"horizon": 0}}}, "studies.regret.horizon", ">= 1"),
        ({"studies": {"regret": {"horizon": 1e19}}}, "studies.regret.horizon", "<= 1000000000000000000"),
        ({"studies": {"regret": {"horizon": 10.5}}}, "studies.regret.horizon", "integer"),
        ({"studies": {"regret": {"horizont": 10}}}, "studies.regret.horizont", "horizon"),
        ({"studies": {"regret": {"simulator": "leep"}}}, "studies.regret.simulator", "exact"),
        ({"studies": {"regret": {"algorithms": ["reel"]}}}, "studies.regret.algorithms", "real-paper"),
        ({"studies": {"regret": {"instances": []}}}, "studies.regret.instances", "at least 1"),
        ({"studies": {"exploration": {"algorithms": ["uniform"]}}}, "studies.exploration.algorithms", "exploration phase"),
        ({"algorithms": {"x": {"algorithm": "reel", "preset": "paper"}}}, "algorithms.x.algorithm", "real"),
        ({"algorithms": {"x": {"algorithm": "real", "preset": "tuned"}}}, "algorithms.x.preset", "calibrated"),
        ({"algorithms": {"x": {"algorithm": "real"}}}, "algorithms.x.preset", "present"),
        (
            {"algorithms": {"x": {"algorithm": "real", "preset": "calibrated", "radius_multiplier": 0}}},
            "algorithms.x.radius_multiplier",
            "> 0",
        ),
        (
            {"algorithms": {"x": {"algorithm": "real", "preset": "paper", "radius_multiplier": 0.5}}},
            "algorithms.x.radius_multiplier",
            "one of",
        ),
        ({"instances": {"x": {"family": "randm"}}}, "instances.x.family", "random"),
        ({"instances": {"x": {"family": "random", "outcomes": 1}}}, "instances.x.outcomes", ">= 2"),
        ({"instances": {"x": {"family": "random", "dim": 0}}}, "instances.x.dim", ">= 1"),
        ({"instances": {"x": {"family": "random", "dmi": 2}}}, "instances.x", "dim"),
        ({"instances": {"x": {"family": "random", "norm": -2.0}}}, "instances.x.norm", "> 0"),
        ({"instances": {"x": {"file": "nowhere.json"}}}, "instances.x.instance", "readable"),
        ({"instances": {"a b": {"family": "random"}}}, "instances", "matching"),
        ({"assortment": {"size": 11}}, "assortment.size", "[1, 1e+01]"),
        ({"assortment": {"runs": 0}}, "assortment.runs", ">= 1"),
        ({"kappa": {"radii": [0]}}, "kappa.radii.0", "> 0"),
        ({"diameter": {"instances": ["none"]}}, "diameter.instances", "random-K3"),
        ({"delta": float("nan")}, "delta", "finite"),
        ({"scaling": {"step": float("nan")}}, "scaling.step", "finite"),
        ({"scaling": {"bound": float("inf")}}, "scaling.bound", "finite"),
        ({"scaling": {"most_runs": 3}}, "scaling.most_runs", "integer >= 50"),
        ({"scaling": {"grids": {"R": [1, float("inf")]}}}, "scaling.grids.R.1", "finite"),
        ({"scaling": {"grids": {"kappa_star": [25, 1e9]}}}, "scaling.grids.kappa_star", "K = 3"),
        ({"exponents": {"grids": {"kappa_star": [32, 1e12]}}}, "exponents.grids.kappa_star", "K = 3"),
        ({"family": {"spreads": [1000]}}, "family.grids.K", "a spread of 1000"),
        ({"family": {"grids": {"T": [100]}}}, "family.grids.T", "larger for K = 3"),
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
