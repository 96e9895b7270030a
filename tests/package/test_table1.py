"""Table 1 beside the registry, and the fit of the cost's growth."""

import numpy as np
import pandas as pd
import pytest

from mnlbandits.algorithms import REGISTRY, get_algorithm
from mnlbandits.instances import make_instance
from mnlbandits.seeds import generator
from mnlbandits.verify.cost import SIZES, cost_table, fill, growth, store_of
from mnlbandits.verify.table1 import PRINTED, table1


def test_every_row_of_the_paper_is_here():
    assert len(PRINTED) == 11
    assert [row.cost for row in PRINTED].count("-") == 2


@pytest.mark.parametrize("name", [name for name, algorithm in REGISTRY.items() if algorithm.row])
def test_the_registry_repeats_what_is_printed(name):
    algorithm, printed = REGISTRY[name], PRINTED[REGISTRY[name].row - 1]
    assert "".join(algorithm.regret.split()) == "".join(printed.regret.split())
    assert "".join(algorithm.cost.split()) == "".join(printed.cost.split())
    assert algorithm.mark


def test_rows_without_a_system_are_the_intractable_ones():
    have = {algorithm.row for algorithm in REGISTRY.values()}
    assert {number for number in range(1, 12) if number not in have} <= {7}


@pytest.mark.parametrize(("exponent", "expected"), [(0.0, 0.0), (1.0, 1.0), (0.5, 0.5)])
def test_growth(exponent, expected):
    costs = pd.DataFrame({"t": SIZES, "microseconds": 3.0 * np.array(SIZES, dtype=float) ** exponent})
    assert growth(costs) == pytest.approx(expected, abs=1e-12)


def test_a_filled_store_holds_every_row():
    instance = make_instance("fill", "random", {"outcomes": 3, "dim": 2, "arms": 5})
    state = get_algorithm("mnl-ucb").begin(instance, instance.problem(1000, 0.05), "valid", {"data": "stream"})
    store = store_of(state)
    fill(store, instance, 400, generator("test", 0, "fill"))
    assert store.used[0] == 400
    assert (store.counts.sum(axis=0)[:400] == 1).all()
    assert (np.abs(store.features[:, :400].T[:, None] - instance.arms[None]).max(axis=2).min(axis=1) == 0).all()


def test_a_line_says_whether_the_growth_agrees():
    costs = pd.DataFrame({"algorithm": "glm-ucb", "instance": "i", "t": SIZES, "microseconds": [1.0, 10.0, 100.0, 1000.0]})
    regrets = pd.DataFrame(
        {"instance": ["i"], "algorithm": ["glm-ucb-valid"], "preset": ["valid"], "mean": [2.0], "low": [1.0], "high": [3.0]}
    )
    table = table1(costs, regrets)
    line = table[table["run"] == REGISTRY["glm-ucb"].title].iloc[0]
    assert line["agrees"] == "yes"
    assert line["regret on i"] == "2 [1, 3]"
    flat = costs.assign(microseconds=5.0)
    assert table1(flat, regrets).query("run == @line.run")["agrees"].iloc[0] == "no"


def test_cost_table_measures_something():
    instance = make_instance("cost", "random", {"outcomes": 2, "dim": 2, "arms": 3})
    table = cost_table([instance], ["oful-mlogb"])
    assert list(table["t"]) == list(SIZES)
    assert (table["microseconds"] > 0).all()
