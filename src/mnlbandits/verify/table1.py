"""The paper's Table 1 with measured columns beside the printed ones."""

import math
from typing import NamedTuple

import pandas as pd

from mnlbandits.algorithms import REGISTRY
from mnlbandits.verify.cost import growth


class Row(NamedTuple):
    """A row of Table 1 as printed, regret and cost per round in LaTeX."""

    setting: str
    reference: str
    regret: str
    cost: str


PRINTED = (
    Row("binary", "Filippi et al. (2010)", r"d \kappa \sqrt{T}", "O(t)"),
    Row("binary", "Faury et al. (2020)", r"d \sqrt{T} + \kappa d^2", "O(t)"),
    Row("binary", "Abeille et al. (2021)", r"d \sqrt{T / \kappa_*} + \kappa d^2", "O(t)"),
    Row("binary", "Faury et al. (2022)", r"d \sqrt{T / \kappa_*} + \kappa d^2", r"O(\log^2(t))"),
    Row("binary", "Zhang and Sugiyama (2023)", r"d \sqrt{T / \kappa_*} + \kappa d^2", "O(1)"),
    Row("multinomial", "Amani and Thrampoulidis (2021)", r"R d K \sqrt{\kappa T}", "O(t)"),
    Row("multinomial", "Amani and Thrampoulidis (2021)", r"R d K^{3/2} \sqrt{T} + \kappa d^2 K^2", "-"),
    Row("multinomial", "Lee et al. (2024)", r"R d \sqrt{K \kappa T}", "O(t)"),
    Row("multinomial", "Lee et al. (2024)", r"R d \sqrt{K T} + \kappa d^2 K^2", "-"),
    Row("multinomial", "Zhang and Sugiyama (2023)", r"R d K \sqrt{T} + \kappa d^2 K^{3/2}", "O(1)"),
    Row("multinomial", "Boudart et al. (2026)", r"R d \sqrt{K T / \kappa_*} + \kappa d^2 K^2", "O(1)"),
)
"""Table 1, rows 1 to 11."""

GROWTH = {"O(1)": (-math.inf, 0.15), r"O(\log^2(t))": (-math.inf, 0.35), "O(t)": (0.75, 1.25)}
"""Exponents of the cost in t, between t = 1e3 and 1e5, that agree with a printed class.

Constants of lower order remain; a bounded cost may fall, as where an algorithm explores first.
"""


def table1(costs: pd.DataFrame, regrets: pd.DataFrame, preset: str = "valid") -> pd.DataFrame:
    """One line per row of Table 1 and system run for it.

    Parameters
    ----------
    costs : as `cost_table` gives it.
    regrets : mean regret at the horizon, as `analysis.regret.final_regret` gives it; `preset` picks its lines.
    """
    lines = []
    for number, row in enumerate(PRINTED, 1):
        names = [name for name, algorithm in REGISTRY.items() if algorithm.row == number]
        for name in names or [""]:
            line = {"row": number} | row._asdict() | {"run": REGISTRY[name].title if name else "not run", "mark": ""}
            if name:
                line |= {"mark": REGISTRY[name].mark} | measured(name, row.cost, costs, regrets, preset)
            lines.append(line)
    return pd.DataFrame(lines)


def measured(name: str, printed: str, costs: pd.DataFrame, regrets: pd.DataFrame, preset: str) -> dict[str, object]:
    """Microseconds per round at every t, their growth and whether it agrees; regret with its interval on every instance."""
    own = costs[costs["algorithm"] == name]
    line: dict[str, object] = {f"microseconds at t = {row.t}": row.microseconds for row in own.itertuples()}
    if len(own):
        exponent = growth(own)
        low, high = GROWTH.get(printed, (float("nan"), float("nan")))
        line |= {
            "growth": exponent,
            "agrees": "not claimed" if printed == "-" else "yes" if low <= exponent <= high else "no",
        }
    for row in regrets[regrets["algorithm"] == f"{name}-{preset}"].itertuples():
        line[f"regret on {row.instance}"] = f"{row.mean:.4g} [{row.low:.4g}, {row.high:.4g}]"
    return line
