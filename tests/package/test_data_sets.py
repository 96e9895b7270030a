"""The tables of the real data sets, and what the documentation says of them."""

from pathlib import Path

import numpy as np
import pytest

from mnlbandits.instances import make_instance
from mnlbandits.instances.data import DATA_SETS, estimate, features_of
from mnlbandits.model.softmax import softmax, softmax_jacobian
from mnlbandits.verify.data_sets import data_sets_table, estimates_table

DOCUMENTATION = (Path(__file__).parents[2] / "config" / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def table():
    return data_sets_table().set_index("dataset")


def documented(heading: str) -> dict[str, list[str]]:
    """The cells of the table of `DOCUMENTATION` with this heading, by the first of a row."""
    lines = DOCUMENTATION.split(f"| `dataset` | {heading} |")[1].split("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {first.strip("`"): others for first, *others in rows}


def as_shown(value: float, cell: str) -> float:
    """A number to as many digits as a cell shows."""
    digits = len(cell.split("e")[0].replace(".", "").lstrip("0"))
    return float(f"{float(value):.{digits}g}")


def test_the_documented_numbers(table):
    """Every cell is the number in the table, to the digits that it shows."""
    columns = ["decisions", "rows", "outcomes", "dim", "S", "error", "kappa", "kappa_of_theta", "kappa_star", "gap"]
    heading = "decisions | rows | K | d | S | error | kappa | kappa of theta_* | kappa_* | gap"
    shown = documented(heading)
    assert list(shown) == list(table.index)
    for dataset, cells in shown.items():
        for column, cell in zip(columns, cells, strict=True):
            assert as_shown(table.loc[dataset, column], cell) == float(cell), (dataset, column)


def test_the_documented_sources(table):
    shown = documented(
        "outcomes, with the reward of each | arms: features of | source and licence, as statsmodels states them"
    )
    assert list(shown) == list(DATA_SETS)
    for dataset, (*_, origin) in shown.items():
        source, licence = origin.split("; ")
        assert DATA_SETS[dataset].licence.endswith(licence)
        assert (
            source.split(",")[0].split(" (")[0].split(" and ")[0]
            in f"{DATA_SETS[dataset].source} {DATA_SETS[dataset].title}"
        )
        assert tuple(table.loc[dataset, ["source", "licence"]]) == (DATA_SETS[dataset].source, DATA_SETS[dataset].licence)


def test_constants_by_their_definitions(table):
    """kappa of theta_* by eigenvalues of the full Jacobian, whose smallest belongs to the ones vector."""
    dataset = "modechoice"
    fitted = estimate(dataset, features_of(dataset))
    second = [np.linalg.eigvalsh(softmax_jacobian(fitted.theta @ x))[1] for x in fitted.rows]
    row = table.loc[dataset]
    assert row["kappa_of_theta"] == pytest.approx(1 / min(second), rel=1e-9)  # lambda is 5e-3, known to 1e-16
    assert row["kappa_of_theta"] < row["kappa"]
    assert row["error"] == pytest.approx(np.linalg.norm(fitted.standard_errors) / np.linalg.norm(fitted.theta), rel=1e-7)
    means = softmax(fitted.rows @ fitted.theta.T) @ np.array(DATA_SETS[dataset].rewards)
    assert row["gap"] == pytest.approx(np.diff(np.sort(means))[-1], rel=1e-9)


def test_estimates():
    estimates = estimates_table()
    assert len(estimates) == sum(estimate(name, features_of(name)).theta.size for name in DATA_SETS)
    row = estimates.set_index(["dataset", "outcome", "feature"]).loc[("anes96", "strong R", "selfLR")]
    instance = make_instance("x", "data", {"dataset": "anes96"})
    assert row["estimate"] == pytest.approx(instance.theta[6, 2], abs=1e-6)  # centred again after rounding
    assert row["standard_error"] == instance.standard_errors[6, 2]
    assert row["estimate"] > 10 * row["standard_error"]


VARIANTS = documented("`features` | rows | d | S | kappa")


@pytest.mark.parametrize("dataset", VARIANTS)
def test_the_documented_variants(dataset):
    names, *cells = VARIANTS[dataset]
    instance = make_instance("x", "data", {"dataset": dataset, "features": names.split(", "), "arms": 0})
    found = [len(instance.arms), instance.dim, instance.norm_bound, instance.constants["kappa"]]
    assert [as_shown(value, cell) for value, cell in zip(found, cells, strict=True)] == [float(cell) for cell in cells]


@pytest.mark.parametrize("seed", [0, 3])
def test_seeds_whose_longest_arm_is_the_best(seed):
    instance = make_instance("x", "data", {"seed": seed})
    assert np.linalg.norm(instance.arms, axis=1).argmax() == instance.gaps.argmin()
