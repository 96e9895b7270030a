"""The statements of ``formal/``, read out of the files that Coq checks and computed with in any of the ledger's arithmetics.

What is read is a small part of Coq's language: variables in R, ``+ - * / ^``, ``exp ln sqrt cosh Rabs``, numerals,
comparisons and ``->``. The numbers of a theorem and those of the claim of the same name can so be compared at points.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mnlbandits.ledger.arithmetic import Arithmetic, Number

Expression = Callable[[Arithmetic, Mapping[str, Number]], Number]
"""A real expression, a function of the values of its variables."""

TOKEN = re.compile(r"\s*(->|<=|>=|\d+\.\d+|\d+|\w+'*|\S)")
VARIABLES = re.compile(r"forall ([\w' ]+) : R,")
RELATIONS = ("<=", "<", "=", ">=", ">")
FUNCTIONS = {"exp": "exp", "ln": "log", "sqrt": "sqrt", "cosh": "cosh"}
SUMS = {"+": operator.add, "-": operator.sub}
PRODUCTS = {"*": operator.mul, "/": operator.truediv}
FORBIDDEN = ("Admitted", "Axiom", "Parameter", "Conjecture", "Hypothesis", "Variable", "admit")
"""Words by which a file would assume what it is to prove."""


class Unreadable(ValueError):
    """A statement outside the part of the language that is read."""


class Comparison(NamedTuple):
    """left relation right."""

    left: Expression
    relation: str
    right: Expression

    def holds(self, m: Arithmetic, values: Mapping[str, Number], slack: float = 1e-9) -> bool:
        """Whether it is so at these values, up to this part of the larger side."""
        left, right = self.left(m, values), self.right(m, values)
        rounding = slack * (1 + m.maximum(abs(left), abs(right)))
        below, above = left <= right + rounding, right <= left + rounding
        return {"<": below, ">": above}.get(self.relation[0], below and above)


@dataclass(frozen=True)
class Theorem:
    """forall variables, hypotheses -> conclusion."""

    variables: tuple[str, ...]
    hypotheses: tuple[Comparison, ...]
    conclusion: Comparison

    def applies(self, m: Arithmetic, values: Mapping[str, Number]) -> bool:
        """Whether the hypotheses hold."""
        return all(hypothesis.holds(m, values) for hypothesis in self.hypotheses)

    def sides(self, m: Arithmetic, values: Mapping[str, Number]) -> tuple[Number, Number]:
        """left and right of the conclusion."""
        return self.conclusion.left(m, values), self.conclusion.right(m, values)


def without_comments(source: str) -> str:
    """Coq source without its comments, which are not nested."""
    return re.sub(r"\(\*.*?\*\)", " ", source, flags=re.DOTALL)


def statement_of(source: str, name: str) -> str:
    """The statement of the theorem of that name, white space normalised.

    Raises
    ------
    Unreadable : there is none, or several.
    """
    found = re.findall(rf"Theorem {name} :(.*?)\.\s+Proof\.", without_comments(source), flags=re.DOTALL)
    if len(found) != 1:
        raise Unreadable(f"{len(found)} theorems {name}")
    return " ".join(found[0].split())


def formal_statement(folder: Path, name: str) -> str:
    """The statement of ``folder``/name.v, see `statement_of`."""
    return statement_of((folder / f"{name}.v").read_text(encoding="utf-8"), name)


def assumed(source: str) -> list[str]:
    """The forbidden words of a file."""
    return [word for word in FORBIDDEN if re.search(rf"\b{word}s?\b", without_comments(source))]


def theorem_of(statement: str) -> Theorem:
    """A statement, read.

    Raises
    ------
    Unreadable : it has other quantifiers, functions or relations.
    """
    match = VARIABLES.match(statement)
    if not match:
        raise Unreadable(f"no real variables: {statement}")
    names = tuple(match[1].split())
    reader = Reader(TOKEN.findall(statement[match.end() :]), names)
    chains = list(reader.implications())
    (conclusion,) = chains[-1]
    return Theorem(names, tuple(comparison for chain in chains[:-1] for comparison in chain), conclusion)


class Reader:
    """Recursive descent over tokens, with Coq's precedences: ^ before unary - and /, before * and /, before + and -."""

    def __init__(self, tokens: list[str], names: tuple[str, ...]):
        self.tokens, self.names, self.place = tokens, names, 0

    @property
    def next(self) -> str:
        """The token that comes next, empty at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        """Go past the next token."""
        token = self.next
        if not token or (expected and token != expected):
            raise Unreadable(f"{token!r} for {expected!r} after {' '.join(self.tokens[: self.place])}")
        self.place += 1
        return token

    def implications(self) -> Iterator[list[Comparison]]:
        """The chains of comparisons between the arrows."""
        yield self.chain()
        while self.next:
            self.take("->")
            yield self.chain()

    def chain(self) -> list[Comparison]:
        """a <= b <= c as two comparisons."""
        sides, relations = [self.sum()], []
        while self.next in RELATIONS:
            relations.append(self.take())
            sides.append(self.sum())
        if not relations:
            raise Unreadable(f"no comparison in {' '.join(self.tokens)}")
        return [Comparison(*parts) for parts in zip(sides, relations, sides[1:], strict=False)]

    def sum(self) -> Expression:
        """Terms joined by + and -."""
        return self.joined(self.product, SUMS)

    def product(self) -> Expression:
        """Factors joined by * and /."""
        return self.joined(self.signed, PRODUCTS)

    def joined(self, part: Callable[[], Expression], operators: Mapping[str, Callable]) -> Expression:
        """Parts joined from the left."""
        value = part()
        while self.next in operators:
            value = combined(operators[self.take()], value, part())
        return value

    def signed(self) -> Expression:
        """A power, or minus or one over what is signed."""
        if self.next == "-":
            self.take()
            negated = self.signed()
            return lambda m, values: -negated(m, values)
        if self.next == "/":
            self.take()
            inverted = self.signed()
            return lambda m, values: 1 / inverted(m, values)
        return self.power()

    def power(self) -> Expression:
        """A number, or one to a power that is a numeral."""
        base = self.applied()
        if self.next != "^":
            return base
        self.take()
        exponent = self.take()
        if not exponent.isdecimal():
            raise Unreadable(f"a power that is no numeral: {exponent}")
        return lambda m, values: base(m, values) ** int(exponent)

    def applied(self) -> Expression:
        """An atom, or a function of one."""
        if self.next not in (*FUNCTIONS, "Rabs"):
            return self.atom()
        name, argument = self.take(), self.atom()
        if name == "Rabs":
            return lambda m, values: abs(argument(m, values))
        return lambda m, values: getattr(m, FUNCTIONS[name])(argument(m, values))

    def atom(self) -> Expression:
        """A numeral, a variable, or what stands in parentheses."""
        token = self.take()
        if token == "(":
            inside = self.sum()
            self.take(")")
            return inside
        if token[0].isdecimal():
            return lambda m, values: m.number(token)
        if token not in self.names:
            raise Unreadable(f"{token} is no variable of {self.names}")
        return lambda m, values: values[token]


def combined(operation: Callable[[Number, Number], Number], left: Expression, right: Expression) -> Expression:
    """Two expressions joined."""
    return lambda m, values: operation(left(m, values), right(m, values))
