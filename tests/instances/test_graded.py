"""Graded grids and the whole sphere."""

import numpy as np
import pytest

from mnlbandits.errors import InputError
from mnlbandits.instances import make_instance, read_instance, write_instance
from mnlbandits.instances.action_sets import AllArms, Sphere
from mnlbandits.instances.families import SMALLEST_ANGLE, frame_of, graded_sphere


@pytest.mark.parametrize("vector", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.6, 0.0, 0.8]])
def test_a_frame_is_orthonormal_and_begins_with_the_vector(vector):
    frame = frame_of(np.array(vector))
    assert frame @ frame.T == pytest.approx(np.eye(3), abs=1e-15)
    assert frame[0] == pytest.approx(vector, abs=1e-15)


@pytest.mark.parametrize(("dim", "arms", "expected"), [(2, 41, 41), (2, 42, 41), (3, 41, 41), (4, 41, 37)])
def test_a_graded_sphere_is_dense_around_its_first_arm(dim, arms, expected):
    grid = graded_sphere(np.eye(dim), arms)
    assert grid.shape == (expected, dim)
    assert np.linalg.norm(grid, axis=1) == pytest.approx(1)
    angles = np.sort(np.linalg.norm(grid[:, 1:], axis=1))
    assert angles[0] == 0
    assert angles[1] == pytest.approx(SMALLEST_ANGLE)
    assert len(np.unique(grid, axis=0)) == expected


def test_the_best_arm_of_a_graded_example_is_the_first():
    instance = make_instance("graded", "large-kappa-star", {"dim": 3, "arms": 81, "grid": "graded"})
    assert instance.gaps[0] == 0
    assert instance.actions == AllArms()
    assert instance.discretisation_error == 0


def test_a_sphere_is_written_and_read(tmp_path):
    instance = make_instance("sphere", "large-kappa-star", {"arms": 9, "grid": "sphere"})
    write_instance(instance, tmp_path / "sphere.json")
    assert read_instance(tmp_path / "sphere.json").actions == Sphere()


BAD = [({"grid": "fine"}, "grid"), ({"grid": "graded", "arms": 2}, "arms"), ({"grid": "graded", "dim": 1}, "dim")]


@pytest.mark.parametrize(("parameters", "field"), BAD)
def test_what_is_not_allowed(parameters, field):
    with pytest.raises(InputError) as caught:
        make_instance("bad", "large-kappa-star", parameters)
    assert caught.value.field == field
