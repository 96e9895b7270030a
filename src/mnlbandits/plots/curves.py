"""The regret of runs of one's own."""

from collections.abc import Iterable, Mapping

import pandas as pd
from matplotlib.figure import Figure

from mnlbandits.analysis.regret import regret_summary
from mnlbandits.errors import NOTHING, InputError, Words, is_number
from mnlbandits.plots import regret
from mnlbandits.simulators import Runs

SMALLEST = 2
"""Inches of a side, in which a panel and a legend have place."""


def plot_regret(
    runs: Iterable[Runs] | Mapping[str, Runs],
    *,
    size: tuple[float, float] | None = None,
    log: bool = True,
    together: bool = False,
) -> Figure:
    """Mean cumulative regret over rounds, with its 95 % Student interval.

    One row of panels for each set of constants, one column for each instance, one line for each algorithm.

    Parameters
    ----------
    runs : iterable of Runs, or mapping from str to Runs
        What `simulate` returned; the keys of a mapping are the names in the legend. Results of one algorithm and preset
        count together, as runs with different numbers; those with other options or seeds need names.
    size : (float, float), optional
        Width and height in inches, such as (8, 4.5) for a slide; by default those of a column or page of a paper.
    log : bool
        Log-log axes with a guide that grows like the square root of t; else linear axes from 0 on.
    together : bool
        All sets of constants in one row, told apart in the legend, instead of a row for each.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        There are no runs, some with the same numbers twice, or a size that is not one.

    Examples
    --------
    >>> from mnlbandits import make_instance, plot_regret, simulate
    >>> instance = make_instance("example", "random", {"outcomes": 3, "dim": 2, "arms": 10})
    >>> figure = plot_regret([simulate(instance, name, horizon=100, runs=5) for name in ("uniform", "oful-mlogb")])
    >>> figure.savefig("regret.pdf")
    """
    parts = list(runs.items() if isinstance(runs, Mapping) else ((None, each) for each in runs))
    if not parts:
        raise InputError("runs", NOTHING, "at least one result of simulate")
    return plot_tables([each.labelled_table(label) for label, each in parts], size, log, together)


def plot_tables(
    tables: Iterable[pd.DataFrame],
    size: tuple[float, float] | None = None,
    log: bool = True,
    together: bool = False,
) -> Figure:
    """`plot_regret` of tables as `Runs.labelled_table` makes them."""
    if size is not None and not (len(size) == 2 and all(is_number(side) and SMALLEST <= side <= 100 for side in size)):
        raise InputError("size", size, f"a width and a height in inches, from {SMALLEST} to 100")
    runs = pd.concat(tables)
    for label, group in runs.groupby("algorithm", sort=False):
        if group.duplicated(["instance", "preset", "run", "t"]).any():
            allowed = (
                "each run once: results that differ in options or seeds have names of their own (a mapping, or NAME=FILE)"
            )
            raise InputError("runs", Words(f"runs of {label} with the same numbers twice"), allowed)
    named = runs.assign(**{column: as_it_stands(runs[column]) for column in ("instance", "algorithm")})
    table = regret_summary(named, ["instance", "algorithm", "preset"])
    return regret.draw(table, titled=False, size=size, log=log, together=together)


def as_it_stands(names: pd.Series) -> pd.Series:
    """Names of whatever signs, none of which matplotlib takes for the start of mathematics."""
    return names.astype(str).str.replace("$", r"\$", regex=False)
