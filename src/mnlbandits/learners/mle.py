"""Maximum likelihood on the data so far: the estimators of the offline methods of Table 1, compiled."""

import math

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.learners.data import evaluate, loss, multiply_basis
from mnlbandits.learners.linalg import cholesky, solve_cholesky, solve_in_ball

PROXIMAL = 1e-9
"""Weight of ||step||^2 / 2 in every Newton step: keeps flat directions where they are, moves no minimiser."""


ROUNDING = 1e-14
"""The same as a part of the Hessian's trace: with 1e8 observations of one arm its rounding exceeds `PROXIMAL`."""


@rare_kernel
def information(data, ridge, phi, arm):
    """tr(H^-1 (G (x) x x^T)): the relative growth of H by a pull of the arm, H the Hessian of L + ridge/2 ||.||^2 at phi."""
    outcomes, free = data.basis.shape
    dim, x = phi.shape[1], data.arms[arm]
    evaluate(data, phi)
    proximal = PROXIMAL
    for i in range(free * dim):
        proximal += ROUNDING * data.hessian[i, i]
    for i in range(free * dim):
        data.hessian[i, i] += ridge + proximal
    cholesky(data.hessian, data.lower)
    p, total = data.scratch.p, 0.0
    for k in range(outcomes):
        p[k] = 0.0
        for j in range(dim):
            p[k] += data.theta[k, j] * x[j]
    top = p[0]
    for k in range(outcomes):
        top = max(top, p[k])
    for k in range(outcomes):
        p[k] = math.exp(p[k] - top)
        total += p[k]
    growth, column = 0.0, data.scratch.column
    for b in range(free):
        mean_b = 0.0
        for k in range(outcomes):
            mean_b += data.basis[k, b] * p[k] / total
        for i in range(free * dim):
            column[i] = x[i % dim] if i // dim == b else 0.0
        solve_cholesky(data.lower, column)
        for a in range(free):
            entry, along = 0.0, 0.0
            for k in range(outcomes):
                entry += data.basis[k, a] * (data.basis[k, b] - mean_b) * p[k] / total
            for j in range(dim):
                along += x[j] * column[a * dim + j]
            growth += entry * along
    return growth


@rare_kernel
def minimise(data, ridge, tilt, radius, phi):
    """Minimise L(phi) + ridge/2 ||phi||^2 - tilt^T phi over ||phi||_F <= radius, in place from `phi` (K-1, d).

    Newton's method with the quadratic model minimised over the ball exactly. Steps with m = sqrt(6) ||step|| > 1/2 are
    damped by log(1 + m)/m, under which a generalised self-concordant objective cannot be overshot (Sun and Tran-Dinh 2019,
    nu = 2); shorter ones are in the region of quadratic convergence. A step leaves at most about m times its own decrement:
    it stops after one that leaves less than 1e-11 standard errors, or when the decrement no longer decreases (rounding).

    Parameters
    ----------
    ridge : >= 0. tilt : (D,). radius : > 0, may be infinite if ridge > 0.

    Returns
    -------
    nu >= 0, the multiplier of the ball: (grad L)(phi) + (ridge + nu) phi = tilt.
    """
    dim = phi.shape[1]
    size = len(tilt)
    target, psi, work = data.scratch.target, data.scratch.psi, data.scratch.work
    previous, nu = math.inf, 0.0
    for _ in range(500):
        evaluate(data, phi)
        proximal = PROXIMAL
        for i in range(size):
            proximal += ROUNDING * data.hessian[i, i]
        for i in range(size):
            data.hessian[i, i] += ridge + proximal
            target[i] = tilt[i] - data.gradient[i] - ridge * phi[i // dim, i % dim]
        for i in range(size):
            for j in range(size):
                target[i] += data.hessian[i, j] * phi[j // dim, j % dim]
        nu = solve_in_ball(data.hessian, target, radius, psi, data.shifted, data.lower, work)
        decrement, length = 0.0, 0.0
        for i in range(size):
            psi[i] -= phi[i // dim, i % dim]
            length += psi[i] * psi[i]
        for i in range(size):
            for j in range(size):
                decrement += psi[i] * data.hessian[i, j] * psi[j]
        reach = math.sqrt(6.0 * length)
        damping = math.log1p(reach) / reach if reach > 0.5 else 1.0
        for i in range(size):
            phi[i // dim, i % dim] += damping * psi[i]
        if decrement * min(1.0, reach * reach) < 1e-22 or (decrement < 1e-12 and decrement >= previous):
            break
        previous = decrement
    return nu


@rare_kernel
def largest_linear(data, ridge, direction, smallest, allowed, radius, phi, tau):
    """max of direction^T phi over {||phi||_F <= radius, F(phi) <= smallest + allowed}, F = L + ridge/2 ||.||^2.

    On the path phi(tau) = argmin over the ball of F(phi) - tau direction^T phi, F increases with tau: Newton's method in tau
    on sqrt(F(phi(tau)) - smallest), between brackets.

    Parameters
    ----------
    direction : (D,), not zero. smallest : min F over the ball. allowed : how much F may exceed it, > 0.
    phi : (K-1, d), where to start, e.g. a former maximiser; the maximiser at the end. tau : (1,), likewise (> 0).

    Returns
    -------
    The maximum.
    """
    dim = phi.shape[1]
    size = len(direction)
    tilt, slope, normal = data.scratch.tilt, data.scratch.slope, data.scratch.normal
    length = 0.0
    for i in range(size):
        length += direction[i] * direction[i]
    length = math.sqrt(length)
    if radius < math.inf:
        for i in range(size):
            tilt[i] = phi[i // dim, i % dim]
            phi[i // dim, i % dim] = radius * direction[i] / length
        if loss(data, phi) + 0.5 * ridge * radius * radius <= smallest + allowed:
            return radius * length
        for i in range(size):
            phi[i // dim, i % dim] = tilt[i]
    low, high, value = 0.0, math.inf, 0.0
    for _ in range(200):
        for i in range(size):
            tilt[i] = tau[0] * direction[i]
        nu = minimise(data, ridge, tilt, radius, phi)
        square, value = 0.0, 0.0
        for i in range(size):
            square += phi[i // dim, i % dim] ** 2
            value += direction[i] * phi[i // dim, i % dim]
        risen = loss(data, phi) + 0.5 * ridge * square - smallest
        value += (allowed - risen) / tau[0]  # to first order in what is missing to the level
        if abs(risen - allowed) <= 1e-10 * allowed + 1e-15 * abs(smallest):
            break
        if risen > allowed:
            high = tau[0]
        else:
            low = tau[0]
        # d phi / d tau = M^-1 direction, M = Hessian of F + nu I, within the tangent plane if the ball is active
        for i in range(size):
            slope[i] = direction[i]
            normal[i] = phi[i // dim, i % dim]
            for j in range(size):
                data.shifted[i, j] = data.hessian[i, j] + (nu if i == j else 0.0)
        cholesky(data.shifted, data.lower)
        solve_cholesky(data.lower, slope)
        if nu > 0.0:
            solve_cholesky(data.lower, normal)
            along, across = 0.0, 0.0
            for i in range(size):
                along += slope[i] * phi[i // dim, i % dim]
                across += normal[i] * phi[i // dim, i % dim]
            for i in range(size):
                slope[i] -= along / across * normal[i]
        rate = 0.0
        for i in range(size):
            rate += direction[i] * slope[i]
        root = math.sqrt(max(0.0, risen))
        growth = tau[0] * rate  # 0 where phi has reached the end of the ball
        following = tau[0] + (math.sqrt(allowed) - root) * 2.0 * root / growth if growth > 0.0 else math.inf
        if not low < following < high:
            following = 4.0 * tau[0] if high == math.inf else (0.25 * high if low == 0.0 else math.sqrt(low * high))
        if nu == 0.0:
            square = 0.0
            for i in range(size):
                phi[i // dim, i % dim] += (following - tau[0]) * slope[i]
                square += phi[i // dim, i % dim] ** 2
            if square > radius * radius:
                for i in range(size):
                    phi[i // dim, i % dim] *= radius / math.sqrt(square)
        tau[0] = following
        if high < math.inf and high - low <= 1e-14 * high:
            break
    return value


@kernel
def mean_rewards(data, rewards, phi, out):
    """rho^T mu(C phi x) of every arm into `out` (N,)."""
    multiply_basis(data, phi)
    for n in range(len(data.arms)):
        top = -math.inf
        for k in range(len(rewards)):
            logit = 0.0
            for j in range(data.arms.shape[1]):
                logit += data.theta[k, j] * data.arms[n, j]
            data.scratch.p[k] = logit
            top = max(top, logit)
        total, mean = 0.0, 0.0
        for k in range(len(rewards)):
            p = math.exp(data.scratch.p[k] - top)
            total += p
            mean += p * rewards[k]
        out[n] = mean / total
