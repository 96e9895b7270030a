"""The paper's LaTeX source, cut into displays and sentences, and which claims of the ledger each of them has.

The source is not ours to ship: `SOURCE_MAP` knows it by line numbers and digests, so that one sees where a new version
differs.
"""

import csv
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SOURCE_MAP = Path(__file__).with_name("source_map.csv")
"""Columns: kind, first, last, digest, claims (ids joined by spaces), reason (why there is none)."""

BLOCKS = ("algorithm", "table", "framework")
"""Environments that are one item as a whole."""

DISPLAYS = ("equation", "align", "multline")

DISPLAY = re.compile(r"\\begin\{(" + "|".join(DISPLAYS) + r")(\*?)\}.*?\\end\{\1\2\}|\\\[.*?\\\]", re.DOTALL)
BLOCK = re.compile(r"\\begin\{(" + "|".join(BLOCKS) + r")\}.*?\\end\{\1\}", re.DOTALL)
END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!w\.h\.p)(?<!\bcf)(?<!\bresp)(?<!\bEq)[.?!](?=\s|$)|\n\s*\n|\\item\b|\\(?:begin|end)\{\w+\}"
)

MATHEMATICS_OR_RESULT = re.compile(
    r"\\\(|\$|optimal|bound|\brate|tractable|convex|regret|exponential|independent|equivalent|linear", re.IGNORECASE
)
"""What makes a sentence one with mathematical content."""

APPARATUS = re.compile(r"\\(?:(?:sub)*section\*?|label|(?:eq)?ref|cite\w*(?:\[[^]]*\])*)\{[^}]*\}")
"""Headings and references, whose words are no content."""


class Item(NamedTuple):
    """A display, a sentence or a whole block (an algorithm, a table) of the source.

    Attributes
    ----------
    kind : ``display``, ``sentence``, or one of `BLOCKS`. first, last : its lines. digest : of its text without white space.
    """

    kind: str
    first: int
    last: int
    digest: str


class Mapped(NamedTuple):
    """An `Item`, and its claims or the reason why it has none."""

    item: Item
    claims: tuple[str, ...]
    reason: str


def outline(source: str) -> list[Item]:
    """The items of a LaTeX source from its abstract on, in order; comments are no part of it."""
    text = re.sub(r"(?<!\\)%[^\n]*", "", source)
    return sorted(cut(text, text.index(r"\begin{abstract}")), key=lambda item: (item.first, item.last))


def cut(text: str, start: int) -> Iterator[Item]:
    """The items of a text from one of its characters on."""
    blank = list(text)
    for pattern, kind in ((BLOCK, None), (DISPLAY, "display")):
        for match in pattern.finditer("".join(blank), start):
            yield item_of(kind or match[1], text, match.start(), match.end())
            blank[match.start() : match.end()] = ["\n" if sign == "\n" else "\0" for sign in match[0]]
    rest = "".join(blank)
    place = start
    for match in [*END.finditer(rest, start), None]:
        end = match.end() if match else len(rest)
        words = rest[place:end].replace("\0", "")
        if MATHEMATICS_OR_RESULT.search(APPARATUS.sub("", words)):
            yield item_of("sentence", rest, place, end)
        place = end


def item_of(kind: str, text: str, start: int, end: int) -> Item:
    """The item from one character to another, without the white space around it."""
    piece = text[start:end].replace("\0", " ")
    start += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip())
    digest = hashlib.sha256("".join(text[start:end].replace("\0", "").split()).encode()).hexdigest()[:10]
    return Item(kind, text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 1, digest)


def source_map() -> list[Mapped]:
    """`SOURCE_MAP`, in the order of the paper."""
    with SOURCE_MAP.open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    return [
        Mapped(
            Item(row["kind"], int(row["first"]), int(row["last"]), row["digest"]),
            tuple(row["claims"].split()),
            row["reason"],
        )
        for row in rows
    ]
