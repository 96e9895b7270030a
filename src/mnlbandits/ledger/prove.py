"""Proofs by branch and bound: a ratio of balls is at most its bound on every part of a box.

The ratio is evaluated on whole boxes. A box on which it is certainly at most the bound is done; any other, also one on which
a comparison is `Undecided`, is split in two. Where every part is done the inequality is proved, rounding included.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from mnlbandits.ledger.arithmetic import BALLS, BITS, Ball, Undecided, precision
from mnlbandits.ledger.search import Box, Point, Ratio

MOST_BOXES = 200_000
"""Boxes after which a proof is given up."""


class Certificate(NamedTuple):
    """A proof.

    Attributes
    ----------
    boxes : how many it took, 0 of exact or symbolic arithmetic. smallest : largest side of the smallest box, relative to the
        domain's. bound : what the ratio is at most. words : what takes the computation to the statement.
    """

    boxes: int
    smallest: float
    bound: float
    words: str = ""

    def __str__(self) -> str:
        balls = f"proved by balls: {self.boxes} boxes, smallest {self.smallest:.2g} of the domain, bound {self.bound:.12g}"
        return "; ".join(filter(None, [balls if self.boxes else "proved exactly", self.words]))


class Open(NamedTuple):
    """No proof: the first box that stayed undecided, or on which the ratio certainly exceeds the bound."""

    box: Box
    boxes: int

    def __str__(self) -> str:
        inside = ", ".join(f"{key} in [{low:.6g}, {high:.6g}]" for key, (low, high) in self.box.items())
        return f"not proved: undecided after {self.boxes} boxes at {inside}"


def prove(
    ratio: Ratio,
    box: Box,
    bound: float = 1.0,
    fixed: Mapping[str, object] | None = None,
    most: int = MOST_BOXES,
    smallest: float = 1e-9,
) -> Certificate | Open:
    """Whether ratio(BALLS, **fixed, **coordinates) <= bound on the whole box.

    Parameters
    ----------
    box : coordinate -> (low, high), finite. fixed : what belongs to no coordinate. most : boxes before giving up.
    smallest : side, relative to the domain's, below which an undecided box is reported.
    """
    evaluate = evaluator(ratio, fixed or {}, bound)
    waiting: list[tuple[Box, dict[str, float]]] = [(dict(box), dict.fromkeys(box, 1.0))]
    boxes, least = 0, 1.0
    while waiting:
        part, sides = waiting.pop()
        boxes += 1
        if evaluate(part):
            least = min(least, max(sides.values(), default=1.0))
            continue
        widest = max(sides, key=sides.__getitem__, default=None)
        if widest is None or sides[widest] < smallest or boxes > most:
            return Open(part, boxes)
        low, high = part[widest]
        middle = low + (high - low) / 2
        halves = {**sides, widest: sides[widest] / 2}
        waiting += [({**part, widest: (middle, high)}, halves), ({**part, widest: (low, middle)}, halves)]
    return Certificate(boxes, least, bound)


def evaluator(ratio: Ratio, fixed: Mapping[str, object], bound: float) -> Callable[[Box], bool]:
    """Whether the ratio is certainly at most the bound on a box; an undecided comparison says no."""

    def at_most(part: Box) -> bool:
        try:
            value = ratio(BALLS, **fixed, **{key: BALLS.between(*ends) for key, ends in part.items()})
            return bool(Ball(value) <= bound)
        except Undecided:
            return False

    return at_most


def beyond(ratio: Ratio, point: Point, bound: float = 1.0) -> Ball | None:
    """The ball of a ratio at one point if it certainly exceeds the bound: a proof that the inequality fails; else None."""
    exact = {key: Ball(value) if isinstance(value, float) else value for key, value in point.items()}
    try:
        with precision(BITS):
            value = Ball(ratio(BALLS, **exact))
            return value if value > bound else None
    except Undecided:
        return None
