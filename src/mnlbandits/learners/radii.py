"""Confidence radii that several methods share: a record of named numbers each, and the kernel that evaluates it.

The mix-loss argument, for one-step mirror descent from within S of theta_* with D parameters (our derivation; the idea is
that of GLB-OMD, Zhang, Xu, Zhao and Sugiyama 2025): with Delta_s = phi_{s+1} - phi_s and c = 3 eta/2, (i) the optimality of
every step and l(phi_*) >= l(phi) + <grad l(phi), phi_* - phi> + ||phi_* - phi||^2_{Hessian of l at phi}/(2 eta), a lemma of
Zhang and Sugiyama (2023) as restated for 2 eta = log K + 2 (S + 1), give ||phi_{t+1} - phi_*||^2_{H_{t+1}} <= 2 eta sum
[l_s(phi_*) - l_s(phi_{s+1})] + lambda S^2 + 2 sqrt(6) eta S sum ||Delta_s||^2 - sum ||Delta_s||^2_{H_s}; (ii) by Ville's
inequality the losses m_s of the mixtures N(phi_s, c H_s^-1) have sum [l_s(phi_*) - m_s] <= log(1/delta); (iii) sum [m_s -
l_s(phi_{s+1})] <= sum ||Delta_s||^2_{H_s}/(2 c) + sqrt(6) c D log(1 + 2 t/(D lambda)) for lambda >= 24 c D; (iv) lambda >=
6 sqrt(6) eta S absorbs the rest. Hence

    radius^2 = lambda S^2 + 2 eta log(1/delta) + 3 sqrt(6) eta^2 D log(1 + 2 t/(D lambda)).
"""

import math
from typing import NamedTuple

from mnlbandits.compiled import kernel


class Radius(NamedTuple):
    """The numbers of scale (offset + sqrt(constant + log log(t/delta) + growth log(1 + rate n))), see `radius`."""

    scale: float
    offset: float
    constant: float
    log: float
    growth: float
    rate: float


@kernel
def radius(numbers, t, delta, rounds):
    """The `Radius` of round t after n = `rounds` rounds of learning."""
    square = numbers.constant + numbers.log * math.log(t / delta) + numbers.growth * math.log1p(numbers.rate * rounds)
    return numbers.scale * (numbers.offset + math.sqrt(square))


def mix_loss_radius(norm_bound: float, delta: float, size: int, eta: float, ridge: float) -> Radius:
    """That of the mix-loss argument, for D = `size`."""
    constant, growth = ridge * norm_bound**2 + 2 * eta * math.log(1 / delta), 3 * math.sqrt(6) * eta**2 * size
    return Radius(1.0, 0.0, constant, 0.0, growth, 2 / (size * ridge))


class OnlineRadius(NamedTuple):
    """The numbers of mirror descent in a ball from round 1 on, see `online_radius`."""

    outcomes: int  # K
    size: int  # D
    eta: float
    ridge: float  # lambda
    norm_bound: float  # S
    delta: float
    restated: bool  # the restated radius, else that of the mix-loss argument
    scale: float  # multiplier on the radius


@kernel
def online_radius(numbers, t):
    """The radius after t rounds: of the mix-loss argument, or as Lee and Oh (2024) restate OFUL-MLogB, with D for d.

    The restated one is the root of 2 eta [(3 log(1 + K t) + 3)(17/16 lambda + 2 sqrt(lambda) Lambda + 16 Lambda^2) + 2 +
    7 sqrt(6)/6 eta D log(1 + (t + 1)/(2 lambda))] + 4 lambda S^2, Lambda = log(2 sqrt(1 + 2 t)/delta).
    """
    eta, ridge = numbers.eta, numbers.ridge
    square = ridge * numbers.norm_bound**2
    if not numbers.restated:
        return numbers.scale * math.sqrt(square + mix_loss(numbers, t))
    log_term = math.log(2.0 * math.sqrt(1.0 + 2.0 * t) / numbers.delta)
    bracket = 17.0 / 16.0 * ridge + 2.0 * math.sqrt(ridge) * log_term + 16.0 * log_term**2
    square *= 4.0
    square += 2.0 * eta * ((3.0 * math.log(1.0 + numbers.outcomes * t) + 3.0) * bracket + 2.0)
    square += 2.0 * eta * 7.0 * math.sqrt(6.0) / 6.0 * eta * numbers.size * math.log(1.0 + (t + 1.0) / (2.0 * ridge))
    return numbers.scale * math.sqrt(square)


@kernel
def mix_loss(numbers, t):
    """2 eta log(1/delta) + 3 sqrt(6) eta^2 D log(1 + 2 t/(D lambda)), the part of radius^2 besides lambda S^2."""
    volume = numbers.size * math.log(1.0 + 2.0 * t / (numbers.size * numbers.ridge))
    return 2.0 * numbers.eta * math.log(1.0 / numbers.delta) + 3.0 * math.sqrt(6.0) * numbers.eta**2 * volume


@kernel
def recalled_square(size, bound, observations, delta):
    """beta^2 = 5 D log(e + S n/D) + 2 (e - 2 + sqrt(6) S) log(1/delta) of Lee, Yun and Jun (2024), recalled, unverified."""
    square = 5.0 * size * math.log(math.e + bound * observations / size)
    return square + 2.0 * (math.e - 2.0 + math.sqrt(6.0) * bound) * math.log(1.0 / delta)


@kernel
def mixture_square(size, variation, delta):
    """beta^2 = log(1/delta) + D log max(e, 2 e V/D) for D = `size` parameters and V = `variation`.

    V bounds the Lipschitz constant of L times the radius of the ball. From Ville's inequality for the uniform mixture over
    the ball, restricted to the ball shrunk by a factor min(1, D/(2 V)) about the estimate.
    """
    return math.log(1.0 / delta) + size * math.log(max(math.e, 2.0 * math.e * variation / size))
