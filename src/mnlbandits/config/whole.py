"""The config of a build by its files, as the workflow reads it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mnlbandits.config.catalogue import expand_algorithms
from mnlbandits.config.check import check_config
from mnlbandits.config.layers import compose
from mnlbandits.config.yaml_file import read_config
from mnlbandits.errors import NOTHING, InputError
from mnlbandits.sources import PACKAGE

CHECKOUT = PACKAGE.parents[1]
"""Where the workflow lies, if the package is that of a checkout."""


def whole_config(files: Iterable[Path | str] = ()) -> dict[str, Any]:
    """The full study's config with those of `files` laid over it, one after the other, checked.

    Raises
    ------
    InputError : a file cannot be read or is not allowed, or the package is installed without its workflow.
    """
    default, schema = CHECKOUT / "config" / "config.yaml", CHECKOUT / "workflow" / "schemas" / "config.schema.yaml"
    if not schema.exists():
        raise InputError("checkout", NOTHING, "that of the workflow, with this package installed from it (make .venv/ready)")
    config = compose((Path(path).parent.resolve(), read_config(path)) for path in (default, *files))
    expand_algorithms(config)
    check_config(config, schema)
    return config
