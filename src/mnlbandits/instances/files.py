"""Instance files: JSON, which may name tables (CSV, Parquet, NPZ) or labelled data for its numbers, or NPZ alone.

``docs/instances.md`` has an example of each. Nothing of a file is ever unpickled.
"""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mnlbandits.errors import NOTHING, InputError, is_number, require_known_keys
from mnlbandits.files import write_atomic
from mnlbandits.instances.action_sets import action_sets_record
from mnlbandits.instances.fit import fit_instance
from mnlbandits.instances.instance import Instance
from mnlbandits.instances.tables import matrix_of_table, open_npz, reading, within_memory

AGREEMENT = 1e-6
"""Relative difference that stored constants may have to computed ones."""

FIELDS = (
    "name",
    "family",
    "parameters",
    "theta",
    "arms",
    "rewards",
    "norm_bound",
    "convention",
    "discretisation_error",
    "actions",
    "standard_errors",
)

REQUIRED = ("name", "theta", "arms", "rewards", "norm_bound")

ARRAYS = {"theta": 2, "arms": 2, "rewards": 1, "standard_errors": 2}
"""Fields that hold numbers, with their axes: in place of them a JSON file may give the path of a table."""

MAPPINGS = ("parameters", "actions", "constants")
"""Fields that NPZ holds as JSON text."""


def write_instance(instance: Instance, path: Path | str) -> None:
    """Write an instance and its constants, as NPZ if the path ends in ``.npz``, else as JSON.

    Floats are written so that they are read back unchanged.
    """
    record = {key: value for key in FIELDS if (value := getattr(instance, key)) is not None}
    record |= {"actions": action_sets_record(instance.actions), "constants": instance.constants}
    if Path(path).suffix == ".npz":
        arrays = {key: json.dumps(value) if key in MAPPINGS else value for key, value in record.items()}
        write_atomic(path, lambda handle: np.savez(handle, **arrays))
        return
    text = json.dumps(record, indent=1, default=lambda array: array.tolist())
    write_atomic(path, lambda handle: handle.write(text.encode() + b"\n"))


def read_instance(path: Path | str) -> Instance:
    """Read an instance file, ``.npz`` or JSON. Constants are computed; those that it stores must agree with them.

    Parameters
    ----------
    path : path or str
        The file; tables that it names are relative to it.

    Returns
    -------
    Instance

    Raises
    ------
    InputError
        The file or one that it names is missing, too large or not readable, lacks a field or holds an unknown one, or a
        value is not allowed.

    Examples
    --------
    >>> import json
    >>> from mnlbandits import read_instance
    >>> shop = {"name": "shop", "theta": [[1, 0], [0, 1]], "arms": [[0.6, 0], [0, 0.8]], "rewards": [0, 1], "norm_bound": 1}
    >>> with open("shop.json", "w") as file:
    ...     json.dump(shop, file)
    >>> read_instance("shop.json").dim
    2
    """
    record = read_npz(path) if Path(path).suffix == ".npz" else read_json(path)
    stored = record.pop("constants", None)
    try:
        instance = fitted_instance(record, Path(path)) if "fit" in record else given_instance(record, Path(path))
        if stored is not None:
            check_constants(stored, instance)
    except InputError as error:
        raise InputError(f"{path}.{error.field}", error.value, error.allowed) from None
    return instance


def files_of(path: Path | str) -> list[str]:
    """An instance file and the files that it names, those as seen from where `path` is: all that the instance depends on.

    Raises
    ------
    InputError : the file cannot be read.
    """
    path = Path(path)
    if path.suffix == ".npz":
        return [str(path)]
    record = read_json(path)
    fit = record.get("fit")
    named = [record.get(key) for key in ARRAYS] + [fit.get("data") if isinstance(fit, Mapping) else None]
    return [str(path), *dict.fromkeys(str(path.parent / each) for each in named if isinstance(each, str))]


def given_instance(record: Mapping[str, Any], path: Path) -> Instance:
    """The instance of a file that holds theta or names a table of it."""
    require_known_keys_here(record, FIELDS)
    for key in REQUIRED:
        if key not in record:
            raise InputError(key, NOTHING, "given")
    tables = {
        key: matrix_of_table(key, path.parent, record[key], axes)
        for key, axes in ARRAYS.items()
        if isinstance(record.get(key), str)
    }
    named = {key: table.names for key, table in tables.items() if table.names and key != "rewards"}
    if "arms" in named and named.get("theta", named["arms"]) != named["arms"]:
        raise InputError("theta", record["theta"], f"a table with the columns of arms in order: {', '.join(named['arms'])}")
    return Instance(**{**record, **{key: table.values for key, table in tables.items()}})


def fitted_instance(record: Mapping[str, Any], path: Path) -> Instance:
    """The instance of a file that names labelled data to fit theta to."""
    require_known_keys_here(record, ("name", "fit", "actions"))
    options, known = record["fit"], ("data", "outcome", "rewards", "features", "bound", "arms", "seed", "convention")
    if not isinstance(options, Mapping):
        raise InputError("fit", options, "a mapping with data and outcome")
    require_known_keys("fit", options, known)
    for field, values in (("name", record), ("data", options), ("outcome", options)):
        if field not in values:
            raise InputError(field if values is record else f"fit.{field}", NOTHING, "given")
    if not isinstance(options["data"], str):
        raise InputError("fit.data", options["data"], "text, the path of a table")
    try:
        given = {key: value for key, value in options.items() if key != "data"}
        extra = {"actions": record["actions"]} if "actions" in record else {}
        return fit_instance(record["name"], path.parent / options["data"], **given, **extra)
    except InputError as error:
        inside = error.field if error.field.split(".")[0] in ("name", "actions") else f"fit.{error.field}"
        raise InputError(inside, error.value, error.allowed) from None


def require_known_keys_here(record: Mapping[str, Any], known: tuple[str, ...]) -> None:
    """Raise for the first key of a file that it does not know."""
    for key in record:
        if key not in known:
            raise InputError(key, key, "one of " + ", ".join(sorted(known)))


def read_json(path: Path | str) -> dict[str, Any]:
    """The mapping that a JSON file holds."""
    if Path(path).suffix in (".csv", ".parquet"):
        raise InputError("instance", str(path), f'a .json or .npz file; one in JSON may say "arms": "{Path(path).name}"')
    with reading("instance", path, "JSON file of an instance"):
        within_memory("instance", path)
        record = json.loads(Path(path).read_text(encoding="utf-8-sig"), object_pairs_hook=without_twins)
    if not isinstance(record, dict):
        raise InputError("instance", str(path), "a file that holds a JSON object")
    return record


def without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping of these pairs; JSON lets a key be given twice, and the last of them win."""
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError(f"{next(key for key in record if sum(key == other for other, _ in pairs) > 1)} is given twice")
    return record


def read_npz(path: Path | str) -> dict[str, Any]:
    """The mapping that an NPZ file holds; without a name it has that of the file."""
    record: dict[str, Any] = {"name": Path(path).stem}
    with reading("instance", path, "NPZ file of an instance"), open_npz("instance", path) as data:
        for key in data.files:
            value = np.asarray(data[key])
            if key not in ARRAYS and value.ndim == 0:
                value = value.item()
            record[key] = json.loads(value) if key in MAPPINGS and str(value).startswith("{") else value
    return record


def check_constants(stored: Any, instance: Instance) -> None:
    """Raise `InputError` for a stored constant that is not the instance's, up to `AGREEMENT`.

    The gap, a difference of mean rewards, and nu, which it divides, have the error of those in addition.
    """
    if not isinstance(stored, dict):
        raise InputError("constants", stored, "a mapping, or left out")
    computed = instance.constants
    require_known_keys("constants", stored, computed)
    blur = 1e-14 * computed["R"] / computed["gap"]
    for key, value in stored.items():
        right, within = computed[key], AGREEMENT + (blur if key in ("gap", "nu") else 0.0)
        if value != right if math.isinf(right) else not is_number(value) or not math.isclose(value, right, rel_tol=within):
            allowed = f"{right}, as computed from theta, arms, rewards and norm_bound, or the block left out"
            raise InputError(f"constants.{key}", value, allowed)
