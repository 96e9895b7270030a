"""An instance from labelled data of one's own: the logit fitted to a table, its rows as arms.

The same fit as of the real data sets, see `mnlbandits.instances.data`: every feature z is moved and scaled so that it goes
from -1 to 1, x = (1, z_1, .., z_m) / X with X the length of the longest row, d = m + 1; theta_* maximises the likelihood.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mnlbandits.errors import NOTHING, InputError, is_number
from mnlbandits.instances.data import bound_of, centred, counted, fitted, sampled_rows
from mnlbandits.instances.instance import Instance
from mnlbandits.instances.tables import is_missing, named_columns, number, numbers, read_columns
from mnlbandits.model.kappa import Convention
from mnlbandits.model.softmax import Array

MOST_PARAMETERS = 1000
"""Largest D = (K-1) d that is fitted."""

LARGEST_FEATURE = 1e100
"""Largest size of a cell: ranges stay floating-point numbers."""

ZERO = 1e-9
"""In standard errors, what of theta_* is rounding."""


def fit_instance(
    name: str,
    data: Any,
    outcome: str,
    rewards: Sequence[float] | Mapping[str, float] | None = None,
    features: Sequence[str] | None = None,
    bound: float = 1.0,
    arms: int = 0,
    seed: int = 0,
    convention: Convention = "frobenius",
    actions: str | dict[str, Any] = "list",
) -> Instance:
    """Fit the logit to a table with an observation a row, and make the instance of it.

    The instance's `parameters` record what x was made of: the features, their lowest and highest values, X (`longest`), the
    names of the outcomes in the order of theta's rows, and how many observations there were.

    Parameters
    ----------
    name : of the instance.
    data : path of a CSV (with names in its first row) or Parquet file, or a pandas data frame.
    outcome : name of the column with the outcome, in numbers or text, K >= 2 different ones.
    rewards : rho, K numbers in the order of the outcomes (by number if all are numbers, else by name), or by the outcomes'
        names; default the outcomes themselves, if they are numbers.
    features : names of the columns in x, numbers only; default all others.
    bound : S over ||theta_*||, >= 1.
    arms : how many of the different rows are arms, drawn by `seed`; 0 means all.
    seed : >= 0.
    convention : which norm S bounds, ``frobenius`` or ``rows``.
    actions : which of the arms can be played in a round: a name or a mapping, see `action_sets`.

    Raises
    ------
    InputError : the table cannot be read; a column is missing, or a feature has a cell that is no number or is constant or a
        combination of others; there is one outcome, or a cell without; the features separate outcomes, so that no theta fits
        best; or a value is not allowed.
    """
    if hasattr(data, "columns"):
        where: Any = "the table"
        frame = named_columns("data", where, data, [str(name) for name in data.columns])
    else:
        where, frame = data, read_columns("data", data)
    labels, choices = outcomes_of(frame, outcome, where)
    names = features_of(frame, outcome, features)
    rho = rewards_of(rewards, labels)
    if (len(labels) - 1) * (len(names) + 1) > MOST_PARAMETERS:
        limit = f"(K - 1) (m + 1) <= {MOST_PARAMETERS}"
        raise InputError(
            "outcome", outcome, f"of {limit}, and there are K = {len(labels)} outcomes, m = {len(names)} features"
        )
    table = np.column_stack([numbers("features", frame[each], where) for each in names])
    for each, column in zip(names, table.T, strict=True):
        if np.abs(column).max() > LARGEST_FEATURE:
            raise InputError("features", each, f"a column of numbers up to {LARGEST_FEATURE:.0e}")
        if np.ptp(column) == 0:
            raise InputError("features", each, f"a column with more than one value, and all are {column[0]:.6g}")
    rows, counts = counted(table, choices, len(labels))
    refuse_combinations(rows, names)
    try:
        found = fitted(rows, counts)
    except np.linalg.LinAlgError:
        raise separated(table, choices, outcome, labels, names) from None
    if (np.abs(found.theta) <= ZERO * found.standard_errors).all():
        raise InputError("outcome", outcome, "outcomes that are not all equally likely at any features: theta_* is zero")
    return Instance(
        name,
        found.theta,
        sampled_rows(rows, arms, seed, outcome),
        rho,
        bound_of(found.theta, bound, convention),
        convention=convention,
        family="fit",
        parameters={
            "outcome": outcome,
            "outcome_names": labels,
            "features": names,
            "low": table.min(axis=0).tolist(),
            "high": table.max(axis=0).tolist(),
            "longest": float(np.linalg.norm(centred(table), axis=1).max()),
            "observations": len(table),
        },
        actions=actions,
        standard_errors=found.standard_errors,
    )


def outcomes_of(frame: Any, outcome: str, where: Any) -> tuple[list[str], Array]:
    """The K different outcomes as text, in order, and which of them every observation shows (n,), numbered from 0."""
    cells = column_of(frame, "outcome", outcome)
    absent = np.flatnonzero([is_missing(cell) for cell in cells])
    if len(absent):
        more = f", and {len(absent) - 1} more" if len(absent) > 1 else ""
        raise InputError("outcome", NOTHING, f"given in row {absent[0] + 1} of {Path(str(where)).name}{more}")
    values = np.array([number(cell) for cell in cells])
    texts = cells.astype(str).str.strip().to_numpy(dtype=object)
    different, choices = np.unique(values if np.isfinite(values).all() else texts, return_inverse=True)
    labels = [str(int(each)) if is_number(each) and each == int(each) else str(each) for each in different.tolist()]
    if len(labels) < 2:
        raise InputError("outcome", outcome, f"a column with two outcomes or more, and all are {labels[0]}")
    return labels, choices.ravel()


def column_of(frame: Any, field: str, name: Any) -> Any:
    """A column of a frame by its name."""
    if not isinstance(name, str) or name not in frame.columns:
        raise InputError(field, name, "the name of a column: " + ", ".join(map(str, frame.columns)))
    return frame[name]


def features_of(frame: Any, outcome: str, features: Sequence[str] | None) -> list[str]:
    """The names of the columns in x: those given, or all but the outcome."""
    if features is None:
        names = [str(name) for name in frame.columns if name != outcome]
    elif isinstance(features, Sequence) and not isinstance(features, str):
        names = list(features)
    else:
        raise InputError("features", features, "a list of names of columns")
    if not names:
        raise InputError("features", NOTHING, f"one column at least, beside {outcome}")
    for place, name in enumerate(names):
        column_of(frame, "features", name)
        if name == outcome or name in names[:place]:
            raise InputError("features", name, "in the list once, and not the outcome")
    return names


def rewards_of(rewards: Any, labels: list[str]) -> list[float]:
    """rho (K,), in the order of the outcomes' `labels`."""
    if rewards is None:
        if not all(np.isfinite(number(label)) for label in labels):
            raise InputError("rewards", NOTHING, f"given for {', '.join(labels)}, as these are no numbers")
        return [number(label) for label in labels]
    if isinstance(rewards, Mapping):
        rewards = {str(name): reward for name, reward in rewards.items()}
        for name in (*rewards, *labels):
            if name not in labels:
                raise InputError("rewards", name, "one of the outcomes " + ", ".join(labels))
            if name not in rewards:
                raise InputError("rewards", NOTHING, f"given for the outcome {name}")
        rewards = [rewards[label] for label in labels]
    if not isinstance(rewards, Sequence) or len(rewards) != len(labels) or not all(map(is_number, rewards)):
        raise InputError("rewards", rewards, f"{len(labels)} numbers, for the outcomes {', '.join(labels)}")
    return list(rewards)


def refuse_combinations(rows: Array, names: list[str]) -> None:
    """Raise `InputError` for the first feature that is a combination of those before it and a constant."""
    if np.linalg.matrix_rank(rows) == rows.shape[1]:
        return
    for place, name in enumerate(names, start=1):
        if np.linalg.matrix_rank(rows[:, : place + 1]) <= place:
            raise InputError("features", name, "no combination of the features before it and a constant: leave it out")


def separated(table: Array, choices: Array, outcome: str, labels: list[str], names: list[str]) -> InputError:
    """What to say where the likelihood has no maximum: which feature alone tells an outcome from all others, if one does."""
    for place, label in enumerate(labels):
        inside, outside = table[choices == place], table[choices != place]
        apart = (inside.max(axis=0) <= outside.min(axis=0)) | (outside.max(axis=0) <= inside.min(axis=0))
        if apart.any():
            name = names[int(np.argmax(apart))]
            allowed = f"an outcome that no feature tells from all others, as {name} does: no theta fits such data best; "
            return InputError("outcome", label, allowed + f"leave {name} out, merge outcomes or add observations")
    allowed = "outcomes that the features do not separate: here they tell some apart without error, and no theta fits best; "
    return InputError("outcome", outcome, allowed + "leave features out, merge outcomes or add observations")
