"""Instance files that are NPZ, or JSON that names tables or labelled data; malformed ones of each kind."""

import json
import re
import zipfile
from contextlib import chdir, suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnlbandits.errors import InputError
from mnlbandits.instances import files, files_of, fit_instance, make_instance, read_instance, tables, write_instance

THETA, ARMS, REWARDS = [[0.5, 0.0], [-0.5, 0.25], [0.0, -0.25]], [[1.0, 0.0], [0.0, 0.5]], [1.0, 0.0, 0.5]
GOOD = {"name": "shop", "theta": THETA, "arms": ARMS, "rewards": REWARDS, "norm_bound": 1.0}

ARMS_CSV = "price,size\n1,0\n0,0.5\n"


def same(a, b):
    for key in ("theta", "arms", "rewards"):
        assert getattr(a, key).tobytes() == getattr(b, key).tobytes()
    for key in ("name", "family", "parameters", "norm_bound", "convention", "discretisation_error", "actions", "constants"):
        assert getattr(a, key) == getattr(b, key)
    assert (a.standard_errors is None) == (b.standard_errors is None)


@pytest.fixture
def shop(tmp_path):
    """Write a JSON instance file with some fields replaced, and tables beside it; its path."""

    def write(tables=None, **changes):
        for name, content in (tables or {}).items():
            path = tmp_path / name
            if isinstance(content, dict):
                np.savez(path, **content)
            elif isinstance(content, pd.DataFrame):
                content.to_parquet(path)
            else:
                path.write_bytes(content if isinstance(content, bytes) else content.encode())
        path = tmp_path / "shop.json"
        path.write_text(json.dumps({key: value for key, value in (GOOD | changes).items() if value is not None}))
        return path

    return write


def error_of(path):
    with pytest.raises(InputError) as caught:
        read_instance(path)
    assert "\n" not in str(caught.value)
    return caught.value


# NPZ.


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        ("large-kappa-star", {"outcomes": 4, "dim": 3, "convention": "rows"}),
        ("random", {"actions": {"name": "random-subsets", "size": 2}}),
        ("data", {"arms": 8}),
    ],
)
def test_npz_holds_all_that_json_does(tmp_path, family, parameters):
    instance = make_instance("näme", family, parameters)
    write_instance(instance, tmp_path / "a.npz")
    write_instance(instance, tmp_path / "a.json")
    same(read_instance(tmp_path / "a.npz"), read_instance(tmp_path / "a.json"))
    write_instance(read_instance(tmp_path / "a.npz"), tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_npz_of_ones_own(tmp_path):
    path = tmp_path / "mine.npz"
    numbers = {"theta": THETA, "arms": np.array(ARMS, dtype=np.float32), "rewards": [1, 0, 0.5], "norm_bound": 1}
    np.savez(path, **numbers, actions="list")
    instance = read_instance(path)
    assert instance.name == "mine"
    assert instance.arms.tolist() == ARMS
    np.savez_compressed(path, **numbers, name="other", actions=json.dumps({"name": "random-subsets", "size": 1}))
    assert (read_instance(path).name, read_instance(path).actions.size) == ("other", 1)
    assert files_of(path) == [str(path)]


class Trap:
    """What a pickle would run."""

    def __reduce__(self):
        return (exit, ())


NPZ = {"theta": THETA, "arms": ARMS, "rewards": REWARDS, "norm_bound": 1.0}


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("theta", {"theta": None}),
        (".theta", {"theta": [["a", "b"]]}),
        (".arms", {"arms": [1.0, 2.0]}),
        (".rewards", {"rewards": [[1.0], [2.0], [3.0]]}),
        (".rewards", {"rewards": [1.0, np.nan, 3.0]}),
        (".rewards", {"rewards": [1j, 2.0, 3.0]}),
        (".norm_bound", {"norm_bound": [1.0]}),
        (".norm_bound", {"norm_bound": "1.0"}),
        (".norm_bound", {"norm_bound": True}),
        (".name", {"name": ["a", "b"]}),
        (".actions.name", {"actions": "speres"}),
        (".parameters", {"parameters": "3"}),
        (".constants", {"constants": "3"}),
        (".constants.kappa", {"constants": '{"kappa": 1.0}'}),
        (".convention", {"convention": 1}),
        (".weights", {"weights": [1.0]}),
        ("instance", {"parameters": "{"}),
        ("instance", {"arms": np.array([Trap()], dtype=object)}),
    ],
)
def test_npz_that_is_wrong_names_file_and_field(tmp_path, field, changes):
    path = tmp_path / "mine.npz"
    np.savez(path, **{key: value for key, value in (NPZ | changes).items() if value is not None})
    error = error_of(path)
    assert error.field.endswith(field)
    assert str(path) in str(error)


def test_npz_that_is_none(tmp_path):
    path = tmp_path / "mine.npz"
    for content in (b"", b"PK", b"{}", b"\x80\x04K\x01.", b"PK\x05\x06" + bytes(18)):
        path.write_bytes(content)
        assert str(path) in str(error_of(path))
    with path.open("wb") as handle:
        np.save(handle, np.eye(2))
    assert "array without a name" in str(error_of(path))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("theta", "text")
    assert error_of(path).field.startswith(str(path))
    path.unlink()
    assert "No such file" in str(error_of(path))
    path.mkdir()
    assert "Is a directory" in str(error_of(path))


@settings(derandomize=True, max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_garbled_npz_is_read_as_it_was_or_is_an_error(tmp_path, data):
    path = tmp_path / "mine.npz"
    np.savez_compressed(path, **NPZ)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(1, len(content)))])
    with suppress(InputError):
        read_instance(path)


# JSON that names tables.


def everything_in_tables(suffix):
    if suffix == "npz":
        return {f"{key}.npz": {key: GOOD[key]} for key in ("theta", "arms", "rewards")}
    if suffix == "parquet":
        return {
            "theta.parquet": pd.DataFrame(THETA, columns=["price", "size"], index=pd.Index(["a", "b", "c"], name="outcome")),
            "arms.parquet": pd.DataFrame(ARMS, columns=["price", "size"]),
            "rewards.parquet": pd.DataFrame({"outcome": list("abc"), "reward": REWARDS}),
        }
    return {
        "theta.csv": "outcome,price,size\na,0.5,0\nb,-.5,.25\nc,0,-0.25\n",
        "arms.csv": "arm,price,size\nred shoe,1,0\n\"a, hat\",0,5e-1\n",
        "rewards.csv": "1\n0\n0.5\n",
    }  # fmt: skip


@pytest.mark.parametrize("suffix", ["csv", "parquet", "npz"])
def test_tables_in_place_of_numbers(shop, suffix):
    path = shop(everything_in_tables(suffix), **{key: f"{key}.{suffix}" for key in ("theta", "arms", "rewards")})
    same(read_instance(path), read_instance(shop()))


def test_tables_are_relative_to_the_file_that_names_them(shop, tmp_path, monkeypatch):
    (tmp_path / "tables").mkdir()
    (tmp_path / "elsewhere").mkdir()
    path = shop({"tables/arms.csv": ARMS_CSV}, arms="tables/arms.csv", rewards="tables/arms.csv")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert files_of(path) == [str(path), str(tmp_path / "tables" / "arms.csv")]
    assert read_instance(shop(arms=str(tmp_path / "tables" / "arms.csv"))).arms.tolist() == ARMS
    monkeypatch.chdir(tmp_path)
    assert files_of("shop.json") == ["shop.json", str(tmp_path / "tables" / "arms.csv")]


@pytest.mark.parametrize(
    "text",
    [
        "1,0\n0,0.5\n",
        "\ufeffprice,size\r\n1,0\r\n0,0.5\r\n",
        " price , size \n 1, 0\n\n0 ,0.5",
        "arm,price,size\nNA,1,0\n7,0,0.5\n",
    ],
)
def test_ways_to_write_a_csv(shop, text):
    assert read_instance(shop({"arms.csv": text}, arms="arms.csv")).arms.tolist() == ARMS


def test_numbers_of_a_csv_are_read_to_the_last_bit(shop):
    values = np.random.default_rng(1).normal(size=(200, 2)) / 10  # a test's own numbers
    path = shop({"arms.csv": "".join(f"{a!r},{b!r}\n" for a, b in values.tolist())}, arms="arms.csv")
    assert read_instance(path).arms.tobytes() == values.tobytes()


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("arms", "", "No columns"),
        ("arms", "price,size\n", "a row below its names"),
        ("arms", "price,size\n1,0\n0,x\n", "got 'x', must be a finite number in row 2, column size of table.csv"),
        (
            "arms",
            "price,size\n1,\n0,\n",
            "got nothing, must be a finite number in row 1, column size of table.csv, and 1 more",
        ),
        ("arms", "price,size\n1,nan\n", "got nothing"),
        ("arms", "price,size\n1,inf\n", "got 'inf'"),
        ("arms", "price,size\n1,1_0\n", "got '1_0'"),
        ("arms", "price,size\n1\n", "got nothing"),
        ("arms", "price,size\n1,0\n1,0,0\n", "Expected 2 fields in line 3, saw 3"),
        ("arms", "shoe,1,0\nhat,0,0.5\n", "got 'shoe', must be a number, or row 1 of table.csv one of names alone"),
        ("arms", "price,price\n1,0\n", "different names, and not one like 'price'"),
        ("arms", "price;size\n1;0\n", "commas between cells and points in numbers, and it has semicolons"),
        ("arms", "arm\nshoe\nhat\n", "of shape (N, 2)"),
        ("arms", "price,size,age\n1,0,0\n", "of shape (N, 2)"),
        ("arms", "3,0\n0,1\n", "norm <= 1"),
        ("arms", b"price,gr\xf6\xdfe\n1,0\n", "utf-8"),
        ("theta", "1,0\n0,1\n0,0\n", "at least the frobenius norm"),
        ("rewards", "1,2\n3,4\n", "a table of one column or one row, not 2 x 2"),
        ("rewards", "1,0\n", "3 numbers"),
        ("standard_errors", "1,0\n", "of theta's shape"),
    ],
)
def test_tables_that_are_wrong(shop, field, text, said):
    path = shop({"table.csv": text}, **{field: "table.csv"})
    error = error_of(path)
    assert error.field == f"{path}.{'norm_bound' if 'frobenius' in said else field}"
    assert said in str(error)


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("arms.parquet", b"", "readable table"),
        ("arms.parquet", b"PAR1" + bytes(40), "readable table"),
        ("arms.parquet", pd.DataFrame({"a": ["x"], "b": [1.0]}), "got 'x', must be a finite number in row 1, column a"),
        ("arms.parquet", pd.DataFrame({"a": [1.0, None], "b": [1, 2]}), "got nothing, must be a finite number in row 2"),
        ("arms.parquet", pd.DataFrame({"a": pd.to_datetime(["2026-01-01"])}), "a finite number"),
        ("arms.npz", {"theta": ARMS}, "an array called arms"),
        ("arms.npz", {"arms": np.array([Trap()], dtype=object)}, "Object arrays cannot be loaded"),
        ("arms.npz", b"PK", "a readable NPZ file"),
        ("arms.xlsx", b"", "numbers, or the path of a table, .csv, .parquet or .npz"),
        ("arms", b"", "numbers, or the path of a table"),
    ],
)
def test_other_tables_that_are_wrong(shop, file, content, said):
    path = shop({file: content}, arms=file)
    error = error_of(path)
    assert error.field == f"{path}.arms"
    assert said in str(error)


@pytest.mark.parametrize("suffix", ["csv", "parquet", "npz"])
def test_a_table_that_is_missing(shop, suffix):
    error = error_of(shop(arms=f"nowhere.{suffix}"))
    assert error.field.endswith("shop.json.arms")
    assert "No such file" in str(error)


ANY_CSV = st.one_of(st.binary(max_size=60), st.text('0123456789.,-e\n"; aNx\r\t', max_size=60).map(str.encode))


@settings(derandomize=True, max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ANY_CSV, st.sampled_from(["arms", "theta", "rewards"]))
def test_any_csv_is_read_or_is_an_error_of_one_line(shop, content, field):
    path = shop({"table.csv": content}, **{field: "table.csv"})
    try:
        read_instance(path)
    except InputError:
        assert "\n" not in str(error_of(path))


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(derandomize=True, max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from([*files.FIELDS, "constants", "fit"]), ANY_JSON)
def test_any_value_of_a_field_is_read_or_is_an_error_that_names_the_file(shop, field, value):
    path = shop(**{field: value})
    with suppress(InputError):
        files_of(path)
        read_instance(path)


def test_columns_of_theta_in_another_order_than_those_of_arms(shop):
    swapped = "size,price\n0,0.5\n.25,-.5\n-0.25,0\n"
    error = error_of(shop({"arms.csv": ARMS_CSV, "theta.csv": swapped}, arms="arms.csv", theta="theta.csv"))
    assert error.field.endswith(".theta")
    assert "price, size" in str(error)


def test_files_that_would_not_fit_into_memory(shop, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "LARGEST", 1000)
    many = "0.5,0.5\n" * 200
    for file, content in (
        ("arms.csv", many),
        ("arms.parquet", pd.DataFrame(np.zeros((200, 2)))),
        ("arms.npz", {"arms": np.zeros((200, 2))}),
    ):
        path = shop({file: content}, arms=file)
        error = error_of(path)
        assert (error.field, error.value) == (f"{path}.arms", str(tmp_path / file))
        assert "for memory" in str(error)
    assert "for memory" in str(error_of(shop(arms=[[0.5, 0.5]] * 200)))
    np.savez_compressed(tmp_path / "big.npz", **NPZ, weights=np.zeros(10**4))
    assert (tmp_path / "big.npz").stat().st_size < 2000
    assert "for memory" in str(error_of(tmp_path / "big.npz"))


def test_memory_that_does_not_suffice_is_said(shop, monkeypatch):
    def exhausted(text, **options):
        raise MemoryError

    path = shop()
    monkeypatch.setattr("mnlbandits.instances.files.json.loads", exhausted)
    assert str(error_of(path)).endswith("must be a file that fits into memory")


def test_json_with_a_field_given_twice(shop):
    path = shop()
    path.write_text(path.read_text().replace('"norm_bound"', '"norm_bound": 3.0, "norm_bound"'))
    assert "norm_bound is given twice" in str(error_of(path))


def test_json_with_a_byte_order_mark(shop):
    path = shop()
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_instance(path).name == "shop"


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_table_alone_is_no_instance(tmp_path, suffix):
    path = tmp_path / f"arms.{suffix}"
    assert f'"arms": "arms.{suffix}"' in str(error_of(path))


# JSON that names labelled data.


VISITS = "price,choice\n" + "".join(f"{price},{choice}\n" for price in (1, 2, 3) for choice in ("buy", "leave", "buy"))
VISITS += "1,leave\n2,leave\n3,leave\n3,leave\n"


def without_numbers(**changes):
    return {"theta": None, "arms": None, "rewards": None, "norm_bound": None} | changes


def test_labelled_data_in_place_of_theta(shop, tmp_path):
    fit = {"data": "visits.csv", "outcome": "choice", "rewards": {"buy": 1, "leave": 0}, "bound": 1.5}
    path = shop({"visits.csv": VISITS}, **without_numbers(fit=fit))
    same(read_instance(path), fit_instance("shop", tmp_path / "visits.csv", "choice", rewards=[1, 0], bound=1.5))
    assert files_of(path) == [str(path), str(tmp_path / "visits.csv")]
    subsets = {"name": "random-subsets", "size": 2}
    assert read_instance(shop(**without_numbers(fit=fit, actions=subsets))).actions.size == 2


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("fit", {"fit": "visits.csv"}),
        ("fit.data", {"fit": {"outcome": "choice"}}),
        ("fit.data", {"fit": {"data": 3, "outcome": "choice"}}),
        ("fit.data", {"fit": {"data": "nowhere.csv", "outcome": "choice"}}),
        ("fit.outcome", {"fit": {"data": "visits.csv"}}),
        ("fit.outcome", {"fit": {"data": "visits.csv", "outcome": "choise"}}),
        ("fit.rewards", {"fit": {"data": "visits.csv", "outcome": "choice"}}),
        ("fit.reward", {"fit": {"data": "visits.csv", "outcome": "choice", "reward": [1, 0]}}),
        ("theta", {"theta": THETA}),
        ("actions.name", {"actions": "speres"}),
        ("name", {"name": ""}),
        ("name", {"name": None}),
        ("constants.kappa", {"constants": {"kappa": 1.0}}),
    ],
)
def test_labelled_data_that_are_wrong(shop, field, changes):
    fit = {"data": "visits.csv", "outcome": "choice", "rewards": [1, 0]}
    path = shop({"visits.csv": VISITS}, **without_numbers(**{"fit": fit} | changes))
    assert error_of(path).field == f"{path}.{field}"


def test_the_examples_of_the_documentation(tmp_path):
    """The numbers, the tables and the arrays of the page are one instance."""
    text = (Path(__file__).parents[2] / "docs" / "instances.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    numbers, named, fit = (block for language, block in blocks if language == "json")
    arms, theta, visits, _ = (block for language, block in blocks if not language)
    for name, content in {"a.json": numbers, "b.json": named, "c.json": fit, "arms.csv": arms, "theta.csv": theta}.items():
        (tmp_path / name).write_text(content)
    same(read_instance(tmp_path / "a.json"), read_instance(tmp_path / "b.json"))
    (tmp_path / "visits.csv").write_text(visits + "1,40,leave\n2,50,buy\n4,33,leave\n1.7,60,buy\n2.5,45,leave\n3.5,52,buy\n")
    assert read_instance(tmp_path / "c.json").parameters["features"] == ["price", "age"]
    (code,) = (block for language, block in blocks if language == "python")
    with chdir(tmp_path):
        exec(code, {})
    assert read_instance(tmp_path / "shop.npz").theta.tolist() == read_instance(tmp_path / "a.json").theta.tolist()
