"""What is proved for all plays, at random ones: each theta_{s+1} another, near theta_*, and every matrix in full."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.constants import kappa_at_most
from mnlbandits.ledger.paper.theorem_one_step_three import step_three, step_three_box
from mnlbandits.ledger.simulate.paths import polygon_horizon, polygon_path
from mnlbandits.model.softmax import softmax_jacobian
from mnlbandits.seeds import generator

SIZES = ((2, 1), (2, 2), (3, 2), (4, 3), (6, 1))
STEEP = math.exp(1 / math.sqrt(3))
"""c, by which a curvature changes at a distance of 1/sqrt(6)."""


class Played(NamedTuple):
    """One round: its arm, grad mu at theta_{t+1} and Wbar_t."""

    x: np.ndarray
    curved: np.ndarray
    wbar: np.ndarray


class Run(NamedTuple):
    """K, d, lambda, 1/kappa of theta_* over its arms, the diameter of the two sets of logits, and the rounds."""

    K: int
    d: int
    ridge: float
    least: float
    diameter: float
    rounds: list[Played]


def run_of(K: int, d: int, seed: int) -> Run:
    """60 rounds on two sets of arms; theta_{s+1} x is at most 1/sqrt(6) from theta_* x, often so far."""
    stream = generator("tests plays", seed, f"{K} {d}")
    truth, ridge = stream.normal(size=(K, d)) * 10 ** stream.uniform(-1, 1), 2.0
    truth -= truth.mean(axis=0)
    centres = stream.normal(size=(2, d))
    centres /= np.linalg.norm(centres, axis=1)[:, None]
    arms = (0.8 * centres[:, None] + 0.2 * stream.uniform(-1, 1, (2, 3, d)) / math.sqrt(d)).reshape(6, d)
    logits = (arms @ truth.T).reshape(2, 3, K)
    diameter = float(np.linalg.norm(logits[:, :, None] - logits[:, None], axis=-1).max())
    least = min(float(np.linalg.eigvalsh(softmax_jacobian(truth @ x))[1]) for x in arms)
    wbar, rounds = ridge * np.eye(K * d), []
    for _ in range(60):
        n = int(stream.integers(6))
        x, away = arms[n], stream.normal(size=K)
        away -= away.mean()
        curved = softmax_jacobian(truth @ x + away / np.linalg.norm(away) * stream.uniform(0.5, 1) / math.sqrt(6))
        rounds.append(Played(x, curved, wbar))
        wbar = wbar + np.kron(curved + np.ones((K, K)), np.outer(x, x))
    return Run(K, d, ridge, least, diameter, rounds)


def runs() -> Iterator[Run]:
    """Some of every size."""
    yield from (run_of(K, d, seed) for K, d in SIZES for seed in range(6))


def tall_of(K: int, x: np.ndarray) -> np.ndarray:
    """I_K (x) x."""
    return np.kron(np.eye(K), x[:, None])


def below(left: np.ndarray, right: np.ndarray) -> bool:
    """Whether L <= R."""
    return np.linalg.eigvalsh(right - left)[0] >= -1e-9


def squared_norms(run: Run) -> list[float]:
    """||(I (x) x_t^T) Wbar_t^(-1/2)||^2."""
    blocks = [tall_of(run.K, x).T @ np.linalg.solve(wbar, tall_of(run.K, x)) for x, _, wbar in run.rounds]
    return [np.linalg.eigvalsh((block + block.T) / 2)[-1] for block in blocks]


def potential(run: Run) -> float:
    """Q_T."""
    total = 0.0
    for x, curved, wbar in run.rounds:
        values, vectors = np.linalg.eigh(curved)
        tall = tall_of(run.K, x) @ (vectors * np.sqrt(np.maximum(values, 0)))
        total += np.linalg.eigvalsh(tall.T @ np.linalg.solve(wbar, tall))[-1]
    return total


def test_second_bonuses_by_determinant():
    """C144: their sum is at most c kappa d log(1 + 2 T/(d lambda c kappa))."""
    for run in runs():
        slow, T = run.least / STEEP, len(run.rounds)
        assert sum(squared_norms(run)) <= run.d / slow * math.log1p(2 * T * slow / (run.d * run.ridge)) * (1 + 1e-9)


def test_second_bonuses_by_trace():
    """C143: each is at most kappa Tr((U_t - U_{t-1}) U_t^-1)."""
    for run in runs():
        grown = run.ridge / 2 * np.eye(run.d)
        for (x, *_), norm in zip(run.rounds, squared_norms(run), strict=True):
            grown = grown + run.least * np.outer(x, x)
            assert norm <= run.K * x @ np.linalg.solve(grown, x) * (1 + 1e-9)


def test_potential_of_step_two_is_below_wbar():
    """C146 with exp(1/sqrt(3)) for e, and C152 with the least curvature seen."""
    for run in runs():
        seen, learnt = np.zeros((run.d, run.d)), [float(np.linalg.eigvalsh(curved)[1]) for _, curved, _ in run.rounds]
        for x, _, wbar in run.rounds:
            least = run.ridge * np.eye(run.d) + min(learnt) * seen
            assert below(np.kron(np.eye(run.K), least), wbar)
            seen = seen + np.outer(x, x)
            potential_of_round = run.ridge / 2 * np.eye(run.d) + run.least / STEEP * seen
            assert below(np.kron(np.eye(run.K), potential_of_round), wbar)


def test_determinants_by_trace():
    """C145 and C155, which are the same for another scale of the arms."""
    for run in runs():
        T, grown = len(run.rounds), sum(np.outer(x, x) for x, *_ in run.rounds)
        found = np.linalg.slogdet(np.eye(run.d) + 2 / run.ridge * grown)[1]
        assert found <= run.d * math.log1p(2 * T / (run.ridge * run.d)) + 1e-12


def test_potential_without_ones():
    """C154 as corrected."""
    for run in runs():
        size = (run.K - 1) * run.d
        assert potential(run) <= size * math.log1p(2 * len(run.rounds) / (size * run.ridge)) * (1 + 1e-9)


def test_potential_by_sets():
    """C154b, theta_{t+1} not theta_*, two sets of arms."""
    for run in runs():
        factor, size = math.exp(2 * math.sqrt(2) * (run.diameter + 1 / math.sqrt(6))), 2 * run.d
        assert potential(run) <= factor * size * math.log1p(2 * len(run.rounds) / (size * run.ridge)) * (1 + 1e-9)


@pytest.mark.parametrize("K", [2, 3, 5])
def test_one_step_changes_the_curvature_by_little(K):
    """C149: at most exp(2/lambda), the step not projected."""
    stream = generator("tests plays", 0, f"step {K}")
    for _ in range(100):
        ridge, x, theta = (
            288 * 10 ** stream.uniform(0, 2),
            stream.uniform(-1, 1, 2) / math.sqrt(2),
            stream.normal(size=(K, 2)),
        )
        theta = theta * 10 ** stream.uniform(-1, 1)
        z = theta @ x
        p = np.exp(z - z.max()) / np.exp(z - z.max()).sum()
        gradient = np.kron(p - np.eye(K)[int(stream.integers(K))], x)
        matrix = ridge * np.eye(2 * K) + np.kron(softmax_jacobian(z), np.outer(x, x))
        moved = theta - np.linalg.solve(matrix, gradient).reshape(K, 2)
        assert below(softmax_jacobian(z), math.exp(2 / ridge) * softmax_jacobian(moved @ x))


def test_split_norms_with_the_factor_of_the_proof():
    """C147, C148 and C162 for K = 3: exp(1/sqrt(12)) is enough."""
    stream = generator("tests plays", 0, "split")
    exponent = 1 / math.sqrt(12)
    for _ in range(200):
        point = {key: float(stream.uniform(*ends)) for key, ends in step_three_box(3).items()}
        assert step_three(FLOATS, 3, **point, norms=True, exponent=exponent) <= 1 + 1e-9
        assert 2 * math.exp(exponent) < math.e


def test_plays_on_a_polygon():
    """C154c: all arms are optimal, T is 100 tau, and REAL plays every arm about as often as any other."""
    path = polygon_path(6)
    S = float(np.linalg.norm(path.instance.theta))
    assert path.instance.gaps.max() <= 1e-12
    T = polygon_horizon(6, S)
    tau = 336**2 * (S + 1) * 12**2 * kappa_at_most(FLOATS, 6, S) * math.log(T / 0.05) * math.log(T)
    assert pytest.approx(100 * tau, rel=1e-9) == T
    pulls = np.zeros(3)
    for n, count in path.steps:
        pulls[n] += count
    assert pulls.sum() == pytest.approx(T - tau, rel=1e-9)
    assert pulls.min() > 0.8 * pulls.max()
