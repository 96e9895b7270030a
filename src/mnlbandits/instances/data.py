"""Real choices as bandit instances: tables of decisions that ship inside statsmodels, and the logit fitted to them.

A decision is one of K outcomes, and a vector x = (1, z_1, .., z_m) / X of features of who decides: every z_j is a column of
the table, moved and scaled so that it goes from -1 to 1, and X is the length of the longest row, so that all rows lie in the
unit ball; d = m + 1. theta_* maximises the likelihood of all rows, without a ridge; its standard errors, which take the rows
as independent, come from the inverse of the Fisher information there. The arms are rows: to play one is to approach somebody
like that, and what is chosen is drawn from the fitted model.

In `modechoice` every alternative has attributes a_k of its own, and as a rule a conditional logit is fitted to them, with
logits b_k + beta^T a_k. Here x is one vector for all outcomes. With the attributes of all alternatives in it (columns
``gc_air``, ``gc_train``, .., ``ttme_bus``) every outcome has coefficients for all of them, and the conditional logit is the
special case in which those for other outcomes' attributes are 0 and those for its own the same for all outcomes. By default
only the length of the trip, by car, and who travels are in x: with these attributes in it too, kappa exceeds 1e30.

Columns are rounded to six decimals, theta_* and its standard errors to `DIGITS` digits: far finer than a standard error, and
far coarser than what another processor's sums change, so that an instance has the same bytes everywhere.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from mnlbandits.errors import InputError, require_choice, require_integer, require_positive
from mnlbandits.instances.instance import Instance
from mnlbandits.model import constants
from mnlbandits.model.kappa import CONVENTIONS, Convention
from mnlbandits.model.softmax import Array, contrast_basis, log_softmax, softmax
from mnlbandits.seeds import generator

Columns = Mapping[str, Array]
"""Columns of a table by name, n numbers each."""

DIGITS = 8
"""Significant digits of theta_* and of its standard errors."""

GRADIENT = 1e-10
"""Largest entry of the gradient of the summed loss at which Newton's method makes its last step."""

LEAST_INFORMATION = 1e-8
"""Fisher information, in any unit direction, below which the likelihood counts as one without a single maximum."""

PIECE = 10_000
"""Rows whose information is summed at once."""


@dataclass(frozen=True)
class DataSet:
    """A table of real decisions that ships inside statsmodels, and what the outcomes are worth.

    Attributes
    ----------
    title, source, licence : of the table, as statsmodels states them.
    outcomes : names of the K outcomes.
    rewards : rho, K numbers >= 0.
    reason : why these rewards.
    features : names of the m columns that are in x unless others are asked for.
    read : takes statsmodels' table, a pandas data frame, to the n choices, numbered from 0, and the columns.
    """

    title: str
    source: str
    licence: str
    outcomes: tuple[str, ...]
    rewards: tuple[float, ...]
    reason: str
    features: tuple[str, ...]
    read: Callable[[Any], tuple[Array, Columns]]


def travellers(table: Any) -> tuple[Array, Columns]:
    """`modechoice`: one traveller for every four rows, an attribute of an alternative is a column ``attribute_mode``."""
    wide = table.pivot(index="individual", columns="mode")
    attributes = {
        f"{attribute}_{mode}": wide[attribute, number]
        for attribute in ("gc", "invc", "invt", "ttme")
        for number, mode in enumerate(DATA_SETS["modechoice"].outcomes, start=1)
    }
    return wide["choice"].to_numpy().argmax(axis=1), attributes | {"hinc": wide["hinc", 1], "psize": wide["psize", 1]}


def voters(table: Any) -> tuple[Array, Columns]:
    """`anes96`: the party that a voter identifies with is numbered from 0."""
    return table["PID"].to_numpy(), table.drop(columns="PID")


def women(table: Any) -> tuple[Array, Columns]:
    """`fair`: a woman's occupation is numbered from 1."""
    return table["occupation"].to_numpy() - 1, table.drop(columns="occupation")


def insured(table: Any) -> tuple[Array, Columns]:
    """`randhie`: the visits of a year in four classes."""
    return np.digitize(table["mdvis"], [1, 3, 6]), table.drop(columns="mdvis")


DATA_SETS = {
    "modechoice": DataSet(
        "How 210 travellers between Sydney, Canberra and Melbourne went, 1987; the rarer modes are over-sampled",
        "Greene and Hensher (1997); Greene, Econometric Analysis, 7th edition, table F18-2",
        "public domain",
        ("air", "train", "bus", "car"),
        (0.0, 1.0, 0.65, 0.0),
        "a company that runs trains and buses: the mean fares of the 210 trips, $51 and $33, over the larger",
        ("invt_car", "hinc", "psize"),
        travellers,
    ),
    "anes96": DataSet(
        "Which party 944 voters identified with before the election of 1996, on seven degrees",
        "American National Election Studies, 1996",
        "public domain",
        ("strong D", "weak D", "independent D", "independent", "independent R", "weak R", "strong R"),
        (0.0, 0.0, 0.5, 1.0, 0.5, 0.0, 0.0),
        "a canvasser who looks for voters still to be won: 1 for an independent, half for one who leans to a party",
        ("logpopul", "selfLR", "age", "educ", "income"),
        voters,
    ),
    "fair": DataSet(
        "The occupations of 6,366 married women",
        "Fair (1978), A Theory of Extramarital Affairs, Journal of Political Economy, February, 45-61",
        "in statsmodels with permission of the author",
        ("student", "unskilled", "white-collar", "teacher or skilled", "managerial", "professional"),
        (0.0, 0.0, 0.0, 0.25, 0.5, 1.0),
        "a recruiter for senior posts: 1 for a professional with an advanced degree, half for a manager, a quarter for a "
        "teacher, nurse, artist or skilled worker",
        ("age", "children", "educ"),
        women,
    ),
    "randhie": DataSet(
        "Visits to a physician in 20,190 years of persons in the RAND Health Insurance Experiment",
        "RAND Corporation; Cameron and Trivedi (2005), Microeconometrics",
        "public domain",
        ("no visit", "1-2 visits", "3-5 visits", "6 or more"),
        (0.0, 1.0, 0.5, 0.0),
        "an insurer who wants everybody seen, and early: 1 for one or two visits a year, half for three to five",
        ("lncoins", "idp", "lpi", "fmde", "physlm", "disea", "hlthg", "hlthf", "hlthp"),
        insured,
    ),
}


class Estimate(NamedTuple):
    """The logit fitted to a data set with M different rows, K outcomes, d = m + 1 features, D = (K-1) d."""

    rows: Array  # (M, d), the different x
    counts: Array  # (M, K): how often a row showed each outcome
    theta: Array  # (K, d), columns sum to zero
    standard_errors: Array  # (K, d), of theta's entries
    covariance: Array  # (D, D), of phi (K-1, d), row-major, where theta = Q phi with Q = `contrast_basis`


@cache
def decisions(dataset: str) -> tuple[Array, Columns]:
    """The choices (n,) and the columns of a data set.

    Raises
    ------
    InputError : unknown data set, or statsmodels is not installed.
    """
    require_choice("dataset", dataset, DATA_SETS)
    try:
        from statsmodels import datasets  # slow to import, and seldom needed
    except ImportError:
        allowed = "used where statsmodels, which holds it, is installed (pip install statsmodels)"
        raise InputError("dataset", dataset, allowed) from None
    choices, columns = DATA_SETS[dataset].read(getattr(datasets, dataset).load_pandas().data)
    return choices.astype(int), {name: np.round(np.asarray(column, dtype=float), 6) for name, column in columns.items()}


def features_of(dataset: str, features: Any = None) -> tuple[str, ...]:
    """The names of the columns in x: those given, or the data set's own.

    Raises
    ------
    InputError : not a list of different columns of the data set, each with at least two values.
    """
    columns = decisions(dataset)[1]
    if features is None:
        return DATA_SETS[dataset].features
    usable = [name for name in columns if np.ptp(columns[name]) > 0]
    if not isinstance(features, list | tuple) or not features or any(name not in usable for name in features):
        raise InputError("features", features, "a list of names out of " + ", ".join(usable))
    if len(set(features)) < len(features):
        raise InputError("features", features, "a list of different names")
    return tuple(features)


def different_rows(dataset: str, features: tuple[str, ...]) -> tuple[Array, Array]:
    """The different x of a data set, (M, d), in lexicographic order, and how often each showed each outcome, (M, K)."""
    choices, columns = decisions(dataset)
    return counted(np.column_stack([columns[name] for name in features]), choices, len(DATA_SETS[dataset].outcomes))


def counted(table: Array, choices: Array, outcomes: int) -> tuple[Array, Array]:
    """The different x of a table (n, m), no column of it constant, and how often each showed each of K outcomes, (M, K).

    `choices` (n,) are numbered from 0. The x (M, d) are in lexicographic order.
    """
    table, places = np.unique(table, axis=0, return_inverse=True)
    rows = centred(table)
    counts = np.zeros((len(rows), outcomes))
    np.add.at(counts, (places.ravel(), choices), 1.0)
    return rows / np.sqrt((rows**2).sum(axis=1).max()), counts


def centred(table: Array) -> Array:
    """A table (M, m) with every column from -1 to 1 and a column of ones put first: X x."""
    low, high = table.min(axis=0), table.max(axis=0)
    return np.column_stack([np.ones(len(table)), (2 * table - low - high) / (high - low)])


def maximum_likelihood(rows: Array, counts: Array) -> tuple[Array, Array]:
    """phi (K-1, d) that maximises the likelihood of outcome `counts` (M, K) at `rows` (M, d), and its covariance (D, D).

    Newton's method on the summed loss from phi = 0, where the Hessian is the Fisher information of all observations: the
    sum of pulls times Q^T grad mu(Q phi x) Q (x) x x^T. A step that does not lower the loss is halved. The covariance is the
    inverse of the information at the maximum.

    Raises
    ------
    numpy.linalg.LinAlgError : there is no single maximum, as columns are combinations of others or outcomes are separated.
    """
    basis = contrast_basis(counts.shape[1])
    phi = np.zeros((basis.shape[1], rows.shape[1]))
    loss, small = summed_loss(phi, rows, counts, basis), max(GRADIENT, 1e-15 * counts.sum())
    for _ in range(100):
        gradient, information = derivatives(phi, rows, counts, basis)
        if np.linalg.eigvalsh(information)[0] < LEAST_INFORMATION:
            break
        step, before = np.linalg.solve(information, gradient.ravel()).reshape(phi.shape), loss
        for _ in range(50):
            loss = summed_loss(phi - step, rows, counts, basis)
            if loss <= before * (1 + 1e-12):  # the last steps change it by rounding
                break
            step = step / 2
        phi = phi - step
        if np.abs(gradient).max() < small:
            return phi, np.linalg.inv(information)
    raise np.linalg.LinAlgError("the likelihood has no single maximum")


def summed_loss(phi: Array, rows: Array, counts: Array, basis: Array) -> float:
    """Minus the logarithm of the likelihood of outcome `counts`."""
    return -float((counts * log_softmax(rows @ phi.T @ basis.T)).sum())


def derivatives(phi: Array, rows: Array, counts: Array, basis: Array) -> tuple[Array, Array]:
    """Gradient (K-1, d) and Hessian (D, D) of the summed loss; `PIECE` rows at a time, for memory."""
    size, gradient, information = phi.size, 0.0, 0.0
    for start in range(0, len(rows), PIECE):
        x, shown = rows[start : start + PIECE], counts[start : start + PIECE]
        p, pulls = softmax(x @ phi.T @ basis.T), shown.sum(axis=1, keepdims=True)
        gradient = gradient + basis.T @ (pulls * p - shown).T @ x
        mean = p @ basis
        curvature = np.einsum("ka,nk,kb->nab", basis, p, basis) - mean[:, :, None] * mean[:, None, :]
        information = information + np.einsum("nab,ni,nj->aibj", pulls[:, :, None] * curvature, x, x, optimize=True)
    return gradient, information.reshape(size, size)


@cache
def estimate(dataset: str, features: tuple[str, ...]) -> Estimate:
    """The logit of a data set on these columns, see the module's docstring.

    Raises
    ------
    InputError : unknown data set, or columns for which the likelihood has no single maximum.
    """
    try:
        return fitted(*different_rows(dataset, features))
    except np.linalg.LinAlgError:
        allowed = "such that the likelihood has one maximum: none a combination of others, no outcome separated from others"
        raise InputError("features", list(features), allowed) from None


def fitted(rows: Array, counts: Array) -> Estimate:
    """The logit of outcome `counts` (M, K) at `rows` (M, d).

    Raises
    ------
    numpy.linalg.LinAlgError : as `maximum_likelihood` does.
    """
    phi, covariance = maximum_likelihood(rows, counts)
    basis = contrast_basis(counts.shape[1])
    to_theta = np.kron(basis, np.eye(rows.shape[1]))
    variances = np.einsum("ij,jk,ik->i", to_theta, covariance, to_theta, optimize=True)
    theta = basis @ phi
    return Estimate(rows, counts, rounded(theta), rounded(np.sqrt(variances).reshape(theta.shape)), covariance)


def rounded(array: Array) -> Array:
    """Every entry to `DIGITS` significant digits."""
    return np.vectorize(lambda value: float(f"{value:.{DIGITS}g}"))(array)


def data_instance(
    name: str,
    dataset: str = "modechoice",
    arms: int = 32,
    seed: int = 0,
    bound: float = 1.0,
    features: list[str] | None = None,
    convention: Convention = "frobenius",
    actions: str | dict[str, Any] = "list",
) -> Instance:
    """Real choices: rows of a data set as arms, the logit fitted to all of them as theta_*, a reward for every outcome.

    Parameters
    ----------
    dataset : one of `DATA_SETS`, where its outcomes, rewards and source are.
    arms : how many of the different rows are arms, drawn by `seed`; 0 means all.
    bound : S over ||theta_*||, >= 1.
    features : columns in x; default those of `DATA_SETS`.
    actions : which of the arms can be played in a round: a name or a mapping, see `action_sets`.
    """
    found = estimate(dataset, features_of(dataset, features))
    chosen = sampled_rows(found.rows, arms, seed, dataset)
    norm_bound = bound_of(found.theta, bound, convention)
    return Instance(
        name,
        found.theta,
        chosen,
        DATA_SETS[dataset].rewards,
        norm_bound,
        convention=convention,
        actions=actions,
        standard_errors=found.standard_errors,
    )


def sampled_rows(rows: Array, arms: int, seed: int, name: str) -> Array:
    """`arms` of the M rows (M, d), all for 0, in an order drawn by `seed` for the data called `name`.

    Raises
    ------
    InputError : `arms` or `seed` is not an integer >= 0, or there are not so many rows.
    """
    arms, seed = require_integer("arms", arms, 0, len(rows)), require_integer("seed", seed, 0)
    return rows[generator("rows", seed, name).permutation(len(rows))[: arms or None]]


def bound_of(theta: Array, bound: float, convention: Convention) -> float:
    """S: `bound` >= 1 times the norm of theta (K, d)."""
    require_choice("convention", convention, CONVENTIONS)
    if require_positive("bound", bound) < 1:
        raise InputError("bound", bound, "a finite number >= 1")
    return bound * constants.norm(theta, convention)
