"""Every public function of the formulas occurs in the tests of its module."""

import ast
import pkgutil
from fractions import Fraction
from importlib import import_module
from inspect import isfunction, signature
from pathlib import Path

import pytest
from agreement import assert_decides, everywhere

from mnlbandits.ledger import formulas
from mnlbandits.ledger.arithmetic import BALLS, DIGITS, FLOATS

PRINTED = [
    ("adaptive", "optimal_by_score", {"factor": 2}),
    ("adaptive", "loss_gradient", {"K": 3, "share": 1}),
    ("concordance", "growth_below", {"square": 6}),
    ("concordance", "jacobian_symbolically", {"K": 4}),
    ("concordance", "third_derivative", {"K": 4}),
    ("concordance", "tilted_variance", {"K": 4}),
    ("family_steps", "averaging_below", {"base": Fraction(1, 4), "factor_square": Fraction(1, 4)}),
    ("family_steps", "cap_below", {"power": Fraction(1, 2)}),
    ("family_steps", "chi_square_above", {"factor": 1}),
    ("family_steps", "dimension_below", {"c": Fraction(1, 100)}),
    ("family_steps", "exponent_below", {"factor": 2}),
    ("family_steps", "slope_is_concordant", {"factor": 1}),
    ("family_steps", "step_four_below", {"constant": 6}),
    ("family_steps", "young_below", {"factor": 2}),
    ("information", "event_is_narrow", {"factor": 21, "gamma": 16}),
    ("kappa_star_example", "example_below", {"factor": 2}),
    ("learning", "optimism_below", {"constant": 3}),
    ("learning", "remainder_below", {"constant": 3}),
    ("learning", "second_derivative_of_mean", {"K": 4}),
    ("regret", "cost_below_norm", {"factor": 1}),
    ("variances", "mean_below_norm", {"factor": 1}),
]
"""What bounds and identities take if nothing is given: a weaker constant, or another size, would hold too, and not show."""


@pytest.mark.parametrize(("module", "name", "printed"), PRINTED)
def test_bounds_are_those_printed(module, name, printed):
    parameters = signature(getattr(import_module(f"mnlbandits.ledger.formulas.{module}"), name)).parameters
    assert {key: parameter.default for key, parameter in parameters.items()} == printed


@pytest.mark.parametrize("name", [found.name for found in pkgutil.iter_modules(formulas.__path__)])
def test_every_formula_is_tested(name):
    module = import_module(f"mnlbandits.ledger.formulas.{name}")
    own = {key for key, value in vars(module).items() if isfunction(value) and value.__module__ == module.__name__}
    tree = ast.walk(ast.parse((Path(__file__).parent / f"test_formulas_{name}.py").read_text()))
    used = {getattr(node, "id", None) or getattr(node, "attr", None) for node in tree}
    assert not {key for key in own if not key.startswith("_")} - used


DIFFERENT = [
    lambda m, x: x if m is FLOATS else x * (1 + m.number("1e-9")),
    lambda m, x: m.number(1 / 3) * x if m is DIGITS else x / 3,
    lambda m, x: m.between(0, 2 * x) if m is BALLS else x,
]
"""Floats that are off, rounding to floats in 50 digits, a ball that says little."""


@pytest.mark.parametrize("formula", DIFFERENT)
def test_what_differs_is_seen(formula):
    with pytest.raises(AssertionError):
        everywhere(formula, 1.5)


def test_parameters_without_a_wrong_value_are_seen():
    with pytest.raises(AssertionError):
        assert_decides(lambda factor=1: factor == 1)
    with pytest.raises(AssertionError):
        assert_decides(lambda factor=1: factor > 0, factor=2)
