"""Problem instances: data that is written once and read by everything."""

from mnlbandits.instances.families import FAMILIES, build_instance, make_instance
from mnlbandits.instances.files import files_of, read_instance, write_instance
from mnlbandits.instances.fit import fit_instance
from mnlbandits.instances.instance import Instance, Problem

__all__ = [
    "FAMILIES",
    "Instance",
    "Problem",
    "build_instance",
    "files_of",
    "fit_instance",
    "make_instance",
    "read_instance",
    "write_instance",
]
