"""The families of instances: the paper's examples, random ones, real choices, and others' and our own hard ones."""

import inspect
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from mnlbandits.errors import (
    NOTHING,
    InputError,
    is_number,
    require_choice,
    require_integer,
    require_known_keys,
    require_positive,
)
from mnlbandits.instances.action_sets import AllArms, Sphere
from mnlbandits.instances.data import data_instance
from mnlbandits.instances.files import read_instance
from mnlbandits.instances.instance import LARGEST_NUMBER, Instance
from mnlbandits.instances.pairs import hidden_pairs
from mnlbandits.instances.recommender import recommender
from mnlbandits.instances.saturated import saturated_cube
from mnlbandits.instances.tables import LARGEST
from mnlbandits.model import constants
from mnlbandits.model.kappa import CONVENTIONS, Convention
from mnlbandits.model.softmax import Array
from mnlbandits.seeds import generator, normals


def sphere_grid(dim: int, arms: int) -> Array:
    """`arms` unit vectors that cover the sphere of R^dim evenly, the first one e_1, shape (arms, dim).

    d = 1: the two points. d = 2: equal angles. d >= 3: a Sobol sequence through the normal quantiles, normalised, after e_1.
    """
    dim = require_integer("dim", dim, 1)
    arms = require_integer("arms", arms, 2)
    if dim == 1:
        return np.array([[1.0], [-1.0]])
    if dim == 2:
        angles = [2 * math.pi * i / arms for i in range(arms)]
        return np.array([[math.cos(a), math.sin(a)] for a in angles])
    from scipy.stats import qmc  # slow to import, and seldom needed

    points = normals(qmc.Sobol(dim, scramble=False).random(2 ** math.ceil(math.log2(arms + 1)))[1:arms])
    points = np.vstack([np.eye(dim)[0], points])
    lengths = np.sqrt((points**2).sum(axis=1, keepdims=True))
    degenerate = lengths[:, 0] < 1e-9
    points[degenerate], lengths[degenerate] = -np.eye(dim)[0], 1.0
    return points / lengths


SMALLEST_ANGLE = 1e-6
"""A graded grid's smallest angle to the best arm."""


def graded_sphere(frame: Array, arms: int, smallest: float = SMALLEST_ANGLE) -> Array:
    """Unit vectors dense around one of them: great circles through it, at log-spaced angles, at most `arms` in all.

    Parameters
    ----------
    frame : (d, d) orthonormal rows; the first is the vector, the others the directions of the d - 1 circles, both ways.
    arms : at least 2 (d - 1) + 1.

    Returns
    -------
    (1 + 2 (d - 1) M, d): the vector, then its neighbours at M angles from `smallest` to 3.
    """
    dim = require_integer("dim", len(frame), 2)
    sides = np.concatenate([frame[1:], -frame[1:]])
    arms = require_integer("arms", arms, len(sides) + 1)
    angles = np.geomspace(smallest, 3.0, (arms - 1) // len(sides))[:, None, None]
    around = np.cos(angles) * frame[0] + np.sin(angles) * sides
    return np.vstack([frame[:1], around.reshape(-1, dim)])


def one_high_reward(outcomes: int, reward_norm: float) -> Array:
    """rho = R / sqrt(K + 3) (2, 1, ..., 1), the reward vector of both of the paper's constructions, ||rho|| = R."""
    rewards = np.ones(outcomes)
    rewards[0] = 2.0
    return rewards * (reward_norm / math.sqrt(outcomes + 3))


GRIDS = ("even", "graded", "sphere")
"""Arms spread evenly, or graded towards the best one, or the whole sphere."""


def on_sphere(
    name: str, matrix: Array, rewards: Array, arms: int, norm_bound: float | None, grid: str = "even", **record: Any
) -> Instance:
    """Instance theta_* = Pi M on a grid of the sphere, where the first row of M is the best direction.

    The arms of an even grid come in an order drawn once for the name: the grid starts at the best arm of the large-kappa_*
    example, where an algorithm that takes the first of equal arms would find it without learning.
    For rewards (2, 1, ..., 1) and equal other rows the mean reward increases in ([M]_1 - [M]_2)^T x, so the best point of
    the sphere is that difference, normalised, and the discretisation error is exact.
    """
    theta = matrix - matrix.mean(axis=0)
    direction = matrix[0] - matrix[1]
    best = direction / np.linalg.norm(direction)
    if require_choice("grid", grid, GRIDS) == "even":
        points = sphere_grid(matrix.shape[1], arms)
        points = points[generator("arms", 0, name).permutation(len(points))]
    else:
        points = graded_sphere(frame_of(best), arms)
    on_grid = constants.mean_rewards(theta, points, rewards).max()
    everywhere = constants.mean_rewards(theta, best[None, :], rewards)[0]
    size = constants.norm(theta, record.get("convention", "frobenius"))
    return Instance(
        name,
        theta,
        points,
        rewards,
        size if norm_bound is None else norm_bound,
        discretisation_error=max(0.0, float(everywhere - on_grid)),
        actions=Sphere() if grid == "sphere" else AllArms(),
        **record,
    )


def frame_of(vector: Array) -> Array:
    """Orthonormal rows (d, d) of which the first is the unit vector (d,): a reflection, or the identity for e_1."""
    axis = vector - np.eye(len(vector))[0]
    square = axis @ axis
    return np.eye(len(vector)) - (2 / square * np.outer(axis, axis) if square > 0 else 0)


def large_kappa_star(
    name: str,
    outcomes: int = 3,
    dim: int = 2,
    norm: float = 1.0,
    arms: int = 32,
    reward_norm: float = 1.0,
    convention: Convention = "frobenius",
    grid: str = "even",
) -> Instance:
    """The example of a large kappa_* (App. large kappa star): theta_* = Pi m e_1 e_1^T with ||theta_*|| = S = `norm`.

    Any K >= 2 and d >= 1; the paper's text takes K even, which its computation does not use. `arms` points of the sphere,
    spread as `GRIDS` says.
    """
    outcomes, dim = require_integer("outcomes", outcomes, 2), require_integer("dim", dim, 1)
    norm, reward_norm = require_positive("norm", norm), require_positive("reward_norm", reward_norm)
    require_choice("convention", convention, CONVENTIONS)
    matrix = np.zeros((outcomes, dim))
    matrix[0, 0] = 1.0
    matrix *= norm / constants.norm(matrix - matrix.mean(axis=0), convention)
    rewards = one_high_reward(outcomes, reward_norm)
    return on_sphere(name, matrix, rewards, arms, norm, grid, convention=convention)


MEMBERS = ("M0", "M", "M-tilde")


def lower_bound(
    name: str,
    outcomes: int = 3,
    dim: int = 2,
    member: str = "M-tilde",
    epsilon: float = 0.1,
    signs: list[int] | None = None,
    arms: int = 32,
    reward_norm: float = 1.0,
    norm: float | None = None,
) -> Instance:
    """The family of the lower bound (App. proof lower bound): M_0, its perturbations M, and their normal forms M-tilde.

    `outcomes`, `dim`, `arms` and `reward_norm` are K, d, the size of the sphere's grid and R; further:

    Parameters
    ----------
    member : ``M0`` (no perturbation), ``M`` (epsilon v_i in row 1 and epsilon v_i / 2 in the others, columns i >= 2), or
        ``M-tilde`` ([M]_1 / ||[M]_1|| in row 1, zero elsewhere).
    epsilon : in (0, 2 / sqrt((K + 3)(d - 1))].
    signs : v in {-1, 1}^d; v_1 is not used. Default: all +1.
    norm : S; default the Frobenius norm of theta_*.
    """
    outcomes, dim = require_integer("outcomes", outcomes, 2), require_integer("dim", dim, 2)
    require_choice("member", member, MEMBERS)
    epsilon, reward_norm = require_positive("epsilon", epsilon), require_positive("reward_norm", reward_norm)
    largest = 2 / math.sqrt((outcomes + 3) * (dim - 1))
    if epsilon > largest:
        raise InputError("epsilon", epsilon, f"at most 2 / sqrt((K + 3)(d - 1)) = {largest:.6g}")
    signs = [1] * dim if signs is None else signs
    if not isinstance(signs, list) or len(signs) != dim or any(s not in (-1, 1) or isinstance(s, bool) for s in signs):
        raise InputError("signs", signs, f"{dim} numbers, each -1 or 1")
    matrix = np.zeros((outcomes, dim))
    matrix[:, 0] = one_high_reward(outcomes, 1.0)
    if member != "M0":
        perturbation = epsilon * np.array(signs[1:], dtype=float)
        matrix[0, 1:] = perturbation
        matrix[1:, 1:] = perturbation / 2
    if member == "M-tilde":
        matrix[0] /= np.linalg.norm(matrix[0])
        matrix[1:] = 0.0
    norm_bound = None if norm is None else require_positive("norm", norm)
    return on_sphere(name, matrix, one_high_reward(outcomes, reward_norm), arms, norm_bound)


def random_instance(
    name: str,
    outcomes: int = 3,
    dim: int = 2,
    norm: float = 1.0,
    arms: int = 20,
    reward_norm: float = 1.0,
    seed: int = 0,
    convention: Convention = "frobenius",
    actions: str | dict[str, Any] = "list",
) -> Instance:
    """Gaussian theta scaled to ||theta_*|| = S = `norm`, arms uniform in the unit ball, uniform rewards scaled to R.

    `actions` say which of the arms, or what beside them, can be played in a round: a name or a mapping, see `action_sets`.
    """
    outcomes, dim = require_integer("outcomes", outcomes, 2), require_integer("dim", dim, 1)
    norm, arms = require_positive("norm", norm), require_integer("arms", arms, 1)
    reward_norm, seed = require_positive("reward_norm", reward_norm), require_integer("seed", seed, 0)
    require_choice("convention", convention, CONVENTIONS)
    uniforms = generator("instance", seed, f"{outcomes}x{dim}x{arms}").random
    theta = normals(uniforms((outcomes, dim)))
    theta -= theta.mean(axis=0)
    theta *= norm / constants.norm(theta, convention)
    directions = normals(uniforms((arms, dim)))
    directions /= np.sqrt((directions**2).sum(axis=1, keepdims=True))
    rewards = uniforms(outcomes)
    rewards *= reward_norm / np.linalg.norm(rewards)
    radii = uniforms((arms, 1)) ** (1 / dim)
    return Instance(name, theta, directions * radii, rewards, norm, convention=convention, actions=actions)


FAMILIES: dict[str, Callable[..., Instance]] = {
    "large-kappa-star": large_kappa_star,
    "lower-bound": lower_bound,
    "random": random_instance,
    "hidden-pairs": hidden_pairs,
    "saturated-cube": saturated_cube,
    "recommender": recommender,
    "data": data_instance,
}


def family_parameters(family: str) -> dict[str, Any]:
    """Parameters of a family and their defaults."""
    parameters = inspect.signature(FAMILIES[require_choice("family", family, FAMILIES)]).parameters
    return {key: parameter.default for key, parameter in parameters.items() if key != "name"}


def require_room(parameters: Mapping[str, Any]) -> None:
    """Raise `InputError` for a number whose square is none, and if arms, theta and probabilities take too many bytes."""
    for key, value in parameters.items():
        if is_number(value) and abs(value) > LARGEST_NUMBER:
            raise InputError(key, value, f"of size {LARGEST_NUMBER:.0e} at most")
    sizes = {key: parameters.get(key) for key in ("outcomes", "dim", "arms")}
    sizes = {key: int(value) for key, value in sizes.items() if is_number(value) and value >= 1}
    outcomes, dim, arms = (sizes.get(key, 1) for key in ("outcomes", "dim", "arms"))
    needed = 8 * (arms * (dim + outcomes) + outcomes * dim)
    if needed > LARGEST:
        largest = max(sizes, key=sizes.__getitem__)
        allowed = f"less: with {outcomes} outcomes, {dim} features and {arms} arms, numbers take {needed:.1e} bytes"
        raise InputError(largest, parameters[largest], f"{allowed}, and {LARGEST:.0e} are allowed")


def make_instance(name: str, family: str, parameters: Mapping[str, Any] = MappingProxyType({})) -> Instance:
    """Make one instance of a family and record how it was made.

    Parameters
    ----------
    name : str
        A label; the random numbers of what is simulated on the instance are keyed by it.
    family : str
        One of the families that ``mnlbandits instances`` lists with their parameters and defaults.
    parameters : mapping
        Those that are not to have their defaults.

    Returns
    -------
    Instance

    Raises
    ------
    InputError
        Unknown family or parameter, or a value that the family does not allow.

    Examples
    --------
    >>> from mnlbandits import make_instance
    >>> instance = make_instance("example", "large-kappa-star", {"outcomes": 3, "norm": 1.0, "arms": 16})
    >>> instance.arms.shape
    (16, 2)
    """
    known = family_parameters(family)
    if not isinstance(parameters, Mapping):
        raise InputError(name, parameters, "a mapping of parameters")
    require_known_keys(name, parameters, known)
    require_room(known | dict(parameters))
    instance = FAMILIES[family](name, **parameters)
    object.__setattr__(instance, "family", family)
    object.__setattr__(instance, "parameters", dict(parameters))
    return instance


def build_instance(name: str, entry: Mapping[str, Any]) -> Instance:
    """The instance of a config entry: ``{family: ..., parameters ...}`` or ``{file: path}``.

    Raises
    ------
    InputError : neither or both of the two, or as `make_instance` and `read_instance` raise it.
    """
    others = {key: value for key, value in entry.items() if key not in ("family", "file")}
    if "file" not in entry:
        if "family" not in entry:
            raise InputError("family", NOTHING, "given, or file")
        return make_instance(name, entry["family"], others)
    if "family" in entry:
        raise InputError("file", entry["file"], "left out, as there is a family; a file needs an entry of another name")
    for key, value in others.items():
        raise InputError(str(key), value, "left out, as the instance comes from a file")
    if not isinstance(entry["file"], str):
        raise InputError("file", entry["file"], "text, the path of an instance file")
    try:
        instance = read_instance(entry["file"])
    except InputError as error:
        inside = error.field.removeprefix(entry["file"])
        raise InputError("file" if inside == error.field else f"file{inside}", error.value, error.allowed) from None
    object.__setattr__(instance, "name", name)
    return instance
