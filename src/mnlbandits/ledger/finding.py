"""What was found about a statement, how it is known, and how a number becomes a verdict."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mnlbandits.analysis.intervals import clopper_pearson
from mnlbandits.errors import require_choice
from mnlbandits.ledger.arithmetic import DIGITS, FLOATS, Arithmetic, Number
from mnlbandits.ledger.prove import Certificate, Open, beyond
from mnlbandits.ledger.search import Point, Ratio, Worst

VERDICTS = {
    "holds": "true as printed, to the extent of its level of evidence",
    "holds, loose": "true as printed, and still true with a constant at least twice as good",
    "corrected": "false as printed; true, to the extent of the evidence, as corrected, which is one way to mend it",
    "refuted": "false as printed, with a counterexample",
    "not testable": "computation cannot decide it, for the reason given",
}

LEVELS = {
    "kernel": "its inequality or identity is accepted by the kernel of a proof assistant",
    "proved": "exact or symbolic arithmetic, or balls on the whole stated domain",
    "searched": "optimisation over the domain for a violation, from many starts",
    "simulated": "simulation with a stated false-alarm rate",
    "argued": "a derivation in words that no program checks",
}
"""How a verdict is known, the strongest first."""

EFFECTS = {
    "misprint": "a slip or an omission; what follows reads it as corrected, or does not use it",
    "constant": "a number changes",
    "condition": "another hypothesis, norm or order is needed",
    "rate": "a power of K, d, S, T, kappa, nu or kappa_* changes",
}
"""What a correction changes."""

FALSE = ("corrected", "refuted")

ROUNDING = 1e-9
"""Relative excess over an inequality that counts as rounding, and difference of two sides that counts as equality."""

PRECISE = 1e-30
"""The same in 50 digits."""

LOOSE = 0.5
"""An inequality whose left side stays below this part of its right side, by more than `ROUNDING`, is loose."""

GROWTH = 0.05
"""A constant that grows with a larger power of its argument than this is none."""

FALSE_ALARM = 1e-6
"""Probability with which a Monte-Carlo check calls a true bound on a probability false."""


@dataclass(frozen=True)
class Finding:
    """What a check found.

    Attributes
    ----------
    verdict : one of `VERDICTS`. level : one of `LEVELS`; of a correction, the weaker of its refutation and of what mends it.
    margin : left over right side of an inequality where it is worst (<= 1: it holds), or the largest relative difference of
        two sides that are claimed equal; nan where neither makes sense.
    counterexample : the smallest one found, for ``refuted`` and ``corrected``. point : its coordinates, where it has any.
    evidence : the numbers behind the verdict, or the reason why there are none.
    effect : one of `EFFECTS`, for ``corrected`` only.
    """

    verdict: str
    level: str
    margin: float = math.nan
    counterexample: str = ""
    evidence: str = ""
    effect: str = ""
    point: Point = field(default_factory=dict)

    def __post_init__(self):
        require_choice("verdict", self.verdict, VERDICTS)
        require_choice("level", self.level, LEVELS)
        if (self.verdict in FALSE) != bool(self.counterexample) or not self.evidence:
            raise ValueError(f"a finding needs evidence, and a counterexample if and only if it is false: {self}")
        if (self.verdict == "corrected") != (self.effect in EFFECTS):
            raise ValueError(f"an effect of {', '.join(EFFECTS)} belongs to what is corrected: {self}")


def weakest(levels: Iterable[str]) -> str:
    """The weakest of these levels."""
    return max(levels, key=list(LEVELS).index)


def tight(margin: float) -> bool:
    """Whether an inequality with this margin is not loose."""
    return margin > LOOSE - ROUNDING


def exactly(
    holds: bool, evidence: str, counterexample: str = "", margin: float = math.nan, point: Point | None = None
) -> Finding:
    """The finding of exact or symbolic arithmetic; `counterexample` says where it fails."""
    if holds:
        return Finding("holds", "proved", margin, evidence=evidence)
    return Finding("refuted", "proved", margin, counterexample, evidence, point=point or {})


def inequality(
    worst: Worst, ratio: Ratio, note: str = "", loose: bool = True, proof: Certificate | Open | None = None
) -> Finding:
    """The finding about a claimed left <= right, of which `worst` has the largest left/right that was found.

    A violation is only believed if the same ratio shows it in balls, which proves it, or in 50 digits. Without a violation
    the statement is proved if `proof` is a certificate, and was searched if not.

    Parameters
    ----------
    note : what else to say. loose : whether a better constant would be worth a verdict of its own.
    """
    evidence = f"largest left/right {worst.value:.6g} at {worst.text}{'; ' + note if note else ''}"
    if worst.value <= 1 + ROUNDING:
        return held(worst.value, evidence, proof, loose)
    ball = beyond(ratio, worst.point)
    if ball is not None:
        return Finding(
            "refuted", "proved", worst.value, worst.text, f"{evidence}; in balls {ball.arb.str(12)}", point=worst.point
        )
    again = ratio(DIGITS, **in_digits(worst.point))
    shown = f"{evidence}; in 50 digits {float(again):.12g}"
    if again - 1 <= PRECISE:
        return held(float(again), f"{shown}: rounding", proof, loose)
    return Finding("refuted", "searched", worst.value, worst.text, shown, point=worst.point)


def held(margin: float, evidence: str, proof: Certificate | Open | None, loose: bool) -> Finding:
    """The finding about an inequality of which no violation was found."""
    verdict = "holds, loose" if loose and not tight(margin) else "holds"
    level = "proved" if isinstance(proof, Certificate) else "searched"
    return Finding(verdict, level, margin, evidence=f"{evidence}; {proof}" if proof is not None else evidence)


def equality(
    worst: Worst, difference: Ratio, note: str = "", proof: Certificate | Open | None = None, rounding: float = ROUNDING
) -> Finding:
    """The finding about two sides claimed equal, of which `worst` has the largest relative difference; see `inequality`."""
    evidence = f"largest relative difference {worst.value:.3g}{'; ' + note if note else ''}"
    if worst.value <= rounding:
        return held(worst.value, evidence, proof, loose=False)
    ball = beyond(difference, worst.point, rounding)
    if ball is not None:
        return Finding(
            "refuted", "proved", worst.value, worst.text, f"{evidence}; in balls {ball.arb.str(6)}", point=worst.point
        )
    again = difference(DIGITS, **in_digits(worst.point))
    shown = f"{evidence}; in 50 digits {float(again):.6g}"
    if not again > rounding:
        return held(float(again), f"{shown}: rounding", proof, loose=False)
    return Finding("refuted", "searched", worst.value, worst.text, shown, point=worst.point)


def in_digits(point: Point) -> dict[str, object]:
    """A point whose floats are numbers of 50 digits."""
    return {key: DIGITS.context.mpf(value) if isinstance(value, float) else value for key, value in point.items()}


def confirmed(finding: Finding, survives: bool, again: str, level: str = "searched") -> Finding:
    """A refuted finding with `again`, what came out when its counterexample was computed in 50 digits or exactly.

    It is only believed if it survives, and then of that `level`; any other finding is left alone.
    """
    if finding.verdict != "refuted":
        return finding
    evidence = f"{finding.evidence}; {again}"
    if survives:
        return replace(finding, evidence=evidence, level=level)
    return Finding("holds", finding.level, evidence=f"{evidence}: not confirmed")


def corrected(effect: str, printed: Finding, mended: Finding, correction: str) -> Finding:
    """The finding about a statement that is false as printed, if it is, and about what it should say.

    `effect`, one of `EFFECTS`, is what the correction changes.
    """
    if printed.verdict != "refuted":
        return printed
    if mended.verdict == "refuted":
        return replace(printed, evidence=f"{printed.evidence}; nor does it hold as corrected ({correction})")
    evidence = f"printed ({printed.level}): {printed.evidence}; corrected ({correction}) ({mended.level}): {mended.evidence}"
    level = weakest([printed.level, mended.level])
    return replace(printed, verdict="corrected", level=level, evidence=evidence, effect=effect)


def all_of(*findings: Finding) -> Finding:
    """The finding about several statements together: the first that fails, or all of them joined."""
    failed = next((finding for finding in findings if finding.verdict in FALSE), None)
    if failed:
        return failed
    tightest = max(findings, key=lambda found: (found.verdict != "holds, loose", not math.isnan(found.margin), found.margin))
    level = weakest(finding.level for finding in findings)
    return replace(tightest, level=level, evidence="; ".join(finding.evidence for finding in findings))


def frequency(failures: int, runs: int, allowed: float, what: str) -> Finding:
    """The finding about an event of probability at most `allowed` that happened in `failures` of `runs` runs.

    It is refuted if even the lower end of the Clopper-Pearson interval of level 1 - 2 `FALSE_ALARM` exceeds `allowed`.
    """
    low, high = clopper_pearson(failures, runs, 1 - 2 * FALSE_ALARM)
    evidence = f"{failures} of {runs} runs, probability in [{low:.3g}, {high:.3g}] (false alarm {FALSE_ALARM:.0e}); {what}"
    if low > allowed:
        return Finding("refuted", "simulated", low / allowed, f"{failures} of {runs} runs", evidence)
    return Finding("holds", "simulated", low / allowed, evidence=evidence)


def exceedance(
    ratios: Sequence[float],
    allowed: float,
    what: str,
    precise: Callable[[int], Number],
    means: str = "from the same outcomes",
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


def measured(ratios: Mapping[str, float], constant: float, note: str) -> Finding:
    """The finding about simulated left/right <= `constant` at the points named."""
    text, value = max(ratios.items(), key=lambda entry: entry[1])
    shown = "; ".join(f"{key}: {ratio:.3g}" for key, ratio in ratios.items())
    evidence = f"left/right {shown}; {note}"
    if value > constant:
        return Finding("refuted", "simulated", value / constant, text, evidence)
    return Finding("holds", "simulated", value / constant, evidence=evidence)


def universal(needed: Ratio, values: Sequence[float], what: str) -> Finding:
    """Whether one constant, needed(m, value), does along a sequence: refuted if it has to grow like a power of it.

    The growth from the first to the last value is only believed if it shows in balls or in 50 digits too.
    """

    def power(m: Arithmetic, first: Number, last: Number) -> Number:
        return m.log(needed(m, last) / needed(m, first)) / m.log(last / first) / m.number(GROWTH)

    found, ends = [needed(FLOATS, value) for value in values], {"first": values[0], "last": values[-1]}
    growth = GROWTH * power(FLOATS, **ends)
    shown = ", ".join(f"{constant:.4g} at {value:.3g}" for value, constant in zip(values, found, strict=True))
    evidence = f"constant needed against {what}: {shown} (power {growth:.3f} over the range)"
    if growth <= GROWTH:
        return Finding("holds", "searched", max(found), evidence=evidence)
    text = f"{what} = {values[-1]:.3g} needs {found[-1] / found[0]:.3g} times as much"
    ball = beyond(power, ends)
    if ball is not None:
        return Finding("refuted", "proved", growth, text, f"{evidence}; in balls {GROWTH} times {ball.arb.str(12)}")
    again = power(DIGITS, **in_digits(ends))
    printed = Finding("refuted", "searched", growth, text, evidence)
    return confirmed(printed, again > 1, f"in 50 digits the power is {GROWTH * float(again):.12g}")


def not_testable(reason: str) -> Finding:
    """The finding about a statement that no computation decides."""
    return Finding("not testable", "argued", evidence=reason)
