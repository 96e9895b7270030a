"""Every public function of the formulas occurs in the tests of its module."""

import ast
import pkgutil
from importlib import import_module
from inspect import isfunction
from pathlib import Path

import pytest

from mnlbandits.ledger import formulas


@pytest.mark.parametrize("name", [found.name for found in pkgutil.iter_modules(formulas.__path__)])
def test_every_formula_is_tested(name):
    module = import_module(f"mnlbandits.ledger.formulas.{name}")
    own = {key for key, value in vars(module).items() if isfunction(value) and value.__module__ == module.__name__}
    tree = ast.walk(ast.parse((Path(__file__).parent / f"test_formulas_{name}.py").read_text()))
    used = {getattr(node, "id", None) or getattr(node, "attr", None) for node in tree}
    assert not {key for key in own if not key.startswith("_")} - used
