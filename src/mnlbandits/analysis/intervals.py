"""Confidence intervals."""

import math

import numpy as np
from scipy import stats

LEVEL = 0.95

NEAR = 1e-9
"""Relative difference up to which two regrets are equal: rounding makes 1e-12 of one, playing otherwise far more."""


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


def to_known_digits(value: float, error: float) -> str:
    """A value with the digits that its error (>= 0) leaves, one of them uncertain: ``1.23e+06 +- 2e+04``."""
    if error >= abs(value):
        return f"0 +- {error:.0e}"
    digits = 15 if error == 0 else max(0, math.floor(math.log10(abs(value))) - math.floor(math.log10(error)))
    return f"{value:.{digits}e} +- {error:.0e}"
