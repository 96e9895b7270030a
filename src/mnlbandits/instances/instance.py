"""What an instance is, and what of it a learner may see."""

import math
import sys
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from mnlbandits.errors import (
    InputError,
    is_number,
    require_choice,
    require_integer,
    require_positive,
    require_probability,
)
from mnlbandits.instances.action_sets import (
    ALL_ARMS,
    ROUNDING,
    ActionSets,
    longest_vector,
    read_action_sets,
)
from mnlbandits.model import constants
from mnlbandits.model.kappa import CONVENTIONS, Convention, Kappa, kappa
from mnlbandits.model.softmax import Array, softmax

LONGEST_HORIZON = 10**30
"""Largest T. Simulators that count rounds one by one have smaller limits of their own."""

LONGEST_COUNT = 10**18
"""Round numbers and pull counts that are 64-bit integers stay below."""

LARGEST_NUMBER = 1e100
"""Largest number of an array: squares stay floating-point numbers."""

NORM_BOUNDS = (1e-100, 1e6)
"""Smallest and largest S X: the squares in the radii stay floating-point numbers."""

kappa_once = cache(kappa)
"""`kappa`, computed once for every K and radius."""


def kappa_within(outcomes: int, radius: float, convention: Convention = "frobenius") -> Kappa:
    """Certified kappa; beyond the floating-point numbers the largest of them, and infinity as upper value."""
    try:
        return kappa_once(outcomes, radius, convention)
    except InputError:
        return Kappa(sys.float_info.max, math.inf, math.inf, ())


@dataclass(frozen=True)
class Problem:
    """What a learner knows: actions, rewards, S, kappa, the horizon and the failure level. Never theta_*.

    Learners work in balls of the Frobenius norm; the bounds below follow from S in either convention, as the rows of theta_*
    sum to zero. Each is attained for some theta_*, if d >= 2 or K is even.

    Attributes
    ----------
    arms : (N, d), every norm <= 1.
    rewards : rho (K,).
    norm_bound : S > 0.
    kappa : certified upper value of kappa for S and the longest arm; infinite if that is no floating-point number.
    horizon : T >= 1.
    delta : failure level in (0, 1).
    actions : what of the arms, or beside them, can be played in a round.
    convention : which norm of theta_* is at most S.
    """

    arms: Array
    rewards: Array
    norm_bound: float
    kappa: float
    horizon: int
    delta: float
    actions: ActionSets = ALL_ARMS
    convention: Convention = "frobenius"

    @property
    def outcomes(self) -> int:
        """K."""
        return len(self.rewards)

    @property
    def dim(self) -> int:
        """d."""
        return self.arms.shape[1]

    @property
    def fresh(self) -> bool:
        """Whether every round has vectors of its own in place of `arms`."""
        return self.actions.kind == "fresh" or self.continuous

    @property
    def continuous(self) -> bool:
        """Whether X_t is a sphere or ball; then `arms` is one vector, in place of which a learner puts those it plays."""
        return self.actions.kind == "continuous"

    @property
    def longest(self) -> float:
        """X = max ||x||."""
        return longest_vector(self.actions, self.arms)

    @property
    def reward_norm(self) -> float:
        """R = ||rho||_2."""
        return float(np.linalg.norm(self.rewards))

    @property
    def relative_rewards(self) -> Array:
        """rho - min rho (K,): all that regret and indices depend on, and exact where rho is large."""
        return constants.relative(self.rewards)

    @property
    def frobenius_bound(self) -> float:
        """Bound on ||theta_*||_F: S, or sqrt(K) S if S bounds the rows."""
        return self.norm_bound * (math.sqrt(self.outcomes) if self.convention == "rows" else 1.0)

    @property
    def reference_bound(self) -> float:
        """Bound on ||beta_*||_F, beta the rows of theta minus one of them, theta_c: sqrt(K) S, or sqrt(2 K) S for rows.

        ||beta||_F^2 = ||theta||_F^2 + K ||theta_c||^2, and ||theta_c||^2 <= (1 - 1/K) ||theta||_F^2, or <= S^2 for rows.
        """
        return self.norm_bound * math.sqrt(self.outcomes * (2 if self.convention == "rows" else 1))

    @property
    def binary_bound(self) -> float:
        """S_b, bound on ||b_*||, b = theta_1 - theta_2 of two outcomes: sqrt(2) S, or 2 S for rows."""
        return self.norm_bound * (2.0 if self.convention == "rows" else math.sqrt(2))

    @property
    def kappa_of_ball(self) -> float:
        """Certified upper value of kappa for the ball ||theta||_F <= `frobenius_bound`, at least `kappa`."""
        if self.convention == "frobenius":
            return self.kappa
        return kappa_within(self.outcomes, self.frobenius_bound * self.longest).upper


@dataclass(frozen=True)
class Instance:
    """One multinomial logistic bandit (Framework 1).

    Parameters
    ----------
    name : a label; seeds are keyed by it.
    theta : theta_* (K, d), K >= 2, d >= 1, finite. Its column means are removed (theta_* = Pi theta), which changes no
        probability.
    arms : (N, d), finite, every norm <= 1.
    rewards : rho (K,), finite. The paper has rho >= 0; only its differences decide on regret, so any sign will do.
    norm_bound : S > 0, at least the norm of theta_* in `convention`, and S times the longest arm within `NORM_BOUNDS`.
    convention : which norm S bounds, ``frobenius`` or ``rows``.
    family, parameters : how the instance was made, for the record.
    discretisation_error : best mean reward on the continuous action set minus the best on `arms` (0 if `arms` is the set).
    actions : the sets X_t, see `action_sets`; its mapping will do. `gaps` and `constants` are those of all arms.
    standard_errors : of the entries of theta_*, (K, d), where it was estimated from real data; else None.

    Raises
    ------
    InputError : naming the field, if one of the above does not hold.

    Examples
    --------
    >>> from mnlbandits import Instance
    >>> shop = Instance("shop", theta=[[1, 0], [0, 1]], arms=[[0.6, 0], [0, 0.8]], rewards=[0, 1], norm_bound=1.0)
    >>> shop.constants["outcomes"], shop.gaps.argmin()
    (2, np.int64(1))
    """

    name: str
    theta: Array
    arms: Array
    rewards: Array
    norm_bound: float
    convention: Convention = "frobenius"
    family: str = "custom"
    parameters: dict[str, Any] = field(default_factory=dict)
    discretisation_error: float = 0.0
    actions: ActionSets = ALL_ARMS
    standard_errors: Array | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise InputError("name", self.name, "a text that is not empty")
        if not isinstance(self.parameters, dict):
            raise InputError("parameters", self.parameters, "a mapping")
        if not is_number(self.discretisation_error) or self.discretisation_error < 0:
            raise InputError("discretisation_error", self.discretisation_error, "a finite number >= 0")
        theta = finite_array("theta", self.theta, 2)
        arms = finite_array("arms", self.arms, 2)
        rewards = finite_array("rewards", self.rewards, 1)
        outcomes, dim = theta.shape
        require_integer("outcomes", outcomes, 2)
        require_integer("dim", dim, 1)
        if arms.shape[1] != dim or not len(arms):
            raise InputError("arms", arms.shape, f"of shape (N, {dim}) with N >= 1, as theta has {dim} columns")
        if len(rewards) != outcomes:
            raise InputError("rewards", len(rewards), f"{outcomes} numbers, as theta has {outcomes} rows")
        spread = float(np.ptp(rewards))
        if 0 < spread < 1 / LARGEST_NUMBER:
            raise InputError("rewards", spread, f"all the same, or different by {1 / LARGEST_NUMBER:.0e} or more")
        longest = float(np.linalg.norm(arms, axis=1).max())
        if longest == 0:
            raise InputError("arms", longest, "vectors that are not all zero")
        if longest > 1 + ROUNDING:
            raise InputError("arms", longest, "vectors of norm <= 1 (scale the arms down and theta up)")
        if not isinstance(self.actions, ActionSets):
            object.__setattr__(self, "actions", read_action_sets(self.actions))
        self.actions.check(arms)
        low, high = NORM_BOUNDS
        if not low <= require_positive("norm_bound", self.norm_bound) * longest <= high:
            raise InputError("norm_bound", self.norm_bound, f"in [{low:.0e}, {high:.0e}] / {longest:.6g}, the longest arm")
        require_choice("convention", self.convention, CONVENTIONS)
        for _ in range(3):  # until the mean is rounding, so that a centred theta is kept bit for bit
            offset = theta.mean(axis=0)
            if np.abs(offset).max() > 1e-15 * np.abs(theta).max():
                theta = theta - offset
        size = constants.norm(theta, self.convention)
        if size > self.norm_bound * (1 + ROUNDING):
            raise InputError("norm_bound", self.norm_bound, f"at least the {self.convention} norm of theta, {size:.6g}")
        arrays = {"theta": theta, "arms": arms, "rewards": rewards}
        if self.standard_errors is not None:
            errors = finite_array("standard_errors", self.standard_errors, 2)
            if errors.shape != theta.shape or (errors < 0).any():
                raise InputError("standard_errors", errors.tolist(), f"of theta's shape {theta.shape}, all >= 0")
            arrays["standard_errors"] = errors
        for name, array in arrays.items():
            array = np.ascontiguousarray(array)
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @property
    def outcomes(self) -> int:
        """K."""
        return len(self.rewards)

    @property
    def dim(self) -> int:
        """d."""
        return self.arms.shape[1]

    @cached_property
    def longest(self) -> float:
        """X = max ||x|| > 0, 1 if it is that up to rounding."""
        longest = longest_vector(self.actions, self.arms)
        return 1.0 if abs(longest - 1) <= ROUNDING else longest

    @cached_property
    def unit(self) -> "Instance":
        """The same instance with its longest arm of norm 1: arms / X, theta_* X and S X, so that no logit changes.

        Published constants depend on S alone, for arms of norm 1 at most: simulators play this one.
        """
        if self.longest == 1.0:
            return self
        return replace(
            self, theta=self.theta * self.longest, arms=self.arms / self.longest, norm_bound=self.norm_bound * self.longest
        )

    @cached_property
    def probabilities(self) -> Array:
        """mu(theta_* x) of every arm, shape (N, K)."""
        return softmax(self.arms @ self.theta.T)

    @cached_property
    def gaps(self) -> Array:
        """Regret of one round of every arm, rho^T (mu(theta_* x_*) - mu(theta_* x)) >= 0, shape (N,)."""
        means = self.probabilities @ constants.relative(self.rewards)
        return means.max() - means

    @cached_property
    def inverse_kappa_stars(self) -> Array:
        """rho^T grad mu(theta_* x) rho / R^2 of every arm, shape (N,): 1/kappa_{*,t} where it is the best on offer."""
        square = float(self.rewards @ self.rewards)
        return (
            constants.reward_variances(self.theta, self.arms, self.rewards) / square if square else np.zeros(len(self.arms))
        )

    @cached_property
    def constants(self) -> dict[str, float]:
        """K, d, N, R, S, kappa (best estimate, certified lower and upper value), kappa_*, nu and the gap."""
        certified = kappa_within(self.outcomes, self.norm_bound * self.longest, self.convention)
        arguments = (self.theta, self.arms, self.rewards)
        return {
            "outcomes": self.outcomes,
            "dim": self.dim,
            "arms": len(self.arms),
            "R": float(np.linalg.norm(self.rewards)),
            "S": self.norm_bound,
            "kappa": certified.value,
            "kappa_lower": certified.lower,
            "kappa_upper": certified.upper,
            "kappa_star": constants.kappa_star(*arguments),
            "nu": constants.nu(*arguments),
            "gap": constants.gap(*arguments),
            "discretisation_error": self.discretisation_error,
        }

    def problem(self, horizon: float, delta: float) -> Problem:
        """The learner's view for horizon T in [1, 1e30] and failure level delta in (0, 1)."""
        horizon = require_integer("horizon", horizon, 1, LONGEST_HORIZON)
        delta = require_probability("delta", delta)
        kappa = self.constants["kappa_upper"]
        arms = np.eye(1, self.dim) if self.actions.kind == "continuous" else self.arms
        return Problem(
            arms, self.rewards, self.norm_bound, kappa, horizon, delta, convention=self.convention, actions=self.actions
        )


def finite_array(field_name: str, value: Any, dimensions: int) -> Array:
    """`value` as a float array with `dimensions` axes and finite entries."""
    try:
        array = np.array(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(field_name, value, f"a {dimensions}-dimensional array of numbers") from None
    if array.dtype.kind not in "iuf":
        raise InputError(field_name, value, f"a {dimensions}-dimensional array of numbers")
    if array.ndim != dimensions:
        raise InputError(field_name, array.shape, f"a {dimensions}-dimensional array of numbers")
    array = array.astype(float)
    if not np.isfinite(array).all():
        raise InputError(field_name, float(array[~np.isfinite(array)][0]), "finite numbers")
    if array.size and not np.abs(array).max() <= LARGEST_NUMBER:
        raise InputError(field_name, float(np.abs(array).max()), f"of size {LARGEST_NUMBER:.0e} at most")
    return array
