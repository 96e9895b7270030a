"""The example of a large kappa_*, Appendix B.2: theta_* = Pi m e_1 e_1^T, rho = (2, 1, ..., 1)/sqrt(K + 3)."""

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns

EXAMPLE_SIZES = tuple({"K": K} for K in (2, 3, 10, 1000))
"""K at which the example is computed."""

EXAMPLE_BOX = {"S": (0.01, 100.0)}
"""S = ||theta_*||_F of the example."""


def corner_entry(m: Arithmetic, K: int, S: Number) -> Number:
    """m = S sqrt(K/(K - 1)), with which ||Pi M_*||_F = S."""
    return S * m.sqrt(m.number(K) / (K - 1))


def example_variance(m: Arithmetic, K: int, corner: Number) -> Number:
    """1/kappa_* = mu_1 (1 - mu_1)/(K + 3) of the example with m = `corner`; mu_1/mu_2 = exp(m)."""
    small = m.exp(-corner)
    return (K - 1) * small / ((K - 1) * small + 1) ** 2 / (K + 3)


def moments_split(cross: int = 2) -> bool:
    """Eq. (large kappa star eq1), for every K: A, B are sum_{k>1} rho_k mu_k and sum_{k>1} rho_k^2 mu_k, p is mu_1."""
    rho, p, A, B = unknowns("rho", "p", "A", "B")
    return rho**2 * p + B - (rho * p + A) ** 2 == rho**2 * p * (1 - p) - cross * rho * p * A + (B - A**2)


def first_terms_cancel(cross: int = 2, high: int = 2) -> bool:
    """rho_1^2 mu_1 (1 - mu_1) = 2 rho_1 mu_1 sum_{k>1} rho_k mu_k for rho proportional to (high, 1, ..., 1), every K."""
    (p,) = unknowns("p")
    return high**2 * p * (1 - p) == cross * high * p * (1 - p)


def variance_of_example(factor: int = 1, high: int = 2) -> bool:
    """rho^T grad mu rho = factor/(K + 3) mu_1 (1 - mu_1), for every K."""
    p, K = unknowns("p", "K")
    return (high**2 * p + (1 - p) - (high * p + 1 - p) ** 2) / (K + 3) == factor * p * (1 - p) / (K + 3)


def example_below(factor: int = 2) -> bool:
    """Whether 1/kappa_* <= factor exp(-S)/((K - 1) exp(-S) + 1)^2 for every K >= 2 and S > 0, by the steps below.

    With n = K - 1 it is n/(n + 4) exp(-(m - S)) ((n exp(-S) + 1)/(n exp(-m) + 1))^2/factor <= 1. As m >= S, the exponential
    is at most 1; the quotient is at most 1 + n (exp(-S) - exp(-m)) <= 1 + n (m - S) exp(-S), n (m - S) <= S/2, since
    1 + 1/n <= (1 + 1/(2 n))^2, and S exp(-S) <= 1/2, since exp(S) >= 1 + S + S^2/2 = 2 S + (1 - S)^2/2 + 1/2.
    """
    n, S, a, b = unknowns("n", "S", "a", "b")
    root = nonnegative((1 + 1 / (2 * n)) ** 2 - (1 + 1 / n))
    exponential = 2 * S + (1 - S) ** 2 / 2 + n / n / 2 == 1 + S + S**2 / 2
    quotient = nonnegative(1 + n * a - (n * (a + b) + 1) / (n * b + 1))
    square = nonnegative(factor - (n * 0 + 5) ** 2 / 16 * n / (n + 4))
    return root and exponential and quotient and square
