"""Trees of one and two rounds against an enumeration of all sequences of outcomes of the instances."""

import itertools
import math

import numpy as np
import pytest
from agreement import assert_decides, everywhere

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.family import family_signs, member
from mnlbandits.ledger.formulas.trees import TREES, Tree, chain_rule, tree_at, tree_box, tree_of
from mnlbandits.model.softmax import softmax

ENTRIES = [0.5, -0.25, 0.75, 0.25, 0.5, -1.0, 1.0, 0.75, 0.125]


def enumerated(K, d, share, entries):
    """Of outcome 1 against the rest, KL of whole paths; A_i: [M~]_i and the i-th entry of the sum of the arms disagree."""
    arms = [np.array(row) / np.linalg.norm(row) for row in np.reshape(entries, (-1, d))]
    rounds = int(math.log2(len(arms) + 1))
    events = entropy = 0.0
    for signs in family_signs(d):
        for i in range(1, d):
            flipped = [-sign if k == i else sign for k, sign in enumerate(signs)]
            thetas = [member(FLOATS, K, d, share, v) for v in (signs, flipped)]
            for path in itertools.product((0, 1), repeat=rounds):
                node, chances, height = 0, [1.0, 1.0], 0.0
                for hit in path:
                    firsts = [softmax(theta @ arms[node])[0] for theta in thetas]
                    chances = [c * (p if hit else 1 - p) for c, p in zip(chances, firsts, strict=True)]
                    height += arms[node][i]
                    node = 2 * node + 1 + hit
                entropy += chances[0] * math.log(chances[0] / chances[1])
                events += chances[0] * (signs[i] * height <= 0)
    return np.array([events, entropy, entropy]) / 2 ** (d - 1)


@pytest.mark.parametrize(("K", "d", "arms"), [(2, 2, 1), (3, 2, 3), (5, 3, 1), (5, 3, 3)])
def test_trees(K, d, arms):
    entries = ENTRIES[: d * arms]
    expected = enumerated(K, d, 0.75, entries)
    assert everywhere(tree_of, K, d, 0.75, entries) == pytest.approx(expected, rel=1e-10)
    point = {f"x{i}": value for i, value in enumerate(entries)}
    assert tree_at(FLOATS, K, d, arms, 0.75, **point) == tree_of(FLOATS, K, d, 0.75, entries)
    assert Tree._fields == ("events", "entropy", "steps")


def test_an_arm_that_does_not_decide():
    """Height 0 counts as an error for either sign."""
    assert tree_of(FLOATS, 2, 2, 0.5, [1.0, 0.0]).events == pytest.approx(1, rel=1e-14)


def test_domain():
    assert tree_box(2, 2, 1) == {"share": (1e-2, 1.0), "x0": (-1.0, 1.0), "x1": (-1.0, 1.0)}
    assert set(tree_box(3, 3, 3)) == {"share", *(f"x{i}" for i in range(9))}
    assert [tuple(case.values()) for case in TREES] == [(2, 2, 1), (2, 2, 3), (10, 2, 3), (3, 3, 1)]


def test_chain_rule():
    assert_decides(chain_rule, factor=[0, 2])
