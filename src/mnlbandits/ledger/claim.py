"""What a claim of the paper is, and the ways to examine one that are data: an inequality, an equality, a correction.

A check is called with an `Effort` and, if a misprint is to be planted, with other constants than the paper prints. Its parts
(ratio, box, proof) are values at module level, so that each can be evaluated and certified alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from mnlbandits.errors import InputError, require_choice
from mnlbandits.ledger import finding, search
from mnlbandits.ledger.finding import ROUNDING, Finding
from mnlbandits.ledger.prove import MOST_BOXES, Certificate, Open, prove
from mnlbandits.ledger.search import Box, Effort, Point, Ratio, Worst

KINDS = ("definition", "assumption", "algorithm", "lemma", "proposition", "theorem", "equation", "step", "table", "text")


class Check(Protocol):
    """A way to examine a statement; `printed` are constants that replace those of the paper."""

    def __call__(self, effort: Effort, **printed: object) -> Finding: ...


class Proof(Protocol):
    """A proof of an inequality on its domain, of the constants given."""

    def __call__(self, **printed: object) -> Certificate | Open: ...


@dataclass(frozen=True)
class Statement:
    """What the paper says, mathematics in LaTeX.

    Attributes
    ----------
    place : where in the paper. lines : first and last line of its source. labels : of the source, those it is about.
    kind : one of `KINDS`. prints : what the source says there. hypotheses : those it makes. quantifiers : in their order.
    reading : ours, where the source admits several.
    """

    place: str
    lines: tuple[int, int]
    kind: str
    prints: str
    hypotheses: str = ""
    quantifiers: str = ""
    reading: str = ""
    labels: tuple[str, ...] = ()

    def __post_init__(self):
        require_choice("kind", self.kind, KINDS)


@dataclass(frozen=True)
class Claim:
    """A statement of the paper that can be checked, or says why it cannot.

    Attributes
    ----------
    id : of this ledger, ``C001``. domain : what was examined. check : how.
    planted : constants of the statement with wrong values, each of which alone turns the verdict.
    unproved : why the level is not ``proved``, if it is not. formal : the theorem of ``formal/`` that a kernel accepts.
    ours : whether the statement is ours and not the paper's; it is counted apart.
    section : the part of the paper, from the module that it stands in.
    """

    id: str
    statement: Statement
    domain: str
    check: Check
    planted: Mapping[str, object]
    unproved: str = ""
    formal: str = ""
    ours: bool = False
    section: str = ""


CLAIMS: dict[str, Claim] = {}
"""All claims by id, in the order of the paper."""


def claim(
    id: str,
    statement: Statement,
    check: Check,
    *,
    domain: str,
    planted: Mapping[str, object],
    unproved: str = "",
    formal: str = "",
    ours: bool = False,
    module: str,
) -> Claim:
    """Register a claim, see `Claim`; `module` is the ``__name__`` of where it stands."""
    if id in CLAIMS:
        raise ValueError(f"two claims are called {id}")
    CLAIMS[id] = Claim(id, statement, domain, check, planted, unproved, formal, ours, module.rsplit(".", 1)[1])
    return CLAIMS[id]


def examine(id: str, effort: Effort, **printed: object) -> Finding:
    """Run the check of one claim, with other constants than the paper's if `printed` has any.

    Raises
    ------
    InputError : there is no such claim.
    """
    if id not in CLAIMS:
        raise InputError("claim", id, "one that `mnlbandits claims` lists")
    entry = CLAIMS[id]
    found = entry.check(effort, **printed)
    if entry.formal and not printed and found.level == "proved":
        return replace(found, level="kernel", evidence=f"{found.evidence}; formal/{entry.formal}.v")
    return found


@dataclass(frozen=True)
class Balls:
    """A proof by branch and bound in one or several boxes that together are the domain, see `prove`.

    Attributes
    ----------
    ratio : left/right, in coordinates fit for balls. box, cases : as in a search. bound : that the ratio is to stay below.
    words : what takes it to the statement: the coordinates, the tail of an unbounded domain, symmetry.
    """

    ratio: Ratio
    box: Box | Callable[..., Box]
    cases: Sequence[Point] = ({},)
    bound: float = 1.0
    most: int = MOST_BOXES
    words: str = ""

    def __call__(self, **printed: object) -> Certificate | Open:
        total, smallest = 0, 1.0
        for case in self.cases:
            box = self.box(**case) if callable(self.box) else self.box
            found = prove(self.ratio, box, self.bound, {**case, **printed}, self.most)
            if isinstance(found, Open):
                return found
            total, smallest = total + found.boxes, min(smallest, found.smallest)
        return Certificate(total, smallest, self.bound, self.words)


@dataclass(frozen=True)
class Exactly:
    """A proof by exact or symbolic arithmetic that a ratio is at most `bound`.

    `holds`, called with the printed constants, says whether it is one.
    """

    holds: Callable[..., bool]
    words: str
    bound: float = 1.0

    def __call__(self, **printed: object) -> Certificate | Open:
        return Certificate(0, 0.0, self.bound, self.words) if self.holds(**printed) else Open({}, 0)


@dataclass(frozen=True)
class Identities:
    """What exact arithmetic decides: `holds`, called with a case and the printed constants, says whether it is so."""

    holds: Callable[..., bool]
    words: str
    cases: Sequence[Point] = ({},)

    def __call__(self, effort: Effort, **printed: object) -> Finding:
        failed = next((case for case in self.cases if not self.holds(**case, **printed)), None)
        text = "" if failed is None else ", ".join(filter(None, [search.in_words(failed), "where it fails exactly"]))
        return finding.exactly(failed is None, f"{len(self.cases)} cases, exactly: {self.words}", text, failed)


@dataclass(frozen=True)
class Together:
    """A proof in several parts, all needed; `bound` is what they show together, if not given the largest of theirs."""

    parts: Sequence[Proof]
    bound: float | None = None

    def __call__(self, **printed: object) -> Certificate | Open:
        found = [part(**printed) for part in self.parts]
        failed = next((part for part in found if isinstance(part, Open)), None)
        if failed:
            return failed
        words = "; ".join(filter(None, (part.words for part in found)))
        return Certificate(
            sum(part.boxes for part in found),
            min(part.smallest or 1.0 for part in found),
            max(part.bound for part in found) if self.bound is None else self.bound,
            words,
        )


@dataclass(frozen=True)
class Searched:
    """Two sides that are compared over a domain: searched for their worst point and, where there is a `proof`, proved.

    Attributes
    ----------
    ratio : left/right, or the relative difference. box : coordinates, the same for all cases or a function of the case.
    cases : what a case fixes. examples : points with short numbers, tried first and shown if they are violations.
    note : what else to say. share : of the effort. proof : run where no violation was found. fixed : constants of the ratio.
    """

    ratio: Ratio
    box: Box | Callable[..., Box] = field(default_factory=dict)
    cases: Sequence[Point] = ({},)
    examples: Sequence[Point] = ()
    note: str = ""
    share: float = 1.0
    proof: Proof | None = None
    fixed: Mapping[str, object] = field(default_factory=dict)

    @property
    def limit(self) -> float:
        """What the ratio may reach, rounding included."""
        raise NotImplementedError

    def worst(self, effort: Effort, **printed: object) -> Worst:
        """The first example that is a violation, or the worst point of the search."""
        constants = {**self.fixed, **printed}
        tried = [search.at(self.ratio, search.in_words(point), **point, **constants) for point in self.examples]
        worst = next((found for found in tried if found.value > self.limit), None)
        worst = worst or search.worst_of(
            [*tried, search.worst_over(self.ratio, self.cases, self.box, effort.share(self.share), **constants)]
        )
        return worst._replace(point={**worst.point, **constants})

    def proved(self, worst: Worst, **printed: object) -> Certificate | Open | None:
        """The proof where there is one and nothing to the contrary was found."""
        return self.proof(**{**self.fixed, **printed}) if self.proof and worst.value <= self.limit else None


@dataclass(frozen=True)
class Inequality(Searched):
    """left <= right; `loose` says whether a better constant is worth a verdict of its own."""

    loose: bool = False

    @property
    def limit(self) -> float:
        return 1 + ROUNDING

    def __call__(self, effort: Effort, **printed: object) -> Finding:
        worst = self.worst(effort, **printed)
        return finding.inequality(worst, self.ratio, self.note, self.loose, self.proved(worst, **printed))


@dataclass(frozen=True)
class Equality(Searched):
    """left = right, up to a relative difference of `rounding` in the search."""

    rounding: float = ROUNDING

    @property
    def limit(self) -> float:
        return self.rounding

    def __call__(self, effort: Effort, **printed: object) -> Finding:
        worst = self.worst(effort, **printed)
        return finding.equality(worst, self.ratio, self.note, self.proved(worst, **printed), self.rounding)


@dataclass(frozen=True)
class All:
    """Several checks, all of which are to hold; a planted constant goes to all of them."""

    checks: Sequence[Check]

    def __call__(self, effort: Effort, **printed: object) -> Finding:
        return finding.all_of(*(check(effort, **printed) for check in self.checks))


@dataclass(frozen=True)
class Correction:
    """A statement that is false as printed, and what it should say.

    A planted constant goes to what is printed; one called ``mended_x`` goes, as x, to what mends it.
    """

    effect: str
    printed: Check
    mended: Check
    words: str

    def __call__(self, effort: Effort, **printed: object) -> Finding:
        prefix = "mended_"
        mended = {key.removeprefix(prefix): value for key, value in printed.items() if key.startswith(prefix)}
        found = self.printed(effort, **{key: value for key, value in printed.items() if not key.startswith(prefix)})
        if found.verdict != "refuted":
            return found
        return finding.corrected(self.effect, found, self.mended(effort, **mended), self.words)
