"""Small changes to a program's text, each of which a test should notice: mutants.

A mutant replaces one operator, number, condition or name of a function such as `max`. Nothing is changed in decorators,
annotations, defaults of dictionaries of text, and in what is raised: they say nothing about numbers.
"""

import ast
import random
import re
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

OPERATORS = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.Pow: ("**", "*"),
    ast.FloorDiv: ("//", "/"), ast.Mod: ("%", "*"), ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"),
}  # fmt: skip
COMPARISONS = {
    ast.Lt: ("<", ("<=", ">")), ast.LtE: ("<=", ("<", ">")), ast.Gt: (">", (">=", "<")), ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)), ast.NotEq: ("!=", ("==",)), ast.In: ("in", ("not in",)), ast.NotIn: ("not in", ("in",)),
    ast.Is: ("is", ("is not",)), ast.IsNot: ("is not", ("is",)),
}  # fmt: skip
PAIRS = (
    ("min", "max"), ("minimum", "maximum"), ("argmin", "argmax"), ("floor", "ceil"), ("any", "all"), ("zeros", "ones"),
    ("sin", "cos"), ("log", "log1p"), ("exp", "expm1"), ("sqrt", "square"), ("mean", "sum"), ("argsort", "sort"),
)  # fmt: skip
NAMES = {name: other for pair in PAIRS for name, other in (pair, pair[::-1])} | {"sum": "max", "sort": "sorted"}
BOOLEANS = {ast.And: ("and", "or"), ast.Or: ("or", "and")}


@dataclass(frozen=True)
class Mutant:
    """`text` in place of `path`'s characters from `start` to `end`, which stand in line `line`."""

    path: Path
    line: int
    start: int
    end: int
    text: str

    def source(self):
        """The program's text with the change."""
        before = self.path.read_text()
        return before[: self.start] + self.text + before[self.end :]

    @property
    def lines(self):
        """What stood there and what stands there now, as one line of text each."""
        before = self.path.read_text()
        head, tail = before.rfind("\n", 0, self.start) + 1, before.find("\n", self.end)
        tail = len(before) if tail == -1 else tail
        return [
            " ".join(text.split())
            for text in (before[head:tail], before[head : self.start] + self.text + before[self.end : tail])
        ]


def mutants(path):
    """All mutants of the Python file `path`, in the order of its text."""
    text = path.read_text()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    blob = text.encode()

    def at(line, column):
        return len(blob[: starts[line - 1] + column].decode())

    found = []

    def change(node, start, end, new):
        found.append(Mutant(path, node.lineno, start, end, new))

    def between(node, left, right, old, new):
        start, end = at(left.end_lineno, left.end_col_offset), at(right.lineno, right.col_offset)
        match = re.search(rf"\b{old}\b" if old[0].isalpha() else re.escape(old), text[start:end])
        if match:
            change(left if left.end_lineno == left.lineno else node, start + match.start(), start + match.end(), new)

    def negate(test):
        start, end = at(test.lineno, test.col_offset), at(test.end_lineno, test.end_col_offset)
        change(test, start, end, f"not ({text[start:end]})")

    def visit(node, inside):
        if isinstance(node, ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom | ast.Assert):
            return
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            for child in node.body:
                visit(child, inside or isinstance(node, ast.FunctionDef))
            return
        if isinstance(node, ast.AnnAssign):
            if node.value:
                visit(node.value, inside)
            return
        match node:
            case ast.BinOp(left, op, right) if type(op) in OPERATORS:
                between(node, left, right, *OPERATORS[type(op)])
            case ast.AugAssign(target, op, value) if type(op) in OPERATORS:
                between(node, target, value, *(f"{sign}=" for sign in OPERATORS[type(op)]))
            case ast.BoolOp(op, values):
                for left, right in pairwise(values):
                    between(node, left, right, *BOOLEANS[type(op)])
            case ast.Compare(left, ops, comparators):
                for one, op, other in zip([left, *comparators], ops, comparators, strict=False):
                    for new in COMPARISONS[type(op)][1]:
                        between(node, one, other, COMPARISONS[type(op)][0], new)
            case ast.UnaryOp(op, operand) if isinstance(op, ast.USub | ast.Not):
                change(
                    node,
                    at(node.lineno, node.col_offset),
                    at(operand.lineno, operand.col_offset),
                    "" if isinstance(op, ast.USub) else " ",
                )
            case ast.Constant(bool() as value):
                change(node, *span(node), str(not value))
            case ast.Constant(int() as value):
                change(node, *span(node), str(value + 1))
            case ast.Constant(float() as value):
                change(node, *span(node), repr(value * 1.25 if value else 1.0))
            case ast.Name(name) if name in NAMES and isinstance(node.ctx, ast.Load):
                change(node, *span(node), NAMES[name])
            case ast.Attribute(_, name) if name in NAMES:
                end = at(node.end_lineno, node.end_col_offset)
                change(node, end - len(name), end, NAMES[name])
            case ast.If(test) | ast.IfExp(test) | ast.While(test) if not isinstance(test, ast.Compare | ast.Constant):
                negate(test)
            case ast.Break():
                change(node, *span(node), "continue")
            case ast.Continue():
                change(node, *span(node), "break")
        for child in ast.iter_child_nodes(node):
            if isinstance(node, ast.arg) or (isinstance(node, ast.arguments) and isinstance(child, ast.arg)):
                continue
            visit(child, inside)

    def span(node):
        return at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)

    visit(ast.parse(text), False)
    return sorted(set(found), key=lambda mutant: (mutant.start, mutant.end, mutant.text))


def compiles(mutant):
    """Whether the changed text is a program at all."""
    try:
        ast.parse(mutant.source())
    except SyntaxError:
        return False
    return True


def drawn(paths, number, seed):
    """`number` mutants of the files `paths`, or all if there are fewer, in the order in which `seed` draws them."""
    every = [mutant for path in sorted(paths) for mutant in mutants(path)]
    random.Random(seed).shuffle(every)
    return list(islice(filter(compiles, every), number))
