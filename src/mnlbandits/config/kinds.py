"""The kinds of studies: what a study of a kind makes, of whatever name."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Kind(NamedTuple):
    """What studies of a kind make, with ``{}`` for the name of the study.

    Attributes
    ----------
    tables : files of results/NAME/tables.
    typeset : those of them that are there as LaTeX too, without suffix.
    plot : module of `mnlbandits.plots` that draws the study's figure; empty where it has none.
    drawn : the table that it draws.
    plays : whether algorithms of the catalogue play instances of the catalogue.
    """

    tables: tuple[str, ...] = ("{}.csv",)
    typeset: tuple[str, ...] = ()
    plot: str = ""
    drawn: str = "{}.csv"
    plays: bool = False


KINDS = {
    "runs": Kind((), plays=True),
    "regret": Kind(("{}.csv", "final_{}.csv"), ("final_{}",), "regret", plays=True),
    "comparison": Kind(
        ("{}.csv", "final_{}.csv", "pairs_{}.csv", "ranking_{}.csv"),
        ("final_{}", "ranking_{}"),
        "comparison",
        "final_{}.csv",
        plays=True,
    ),
    "coverage": Kind(("{}.csv", "{}_margins.parquet"), ("{}",), "coverage", "{}_margins.parquet", plays=True),
    "horizon": Kind(plot="horizon", plays=True),
    "changing": Kind(plot="changing", plays=True),
    "transfer": Kind(typeset=("{}",), plot="transfer", plays=True),
    "crossovers": Kind(typeset=("{}",)),
    "exploration": Kind(typeset=("{}",), plot="exploration"),
    "trigger": Kind(typeset=("{}",)),
    "exponents": Kind(("{}.csv", "{}_points.csv"), ("{}",), "exponents", "{}_points.csv"),
    "scaling": Kind(typeset=("{}",), plot="scaling"),
    "family": Kind(typeset=("{}",), plot="family"),
    "diameter": Kind(("{}.csv", "{}_at_tau.csv"), ("{}_at_tau",), "diameter"),
    "frameworks": Kind(plot="frameworks"),
    "kappa": Kind(typeset=("{}",), plot="kappa"),
    "kappa_star": Kind(typeset=("{}",), plot="kappa_star"),
}
"""What a config can ask for, by the `kind` of a study."""

OTHERS = ("claims", "cost", "notebooks")
"""What `run` can name besides studies: there is one of each."""

TABLES_OF_OTHERS = {
    "calibration": ["calibration.csv"],
    "claims": ["verdicts.csv", "chains.csv", "claims_pictures.csv"],
}
"""Files of results/NAME/tables that belong to no study, by the part of a build that makes them."""


def tables_of(name: str, study: Mapping[str, Any]) -> list[str]:
    """The files of results/NAME/tables that a study makes."""
    return [pattern.format(name) for pattern in KINDS[study["kind"]].tables]


def studies_of(config: Mapping[str, Any], *kinds: str) -> list[str]:
    """Names of the studies of some kinds."""
    return [name for name, study in config["studies"].items() if study["kind"] in kinds]


def to_run(config: Mapping[str, Any]) -> list[str]:
    """What a build makes: what `run` names, else all studies and all else."""
    return list(config.get("run", [*config["studies"], *OTHERS]))
