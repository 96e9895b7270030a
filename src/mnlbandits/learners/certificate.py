"""How far the optimistic reward can be above its value at the best point found: shells around it, boxes for the rest."""

import math

from mnlbandits.compiled import kernel, rare_kernel
from mnlbandits.learners.ascent import rise
from mnlbandits.learners.eigen import largest_eigenvalue
from mnlbandits.learners.expansion import MEAN, NORM, bonus, expand, measure_index, point_of
from mnlbandits.learners.majorant import rise_within
from mnlbandits.learners.search import BEST, OTHER, TRIAL

TOLERANCE = 0.01
"""The search ends when the index is nowhere above by more than this part of the bonus, and of how far it varies."""


BOXES = 3000
"""Most boxes of a search."""


@rare_kernel
def certify(search, bounds):
    """Bound the index above the best point; whether there is a better one, then into `other`.

    The bound and the boxes that it took go into the certificate.
    """
    dim, certificate = len(search.weights), search.certificate
    best, other = point_of(search.points, BEST), point_of(search.points, OTHER)
    certificate[0], certificate[1] = 0.0, 0.0
    if dim == 1 and not search.ball:
        search.vectors[1, 0] = -best.x[0]
        expand(search.model, search.vectors[1], other, search.scratch)
        return rise(search.logits, search.model.rewards, best, other, bounds) > 0.0
    allowed = tolerance(search, bounds)
    radius, certificate[0] = follow_shells(search, bounds, allowed)
    if radius >= 2.0:
        return False
    return search_boxes(search, bounds, allowed, radius)


@kernel
def tolerance(search, bounds):
    """The rise that the search allows: a part of the bonus or of the range of the index, and never less than rounding."""
    best, trial = point_of(search.points, BEST), point_of(search.points, TRIAL)
    y, deepest = search.vectors[1], 0.0
    dim = len(y)
    for side in range(2 * dim):
        for j in range(dim):
            y[j] = search.frame[j, side // 2] if side % 2 else -search.frame[j, side // 2]
        measure_index(search.model, y, trial, search.scratch)
        deepest = max(deepest, -rise(search.logits, search.model.rewards, best, trial, bounds))
    size = bonus(best, bounds.sigma, bounds.second_order)
    if size == 0.0:
        size = 1e-6 * deepest
    return TOLERANCE * min(size, deepest) + 1e-14 * (size + abs(best.values[MEAN]))


@kernel
def follow_shells(search, bounds, allowed):
    """The radius around the best point up to which the index is bounded by `allowed` above it, and that bound."""
    best, inner, reach, highest = point_of(search.points, BEST), 0.0, 2.0, 0.0
    for i in range(len(best.x)):
        for j in range(len(best.x)):
            search.matrix[i, j] = best.square[i, j]
    size = largest_eigenvalue(search.matrix, search.scratch.root)
    while inner < 2.0:
        bound = rise_around(search, best, bounds, reach, best.values[NORM], inner)
        if bound > allowed and inner > 0.0:
            s = math.sqrt(best.values[NORM] ** 2 + size * inner * inner)
            bound = min(bound, rise_around(search, best, bounds, reach, s, inner))
        if bound <= allowed:
            highest, inner, reach = max(highest, bound), reach, min(2.0, 2.0 * reach)
        else:
            reach = inner + 0.5 * (reach - inner)
            if reach < 1.05 * inner or reach < 1e-13:
                break
    return inner, highest


@kernel
def rise_around(search, point, bounds, reach, s, least):
    """The better bound of the two for lambda_max."""
    cover, ball, scratch = search.cover, search.ball, search.scratch
    bound = rise_within(point, bounds, cover, reach, s, True, ball, least, scratch)
    if len(point.r) > 1 and bounds.second_order > 0.0:
        bound = min(bound, rise_within(point, bounds, cover, reach, s, False, ball, least, scratch))
    return bound


@rare_kernel
def search_boxes(search, bounds, allowed, radius):
    """Bound the index outside the radius around the best point; whether a better point was found, then into `other`."""
    dim, certificate = len(search.weights), search.certificate
    best, other = point_of(search.points, BEST), point_of(search.points, OTHER)
    boxes, centre, half, x = search.boxes, search.vectors[1], search.vectors[2], search.vectors[3]
    capacity, head, waiting = len(boxes), 0, 1
    for i in range(dim):
        boxes[0, i], boxes[0, dim + i] = 0.0, 1.0
    boxes[0, 2 * dim] = math.inf
    while waiting > 0:
        box = boxes[head]
        if certificate[1] >= BOXES or waiting + 1 >= capacity:
            for i in range(waiting):
                certificate[0] = max(certificate[0], boxes[(head + i) % capacity, 2 * dim])
            return False
        certificate[1] += 1.0
        for i in range(dim):
            centre[i], half[i] = box[i], box[dim + i]
        bound = box[2 * dim]
        head, waiting = (head + 1) % capacity, waiting - 1
        if outside(search, centre, half) or within_shells(search, centre, half, radius):
            continue
        bound = min(bound, coarse_rise(search, bounds, centre, half))
        if bound > allowed:
            reach = project(search, centre, half, x)
            measure_index(search.model, x, other, search.scratch)
            above = rise(search.logits, search.model.rewards, best, other, bounds)
            if above > allowed:
                return True
            if bounds.steepness * reach <= 1.0:
                expand(search.model, x, other, search.scratch)
                size = 0.0
                for i in range(dim):
                    size += other.square[i, i]
                s = max(other.values[NORM], 0.5 * math.sqrt(size) * reach)
                bound = min(bound, above + rise_around(search, other, bounds, reach, s, 0.0))
        if bound <= allowed:
            certificate[0] = max(certificate[0], bound)
            continue
        widest = 0
        for i in range(dim):
            if half[i] * search.weights[i] > half[widest] * search.weights[widest] * (1.0 + 1e-9):
                widest = i
        for side in range(2):
            child = boxes[(head + waiting) % capacity]
            for i in range(dim):
                child[i], child[dim + i] = centre[i], half[i]
            child[dim + widest] = 0.5 * half[widest]
            child[widest] = centre[widest] + (0.5 - side) * half[widest]
            child[2 * dim] = bound
            waiting += 1
    return False


@kernel
def outside(search, centre, half):
    """Whether a box has no point of the set."""
    nearest, farthest = 0.0, 0.0
    for i in range(len(centre)):
        nearest += max(0.0, abs(centre[i]) - half[i]) ** 2
        farthest += (abs(centre[i]) + half[i]) ** 2
    return nearest > 1.0 or (not search.ball and farthest < 1.0)


@kernel
def within_shells(search, centre, half, radius):
    """Whether all points of the set in a box are within the radius around the best point."""
    square, product = 0.0, 0.0
    for i in range(len(centre)):
        along = 0.0
        for j in range(len(centre)):
            along += search.frame[j, i] * search.points.x[BEST, j]
        square += (abs(centre[i] - along) + half[i]) ** 2
        product += centre[i] * along - half[i] * abs(along)
    if not search.ball:
        square = min(square, 2.0 - 2.0 * product)
    return square <= radius * radius


@kernel
def coarse_rise(search, bounds, centre, half):
    """A bound of F(x) - F(best) over a box: of the mean by how far logits move, of the bonus by its largest size.

    Each logit z_k moves by at most b_k; the mean is largest where the outcomes of the highest rewards, up to one of them,
    have z_k + b_k, and the others z_k - b_k. ||r|| is at most sqrt(2) D/4, as the covariance of rho and a unit vector.
    """
    turned, shares, moves, order = search.turned, search.shares, search.moves, search.order
    best, rewards = point_of(search.points, BEST), search.model.rewards
    outcomes, dim = turned.shape
    top = -math.inf
    for k in range(outcomes):
        shares[k], moves[k] = 0.0, 0.0
        for i in range(dim):
            shares[k] += turned[k, i] * centre[i]
            moves[k] += abs(turned[k, i]) * half[i]
        top = max(top, shares[k] + moves[k])
    total, mean, highest = 0.0, 0.0, -math.inf
    for k in range(outcomes):
        low = math.exp(shares[k] - moves[k] - top)
        total += low
        mean += low * rewards[k]
        shares[k] = math.exp(shares[k] + moves[k] - top) - low
    for place in range(outcomes):
        k = order[place]
        total += shares[k]
        mean += shares[k] * rewards[k]
        highest = max(highest, mean / total if total > 0.0 else rewards[order[0]])
    largest = 0.25 * math.sqrt(2.0 * bounds.width) * bounds.sigma * bounds.spread + bounds.second_order * bounds.width
    return highest - best.values[MEAN] + largest - bonus(best, bounds.sigma, bounds.second_order)


@kernel
def project(search, centre, half, x):
    """The point of the set next to the centre of a box into `x` (d,), and how far points of the box are from it."""
    dim, length, side = len(x), 0.0, 0.0
    for j in range(dim):
        x[j] = 0.0
        for i in range(dim):
            x[j] += search.frame[j, i] * centre[i]
        length += centre[j] * centre[j]
        side += half[j] * half[j]
    length, side = math.sqrt(length), math.sqrt(side)
    if search.ball and length <= 1.0:
        return side
    for j in range(dim):
        x[j] = x[j] / length if length > 1e-9 else search.points.x[BEST, j]
    return side + (abs(length - 1.0) if length > 1e-9 else 1.0 + length)
