"""The problem-dependent constants of an action set: kappa_*, the gap and nu (Eqs. kappastar, def nu)."""

import math

import numpy as np

from mnlbandits.model.kappa import Convention
from mnlbandits.model.softmax import Array, softmax

OPTIMAL_WITHIN = 1e-12
"""Actions whose mean reward is within this fraction of ||rho - min rho|| of the best one are optimal: rounding."""


def norm(theta: Array, convention: Convention = "frobenius") -> float:
    """The norm of theta (K, d) that S bounds: Frobenius, or the largest row norm (see `mnlbandits.model.kappa`)."""
    row_norms = np.linalg.norm(theta, axis=1)
    return float(np.linalg.norm(row_norms) if convention == "frobenius" else row_norms.max())


def relative(rewards: Array) -> Array:
    """rho - min rho (K,): a common shift of the rewards changes no regret and no variance, but their rounding."""
    return rewards - rewards.min()


def mean_rewards(theta: Array, arms: Array, rewards: Array) -> Array:
    """rho^T mu(theta x) of every arm, shape (N,)."""
    return softmax(arms @ theta.T) @ rewards


def reward_variances(theta: Array, arms: Array, rewards: Array) -> Array:
    """rho^T grad mu(theta x) rho = Var(rho_y) of every arm, shape (N,)."""
    p, rewards = softmax(arms @ theta.T), relative(rewards)
    return (p * (rewards - (p @ rewards)[:, None]) ** 2).sum(axis=1)


def optimal_arms(theta: Array, arms: Array, rewards: Array) -> Array:
    """Boolean mask (N,) of the set X_* of optimal actions."""
    means = mean_rewards(theta, arms, relative(rewards))
    return means >= means.max() - OPTIMAL_WITHIN * np.linalg.norm(relative(rewards))


def kappa_star(theta: Array, arms: Array, rewards: Array) -> float:
    """kappa_* = min over X_* of R^2 / (rho^T grad mu(theta_* x_*) rho); infinite for uniform rewards (Eq. kappastar)."""
    if np.ptp(rewards) == 0:
        return math.inf
    variances = reward_variances(theta, arms, rewards)[optimal_arms(theta, arms, rewards)]
    largest = float(variances.max())
    return float(rewards @ rewards) / largest if largest > 0 else math.inf


def gap(theta: Array, arms: Array, rewards: Array) -> float:
    """Best mean reward minus the best one outside X_* (denominator of Eq. def nu); infinite if all are optimal."""
    means, best = mean_rewards(theta, arms, relative(rewards)), optimal_arms(theta, arms, rewards)
    return math.inf if best.all() else float(means.max() - means[~best].max())


def nu(theta: Array, arms: Array, rewards: Array) -> float:
    """nu = 2 max |(rho^2)^T (mu(theta_* x_1) - mu(theta_* x_2))| / gap (Eq. def nu); 0 if all actions are optimal."""
    second_moments = mean_rewards(theta, arms, relative(rewards) * (rewards + rewards.min()))  # less min rho^2
    return 2 * float(np.ptp(second_moments)) / gap(theta, arms, rewards)
