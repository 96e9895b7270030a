"""On which statements of the paper its three theorems rest, as its proofs say: graphs of claims, laid out to be drawn."""

from collections.abc import Mapping
from itertools import pairwise
from statistics import fmean

import pandas as pd

Graph = Mapping[str, tuple[str, ...]]
"""A claim, and those that its proof uses; a claim without an entry uses none of the ledger."""

SWEEPS = 12
"""Times that the order within the layers of a drawing is improved."""

THEOREM_ONE: Graph = {
    "C156": ("C139", "C139b", "C140", "C141", "C164b"),
    "C164b": ("C164", "C157", "C157b"),
    "C164": ("C162", "C163"),
    "C162": ("C144", "C148", "C149", "C154", "C161"),
    "C161": ("C158", "C158e", "C159", "C160"),
    "C159": ("C165b", "C166"),
    "C165b": ("C165",),
    "C165": ("C166",),
    "C154": ("C150", "C153b", "C155"),
    "C153b": ("C153", "C153c"),
    "C153": ("C152",),
    "C152": ("C151", "C152b"),
    "C148": ("C134", "C147"),
    "C147": ("C097", "C139b"),
    "C144": ("C134", "C143", "C145"),
    "C143": ("C139b", "C142", "C146"),
    "C146": ("C097b",),
    "C141": ("C134",),
    "C139b": ("C098", "C121b", "C135"),
    "C134": ("C132", "C132b", "C135"),
    "C135": ("C121b", "C135b", "C137", "C138"),
    "C121b": ("C121", "C122"),
    "C121": ("C110", "C110b", "C112"),
    "C112": ("C108", "C117", "C118"),
    "C118": ("C106",),
    "C117": ("C116",),
    "C116": ("C114b", "C115"),
    "C114b": ("C113", "C114"),
    "C122": ("C123", "C123b", "C124", "C126", "C126b"),
    "C108": ("C109",),
}

THEOREM_TWO: Graph = {
    "C029": ("C028",),
    "C028": ("C094",),
    "C094": ("C062", "C072", "C087", "C088", "C089", "C090", "C091", "C092"),
    "C072": ("C067b", "C069b", "C070", "C071"),
    "C067b": ("C066", "C067"),
    "C066": ("C064", "C064b", "C065", "C065b"),
    "C064": ("C058", "C059", "C061"),
    "C069b": ("C068",),
    "C071": ("C071b",),
    "C087": ("C073", "C093"),
    "C093": ("C085c",),
    "C085c": ("C085",),
    "C073": ("C073b", "C074"),
    "C085": ("C082b", "C083", "C084"),
    "C083": ("C065",),
    "C082b": ("C074b", "C082c"),
    "C082c": ("C081",),
    "C081": ("C078", "C079", "C080"),
    "C078": ("C076", "C076b", "C077"),
    "C076": ("C075",),
    "C089": ("C060b",),
    "C091": ("C060b",),
}

THEOREM_THREE: Graph = {
    "C184": ("C181", "C184c", "C184f", "C185", "C185b", "C186"),
    "C185b": ("C185", "C154"),
    "C185": ("C182", "C183"),
    "C184c": ("C181",),
    "C184f": ("C182", "C183"),
    "C183": ("C174", "C175", "C179", "C182", "C183b", "C138"),
    "C182": ("C171", "C180", "C182b"),
    "C181": ("C181b", "C181c"),
    "C180": ("C172", "C173", "C176", "C177", "C178"),
}

CHAINS: Mapping[str, Graph] = {"1": THEOREM_ONE, "2": THEOREM_TWO, "3": THEOREM_THREE}
"""The graph of each theorem; its first claim is the theorem."""

STATEMENTS: Mapping[str, str] = {
    "C156": "Theorem 1",
    "C134": "Proposition 1",
    "C135": "Lemma 2",
    "C121b": "Lemma 1",
    "C112": "Proposition 3",
    "C108": "Proposition 2",
    "C165": "Lemma 3",
    "C029": "Theorem 2",
    "C184": "Theorem 3",
    "C180": "Lemma 4",
    "C181": "Lemma 5",
    "C182": "Lemma 6",
    "C183": "Lemma 7",
}
"""The theorems, and the lemmas and propositions that they use, as the paper numbers them."""


def claims_of(graph: Graph) -> list[str]:
    """The claims of a graph, the theorem first, each before those that only it uses."""
    return list(dict.fromkeys(id for claim, premises in graph.items() for id in (claim, *premises)))


def theorems_of(id: str) -> list[str]:
    """The theorems on whose graph a claim stands."""
    return [theorem for theorem, graph in CHAINS.items() if id in claims_of(graph)]


def layers(graph: Graph) -> list[list[str]]:
    """The claims by their largest distance from the theorem, in an order within a layer that crosses few lines."""
    depth = dict.fromkeys(claims_of(graph), 0)
    for _ in depth:
        for claim, premises in graph.items():
            for id in premises:
                depth[id] = max(depth[id], depth[claim] + 1)
    found = [[id for id in depth if depth[id] == layer] for layer in range(max(depth.values()) + 1)]
    for _ in range(SWEEPS):
        for above, below in pairwise(found):
            below.sort(key=lambda id: middle(id, above, graph))
        for below, above in pairwise(found[::-1]):
            above.sort(key=lambda id: middle_of(graph.get(id, ()), below))
    for above, below in pairwise(found):
        below.sort(key=lambda id: middle(id, above, graph))
    return found


def middle(id: str, above: list[str], graph: Graph) -> float:
    """The mean place, in the layer above, of the claims that use this one."""
    return middle_of([claim for claim in above if id in graph.get(claim, ())], above)


def middle_of(ids: tuple[str, ...] | list[str], layer: list[str]) -> float:
    """The mean relative place of claims in a layer; in its middle if none is there."""
    places = [(layer.index(id) + 0.5) / len(layer) for id in ids if id in layer]
    return fmean(places) if places else 0.5


def chain_table(summary: pd.DataFrame) -> pd.DataFrame:
    """A row per theorem and claim on its graph.

    Columns: theorem, id, name (of `STATEMENTS`), layer (0 the theorem), place (0 to 1, within the layer), rests_on (ids),
    verdict, level. `summary` has the columns id, verdict and level.
    """
    found = summary.set_index("id")
    rows = [
        {
            "theorem": int(theorem),
            "id": id,
            "name": STATEMENTS.get(id, ""),
            "layer": layer,
            "place": (place + 0.5) / len(ids),
        }
        | {"rests_on": " ".join(graph.get(id, ())), "verdict": found["verdict"][id], "level": found["level"][id]}
        for theorem, graph in CHAINS.items()
        for layer, ids in enumerate(layers(graph))
        for place, id in enumerate(ids)
        if id in found.index
    ]
    columns = ["theorem", "id", "name", "layer", "place", "rests_on", "verdict", "level"]
    return pd.DataFrame(rows, columns=columns)
