"""Section 3.2: the equation of the next estimate, its matrix, and Algorithm 2, REAL."""

import itertools
import sys
from types import FrameType

import numpy as np

from mnlbandits.algorithms.omd import learn, make_learner
from mnlbandits.instances import Instance
from mnlbandits.ledger.arithmetic import DIGITS, FLOATS, Arithmetic, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Correction, Equality, Exactly, Statement, claim
from mnlbandits.ledger.finding import Finding, corrected, exceedance, held, inequality
from mnlbandits.ledger.formulas.learning import LEVEL, sigma_t
from mnlbandits.ledger.formulas.regret import tau_of
from mnlbandits.ledger.formulas.softmax import sigmoid, slope
from mnlbandits.ledger.search import Effort, at
from mnlbandits.ledger.simulate.exploration import (
    DELTA,
    HORIZON,
    examples,
    explorations,
    precise_theta,
    precise_truth,
    ridge_of,
    short_arm,
)
from mnlbandits.ledger.simulate.learning import distance, learning
from mnlbandits.model.softmax import Array, contrast_basis, loss_gradient, softmax_jacobian
from mnlbandits.seeds import generator
from mnlbandits.textbook.real import Real
from mnlbandits.textbook.solvers import mirror_descent


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

C128B = claim(
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
    planted={"lag": 1},
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
    domain=r"$K = 2$, $d = 1$, $x = 1$, $t = \tau + 1, \tau + 4$, $S \in [0.1, 4]$, $T = 10^{12}$; $\theta_*$, $\lVert \theta_* \rVert = S$, in place of the iterates, of which $\theta_2, \dots, \theta_\tau$ do not exist",
    planted={"after": 1},
    module=__name__,
)


def cost_growth(m: Arithmetic, growth: Number, times: Number, power: int = 0) -> Number:
    r"""Growth of the cost of a round over that of $t^{\mathrm{power}}$, for `times` as many rounds."""
    return m.number(growth) / m.number(times) ** power


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
    return inequality(worst, cost_growth, note, loose=False)


C131 = claim(
    "C131",
    Statement(
        place="Table 1 and introduction, O(1) per iteration; Section 3.2, text after Proposition 1",
        lines=(412, 412),
        kind="text",
        prints=r"$\tilde r_t$ can be computed efficiently for any $x$ and does not require solving any optimization problem; per-round complexity of order $O(1)$.",
        reading=r"Time and memory of a round of learning do not grow with $t$.",
    ),
    constant_cost,
    domain=r"$K = 3$, $d = 2$: calls made in the first and in the last 10 of 100 (full: 400) rounds; size of the state at both ends",
    planted={"power": -1},
    unproved="a program's calls and memory are counted on one instance; no proof about all programs was tried.",
    module=__name__,
)


def first_step(instance: Instance, counts: Array, tau: int) -> Number:
    r"""Least $\lVert \theta_* - \theta_{\tau+2} \rVert_{\bar W_{\tau+2}}/\sigma_{\tau+1}$ in 50 digits, $K = 2$, one arm, $d = 1$.

    $\theta_{\tau+1}$ is where `from_start` begins or its mirror image in $\Theta$; either outcome.
    """
    centre, shape = precise_theta(instance, counts)
    root, x, found = DIGITS.sqrt(2), DIGITS.number(float(instance.arms[0, 0])), []
    middle, truth = ((theta[0] - theta[1]) / root for theta in (centre, precise_truth(instance)))
    reach = 84 * DIGITS.sqrt(ridge_of(instance, m=DIGITS) / shape[0, 0])
    for side, outcome in itertools.product((-1, 1), repeat=2):
        b = middle + side * DIGITS.number("0.999") * reach
        gradient = -outcome * root * x * sigmoid(DIGITS, -outcome * root * b * x)
        moved = b - gradient / (288 + 2 * x**2 * slope(DIGITS, root * b * x))
        moved = min(max(moved, middle - reach), middle + reach)
        found.append(abs(moved - truth) * DIGITS.sqrt(288 + 2 * x**2 * slope(DIGITS, root * moved * x)))
    return min(found) / sigma_t(DIGITS, 2, DIGITS.number(instance.norm_bound), tau + 1)


def from_start(start: str, instance: Instance) -> Finding:
    """Runs in which the estimate leaves the set of Lemma 2 within 10 rounds of learning, from a start in Theta."""
    ratios, ends = [], list(explorations(instance, 10))
    for end in ends:
        learner, stream = end.state.learner, generator("claims start", 0, instance.name)
        if start == "boundary":
            learner.phi[0, 0] += 0.999 * learner.radius[0] * learner.shape[1, 0, 0]
        rounds = learning(instance, end.state, stream, 10)
        ratios.append(max(distance(instance, state) / sigma_t(FLOATS, 2, instance.norm_bound, t) for t, _, state in rounds))
    return exceedance(
        ratios,
        DELTA,
        rf"$K = 2$, $d = 1$, $S = 1$, the single arm $10^{{-5}}$, start: {start}; largest distance/$\sigma$ {max(ratios):.4g}",
        lambda run: first_step(instance, ends[run].counts, ends[run].state.tau),
        "from the counts of the exploration and after one round of either outcome",
    )


def initial_estimate(effort: Effort, start: str = "boundary") -> Finding:
    """Lemma 2 from another start in Theta, and from its centre."""
    words = (
        r"an omission: $\theta_{\tau+1} = \hat\theta_{\tau+1}$, the centre of $\Theta$, as the index suggests. "
        r"$2 S \sqrt\lambda$ in $\sigma_t$ needs $\lVert \theta_{\tau+1} - \theta_* \rVert \le 2 S$, and $\Theta$ can be 168 wide where the arms are short"
    )
    return corrected("misprint", from_start(start, short_arm(1.0)), from_start("estimate", short_arm(1.0)), words)


C127 = claim(
    "C127",
    Statement(
        place="Algorithm 2, line 2 (initialisation)",
        lines=(420, 421),
        kind="algorithm",
        prints=r"Set $W_{\tau+1} = \lambda I_{Kd}$, $\bar W_{\tau+1} = \lambda I_{Kd}$.",
        reading=r"$\theta_{\tau+1}$ is left open. If any start in $\Theta$ will do, then $\lVert \theta_* - \theta_{t+1} \rVert_{\bar W_{t+1}} \le \sigma_t$, as in Lemma 2, from all of them.",
        labels=("algo:learning routine",),
    ),
    initial_estimate,
    domain=r"an arm of length $10^{-5}$ with $S = 1$, the start on the boundary of $\Theta$ or at $\hat\theta$; first 10 rounds of learning",
    planted={"start": "estimate"},
    unproved=r"a frequency in runs of the algorithm on one instance, both of the printed and of the mended start.",
    module=__name__,
)


def step_is_minimiser() -> bool:
    """The identities of `MINIMISER`, coordinate by coordinate, and that gradient and matrix keep to Pi R^{K x d}."""
    gradient, w, start, v, centre, multiplier, other = unknowns("g", "w", "start", "v", "centre", "multiplier", "other")
    found = (w * start + multiplier * v * centre - gradient) / (w + multiplier * v)
    rise = gradient * (other - found) + w * ((other - start) ** 2 - (found - start) ** 2) / 2
    apart = (w + multiplier * v) * (other - found) ** 2 / 2
    outwards = multiplier * v * ((found - centre) ** 2 - (other - centre) ** 2) / 2
    falling = found - centre == (w * (start - centre) - gradient) / (w + multiplier * v)
    weights = unknowns("e1", "e2", "e3")
    p = [weight / sum(weights) for weight in weights]
    flat = sum(p) == 1 and all(a - sum(a * b for b in p) == 0 for a in p)
    return rise == apart + outwards and falling and flat


MINIMISER = Exactly(
    step_is_minimiser,
    r"with $W = \tilde W_t/\eta$, $V$ of $\Theta$ and its centre $c$, both diagonal in one basis: $\hat\theta(m) = (W + m V)^{-1} (W \theta_t + m V c - \nabla\ell)$ has objective$(\theta)$ - objective$(\hat\theta) = \frac12 \lVert \theta - \hat\theta \rVert^2_{W + m V} + \frac m2 (\lVert \hat\theta - c \rVert_V^2 - \lVert \theta - c \rVert_V^2)$, positive on $\Theta$ but at $\hat\theta$ if $m = 0$ and $\hat\theta \in \Theta$ or $m > 0$ and $\hat\theta$ is on the boundary; $\lVert \hat\theta(m) - c \rVert_V$ falls to 0 as $m$ grows, so one of the two occurs; $1^\top (\mu - e_y) = 0$ and $\nabla\mu 1 = 0$ keep it in $\Pi \mathbb R^{K \times d}$; any $K$ and $d$",
)


def compared_step(stream: np.random.Generator, factor: float) -> tuple[float, float, bool]:
    """A random step, compiled: its difference from the textbook's, least slope towards Theta, whether on the boundary."""
    basis, arms = contrast_basis(3), stream.uniform(-0.7, 0.7, (4, 2))
    learner = make_learner(basis, arms, np.ones(3), 10 ** stream.uniform(-1, 1), 1.0, 10 ** stream.uniform(-2, 1))
    for _ in range(3):
        learn(learner, int(stream.integers(4)), int(stream.integers(3)))
    arm, outcome = int(stream.integers(4)), int(stream.integers(3))
    theta, lift, x, radius = basis @ learner.phi, np.kron(basis, np.eye(2)), arms[arm], learner.radius[0]
    whole = lift @ learner.w @ lift.T + learner.w[0, 0] * (np.eye(6) - lift @ lift.T)
    matrix = whole + np.kron(softmax_jacobian(theta @ x), np.outer(x, x))
    gradient = loss_gradient(theta, x, outcome).ravel()
    learn(learner, arm, outcome)
    found = (basis @ learner.phi).ravel()
    solved, bounded = mirror_descent(theta.ravel(), gradient, matrix, factor / 2, np.zeros(6), np.eye(6), radius)
    descent = gradient + matrix @ (found - theta.ravel()) * 2 / factor
    others = lift @ stream.standard_normal((4, 50))
    others *= radius / np.linalg.norm(others, axis=0)
    lowest = ((others - found[:, None]).T @ descent).min() / (np.linalg.norm(gradient) * radius)
    return float(np.linalg.norm(found - solved) / np.linalg.norm(found)), float(lowest), bool(bounded)


def mirror_step(effort: Effort, factor: float = 2.0) -> Finding:
    """The compiled step against the textbook's and the first-order condition, beside the proof that it is the minimiser."""
    stream, count = generator("claims", 0, "mirror step"), effort.draws // 10
    differences, slopes, bounded = zip(*(compared_step(stream, factor) for _ in range(count)), strict=True)
    largest, lowest = max(differences), min(slopes)
    evidence = (
        f"largest relative difference of the two {largest:.3g}, {sum(bounded)} of {count} on the boundary; "
        f"first-order condition violated by at most {max(0.0, -lowest):.3g}"
    )
    if largest > 1e-7 or lowest < -1e-7:
        return Finding("refuted", "searched", largest, f"the step differs by {largest:.3g}", evidence)
    return held(largest, evidence, MINIMISER(), loose=False)


C130 = claim(
    "C130",
    Statement(
        place="Algorithm 2, line 8",
        lines=(429, 429),
        kind="algorithm",
        prints=r"Compute $\theta_{t+1} = \operatorname{argmin}_{\theta \in \Theta} \langle \nabla\ell_{t+1}(\theta_t), \theta \rangle + \frac{1}{2\eta} \lVert \theta - \theta_t \rVert^2_{\tilde W_t}$.",
        reading=r"It is a unique point of $\Pi \mathbb R^{K \times d}$, found in closed form inside $\Theta$ and by one scalar equation on its boundary.",
    ),
    mirror_step,
    domain=r"any $K$, $d$; in floats $K = 3$, $d = 2$, random $\theta_t$, $W_t$, arms, outcomes and radii of $\Theta$: the compiled step against the textbook's solver",
    planted={"factor": 3.0},
    module=__name__,
)
