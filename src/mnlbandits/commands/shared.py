"""What several commands do: make the instance that options describe, and print a record."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mnlbandits.commands.json_text import as_json_text
from mnlbandits.commands.options import FAMILY
from mnlbandits.errors import InputError
from mnlbandits.instances import FAMILIES, Instance, make_instance, read_instance


def instance_of(options: argparse.Namespace) -> Instance:
    """The instance that the options describe."""
    given = {key: getattr(options, key) for key in (*FAMILY, "instance_seed")}
    given = {key: value for key, value in given.items() if value is not None}
    if options.instance not in FAMILIES and options.instance.endswith((".json", ".npz")):
        if given:
            raise InputError(next(iter(given)), next(iter(given.values())), "left out, as the instance comes from a file")
        return read_instance(options.instance)
    if options.instance not in FAMILIES:
        raise InputError("instance", options.instance, "a .json or .npz file, or one of " + ", ".join(sorted(FAMILIES)))
    parameters = {key.removeprefix("instance_"): value for key, value in given.items()}
    with seed_by_its_option():
        return make_instance(options.instance, options.instance, parameters)


@contextmanager
def seed_by_its_option() -> Iterator[None]:
    """An error about the seed of an instance has the name of the option for it: ``--seed`` is that of what is played."""
    try:
        yield
    except InputError as error:
        if error.field == "seed":
            raise InputError("instance_seed", error.value, error.allowed) from None
        raise


HORIZON = 10**6
"""T of `with_exploration`."""


def with_exploration(instance: Instance) -> dict[str, Any]:
    """The constants of an instance, and `tau`: the most rounds that REAL explores there at T = `HORIZON`, delta = 0.05."""
    from mnlbandits.algorithms.real_constants import constants  # slow to import, and not all commands need it

    return instance.constants | {"tau": constants(instance.problem(HORIZON, 0.05)).tau}


def show(record: dict[str, Any], as_json: bool) -> None:
    """Print a record, as JSON or as aligned lines."""
    if as_json:
        print(as_json_text(record))
        return
    width = max(len(key) for key in record)
    for key, value in record.items():
        print(f"{key:<{width}}  {value}")
