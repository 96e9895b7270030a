"""One step of mirror descent a round: lines 7 to 9 of Algorithm 2, shared by REAL and OFUL-MLogB.

The step:

    Wtilde_t = W_t + eta grad mu(theta_t x_t) (x) x_t x_t^T
    theta_{t+1} = argmin over the set of <grad l_{t+1}(theta_t), theta> + 1/(2 eta) ||theta - theta_t||^2_{Wtilde_t}
    W_{t+1} = W_t + grad mu(theta_{t+1} x_t) (x) x_t x_t^T

in the coordinates phi of a `learner`; `projection` keeps the step in the set.
"""

import math

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.instances import Problem
from mnlbandits.learners.learner import PROJECTED, Learner, add_curvature, information, make_learner, prepare
from mnlbandits.learners.likelihood import curvature, probabilities, residual, residual_of_many
from mnlbandits.learners.linalg import solve_general, total
from mnlbandits.learners.projection import distance_to_centre, project
from mnlbandits.learners.radii import OnlineRadius
from mnlbandits.learners.reference import reference_of


def in_reference_ball(problem: Problem, restated: bool, scale: float) -> tuple[Learner, OnlineRadius]:
    """Learner and radius of OFUL-MLogB: in the ball ||beta||_F <= S of reference-class coordinates, from beta = 0 on.

    eta = log(K)/2 + S + 1; lambda = 84 sqrt(2) eta (D + S) if `restated`, else max(6 sqrt(6) eta S, 36 eta D).
    """
    outcomes, size, reference = problem.outcomes, (problem.outcomes - 1) * problem.dim, reference_of(problem)
    bound = reference.norm_bound
    eta = 0.5 * math.log(outcomes) + bound + 1
    ridge = 84 * math.sqrt(2) * eta * (size + bound) if restated else max(6 * math.sqrt(6) * eta * bound, 36 * eta * size)
    fresh = problem.fresh
    learner = make_learner(reference.basis, problem.arms, reference.rewards, ridge, eta, bound, fresh=fresh)
    return learner, OnlineRadius(outcomes, size, eta, ridge, bound, problem.delta, restated, float(scale))


@kernel
def learn(learner, arm, outcome):
    """One round, lines 7 to 9 of Algorithm 2: the constrained step, then W += grad mu(theta_{t+1} x) (x) x x^T."""
    step(learner, arm, outcome)
    add_curvature(learner, arm, 1.0)


@kernel
def step(learner, arm, outcome):
    """Lines 7 and 8 of Algorithm 2 alone: the constrained mirror-descent step."""
    p = learner.scratch.p
    probabilities(learner.basis, learner.phi, learner.arms[arm], p)
    residual(learner.basis, p, outcome, learner.scratch.r)
    descend(learner, arm, 1.0)


@rare_kernel
def learn_many(learner, arm, counts):
    """The step of `learn` on the summed losses of many rounds of one arm, which showed the outcomes `counts` (K,)."""
    p, pulls = learner.scratch.p, total(counts)
    probabilities(learner.basis, learner.phi, learner.arms[arm], p)
    residual_of_many(learner.basis, p, pulls, counts, learner.scratch.r)
    descend(learner, arm, pulls)
    add_curvature(learner, arm, pulls)


@kernel
def descend(learner, arm, pulls):
    """The step, with the probabilities of the arm and the gradient's factor before x in the scratch."""
    free, dim = learner.phi.shape
    p, g, factor, proposal = learner.scratch.p, learner.scratch.g, learner.scratch.r, learner.scratch.phi
    columns, block = learner.scratch.columns, learner.scratch.block
    prepare(learner, arm)

    # Unconstrained step: phi - eta Wtilde^-1 grad with Wtilde = W + ahead pulls G (x) x x^T, by Woodbury.
    curvature(learner.basis, p, g)
    system = learner.scratch.system
    for a in range(free):
        for b in range(free):
            g[a, b] = learner.ahead * (g[a, b] * pulls)
    for a in range(free):
        for b in range(free):
            system[a, b] = 0.0
            for c in range(free):
                system[a, b] += g[a, c] * block[c, b]
        system[a, a] += 1.0
    solve_general(system, factor)
    for a in range(free):
        for j in range(dim):
            proposal[a, j] = learner.phi[a, j]
            for b in range(free):
                proposal[a, j] -= learner.eta * columns[a * dim + j, b] * factor[b]
    if distance_to_centre(learner, proposal) > learner.radius[0]:
        project(learner, g, proposal)
        learner.counters[PROJECTED] += 1
    for a in range(free):
        for j in range(dim):
            learner.phi[a, j] = proposal[a, j]


@kernel
def pull(state, t, arm, counts):
    """`learn_many` of the state's learner."""
    learn_many(state.learner, arm, counts)


@kernel
def information_of_learner(state, arm):
    """`information` of the state's learner."""
    return information(state.learner, arm)
