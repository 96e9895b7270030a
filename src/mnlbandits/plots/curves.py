"""The regret of runs of one's own."""

from collections.abc import Iterable, Mapping

import pandas as pd
from matplotlib.figure import Figure

from mnlbandits.analysis.regret import regret_summary
from mnlbandits.errors import NOTHING, InputError
from mnlbandits.plots import regret
from mnlbandits.simulators import Runs


def plot_regret(runs: Iterable[Runs] | Mapping[str, Runs]) -> Figure:
    """Mean cumulative regret over rounds, with its 95 % Student interval.

    One row of panels for each set of constants, one column for each instance, one line for each algorithm.

    Parameters
    ----------
    runs : iterable of Runs, or mapping from str to Runs
        What `simulate` returned; the keys of a mapping are the names in the legend.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        There are no runs.

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
    return plot_tables([each.labelled_table(label) for label, each in parts])


def plot_tables(tables: Iterable[pd.DataFrame]) -> Figure:
    """`plot_regret` of tables as `Runs.labelled_table` makes them."""
    return regret.draw(regret_summary(pd.concat(tables), ["instance", "algorithm", "preset"]))
