"""The graphs of the theorems: of claims that exist, without circles, laid out in layers."""

import pandas as pd
import pytest

from mnlbandits.ledger.chain import CHAINS, STATEMENTS, chain_table, claims_of, layers, theorems_of
from mnlbandits.ledger.claim import CLAIMS
from mnlbandits.ledger.paper import load

load()


@pytest.mark.parametrize("theorem", CHAINS)
def test_a_graph_is_of_claims_and_has_no_circle(theorem):
    graph = CHAINS[theorem]
    assert set(claims_of(graph)) <= set(CLAIMS)
    depth = {id: place for place, layer in enumerate(layers(graph)) for id in layer}
    assert sorted(depth) == sorted(claims_of(graph))
    assert all(depth[claim] < depth[id] for claim, premises in graph.items() for id in premises)
    assert [id for id, layer in depth.items() if layer == 0] == [next(iter(graph))]
    assert STATEMENTS[next(iter(graph))] == f"Theorem {theorem}"


@pytest.mark.parametrize("theorem", CHAINS)
def test_a_graph_has_no_statement_of_ours(theorem):
    """What the proof of the paper rests on."""
    assert not [id for id in claims_of(CHAINS[theorem]) if CLAIMS[id].ours]


def test_every_statement_with_a_number_stands_in_a_graph():
    assert set(STATEMENTS) <= {id for graph in CHAINS.values() for id in claims_of(graph)}
    assert theorems_of("C154") == ["1", "3"]


def test_layers_cross_few_lines():
    graph = {"T": ("A", "B"), "A": ("C",), "B": ("D",)}
    assert layers(graph) == [["T"], ["A", "B"], ["C", "D"]]
    crossed = {"T": ("B", "A"), "A": ("C",), "B": ("D",), "X": ()}
    found = layers(crossed)
    assert [found[1].index(id) for id in ("A", "B")] == [found[2].index(id) for id in ("C", "D")]


def test_a_part_of_the_ledger_gives_a_part_of_the_table():
    summary = pd.DataFrame({"id": ["C156", "C139"], "verdict": ["holds", "corrected"], "level": ["argued", "proved"]})
    table = chain_table(summary)
    assert table["id"].tolist() == ["C156", "C139"]
    assert table["layer"].tolist() == [0, 1]
    assert table["name"].tolist() == ["Theorem 1", ""]
