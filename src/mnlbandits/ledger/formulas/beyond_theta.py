"""Where Theta as printed, or the start in it, is too far from theta_*: bounds for all outcomes at once.

K = 2, d = 1, a single arm x, theta = (b, -b)/sqrt(2), theta_* at b = S, rho = (1, 0). The gradient of the loss puts
||hat theta|| below sqrt(2) x tau/lambda_0, and V is at least lambda_0 I.
"""

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.formulas.estimates import ridge_zero
from mnlbandits.ledger.formulas.learning import LEVEL, sigma_t
from mnlbandits.ledger.formulas.radii import ROOT, rounds_at_tau
from mnlbandits.ledger.formulas.softmax import binary_curvature, sigmoid, slope


def estimate_reach(m: Arithmetic, S: Number, x: Number, horizon: int) -> Number:
    """At least |b| at hat theta."""
    return m.sqrt(2) * x * rounds_at_tau(m, S, x, horizon)


def information_at_end(m: Arithmetic, S: Number, x: Number, horizon: int, root: int = ROOT) -> Number:
    """At most W_T in the coordinate b, all iterates in Theta, as tau <= `rounds_at_tau` lambda_0."""
    level = ridge_zero(m, 2, 1, S, m.number(horizon), m.number(LEVEL))
    rounds = horizon - 1 - rounds_at_tau(m, S, x, horizon) * level
    furthest = root + estimate_reach(m, S, x, horizon)
    return 288 + 2 * m.maximum(rounds, 0) * slope(m, m.sqrt(2) * furthest * x) * x**2


def error_over_bonuses(m: Arithmetic, S: Number, x: Number, horizon: int, root: int = ROOT, constant: int = 3) -> Number:
    """At most |rho^T mu(theta_* x) - rho^T mu(theta_T x)|/(eps_1 + eps_2), whatever the outcomes; mu' <= 1/4 in eps_1."""
    nearest = m.minimum(root + estimate_reach(m, S, x, horizon), S)
    error = sigmoid(m, m.sqrt(2) * S * x) - sigmoid(m, m.sqrt(2) * nearest * x)
    unit = sigma_t(m, 2, S, horizon) * x / m.sqrt(information_at_end(m, S, x, horizon, root))
    return error / (m.sqrt(2) * unit / 4 + constant * unit**2)


def radius_at_boundary(m: Arithmetic, S: Number, x: Number, horizon: int, root: int = ROOT) -> Number:
    """At least sigma_T/||theta_* - theta_{tau+2}||_W, whatever the outcomes, theta_{tau+1} on the boundary of Theta."""
    kappa = 1 / binary_curvature(m, S * x)
    width = root / m.sqrt(1 + rounds_at_tau(m, S, x, horizon) * x**2 / kappa)
    moved = m.sqrt(2) * x / 288
    away = width - estimate_reach(m, S, x, horizon) - moved - S
    return sigma_t(m, 2, S, horizon) / (m.maximum(away, m.number("1e-9")) * m.sqrt(288))


def truth_inside(m: Arithmetic, S: Number, x: Number, horizon: int, root: int = ROOT) -> Number:
    """At least ||theta_* - hat theta||_V over the radius of Theta, whatever the outcomes."""
    kappa = 1 / binary_curvature(m, S * x)
    return (S + estimate_reach(m, S, x, horizon)) * m.sqrt(1 + rounds_at_tau(m, S, x, horizon) * x**2 / kappa) / root


def distance_from_boundary(m: Arithmetic, S: Number, x: Number, horizon: int, root: int = ROOT) -> Number:
    """At least ||theta_* - theta_{tau+2}||_W/sigma_T from the boundary of a Theta that holds theta_*; 0 if it may not."""
    inside = truth_inside(m, S, x, horizon, root) <= 1
    return 1 / radius_at_boundary(m, S, x, horizon, root) if inside else 0 * S
