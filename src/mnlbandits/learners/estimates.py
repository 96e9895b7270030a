"""The estimate of theta_* that a state holds, whatever coordinates its learner works in."""

from typing import Any

import numpy as np

from mnlbandits.learners import binary, binary_mle, learner, log_loss_set
from mnlbandits.model.softmax import Array


def estimate_of(state: Any) -> Array | None:
    """The estimate (K, d), its column means 0; None if the state holds no single one.

    That is its field ``theta``, as an algorithm of one's own may have it, or what the learner that it shares with others
    estimates: phi or beta of an online learner, the maximum-likelihood estimate, or b = theta_1 - theta_2 of two outcomes.
    """
    follower = getattr(state, "follower", state)
    part = getattr(follower, "learner", None)
    if hasattr(state, "theta"):
        theta = np.array(state.theta, dtype=float)
    elif isinstance(getattr(state, "region", None), log_loss_set.LogLossSet):
        theta = state.region.data.basis @ state.region.estimate
    elif hasattr(state, "data") and hasattr(state, "estimate"):
        theta = state.data.basis @ state.estimate
    elif isinstance(part, learner.Learner):
        theta = part.basis @ part.phi
    elif isinstance(part, binary_mle.BinaryMle):
        theta = part.data.basis @ part.b
    elif isinstance(part, binary.Learner) and not hasattr(state, "inverse_root"):
        theta = np.outer([1.0, 0.0] if follower.better == 0 else [0.0, 1.0], part.b)
    else:
        return None
    return np.asarray(theta - theta.mean(axis=0))
