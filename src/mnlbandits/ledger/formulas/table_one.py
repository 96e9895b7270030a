"""Table 1 and the rates that the text quotes: products of powers of R, d, K, kappa, kappa_* and T, without logarithms."""

from fractions import Fraction
from typing import NamedTuple

from mnlbandits.ledger.arithmetic import Arithmetic, Number

RADICAL = Fraction(1, 2)
"""The exponent of a square root."""


class Rate(NamedTuple):
    """The exponents of R, d, K, kappa, kappa_* and T in a rate."""

    R: Fraction | int = 0
    d: Fraction | int = 0
    K: Fraction | int = 0
    kappa: Fraction | int = 0
    kappa_star: Fraction | int = 0
    T: Fraction | int = 0

    def times(self, **exponents: Fraction | int) -> "Rate":
        """The rate multiplied by these powers."""
        return self._replace(**{name: getattr(self, name) + more for name, more in exponents.items()})


class Scales(NamedTuple):
    """What the rates of Table 1 depend on."""

    R: Number | float
    d: Number | float
    K: Number | float
    kappa: Number | float
    kappa_star: Number | float
    T: Number | float


class Row(NamedTuple):
    """A row of Table 1: its two terms, and whether the table gives it a cost per round."""

    setting: str
    first: Rate
    second: Rate | None = None
    tractable: bool = True


BINARY_SECOND = Rate(kappa=1, d=2)
"""kappa d^2."""

TABLE = {
    "Filippi 2010": Row("binary", Rate(d=1, kappa=1, T=RADICAL)),
    "Faury 2020": Row("binary", Rate(d=1, T=RADICAL), BINARY_SECOND),
    "Abeille 2021": Row("binary", Rate(d=1, T=RADICAL, kappa_star=-RADICAL), BINARY_SECOND),
    "Faury 2022": Row("binary", Rate(d=1, T=RADICAL, kappa_star=-RADICAL), BINARY_SECOND),
    "Zhang 2024 (binary)": Row("binary", Rate(d=1, T=RADICAL, kappa_star=-RADICAL), BINARY_SECOND),
    "Amani 2021": Row("multinomial", Rate(R=1, d=1, K=1, kappa=RADICAL, T=RADICAL)),
    "Amani 2021 (improved)": Row(
        "multinomial", Rate(R=1, d=1, K=Fraction(3, 2), T=RADICAL), Rate(kappa=1, d=2, K=2), tractable=False
    ),
    "Lee 2024": Row("multinomial", Rate(R=1, d=1, K=RADICAL, kappa=RADICAL, T=RADICAL)),
    "Lee 2024 (improved)": Row(
        "multinomial", Rate(R=1, d=1, K=RADICAL, T=RADICAL), Rate(kappa=1, d=2, K=2), tractable=False
    ),
    "Zhang 2024": Row("multinomial", Rate(R=1, d=1, K=1, T=RADICAL), Rate(kappa=1, d=2, K=Fraction(3, 2))),
    "ours": Row("multinomial", Rate(R=1, d=1, K=RADICAL, T=RADICAL, kappa_star=-RADICAL), Rate(kappa=1, d=2, K=2)),
}
"""Table 1 as printed."""

QUOTED = {
    "Filippi 2010": Rate(d=1, kappa=1, T=RADICAL),
    "Faury 2020": Rate(d=1, T=RADICAL),
    "Abeille 2021": Rate(d=1, T=RADICAL, kappa_star=-RADICAL),
    "Amani 2021": Rate(R=1, d=1, K=1, kappa=RADICAL, T=RADICAL),
    "Amani 2021 (improved)": Rate(R=1, d=1, K=Fraction(3, 2), T=RADICAL),
    "Zhang 2024": Rate(R=1, d=1, K=1, T=RADICAL),
    "ours": Rate(R=1, d=1, K=RADICAL, T=RADICAL, kappa_star=-RADICAL),
}
"""The rates that the abstract and the related work quote."""

SCALES_BOX = {
    "R": (-3.0, 3.0),
    "d": (0.0, 3.0),
    "K": (0.31, 3.0),
    "kappa": (0.31, 12.0),
    "kappa_star": (0.61, 12.0),
    "T": (0.0, 30.0),
}
"""Powers of ten of `Scales`, over which rates are compared."""


def rate_value(m: Arithmetic, rate: Rate | None, scales: Scales) -> Number:
    """A rate at these scales; 0 of a term that a row has not."""
    value = m.number(1 if rate else 0)
    for scale, exponent in zip(scales, rate or [0] * len(scales), strict=True):
        if exponent:
            value = value * (scale**exponent if isinstance(exponent, int) else m.power(scale, m.number(exponent)))
    return value


def scales_of(m: Arithmetic, **powers: Number) -> Scales:
    """The scales whose decimal logarithms are given."""
    return Scales(**{name: m.power(m.number(10), value) for name, value in powers.items()})
