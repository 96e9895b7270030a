"""A learner that plays one action in all rounds on the circle, K = d = 2, and the lower bound of Theorem 2 there.

size = ||theta_1 - theta_2||, rho = (1, 0), so that 1/kappa_* = mu'(size) of the sigmoid mu; other rewards scale both sides.
"""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import nonnegative, unknowns
from mnlbandits.ledger.formulas.family import PRINTED
from mnlbandits.ledger.formulas.softmax import slope
from mnlbandits.ledger.formulas.vectors import variance

PROOF_CONSTANT = Fraction(1, PRINTED)
"""The constant of the last line of the proof of Theorem 2."""


def regret_of_repeating(m: Arithmetic, angle: Number, T: Number, size: Number | None = None) -> Number:
    """Reg_T of playing T times the action at this angle to x_*; size = sqrt(2), S = 1, if it is not given."""
    top = m.sqrt(m.number(2)) if size is None else size
    gap = 2 * top * m.sin(angle / 2) ** 2
    return T * m.expm1(gap) / ((1 + m.exp(gap - top)) * (1 + m.exp(top)))


def lower_bound_of_theorem(
    m: Arithmetic, T: Number, constant: Number | Fraction | int = PROOF_CONSTANT, size: Number | None = None
) -> Number:
    """constant R d sqrt(K T/kappa_*)."""
    factor = m.number(constant) if isinstance(constant, Fraction | int) else constant
    return factor * 2 * m.sqrt(2 * T * slope(m, m.sqrt(m.number(2)) if size is None else size))


def cap_of(m: Arithmetic, T: Number, constant: Number, size: Number) -> Number:
    """2 sqrt(constant w/(size sqrt(T))), w = sqrt(2 mu'(size)): half the angle of a cap around x_*."""
    return 2 * m.sqrt(constant * m.sqrt(2 * slope(m, size)) / (size * m.sqrt(T)))


def repeated_over_bound(
    m: Arithmetic, size: Number, share: Number, horizon: Number, constant: Number, expected: bool = False
) -> Number:
    """Reg_T over the bound at `share` of the cap, T = 10^horizon, constants 10^constant; of the mean if `expected`."""
    T, c = m.power(m.number(10), horizon), m.power(m.number(10), constant)
    if expected:
        found = m.integral(lambda v: regret_of_repeating(m, m.pi * v, T, size))
    else:
        found = regret_of_repeating(m, share * cap_of(m, T, c, size), T, size)
    return found / lower_bound_of_theorem(m, T, c, size)


def below_on_caps(expected: bool = False) -> bool:
    """Whether Reg_T is at most a quarter of c R d sqrt(K T/kappa_*) on the cap, for every c, T and size.

    root = sqrt(T): a round loses sigmoid(s) - sigmoid(s cos(angle)) <= s angle^2/8, as sigmoid' = p (1 - p) <= 1/4 and
    1 - cos(angle) <= angle^2/2.
    """
    s, root, c, w, p = unknowns("s", "root", "c", "w", "p")
    square = 4 * c * w / (s * root)
    flat = 1 - 4 * p * (1 - p) == (1 - 2 * p) ** 2
    deviation = p * (1 - p) == variance([p, 1 - p], [1, 0])
    return not expected and flat and deviation and root**2 * s * square / 8 == 2 * c * w * root / 4


def swept_over_bound(
    m: Arithmetic, size: Number, share: Number, constant: Number, surplus: Number, instance_first: bool = True
) -> Number:
    """Reg_T over the bound of the action at angle 3 T^(2/3), at `share` of 2/T^(1/3) from x_*, as it is again and again.

    T = e^surplus (size/(c w))^6, c = 10^constant. Without `instance_first` the instance is the one opposite to that action.
    """
    c = m.power(m.number(10), constant)
    first = m.log(size / (c * m.sqrt(2 * slope(m, size))))
    T = m.exp(6 * first + surplus)
    angle = share * 2 * m.exp(-2 * first - surplus / 3) if instance_first else m.pi
    return regret_of_repeating(m, angle, T, size) / lower_bound_of_theorem(m, T, c, size)


def sweep_on_caps(instance_first: bool = True) -> bool:
    """Whether no step is larger than 2/T^(1/3), and that is within the cap for T^(1/6) = s/(c w) + over.

    3 (T + 1)^(2/3) - 3 T^(2/3) <= 2/T^(1/3), as (T + 1)^2 T <= (T + 2/3)^3; 4/T^(2/3) <= 4 c w/(s sqrt(T)).
    """
    s, c, w, over, T = unknowns("s", "c", "w", "over", "T")
    sixth = s / (c * w) + over
    step = nonnegative((T + Fraction(2, 3)) ** 3 - (T + 1) ** 2 * T)
    within = nonnegative(4 * c * w / (s * sixth**3) - 4 / sixth**4)
    return instance_first and below_on_caps() and step and within


CAPS_BOX = {"size": (0.001, 60.0), "share": (0.0, 1.0), "horizon": (0.0, 30.0), "constant": (-6.0, 0.0)}
"""The coordinates of `repeated_over_bound`."""

SWEEP_BOX = {"size": (0.001, 60.0), "share": (0.0, 1.0), "constant": (-6.0, 0.0), "surplus": (0.0, 30.0)}
"""The coordinates of `swept_over_bound`."""
