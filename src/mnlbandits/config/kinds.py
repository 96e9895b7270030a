"""The kinds of studies: what a study of a kind makes, of whatever name."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Kind(NamedTuple):
    """What studies of a kind make, with ``{}`` for the name of the study.

    Attributes
    ----------
    tables : files of results/NAME/tables.
    typeset : those of them that are there as LaTeX too, without suffix.
    figures : by their names, the module of `mnlbandits.plots` that draws each, and the table that it draws.
    plays : whether algorithms of the catalogue play instances of the catalogue.
    """

    tables: tuple[str, ...] = ("{}.csv",)
    typeset: tuple[str, ...] = ()
    figures: Mapping[str, tuple[str, str]] = {}
    plays: bool = False


def drawn_by(module: str, table: str = "{}.csv") -> dict[str, tuple[str, str]]:
    """The figure of a study that has one, which is called as the study is."""
    return {"{}": (module, table)}


PROFILE = {"{}_profile": ("profile", "{}_profile.csv")}
"""The performance profile of a study."""

PANELS = ("regret", "comparison", "horizon", "rate", "changing", "transfer", "diameter")
"""The modules of `mnlbandits.plots` whose panels are instances of the catalogue."""

KINDS = {
    "runs": Kind((), plays=True),
    "regret": Kind(("{}.csv", "final_{}.csv", "{}_profile.csv"), ("final_{}",), drawn_by("regret") | PROFILE, plays=True),
    "comparison": Kind(
        ("{}.csv", "final_{}.csv", "pairs_{}.csv", "ranking_{}.csv", "{}_profile.csv"),
        ("final_{}", "ranking_{}"),
        drawn_by("comparison", "final_{}.csv") | PROFILE,
        plays=True,
    ),
    "coverage": Kind(("{}.csv", "{}_margins.parquet"), ("{}",), drawn_by("coverage", "{}_margins.parquet"), plays=True),
    "horizon": Kind(figures=drawn_by("horizon") | {"{}_rate": ("rate", "{}.csv")}, plays=True),
    "changing": Kind(figures=drawn_by("changing"), plays=True),
    "transfer": Kind(typeset=("{}",), figures=drawn_by("transfer"), plays=True),
    "crossovers": Kind(typeset=("{}",)),
    "exploration": Kind(typeset=("{}",), figures=drawn_by("exploration")),
    "trigger": Kind(typeset=("{}",)),
    "exponents": Kind(("{}.csv", "{}_points.csv"), ("{}",), drawn_by("exponents", "{}_points.csv")),
    "scaling": Kind(typeset=("{}",), figures=drawn_by("scaling")),
    "family": Kind(typeset=("{}",), figures=drawn_by("family")),
    "diameter": Kind(("{}.csv", "{}_at_tau.csv"), ("{}_at_tau",), drawn_by("diameter")),
    "frameworks": Kind(figures=drawn_by("frameworks")),
    "kappa": Kind(typeset=("{}",), figures=drawn_by("kappa")),
    "kappa_star": Kind(typeset=("{}",), figures=drawn_by("kappa_star")),
}
"""What a config can ask for, by the `kind` of a study."""

OTHERS = ("claims", "cost", "notebooks")
"""What `run` can name besides studies: there is one of each."""

TABLES_OF_OTHERS = {
    "calibration": ["calibration.csv"],
    "claims": ["verdicts.csv", "chains.csv", "claims_pictures.csv"],
}
"""Files of results/NAME/tables that belong to no study, by the part of a build that makes them."""

FIGURES_OF_OTHERS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "calibration": {"calibration": ("calibration", "calibration.csv")},
    "claims": {"claims_pictures": ("claims", "claims_pictures.csv"), "chains": ("chains", "chains.csv")},
}
"""Figures that belong to no study, by the part of a build: the module that draws each, and its table."""

TYPESET_OF_OTHERS = {"calibration": {"calibration": "calibration"}, "claims": {"verdicts": "verdicts"}}
"""Tables that belong to no study and are there as LaTeX too, and their kinds in the dictionary."""


def tables_of(name: str, study: Mapping[str, Any]) -> list[str]:
    """The files of results/NAME/tables that a study makes."""
    return [pattern.format(name) for pattern in KINDS[study["kind"]].tables]


def figures_of(name: str, study: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """The figures of a study: the module that draws each, and the file of results/NAME/tables that it draws."""
    figures = KINDS[study["kind"]].figures
    return {figure.format(name): (module, table.format(name)) for figure, (module, table) in figures.items()}


def typeset_of(name: str, study: Mapping[str, Any]) -> dict[str, str]:
    """The tables of a study that are there as LaTeX too, and their kinds as `mnlbandits.dictionary` has them."""
    kind = study["kind"]
    return {pattern.format(name): pattern.removesuffix("_{}").format(kind) for pattern in KINDS[kind].typeset}


def studies_of(config: Mapping[str, Any], *kinds: str) -> list[str]:
    """Names of the studies of some kinds."""
    return [name for name, study in config["studies"].items() if study["kind"] in kinds]


def to_run(config: Mapping[str, Any]) -> list[str]:
    """What a build makes: what `run` names, else all studies and all else."""
    return list(config.get("run", [*config["studies"], *OTHERS]))
