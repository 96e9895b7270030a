"""Proof of Theorem 2, Step 6: the average entropy by the regret, and by its cap."""

from fractions import Fraction

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.claim import Exactly, Inequality, Statement, claim
from mnlbandits.ledger.formulas.family import SIZES, loss, star
from mnlbandits.ledger.formulas.family_steps import (
    FLIP_WORDS,
    HORIZONS,
    cap_below,
    capped_bracket,
    entropy_below,
    entropy_growth,
    entropy_terms,
    eps_of,
)
from mnlbandits.ledger.shared import entropy_without_norm

STEP_SIX_CAP = "Appendix, proof of Theorem 2, Step 6"


def entropy_by_regret(
    m: Arithmetic, K: int, share: Number, angle: Number, d: int = 2, factor: int = 8, root: int = 0
) -> Number:
    """KL of a round over its bound by the regret."""
    entropy, _, square, last = entropy_terms(m, K, share, angle)
    regret = m.sqrt(m.number(K + 3)) * loss(m, m.number(K), 1 - square / 2)
    inside = 6 * regret + last * (m.number(K + 3) / star(m, m.number(K)) + regret)
    return entropy / (factor * entropy_growth(m, K, eps_of(m, K, d, share), root) * inside)


C085 = claim(
    "C085",
    Statement(
        place=f"{STEP_SIX_CAP}, first display",
        lines=(1474, 1479),
        kind="step",
        prints=r"$\sum_{i=2}^d KL(P_{\tilde\theta}, P_{\mathrm{Flip}_i(\tilde\theta)}) \le 8 \exp(2 \epsilon) \epsilon^2 \left[6 \frac{\sqrt{K+3}}{R} \mathrm{Reg}_T + \frac{K+3}{4} (d-1) \epsilon^2 \left(\frac{T (K+3)}{\kappa_*} + \frac{\sqrt{K+3}}{R} \mathrm{Reg}_T\right)\right]$",
        reading=FLIP_WORDS + r" $\mathrm{Reg}_T$ in expectation, which the display does not have, as C072.",
    ),
    entropy_without_norm(
        entropy_by_regret,
        {"K": 10, "d": 2, "share": 0.01, "angle": 0.0133},
        Exactly(entropy_below, "C082b mended, with C083 and C084"),
    ),
    domain=r"$K = 2..10^6$, $d = 2$; algorithms that play one arm; mended: all $K$, $d \ge 2$, $\epsilon$ and algorithms",
    planted={"factor": 10**6, "mended_root": 0},
    module=__name__,
)


def capped(m: Arithmetic, K: int, d: int, surplus: Number, share: Number, power: Fraction = Fraction(1, 2)) -> Number:
    r"""The bracket with the cap $R d \sqrt{K T/\kappa_*}$ ($K^{power}$) on the regret, over the printed one."""
    q, eps, wide = d * m.exp(surplus), eps_of(m, K, d, share), m.number(K + 3)
    regret = m.sqrt(wide) * m.power(m.number(K), m.number(power)) * d * q
    left = 6 * regret + wide / 4 * (d - 1) * eps**2 * (wide * q**2 + regret)
    return left / capped_bracket(K, d, q, eps)


C085b = claim(
    "C085b",
    Statement(
        place=f"{STEP_SIX_CAP}, second display",
        lines=(1480, 1491),
        kind="step",
        prints=r"With $\mathrm{Reg}_T \le R d \sqrt{K T/\kappa_*}$, $6 \frac{\sqrt{K+3}}{R} \mathrm{Reg}_T \le 6 (K+3) d \sqrt{T/\kappa_*}$, and so for the whole bracket.",
    ),
    Inequality(
        capped,
        HORIZONS | {"share": (1e-3, 1.0)},
        SIZES,
        share=0.5,
        proof=Exactly(cap_below, r"$(K+3)^2 - (K+3) K = 3 (K+3)$, and the bracket increases in the regret"),
    ),
    domain=r"all $K$, $d$, $T$ and $\epsilon$; searched for $K = 2..10^6$, $d = 2..10$, $\ln(\sqrt{T/\kappa_*}/d) \in [0, 20]$",
    planted={"power": Fraction(3, 2)},
    formal="C085b",
    ours=True,
    module=__name__,
)


def entropy_under_cap(
    m: Arithmetic, K: int, share: Number, angle: Number, d: int = 2, factor: int = 8, root: int = 0
) -> Number:
    r"""KL of T rounds of one arm over the printed bound, at the T at which their regret is $R d \sqrt{K T/\kappa_*}$.

    0 where that T is less than d^2 kappa_*.
    """
    entropy, _, square, _ = entropy_terms(m, K, share, angle)
    every = star(m, m.number(K))
    q = d * m.sqrt(m.number(K)) / (every * loss(m, m.number(K), 1 - square / 2))
    if q < d:
        return 0 * q
    eps = eps_of(m, K, d, share)
    return q**2 * every * entropy / (factor * entropy_growth(m, K, eps, root) * capped_bracket(K, d, q, eps))


def capped_entropy_below(factor: Fraction | int = 2, root: int = 1) -> bool:
    """C085 as mended, and C085b."""
    return entropy_below(factor, root) and cap_below()


C085c = claim(
    "C085c",
    Statement(
        place=f"{STEP_SIX_CAP}, second and third display",
        lines=(1480, 1491),
        kind="step",
        prints=r"With $\mathrm{Reg}_T \le R d \sqrt{K T/\kappa_*}$: $\sum_{i=2}^d KL(P_{\tilde\theta}, P_{\mathrm{Flip}_i(\tilde\theta)}) \le 8 \exp(2 \epsilon) \epsilon^2 \left[6 (K+3) d \sqrt{T/\kappa_*} + \frac{K+3}{4} (d-1) \epsilon^2 \left(\frac{T (K+3)}{\kappa_*} + (K+3) d \sqrt{T/\kappa_*}\right)\right]$, and the same for the average over $\Xi$.",
        reading=FLIP_WORDS + " The insertion of the cap alone is C085b; by symmetry the average has the same value.",
    ),
    entropy_without_norm(
        entropy_under_cap,
        {"K": 100, "d": 2, "share": 0.01, "angle": 0.0133},
        Exactly(capped_entropy_below, "C085 mended, with C085b"),
    ),
    domain=r"$K = 2..10^6$, $d = 2$; algorithms that play one arm for as long as the cap allows; mended: all $K$, $d \ge 2$, $\epsilon$ and algorithms",
    planted={"factor": 10**6, "mended_root": 0},
    module=__name__,
)
