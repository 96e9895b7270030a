"""Table 1 and the rates that the text quotes, as printed, and as powers of R, d, K, kappa, kappa_* and T; no logarithms."""

import re
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


class PrintedRow(NamedTuple):
    """A row of Table 1: its two terms, and whether the table gives it a cost per round."""

    setting: str
    first: Rate
    second: Rate | None = None
    tractable: bool = True


SQUARE_ROOT = re.compile(r"\\sqrt(?:\{([^{}]*)\}| (\w))")
"""A square root in LaTeX."""

SYMBOL_POWER = re.compile(r"(R|d|K|T|\\kappa_\*|\\kappa)(?:\^(?:\{(\d+)/(\d+)\}|(\d)))?")
"""A symbol in LaTeX and its exponent."""


def rate_of(printed: str) -> Rate:
    """A product of powers and square roots from its LaTeX.

    Raises
    ------
    ValueError : something in it is neither.
    """
    rate = with_factors(Rate(), SQUARE_ROOT.sub("", printed), Fraction(1))
    for root in SQUARE_ROOT.finditer(printed):
        above, _, below = (root[1] or root[2]).partition("/")
        rate = with_factors(with_factors(rate, above, RADICAL), below, -RADICAL)
    return rate


def with_factors(rate: Rate, printed: str, times: Fraction) -> Rate:
    """The rate multiplied by a product of powers in LaTeX, raised to `times`."""
    if SYMBOL_POWER.sub("", printed).strip():
        raise ValueError(f"no product of powers: {printed}")
    for symbol, above, below, whole in SYMBOL_POWER.findall(printed):
        name = symbol.removeprefix("\\").replace("_*", "_star")
        rate = rate.times(**{name: times * Fraction(int(above or whole or 1), int(below or 1))})
    return rate


def printed_row(setting: str, regret: str, cost: str) -> PrintedRow:
    """A row from what is printed of it, the terms joined by +."""
    first, *others = (rate_of(term) for term in regret.split(" + "))
    return PrintedRow(setting, first, *(others or [None]), tractable=cost != "-")


TABLE_PRINTED = {
    "Filippi 2010": ("binary", r"d \kappa \sqrt{T}", "O(t)"),
    "Faury 2020": ("binary", r"d \sqrt{T} + \kappa d^2", "O(t)"),
    "Abeille 2021": ("binary", r"d \sqrt{T/\kappa_*} + \kappa d^2", "O(t)"),
    "Faury 2022": ("binary", r"d \sqrt{T/\kappa_*} + \kappa d^2", r"O(\log^2(t))"),
    "Zhang 2024 (binary)": ("binary", r"d \sqrt{T/\kappa_*} + \kappa d^2", "O(1)"),
    "Amani 2021": ("multinomial", r"R d K \sqrt{\kappa T}", "O(t)"),
    "Amani 2021 (improved)": ("multinomial", r"R d K^{3/2} \sqrt{T} + \kappa d^2 K^2", "-"),
    "Lee 2024": ("multinomial", r"R d \sqrt{K \kappa T}", "O(t)"),
    "Lee 2024 (improved)": ("multinomial", r"R d \sqrt{K T} + \kappa d^2 K^2", "-"),
    "Zhang 2024": ("multinomial", r"R d K \sqrt{T} + \kappa d^2 K^{3/2}", "O(1)"),
    "ours": ("multinomial", r"R d \sqrt{K T/\kappa_*} + \kappa d^2 K^2", "O(1)"),
}
"""Setting, regret and cost per round of the rows of Table 1, from the first to the last, in LaTeX."""

TABLE = {name: printed_row(*printed) for name, printed in TABLE_PRINTED.items()}
"""Table 1."""


def earlier_rows(tractable: bool) -> list[str]:
    """The multinomial rows of Table 1 but the paper's own, all or those to which it gives a cost per round."""
    rows = {name: row for name, row in TABLE.items() if row.setting == "multinomial" and name != "ours"}
    return [name for name, row in rows.items() if row.tractable or not tractable]


QUOTED_PRINTED = {
    "Filippi 2010": r"d \kappa \sqrt T",
    "Faury 2020": r"d \sqrt T",
    "Abeille 2021": r"d \sqrt{T/\kappa_*}",
    "Amani 2021": r"R d K \sqrt{\kappa T}",
    "Amani 2021 (improved)": r"R d K^{3/2} \sqrt T",
    "Zhang 2024": r"R d K \sqrt T",
    "ours": r"R d \sqrt{K T/\kappa_*}",
}
"""The rates that the abstract and the related work quote, in LaTeX, by their rows of Table 1."""

QUOTED = {name: rate_of(printed) for name, printed in QUOTED_PRINTED.items()}
"""The rates that the text quotes."""

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
            whole = Fraction(exponent).denominator == 1
            value = value * (scale ** int(exponent) if whole else m.power(scale, m.number(exponent)))
    return value


def scales_of(m: Arithmetic, **powers: Number) -> Scales:
    """The scales whose decimal logarithms are given."""
    return Scales(**{name: m.power(m.number(10), value) for name, value in powers.items()})
