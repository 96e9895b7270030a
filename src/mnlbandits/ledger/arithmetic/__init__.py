"""One formula, three arithmetics: floats to search with, 50 digits to look again, balls to prove with.

A formula is a function whose first argument is an `Arithmetic` and whose other arguments are its numbers; integers mix with
all of them. A ball is an interval of real numbers that holds the true value whatever the rounding: it never becomes a float,
and a comparison that it does not decide raises `Undecided`, so that no proof rests on a number that was lost on the way.
Arrays are numpy's, of floats or of objects, so that ``@``, ``+`` and ``.T`` are the same in all three.
"""

from mnlbandits.ledger.arithmetic.balls import BALLS, BITS, Ball, precision
from mnlbandits.ledger.arithmetic.digits import Digits
from mnlbandits.ledger.arithmetic.floats import Floats
from mnlbandits.ledger.arithmetic.protocol import Arithmetic, Number, Undecided, Value

FLOATS, DIGITS = Floats(), Digits()

__all__ = ["BALLS", "BITS", "DIGITS", "FLOATS", "Arithmetic", "Ball", "Number", "Undecided", "Value", "precision"]
