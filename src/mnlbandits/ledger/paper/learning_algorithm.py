"""Algorithm 2, REAL: its first estimate and its step."""

import itertools
from dataclasses import replace

import numpy as np

from mnlbandits.algorithms.omd import learn, make_learner
from mnlbandits.instances import Instance
from mnlbandits.ledger.arithmetic import DIGITS, FLOATS, Number
from mnlbandits.ledger.arithmetic.quotients import unknowns
from mnlbandits.ledger.claim import Exactly, Statement, claim
from mnlbandits.ledger.finding import Finding, corrected, exceedance, held
from mnlbandits.ledger.formulas.learning import sigma_t
from mnlbandits.ledger.formulas.softmax import sigmoid, slope
from mnlbandits.ledger.search import Effort
from mnlbandits.ledger.simulate.exploration import DELTA, explorations, precise_theta, precise_truth, ridge_of, short_arm
from mnlbandits.ledger.simulate.learning import distance, learning
from mnlbandits.model.softmax import Array, contrast_basis, loss_gradient, softmax_jacobian
from mnlbandits.seeds import generator
from mnlbandits.textbook.solvers import mirror_descent


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
    found = exceedance(
        ratios,
        DELTA,
        rf"largest distance/$\sigma$ {max(ratios):.4g}",
        lambda run: first_step(instance, ends[run].counts, ends[run].state.tau),
        "from the counts of the exploration and after one round of either outcome",
    )
    words = rf"$K = 2$, $d = 1$, $S = {instance.norm_bound:g}$, the single arm $10^{{-5}}$, $\theta_{{\tau+1}}$: {start}"
    return replace(found, counterexample=f"{words}: {found.counterexample}") if found.counterexample else found


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
        return Finding(
            "refuted", "searched", difference=largest, counterexample=f"the step differs by {largest:.3g}", evidence=evidence
        )
    return held(largest, evidence, MINIMISER(), loose=False)


C130 = claim(
    "C130",
    Statement(
        place="Algorithm 2, line 8",
        lines=(427, 427),
        kind="algorithm",
        prints=r"Compute $\theta_{t+1} = \operatorname{argmin}_{\theta \in \Theta} \langle \nabla\ell_{t+1}(\theta_t), \theta \rangle + \frac{1}{2\eta} \lVert \theta - \theta_t \rVert^2_{\tilde W_t}$.",
        reading=r"It is a unique point of $\Pi \mathbb R^{K \times d}$, found in closed form inside $\Theta$ and by one scalar equation on its boundary.",
    ),
    mirror_step,
    domain=r"any $K$, $d$; in floats $K = 3$, $d = 2$, random $\theta_t$, $W_t$, arms, outcomes and radii of $\Theta$: the compiled step against the textbook's solver",
    planted={"factor": 3.0},
    module=__name__,
)
