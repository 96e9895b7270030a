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
    "misprint": "the paper has it right elsewhere, or nothing else can be meant; no algorithm and no line uses it so",
    "constant": "a number changes",
    "condition": "another hypothesis, norm, event, order or finiteness is needed",
    "rate": "a power of K, d, S, T, R, kappa, nu, kappa_* or of a logarithm changes",
}
"""What a correction changes: a misprint where no more than that, else the largest of the others; the least comes first."""

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
    ratio : left over right side of an inequality where it is worst (<= 1: it holds), nan of what is none.
    difference : the largest relative difference of two sides that are claimed equal (0: it holds), nan of what is none.
    counterexample : the smallest one found, for ``refuted`` and ``corrected``. point : its coordinates, where it has any.
    evidence : the numbers behind the verdict, or the reason why there are none.
    effect : one of `EFFECTS`, for ``corrected`` only.
    """

    verdict: str
    level: str
    ratio: float = math.nan
    difference: float = math.nan
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


def tight(ratio: float) -> bool:
    """Whether an inequality whose left over right side is at most this is not loose."""
    return ratio > LOOSE - ROUNDING


def exactly(
    holds: bool,
    evidence: str,
    counterexample: str = "",
    point: Point | None = None,
    ratio: float = math.nan,
    difference: float = math.nan,
) -> Finding:
    """The finding of exact or symbolic arithmetic; `counterexample` says where it fails."""
    if holds:
        return Finding("holds", "proved", ratio, difference, evidence=evidence)
    return Finding("refuted", "proved", ratio, difference, counterexample, evidence, point=point or {})


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
            "refuted",
            "proved",
            worst.value,
            counterexample=worst.text,
            evidence=f"{evidence}; in balls {ball.arb.str(12)}",
            point=worst.point,
        )
    again = ratio(DIGITS, **in_digits(worst.point))
    shown = f"{evidence}; in 50 digits {float(again):.12g}"
    if again - 1 <= PRECISE:
        return held(float(again), f"{shown}: rounding", proof, loose)
    return Finding("refuted", "searched", worst.value, counterexample=worst.text, evidence=shown, point=worst.point)


def held(ratio: float, evidence: str, proof: Certificate | Open | None, loose: bool) -> Finding:
    """The finding about an inequality of which no violation was found; where it is proved, the proof shows it loose."""
    spare = proof.bound <= LOOSE if isinstance(proof, Certificate) else not tight(ratio)
    verdict = "holds, loose" if loose and spare else "holds"
    return Finding(verdict, level_of(proof), ratio, evidence=with_proof(evidence, proof))


def level_of(proof: Certificate | Open | None) -> str:
    """How it is known that nothing violates a statement."""
    return "proved" if isinstance(proof, Certificate) else "searched"


def with_proof(evidence: str, proof: Certificate | Open | None) -> str:
    """The evidence, and what the proof says of itself."""
    return evidence if proof is None else f"{evidence}; {proof}"


def equality(
    worst: Worst, difference: Ratio, note: str = "", proof: Certificate | Open | None = None, rounding: float = ROUNDING
) -> Finding:
    """The finding about two sides claimed equal, of which `worst` has the largest relative difference; see `inequality`."""
    evidence = f"largest relative difference {worst.value:.3g}{'; ' + note if note else ''}"
    if worst.value <= rounding:
        return Finding("holds", level_of(proof), difference=worst.value, evidence=with_proof(evidence, proof))
    ball = beyond(difference, worst.point, rounding)
    if ball is not None:
        return Finding(
            "refuted",
            "proved",
            difference=worst.value,
            counterexample=worst.text,
            evidence=f"{evidence}; in balls {ball.arb.str(6)}",
            point=worst.point,
        )
    again = difference(DIGITS, **in_digits(worst.point))
    shown = f"{evidence}; in 50 digits {float(again):.6g}"
    if not again > rounding:
        return Finding("holds", level_of(proof), difference=float(again), evidence=with_proof(f"{shown}: rounding", proof))
    return Finding(
        "refuted", "searched", difference=worst.value, counterexample=worst.text, evidence=shown, point=worst.point
    )


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
    tightest = max(findings, key=lambda found: (found.verdict != "holds, loose", not math.isnan(found.ratio), found.ratio))
    level = weakest(finding.level for finding in findings)
    return replace(tightest, level=level, evidence="; ".join(finding.evidence for finding in findings))


def frequency(failures: int, runs: int, allowed: float, what: str) -> Finding:
    """The finding about an event of probability at most `allowed` that happened in `failures` of `runs` runs.

    It is refuted if even the lower end of the Clopper-Pearson interval of level 1 - 2 `FALSE_ALARM` exceeds `allowed`.
    """
    low, high = clopper_pearson(failures, runs, 1 - 2 * FALSE_ALARM)
    evidence = f"{failures} of {runs} runs, probability in [{low:.3g}, {high:.3g}] (false alarm {FALSE_ALARM:.0e}); {what}"
    if low > allowed:
        return Finding("refuted", "simulated", low / allowed, counterexample=f"{failures} of {runs} runs", evidence=evidence)
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
        return Finding("refuted", "simulated", value / constant, counterexample=text, evidence=evidence)
    return Finding("holds", "simulated", value / constant, evidence=evidence)


def universal(needed: Ratio, values: Sequence[float], what: str) -> Finding:
    """Whether one constant, needed(m, value), does along a sequence: refuted if it has to grow like a power of it.

    The ratio is the constant needed at the last value over that at the first, and over the growth that is let pass.
    """

    def growth(m: Arithmetic, first: Number, last: Number) -> Number:
        return needed(m, last) / needed(m, first) / m.power(last / first, m.number(GROWTH))

    found, ends = [needed(FLOATS, value) for value in values], {"first": values[0], "last": values[-1]}
    shown = ", ".join(f"{constant:.4g} at {value:.3g}" for value, constant in zip(values, found, strict=True))
    text = f"{what} = {values[-1]:.3g} needs {found[-1] / found[0]:.3g} times as much as {what} = {values[0]:.3g}"
    worst = Worst(growth(FLOATS, **ends), ends, text)
    return inequality(worst, growth, f"constant needed against {what}: {shown}", loose=False)


def not_testable(reason: str) -> Finding:
    """The finding about a statement that no computation decides."""
    return Finding("not testable", "argued", evidence=reason)
