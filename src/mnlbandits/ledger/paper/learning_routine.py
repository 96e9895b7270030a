"""Section 3.2: the equation of the next estimate, its matrix, and the cost of a round."""

import sys
from dataclasses import replace
from types import FrameType

import numpy as np

from mnlbandits.ledger.arithmetic import Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Statement, claim
from mnlbandits.ledger.finding import Finding, inequality
from mnlbandits.ledger.formulas.learning import LEVEL
from mnlbandits.ledger.formulas.regret import tau_of
from mnlbandits.ledger.formulas.softmax import sigmoid, slope
from mnlbandits.ledger.search import Effort, at
from mnlbandits.ledger.simulate.exploration import DELTA, HORIZON, examples, explorations
from mnlbandits.ledger.simulate.learning import learning
from mnlbandits.seeds import generator
from mnlbandits.textbook.real import Real


def stationarity(m: Arithmetic, b: Number, weight: Number, lag: int = 0) -> Number:
    r"""Derivative of the objective at $\theta_{t+\mathrm{lag}}$ over that at $\theta_t$; $\theta_{t+1}$ as in Algorithm 2."""
    root = m.sqrt(2)
    gradient, matrix = -root * sigmoid(m, -root * b), 10**weight + 2 * slope(m, root * b)
    step = -gradient / matrix if lag else 0 * gradient
    return abs((gradient + matrix * step) / gradient)


def step_minimises(lag: int) -> bool:
    """Whether objective(y) - objective(theta_{t+lag}) is W (y - theta_{t+lag})^2/2, for any gradient, W, theta_t and y."""
    gradient, matrix, start, other = unknowns("gradient", "matrix", "start", "other")
    found = start - gradient / matrix if lag else start
    rise = gradient * (other - found) + matrix * ((other - start) ** 2 - (found - start) ** 2) / 2
    return rise == matrix * (other - found) ** 2 / 2


STEP_EXAMPLE = {"b": 0.0, "weight": 3.0}

C128b = claim(
    "C128b",
    Statement(
        place="Section 3.2, Eq. probleme optim",
        lines=(393, 395),
        kind="equation",
        prints=r"$\theta_t = \operatorname{argmin}_{\theta \in \Theta} \langle \nabla\ell_{t+1}(\theta_t), \theta \rangle + \frac{1}{2\eta} \lVert \theta - \theta_t \rVert^2_{\tilde W_t}$.",
        labels=("eq:probleme optim learning routine",),
    ),
    Correction(
        "misprint",
        Equality(
            stationarity,
            {"b": (-8.0, 8.0), "weight": (2.46, 6.0)},
            examples=[STEP_EXAMPLE],
            note=r"the gradient never vanishes, so $\theta_t$ is not the minimiser",
            proof=Exactly(step_minimises, "both sides as rational functions"),
        ),
        Equality(
            stationarity,
            {"b": (-8.0, 8.0), "weight": (2.46, 6.0)},
            share=0.25,
            fixed={"lag": 1},
            proof=Exactly(
                step_minimises,
                r"the objective exceeds its value at $\theta_{t+1}$ by $\tilde W_t (\theta - \theta_{t+1})^2/2$",
            ),
        ),
        r"misprint: $\theta_{t+1}$ on the left, as in Algorithm 2",
    ),
    domain=r"$K = 2$, $d = 1$, $x = 1$, $y = 1$, $\eta = 1$: $\theta_t = (b, -b)/\sqrt 2$ inside $\Theta$, $b \in [-8, 8]$, $W_t \in [288, 10^6]$",
    planted={"lag": 1, "mended_lag": 0},
    module=__name__,
)


def step_matrix(m: Arithmetic, S: Number, learnt: int, after: int = 0) -> Number:
    r"""Relative difference of $\tilde W_t$, with the sum from 1 (`after` = 0) or $\tau + 1$, from Algorithm 2's; arm 1."""
    kappa, level = 1 + m.cosh(m.sqrt(2) * S), m.number(LEVEL)
    tau = tau_of(m, 2, S, m.number(HORIZON), kappa, level)
    curvature, ridge = 2 * slope(m, m.sqrt(2) * S), 288
    printed, w = ((1 - after) * tau + learnt) * curvature + curvature + ridge, m.number(ridge)
    for _ in range(learnt):
        w = w + curvature
    return abs(printed - (w + curvature)) / (w + curvature)


def recursion_is_sum(after: int) -> bool:
    """Whether W_{s+1} = W_s + M_s from W_{tau+1} = lambda gives the sum that begins after no or all of the tau rounds."""
    ridge, first, *learnt = unknowns("ridge", "first", "m1", "m2", "m3", "m4", "m5")
    total = ridge
    for term in learnt:
        total = total + term
    return total == sum(learnt, (1 - after) * first + ridge)


C128 = claim(
    "C128",
    Statement(
        place="Section 3.2, definition of Wtilde_t after Eq. probleme optim",
        lines=(396, 396),
        kind="definition",
        prints=r"$\tilde W_t := \sum_{s=1}^{t-1} \nabla\mu(\theta_{s+1} x_s) \otimes x_s x_s^\top + \eta \nabla\mu(\theta_t x_t) \otimes x_t x_t^\top + \lambda I_{Kd}$.",
        reading=r"This is the matrix of Algorithm 2, $W_t + \eta \nabla\mu(\theta_t x_t) \otimes x_t x_t^\top$.",
    ),
    Correction(
        "misprint",
        Equality(
            step_matrix,
            {"S": (0.1, 4.0)},
            [{"learnt": 0}, {"learnt": 3}],
            examples=[{"S": 1.0, "learnt": 0}],
            share=0.1,
            proof=Exactly(recursion_is_sum, "the recursion of Algorithm 2 in unknown matrices"),
        ),
        Equality(
            step_matrix,
            {"S": (0.1, 4.0)},
            [{"learnt": 0}, {"learnt": 3}],
            share=0.1,
            fixed={"after": 1},
            proof=Exactly(recursion_is_sum, "the recursion of Algorithm 2 in unknown matrices"),
        ),
        r"misprint: the sum starts at $s = \tau + 1$, as in Algorithm 2; the rounds of the exploration are not in $W_t$",
    ),
    domain=r"any $K$, $d$ and iterates, as unknown matrices; shown at $K = 2$, $d = 1$, $x = 1$, $t = \tau + 1, \tau + 4$, $S \in [0.1, 4]$, $T = 10^{12}$ with $\theta_*$, $\lVert \theta_* \rVert = S$, in place of the iterates, of which $\theta_2, \dots, \theta_\tau$ do not exist",
    planted={"after": 1, "mended_after": 0},
    module=__name__,
)


def cost_growth(m: Arithmetic, growth: Number, times: Number, power: int = 0) -> Number:
    r"""Growth of the cost of a round over that of $t^{\mathrm{power}}$, for `times` as many rounds."""
    return growth / times**power


def calls_of_rounds(real: Real, rounds: int) -> list[int]:
    """Calls that a textbook learner makes in each of its first rounds of learning."""
    calls, stream = [], generator("claims", 0, "cost")

    def count(frame: FrameType, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            calls[-1] += 1

    real.begin_learning()
    previous = sys.getprofile()
    for t in range(real.tau + 1, real.tau + 1 + rounds):
        calls.append(0)
        outcome = int(stream.integers(3))
        sys.setprofile(count)
        try:
            real.update(t, real.choose(t), outcome)
        finally:
            sys.setprofile(previous)
    return calls


def array_bytes(state: tuple) -> int:
    """Size of the arrays of a state and of the states in it."""
    return sum(
        part.nbytes if isinstance(part, np.ndarray) else array_bytes(part) if isinstance(part, tuple) else 0
        for part in state
    )


def constant_cost(effort: Effort, power: int = 0) -> Finding:
    """Calls and memory of late rounds of learning over those of early ones."""
    instance, rounds = examples()[2], 100 if effort.rounds < 1000 else 400
    calls = calls_of_rounds(Real(instance.problem(HORIZON, DELTA)), rounds)
    state = next(explorations(instance, 1)).state
    sizes = [array_bytes(state) for _ in learning(instance, state, generator("claims", 0, "memory"), 300)]
    growth = max(sum(calls[-10:]) / sum(calls[:10]), sizes[-1] / sizes[0])
    worst = at(cost_growth, rf"$t = \tau + {rounds}$", growth=growth, times=rounds / 10, power=power)
    note = (
        f"calls per round {calls[0]} and {calls[-1]}, arrays of {sizes[-1]} bytes; "
        "the estimate after the exploration, once, reads N K counts"
    )
    return replace(inequality(worst, cost_growth, note, loose=False), level="argued")


C131 = claim(
    "C131",
    Statement(
        place="Section 1, after Table 1, and its last row; Section 3.2, after Proposition 1",
        lines=(222, 222),
        kind="text",
        prints=r"The algorithm we introduce (Algorithm 2) is computationally efficient, with a per-round complexity of order $O(1)$.",
        reading=r"Time and memory of a round of learning do not grow with $t$.",
    ),
    constant_cost,
    domain=r"$K = 3$, $d = 2$: calls made in the first and in the last 10 of 100 (full: 400) rounds; size of the state at both ends",
    planted={"power": -1},
    unproved="argued from the program, whose rounds have no loop over earlier ones; its calls and memory are counted on one instance.",
    module=__name__,
)
