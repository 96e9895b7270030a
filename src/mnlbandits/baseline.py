"""The processor that kernels of the workflow are compiled for, whatever the node; imported before numba is."""

import os
import platform

BASELINES = {"x86_64": "x86-64-v2", "AMD64": "x86-64-v2"}
"""By architecture, the least of its processors that kernels run on: of x86 all since about 2009."""


def compile_for_all() -> None:
    """Have numba compile for the baseline of this architecture, in this process and those that it starts."""
    os.environ["NUMBA_CPU_NAME"] = BASELINES.get(platform.machine(), "generic")
