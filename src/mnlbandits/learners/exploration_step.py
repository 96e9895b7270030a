"""How theta^w of Algorithm 3 moves in a round of exploration: its lines 8 and 9, or mirror descent in the ball.

As printed it is one step in the norm of a matrix that the outcomes do not change,

    Htilde^w_t = M + eta^w/kappa I (x) x_t x_t^T
    theta^w_{t+1} = theta^w_t - eta^w (Htilde^w_t)^-1 grad l_t(theta^w_t)

with M = H^w_{t-1}, or M = H of the learning phase, see the readings of `adaptive_real`. A state has `explorer`, a learner
whose phi is that of theta^w, `learner` for H, the design of H^w with its inverse and scores, `kappa` and `step`.
"""

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.learners.likelihood import probabilities, residual, residual_of_many
from mnlbandits.learners.linalg import solve_general, total
from mnlbandits.learners.mirror_descent import learn, learn_many

REPAIRED, PRINTED, IN_BALL = range(3)
"""How theta^w moves: by the two readings of the printed step, or by mirror descent in the ball of radius S."""


@kernel
def explore(state, arm, outcome):
    """theta^w_{t+1} after one round."""
    if state.step == IN_BALL:
        learn_in_ball(state.explorer, arm, outcome)
    else:
        learner, p = state.learner, state.learner.scratch.p
        probabilities(learner.basis, state.explorer.phi, learner.arms[arm], p)
        residual(learner.basis, p, outcome, learner.scratch.r)
        step_printed(state, arm, 1.0)


@kernel
def explore_many(state, arm, counts):
    """`explore` for many rounds of an arm at once, which showed the outcomes `counts` (K,)."""
    if state.step == IN_BALL:
        learn_many(state.explorer, arm, counts)
    else:
        learner, p, pulls = state.learner, state.learner.scratch.p, total(counts)
        probabilities(learner.basis, state.explorer.phi, learner.arms[arm], p)
        residual_of_many(learner.basis, p, pulls, counts, learner.scratch.r)
        step_printed(state, arm, pulls)


@rare_kernel
def learn_in_ball(explorer, arm, outcome):
    """`learn`, compiled once more outside the loop."""
    learn(explorer, arm, outcome)


@kernel
def step_printed(state, arm, pulls):
    """Lines 8 and 9: theta^w -= eta^w (M + (eta^w pulls/kappa) I (x) x x^T)^-1 grad, M = H^w, or H in the printed reading.

    grad is the gradient at theta^w of the loss summed over the pulls; its factor before x is in the scratch.
    """
    learner, explorer = state.learner, state.explorer
    free, dim = explorer.phi.shape
    x, factor, system = learner.arms[arm], learner.scratch.r, learner.scratch.system
    weight = explorer.eta * pulls / state.kappa
    if state.step == PRINTED:
        for a in range(free):
            for b in range(free):
                system[a, b] = weight * learner.blocks[a, b, arm] + (1.0 if a == b else 0.0)
        solve_general(system, factor)
        for i in range(free * dim):
            for b in range(free):
                for j in range(dim):
                    move = explorer.eta * learner.inverse[i, b * dim + j] * x[j] * factor[b]
                    explorer.phi[i // dim, i % dim] -= move
        return
    scale = explorer.eta / (1.0 + weight * state.design_scores[arm])
    for j in range(dim):
        direction = 0.0
        for i in range(dim):
            direction += state.design_inverse[j, i] * x[i]
        for a in range(free):
            explorer.phi[a, j] -= scale * direction * factor[a]
