"""The theorems of ``formal/``: a kernel accepts them, and their numbers are those of the claims of the same names."""

import inspect
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from mnlbandits.ledger.arithmetic import DIGITS, Number
from mnlbandits.ledger.claim import CLAIMS, Correction, Equality, Inequality
from mnlbandits.ledger.finding import in_digits
from mnlbandits.ledger.formal import (
    Theorem,
    Unreadable,
    assumed,
    formal_statement,
    theorem_of,
    without_comments,
)
from mnlbandits.ledger.formulas.family import largest_epsilon, shift
from mnlbandits.ledger.formulas.family_steps import chosen_eps
from mnlbandits.ledger.formulas.kappa_star_example import corner_entry
from mnlbandits.ledger.formulas.softmax import sigmoid
from mnlbandits.ledger.paper import load
from mnlbandits.ledger.paper.appendix_kappa_choice import MENDED_PAIRS
from mnlbandits.ledger.paper.appendix_kappa_star import BEST_ACTION
from mnlbandits.ledger.search import column

load()

FOLDER = Path(__file__).parents[2] / "formal"

NAMES = sorted(path.stem for path in FOLDER.glob("*.v"))

NO_NUMBERS = ("C023", "C188")
"""Theorems about functions, whose statement has no number but 0 and 1."""

AXIOMS = ("ClassicalDedekindReals", "Classical_Prop", "FunctionalExtensionality", "PrimInt63", "Uint63")
"""Where the axioms stand that a proof may use: those of Coq's real numbers and of its 63-bit integers."""

POINTS = 25

CLOSE = 1e-20
"""Relative difference, in 50 digits, below which two numbers are the same."""


def example_values(K: int, S: Number) -> dict[str, Number]:
    return {"K": K, "S": S, "m": corner_entry(DIGITS, K, S)}


def root_of_quadratic(c: Number) -> dict[str, Number]:
    """The statement is homogeneous: b = 3 for b = 1."""
    return {"b": 3.0, "c": 9 * DIGITS.number(10) ** c, "x": 3 * (1 + DIGITS.sqrt(1 + 4 * DIGITS.number(10) ** c)) / 2}


def solution(square: Number) -> dict[str, Number]:
    """b^2 (4 R + 2 nu) = 10^square with R = 1/3 and nu = 3, A + B = 1, and the largest X."""
    weight = 4 * DIGITS.number(1) / 3 + 2 * 3
    b = DIGITS.sqrt(DIGITS.number(10) ** square)
    x = (b + DIGITS.sqrt(b * b + 8)) / 4
    return {"A": 0.25, "B": 0.75, "b": b / DIGITS.sqrt(weight), "r": DIGITS.number(1) / 3, "nu": 3.0, "X": x * x}


def lowest_outcome(K: int, r: Number, **point: Number) -> dict[str, Number]:
    z = sorted(r * entry for entry in column(point, "z"))
    return {"K": K, "r": r, "z": z[0], "others": sum(DIGITS.exp(entry) for entry in z[1:])}


def family_row(K: int, d: int, share: Number) -> dict[str, Number]:
    return {"K": K, "d": d, "eps": share * largest_epsilon(DIGITS, K, d)}


def cap(K: int, d: int, surplus: Number, share: Number) -> dict[str, Number]:
    q = d * DIGITS.exp(surplus)
    return {**family_row(K, d, share), "q": q, "reg": d * DIGITS.sqrt(K) * q}


class Bridge(NamedTuple):
    """How a claim's coordinates become a theorem's variables.

    Attributes
    ----------
    values : of the variables, at a point of the claim. check : whose ratio it is, where the claim's own check is a function.
    scale : what of the two sides is compared. fixed : coordinates of the claim that are not free here; as text, another one.
    """

    values: Callable[..., Mapping[str, Number]]
    check: Inequality | None = None
    scale: Callable[[Number], Number] = DIGITS.context.mpf
    fixed: Mapping[str, object] = {}


def one_eigenvalue(b0: Number, l0: Number, **rest: Number) -> dict[str, Number]:
    return {"x": 1 + l0**2 / DIGITS.number(10) ** b0}


def step_one_root(gamma: Number, ridge: Number) -> dict[str, Number]:
    c, ridge = DIGITS.number(10) ** gamma, DIGITS.number(10) ** ridge
    b = c / DIGITS.sqrt(ridge)
    return {"gamma": c, "lambda": ridge, "y": (b + DIGITS.sqrt(b**2 + 4 * c)) / 2}


def two_levels(level: Number, gap: Number) -> dict[str, Number]:
    return {"l": level, "g": gap, "p": sigmoid(DIGITS, level), "q": sigmoid(DIGITS, level - gap)}


def choice(K: int, d: int, surplus: Number, c: Number, **fixed: int) -> dict[str, Number]:
    q = d * DIGITS.exp(surplus)
    return {"K": K, "d": d, "q": q, "c": c, "eps": chosen_eps(DIGITS, K, q, c)}


BRIDGES = {
    "C001b": Bridge(lambda u: {"u": u, "p": sigmoid(DIGITS, u)}),
    "C037": Bridge(lowest_outcome),
    "C038": Bridge(lambda z0, **rest: {"p": sigmoid(DIGITS, z0), "q": sigmoid(DIGITS, -z0)}, fixed={"K": 2, "z1": 0.0}),
    "C040": Bridge(lambda K, r: {"K": K, "r": r}, MENDED_PAIRS),
    "C043": Bridge(lambda K, S, x: {"K": K, "m": corner_entry(DIGITS, K, S), "x": x}, BEST_ACTION),
    "C046": Bridge(lambda K, S: {"K": K, "m": corner_entry(DIGITS, K, S)}),
    "C047": Bridge(example_values),
    "C048": Bridge(example_values),
    "C049": Bridge(example_values),
    "C060": Bridge(family_row),
    "C060b": Bridge(
        lambda K, d, surplus: {"c": DIGITS.number("0.01"), "K": K, "d": d, "q": d * DIGITS.exp(surplus)},
    ),
    "C065": Bridge(lambda b, gap, sign: {"b": b, "g": sign * gap}),
    "C070": Bridge(lambda constant, **point: {"r": 3, "T": 7, **family_row(**point)}),
    "C071": Bridge(lambda K, d, share: {"K": K, "u": 1 - shift(DIGITS, K), "p": sigmoid(DIGITS, 1 - shift(DIGITS, K))}),
    "C077": Bridge(lambda end, gap, side: {"b": end, "g": gap}),
    "C085b": Bridge(cap),
    "C089": Bridge(choice),
    "C090": Bridge(choice),
    "C091": Bridge(
        lambda K, d, surplus: {
            "c": DIGITS.number("0.01"),
            "K": K,
            "d": d,
            "kappa": 1.0,
            "T": (d * DIGITS.exp(surplus)) ** 2,
        },
        scale=DIGITS.log,
    ),
    "C092": Bridge(lambda c: {"c": DIGITS.number(c)}),
    "C115": Bridge(step_one_root),
    "C158b": Bridge(two_levels),
    "C163": Bridge(root_of_quadratic),
    "C164": Bridge(solution),
    "C189": Bridge(lambda y: {"y": y}),
    "C191": Bridge(one_eigenvalue, fixed={"l1": 0.0, "b1": "b0", "l2": "l0"}),
}


def source_of(name: str) -> str:
    return (FOLDER / f"{name}.v").read_text(encoding="utf-8")


def searched(name: str) -> Inequality | Equality:
    """The inequality or equality that a theorem is about: of a correction, what mends it."""
    check = BRIDGES[name].check or CLAIMS[name].check
    return check.mended if isinstance(check, Correction) else check


def points(name: str) -> list[dict[str, object]]:
    """Random points of the claim's domain, over all its cases."""
    check, fixed = searched(name), BRIDGES[name].fixed
    stream, found = np.random.default_rng(0), []
    cases = [case for case in check.cases if all(fixed.get(key, value) == value for key, value in case.items())]
    for i in range(max(POINTS, len(cases))):
        case = cases[i % len(cases)]
        box = check.box(**case) if callable(check.box) else check.box
        point = {**check.fixed, **case, **{key: float(stream.uniform(*ends)) for key, ends in box.items()}}
        point |= {key: point[value] if isinstance(value, str) else value for key, value in fixed.items()}
        found.append(in_digits(point))
    return found


def agreement(name: str, theorem: Theorem, point: Mapping[str, object], **printed: object) -> Number:
    """How far left/right of a theorem is from the ratio of its claim, relative; of an equality, from a difference of 0."""
    bridge = BRIDGES[name]
    claimed = searched(name).ratio(DIGITS, **{**point, **printed})
    left, right = (bridge.scale(side) for side in theorem.sides(DIGITS, bridge.values(**point)))
    if theorem.conclusion.relation == "=":
        return abs(abs(left / right - 1) - claimed)
    return abs(left / right / claimed - 1)


def on_the_way(name: str) -> None:
    """Leave a test out whose claim is not in the ledger."""
    if name not in CLAIMS:
        pytest.skip(f"the ledger has no {name}")


def test_theorems_and_claims_name_each_other():
    assert set(NAMES) == {*BRIDGES, *NO_NUMBERS}
    assert {entry.id: entry.formal for entry in CLAIMS.values() if entry.formal} == {name: name for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_accepts_it(name, tmp_path):
    source = source_of(name)
    assert assumed(source) == []
    assert source.startswith(f"(* Claim {name}, ")
    code = without_comments(source)
    assert code.count("Qed.") == code.count("Theorem ") + code.count("Lemma ") == code.count("Proof.")
    if shutil.which("coqc") is None:
        pytest.skip("there is no coqc on this machine (Debian: coq and libcoq-interval)")
    asked = "".join(f"Print Assumptions {theorem}.\n" for theorem in re.findall(r"Theorem (\w+)", code))
    (tmp_path / f"{name}.v").write_text(source + asked, encoding="utf-8")
    command = ["coqc", "-q", "-noglob", "-w", "none", f"{name}.v"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert set(re.findall(r"^(\w+)\.\w+", run.stdout, flags=re.MULTILINE)) <= set(AXIOMS)


@pytest.mark.parametrize("name", sorted(BRIDGES))
def test_what_is_corrected_is_refuted_too(name):
    on_the_way(name)
    assert isinstance(CLAIMS[name].check, Correction) <= (f"Theorem {name}_printed :" in source_of(name))


@pytest.mark.parametrize("name", sorted(BRIDGES))
def test_its_numbers_are_the_claims(name):
    on_the_way(name)
    theorem = theorem_of(formal_statement(FOLDER, name))
    for point in points(name):
        values = BRIDGES[name].values(**point)
        assert set(values) == set(theorem.variables)
        assert theorem.applies(DIGITS, values)
        assert theorem.conclusion.holds(DIGITS, values)
        assert agreement(name, theorem, point) < CLOSE, (name, point)


@pytest.mark.parametrize("name", sorted(BRIDGES))
def test_another_constant_in_the_theorem_is_noticed(name):
    """Every numeral of the conclusion, each alone: an exponent one larger, any other number a tenth smaller."""
    on_the_way(name)
    statement = formal_statement(FOLDER, name)
    start = max(statement.rfind("->"), statement.find(","))
    for numeral in re.finditer(r"(?<![\w.])\d+(?![\w.])", statement[start:]):
        place = start + numeral.start()
        other = int(numeral[0]) + 1 if statement[:place].endswith("^ ") else int(numeral[0]) * 9 / 10
        changed = f"{statement[:place]}{other}{statement[start + numeral.end() :]}"
        theorem = theorem_of(changed)
        assert max(agreement(name, theorem, point) for point in points(name)) > CLOSE, changed


@pytest.mark.parametrize("name", sorted(BRIDGES))
def test_another_constant_in_the_claim_is_noticed(name):
    on_the_way(name)
    theorem = theorem_of(formal_statement(FOLDER, name))
    check = searched(name)
    taken = inspect.signature(check.ratio).parameters
    planted = {key.removeprefix("mended_"): value for key, value in CLAIMS[name].planted.items()}
    changed = [{key: value} for key, value in planted.items() if key in taken and check.fixed.get(key) != value]
    if isinstance(CLAIMS[name].check, Correction) and check.fixed:
        changed.append({key: taken[key].default for key in check.fixed})
    if not changed:
        pytest.skip("the planted error of this claim is in its range, not in its ratio")
    for printed in changed:
        assert max(agreement(name, theorem, point, **printed) for point in points(name)) > CLOSE, printed


@pytest.mark.parametrize("name", NO_NUMBERS)
def test_a_theorem_about_functions_has_no_numbers(name):
    statement = formal_statement(FOLDER, name)
    assert set(re.findall(r"(?<!\w)\d+", statement)) <= {"0", "1"}
    with pytest.raises(Unreadable):
        theorem_of(statement)
