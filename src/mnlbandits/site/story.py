"""What came out, in a minute: sentences whose numbers are those of the tables of a study."""

import math
from collections.abc import Iterator, Mapping

import pandas as pd

from mnlbandits.algorithms import REGISTRY, get_algorithm
from mnlbandits.ledger.chain import CHAINS, STATEMENTS
from mnlbandits.ledger.finding import FALSE
from mnlbandits.ledger.slips import slips

Tables = Mapping[str, pd.DataFrame]
"""Tables of a study by name; a sentence whose table is not there is left out."""

PRESETS = {"paper": "the paper's own constants", "valid": "valid constants", "calibrated": "calibrated constants"}
"""Constants, in words."""


QUANTITIES = {"T": "T", "d": "d", "K": "K", "kappa_star": "kappa_*", "R": "R"}
"""What Theorem 1 has a power of, and its name."""


def ten(value: float) -> str:
    """A power of ten."""
    exponent = round(math.log10(value))
    assert float(value) == 10.0**exponent
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def short(value: float, digits: int = 3) -> str:
    """Rounded to so many significant digits."""
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    power = ten(10.0 ** int(exponent))
    return power if mantissa == "1" else f"{mantissa}·{power}"


def story(tables: Tables) -> dict[str, list[str]]:
    """The sentences by what they are about; what has none is left out."""
    told = {
        "What holds": list(verdicts(tables)),
        "Does the rate of Theorem 1 show?": [*powers(tables), *beside_the_rate(tables)],
        "What REAL wins and loses": [*overtaken(tables), *beside_uniform(tables)],
    }
    return {subject: sentences for subject, sentences in told.items() if sentences}


def verdicts(tables: Tables) -> Iterator[str]:
    """How many statements hold, and what became of the theorems."""
    if "verdicts" not in tables:
        return
    summary = tables["verdicts"]
    yield counted_in_words(summary)
    found = summary.set_index("id")["verdict"]
    theorems = [id for id in (next(iter(graph)) for graph in CHAINS.values()) if id in found]
    yield from (f"{STATEMENTS[id]} as printed: {found[id]} ({id})." for id in theorems)


def counted_in_words(summary: pd.DataFrame) -> str:
    """The verdicts, counted; `summary` has the columns id, verdict and ours."""
    own = summary[~summary["ours"]]
    count, false = own["verdict"].value_counts(), own["verdict"].isin(FALSE).sum()
    holds, loose, corrected, refuted, untestable = (
        count.get(verdict, 0) for verdict in ("holds", "holds, loose", "corrected", "refuted", "not testable")
    )
    return (
        f"Of {len(own)} statements of the paper in the claims ledger {holds} hold as printed, "
        f"{loose} hold with room to spare, {corrected} hold as corrected, "
        f"{refuted} are refuted and {untestable} are not testable. "
        f"The {false} false ones come from {len(list(slips()))} slips; "
        f"{summary['ours'].sum()} statements of ours, on which mended forms rest, are counted apart."
    )


def powers(tables: Tables) -> Iterator[str]:
    """How the regret of REAL grows after its exploration, at the paper's constants."""
    if "exponents" not in tables:
        return
    found = tables["exponents"].query("algorithm == 'real'").set_index("quantity")
    grown = [
        f"{name} to the {found.loc[quantity, 'slope']:.3f} ({found.loc[quantity, 'theorem']:g})"
        for quantity, name in QUANTITIES.items()
        if quantity in found.index
    ]
    if not grown:
        return
    yield (
        "After its exploration, at the paper's own constants and without noise, the regret of REAL grows like "
        f"{', '.join(grown)}; in brackets the power of Theorem 1."
    )


def beside_the_rate(tables: Tables) -> Iterator[str]:
    """The regret of every system over the rate at the last round, at the paper's constants, an instance at a time."""
    if "horizon" not in tables:
        return
    table = tables["horizon"].query("preset == 'paper'").dropna(subset="over_rate")
    for instance, rows in table[table["t"] == table["t"].max()].groupby("instance", sort=False):
        heights = [
            f"{short_number(row.over_rate)} of {called(row.algorithm.removesuffix('-paper'))}"
            for row in rows.sort_values("over_rate").itertuples()
        ]
        yield (
            f"After {short(rows['t'].max(), 1)} rounds on {instance} the regret over R d √(K T / kappa_*) is "
            f"{', '.join(heights)}."
        )


def called(name: str) -> str:
    """The title of an algorithm, or the name of a label that is none."""
    return REGISTRY[name].title if name in REGISTRY else name


def short_number(value: float) -> str:
    """Two digits, without a power of ten where it needs none."""
    return f"{float(f'{value:.2g}'):g}" if 1e-3 <= value < 1e3 else short(value, 2)


def overtaken(tables: Tables) -> Iterator[str]:
    """From when on REAL has less regret than others, at the paper's constants."""
    if "crossovers" not in tables:
        return
    for (outcomes, dim, norm), rows in tables["crossovers"].groupby(["outcomes", "dim", "norm"]):
        if (outcomes, dim, norm) == (3, 2, 1.0):
            after = [
                f"{'uniform play' if row.rival == 'uniform' else get_algorithm(row.rival).title} "
                + ("at no checkpoint" if pd.isna(row.overtaken) else f"after {short(row.overtaken, 2)} rounds")
                for row in rows.itertuples()
            ]
            yield (
                f"At the paper's own constants, without noise, on its example with K = {outcomes}, d = {dim}, S = {norm:g}, "
                f"REAL overtakes {', '.join(after)}."
            )


def beside_uniform(tables: Tables) -> Iterator[str]:
    """On how many instances REAL ends above uniform play, with each kind of constants."""
    if "final_regret" not in tables:
        return
    means = tables["final_regret"].pivot_table("mean", "instance", "algorithm")
    for preset, words in PRESETS.items():
        label = f"real-{preset}"
        if {label, "uniform"} <= set(means):
            pairs = means[[label, "uniform"]].dropna()
            above = int((pairs[label] > pairs["uniform"]).sum())
            horizon = tables["final_regret"]["t"].max()
            yield (
                f"With {words}, after {short(horizon, 1)} rounds, it has more regret than uniform play on {above} of "
                f"{len(pairs)} instances."
            )
