"""What a claim of the paper is, what can be found about it, and how a number becomes a verdict.

A check is a function of an `Effort` and of the constants that the paper prints, given as keyword arguments with the printed
values as defaults: calling it with others asks whether the ledger would notice a misprint.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from mnlbandits.analysis.intervals import clopper_pearson
from mnlbandits.claims.search import Worst
from mnlbandits.errors import InputError, require_choice

VERDICTS = {
    "holds": "true as printed: proved by exact arithmetic, certified, or in every point that was searched",
    "holds, loose": "true as printed, and still true with a constant at least twice as good",
    "corrected": "false as printed; true, to the extent of the evidence, as corrected, which is one way to mend it",
    "refuted": "false as printed, with a counterexample",
    "not testable": "computation cannot decide it, for the reason given",
}

EFFECTS = {
    "misprint": "a slip or an omission; what follows reads it as corrected, or does not use it",
    "constant": "a number changes",
    "condition": "another hypothesis, norm or order is needed",
    "rate": "a power of K, d, S, T, kappa, nu or kappa_* changes",
}
"""What a correction changes."""

METHODS = {
    "exact": "integer, rational or symbolic arithmetic",
    "certified": "numerics with bounds on their own error",
    "search": "optimisation over the domain for a violation, from many starts",
    "Monte Carlo": "simulation with a stated false-alarm rate",
    "none": "nothing to compute",
}

KINDS = ("definition", "assumption", "algorithm", "lemma", "proposition", "theorem", "equation", "step", "table", "text")

ROUNDING = 1e-9
"""Relative excess over an inequality that counts as rounding, and difference of two sides that counts as equality."""

PRECISE = 1e-30
"""The same in 50 digits."""

LOOSE = 0.5
"""An inequality whose left side stays below this part of its right side, by more than `ROUNDING`, is loose."""

FALSE_ALARM = 1e-6
"""Probability with which a Monte-Carlo check calls a true bound on a probability false."""


class Effort(NamedTuple):
    """How hard to look.

    Attributes
    ----------
    draws : points at which a search begins. starts : of them, how many are improved. runs, rounds : of a simulation.
    """

    draws: int
    starts: int
    runs: int
    rounds: int


EFFORTS = {"smoke": Effort(300, 4, 40, 300), "full": Effort(4000, 24, 200, 2000)}


@dataclass(frozen=True)
class Finding:
    """What a check found.

    Attributes
    ----------
    verdict : one of `VERDICTS`.
    margin : left over right side of an inequality where it is worst (<= 1: it holds), or the largest relative difference of
        two sides that are claimed equal; nan where neither makes sense.
    counterexample : the smallest one found, for ``refuted`` and ``corrected``.
    evidence : the numbers behind the verdict, or the reason why there are none.
    effect : one of `EFFECTS`, for ``corrected`` only.
    """

    verdict: str
    margin: float = math.nan
    counterexample: str = ""
    evidence: str = ""
    effect: str = ""

    def __post_init__(self):
        require_choice("verdict", self.verdict, VERDICTS)
        false = self.verdict in ("corrected", "refuted")
        if false != bool(self.counterexample) or not self.evidence:
            raise ValueError(f"a finding needs evidence, and a counterexample if and only if it is false: {self}")
        if (self.verdict == "corrected") != (self.effect in EFFECTS):
            raise ValueError(f"an effect of {', '.join(EFFECTS)} belongs to what is corrected: {self}")


@dataclass(frozen=True)
class Claim:
    """A statement of the paper that can be checked, or says why it cannot.

    Attributes
    ----------
    id : of this ledger, ``C001``. section : the file it is in. labels : of the LaTeX source, those it is about.
    place : where in the paper. kind : one of `KINDS`. statement : in our words. method : one of `METHODS`.
    domain : what was searched. check : the function that finds.
    """

    id: str
    section: str
    labels: tuple[str, ...]
    place: str
    kind: str
    statement: str
    method: str
    domain: str
    check: Callable[..., Finding]


CLAIMS: dict[str, Claim] = {}
"""All claims by id, in the order of the paper."""


def claim(
    id: str, *, place: str, kind: str, statement: str, method: str, domain: str = "", labels: tuple[str, ...] = ()
) -> Callable[[Callable[..., Finding]], Callable[..., Finding]]:
    """Register the decorated check as a claim, see `Claim`."""
    require_choice("kind", kind, KINDS)
    require_choice("method", method, METHODS)

    def register(check: Callable[..., Finding]) -> Callable[..., Finding]:
        if id in CLAIMS:
            raise ValueError(f"two claims are called {id}")
        section = check.__module__.rsplit(".", 1)[1]
        CLAIMS[id] = Claim(id, section, labels, place, kind, statement, method, domain, check)
        return check

    return register


def examine(id: str, effort: Effort, **printed: Any) -> Finding:
    """Run the check of one claim, with other constants than the paper's if `printed` has any.

    Raises
    ------
    InputError : there is no such claim.
    """
    if id not in CLAIMS:
        raise InputError("claim", id, "one that `mnlbandits claims` lists")
    return CLAIMS[id].check(effort, **printed)


def tight(margin: float) -> bool:
    """Whether an inequality with this margin is not loose."""
    return margin > LOOSE - ROUNDING


def inequality(worst: Worst, precise: Callable[[Any], Any] | None = None, note: str = "", loose: bool = True) -> Finding:
    """The finding about a claimed left <= right, of which `worst` has the largest left/right.

    Parameters
    ----------
    precise : left/right at a point in 50 digits; a violation is only believed if it shows there too.
    note : what else to say. loose : whether a better constant would be worth a verdict of its own.
    """
    evidence = f"largest left/right {worst.value:.6g} at {worst.text}{'; ' + note if note else ''}"
    if worst.value <= 1 + ROUNDING:
        slack = loose and not tight(worst.value)
        return Finding("holds, loose" if slack else "holds", worst.value, evidence=evidence)
    if precise is None:
        raise ValueError(f"a violation without a check in 50 digits: {evidence}")
    again = precise(worst.point)
    if again - 1 <= PRECISE:
        return Finding("holds", float(again), evidence=f"{evidence}; in 50 digits {float(again):.12g}: rounding")
    return Finding("refuted", worst.value, worst.text, f"{evidence}; in 50 digits {float(again):.12g}")


def equality(
    worst: Worst, precise: Callable[[Any], Any] | None = None, note: str = "", rounding: float = ROUNDING
) -> Finding:
    """The finding about two sides claimed equal, of which `worst` has the largest relative difference; see `inequality`."""
    evidence = f"largest relative difference {worst.value:.3g}{'; ' + note if note else ''}"
    if worst.value <= rounding:
        return Finding("holds", worst.value, evidence=evidence)
    if precise is None:
        raise ValueError(f"a difference without a check in 50 digits: {evidence}")
    again = precise(worst.point)
    if not again > rounding:
        return Finding("holds", float(again), evidence=f"{evidence}; in 50 digits {float(again):.3g}: rounding")
    return Finding("refuted", worst.value, worst.text, f"{evidence}; in 50 digits {float(again):.6g}")


def confirmed(finding: Finding, survives: bool, again: str) -> Finding:
    """A refuted finding with `again`, what came out when its counterexample was computed in 50 digits or exactly.

    It is only believed if it survives; any other finding is left alone.
    """
    if finding.verdict != "refuted":
        return finding
    evidence = f"{finding.evidence}; {again}"
    if survives:
        return replace(finding, evidence=evidence)
    return Finding("holds", evidence=f"{evidence}: not confirmed")


def corrected(effect: str, printed: Finding, mended: Finding, correction: str) -> Finding:
    """The finding about a statement that is false as printed, if it is, and about what it should say.

    `effect`, one of `EFFECTS`, is what the correction changes.
    """
    if printed.verdict != "refuted":
        return printed
    if mended.verdict == "refuted":
        return replace(printed, evidence=f"{printed.evidence}; nor does it hold as corrected ({correction})")
    evidence = f"printed: {printed.evidence}; corrected ({correction}): {mended.evidence}"
    return replace(printed, verdict="corrected", evidence=evidence, effect=effect)


def frequency(failures: int, runs: int, allowed: float, what: str) -> Finding:
    """The finding about an event of probability at most `allowed` that happened in `failures` of `runs` runs.

    It is refuted if even the lower end of the Clopper-Pearson interval of level 1 - 2 `FALSE_ALARM` exceeds `allowed`.
    """
    low, high = clopper_pearson(failures, runs, 1 - 2 * FALSE_ALARM)
    evidence = f"{failures} of {runs} runs, probability in [{low:.3g}, {high:.3g}] (false alarm {FALSE_ALARM:.0e}); {what}"
    if low > allowed:
        return Finding("refuted", low / allowed, f"{failures} of {runs} runs", evidence)
    return Finding("holds", low / allowed, evidence=evidence)


def exceedance(
    ratios: Sequence[float], allowed: float, what: str, precise: Callable[[int], Any], means: str = "from the same outcomes"
) -> Finding:
    """`frequency` of ratios above 1 in floats, each of which is only believed if it shows in 50 digits too.

    `precise` computes the ratio of a run, given by its place, again; `means` says from what.
    """
    again = [precise(run) for run, ratio in enumerate(ratios) if ratio > 1]
    seen = [ratio for ratio in again if ratio - 1 > PRECISE]
    if again:
        least = f", the least {float(min(seen)):.12g}" if seen else ""
        what = f"{what}; in 50 digits, {means}, {len(seen)} of {len(again)} above 1{least}"
    return frequency(len(seen), len(ratios), allowed, what)


def not_testable(reason: str) -> Finding:
    """The finding about a statement that no computation decides."""
    return Finding("not testable", evidence=reason)
