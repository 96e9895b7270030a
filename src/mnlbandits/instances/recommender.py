"""The paper's example (Introduction): what the visitor of a shop does with an item that is recommended, in six outcomes."""

from typing import Any

import numpy as np

from mnlbandits.errors import require_choice, require_integer, require_positive
from mnlbandits.instances.instance import Instance
from mnlbandits.model import constants
from mnlbandits.model.kappa import CONVENTIONS, Convention
from mnlbandits.seeds import generator

OUTCOMES = ("buy now", "add to the cart", "add to the wish-list", "do not recommend", "do not click", "leave the website")
"""The outcomes in the paper's order."""

REWARDS = (1.0, 0.5, 0.2, 0.0, 0.05, 0.0)
"""rho in units of a sale, our choice: half of what is in a cart is bought, and a fifth of what is wished for; a visitor who
does not click still sees the next item, one who is annoyed or gone is worth nothing."""

FEATURES = ("constant", "fit", "price", "novelty")
"""Features of an item: 1, and how well it fits the visitor's taste, how dear and how new it is, each in [-1, 1]."""

WEIGHTS = np.array(
    [
        [-1.0, 2.0, -2.0, -0.5],
        [-0.5, 1.5, -0.5, 0.0],
        [-0.5, 1.0, 1.5, 1.0],
        [-1.0, -2.0, 0.5, 1.0],
        [2.0, -1.0, 0.0, -0.5],
        [1.0, -1.5, 0.5, -1.0],
    ]
)
"""theta_* up to a factor, (6, 4), our choice: what fits and is cheap is bought at once, what fits and is dear and new is
wished for, what does not fit is not clicked, and if it is old as well the visitor leaves."""


def recommender(
    name: str,
    arms: int = 32,
    norm: float = 6.0,
    seed: int = 0,
    convention: Convention = "frobenius",
    actions: str | dict[str, Any] = "list",
) -> Instance:
    """The paper's recommender with six outcomes: which item to show, x = (1, fit, price, novelty) / 2.

    Parameters
    ----------
    arms : number of items, whose fit, price and novelty are uniform in [-1, 1].
    norm : S = ||theta_*||. seed : of the items.
    actions : which of the items can be shown in a round: a name or a mapping, see `action_sets`.
    """
    arms, norm = require_integer("arms", arms, 1), require_positive("norm", norm)
    seed = require_integer("seed", seed, 0)
    require_choice("convention", convention, CONVENTIONS)
    theta = WEIGHTS - WEIGHTS.mean(axis=0)
    theta *= norm / constants.norm(theta, convention)
    features = 2 * generator("items", seed, "recommender").random((arms, len(FEATURES) - 1)) - 1
    items = np.hstack([np.ones((arms, 1)), features]) / 2
    return Instance(name, theta, items, REWARDS, norm, convention=convention, actions=actions)
