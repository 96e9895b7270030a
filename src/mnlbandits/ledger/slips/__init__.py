"""What the paper's authors would want to mend: slips, each of which one edit of the source mends, and wrong names."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module

PARTS_OF_SLIPS = ("main_text", "appendices", "exploration", "theorem_one", "theorem_two", "adaptive")
"""Modules of this package, in the order of the paper."""


@dataclass(frozen=True)
class Slip:
    """One place where the source says something that is not so; mathematics in LaTeX.

    Attributes
    ----------
    name : short. rows : ids of the claims that are false by it, the first one is where it is shown. place, lines : of the
        paper. printed : what is printed. wrong : why not, with the shortest counterexample. mended : what it should be. depends : what in the paper depends on it, in words.
    """

    name: str
    rows: tuple[str, ...]
    place: str
    lines: tuple[int, int]
    printed: str
    wrong: str
    mended: str
    depends: str = ""


@dataclass(frozen=True)
class Name:
    """A wrong name (a cross-reference, a citation's number, a letter with one possible meaning); nothing is false by it."""

    place: str
    lines: tuple[int, int]
    printed: str
    mended: str


def slips() -> Iterator[Slip]:
    """All slips, in the order of the paper."""
    for part in PARTS_OF_SLIPS:
        yield from import_module(f"{__name__}.{part}").SLIPS


def names() -> Iterator[Name]:
    """All wrong names, in the order of the paper."""
    for part in PARTS_OF_SLIPS:
        yield from import_module(f"{__name__}.{part}").NAMES


def slips_of(id: str) -> list[str]:
    """The names of the slips by which a claim is false."""
    return [slip.name for slip in slips() if id in slip.rows]


@dataclass(frozen=True)
class Stated:
    """A theorem, lemma or proposition: whether it stands as printed, in short, and the least mended form known to stand."""

    row: str
    printed: str
    mended: str
