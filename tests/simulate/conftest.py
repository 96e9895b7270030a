"""Registering an algorithm for the length of a test."""

import pytest

from mnlbandits.algorithms import BY_STATE, REGISTRY


@pytest.fixture
def register(monkeypatch):
    """A function that registers an algorithm and returns it."""

    def add(algorithm):
        monkeypatch.setitem(REGISTRY, algorithm.name, algorithm)
        monkeypatch.setitem(BY_STATE, algorithm.state, algorithm)
        return algorithm

    return add
