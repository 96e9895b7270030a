"""Executable companion of "Enjoying Non-linearity in Multinomial Logistic Bandits" (REAL)."""

from mnlbandits import compiled
from mnlbandits.errors import InputError

compiled.place_compiled_kernels()

__all__ = ["InputError"]
__version__ = "0.1.0"
