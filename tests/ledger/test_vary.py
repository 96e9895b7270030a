"""Claims with other constants than the paper prints."""

from fractions import Fraction

import pytest

from mnlbandits.errors import InputError
from mnlbandits.ledger.claim import CLAIMS
from mnlbandits.ledger.paper import load
from mnlbandits.ledger.vary import assignments, constants_of

load()


@pytest.mark.parametrize("id", CLAIMS)
def test_what_is_planted_is_among_the_constants_of_a_claim(id):
    assert set(CLAIMS[id].planted) <= set(constants_of(id))


def test_values_are_read_as_numbers():
    given = assignments("C122", ["tau_constant=10000"])
    assert given == {"tau_constant": 10000}
    kinds = ["tau_constant=1e4", "tau_constant=1/3", "tau_constant=true"]
    values = [assignments("C122", [text])["tau_constant"] for text in kinds]
    assert values == [1e4, Fraction(1, 3), True]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tau_constant", "name=value"),
        ("tau_constan=3", r"tau_constant \(printed: 112896\)"),
        ("tau_constant=much", "a number"),
        ("tau_constant=1/0", "a number"),
    ],
)
def test_what_is_no_constant_or_value_is_named(text, words):
    with pytest.raises(InputError, match=words):
        assignments("C122", [text])
