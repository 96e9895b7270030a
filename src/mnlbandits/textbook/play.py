"""What the textbook algorithms share: what is on offer, and the choice."""

from collections.abc import Callable

import numpy as np

from mnlbandits.instances import Problem
from mnlbandits.model.softmax import Array
from mnlbandits.textbook.solvers import first_argmax


class Play:
    """An algorithm that plays the best of the arms on offer.

    Attributes
    ----------
    problem : what it knows. arms : (N, d), those of this round. offered : (N,) bool, which of them are on offer. The caller
        may change the last two before every round.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem, self.arms, self.offered = problem, problem.arms, np.ones(len(problem.arms), dtype=bool)

    def choose(self, t: int) -> int:
        """The arm of round t."""
        among = np.flatnonzero(self.offered)
        return int(among[first_argmax(self.index(t)[among])])

    def index(self, t: int) -> Array:
        """The scores (N,) of round t."""
        raise NotImplementedError

    def on_offer(self, score: Callable[[Array], float]) -> Array:
        """score(x) of every arm x on offer, nan of the others, shape (N,)."""
        return np.array([score(x) if offered else np.nan for x, offered in zip(self.arms, self.offered, strict=True)])
