"""The most optimistic parameter of a log-loss set for one arm: one convex program, a few passes over the data.

The set is {||phi|| <= bound, F(phi) <= min F + excess} with F = L + ridge/2 ||.||^2. The objective f is the logarithm of the
odds of one outcome, log mu_a/(1 - mu_a) at C phi x, for two outcomes a logit: concave, increasing in mu_a, and steep where
mu_a is 1 up to rounding. Every step replaces F and f by their quadratic models (sequential quadratic programming, of
order two), which takes two or three passes from the maximiser of the round before. Should that not converge, a path does:
phi(tau) = argmin over the ball of F - tau log mu_a(C phi x), the ridge estimator of the data with tau more observations of a
at x, along which F increases.
"""

import math

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.learners.data import evaluate, multiply_basis
from mnlbandits.learners.linalg import solve_cholesky, solve_in_ball
from mnlbandits.learners.log_loss_set import FOLLOWED, SOLVED, minimise_with, penalised_loss
from mnlbandits.learners.mle import PROXIMAL, ROUNDING

STEPS = 10
"""Most steps of the quadratic models before the path is followed."""


FOUND = 1e-10
"""Bound on how far f may lie below its maximum at which the path is not followed: flat directions may never settle."""


@kernel
def objective(region, arm, outcome, phi):
    """f(phi); its gradient into `slopes` (D,) and minus its Hessian into `bend` (D, D) of the scratch.

    Rows of C are taken relative to that of the likeliest other outcome, as in `likelihood.curvature`; `region.p` holds the
    probabilities q of the others among themselves.
    """
    data, q, gradient, bend = region.data, region.p, region.scratch.slopes, region.scratch.bend
    (outcomes, free), dim, x = data.basis.shape, data.arms.shape[1], data.arms[arm]
    multiply_basis(data, phi)
    likeliest, total, basis = 1 if outcome == 0 else 0, 0.0, data.basis
    for k in range(outcomes):
        q[k] = 0.0
        for j in range(dim):
            q[k] += data.theta[k, j] * x[j]
        if k != outcome and q[k] > q[likeliest]:
            likeliest = k
    top = q[likeliest]
    value = q[outcome] - top
    for k in range(outcomes):
        q[k] = math.exp(q[k] - top) if k != outcome else 0.0
        total += q[k]
    value -= math.log(total)
    for k in range(outcomes):
        q[k] /= total
    for a in range(free):
        mean = 0.0
        for k in range(outcomes):
            mean += q[k] * (basis[k, a] - basis[likeliest, a])
        for i in range(dim):
            gradient[a * dim + i] = (basis[outcome, a] - basis[likeliest, a] - mean) * x[i]
        for b in range(free):
            entry = 0.0
            for k in range(outcomes):
                entry += q[k] * (basis[k, a] - basis[likeliest, a] - mean) * (basis[k, b] - basis[likeliest, b])
            for i in range(dim):
                for j in range(dim):
                    bend[a * dim + i, b * dim + j] = entry * x[i] * x[j]
    return value


@rare_kernel
def model_step(region, left, phi, tau):
    """The `step` (D,) that maximises the model of f where that of F rises by at most `left`, within the ball.

    If no step in the ball rises that much, the model of f decides alone; if all rise more, that of F.

    The models are those at phi. With the multiplier tau (1,) of F, where the search starts and which it leaves, the step
    minimises model F - tau model f. The rise increases with tau: Newton's method on the root of F's excess, in brackets.
    Where F and f are parallel up to rounding it jumps at one tau, and all between the steps on both sides are minimisers.

    Returns
    -------
    nu >= 0, the multiplier of the ball, or -1 if the model of F does not rise by `left` (then tau is left as it was).
    """
    data, scratch, dim = region.data, region.scratch, phi.shape[1]
    slopes, step, target, psi = scratch.slopes, scratch.step, scratch.target, scratch.psi
    slope, normal, bend, bent, ends = scratch.slope, scratch.normal, scratch.bend, scratch.bent, scratch.ends
    size, allowed = len(step), region.allowed[0]
    low, high, first = 0.0, math.inf, tau[0]
    rise_low, rise_high, nu_low, nu_high = 0.0, 0.0, 0.0, 0.0
    if left < 0.0:
        tau[0] = 0.0  # can F fall that far?
    for _ in range(200):
        proximal = 0.0
        for i in range(size):
            proximal += ROUNDING * (data.hessian[i, i] + tau[0] * bend[i, i])
        for i in range(size):
            target[i] = tau[0] * slopes[i] - data.gradient[i]
            for j in range(size):
                bent[i, j] = data.hessian[i, j] + tau[0] * bend[i, j] + (proximal if i == j else 0.0)
                target[i] += bent[i, j] * phi[j // dim, j % dim]
        nu = solve_in_ball(bent, target, region.bound, psi, data.shifted, data.lower, data.scratch.work)
        rise = 0.0
        for i in range(size):
            step[i] = psi[i] - phi[i // dim, i % dim]
        for i in range(size):
            slope[i] = slopes[i]
            normal[i] = psi[i]
            curved = 0.0
            for j in range(size):
                curved += data.hessian[i, j] * step[j]
                slope[i] -= bend[i, j] * step[j]
            rise += step[i] * (data.gradient[i] + 0.5 * curved)
            target[i] = slope[i]
        if abs(rise - left) <= 1e-12 * allowed and tau[0] > 0.0:
            return nu
        if tau[0] == 0.0:
            tau[0] = first
            if rise >= left:
                return -1.0
            continue
        if rise > left:
            high, rise_high, nu_high = tau[0], rise, nu
        else:
            low, rise_low, nu_low = tau[0], rise, nu
        for i in range(size):
            ends[1 if rise > left else 0, i] = step[i]
        solve_cholesky(data.lower, slope)
        if nu > 0.0:
            solve_cholesky(data.lower, normal)
            along, across = 0.0, 0.0
            for i in range(size):
                along += slope[i] * psi[i]
                across += normal[i] * psi[i]
            for i in range(size):
                slope[i] -= along / across * normal[i]
        growth = 0.0
        for i in range(size):
            growth += tau[0] * target[i] * slope[i]
        pull, rest = 0.0, 0.0
        for i in range(size):
            pull += (tau[0] * target[i]) ** 2
            rest += (tau[0] * target[i] - nu * psi[i]) ** 2
        if high == math.inf and rest <= 1e-20 * pull:  # F no longer matters
            break
        root = math.sqrt(max(0.0, allowed + rise - left))
        following = tau[0] + (math.sqrt(allowed) - root) * 2.0 * root / growth if growth > 0.0 else math.inf
        if not low < following < high:
            following = 4.0 * tau[0] if high == math.inf else (0.25 * high if low == 0.0 else math.sqrt(low * high))
        if high < math.inf and high - low <= 1e-14 * high:
            if abs(rise - left) <= 1e-8 * allowed:
                return nu
            share = (left - rise_low) / (rise_high - rise_low)
            for i in range(size):
                step[i] = ends[0, i] + share * (ends[1, i] - ends[0, i])
            return nu_low + share * (nu_high - nu_low)
        tau[0] = following
    tau[0] = first
    return -1.0


@rare_kernel
def follow_path(region, arm, outcome, phi):
    """A phi near the maximiser of log mu_outcome(C phi x) over the set: F within 1e-6 of its largest excess."""
    for a in range(phi.shape[0]):
        for j in range(phi.shape[1]):
            phi[a, j] = region.estimate[a, j]
    allowed, low, high, tau = region.allowed[0], 0.0, math.inf, 1.0
    for _ in range(200):
        minimise_with(region, arm, outcome, tau, phi)
        risen = penalised_loss(region, phi) - region.smallest[0]
        if abs(risen - allowed) <= 1e-6 * allowed or (high < math.inf and high - low <= 1e-12 * high):
            return
        if risen > allowed:
            high = tau
        else:
            low = tau
        tau = 4.0 * tau if high == math.inf else (0.25 * high if low == 0.0 else math.sqrt(low * high))


@rare_kernel
def most_optimistic(region, arm, outcome, enough):
    """max of f, the log odds of `outcome`, over the set; or a value of f in the set that is at least `enough`.

    The maximiser goes into `region.points[arm]`, a bound on how far the maximum may lie above the value returned into
    `region.gap`: with h = F - tau f, Hessian A, and the last step s to phi + s, whose multiplier in the ball is nu,
    max f <= f(phi) + (min F + excess - F(phi) + nu (phi + s)^T s + ||s||_A^2/(4 omega))/tau, as h is generalised
    self-concordant: h(y) >= h(phi) + grad h^T (y - phi) + omega ||y - phi||_A^2 in the ball, omega =
    (exp(-r) + r - 1)/r^2 with r = 2 sqrt(6) bound. What the proximal terms of A add is counted.
    """
    data, phi, tau, ridge = region.data, region.points[arm], region.multipliers[arm], region.ridge[0]
    dim, size, corner, scratch = phi.shape[1], len(region.untilted), region.corners[arm], region.scratch
    step, bent = scratch.step, scratch.bent
    level, allowed = region.smallest[0] + region.allowed[0], region.allowed[0]
    region.counters[SOLVED] += 1
    region.gap[0] = 0.0
    if not data.arms[arm].any():  # f is constant
        return objective(region, arm, outcome, phi)
    for attempt in range(2):
        for visit in range(STEPS):
            height = evaluate(data, phi, True)
            for i in range(size):
                entry = phi[i // dim, i % dim]
                height += 0.5 * ridge * entry * entry
                data.gradient[i] += ridge * entry
                data.hessian[i, i] += ridge + PROXIMAL
            below = height
            for i in range(size):
                below += data.gradient[i] * (corner[i // dim, i % dim] - phi[i // dim, i % dim])
            if attempt == 0 and visit == 0 and below <= level and penalised_loss(region, corner) <= level:
                for i in range(size):
                    phi[i // dim, i % dim] = corner[i // dim, i % dim]
                return objective(region, arm, outcome, phi)
            value = objective(region, arm, outcome, phi)
            if value >= enough and height <= level:
                return value
            nu = model_step(region, level - height, phi, tau)
            decrement, length, outward, proximal = 0.0, 0.0, 0.0, PROXIMAL
            for i in range(size):
                proximal += ROUNDING * bent[i, i]
                length += step[i] * step[i]
                for j in range(size):
                    decrement += step[i] * bent[i, j] * step[j]
            for i in range(size):
                phi[i // dim, i % dim] += step[i]
                outward += phi[i // dim, i % dim] * step[i]
            settled = math.sqrt(6.0 * length) * decrement <= 1e-13 * allowed
            if nu >= 0.0 and (settled or visit == STEPS - 1):
                reach = 2.0 * math.sqrt(6.0) * region.bound
                omega = (math.exp(-reach) + reach - 1.0) / (reach * reach)
                slack = nu * outward + decrement / (4.0 * omega) + 2.0 * proximal * region.bound**2
                highest = value + (level - height + slack) / tau[0]
                reached = objective(region, arm, outcome, phi)
                region.gap[0] = max(0.0, highest - reached)
                if settled or attempt == 1 or region.gap[0] <= FOUND * max(1.0, abs(reached)):
                    return reached
        if attempt == 0:
            region.counters[FOLLOWED] += 1
            follow_path(region, arm, outcome, phi)
            tau[0] = 1.0
    region.gap[0] = math.inf
    return objective(region, arm, outcome, phi)
