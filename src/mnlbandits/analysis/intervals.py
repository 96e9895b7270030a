"""Confidence intervals."""

import math

import numpy as np
from scipy import stats

LEVEL = 0.95


def clopper_pearson(successes: int, trials: int, level: float = LEVEL) -> tuple[float, float]:
    """Exact binomial interval for a probability, two-sided."""
    tail = (1 - level) / 2
    low = 0.0 if successes == 0 else float(stats.beta.ppf(tail, successes, trials - successes + 1))
    high = 1.0 if successes == trials else float(stats.beta.ppf(1 - tail, successes + 1, trials - successes))
    return low, high


def mean_interval(values: np.ndarray, level: float = LEVEL) -> tuple[float, float, float]:
    """Mean of independent values with its Student interval; the interval is infinite for a single value."""
    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, -math.inf, math.inf
    half = float(stats.t.ppf((1 + level) / 2, len(values) - 1)) * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return mean, mean - half, mean + half
