"""OFU-MNL+ (Lee and Oh 2024) and UCB-MNL (Oh and Iyengar 2021).

Both offer the set with the largest revenue at the optimistic utilities x_i^T theta_t + beta_t ||x_i||_{H_t^{-1}}; at the
best set the revenue does not fall when its utilities rise, so this is optimistic whenever the confidence set holds theta. K
is the largest size of a set, B >= ||theta||, and beta_t depends on t and delta wherever its source lets it.

OFU-MNL+ : theta_{t+1} minimises <grad l_t(theta_t), theta> + ||theta - theta_t||^2_{H_t + eta hess l_t(theta_t)} / (2 eta)
    over ||theta|| <= B, then H_{t+1} = H_t + hess l_t(theta_{t+1}), with H_1 = lambda I and eta = log(K + 1)/2 + B + 1.
UCB-MNL : theta_{t+1} minimises sum_s l_s(theta) + kappa/2 ||theta||^2 over ||theta|| <= B, and H_t is I plus the sum of
    x_i x_i^T over all items offered so far. The source has no penalty and explores at random until the maximum likelihood
    estimate exists.

Presets
-------
paper : OFU-MNL+: lambda = 84 sqrt(2) eta d and the radius of the authors' code with its formula evaluated in every round
    and with delta (the code freezes it at t = 1 and drops delta). UCB-MNL: beta_t = sqrt(2 d log(1 + t/d) + 2 log t) / (2
    kappa), whose failure level is 1/t by design, as other people's code has it; the original text was not at hand.
valid : our derivations. OFU-MNL+: the mix-loss argument of `mnlbandits.learners.radii` with D = d, lambda =
    max(6 sqrt(6) eta B, 36 eta d), beta_t^2 = lambda B^2 + 2 eta log(1/delta) + 3 sqrt(6) eta^2 d log(1 + 2 t/(d lambda)).
    It carries over: x_i^T v lies in [-||v||, ||v||] for every item and is 0 for no item, so the loss is 2-self-concordant
    (there sqrt(6)), and its remainder term 4 eta B ||.||^2 and trace <= 1 are at most the ones used there. UCB-MNL: beta_t
    = sqrt(d/2 log(1 + K t/d) + log(1/delta)) / kappa + B. For the penalised loss L, hess L >= kappa H_t in the ball; the
    minimiser over the ball has <grad L(theta_t), theta - theta_t> >= 0, so kappa ||theta - theta_t||_H <= ||grad
    L(theta)||_{H^-1}; the noise is sub-Gaussian with proxy sum_i (v^T x_i)^2 / 2 (Hoeffding; the squared range of the v^T
    x_i is at most twice the sum of their squares), and the penalty adds kappa B.
calibrated : the valid constants with the radius times `radius_multiplier`. No guarantee.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from mnlbandits.assortment.instances import AssortmentInstance
from mnlbandits.assortment.model import best_assortment, kappa
from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.errors import InputError, require_choice, require_positive, require_probability
from mnlbandits.learners.linalg import invert_positive, quadratic_form, solve_in_ball
from mnlbandits.model.softmax import Array

TITLES = {"ofu-mnl+": "OFU-MNL+", "ucb-mnl": "UCB-MNL"}
"""Names of the algorithms, and how figures call them."""

SOURCES = {"ofu-mnl+": "Lee and Oh (2024)", "ucb-mnl": "Oh and Iyengar (2021)"}

PRESETS = ("paper", "valid", "calibrated")


class State(NamedTuple):
    """State of either algorithm; arrays are changed in place."""

    items: Array  # (M, d)
    revenues: Array  # (M,)
    size: int  # K
    norm_bound: float  # B
    delta: float
    likelihood: bool  # UCB-MNL, else OFU-MNL+
    printed: bool  # the paper preset's radius, else the valid one
    scale: float  # multiplier on the radius
    eta: float
    ridge: float  # lambda, or kappa
    theta: Array  # (d,), the estimate theta_t
    h: Array  # (d, d), H_t
    scores: Array  # (M,), optimistic utilities of the last choice
    offered: Array  # (M,), the set of the last choice
    sets: Array  # (C, M), the sets offered so far; OFU-MNL+ keeps the last one only
    counts: Array  # (C, M + 1), how often each showed each outcome
    known: Array  # (1,), number of sets
    wide: Array  # (2, M), scratch
    vectors: Array  # (5, d), scratch
    matrices: Array  # (4, d + 1, d), scratch


def start(
    instance: AssortmentInstance,
    algorithm: str,
    preset: str,
    horizon: int,
    delta: float = 0.05,
    radius_multiplier: float = 1.0,
) -> State:
    """The state before round 1; of the instance it uses everything but theta."""
    require_choice("algorithm", algorithm, TITLES)
    require_choice("preset", preset, PRESETS)
    require_probability("delta", delta)
    require_positive("radius_multiplier", radius_multiplier)
    count, dim = instance.items.shape
    likelihood, bound = algorithm == "ucb-mnl", float(instance.norm_bound)
    eta = 0.5 * math.log(instance.size + 1) + bound + 1
    if likelihood:
        ridge = kappa(instance.size, bound)
        capacity = min(horizon, sum(math.comb(count, members) for members in range(1, instance.size + 1)))
    else:
        ridge = 84 * math.sqrt(2) * eta * dim if preset == "paper" else max(6 * math.sqrt(6) * bound, 36 * dim) * eta
        capacity = 1
    return State(
        items=np.ascontiguousarray(instance.items),
        revenues=instance.revenues.astype(float),
        size=instance.size,
        norm_bound=bound,
        delta=delta,
        likelihood=likelihood,
        printed=preset == "paper",
        scale=radius_multiplier if preset == "calibrated" else 1.0,
        eta=eta,
        ridge=ridge,
        theta=np.zeros(dim),
        h=np.eye(dim) * (1.0 if likelihood else ridge),
        scores=np.zeros(count),
        offered=np.zeros(count, dtype=bool),
        sets=np.zeros((capacity, count), dtype=bool),
        counts=np.zeros((capacity, count + 1)),
        known=np.zeros(1, dtype=np.int64),
        wide=np.zeros((2, count)),
        vectors=np.zeros((5, dim)),
        matrices=np.zeros((4, dim + 1, dim)),
    )


def refuse_other_framework(field: str, name: Any) -> None:
    """Raise `InputError` if an algorithm of this framework is named where those of the paper's are played."""
    if isinstance(name, str) and name in TITLES:
        allowed = f"one that plays multinomial logistic bandits: {TITLES[name]} plays the other framework, assortments"
        raise InputError(field, name, f"{allowed} (Appendix E), and is run by the study `assortment`")


@kernel
def radius(state, t):
    """The confidence radius beta_t, see the module's docstring."""
    dim, eta, ridge, bound = len(state.theta), state.eta, state.ridge, state.norm_bound
    if state.likelihood:
        if state.printed:
            return math.sqrt(2.0 * dim * math.log(1.0 + t / dim) + 2.0 * math.log(t)) / (2.0 * ridge)
        square = 0.5 * dim * math.log(1.0 + state.size * t / dim) + math.log(1.0 / state.delta)
        return state.scale * (math.sqrt(square) / ridge + bound)
    if state.printed:
        log_term = math.log(2.0 * math.sqrt(1.0 + 2.0 * t) / state.delta)
        bracket = 17.0 / 16.0 * ridge + 2.0 * math.sqrt(ridge) * log_term + 16.0 * log_term**2
        square = (3.0 * math.log(1.0 + (state.size + 1.0) * t) + 3.0) * bracket + 2.0
        square += 7.0 * math.sqrt(6.0) / 6.0 * eta * dim * math.log(1.0 + (t + 1.0) / (2.0 * ridge))
        return math.sqrt(2.0 * eta * square + 4.0 * ridge * bound**2)
    square = ridge * bound**2 + 2.0 * eta * math.log(1.0 / state.delta)
    square += 3.0 * math.sqrt(6.0) * eta**2 * dim * math.log(1.0 + 2.0 * t / (dim * ridge))
    return state.scale * math.sqrt(square)


@kernel
def choose(state, t):
    """Optimistic utilities into `scores`, and the set with the largest revenue at them into `offered`."""
    dim, width = len(state.theta), radius(state, t)
    inverse = state.matrices[0, :dim]
    invert_positive(state.h, inverse, state.matrices[1])
    for i in range(len(state.items)):
        state.scores[i] = width * math.sqrt(max(0.0, quadratic_form(inverse, state.items[i])))
        for j in range(dim):
            state.scores[i] += state.items[i, j] * state.theta[j]
    best_assortment(state.scores, state.revenues, state.size, state.wide, state.offered)


@kernel
def update(state, t, outcome):
    """The estimate and the matrix for the next round."""
    if state.likelihood:
        record(state, outcome)
        fit(state)
    else:
        descend(state, outcome)


@kernel
def ratio(state, t, theta):
    """||theta - theta_{t+1}||_{H_{t+1}} / beta_t of the confidence set, for theta (d,)."""
    difference = state.vectors[0]
    for j in range(len(theta)):
        difference[j] = theta[j] - state.theta[j]
    return math.sqrt(quadratic_form(state.h, difference)) / radius(state, t)


@rare_kernel
def add_loss(items, theta, offered, counts, z, mean, gradient, hessian):
    """Add gradient (d,) and Hessian (d, d) at `theta` of the losses of one set with `counts` (M + 1,), and return their sum.

    `z` (M,) and `mean` (d,) are scratch.
    """
    count, dim = items.shape
    top, trials = 0.0, counts[count]
    for i in range(count):
        if offered[i]:
            z[i] = 0.0
            for j in range(dim):
                z[i] += items[i, j] * theta[j]
            top = max(top, z[i])
            trials += counts[i]
    total = math.exp(-top)
    for i in range(count):
        if offered[i]:
            total += math.exp(z[i] - top)
    loss = trials * (top + math.log(total))
    mean[:] = 0.0
    for i in range(count):
        if offered[i]:
            loss -= counts[i] * z[i]
            p = math.exp(z[i] - top) / total
            for j in range(dim):
                mean[j] += p * items[i, j]
                gradient[j] += (trials * p - counts[i]) * items[i, j]
                for k in range(dim):
                    hessian[j, k] += trials * p * items[i, j] * items[i, k]
    for j in range(dim):
        for k in range(dim):
            hessian[j, k] -= trials * mean[j] * mean[k]
    return loss


@rare_kernel
def descend(state, outcome):
    """One mirror-descent step within the ball, then H += hess l_t at the new estimate."""
    dim = len(state.theta)
    gradient, target, mean, work = state.vectors[0], state.vectors[1], state.vectors[2], state.vectors[3]
    tilde, hessian = state.matrices[0, :dim], state.matrices[1, :dim]
    counts = state.counts[0]
    counts[:] = 0.0
    counts[outcome] = 1.0
    gradient[:] = 0.0
    hessian[:] = 0.0
    add_loss(state.items, state.theta, state.offered, counts, state.wide[0], mean, gradient, hessian)
    for i in range(dim):
        target[i] = -state.eta * gradient[i]
        for j in range(dim):
            tilde[i, j] = state.h[i, j] + state.eta * hessian[i, j]
            target[i] += tilde[i, j] * state.theta[j]
    solve_in_ball(tilde, target, state.norm_bound, state.theta, hessian, state.matrices[2, :dim], work)
    add_loss(state.items, state.theta, state.offered, counts, state.wide[0], mean, gradient, state.h)


@kernel
def same(left, right):
    """Whether two masks are equal."""
    equal = True
    for i in range(len(left)):
        equal = equal and left[i] == right[i]
    return equal


@rare_kernel
def record(state, outcome):
    """Count the outcome of the offered set, and add its items to H."""
    count, dim = state.items.shape
    row = 0
    while row < state.known[0] and not same(state.sets[row], state.offered):
        row += 1
    state.known[0] = max(state.known[0], row + 1)
    state.counts[row, outcome] += 1.0
    for i in range(count):
        state.sets[row, i] = state.offered[i]
        if state.offered[i]:
            for j in range(dim):
                for k in range(dim):
                    state.h[j, k] += state.items[i, j] * state.items[i, k]


@rare_kernel
def penalised_loss(state, theta, gradient, hessian):
    """The penalised loss of all data at `theta`, with its gradient and Hessian."""
    loss = 0.0
    gradient[:] = 0.0
    hessian[:] = 0.0
    for row in range(state.known[0]):
        loss += add_loss(
            state.items, theta, state.sets[row], state.counts[row], state.wide[0], state.vectors[4], gradient, hessian
        )
    for j in range(len(theta)):
        loss += 0.5 * state.ridge * theta[j] ** 2
        gradient[j] += state.ridge * theta[j]
        hessian[j, j] += state.ridge
    return loss


@rare_kernel
def fit(state):
    """Newton's method for the penalised maximum likelihood estimate in the ball, from the last estimate.

    Every step minimises the quadratic model over the ball. A long one is halved until the loss falls; one of length l <=
    1e-3 shrinks the distance to the solution, in the norm of the Hessian, by a factor of about 2 l (self-concordance).
    """
    dim, theta = len(state.theta), state.theta
    gradient, target, proposal, work = state.vectors[0], state.vectors[1], state.vectors[2], state.vectors[3]
    hessian, spare, lower = state.matrices[0, :dim], state.matrices[1, :dim], state.matrices[2, :dim]
    for _ in range(100):
        loss = penalised_loss(state, theta, gradient, hessian)
        for i in range(dim):
            target[i] = -gradient[i]
            for j in range(dim):
                target[i] += hessian[i, j] * theta[j]
        solve_in_ball(hessian, target, state.norm_bound, proposal, spare, lower, work)
        slope, length = 0.0, 0.0
        for j in range(dim):
            slope += gradient[j] * (proposal[j] - theta[j])
            length = max(length, abs(proposal[j] - theta[j]))
        step = 1.0
        while length > 1e-3 and penalised_loss(state, proposal, target, spare) > loss + 1e-4 * step * slope:
            step *= 0.5
            for j in range(dim):
                proposal[j] = 0.5 * (proposal[j] + theta[j])
        for j in range(dim):
            theta[j] = proposal[j]
        if length <= 1e-8:
            break
