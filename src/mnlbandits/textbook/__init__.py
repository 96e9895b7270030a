"""The algorithms as a reader of the papers would write them: plain NumPy, full matrices, scipy's optimisers, no shortcuts.

Nothing here uses the compiled kernels, and the kernels use nothing from here; the tests play both and compare every
round. A module defines ``TEXTBOOK``, its classes by the registered name of the algorithm. Each is made from
``(problem, preset, **options)``, with ``generator=`` if the algorithm is randomised, and has ``choose(t)``,
``update(t, arm, outcome)``, ``index(t)``, the scores (N,) whose argmax is played in round t, and ``ratio(t, theta)``,
as in `mnlbandits.algorithms.base`.
"""

import importlib
import pkgutil
from typing import Any

TEXTBOOK: dict[str, Any] = {}
for info in sorted(pkgutil.iter_modules(__path__), key=lambda info: info.name):
    TEXTBOOK |= getattr(importlib.import_module(f"{__name__}.{info.name}"), "TEXTBOOK", {})
