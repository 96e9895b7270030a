"""What the titles of figures say: one sentence, with numbers from the table that is drawn."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import pandas as pd

from mnlbandits.plots import style

MOST = 3
"""Systems that a title names, besides REAL."""


def tex(value: float) -> str:
    """A positive number as TeX, with two digits; from a million on and below 1/1000 with a power of ten."""
    digits, power = f"{value:.1e}".split("e")
    if -3 <= int(power) < 6:
        return f"{value:.2g}" if value < 10 else f"{float(f'{value:.1e}'):,.0f}".replace(",", "{,}")
    factor = "" if digits == "1.0" else rf"{digits.removesuffix('.0')}\times"
    return rf"{factor}10^{{{int(power)}}}"


def number(value: float) -> str:
    """`tex` in a sentence."""
    return f"${tex(value)}$"


def time(t: int) -> str:
    """``t = ..`` as TeX: whole below a million, else like `tex`."""
    return f"t={f'{t:,}'.replace(',', '{,}') if t < 1e6 else tex(t)}"


def span(values: Iterable[float]) -> str:
    """``a to b`` of positive numbers, once if they are the same with two digits."""
    known = [value for value in values if math.isfinite(value)]
    return " to ".join(dict.fromkeys(map(number, (min(known), max(known)))))


def of(count: int, total: int) -> str:
    """``3 of 7``, ``none of 7`` or ``all 7``."""
    return f"all {total}" if count == total else f"{count or 'none'} of {total}"


def at_the_end(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of the last round of each instance."""
    return table[table["t"] == table.groupby("instance")["t"].transform("max")]


def lowest(table: pd.DataFrame, column: str = "mean") -> str | None:
    """Who has the lowest `column` at the end of how many panels, REAL in any case; None if there is nobody to compare with.

    `table` has the columns instance, algorithm, preset, t and `column`; a panel is an instance with a set of constants, and
    learners without constants are in each of an instance's. Yardsticks do not count.
    """
    ends = at_the_end(table)
    ends = ends.assign(system=list(map(style.title, ends["algorithm"], ends["preset"])))
    ends = ends[[style.stem(*pair) not in style.YARDSTICKS for pair in zip(ends["algorithm"], ends["preset"], strict=True)]]
    presets = list(dict.fromkeys(ends["preset"][ends["preset"] != "none"])) or ["none"]
    panels = [
        group[group["preset"].isin([preset, "none"])]
        for _, group in ends.groupby("instance", sort=False)
        for preset in presets
    ]
    panels = [panel for panel in panels if len(panel)]
    if not any(len(panel) > 1 for panel in panels):
        return None
    best = [set(panel.loc[panel[column] == panel[column].min(), "system"]) for panel in panels]
    played = Counter(name for panel in panels for name in set(panel["system"]))
    return f"Lowest regret at ${time(ends['t'].max())}$: {tally(best, played)}"


def tally(best: Sequence[Collection[str]], played: Mapping[str, int]) -> str:
    """``RS-MNL in 7 of 18 panels, REAL in 3 of 18``: who is among the best of how many panels, of those that it plays.

    REAL is named in any case, and how many panels have others; a panel counts for all who are its best.
    """
    counts = Counter(name for names in best for name in names)
    ranked = sorted(counts, key=lambda name: (-counts[name], name))
    named = ranked[:MOST] + ["REAL"] * ("REAL" in played and "REAL" not in ranked[:MOST])
    first, *others = [f"{name} in {counts[name] or 'none'} of {played[name]}" for name in named]
    rest = sum(not set(named) & set(names) for names in best)
    said = [f"{first} panels that it plays", *others]
    said += [f"others in {rest}"] if rest else []
    return ", ".join(said) + (" (ties count for all)" if any(len(names) > 1 for names in best) else "")
