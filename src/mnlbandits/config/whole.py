"""The config of a build by its files, as the workflow reads it."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mnlbandits.config.catalogue import expand_algorithms
from mnlbandits.config.check import check_config
from mnlbandits.config.layers import compose
from mnlbandits.config.yaml_file import read_config
from mnlbandits.errors import NOTHING, InputError
from mnlbandits.sources import PACKAGE

SCHEMA = Path("workflow", "schemas", "config.schema.yaml")
"""Where a checkout has the schema of all configs."""

CHECKOUT = PACKAGE.parents[1]
"""Where the workflow lies, if the package is that of a checkout."""


def checked(layers: Iterable[tuple[Path, Mapping[str, Any]]], checkout: Path) -> dict[str, Any]:
    """The config that layers make, see `mnlbandits.config.compose`, with all labels of algorithms, by a checkout's schema.

    Raises
    ------
    InputError : it is not allowed.
    """
    config = compose(layers)
    expand_algorithms(config)
    check_config(config, checkout / SCHEMA)
    return config


def whole_config(files: Iterable[Path | str] = ()) -> dict[str, Any]:
    """The full study's config with those of `files` laid over it, one after the other, checked.

    Raises
    ------
    InputError : a file cannot be read or is not allowed, or the package is installed without its workflow.
    """
    if not (CHECKOUT / SCHEMA).exists():
        raise InputError("checkout", NOTHING, "that of the workflow, with this package installed from it (make .venv/ready)")
    default = CHECKOUT / "config" / "config.yaml"
    return checked(((Path(path).parent.resolve(), read_config(path)) for path in (default, *files)), CHECKOUT)
