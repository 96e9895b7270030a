"""Proof of Theorem 2, Step 6: what the inserted bound and the final inequality come to."""

import math
from fractions import Fraction

from mnlbandits.ledger.arithmetic import FLOATS, Arithmetic, Number
from mnlbandits.ledger.claim import Correction, Exactly, Inequality, Statement, claim
from mnlbandits.ledger.finding import Finding, inequality
from mnlbandits.ledger.formulas.family import (
    MENDED_OUTCOMES,
    MENDED_SIZES,
    MENDED_TEXT,
    largest_epsilon,
    loss,
    mended_ratio,
    star,
)
from mnlbandits.ledger.formulas.family_steps import (
    EVENT_WORDS,
    averaging_below,
    cap_below,
    capped_bracket,
    chosen_eps,
    entropy_below,
)
from mnlbandits.ledger.formulas.testing import testing_then_commit
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.shared import LOWER_BOUND_PROOF
from mnlbandits.ledger.simulate.games import least_regret

WORDS_OF_TEST = "K = 300, d = 2, sqrt(T/kappa_*) = 2 e^10; test at the angles +-0.3 to e_1 for 0.9 of the cap, then commit"

SHARE_OF_CAP = {"surplus": (0.0, 13.0), "angle": (0.05, 1.5), "spent": (0.0, 1.0)}

TESTED = tuple({"K": K} for K in (2, 10, 100, 300, 1000))


def root_of_horizon(m: Arithmetic, K: int, surplus: Number, horizon: int = 0) -> Number:
    """sqrt(T/kappa_*) = 2 exp(surplus), or that of T = `horizon`; d = 2."""
    return m.sqrt(horizon / star(m, m.number(K))) if horizon else 2 * m.exp(surplus)


def below_information(
    m: Arithmetic,
    K: int,
    surplus: Number,
    angle: Number,
    spent: Number,
    pulls: int = 0,
    horizon: int = 0,
    constant: int = 8,
    root: int = 0,
) -> Number:
    r"""Half of the inserted bound, d = 2, over the chance that a test for a part `spent` of the cap (or `pulls`) is wrong.

    The printed bound has constant 8 and root 0, the mended one 2 and $K + 3$; -1 where the regret exceeds the cap.
    """
    q = root_of_horizon(m, K, surplus, horizon)
    eps, cap = chosen_eps(m, K, q, m.number("0.01")), 2 * m.sqrt(m.number(K)) * q
    share = eps / largest_epsilon(m, m.number(K), m.number(2))
    played = pulls or spent * cap / loss(m, m.number(K), m.cos(angle))
    regret, wrong, left = testing_then_commit(m, K, q, share, angle, played)
    if regret > cap or left < 0:
        return m.number(-1)
    wide = m.number(K + 3) ** root
    entropy = constant * wide * m.exp(2 * eps * m.sqrt(m.number(K + 3)) ** root) * eps**2 * capped_bracket(K, 2, q, eps)
    return (1 - m.sqrt(entropy / 2)) / 2 / wrong


def mended_information(constant: int, root: int, **_: int) -> bool:
    """Whether the constants are at least those that follow, and the averaging and the cap hold."""
    return averaging_below(Fraction(1, 4), Fraction(1, 8)) and entropy_below(constant, root) and cap_below()


INSERTED_MENDED = Inequality(
    below_information,
    SHARE_OF_CAP,
    TESTED,
    fixed={"constant": 2, "root": 1},
    share=0.2,
    proof=Exactly(mended_information, "C085 mended with the cap, in the average of C086"),
)


def inserted_bound(effort: Effort, constant: int = 8) -> Finding:
    """At the example if it is a violation there."""
    pulls = 2 * math.floor(0.9 * 2 * math.sqrt(300) * 2 * math.exp(10) / loss(FLOATS, 300, math.cos(0.3)) / 2)
    horizon = math.ceil(4 * math.exp(20) * star(FLOATS, 300))
    example_of_test = {"K": 300, "surplus": 10.0, "angle": 0.3, "spent": 0.9, "pulls": pulls, "horizon": horizon}
    shown = Inequality(below_information, SHARE_OF_CAP, TESTED, examples=(example_of_test,), share=0.2)
    worst = shown.worst(effort, constant=constant)
    words = WORDS_OF_TEST if worst.point.get("pulls") else worst.text
    return inequality(worst._replace(text=words), below_information, "surplus = ln(sqrt(T/kappa_*)/2)", loose=False)


C093 = claim(
    "C093",
    Statement(
        place="Appendix, proof of Theorem 2, Step 6, multline display with the inserted bound",
        lines=(1492, 1498),
        kind="step",
        prints=r"$\frac{2}{|\Xi|} \sum_{\theta \in \Xi} \sum_{i=2}^d P_{\tilde\theta}[A_i(M)] \ge \frac d2 - \sqrt{\frac{d-1}{2}} \sqrt{8 \exp(2 \epsilon) \epsilon^2 \left[6 (K+3) d \sqrt{T/\kappa_*} + \frac{K+3}{4} (d-1) \epsilon^2 \left(\frac{T (K+3)}{\kappa_*} + (K+3) d \sqrt{T/\kappa_*}\right)\right]}$",
        hypotheses=r"$\mathrm{Reg}_T \le R d \sqrt{K T/\kappa_*}$ in expectation, for all members.",
        reading=EVENT_WORDS
        + r" With $\epsilon$ as chosen later ($c = 0.01$); the right side is then 0.307 for $d = 2$ as $T$ grows.",
    ),
    Correction(
        "rate",
        inserted_bound,
        INSERTED_MENDED,
        r"$2 (K+3) \exp(2 \sqrt{K+3}\,\epsilon) \epsilon^2$ for $8 \exp(2 \epsilon) \epsilon^2$ in the display; with the printed $\epsilon$ its right side is then negative for large $K$, and a smaller $\epsilon$ is needed, see C094",
    ),
    domain=r"$d = 2$, $K = 2..1000$; $\sqrt{T/\kappa_*} \in [2, 10^6]$; algorithms that know both members, test and commit; mended: every algorithm, $K$, $d \ge 2$ and $\epsilon$",
    planted={"constant": 2000, "mended_root": 0},
    module=__name__,
)


def below_printed(
    m: Arithmetic,
    K: int,
    surplus: Number,
    angle: Number,
    spent: Number,
    pulls: int = 0,
    horizon: int = 0,
    constant: int = 25000,
) -> Number:
    r"""The printed lower bound over the regret of testing `spent` $K \sqrt{T/\kappa_*}$ rounds (or `pulls`), d = 2, c = 0.01."""
    q = root_of_horizon(m, K, surplus, horizon)
    share = chosen_eps(m, K, q, m.number("0.01")) / largest_epsilon(m, m.number(K), m.number(2))
    regret, _, left = testing_then_commit(m, K, q, share, angle, pulls or spent * K * q)
    return 2 * m.sqrt(m.number(K + 3)) * q / constant / regret if left > 0 else m.number(0)


GAMES = (2, 3, 10)


def games(constant: int) -> tuple[list[float], list[float]]:
    r"""At $T = 4 \kappa_*$: the printed bound over the least Bayes regret, and that regret over $R d \sqrt{T/\kappa_*}$, for K in GAMES."""
    small, best = [], []
    for K in GAMES:
        horizon = math.ceil(4 * star(FLOATS, K))
        q = math.sqrt(horizon / star(FLOATS, K))
        share = chosen_eps(FLOATS, K, q, 0.01) / largest_epsilon(FLOATS, K, 2)
        small.append(2 * math.sqrt(K + 3) * q / (constant * least_regret(K, share, horizon)))
        shares = [math.sqrt(t / math.sqrt(K + 3) / q) for t in (0.5, 1.0, 2.0)]
        best.append(max(least_regret(K, share, horizon) for share in shares) / (2 * q))
    return small, best


FINAL_MENDED = Inequality(
    mended_ratio,
    {"surplus": (0.0, 60.0)},
    MENDED_SIZES,
    share=0.5,
    proof=LOWER_BOUND_PROOF,
)


def final_inequality(effort: Effort, constant: int = 25000) -> Finding:
    """At K = 1e8 if the bound exceeds the regret there."""
    small, best = games(constant)
    rounds = 2 * math.floor(2e4 * 10**8 * 2 * math.exp(10) / 2)
    horizon = math.ceil(4 * math.exp(20) * star(FLOATS, 10**8))
    example_of_large = {"K": 10**8, "surplus": 10.0, "angle": 0.3, "spent": 2e4, "pulls": rounds, "horizon": horizon}
    box = {"surplus": (0.0, 20.0), "angle": (0.05, 1.5), "spent": (1e2, 1e5)}
    cases = tuple({"K": 10**power} for power in range(2, 10, 2))
    worst = Inequality(below_printed, box, cases, examples=(example_of_large,), share=0.5).worst(effort, constant=constant)
    if worst.point.get("pulls"):
        text = "K = 1e8, d = 2, sqrt(T/kappa_*) = 2 e^10; 2e4 K sqrt(T/kappa_*) rounds of test at the angles +-0.3 to e_1, then commit"
        worst = worst._replace(text=text)
    note = f"for K = 2, 3, 10 and T = 4 kappa_* the bound is {min(small):.3g} to {max(small):.3g} times the least Bayes regret, which with a better eps is {min(best):.3g} to {max(best):.3g} R d sqrt(T/kappa_*)"
    return inequality(worst, below_printed, note, loose=False)


FINAL_WORDS = rf"{MENDED_TEXT}; for $K \le {MENDED_OUTCOMES - 3}$ it implies the printed bound, on members with this $\epsilon$; with $T$ before the instance the rate of Theorem 2 holds for bounded $d$ as well, on other instances, see C028b"

C094 = claim(
    "C094",
    Statement(
        place="Appendix, proof of Theorem 2, Step 6, final inequality",
        lines=(1519, 1522),
        kind="theorem",
        prints=r"$E_{\theta_*}[\mathrm{Reg}_T(\theta_*)] \ge \frac{R d \sqrt{(K+3) T}}{25000 \sqrt{\kappa_*(\theta_*)}}$",
        hypotheses=r"$\epsilon^2 = 0.01 (K+3)^{-1} \sqrt{\kappa_*/T}$, $T \ge d^2 \kappa_*$.",
        quantifiers=r"For every algorithm, on one of the members $\Pi \tilde M$.",
    ),
    Correction("rate", final_inequality, FINAL_MENDED, FINAL_WORDS),
    domain=r"$d = 2$; $K = 10^8$: an algorithm that knows both members, tests and commits; $K = 2, 3, 10$: least Bayes regret at $T = 4 \kappa_*$; mended: all $K, d \ge 2$, $T \ge d^2 \kappa_*$",
    planted={"constant": 10**5, "mended_constant": 200},
    module=__name__,
)
