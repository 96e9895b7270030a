"""The best vector of a sphere or ball: what regret there is measured against."""

from dataclasses import replace

import numpy as np

from mnlbandits.instances import Instance
from mnlbandits.instances.action_sets import Ball
from mnlbandits.learners.continuum import best_vector
from mnlbandits.learners.learner import make_learner
from mnlbandits.learners.search import make_search
from mnlbandits.model.constants import relative
from mnlbandits.model.softmax import contrast_basis


def with_best_vector(instance: Instance) -> Instance:
    """The instance with the best vector of its sphere or ball before its arms, which gaps and 1/kappa_* then know.

    Of two outcomes it is along the difference of their rows; else it maximises the optimistic reward of radius 0 at theta_*,
    and the certificate of that search becomes the `discretisation_error`.
    """
    rewards, x, excess = relative(instance.rewards), instance.arms[[instance.gaps.argmin()]], 0.0
    if instance.outcomes == 2:
        x = (rewards[:1] - rewards[1:]) * (instance.theta[:1] - instance.theta[1:])
        x = x / np.linalg.norm(x) if x.any() else instance.arms[:1]
    else:
        learner = make_learner(contrast_basis(instance.outcomes), x, rewards, 1.0, 1.0, 1.0, fresh=True)
        learner.phi[:] = learner.dual @ instance.theta
        search = make_search(learner, isinstance(instance.actions, Ball), 1.0)
        best_vector(learner, search, 0.0)
        x, excess = learner.arms, float(search.certificate[0])
    return replace(instance, arms=np.vstack([x, instance.arms]), discretisation_error=excess)
