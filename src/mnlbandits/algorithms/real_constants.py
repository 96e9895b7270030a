"""The constants of REAL: as printed, and where they may be others."""

import math
from dataclasses import dataclass, replace

from mnlbandits.algorithms.options import Option
from mnlbandits.errors import InputError
from mnlbandits.instances import Problem
from mnlbandits.instances.instance import LONGEST_COUNT
from mnlbandits.learners.radii import Radius

DIAMETER = 1 / math.sqrt(6)
"""The diameter of Theta at which self-concordance costs a factor e (Section exploration routine)."""


@dataclass(frozen=True)
class Constants:
    """The numbers of Algorithms 1 and 2 for one problem.

    Attributes
    ----------
    lambda_0 : ridge of the exploration.
    tau : the most rounds that it lasts, rounded up; or 1e18, if tau is beyond the horizon anyway.
    stop_diameter : it also ends once diam(Theta) is at most this; 0 in the paper.
    theta_radius : of Theta in the norm of V, 84 sqrt(lambda_0) in the paper.
    eta, lambda_, sigma : step size, ridge and confidence radius of the learning phase.
    inside_ball : whether learning starts from the estimate shrunk into the ball of radius S.
    """

    lambda_0: float
    tau: int
    stop_diameter: float
    theta_radius: float
    eta: float
    lambda_: float
    sigma: Radius
    inside_ball: bool


def constants(
    problem: Problem,
    preset: str = "paper",
    exploration_multiplier: float = 1.0,
    radius_multiplier: float = 1.0,
    tau_factor: float = 336.0,
    theta_factor: float = 84.0,
    lambda_factor: float = 144.0,
    eta: float = 1.0,
) -> Constants:
    """The constants of a preset, see `real`; the factors are those of ``custom``, else the paper's.

    Raises
    ------
    InputError : neither tau nor the horizon fits the 64-bit round counter.
    """
    size, s, delta, horizon = problem.outcomes * problem.dim, problem.frobenius_bound, problem.delta, problem.horizon
    lambda_0 = (s + 1) * size * math.log(horizon / delta)
    tau = tau_factor**2 * lambda_0 * problem.kappa * size * math.log(horizon) if horizon > 1 else 0.0
    if min(tau, horizon) > LONGEST_COUNT:
        raise InputError("tau", tau, f"at most {LONGEST_COUNT:.0e} rounds; take a smaller S, K, d or horizon")
    printed = Constants(
        lambda_0=lambda_0,
        tau=math.ceil(min(tau, LONGEST_COUNT)),
        stop_diameter=0.0,
        theta_radius=theta_factor * math.sqrt(lambda_0),
        eta=eta,
        lambda_=lambda_factor * size,
        sigma=Radius(1.0, 2 * s * math.sqrt(lambda_factor * size), 0.0, 4 / 6 * size, 0.0, 0.0),
        inside_ball=False,
    )
    if preset in ("paper", "custom"):
        return printed
    if preset == "calibrated":
        sigma = printed.sigma._replace(scale=float(radius_multiplier))
        theta_radius = exploration_multiplier * printed.theta_radius
        return replace(printed, stop_diameter=DIAMETER, theta_radius=theta_radius, sigma=sigma)
    free, eta = (problem.outcomes - 1) * problem.dim, 1.5
    constant, growth = 4 * s**2 * 36 * eta * free + 2 * eta * math.log(1 / delta), 3 * math.sqrt(6) * eta**2 * free
    sigma = Radius(1.0, 0.0, constant, 0.0, growth, 2 / (free * (36 * eta * free)))
    return replace(printed, stop_diameter=DIAMETER, eta=eta, lambda_=36 * eta * free, sigma=sigma, inside_ball=True)


OPTIONS = (
    Option("exploration_multiplier", "factor on the radius of Theta"),
    Option("radius_multiplier", "factor on sigma_t"),
    *(
        Option(name, f"in place of {default:g} in {formula}", default=default, low=low, presets=("custom",))
        for name, default, low, formula in (
            ("tau_factor", 336.0, 0.0, "tau = 336^2 lambda_0 kappa K d log T"),
            ("theta_factor", 84.0, 1e-300, "the radius 84 sqrt(lambda_0) of Theta"),
            ("lambda_factor", 144.0, 1e-300, "lambda = 144 K d, and so in sigma_t"),
            ("eta", 1.0, 1e-300, "the step size eta = 1"),
        )
    ),
)
"""Multipliers of ``calibrated``, and the factors of ``custom``."""
