"""What reads Coq's statements: precedences, chains, and that it refuses what it does not know."""

import pytest

from mnlbandits.ledger.arithmetic import DIGITS, FLOATS
from mnlbandits.ledger.formal import FORBIDDEN, Unreadable, assumed, statement_of, theorem_of


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3 * 4", 14),
        ("2 - 3 - 4", -5),
        ("2 / 4 / 2", 0.25),
        ("- 2 ^ 2", -4),
        ("(- 2) ^ 2", 4),
        ("- x / 2", -1.5),
        ("/ x * 3", 1),
        ("exp (- x) * exp x", 1),
        ("sqrt 2 ^ 2 + ln (exp 1)", 3),
        ("Rabs (x - 10) + cosh 0", 8),
        ("0.5 * x", 1.5),
    ],
)
def test_expressions(text, value):
    theorem = theorem_of(f"forall x y : R, 0 < x -> y <= {text}")
    for m in (FLOATS, DIGITS):
        left, right = theorem.sides(m, {"x": m.number(3), "y": m.number(-9)})
        assert (float(left), float(right)) == (-9, pytest.approx(value))
        assert theorem.applies(m, {"x": m.number(3), "y": m.number(0)})
        assert not theorem.applies(m, {"x": m.number(-3), "y": m.number(0)})


def test_chains_and_arrows():
    theorem = theorem_of("forall x y z : R, 0 <= x <= 1 -> y = x -> z > y")
    assert theorem.variables == ("x", "y", "z")
    assert [comparison.relation for comparison in theorem.hypotheses] == ["<=", "<=", "="]
    assert theorem.conclusion.relation == ">"
    assert theorem.conclusion.holds(FLOATS, {"x": 0.5, "y": 0.5, "z": 0.6})
    assert not theorem.conclusion.holds(FLOATS, {"x": 0.5, "y": 0.5, "z": 0.4})
    assert not theorem.applies(FLOATS, {"x": 0.5, "y": 0.4, "z": 0.6})


@pytest.mark.parametrize(
    "statement",
    [
        "exists x : R, x = 0",
        "forall x : R, x <= y",
        "forall x : R, x",
        "forall x : R, x ^ x <= 1",
        "forall x : R, sin x <= 1",
        "forall x : R, (x <= 1",
        "forall x : R, x <= 1 /\\ x <= 2",
    ],
)
def test_what_it_does_not_read_it_refuses(statement):
    with pytest.raises(Unreadable):
        theorem_of(statement)


def test_comments_are_no_statements():
    source = "(* Theorem A : 0 = 1. Proof. *) Theorem A :\n  forall x : R,\n  x <= 1.\nProof. (* admit *) Admitted."
    assert statement_of(source, "A") == "forall x : R, x <= 1"
    assert assumed(source) == ["Admitted"]
    assert "admit" in FORBIDDEN
    with pytest.raises(Unreadable):
        statement_of(source, "B")
