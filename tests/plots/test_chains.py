"""The graphs of the theorems: every claim once, with its colour, and a line to each that it rests on."""

import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

from mnlbandits.plots import chains

ROWS = [
    {"theorem": 1, "id": "C1", "name": "Theorem 1", "layer": 0, "place": 0.5, "rests_on": "C2 C3", "verdict": "corrected"},
    {"theorem": 1, "id": "C2", "name": "Lemma 1", "layer": 1, "place": 0.25, "rests_on": "C3", "verdict": "holds"},
    {"theorem": 1, "id": "C3", "name": None, "layer": 2, "place": 0.5, "rests_on": None, "verdict": "holds"},
    {"theorem": 2, "id": "C3", "name": None, "layer": 0, "place": 0.5, "rests_on": None, "verdict": "holds"},
]
TABLE = pd.DataFrame(ROWS).assign(level=["argued", "proved", "kernel", "kernel"])


def test_every_claim_is_drawn_with_its_colour_and_its_lines():
    figure = chains.draw(TABLE)
    first, second = figure.axes
    boxes = {text.get_text(): to_hex(text.get_bbox_patch().get_facecolor()) for text in first.texts}
    assert boxes == {
        "Theorem 1\nC1": chains.FACES["corrected"],
        "Lemma 1\nC2": chains.FACES["holds"],
        "C3": chains.FACES["holds"],
    }
    assert len(first.get_lines()) == 3
    assert first.get_title() == "Theorem 1: of 3 statements that its proof uses or makes, 1 are false as printed"
    assert len(second.texts) == 1


@pytest.mark.parametrize("theorem", [1, 2])
def test_no_claim_hides_another(theorem):
    figure = chains.draw(TABLE)
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    extents = [text.get_bbox_patch().get_window_extent(renderer) for text in figure.axes[theorem - 1].texts]
    assert not any(a.overlaps(b) for place, a in enumerate(extents) for b in extents[:place])
