"""The paper's formulas for kappa and kappa_* beside their exact values (Eq. kappa bounds, App. large kappa star)."""

import math
from collections.abc import Sequence

import pandas as pd

from mnlbandits.instances.families import large_kappa_star
from mnlbandits.model import constants
from mnlbandits.model.kappa import CONVENTIONS, kappa, printed_bounds


def kappa_table(outcomes: Sequence[int], radii: Sequence[float]) -> pd.DataFrame:
    """Certified kappa of both norm conventions and the printed bounds.

    Columns: convention, outcomes, radius (S X), kappa (best estimate), kappa_lower, kappa_upper (certified), weyl_upper,
    main_lower, even_lower (the bounds of `printed_bounds`), weyl_holds, main_holds, even_holds: ``holds``, ``fails``,
    ``undecided`` inside the certified gap, or ``not claimed`` (the even-K bound for odd K).
    """
    rows = []
    for convention in CONVENTIONS:
        for k in outcomes:
            for radius in radii:
                exact, printed = kappa(k, radius, convention), printed_bounds(k, radius)
                rows.append(
                    {"convention": convention, "outcomes": k, "radius": float(radius)}
                    | {"kappa": exact.value, "kappa_lower": exact.lower, "kappa_upper": exact.upper}
                    | printed
                    | {
                        "weyl_holds": at_most(exact.lower, exact.upper, printed["weyl_upper"], printed["weyl_upper"]),
                        "main_holds": at_most(printed["main_lower"], printed["main_lower"], exact.lower, exact.upper),
                        "even_holds": "not claimed"
                        if k % 2
                        else at_most(printed["even_lower"], printed["even_lower"], exact.lower, exact.upper),
                    }
                )
    return pd.DataFrame(rows)


def at_most(left_low: float, left_high: float, right_low: float, right_high: float) -> str:
    """Whether left <= right, where each is only known to lie in an interval (with slack for rounding)."""
    if left_high <= right_low * (1 + 1e-9):
        return "holds"
    return "fails" if left_low > right_high * (1 + 1e-9) else "undecided"


def kappa_star_table(outcomes: Sequence[int], norms: Sequence[float]) -> pd.DataFrame:
    """kappa_* of the large-kappa_* example against the printed bound kappa_* >= e^S / 2.

    Columns: outcomes, norm (S), kappa_star (exact, with ||theta_*||_F = S as the text defines), kappa_star_m (exact, with
    m = S as the computation uses), printed (e^S / 2), kappa (for the same S).
    """
    rows = []
    for k in outcomes:
        for norm in norms:
            example = large_kappa_star("example", outcomes=k, dim=2, norm=norm)
            m_is_s = large_kappa_star("example", outcomes=k, dim=2, norm=norm * math.sqrt(1 - 1 / k))
            rows.append(
                {
                    "outcomes": k,
                    "norm": float(norm),
                    "kappa_star": constants.kappa_star(example.theta, example.arms, example.rewards),
                    "kappa_star_m": constants.kappa_star(m_is_s.theta, m_is_s.arms, m_is_s.rewards),
                    "printed": math.exp(norm) / 2,
                    "kappa": kappa(k, norm).value,
                }
            )
    return pd.DataFrame(rows)
