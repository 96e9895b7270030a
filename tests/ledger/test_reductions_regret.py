"""Formulas that proofs on the regret of Algorithm 2 look at in other coordinates: they are at least the claimed ratio."""

import math

import pytest

from mnlbandits.ledger.arithmetic import FLOATS
from mnlbandits.ledger.formulas.regret import SHORTEST_HORIZON, tau_of
from mnlbandits.ledger.formulas.softmax import binary_curvature
from mnlbandits.ledger.paper import theorem_one, theorem_one_step_three, theorem_one_step_two_potential
from mnlbandits.ledger.prove import Certificate, prove
from mnlbandits.seeds import generator

ROUNDS = 200


def test_the_radius_and_the_second_term_against_the_norm_bound():
    stream = generator("test", 0, "norm bound")
    for S in 10 ** stream.uniform(-4, 6, ROUNDS):
        t = S / (1 + S)
        assert theorem_one.radius_mended(FLOATS, S) <= theorem_one.radius_reduced(FLOATS, t) + 1e-12
        assert theorem_one.second_term_mended(FLOATS, S) <= theorem_one.second_term_reduced(FLOATS, t) + 1e-12
    assert theorem_one.radius_mended(FLOATS, 1e6) == pytest.approx(
        theorem_one.radius_reduced(FLOATS, 1 / (1 + 1e-6)), rel=5e-2
    )


def test_the_second_bonus_in_one_coordinate():
    stream = generator("test", 0, "second bonus")
    steep = math.exp(1 / math.sqrt(3))
    for _ in range(ROUNDS):
        K, d = int(stream.integers(2, 70)), int(stream.integers(1, 12))
        curved, digits = stream.uniform(0, 4), stream.uniform(6, 18)
        kappa, ridge = K * 10**curved, 144 * K * d
        tau = 336**2 * (K * d) ** 2 * kappa * math.log(SHORTEST_HORIZON) ** 2
        y = (tau + d * 10**digits) / (d * ridge * kappa)
        assert y > math.exp(13)
        general = steep * d * math.log(1 + 2 * y / steep) / (K * d * math.log(1 + y / K))
        reduced = theorem_one_step_two_potential.second_bonus_reduced(FLOATS, 1 / math.log(y))
        assert theorem_one_step_two_potential.second_bonus(FLOATS, K, d, curved, digits) <= general + 1e-9
        assert general <= reduced + 1e-12


def test_the_horizons_of_the_radius_are_at_least_tau():
    found = prove(theorem_one.exploration_in_reach, {"S": (0.0, 1e6)})
    assert isinstance(found, Certificate)
    for S in (1.0, 1e2, 1e4):
        log_T = theorem_one.level_in_reach(S) - math.log(20)
        log_kappa = math.sqrt(2) * S + math.log1p(math.exp(-math.sqrt(2) * S)) * 2 - math.log(2)
        log_tau = math.log(336**2 * 4 * (S + 1)) + log_kappa + math.log(theorem_one.level_in_reach(S) * log_T)
        assert log_tau / log_T <= theorem_one.exploration_in_reach(FLOATS, S) <= 1


@pytest.mark.parametrize("S", [10.0, 100.0, 1000.0])
def test_an_arm_leaves_one_round_of_learning(S):
    """C168: tau goes from less to more than T = 1e12 as the arm's kappa goes from 2 to its largest."""
    taus = [tau_of(FLOATS, 2, S, 1e12, kappa, 0.05) for kappa in (2.0, 1 + math.cosh(min(700.0, math.sqrt(2) * S)))]
    assert taus[0] < 1e12 < taus[1]


def test_the_curvature_at_a_point_outside_of_the_ball():
    stream = generator("test", 0, "curvature outside")
    for _ in range(ROUNDS):
        S, away = stream.uniform(0, 8), stream.uniform(0, 1)
        ratio = binary_curvature(FLOATS, S) / (math.e * binary_curvature(FLOATS, S + away / math.sqrt(6)))
        h, w = math.tanh(S / math.sqrt(2)), away / (2 * math.sqrt(3))
        assert theorem_one_step_two_potential.curvature_reduced(FLOATS, h, w) == pytest.approx(ratio)


def test_one_step_of_mirror_descent():
    stream = generator("test", 0, "one step")
    for _ in range(ROUNDS):
        b, weight = stream.uniform(-8, 8), stream.uniform(math.log10(288), 6)
        u, w = math.sqrt(2) * b, 10**weight
        moved = 2 / (1 + math.exp(u)) / (w + 1 / (1 + math.cosh(u)))
        reduced = theorem_one_step_three.next_index_reduced(FLOATS, math.tanh(u / 2), moved / 2, 0)
        assert theorem_one_step_three.next_index(FLOATS, b, weight) == pytest.approx(reduced)
        assert moved <= 1 / 144
