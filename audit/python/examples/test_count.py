"""A count with noise, right and wrong, held against its claim. Run: pytest test_count.py"""

import random

import pytest

coins = random.SystemRandom()


def laplace(epsilon):
    """Two-sided geometric noise: as private as it should be for a count, and without the low bits of floats."""

    def magnitude():
        return int(coins.expovariate(epsilon))

    return magnitude() - magnitude()


def test_a_count_is_as_private_as_it_says(assay):
    assay.assert_private(lambda data: sum(data) + laplace(1.0), [0, 1, 1], [0, 1, 0], epsilon=1)


def test_half_the_noise_is_noticed(assay):
    """This one fails, and should: the noise is for epsilon = 2."""
    assay.assert_private(lambda data: sum(data) + laplace(2.0), [0, 1, 1], [0, 1, 0], epsilon=1)


@pytest.mark.private([0, 1, 1], [0, 1, 0], epsilon=1)
def test_a_mechanism_that_the_test_returns():
    return lambda data: sum(data) + laplace(1.0)
