"""Problem instances: data that is written once and read by everything."""

from mnlbandits.instances.families import FAMILIES, build_instance, make_instance
from mnlbandits.instances.instance import Instance, Problem, read_instance, write_instance

__all__ = ["FAMILIES", "Instance", "Problem", "build_instance", "make_instance", "read_instance", "write_instance"]
