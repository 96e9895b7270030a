"""Algorithms of one or two rounds on the family of Theorem 2: binary trees of arms, all outcomes enumerated."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.formulas.family import divergence, family_signs, shift
from mnlbandits.ledger.formulas.softmax import sigmoid
from mnlbandits.ledger.search import column

TREES = tuple({"K": K, "d": d, "arms": arms} for K, d, arms in ((2, 2, 1), (2, 2, 3), (10, 2, 3), (3, 3, 1)))
"""K, d and the number of arms in the tree: T = 1 or 2 rounds."""


class Tree(NamedTuple):
    """Averages over v: sum_i P(A_i); sum_i KL(P_v, P_flip) over all rounds; and the same, from the KL of each round.

    For close members the last keeps its digits, in floats.
    """

    events: Number
    entropy: Number
    steps: Number


def tree_box(K: int, d: int, arms: int) -> dict[str, tuple[float, float]]:
    """share = tan(angle of x_* to e_1) and the arms of the tree before they are scaled."""
    return {"share": (1e-2, 1.0)} | {f"x{i}": (-1.0, 1.0) for i in range(d * arms)}


def tree_of(m: Arithmetic, K: int, d: int, share: Number, entries: Sequence[Number]) -> Tree:
    """What an algorithm does that plays the arms (2^T - 1, d) of a binary tree; the right child follows outcome 1."""
    rows = [entries[start : start + d] for start in range(0, len(entries), d)]
    arms = [[entry / m.norm(row) for entry in row] for row in rows]
    side, length = share / m.sqrt(m.number(d - 1)), m.sqrt(1 + share**2)
    all_signs = [signs[1:] for signs in family_signs(d)]
    places = {
        signs: [
            (arm[0] + side * sum(sign * entry for sign, entry in zip(signs, arm[1:], strict=True))) / length
            - shift(m, m.number(K))
            for arm in arms
        ]
        for signs in all_signs
    }
    events = entropy = steps = m.number(0)
    for signs, i in itertools.product(all_signs, range(d - 1)):
        here, there = places[signs], places[(*signs[:i], -signs[i], *signs[i + 1 :])]
        pending = [(0, m.number(1), m.number(0), m.number(0))]
        while pending:
            node, chance, ratio, height = pending.pop()
            if node >= len(arms):
                entropy = entropy + chance * ratio
                events = events + chance * int(signs[i] * height <= 0)
                continue
            steps = steps + chance * divergence(m, here[node], there[node])
            for hit in (0, 1):
                p, q = (sigmoid(m, z if hit else -z) for z in (here[node], there[node]))
                pending.append((2 * node + 1 + hit, chance * p, ratio + m.log(p / q), height + arms[node][i + 1]))
    return Tree(*(value / len(all_signs) for value in (events, entropy, steps)))


def tree_at(m: Arithmetic, K: int, d: int, arms: int, share: Number, **point: Number) -> Tree:
    """`tree_of` at a point of `tree_box`."""
    del arms
    return tree_of(m, K, d, share, column(point, "x"))


def chain_rule(factor: int = 1) -> bool:
    """After any history a round adds its own KL, times `factor`, to the expected log-ratio; by induction, for every T and K.

    Of the outcomes of the round one has the chance p and the log-ratio `first`, the others the mean log-ratio `rest`.
    """
    p, history, first, rest = unknowns("p", "history", "first", "rest")
    whole = p * (history + first) + (1 - p) * (history + rest)
    return whole == history + factor * (p * first + (1 - p) * rest)
