"""The sigmoid s, its slope and the loss of two outcomes."""

import math

from mnlbandits.compiled import kernel


@kernel
def sigmoid(z):
    """s(z) = 1/(1 + exp(-z))."""
    if z >= 0.0:
        return 1.0 / (1.0 + math.exp(-z))
    e = math.exp(z)
    return e / (1.0 + e)


@kernel
def curvature(z):
    """s'(z), to full relative accuracy."""
    e = math.exp(-abs(z))
    return e / ((1.0 + e) * (1.0 + e))


@kernel
def log_loss(z, hit):
    """-log of the probability of the outcome at logit z; `hit` is 1 for the better outcome, else 0."""
    wrong = -z if hit > 0.0 else z
    return max(wrong, 0.0) + math.log1p(math.exp(-abs(z)))
