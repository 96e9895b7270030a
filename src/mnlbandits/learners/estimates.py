"""The estimate of theta_* that a state holds, whatever coordinates its learner works in."""

from typing import Any

import numpy as np

from mnlbandits.learners import binary, binary_mle, learner, log_loss_set, split_sample
from mnlbandits.model.softmax import Array


def estimate_of(state: Any) -> Array | None:
    """The estimate (K, d), its column means 0; None if the state holds none.

    That is its field ``theta``, as an algorithm of one's own may have it, or what the learner that it shares with others
    estimates: phi or beta of an online learner, the maximum-likelihood estimate, or b = theta_1 - theta_2 of two outcomes;
    b-bar of the last stage that decided for SupSplitLog, which has an estimate a stage. None: OFU-ECOLog estimates nothing
    before its exploration ends, and uniform play never.
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
    elif isinstance(part, binary.Learner) and hasattr(state, "inverse_root"):
        if not state.learning[0]:
            return None
        theta = of_better(follower.better, state.region.centre[0] + state.inverse_root @ part.b)
    elif isinstance(part, binary.Learner):
        theta = of_better(follower.better, part.b)
    elif hasattr(state, "estimates"):
        theta = of_better(state.better, state.estimates[state.stage[0], split_sample.CORRECTION])
    else:
        return None
    return np.asarray(theta - theta.mean(axis=0))


def of_better(better: int, b: Array) -> Array:
    """b (d,) in the row of the better of two outcomes, (2, d)."""
    return np.outer([1.0, 0.0] if better == 0 else [0.0, 1.0], b)
