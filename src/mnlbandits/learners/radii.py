"""Confidence radii that several methods share."""

import math

from mnlbandits.compiled import kernel


@kernel
def mix_loss(size, eta, ridge, delta, t):
    """2 eta log(1/delta) + 3 sqrt(6) eta^2 D log(1 + 2 t/(D lambda)), D = size: the mix-loss part of a squared radius."""
    volume = size * math.log(1.0 + 2.0 * t / (size * ridge))
    return 2.0 * eta * math.log(1.0 / delta) + 3.0 * math.sqrt(6.0) * eta**2 * volume


@kernel
def radius_square(outcomes, size, eta, ridge, norm_bound, delta, restated, t):
    """beta_t(delta)^2 of D = size parameters, see the module's docstring; `restated` for the paper preset."""
    square = ridge * norm_bound**2
    if not restated:
        return square + mix_loss(size, eta, ridge, delta, t)
    log_term = math.log(2.0 * math.sqrt(1.0 + 2.0 * t) / delta)
    bracket = 17.0 / 16.0 * ridge + 2.0 * math.sqrt(ridge) * log_term + 16.0 * log_term**2
    square *= 4.0
    square += 2.0 * eta * ((3.0 * math.log(1.0 + outcomes * t) + 3.0) * bracket + 2.0)
    return square + 2.0 * eta * 7.0 * math.sqrt(6.0) / 6.0 * eta * size * math.log(1.0 + (t + 1.0) / (2.0 * ridge))


@kernel
def mixture_square(size, variation, delta):
    """beta^2 = log(1/delta) + D log max(e, 2 e V/D) for D = `size` parameters and V = `variation`.

    V bounds the Lipschitz constant of L times the radius of the ball. From Ville's inequality for the uniform mixture over
    the ball, restricted to the ball shrunk by a factor min(1, D/(2 V)) about the estimate.
    """
    return math.log(1.0 / delta) + size * math.log(max(math.e, 2.0 * math.e * variation / size))


def mix_loss_radius(norm_bound: float, delta: float, size: int, eta: float, ridge: float) -> list[float]:
    """Coefficients of `radius` of mirror descent by the mix-loss argument, started within S of theta_*; `size` is D."""
    growth = 3 * math.sqrt(6) * eta**2 * size
    return [1.0, 0.0, ridge * norm_bound**2 + 2 * eta * math.log(1 / delta), 0.0, growth, 2 / (size * ridge)]


@kernel
def radius(coefficients, t, delta, rounds):
    """scale (offset + sqrt(constant + log_ log(t/delta) + growth log(1 + rate n))) of round t after n = `rounds` rounds."""
    square = coefficients[2] + coefficients[3] * math.log(t / delta) + coefficients[4] * math.log1p(coefficients[5] * rounds)
    return coefficients[0] * (coefficients[1] + math.sqrt(square))
