"""The picture of Theorem 1 on two short arms: printed and mended constants against T."""

from collections.abc import Iterator

from mnlbandits.ledger.search import EFFORTS, Effort
from mnlbandits.ledger.simulate.boundary import printed_share
from mnlbandits.ledger.simulate.short_arms import mended_right_side, mended_share, printed_right_side


def picture_theorem_one(effort: Effort) -> Iterator[tuple[str, str, float, float]]:
    """C156: regret over T times the gap, T >= the printed tau, and the right sides over the same, where below 1."""
    full = (1e18, 1e20, 1e22, 1e24, 3e24, 1e25, 3e25, 1e26, 3e26, 1e27, 1e28, 1e29, 9e29)
    for horizon in full if effort == EFFORTS["full"] else (1e20, 1e26, 1e28, 9e29):
        yield "theorem 1", "printed constants", horizon, printed_share(horizon).share
        yield "theorem 1", "mended constants", horizon, mended_share(horizon).share
        yield "theorem 1", "printed right side, C = 1", horizon, printed_right_side(horizon)
        if mended_right_side(horizon) < 1:
            yield "theorem 1", "mended right side", horizon, mended_right_side(horizon)
