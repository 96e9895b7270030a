"""What every figure must show: panels, names, numbers of runs and intervals, and verdicts; at one and at six instances."""

import math

import numpy as np
import pandas as pd
import pytest
import tables
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from mnlbandits.algorithms.base import PRESETS
from mnlbandits.analysis.intervals import clopper_pearson
from mnlbandits.plots import (
    calibration,
    changing,
    claims,
    comparison,
    coverage,
    diameter,
    exploration,
    exponents,
    family,
    frameworks,
    horizon,
    kappa,
    kappa_star,
    profile,
    rate,
    regret,
    scaling,
    style,
    transfer,
)

FACTS = dict.fromkeys(tables.NAMES, ("$K = 3$", "$d = 2$", "$S = 0.816$", r"$\kappa_* = 24.6$"))
"""What titles say of instances."""

TITLED = ("changing", "comparison", "diameter", "horizon", "rate", "regret", "transfer")
"""Figures with a panel for each instance."""

DRAW = {
    "calibration": calibration.draw,
    "claims": claims.draw,
    "scaling": scaling.draw,
    "changing": changing.draw,
    "regret": regret.draw,
    "diameter": diameter.draw,
    "coverage": coverage.draw,
    "kappa_star": kappa_star.draw,
    "kappa": kappa.draw,
    "comparison": comparison.draw,
    "frameworks": frameworks.draw,
    "horizon": horizon.draw,
    "rate": rate.draw,
    "profile": profile.draw,
    "transfer": transfer.draw,
    "exploration": exploration.draw,
    "exponents": exponents.draw,
    "family": family.draw,
}
COUNTS = (1, 2, 5, 6)


def test_bounds_are_rounded_up():
    bounds = {0.0: "0 %", 1e-5: "0.001 %", 0.012: "2 %", 0.02: "2 %", 0.096: "10 %", 0.11: "20 %", 1.0: "100 %"}
    assert {bound: style.percent(bound) for bound in bounds} == bounds


def test_instances_of_the_calibration_have_marks_of_their_own():
    count = 20
    rows = [(f"i{place:02}", "real", "radius_multiplier", 0.5, True, 9) for place in range(count)]
    columns = ["instance", "algorithm", "option", "multiplier", "passed", "runs"]
    figure = calibration.draw(pd.DataFrame(rows, columns=columns))
    marks = {(line.get_color(), line.get_marker()) for line in box_of(figure).get_lines() if line.get_marker() != "None"}
    assert len(marks) == count


def box_of(figure):
    """The legend of all panels: of the figure, or in a free cell."""
    return next(iter([*figure.legends, *(axis.get_legend() for axis in figure.axes if not axis.axison)]))


def names_of(figure):
    return [text.get_text() for text in box_of(figure).get_texts()]


def note_of(figure):
    return box_of(figure).get_title().get_text().replace("\n", " ")


def panels_of(figure):
    return [axis for axis in figure.axes if axis.axison]


def marks(axis, marker):
    """Points drawn with a marker in a panel."""
    return sum(len(line.get_xdata()) for line in axis.get_lines() if line.get_marker() == marker)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", DRAW)
def test_every_panel_is_labelled_and_everything_fits(name, count):
    facts = {"facts": FACTS} if name in TITLED else {}
    figure = DRAW[name](tables.TABLES[name](count), **facts)
    assert isinstance(figure, Figure)
    assert not facts or any("S = 0.816" in axis.get_title() for axis in panels_of(figure))
    assert figure.get_figwidth() in (style.COLUMN, style.PAGE)
    renderer, page = FigureCanvasAgg(figure).get_renderer(), figure.bbox.padded(1)
    figure.draw_without_rendering()
    axes = panels_of(figure)
    extents = [axis.get_tightbbox(renderer) for axis in axes]
    legend = box_of(figure).get_window_extent(renderer)
    assert all(min(box.x0, box.y0) >= -1 and box.x1 <= page.x1 and box.y1 <= page.y1 for box in [*extents, legend])
    assert not any(legend.overlaps(box) for box in extents)
    titles = [axis.title.get_window_extent(renderer) for axis in axes if axis.get_title()]
    said = figure._suptitle.get_window_extent(renderer)
    assert said.x0 >= 0
    assert said.x1 <= page.x1
    assert said.y1 <= page.y1
    assert not any(said.overlaps(box) for box in extents)
    assert not any(a.overlaps(b) for i, a in enumerate(titles) for b in titles[:i])
    bottom = [axis for axis in axes if axis.xaxis.get_tick_params()["labelbottom"]]
    assert bottom
    assert all(axis.get_xlabel() for axis in bottom)
    assert all(len(set(axis.get_xticks())) >= 2 for axis in axes)
    assert len(names_of(figure)) == len(set(names_of(figure))) >= 2


@pytest.mark.parametrize("count", [1, 5])
def test_changing_has_a_row_per_preset_one_of_curvature_and_one_of_exploration(count):
    figure = changing.draw(tables.changing(tables.NAMES[:count]))
    axes = np.array(figure.axes).reshape(5, count)
    labels = [row[0].get_ylabel() for row in axes]
    assert all(
        label.startswith(PRESETS[preset]) for preset, label in zip(("paper", "valid", "calibrated"), labels, strict=False)
    )
    assert "kappa" in labels[3]
    assert "explore" in labels[4]
    assert [axis.get_title().replace("-\n", "-") for axis in axes[0]] == tables.NAMES[:count]
    assert [len(axis.get_lines()) for axis in axes[4]] == [
        6
    ] * count  # every round, explored and bound of two sets of constants
    assert "the lemma's bound (paper's constants)" in names_of(figure)
    assert "mean over 4 runs" in note_of(figure)


@pytest.mark.parametrize("count", [1, 6])
def test_regret_has_a_row_per_preset_and_a_column_per_instance(count):
    figure = regret.draw(tables.regret(tables.NAMES[:count], runs=7))
    axes = np.array(figure.axes).reshape(3, count)
    labels = [row[0].get_ylabel() for row in axes]
    for preset, label in zip(("paper", "valid", "calibrated"), labels, strict=True):
        assert label.startswith(PRESETS[preset])
    assert [axis.get_title().replace("\n", "") for axis in axes[0]] == tables.NAMES[:count]
    drawn = [[len(axis.get_lines()) - 2 for axis in row] for row in axes]  # without the yardstick and the guide
    assert drawn == [[2] * count, [1] * count, [2] * count]
    assert names_of(figure)[:4] == ["REAL", "newcomer", "OFUL-MLogB", "uniform play"]
    assert all(axis.get_xscale() == axis.get_yscale() == "log" for axis in axes.flat)
    assert "mean over 7 runs" in note_of(figure)
    assert "95 % Student interval" in note_of(figure)
    assert "oracle: regret 0" in note_of(figure)


def test_regret_of_one_run_has_no_interval():
    figure = regret.draw(tables.regret(tables.NAMES[:1], runs=1))
    assert "mean over 1 run; no interval" in note_of(figure)
    assert not any(
        band.get_paths()[0].vertices.size for axis in figure.axes for band in axis.collections if band.get_paths()
    )


def test_regret_draws_the_columns():
    table = tables.regret(tables.NAMES[:1])
    group = table[table["algorithm"] == "real-paper"]
    line = next(line for line in regret.draw(table).axes[0].get_lines() if line.get_color() == style.COLOURS[0])
    np.testing.assert_array_equal(line.get_xydata(), group[["t", "mean"]].to_numpy())


def test_regret_for_a_slide():
    """Of a size, on linear axes, and with all constants in one row, where the legend tells them apart."""
    table = tables.regret(tables.NAMES[:2])
    figure = regret.draw(table, titled=False, size=(8, 4.5), log=False, together=True)
    assert figure.get_size_inches().tolist() == [8, 4.5]
    assert len(figure.axes) == 2
    assert {axis.get_xscale() for axis in figure.axes} | {axis.get_yscale() for axis in figure.axes} == {"linear"}
    assert all(axis.get_ylim()[0] == 0 for axis in figure.axes)
    names = names_of(figure)
    assert {f"REAL, {PRESETS['paper']}", f"REAL, {PRESETS['calibrated']}", "oracle", "uniform play"} <= set(names)
    assert len(names) == len(set(names)) == len(tables.LABELS)
    looks = regret.look(list(tables.LABELS.items()), ["paper", "valid", "calibrated"])
    assert len({str(look) for look in looks.values()}) == len(looks), "all look different"


def test_regret_says_which_lines_hide_others():
    table = tables.regret(tables.NAMES[:1])
    twin = table[table["algorithm"] == "real-paper"].assign(algorithm="twin-paper")
    assert "one line" not in note_of(regret.draw(table))
    assert "REAL, paper's constants and twin, paper's constants: the same regret, one line" in note_of(
        regret.draw(pd.concat([table, twin]))
    )


def test_regret_of_yardsticks_alone():
    table = tables.regret(tables.NAMES[:2])
    figure = regret.draw(table[table["preset"] == "none"])
    assert len(figure.axes) == 2
    assert figure.axes[0].get_ylabel() == "cumulative regret"
    assert regret.draw(table[table["algorithm"] == "oracle"]).axes


def test_labels_share_a_colour_and_a_name_with_their_algorithm():
    labels = [("real-paper", "paper"), ("real-valid", "valid"), ("mine", "paper"), ("greedy", "none"), ("uniform", "none")]
    looks = regret.look(labels)
    assert looks["real-paper", "paper"] == looks["real-valid", "valid"] != looks["mine", "paper"]
    assert looks["uniform", "none"]["color"] == style.GREY
    assert regret.look([("uniform-none", "none")])["uniform-none", "none"]["color"] == style.GREY
    assert looks["greedy", "none"]["color"] not in (style.GREY, looks["mine", "paper"]["color"])
    assert style.title("oful-mlogb-valid", "valid") == "OFUL-MLogB"
    assert style.title("mine", "paper") == "mine"


@pytest.mark.parametrize("count", [1, 6])
def test_diameter_marks_both_lengths_and_their_factor(count):
    table = tables.diameter(tables.NAMES[:count])
    figure = diameter.draw(table)
    axes = panels_of(figure)
    assert [axis.get_title() for axis in axes] == tables.NAMES[:count]
    for axis, (_, path) in zip(axes, table.groupby("instance", sort=False), strict=True):
        last, texts = path.iloc[-1], [text.get_text() for text in axis.texts]
        assert any(str(math.floor(last["tau"] / last["shortest"])) in text for text in texts)
        assert marks(axis, "D") == marks(axis, "o") == 1
        assert any(set(line.get_ydata()) == {last["bound"]} for line in axis.get_lines())
        assert axis.get_xscale() == axis.get_yscale() == "log"
    assert r"1/\sqrt{6}" in " ".join(names_of(figure))
    assert PRESETS["paper"] in note_of(figure)
    assert "no seeds, no interval" in note_of(figure)


def test_diameter_says_if_the_bound_is_not_reached():
    table = tables.diameter(tables.NAMES[:1]).assign(shortest=math.nan)
    (axis,) = panels_of(diameter.draw(table))
    assert any("not reached" in text.get_text() for text in axis.texts)
    assert marks(axis, "o") == 0


@pytest.mark.parametrize("count", [1, 6])
def test_coverage_has_two_panels_per_preset_and_a_row_per_set(count):
    figure = coverage.draw(tables.margins(tables.NAMES[:count]))
    titles = [axis.get_title(loc="left") for axis in figure.axes[::2]]
    assert titles == [PRESETS[preset] for preset in ("paper", "valid", "calibrated")]
    rows = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert rows == ["REAL  $\\Theta$", "REAL  $\\mathcal{C}_t$", "OFUL-MLogB  $\\mathcal{C}_t$"]
    assert names_of(figure)[:count] == tables.NAMES[:count]
    assert "40 runs" in note_of(figure)
    assert "95 % Clopper-Pearson interval" in note_of(figure).replace("\n", " ")


def test_coverage_draws_boundary_target_and_interval():
    table = tables.margins(tables.NAMES[:1])
    table.loc[(table["algorithm"] == "real-valid") & (table["run"] < 3), "ratio"] = 1.5
    figure = coverage.draw(table.assign(delta=0.1))
    left, right = figure.axes[2:4]
    assert left.get_xscale() == "log"
    assert any(list(line.get_xdata()) == [1, 1] for line in left.get_lines())
    assert any(list(line.get_xdata()) == [0.9, 0.9] for line in right.get_lines())
    ends = [segment[:, 0].tolist() for lines in right.collections for segment in lines.get_segments()]
    assert ends == [list(clopper_pearson(37, 40))] * 2
    assert any("0.9" in name for name in names_of(figure))


def test_coverage_shows_every_interval_whole():
    table = tables.margins(tables.NAMES[:2])
    table.loc[(table["preset"] == "calibrated") & (table["run"] < 8), "ratio"] = 1.5  # the last panel's are the lowest
    for axis in coverage.draw(table).axes:
        low, high = axis.get_xlim()
        ends = [x for lines in axis.collections for segment in lines.get_segments() for x in segment[:, 0]]
        assert low <= min(ends)
        assert max(ends) <= high


@pytest.mark.parametrize("count", [1, 4, 6])
def test_kappa_star_draws_both_readings_and_the_printed_bound(count):
    table = tables.kappa_star(count)
    figure = kappa_star.draw(table)
    axes = panels_of(figure)
    assert [axis.get_title() for axis in axes] == [f"$K = {outcomes}$" for outcomes in range(2, 2 + count)]
    for axis, (_, example) in zip(axes, table.groupby("outcomes"), strict=True):
        assert axis.get_yscale() == "log"
        drawn = [line.get_ydata().tolist() for line in axis.get_lines()]
        assert drawn == [example[column].tolist() for column in ("kappa_star_m", "kappa_star", "printed", "kappa")]
    assert len(names_of(figure)) == 4
    assert "no seeds, no interval" in note_of(figure)


@pytest.mark.parametrize("count", [1, 6])
def test_kappa_marks_where_a_bound_fails(count):
    figure = kappa.draw(tables.kappa(count))
    axes = np.array(figure.axes).reshape(2, count)
    assert [axis.get_title() for axis in axes[0]] == [f"$K = {outcomes}$" for outcomes in range(2, 2 + count)]
    assert [row[0].get_ylabel().split("\n")[0] for row in axes] == list(kappa.CONVENTIONS.values())
    for axis, outcomes in zip(axes[0], range(2, 2 + count), strict=True):
        assert marks(axis, "X") == 2
        assert marks(axis, "o") == (6 if outcomes % 2 else 10)  # the bound for even K is not a claim on odd K
        assert any(set(line.get_ydata()) == {1} for line in axis.get_lines())
    assert names_of(figure)[-2:] == ["holds", "fails"]


def test_kappa_reads_undecided_verdicts():
    figure = kappa.draw(tables.kappa(1, undecided=True))
    assert marks(figure.axes[0], "D") == 1
    assert [name.split(":")[0] for name in names_of(figure)[-3:]] == ["holds", "undecided", "fails"]


def test_frameworks_show_what_either_can_reach():
    figure = frameworks.draw(tables.frameworks(5))
    mnl, logit, *regrets = figure.axes
    corners = np.vstack([frameworks.CORNERS.T, np.ones(3)])

    def laws(axis, marker):
        points = next(line.get_xydata() for line in axis.get_lines() if line.get_marker() == marker)
        return np.linalg.solve(corners, np.vstack([points.T, np.ones(len(points))])).T

    actions, sets = laws(mnl, "o"), laws(logit, "s")
    assert actions[2] == pytest.approx(1 / 3, rel=1e-9)  # x = 0
    assert (actions > 1 / (1 + 2 * math.exp(math.sqrt(2) * frameworks.NORM))).all()
    assert [sets[1, 1], sets[2, 0]] == pytest.approx([0, 0], abs=1e-12)  # the item left out
    assert sets[0, 0] / sets[0, 2] == pytest.approx(sets[1, 0] / sets[1, 2], rel=1e-9)  # the odds kept
    assert [len(axis.get_lines()) for axis in regrets] == [2, 3]
    assert {"OFUL-MLogB", "OFU-MNL+", "UCB-MNL"} < set(names_of(figure))
    assert "mean of 5 runs, 95 % Student interval" in note_of(figure)
    assert "no interval" in note_of(frameworks.draw(tables.frameworks(1)))


def test_a_count_of_runs_is_written_out():
    assert style.count_range([20, 20], "run") == "20 runs"
    assert style.count_range([1], "run") == "1 run"
    assert style.count_range([80, 200], "run") == "80\N{EN DASH}200 runs"


def test_a_legend_below_needs_no_more_than_the_figure():
    with style.applied():
        figure, axes = style.panels(1, 1, style.COLUMN, 1.5, 0.5)
        axes[0, 0].set(xlabel="x", ylabel="y")
        style.legend(figure, [Line2D([], [], label="a line")], 1, "words " * 40)
        figure.draw_without_rendering()
    assert box_of(figure).get_window_extent().width <= figure.bbox.width


def test_comparison_has_a_mark_per_system_and_preset_and_names_the_rows_of_table_1():
    table = tables.TABLES["comparison"](2)
    figure = comparison.draw(table)
    labels = [text.get_text() for text in panels_of(figure)[0].get_yticklabels()]
    assert labels[:2] == ["OFUL-MLogB (10)", "REAL (11)"]
    assert "newcomer" in labels
    for axis in panels_of(figure):
        assert sum(marks(axis, look["marker"]) for look in comparison.LOOKS.values()) == 5
    assert "4 runs" in note_of(figure)
    assert "Student" in note_of(figure)
    assert set(names_of(figure)) == {"paper's constants", "valid constants", "calibrated constants", "uniform play"}


def test_calibration_has_a_row_per_radius_and_marks_what_failed():
    figure = calibration.draw(tables.calibration(tables.NAMES[:2]))
    (axis,) = panels_of(figure)
    rows = [text.get_text() for text in axis.get_yticklabels()]
    assert rows == ["OFUL-MLogB (10)", "REAL (11), $\\Theta$", "REAL (11), $\\mathcal{C}_t$", "REAL, adaptive exploration"]
    hollow = [line for line in axis.get_lines() if line.get_markerfacecolor() == "none"]
    assert [line.get_xdata()[0] for line in hollow] == [1.0, 1.0]
    assert "501\N{EN DASH}502 runs" in note_of(figure)


def test_scaling_shows_printed_powers_where_there_are_any():
    figure = scaling.draw(tables.scaling(5))
    axes = panels_of(figure)
    assert [axis.get_xlabel() for axis in axes] == [f"power of {name}" for name in scaling.NAMES.values()]
    for axis in axes:
        assert marks(axis, "o") == marks(axis, "s") == 5
        assert len({line.get_ydata()[0] for line in axis.get_lines() if line.get_marker() == "D"}) == 5
        assert sum(not math.isnan(line.get_xdata()[0]) for line in axis.get_lines() if line.get_marker() == "D") == 8
        hollow = [
            line for line in axis.get_lines() if line.get_marker() in ("o", "s") and line.get_markerfacecolor() == "none"
        ]
        assert len(hollow) == (10 if "K" in axis.get_xlabel() else 0)
    assert "50 runs" in note_of(figure)
    assert names_of(figure) == ["measured at T = 1e5", "measured at T = 1e9", "printed in Table 1"]


@pytest.mark.parametrize("bound", [5e-5, 0.02])
def test_family_draws_the_proofs_bound_in_every_panel_or_states_one_far_below(bound):
    table = tables.family(3)
    table.loc[table["family"] == "signs", "bound"] = bound
    axes = panels_of(family.draw(table))
    assert [axis.get_xlabel() for axis in axes] == [*["$K$", "$d$", "$T$"] * 2, "$K$", "$T$"]
    for place, axis in enumerate(axes):
        drawn = bound == 0.02 or place >= 6
        assert [len(line.get_xdata()) for line in axis.get_lines()] == [len(axis.get_lines()[-1].get_xdata())] * (3 + drawn)
        assert len(axis.texts) == (not drawn)
        assert axis.get_yscale() == "log"
    if bound == 0.02:
        np.testing.assert_allclose(axes[3].get_lines()[-1].get_ydata(), bound * np.sqrt([2, 3, 16]))
    else:
        assert axes[0].texts[0].get_text() == r"proved: above $5 \cdot 10^{-5}$"
        assert axes[3].texts[0].get_text() == r"proved: above $7 \cdot 10^{-5}$ to $2 \cdot 10^{-4}$"
    figure = family.draw(table)
    assert "50 runs" in note_of(figure)
    assert names_of(figure)[0] == "specialist of the lower bound's family"
