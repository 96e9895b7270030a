"""Section 3.3.1: the confidence set of the learning routine and Lemma 2."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mnlbandits.algorithms import get_algorithm
from mnlbandits.instances import Instance, make_instance
from mnlbandits.ledger.arithmetic import FLOATS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Balls, Correction, Equality, Exactly, Inequality, Statement, Together, claim
from mnlbandits.ledger.finding import Finding, frequency
from mnlbandits.ledger.formulas.concordance import third_derivative
from mnlbandits.ledger.formulas.learning import range_below_norm, sigma_t
from mnlbandits.ledger.formulas.softmax import softmax
from mnlbandits.ledger.formulas.vectors import centred, dot, over, scaled, variance
from mnlbandits.ledger.search import Effort, column, vectors_box
from mnlbandits.ledger.simulate.exploration import DELTA, examples, explorations, short_arm
from mnlbandits.ledger.simulate.learning import distance
from mnlbandits.seeds import generator
from mnlbandits.simulate import exact, leap


def growth_in_norm(m: Arithmetic, S: Number, more: Number, size: Number, digits: Number, ridge_factor: int = 2) -> Number:
    r"""$\sigma_t$ at `more` times $S$ over $\sigma_t$ at $S$, $t$ = 10^`digits`, $K d$ = `size`."""
    first, second = (sigma_t(m, size, norm, 10**digits, ridge_factor=ridge_factor) for norm in (S, S * more))
    return second / first


def growth_beside_linear(m: Arithmetic, S: Number, more: Number, size: Number, digits: Number) -> Number:
    r"""Relative difference of the increase of $\sigma_t$ from that of $24 S \sqrt{K d}$."""
    first, second = (sigma_t(m, size, norm, 10**digits) for norm in (S, S * more))
    return abs(second - first - 24 * S * (more - 1) * m.sqrt(size)) / second


def norm_enters_linearly() -> bool:
    """Whether 2 S' sqrt(144 Kd) - 2 S sqrt(144 Kd) = 24 (S' - S) sqrt(Kd), the logarithmic part being the same."""
    logarithmic, root, first, second = unknowns("logarithmic", "root", "first", "second")
    squared = (12 * root) ** 2 == 144 * root**2
    before, after = (logarithmic + 2 * norm * (12 * root) for norm in (first, second))
    return squared and after - before == 24 * (second - first) * root


NORM_BOX = {"S": (0.1, 10.0), "more": (1.0, 2.0), "size": (2.0, 100.0), "digits": (9.0, 18.0)}

C136 = claim(
    "C136",
    Statement(
        place="Section 3.3.1, sentence before Lemma 2",
        lines=(477, 477),
        kind="text",
        prints=r"Using Theorem 4.2 of Lee et al. we provide a $\mathrm{poly}(S)$-free confidence set.",
        reading=r"Read literally: $\sigma_t$ does not grow with $S$.",
    ),
    Correction(
        "condition",
        Inequality(
            growth_in_norm,
            NORM_BOX,
            examples=[{"S": 1.0, "more": 2.0, "size": 2.0, "digits": 10.0}],
            share=0.25,
        ),
        Equality(
            growth_beside_linear,
            NORM_BOX,
            share=0.25,
            proof=Exactly(norm_enters_linearly, r"the parts of $\sigma_t$ as unknowns, $\sqrt{144 K d} = 12 \sqrt{K d}$"),
        ),
        r"the factor of $\sqrt{K d \log(t/\delta)}$, all that counts as $t$ grows, is free of $S$; $24 S \sqrt{K d}$ is added, linear in $S$ and the larger part unless $\log(t/\delta) > 864 S^2$. So $\sigma_T$ is $O(\sqrt{K d \log(T/\delta)})$, as Step 6 has it, only for $S$ up to a constant times $\sqrt{\log(T/\delta)}$, see C157",
    ),
    domain=r"$\sigma_t(S_2)/\sigma_t(S_1)$ for $S_1 \le S_2$ in $[0.1, 20]$, $K d \in [2, 100]$, $t \in [10^9, 10^{18}]$, $\delta = 0.05$",
    planted={"ridge_factor": 0},
    module=__name__,
)


class Covered(NamedTuple):
    """A run: its instance, and the largest distance over sigma in it."""

    name: str
    share: float


def covering_instances() -> list[Instance]:
    """Those on which Lemma 2 is simulated."""
    weak = make_instance("K = 3, d = 2, S = 0.1", "random", {"outcomes": 3, "dim": 2, "norm": 0.1, "arms": 5})
    many = make_instance("K = 6, d = 2, S = 0.5", "random", {"outcomes": 6, "dim": 2, "norm": 0.5, "arms": 5})
    return [*examples(), weak, many, *map(short_arm, (0.1, 3.0, 80.0))]


def covered(instance: Instance, effort: Effort, factor: float) -> Iterator[Covered]:
    """Runs of an instance: round by round, then, for some, to 1e18 in batches; sigma_t with this factor, for 2, of both terms."""
    record, size, S = get_algorithm("real"), instance.outcomes * instance.dim, instance.norm_bound
    for n, end in enumerate(explorations(instance, max(5, effort.runs // 16))):
        state, stream, reached = end.state, generator("claims coverage", 0, instance.name, n), np.array([-1.0])
        stop, pulls = state.tau + 10 * effort.rounds, np.zeros(len(instance.arms), dtype=np.int64)
        exact.advance(record, state, instance, stream, state.tau, stop, pulls, reached)
        planted = sigma_t(FLOATS, size, S, stop, log_factor=factor, ridge_factor=factor)
        worst, pulls = reached[0] * sigma_t(FLOATS, size, S, stop) / planted, np.zeros(len(instance.arms))
        for t in (1e14, 1e16, 1e18) if n < effort.runs // 40 else ():
            leap.follow(record, state, instance, stop, np.array([t]), pulls, 0.1, stream, True)
            sigma = sigma_t(FLOATS, size, S, t, log_factor=factor, ridge_factor=factor)
            worst = max(worst, distance(instance, state) / sigma)
        yield Covered(instance.name, float(worst))


def learning_coverage(effort: Effort, factor: float = 2) -> Finding:
    """Runs in which theta_* leaves the set of Lemma 2."""
    runs = [run for instance in covering_instances() for run in covered(instance, effort, factor)]
    largest: dict[str, float] = {}
    for run in runs:
        largest[run.name] = max(run.share, largest.get(run.name, 0.0))
    words = ", ".join(f"{name}: {value:.3g}" for name, value in largest.items())
    return frequency(sum(run.share > 1 for run in runs), len(runs), DELTA, rf"largest distance/$\sigma$ {words}")


C135 = claim(
    "C135",
    Statement(
        place="Section 3.3.1, Lemma 2",
        lines=(480, 485),
        kind="lemma",
        prints=r"With probability $1 - \delta$, $\lVert \theta_* - \theta_{t+1} \rVert_{\bar W_{t+1}} \le \sigma_t(\delta)$, where $\sigma_t(\delta) = \frac{2}{\sqrt 6} \sqrt{K d \log(t/\delta)} + 2 S \sqrt\lambda$.",
        hypotheses=r"$\delta \in (0, 1]$, $\eta = 1$, $\lambda = 144 K d$, Lemma 1 holds",
        quantifiers=r"with probability $1 - \delta$, for all $t \ge 1$",
        reading=r"For all $t > \tau$, as $\theta_{t+1}$ and $\bar W_{t+1}$ do not exist before.",
        labels=("lemma:confidence set learning", "section:confidence set"),
    ),
    learning_coverage,
    domain=r"three instances with $S = 1, 2, 3$, one with $\lVert \theta_* \rVert = 0.1 = S$, one with $K = 6$, and an arm of length $10^{-5}$ with $S = 0.1, 3, 80$; 3000 (full: 20000) rounds, then to $10^{18}$ in batches",
    planted={"factor": 0.02},
    unproved=r"a probability over whole runs; the paper cites a theorem of another paper for it; simulated on eight instances.",
    module=__name__,
)


def first_order_gap(m: Arithmetic, K: int, eta: Number | str = "1.5", **point: Number) -> Number:
    r"""$e^\top \nabla\mu(z) e/(2 \eta)$ over $\ell(z + e) - \ell(z) - \langle \nabla\ell(z), e \rangle$ for $\lVert e \rVert_2 = 1/\sqrt 6$."""
    z, e = column(point, "z"), scaled(m, centred(column(point, "e")), 1 / m.sqrt(6))
    p = softmax(m, z)
    rise = m.log(sum(q * m.exp(v) for q, v in zip(p, e, strict=True))) - dot(p, e)
    return over(variance(p, e), 2 * m.number(eta) * rise)


def gap_box(K: int) -> dict[str, tuple[float, float]]:
    """The coordinates of `first_order_gap`."""
    return vectors_box(z=(K, 4.0), e=(K, 1.0))


def range_gap(m: Arithmetic, eta: Number | str = "1.5") -> Number:
    r"""The most that `first_order_gap` can be: $1/(2 \eta)$ over $\int_0^1 (1 - v) e^{-r v} \mathrm dv$ at $r = 1/\sqrt 3$."""
    reach = 1 / m.sqrt(3)
    return reach**2 / (2 * m.number(eta) * (m.exp(-reach) - 1 + reach))


def variance_falls_slowly(eta: Number | str = "1.5") -> bool:
    """d/dv Var_q(v) e = E (e - E e)^3 and the range of e, exactly; (1 - v) e^(-r v) = F' with F(1) - F(0) = (e^-r - 1 + r)/r^2."""
    del eta
    r, v, decay = unknowns("r", "v", "decay")
    primitive = (1 - r * (1 - v)) / r**2 * decay
    derivative = primitive.derivative(1) - r * decay * primitive.derivative(2)
    whole = decay / r**2 - (1 - r) / r**2 == (decay - 1 + r) / r**2
    return third_derivative() and range_below_norm() and derivative == (1 - v) * decay and whole


STEP_WORDS = r"with $q(v)$ the tilted $\mu(z + v e)$, $\frac{\mathrm d}{\mathrm dv} \operatorname{Var}_{q(v)} e = \mathbb E_{q(v)} (e - \mathbb E e)^3 \ge -r \operatorname{Var}_{q(v)} e$ for the range $r \le \sqrt 2 \lVert e \rVert_2 \le 1/\sqrt 3$ of $e$, so $\ell(z + e) - \ell(z) - \langle \nabla\ell(z), e \rangle = \int_0^1 (1 - v) \operatorname{Var}_{q(v)} e \, \mathrm dv \ge \operatorname{Var}_\mu e \int_0^1 (1 - v) e^{-r v} \mathrm dv$, least at $r = 1/\sqrt 3$; any $K$, $z$ and such $e$"
"""What takes `range_gap` to the one-step inequality."""

C138b = claim(
    "C138b",
    Statement(
        place="Lemma 2, eta = 1",
        lines=(481, 481),
        kind="text",
        prints=r"Set $\eta = 1$.",
        reading=r"Ours, not in the paper, which cites a theorem instead: with $\eta = 3/2$ the one-step inequality of the usual mirror-descent proof is true, $\ell(z + e) \ge \ell(z) + \langle \nabla\ell(z), e \rangle + e^\top \nabla\mu(z) e/(2 \eta)$ for $\lVert e \rVert_2 \le 1/\sqrt 6$, the diameter of $\Theta$.",
    ),
    Inequality(
        first_order_gap,
        gap_box,
        [{"K": 2}, {"K": 3}],
        share=0.25,
        note=r"smallest $\eta$ in the domain 1.2012, and 1.2014 does for all logits; with Lemma 2's $\eta = 1$ left over right side is above 1, so a proof on this way changes constants of $\lambda$ and $\sigma_t$, but no rate. It is one way to prove Lemma 2 and not the lemma, which C135 simulates with $\eta = 1$",
        proof=Together(
            [Exactly(variance_falls_slowly, STEP_WORDS), Balls(range_gap, {}, words=r"the number at $r = 1/\sqrt 3$")]
        ),
    ),
    domain=r"any $K$, logits and shifts $e$ (of which only $\Pi e$ counts) with $0 < \lVert e \rVert_2 \le 1/\sqrt 6$; searched: $K = 2, 3$, logits in $[-4, 4]^K$, all shifts of norm $1/\sqrt 6$",
    planted={"eta": 1},
    module=__name__,
)
