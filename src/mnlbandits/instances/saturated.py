"""Saturated cubes: hard for whoever names one arm after T rounds, however those are spent.

The simple regret of an algorithm is the gap of the arm that it names after T rounds. The abstract of Liu, Bakhtiari, Ayoub,
Hao and Szepesvari (2026, arXiv 2601.21167) has a lower bound of order d/sqrt(kappa_* T) on it for two outcomes, from "a
shifted saturated hard family", and easy geometries, where arms of low reward inform. The text was not at hand: family and
proof here are ours.

The arms are x_v = (1, v/sqrt(n))/sqrt(2) for all signs v in {-1, 1}^n, n = d - 1. The first row of theta is b = sqrt(2)
(M + log(K-1), sqrt(n) h e) with the hidden signs e, the others are 0: the arm v shows outcome 1, the only one with a reward,
R, with probability s(z_v), z_v = M + h v^T e, s the sigmoid. All arms are saturated alike, and only e is best. With kappa_M
= 1/s'(M) and h = e^{-1/4}/2 sqrt(kappa_M/T), for T >= n^2 kappa_M and M >= 1/2:

- h n < 1/2, so all z_v are positive, where s' falls, and kappa_* = 1/s'(M + h n). An arm with k wrong signs has a gap of at
  least 2 h k R/kappa_*.
- One hidden sign moves all logits by 2 h and the information of a round by at most 2 h^2 e^{h n}/kappa_M, that of T rounds
  by at most 1/2: by Pinsker's inequality no test tells the two signs apart with errors that sum to less than 1/2. So,
  averaged over e, the arm named has n/4 wrong signs or more, and a simple regret of at least `proved_simple_regret` = n h
  R/(2 kappa_*) > 0.16 n R/sqrt(kappa_* T).

In the easy geometry there are also the arms (0, e_i), i = 1 .. n, which are not saturated for two outcomes: a pull of one
informs about a sign n kappa_M/2 times as much. There the bound does not hold.
"""

import itertools
import math

import numpy as np

from mnlbandits.errors import InputError, require_choice, require_integer, require_positive
from mnlbandits.instances.instance import Instance
from mnlbandits.model import constants
from mnlbandits.model.softmax import Array
from mnlbandits.seeds import generator

GEOMETRIES = ("hard", "easy")
LARGEST_DIM = 12
"""2^11 arms."""


def kappa_at(logit: float) -> float:
    """1/s'(z)."""
    return 2 + 2 * math.cosh(logit)


def spacing(rounds: float, saturation: float) -> float:
    """h."""
    return math.exp(-1 / 4) / 2 * math.sqrt(kappa_at(saturation) / rounds)


def proved_simple_regret(dim: int, rounds: float, saturation: float, reward_norm: float = 1.0) -> float:
    """n h R/(2 kappa_*): no algorithm has a smaller simple regret after T rounds, averaged over the hidden signs."""
    n, h = dim - 1, spacing(rounds, saturation)
    return n * h * reward_norm / (2 * kappa_at(saturation + h * n))


def cube(dim: int) -> Array:
    """The arms x_v, (2^n, d)."""
    signs = np.array(list(itertools.product((1.0, -1.0), repeat=dim - 1)))
    return np.hstack([np.ones((len(signs), 1)), signs / math.sqrt(dim - 1)]) / math.sqrt(2)


def saturated_cube(
    name: str,
    outcomes: int = 2,
    dim: int = 3,
    rounds: float = 1e4,
    saturation: float = 3.0,
    signs: list[int] | None = None,
    geometry: str = "hard",
    reward_norm: float = 1.0,
    norm: float | None = None,
) -> Instance:
    """A cube of saturated arms, one of which is best by what T rounds cannot tell.

    `outcomes`, `dim` and `reward_norm` are K, d and R; the arms come in an order drawn once for the name; further:

    Parameters
    ----------
    rounds : T for which it is hard, at least n^2 kappa_M. saturation : M, at least 1/2.
    signs : e in {-1, 1}^n. Default: all +1. geometry : ``hard``, or ``easy`` with n more arms that inform.
    norm : S; default the Frobenius norm of theta_*.
    """
    outcomes, dim = require_integer("outcomes", outcomes, 2), require_integer("dim", dim, 2)
    if dim > LARGEST_DIM:
        raise InputError("dim", dim, f"at most {LARGEST_DIM}, as there are 2^(d-1) arms")
    rounds, saturation = require_positive("rounds", rounds), require_positive("saturation", saturation)
    reward_norm, n = require_positive("reward_norm", reward_norm), dim - 1
    require_choice("geometry", geometry, GEOMETRIES)
    if saturation < 0.5 or saturation > 300:
        raise InputError("saturation", saturation, "in [0.5, 300]")
    if rounds < n**2 * kappa_at(saturation):
        raise InputError("rounds", rounds, f"at least (d - 1)^2 kappa_M = {n**2 * kappa_at(saturation):.6g}")
    signs = [1] * n if signs is None else signs
    if not isinstance(signs, list) or len(signs) != n or any(s not in (-1, 1) or isinstance(s, bool) for s in signs):
        raise InputError("signs", signs, f"{n} numbers, each -1 or 1")
    theta = np.zeros((outcomes, dim))
    theta[0, 0] = math.sqrt(2) * (saturation + math.log(outcomes - 1))
    theta[0, 1:] = math.sqrt(2 * n) * spacing(rounds, saturation) * np.array(signs, dtype=float)
    theta = theta - theta.mean(axis=0)
    arms = cube(dim) if geometry == "hard" else np.vstack([cube(dim), np.eye(dim)[1:]])
    arms = arms[generator("arms", 0, name).permutation(len(arms))]
    rewards = np.zeros(outcomes)
    rewards[0] = reward_norm
    bound = constants.norm(theta, "frobenius") if norm is None else require_positive("norm", norm)
    return Instance(name, theta, arms, rewards, bound)
