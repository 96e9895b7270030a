"""The normal numbers of the randomised algorithms, by round: splitmix64, then Box and Muller."""

import numpy as np

from mnlbandits.model.softmax import Array


class NormalStream:
    """Standard normal numbers from a key. key : the counter before round 1."""

    def __init__(self, generator: np.random.Generator) -> None:
        self.key = int(generator.integers(2**64, dtype=np.uint64))

    def of_round(self, t: int, size: int) -> Array:
        """xi (size,) of round t, if every round takes as many."""
        used = size + size % 2
        u = np.array([mix(self.key + (used * (t - 1) + i) * 0x9E3779B97F4A7C15) for i in range(1, used + 1)]) / 2**53
        length, angle = np.sqrt(-2 * np.log(1 - u[::2])), 2 * np.pi * u[1::2]
        return np.column_stack([length * np.cos(angle), length * np.sin(angle)]).ravel()[:size]


def by_reward(rewards: Array, reference: int, dim: int) -> list[int]:
    """Entries of the vector of beta, those of the outcomes with larger rewards first; equal ones as they are named."""
    others = [k for k in range(len(rewards)) if k != reference]
    ranked = sorted(range(len(others)), key=lambda row: -rewards[others[row]])
    return [row * dim + j for row in ranked for j in range(dim)]


def mix(counter: int) -> int:
    """The upper 53 bits of splitmix64's output for a counter."""
    z = counter % 2**64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return (z ^ (z >> 31)) >> 11
