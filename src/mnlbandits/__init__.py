"""Executable companion of "Enjoying Non-linearity in Multinomial Logistic Bandits" (REAL)."""

from mnlbandits.errors import InputError

__all__ = ["InputError"]
__version__ = "0.1.0"
