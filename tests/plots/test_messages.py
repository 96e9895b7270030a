"""What the titles of figures say, on tables small enough to be read."""

import math

import pandas as pd
import pytest
import tables

from mnlbandits.plots import (
    calibration,
    chains,
    changing,
    claims,
    comparison,
    coverage,
    diameter,
    exploration,
    exponents,
    family,
    horizon,
    kappa,
    kappa_star,
    messages,
    profile,
    rate,
    regret,
    scaling,
    transfer,
)


def ends(*rows):
    return pd.DataFrame(rows, columns=["instance", "algorithm", "preset", "t", "mean"])


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.5, "0.5"),
        (2.0, "2"),
        (9.96, "10"),
        (61.4, "61"),
        (78_267, "78{,}000"),
        (999_999, r"10^{6}"),
        (2.11e10, r"2.1\times10^{10}"),
        (1e18, r"10^{18}"),
        (5e-7, r"5\times10^{-7}"),
    ],
)
def test_numbers_have_two_digits(value, said):
    assert messages.tex(value) == said


def test_a_horizon_is_whole():
    assert messages.time(123_456) == "t=123{,}456"
    assert messages.time(10**15) == "t=10^{15}"


def test_a_span_of_one_number_names_it_once():
    assert messages.span([0.56, 0.561]) == "$0.56$"
    assert messages.span([3.0, math.nan, 1.0]) == "$1$ to $3$"


def test_the_lowest_at_the_end_of_each_panel():
    table = ends(
        ("a", "real-paper", "paper", 10, 1.0),
        ("a", "real-paper", "paper", 20, 5.0),
        ("a", "rs-mnl-paper", "paper", 10, 2.0),
        ("a", "rs-mnl-paper", "paper", 20, 3.0),
        ("a", "real-valid", "valid", 20, 2.0),
        ("a", "rs-mnl-valid", "valid", 20, 3.0),
        ("a", "uniform", "none", 20, 0.1),
    )
    lowest = "REAL in 1 of 2 panels that it plays, RS-MNL in 1 of 2"
    assert regret.message(table) == f"Lowest regret at $t=20$: {lowest}; REAL ends above uniform play in all 2"


def test_real_is_named_where_it_never_is_the_lowest():
    table = ends(("a", "real-paper", "paper", 20, 5.0), ("a", "rs-mnl-paper", "paper", 20, 3.0))
    assert regret.message(table) == "Lowest regret at $t=20$: RS-MNL in 1 of 1 panels that it plays, REAL in none of 1"


def test_the_same_regret_counts_for_all_who_have_it():
    table = ends(("a", "ofuglb-valid", "valid", 20, 3.0), ("a", "rs-mnl-valid", "valid", 20, 3.0))
    assert regret.message(table) == (
        "Lowest regret at $t=20$: OFUGLB in 1 of 1 panels that it plays, RS-MNL in 1 of 1 (ties count for all)"
    )


def test_a_learner_without_constants_is_in_every_panel():
    table = ends(
        ("a", "mine", "none", 20, 1.0), ("a", "real-paper", "paper", 20, 5.0), ("a", "real-valid", "valid", 20, 5.0)
    )
    assert regret.message(table) == "Lowest regret at $t=20$: mine in 2 of 2 panels that it plays, REAL in none of 2"


def test_one_system_alone_is_compared_with_nobody():
    assert regret.message(ends(("a", "real-paper", "paper", 20, 5.0), ("a", "uniform", "none", 20, 9.0))) is None


def test_a_comparison_speaks_of_the_constants_that_are_fair():
    table = ends(
        ("a", "real-paper", "paper", 20, 1.0),
        ("a", "rs-mnl-paper", "paper", 20, 3.0),
        ("a", "real-calibrated", "calibrated", 20, 3.0),
        ("a", "rs-mnl-calibrated", "calibrated", 20, 2.0),
    )
    said = "Calibrated constants: lowest regret at $t=20$: RS-MNL in 1 of 1 panels that it plays, REAL in none of 1"
    assert comparison.message(table) == said


def test_changing_says_in_what_share_of_the_rounds_it_explores():
    table = ends(
        ("a", "adaptive-real-paper", "paper", 20, 5.0),
        ("a", "rs-mnl-paper", "paper", 20, 3.0),
        ("a", "adaptive-real-valid", "valid", 20, 2.0),
        ("a", "rs-mnl-valid", "valid", 20, 3.0),
    ).assign(explored=[20, 0, 7, 0])
    assert changing.message(table).endswith("; share of rounds that explore in Algorithm 3: $0.35$ to $1$")


def test_profile():
    table = tables.profile(1).drop_duplicates("algorithm").assign(ratio=0.5, share=[0.25, 0.75])
    assert profile.message(table).endswith("regret: REAL in 25 %, the best in 75 % (paper's constants)")
    assert profile.message(table.iloc[:0]) is None


def test_coverage():
    table = tables.margins(tables.NAMES[:1])
    cells = table.groupby(["algorithm", "set"]).ngroups
    unsettled = f"none of {cells} cases, {cells} undecided"  # 40 runs cannot show 0.95
    assert unsettled in coverage.message(table)
    table.loc[table["algorithm"] == "oful-mlogb-paper", "ratio"] = 2.0
    assert f"{cells - 1} undecided, 1 significantly less (OFUL-MLogB, paper's constants)" in coverage.message(table)


def test_a_panel_counts_for_the_systems_that_play_it():
    table = ends(
        ("a", "ada-ofu-ecolog-paper", "paper", 20, 1.0),
        ("a", "real-paper", "paper", 20, 2.0),
        ("b", "real-paper", "paper", 20, 5.0),
        ("b", "rs-mnl-paper", "paper", 20, 3.0),
    )
    said = "RS-MNL in 1 of 1 panels that it plays, ada-OFU-ECOLog in 1 of 1, REAL in none of 2"
    assert regret.message(table) == f"Lowest regret at $t=20$: {said}"


def test_winners_without_a_name_are_counted():
    systems = ("glm-ucb", "mnl-ucb", "ofuglb", "rs-mnl")
    table = ends(*[(name, label, "valid", 20, float(name != label)) for name in systems for label in systems])
    table["algorithm"] += "-valid"
    assert regret.message(table).endswith("OFUGLB in 1 of 4, others in 1")


def test_horizon_and_rate():
    table = tables.horizon(tables.NAMES[:1])
    assert horizon.message(table).startswith("REAL explores for $10^{10}$ rounds; lowest regret at $t=10^{18}$: ")
    height = table.loc[(table["t"] == table["t"].max()) & (table["algorithm"] == "real-paper"), "over_rate"].item()
    assert f"the regret of REAL is ${messages.tex(height)}$ times" in rate.message(table)
    assert "without its exploration (paper's constants)" in rate.message(table)


def test_transfer():
    said = "none of 2 radii calibrated on the instance itself, all 2 radii calibrated elsewhere"
    assert transfer.message(tables.data(tables.NAMES[:1])) == f"Significantly less coverage than promised: {said}"


def test_lengths_of_the_exploration():
    said = exploration.message(tables.exploration_lengths(1))
    assert said == "REAL explores $7{,}700$ times as long as its Algorithm 3, which adapts"
    table = tables.diameter(tables.NAMES[:1]).assign(tau=1000, shortest=300)
    assert diameter.message(table).startswith(
        "The paper's exploration is at least 3 times as long as it takes to the diameter"
    )
    assert "does not reach" in diameter.message(table.assign(shortest=math.nan))


def test_powers():
    said = exponents.message(tables.exponent_points(2))
    assert r"REAL has regret like $T^{0.50}\,d^{1.00}\,K^{0.50}\,\kappa_*^{-0.50}\,R^{1.00}$" in said
    said = scaling.message(tables.scaling(1))
    assert said == (
        "Powers at finite T (which refutes no rate) that are significantly above Table 1's: "
        "all 4 at $T=100{,}000$, all 4 at $T=10^{9}$"
    )


@pytest.mark.parametrize(
    ("half", "said"), [(0.0541, "0.055"), (0.00055, r"6 \times 10^{-4}"), (0.0, "0.000"), (1e-3, "0.001")]
)
def test_the_width_of_an_interval_is_rounded_up(half, said):
    assert exponents.rounded_up(half) == said


def test_bounds():
    assert kappa.message(tables.kappa(2)) == (
        r"Printed bounds on $\kappa$ that fail: lower bound of the text in 8 of 16 cases, "
        "that of App. B.1 in none of 8 cases, upper bound in none of 16 cases"
    )
    table = tables.kappa_star(1)
    assert kappa_star.message(table).endswith("in all 5 cases computed")
    assert kappa_star.message(table.assign(kappa_star_m=[0.1, 9, 9, 99, 999])).endswith("in 4 of 5 cases computed")


def test_family():
    table = tables.family(1)
    table.loc[(table["quantity"] == "K") & (table["value"] == 16) & (table["family"] == "signs"), "over_root_KT"] = 0.15
    assert "on Theorem 2's family $0.5$ times as high at $K=16$ as at 2, on hidden pairs $1$ times" in family.message(table)


def test_calibration():
    said = calibration.message(tables.calibration(tables.NAMES[:1]))
    assert said == ("Sets still cover with valid radii times $0.004$ to $1$, least for REAL; with the full radius 4 of 5 do")


def test_claims():
    assert claims.message(tables.claims(5)).endswith("in all 4 panels that have one")
    assert claims.message(tables.claims(5).assign(y=0.5)).endswith("in none of 4 panels that have one")


def test_chains_count_a_statement_once():
    verdicts = [(1, "C1", "corrected"), (1, "C2", "refuted"), (2, "C1", "corrected"), (2, "C3", "holds")]
    table = pd.DataFrame(verdicts, columns=["theorem", "id", "verdict"])
    said = "Of 3 statements on which the theorems rest 2 are false as printed, 1 of them with a correction"
    assert chains.message(table) == said
