"""Captions of the report: valid reStructuredText, with the numbers that the reference, the config and the code have."""

import io
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from docutils.core import publish_parts

from mnlbandits.config import read_config
from mnlbandits.instances import make_instance
from mnlbandits.ledger import pictures
from mnlbandits.ledger.arithmetic import FLOATS

ROOT = Path(__file__).parents[2]
REPORT, REFERENCE = ROOT / "workflow" / "report", ROOT / "reference" / "full"
CONFIG = read_config(ROOT / "config" / "config.yaml")
CAPTIONS = sorted(path.stem for path in REPORT.glob("*.rst") if path.stem != "figure")


def caption(name: str) -> str:
    """A caption on one line."""
    return " ".join((REPORT / f"{name}.rst").read_text(encoding="utf-8").split())


def instance_of(name: str):
    """An instance of the full study."""
    entry = CONFIG["instances"][name]
    return make_instance(name, entry["family"], {key: value for key, value in entry.items() if key != "family"})


@pytest.mark.parametrize("name", CAPTIONS)
def test_captions_are_valid(name):
    warnings = io.StringIO()
    settings = {"warning_stream": warnings, "report_level": 1}
    publish_parts((REPORT / f"{name}.rst").read_text(encoding="utf-8"), writer="html", settings_overrides=settings)
    assert warnings.getvalue() == ""


def test_coverage_is_not_called_equal():
    table = pd.read_csv(REFERENCE / "comparison_coverage.csv")
    coverage = table.loc[table["preset"] == "calibrated", "coverage"]
    assert f"{coverage.min():g} to {coverage.max():g} in the full study" in caption("comparison")
    assert not [name for name in CAPTIONS if "at equal coverage" in caption(name)]


def test_equal_regrets_are_those_of_the_longest_arm():
    table = pd.read_csv(REFERENCE / "ranking_comparison.csv").query("instance == 'random-K3'")
    instance, horizon = instance_of("random-K3"), CONFIG["studies"]["comparison"]["horizon"]
    regret = horizon * instance.gaps[np.argmax(np.linalg.norm(instance.arms, axis=1))]
    assert np.isclose(table["mean"], regret, rtol=1e-9).sum() > 2
    assert f"the {regret:.2f} of several systems on random-K3 (full study)" in caption("comparison")


def test_the_system_with_a_borrowed_multiplier_ranks_first():
    table = pd.read_csv(REFERENCE / "ranking_comparison.csv")
    own = table[(table["instance"] == "large-kappa-star-S1") & table["algorithm"].str.startswith("improved-mnl-ucb-plus")]
    assert len(own) == 3
    assert (own["worst"] == 1).all()
    assert "at K = 3, where it ranks first in the full study with any constants" in caption("comparison")


def test_the_horizon_names_what_it_shows():
    text, study = caption("horizon"), CONFIG["studies"]["horizon"]
    assert f"T (ours: {study['horizon']:.0e}".replace("+", "") in text
    table = pd.read_csv(REFERENCE / "horizon.csv").query("algorithm == 'real-paper'")
    for name in study["instances"]:
        real = table[table["instance"] == name]
        tau = real["tau"].iloc[0]
        learnt = real[real["t"] > 2 * tau]
        spent = real.loc[real["t"] <= tau, "regret"].iloc[-1]
        slopes = np.diff(np.log(learnt["regret"] - spent)) / np.diff(np.log(learnt["t"].astype(float)))
        graded = CONFIG["instances"][name].get("grid") == "graded"
        assert (0.4 < slopes[-1] < 0.6) if graded else (slopes < 0.4).all()
        assert name in text
        assert str(len(instance_of(name).arms)) in text


def test_the_pictures_have_the_thresholds():
    rows = pd.DataFrame(pictures.picture_information(), columns=["picture", "line", "x", "y"])
    first = int(rows.loc[rows["y"] > 1, "x"].min())
    assert (rows.loc[rows["x"] >= first, "y"] > 1).all()
    assert f"exceeded at every K drawn from {first} on" in caption("claims_pictures")
    level, text = math.log(pictures.PICTURE_HORIZON / pictures.DELTA), caption("claims_pictures")
    event = [pictures.event_at_one(FLOATS, 16.0, norm, level, 1.0) for norm in (3.95, 4.05)]
    distance = [pictures.distance_at_one(FLOATS, 84.0, norm, level, 1.0) for norm in (83.95, 84.05)]
    assert event[0] < 1 < event[1]
    assert distance[0] < 1 < distance[1]
    assert f"T = {pictures.PICTURE_HORIZON:g}), computed, over the printed squared radii" in text
    assert "exceeded there for S above 4.0 and 84.0" in text


def test_changing_says_where_the_trigger_fires():
    table = pd.read_csv(REFERENCE / "changing_long.csv")
    adaptive = table[table["algorithm"] == "adaptive-real-paper"]
    ends = adaptive[adaptive["t"] == adaptive["t"].max()].set_index("instance")
    text = caption("changing_long")
    assert "by 1e15 rounds" in text
    for instance, words in (("random-K3", "on the list"), ("changing-cycle", "on the sets in turn")):
        assert f"{ends.loc[instance, 'explored']:.1e} times {words}".replace("e+0", "e") in text
    factors = ends["bound"] / ends["explored"]
    assert f"a {factors['random-K3']:.0f}th and a {factors['changing-cycle']:.0f}rd of the bound" in text
    always = adaptive[adaptive["explored"] >= adaptive["t"] * (1 - 1e-9)]
    assert always.groupby("instance")["t"].max().min() >= 2.5e6
    exact = pd.read_csv(REFERENCE / "changing.csv")
    share = (exact["explored"] / exact["t"])[exact["algorithm"].str.startswith("adaptive")]
    assert (share[exact["preset"] == "paper"] == 1).all()
    assert share.min() > 0.999


def test_what_multipliers_from_elsewhere_cover():
    text, table = caption("data"), pd.read_csv(REFERENCE / "data.csv").query("calibrated_on == 'random-K3'")
    assert (
        "MNL-UCB and of Algorithm 3 held theta_* in none of the 75 runs of any instance, those of the others in all"
        in " ".join(text.split())
    )
    none = table["algorithm"].isin(["mnl-ucb-transferred", "adaptive-real-transferred"])
    assert set(table["runs"]) == {75}
    assert (table["coverage"] == np.where(none, 0.0, 1.0)).all()
    assert none.any()
    assert not none.all()


def test_who_plays_the_longest_arm_on_real_data():
    assert (
        "On modechoice and on the recommender MNL-UCB, OFUL-MLogB and Algorithm 3 play the longest arm in every round"
        in " ".join(caption("data").split())
    )
    means = pd.read_csv(REFERENCE / "data.csv").set_index(["instance", "algorithm"])["mean"]
    for name in ("modechoice", "recommender"):
        instance, horizon = instance_of(name), CONFIG["studies"]["data"]["horizon"]
        regret = horizon * instance.gaps[np.argmax(np.linalg.norm(instance.arms, axis=1))]
        for system in ("mnl-ucb", "oful-mlogb", "adaptive-real"):
            for label in (f"{system}-calibrated", f"{system}-transferred"):
                assert means[name, label] == pytest.approx(regret, rel=1e-9)


def test_how_long_real_explores_on_real_data():
    table = pd.read_csv(REFERENCE / "data_long.csv").query("algorithm == 'real-paper'").groupby("instance")["tau"].first()
    assert "1e15 rounds on modechoice and on the recommender, and more on the others" in " ".join(
        caption("data_long").split()
    )
    assert {f"{table[name]:.0e}" for name in ("modechoice", "recommender")} == {"1e+15"}
    assert table[["anes96", "fair"]].min() > 1.5e15
