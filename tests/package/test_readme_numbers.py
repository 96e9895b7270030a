"""What README and findings say, made again from the tables of the full reference and the config where it has a number."""

import math
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from mnlbandits.algorithms import get_algorithm
from mnlbandits.config import read_config
from mnlbandits.ledger.claim import CLAIMS
from mnlbandits.ledger.formulas.family import MENDED_OUTCOMES
from mnlbandits.ledger.paper import load
from mnlbandits.ledger.slips.statements import STATED_AGAIN
from mnlbandits.ledger.summary import counted_in_markdown
from mnlbandits.simulators.leap import JUST_BELOW
from mnlbandits.site.story import counted_in_words, short, ten
from mnlbandits.verify.exponents import BASE
from mnlbandits.verify.family import CONSTANT
from mnlbandits.verify.horizon import first_below

ROOT = Path(__file__).parents[2]
CONFIG = read_config(ROOT / "config" / "config.yaml")
load()


def text(path: str) -> str:
    """A page on one line, without what escapes a letter."""
    return " ".join((ROOT / path).read_text(encoding="utf-8").replace("\\", "").split())


README, PAGE, LIMITS = text("README.md"), text("docs/findings.md"), text("docs/explanation/limits.md")

FIRST, LAST = "At the paper's own constants, on its example", "and the lower bound as K and d grow together (C028d)."
"""How the findings begin and end on their page."""

IN_SHORT, END = "## What we found", "How each number was made"
"""And in the README."""

EXAMPLE = {"outcomes": 3, "dim": 2, "norm": 1.0}
RIVALS = ("oful-mlogb", "mnl-ucb")
SYSTEMS = ("real", "oful-mlogb")

STATED = {
    **dict.fromkeys(("C151", "C152b"), "refuted"),
    **dict.fromkeys(("C027", "C030c", "C034b", "C057", "C138", "C177", "C028d"), "not testable"),
    **dict.fromkeys(("C156", "C157b", "C154", "C029", "C028", "C080", "C184", "C031"), "corrected"),
    "C028b": "holds",
}
"""What the findings say about single claims."""

NAMES = ("Theorem 1", "Theorem 2", "Theorem 3", "Table 1", "Algorithm 3", "1/√6", *STATED)
"""Digits of the findings that are names."""

CONSTANTS = ("(336², 84², 144Kd)", "three instances")
"""Others of the README."""

NUMBER = re.compile(r"\S*[\d⁰¹²³⁴-⁹]\S*|\b(?:two|three|four|five|six|seven|eight|nine|ten|twice|half|million)\b")


def findings() -> str:
    """That part of their page."""
    start = PAGE.index(FIRST)
    return PAGE[start : PAGE.index(LAST, start) + len(LAST)]


@cache
def table(name: str) -> pd.DataFrame:
    """A table of the full reference."""
    return pd.read_csv(ROOT / "reference" / "full" / f"{name}.csv")


def rows(name: str, **key: Any) -> pd.DataFrame:
    """The rows of a table with these values."""
    found = table(name)
    for column, value in key.items():
        found = found[found[column] == value]
    assert len(found)
    return found


def percent(share: float) -> str:
    return f"{float(f'{100 * share:.2g}'):g} %"


def same(values: pd.Series) -> int:
    """The whole number that all of them round to."""
    (value,) = set(values.round().astype(int))
    return value


def listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


def title(algorithm: str) -> str:
    """What the README calls an algorithm, or a label of the config."""
    name = re.sub("-(paper|valid|calibrated)$", "", algorithm)
    return "Algorithm 3" if name == "adaptive-real" else get_algorithm(name).title


def overtaken(instance: str, rival: str) -> float:
    """The first checkpoint from which on REAL has less regret, with the paper's constants."""
    real, other = (rows("horizon", instance=instance, algorithm=f"{name}-paper") for name in ("real", rival))
    return first_below(*(run[column].to_numpy(dtype=float) for run in (real, other) for column in ("t", "regret")))


def length_of_exploration() -> Iterator[str]:
    tau = table("exploration_lengths")["tau"]
    yield f"REAL explores for {short(tau.min(), 1)} to {short(tau.max(), 1)} rounds"


def ahead() -> Iterator[str]:
    grid, found = CONFIG["studies"]["crossovers"], rows("crossovers", **EXAMPLE)
    uniform, oful, mnl = (short(found.loc[found["rival"] == name, "overtaken"].item(), 2) for name in ("uniform", *RIVALS))
    yield (
        f"(`crossovers.csv`: K = 3, d = 2, S = 1, a graded circle of {grid['arms']} arms, T = {ten(grid['horizon'])}, step "
        f"{grid['step']}, error at T {percent(found['error'].max())})"
    )
    yield f"REAL overtakes uniform play after {uniform} rounds, MNL-UCB after {mnl}, OFUL-MLogB after {oful}."
    finer = CONFIG["instances"]["circle-K3"]
    assert {key: finer[key] for key in EXAMPLE} == EXAMPLE
    oful, mnl = (short(overtaken("circle-K3", name), 2) for name in RIVALS)
    yield (
        f"with {finer['arms']} arms and step {CONFIG['studies']['horizon']['step']} (`circle-K3`, by `horizon.csv`) it is "
        f"{mnl} for MNL-UCB and {oful} for OFUL-MLogB"
    )


def behind() -> Iterator[str]:
    study, shares, regrets, places = CONFIG["studies"]["horizon"], [], {}, {}
    last = rows("horizon", t=study["horizon"])
    for instance in ("circle-K3", "circle-K2", "large-kappa-star-S1"):
        final = last[last["instance"] == instance].set_index("algorithm")["regret"].sort_values()
        run = rows("horizon", instance=instance, algorithm="real-paper")
        shares.append(percent(run.loc[run["t"] <= run["tau"], "regret"].iloc[-1] / run["regret"].iloc[-1]))
        regrets[instance] = {name: short(value) for name, value in final.items()}
        places[instance] = f"place {list(final.index).index('real-paper') + 1} of {len(final)}"
    three, two, few = regrets.values()
    error = percent((last["error"] / last["regret"]).max())
    yield f"T = {ten(study['horizon'])}, step {study['step']}, error at T up to {error})"
    yield (
        f"on `circle-K3` REAL pays {three['real-paper']}, Algorithm 3 {three['adaptive-real-paper']}, RS-MNL "
        f"{three['rs-mnl-paper']}: {places['circle-K3']}."
    )
    less = [title(name) for name in list(two)[: list(two).index("real-paper")]]
    yield f"On `circle-K2` (K = 2) {listed(less)} pay less: {places['circle-K2']}."
    even = CONFIG["instances"]["large-kappa-star-S1"]
    yield (
        f"On `large-kappa-star-S1` (K = {even['outcomes']}, {even['arms']} even arms) it pays {few['real-paper']}, "
        f"RS-MNL {few['rs-mnl-paper']}: {places['large-kappa-star-S1']}."
    )
    yield f"Of REAL's three sums {listed(shares)} are its exploration."
    rivals = [name.removesuffix("-paper") for name in three if name in two and name in few and name != "real-paper"]
    never = [title(rival) for rival in rivals if all(math.isinf(overtaken(instance, rival)) for instance in regrets)]
    yield f"It overtakes {listed(never)} on none."


def exploration() -> Iterator[str]:
    grid, lengths = CONFIG["studies"]["exploration_lengths"], table("exploration_lengths")
    times = {K: same(group["tau"] / group["sufficient"]) for K, group in lengths.groupby("outcomes")}
    found = rows("exploration_lengths", **EXAMPLE, delta=0.01).iloc[0]
    yield f"K = 3, d = 2, S = 1, {grid['arms']} arms, T = {ten(grid['horizon'])}, delta = 0.01)"
    yield f"tau is {times[3]} times as long"
    yield f"({times[2]} times at K = 2, {times[5]} at K = 5)"
    yield f"Algorithm 3 first learns in round {short(found['first'])} and explores in {short(found['rounds'])} rounds"
    yield f"the paper's bound on them is {short(found['bound'])}."
    study, runs = CONFIG["studies"]["trigger"], table("trigger")
    yield (
        f"On {len(runs)} random instances with K = {study['outcomes']} and T = {ten(study['horizon'])} (`trigger.csv`) it "
        f"explores in {short(runs['rounds'].min())} to {short(runs['rounds'].max())} rounds, and the bound is "
        f"{same(runs['bound_over_rounds'])} times that."
    )


def played() -> Iterator[str]:
    final = table("final_regret")
    instances = list(final["instance"].unique())
    yield (
        f"At T = {ten(same(final['t']))} (`figures/full/regret`, `final_regret.csv`: drawn outcomes, "
        f"{same(final['runs'])} runs, {len(instances)} instances)"
    )
    shares, worse = {}, []
    for instance, group in final.groupby("instance"):
        mean = group.set_index("algorithm")["mean"]
        for preset in ("paper", "valid", "calibrated"):
            real = rows("final_regret", instance=instance, algorithm=f"real-{preset}").iloc[0]
            shares.setdefault(preset, []).append(real["mean"] / mean["uniform"])
            if preset != "calibrated":
                assert math.isclose(real["low"], real["high"])
                others = group[(group["preset"] == preset) & (group["algorithm"] != f"real-{preset}")]
                worse += [title(name) for name in others.loc[others["mean"] >= real["mean"], "algorithm"]]
    above = [share for preset in ("paper", "valid") for share in shares[preset] if share > 1]
    (count,) = {sum(share > 1 for share in shares[preset]) for preset in ("paper", "valid")}
    yield f"It ends above uniform play on {count}, with {min(above):.1f} to {max(above):.1f} times its regret."
    often, once = ([name for name in dict.fromkeys(worse) if (worse.count(name) > 1) is many] for many in (True, False))
    yield f"Every other system has less regret than REAL, but for {' and '.join(often)} and, once, {' and '.join(once)}."
    real, rival = (rows("final_regret", algorithm=f"{name}-calibrated")["mean"].to_numpy() for name in ("real", "rs-mnl"))
    yield (
        f"Calibrated, REAL ends above uniform play on {sum(np.array(shares['calibrated']) > 1)}, below RS-MNL on "
        f"{sum(real < rival)}, above it on {sum(real > rival)}."
    )


def on_data() -> Iterator[str]:
    last = rows("data_long", preset="paper").groupby(["instance", "algorithm"])["regret"].last().unstack()
    assert (last["real-paper"] > last["oful-mlogb-paper"]).all()
    yield f"On all {len(last)} instances from data it has more regret than OFUL-MLogB."


def ranked() -> Iterator[str]:
    groups = rows("ranking_comparison", preset="calibrated").set_index("algorithm").groupby("instance")
    places = [f"{group.loc['real-calibrated', 'best']} of {len(group)}" for _, group in groups]
    horizon = CONFIG["studies"]["comparison"]["horizon"]
    best = f"its place is at best {listed(places)}."
    own = table("final_comparison").query("algorithm.str.startswith('real-')")
    assert own.groupby("instance")["mean"].nunique().eq(1).all(), "it still explores, whatever its constants"
    yield f"At T = {horizon}, among all systems calibrated (`ranking_comparison.csv`), {best}"


def coverage() -> Iterator[str]:
    sets = rows("comparison_coverage", preset="paper")
    fewer = sets[sets["algorithm"] == "rs-mnl-paper"].set_index("instance")["covered"]
    assert (sets["covered"] == sets["runs"]).eq(sets["algorithm"] != "rs-mnl-paper").all()
    assert (sets.loc[sets["algorithm"] == "rs-mnl-paper", "verdict"] == "fails").all()
    runs, (one, other) = same(sets["runs"]), fewer.index
    yield (
        f"At T = {CONFIG['studies']['comparison_coverage']['horizon']}, with the constants of its authors' code, the set of "
        f"RS-MNL holds theta_* in {fewer[one]} of {runs} runs on `{one}` and in {fewer[other]} on `{other}`; "
        "every other set that is there by then does in all, with its paper's constants (`comparison_coverage.csv`)."
    )


def powers() -> Iterator[str]:
    exact, drawn = CONFIG["studies"]["exponents"], CONFIG["studies"]["scaling"]
    horizon = max(drawn["horizons"])
    points = pd.concat([rows("scaling", algorithm=name, horizon=horizon) for name in SYSTEMS])
    yield f"one quantity moved at a time from K = {BASE['outcomes']}, d = {BASE['dim']}."
    yield (
        f"S = {exact['norm']:g}, T to {ten(exact['horizon'])}, whole sphere, after the exploration, no noise, step "
        f"{exact['step']}, error up to {percent(table('exponents')['largest_error'].max())} (`exponents.csv`)"
    )
    yield (
        f"S = {drawn['bound']:g}, T = {ten(horizon)}, drawn outcomes, {same(points['runs'])} runs, step {drawn['step']}, "
        f"error up to {percent(points['batches'].max())} (`figures/full/scaling`, `scaling.csv`)"
    )
    columns = [f"{name}, {constants}" for name in map(title, SYSTEMS) for constants in ("paper", "calibrated")]
    yield f"| power of | Theorem 1 | {' | '.join(columns[:2])} | Table 1, OFUL-MLogB | {' | '.join(columns[2:])} |"
    for quantity in ("T", "kappa_star", "K", "d", "R"):
        cells = []
        for name in SYSTEMS:
            paper = rows("exponents", algorithm=name, quantity=quantity).iloc[0]
            calibrated = rows("scaling", algorithm=name, quantity=quantity, horizon=horizon).iloc[0]
            cells += [f"{calibrated['printed']:g}", f"{paper['slope']:.3f}", f"{calibrated['slope']:.3f}"]
            assert name != "real" or paper["theorem"] == calibrated["printed"]
        if quantity == "R":
            assert {f"{float(cell):.2f}" for cell in cells} == {"1.00"}
            yield "In R all are 1.00."
        else:
            yield f"| {quantity.replace('star', '*')} | {' | '.join(cells)} |"


def verdicts() -> Iterator[str]:
    summary = table("verdicts")
    yield counted_in_words(summary)
    yield from counted_in_markdown(summary).splitlines()[2:]
    assert r"$e_{11} \preccurlyeq \tfrac{1_K 1_K^\top}{K} \preccurlyeq e_{11}$" in CLAIMS["C151"].statement.prints
    yield "e_11 ≤ 11ᵀ/K ≤ e_11 (C151)"
    assert r"\sum_s \sum_k (e_{kk} \otimes x_s)" in CLAIMS["C152b"].statement.prints
    yield "K e_11 ≥ I_K (C152b)"
    step = STATED_AGAIN[0].mended
    assert r"$\eta = 5/4$" in step
    yield "the step 5/4 it is proved, with K for √K, a power of S"
    assert r"for $K = 2$ it is the printed rate. Open: $\sqrt K$ for $K \ge 3$." in step
    yield "for K = 2 and a fixed S that is the printed rate. For K ≥ 3 √K is open"
    yield "For bounded d and S and even K ≥ 4 a factor of √K and logarithms stay"
    assert CONSTANT == 25_000
    assert rf"if $K \le {MENDED_OUTCOMES}$ or $d \le 7.8 \cdot 10^7$" in CLAIMS["C028b"].statement.prints
    yield f"1/25000 included, is proved for K ≤ {MENDED_OUTCOMES} or d ≤ 7.8·10⁷ (C028b)"


FINDINGS = (ahead, behind, exploration, played, ranked, coverage, powers, verdicts)


def in_short() -> Iterator[str]:
    """What the README says."""
    yield from length_of_exploration()
    slopes = {
        quantity: f"{rows('exponents', algorithm='real', quantity=quantity)['slope'].item():.3f}"
        for quantity in ("T", "kappa_star", "K", "d")
    }
    powers_of_real = listed([f"{name.replace('star', '*')} to the {slope}" for name, slope in slopes.items()])
    yield f"T to {ten(CONFIG['studies']['exponents']['horizon'])}, its regret grows like {powers_of_real}."
    yield next(sentence for sentence in ahead() if "overtakes" in sentence)
    oful, mnl = (short(overtaken("circle-K3", name), 2) for name in RIVALS)
    yield f"In the picture's finer steps it is {mnl} and {oful}."
    yield from on_data()
    assert rows("exponents", algorithm="real", quantity="d")["low"].item() > 1
    yield "In d that is more than the theorem's 1."
    yield f"To {ten(CONFIG['studies']['horizon']['horizon'])} rounds on three instances"
    places = [re.search(r"place \d+ of \d+", sentence) for sentence in behind()]
    yield f"it takes {listed([place[0] for place in places if place])}."
    yield list(behind())[-1]
    final, (first, _, calibrated) = table("final_regret"), [each for each in played() if "REAL explores" not in each][1:]
    yield f"at T = {ten(same(final['t']))}?"
    yield first.replace("4, with", f"4 of {final['instance'].nunique()} instances, with")
    yield calibrated
    yield f"At T = {CONFIG['studies']['comparison']['horizon']}, among all systems calibrated,"
    yield next(iter(ranked())).split("(`ranking_comparison.csv`), ")[1]
    rs_mnl = rows("comparison_coverage", algorithm="rs-mnl-paper")
    times = listed([str(count) for count in rs_mnl["covered"]])
    yield f"The set of RS-MNL, with its authors' constants, holds theta_* in {times} of {same(rs_mnl['runs'])} runs on two"
    counts, slips = counted_in_words(table("verdicts")).split(" The ")
    yield counts
    yield slips.split(";")[0]
    yield "the step 5/4 it is proved, with K for √K, a power of S and explicit constants: for K = 2 and a fixed S that"
    yield "For K ≥ 3 √K is open."
    yield "For bounded d and S and even K ≥ 4 a factor of √K and logarithms stay"
    yield next(sentence for sentence in verdicts() if "1/25000" in sentence).removesuffix(" (C028b)")


@pytest.mark.parametrize("sentences", [length_of_exploration, *FINDINGS], ids=lambda function: function.__name__)
def test_the_tables_say_so(sentences):
    for sentence in sentences():
        assert sentence in PAGE


def test_the_tables_say_so_in_short():
    for sentence in in_short():
        assert sentence in README


def unchecked(said: str, sentences: Iterator[str], names: tuple[str, ...]) -> list[str]:
    """The numbers that are in none of the sentences and in no name."""
    for sentence in sentences:
        said = said.replace(sentence, " ")
    for name in sorted(names, key=len, reverse=True):
        said = said.replace(name, " ")
    return NUMBER.findall(said)


def test_no_number_goes_unchecked():
    assert {name for name in NAMES if name not in findings()} == set()
    assert unchecked(findings(), (sentence for function in FINDINGS for sentence in function()), NAMES) == []


def test_no_number_of_the_readme_goes_unchecked():
    said = README[README.index(IN_SHORT) : README.index(END)]
    assert unchecked(said, in_short(), NAMES + CONSTANTS) == []


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


def test_the_share_that_draws_leave_out():
    assert f"chances lowered by a share of {ten(1e-12)}," in LIMITS
    assert JUST_BELOW == 1 - 1e-12


def test_verdicts_of_single_claims():
    found = table("verdicts").set_index("id")["verdict"]
    assert {id: found[id] for id in re.findall(r"C\d{3}[a-z]?", findings())} == STATED
    for verdict in ("refuted", "not testable"):
        assert set(found.index[found == verdict]) == {id for id, stated in STATED.items() if stated == verdict}
