"""The radii of Propositions 2 and 3 and of Algorithm 1, and what they bound after one round; all in units of lambda_0."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import FLOATS, Arithmetic, Number
from mnlbandits.ledger.formulas.softmax import binary_curvature, sigmoid, slope

GAMMA, ROOT = 16, 84
"""gamma_t/lambda_0 of Proposition 2 and sqrt(beta/lambda_0), the radius of Theta in Algorithm 1."""

TAU = 336**2
"""tau/(lambda_0 kappa K d log T) of Lemma 1."""

BISECTIONS = 150
"""Steps to the root in `distance_at_one`; floats need no more than 60."""


def beta_root(gamma_root: Number | float) -> Number | float:
    """sqrt(beta/lambda_0) = (1 + g^2 + g) g of Proposition 3, g = sqrt(gamma/lambda_0)."""
    return (1 + gamma_root**2 + gamma_root) * gamma_root


def gamma_root_mended(S: Number | float, unit: Number | int = 1, offset: int = 4) -> Number | float:
    """sqrt(gamma/lambda_0) with which Proposition 2 is true, the printed one at S = 0; times `unit` if S is."""
    return S + offset * unit


def mended_root(S: Number | float) -> Number | float:
    """sqrt(beta/lambda_0) of Proposition 3 from that gamma."""
    return beta_root(gamma_root_mended(S))


THETA_MENDED, TAU_MENDED = Fraction(167, 100), 42
"""beta/((S + 3)^2 lambda_0) and tau/((S + 3)^2 lambda_0 kappa d log T) with which Lemma 1 is true."""


def theta_root_mended(m: Arithmetic, S: Number, unit: Number | int = 1, theta: Fraction | float = THETA_MENDED) -> Number:
    """sqrt(beta/lambda_0), the radius of a Theta that holds theta_* for every S and length of the arms; units as above."""
    return m.sqrt(theta * m.number(1)) * (S + 3 * unit)


def tau_root_mended(m: Arithmetic, S: Number, unit: Number | int = 1, tau: int = TAU_MENDED) -> Number:
    """sqrt(tau/(lambda_0 kappa d log T)) for that Theta; units as above."""
    return m.sqrt(tau * m.number(1)) * (S + 3 * unit)


def event_at_one(m: Arithmetic, gamma: Number | int, S: Number, level: Number, x: Number, outcome: int = 1) -> Number:
    """||g_1(theta_*) - g_1(hat theta_2)||^2_{H_1^-1}/(gamma lambda_0) at theta_* = (S, -S)/sqrt(2); outcome 1 is the least.

    `level` is log(T/delta), `x` the arm; K = 2, d = 1.
    """
    ridge = (S + 1) * 2 * level
    u = m.sqrt(2) * S * x
    seen = -sigmoid(m, -u) if outcome == 1 else sigmoid(m, u)
    residual = ridge * S + m.sqrt(2) * x * seen
    return residual**2 / ((ridge + 2 * slope(m, u) * x**2) * gamma * ridge)


def distance_at_one(m: Arithmetic, root: Number | int, S: Number, level: Number, x: Number) -> Number:
    """||hat theta_2 - theta_*||_{H_1(theta_*)}/(root sqrt(lambda_0)) in the setting of `event_at_one`; never too large."""
    ridge = (S + 1) * 2 * level
    low, high = 0 * ridge, m.sqrt(2) * x / ridge
    for _ in range(60 if m is FLOATS else BISECTIONS):
        b = (low + high) / 2
        if ridge * b < m.sqrt(2) * x * sigmoid(m, -m.sqrt(2) * x * b):
            low = b
        else:
            high = b
    curved = ridge + 2 * slope(m, m.sqrt(2) * S * x) * x**2
    return m.minimum(abs(S - low), abs(S - high)) * m.sqrt(curved / ridge) / root


def rounds_at_tau(m: Arithmetic, S: Number, x: Number, horizon: int, rate: Number | int = 2 * TAU) -> Number:
    """At least tau/lambda_0, rounded up, for K = 2, d = 1, the single arm x and tau = rate lambda_0 kappa log T."""
    return rate * m.log(m.number(horizon)) / binary_curvature(m, S * x) + 1


def event_at_tau(
    m: Arithmetic, gamma: Number | int, S: Number, x: Number, horizon: int, rate: Number | int = 2 * TAU
) -> Number:
    """`event_at_one` after tau rounds of the single arm x, the least over all outcomes; x so short that S outweighs them."""
    rounds, u = rounds_at_tau(m, S, x, horizon, rate), m.sqrt(2) * S * x
    residual = S - m.sqrt(2) * x * rounds * sigmoid(m, -u)
    return m.maximum(residual, 0) ** 2 / ((1 + 2 * rounds * slope(m, u) * x**2) * gamma)


def distance_at_tau(
    m: Arithmetic, root: Number | int, S: Number, x: Number, horizon: int, rate: Number | int = 2 * TAU
) -> Number:
    """A lower bound of ||hat theta - theta_*||_V/(root sqrt(lambda_0)) there.

    V is at least lambda_0 I, and the gradient of the loss puts ||hat theta|| below sqrt(2) x tau/lambda_0.
    """
    return (S - m.sqrt(2) * x * rounds_at_tau(m, S, x, horizon, rate)) / root


def diameter_at_tau(m: Arithmetic, root: Number | int, x: Number, level: Number, rate: Number | int = 2 * TAU) -> Number:
    """sqrt(6) diam(Theta) of radius root sqrt(lambda_0) there, log T = `level`: kappa cancels."""
    return 2 * m.sqrt(m.number(6)) * root * x / m.sqrt(1 + rate * level * x**2)
