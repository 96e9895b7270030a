"""Problem instances: data that is written once and read by everything."""

from mnlbandits.instances.families import FAMILIES, make_instance
from mnlbandits.instances.instance import Instance, Problem, read_instance, write_instance

__all__ = ["FAMILIES", "Instance", "Problem", "make_instance", "read_instance", "write_instance"]
