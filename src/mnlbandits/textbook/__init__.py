"""The algorithms as a reader of the paper would write them: plain NumPy, full matrices, no shortcuts.

Nothing here uses the compiled kernels, and the kernels use nothing from here; the tests play both and compare every round.
"""

from mnlbandits.textbook.oful_mlogb import OfulMLogB
from mnlbandits.textbook.real import Real

TEXTBOOK = {"real": Real, "oful-mlogb": OfulMLogB}
"""The textbook version of an algorithm by its registered name; made from ``(problem, preset, **options)``."""

__all__ = ["TEXTBOOK", "OfulMLogB", "Real"]
