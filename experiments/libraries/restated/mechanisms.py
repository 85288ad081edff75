"""Faults of libraries whose code is in no package that can be installed here, as functions of a few lines: re-statements, not the
libraries themselves.

Noise is discrete, or rounded to 1/100 and told in hundredths, so that the fault is the only one.
"""

import math
import random

from named import start

COINS = random.SystemRandom()


def laplace(scale):
    """Discrete Laplace noise."""
    def geometric():
        return int(-math.log(1 - COINS.random()) * scale)

    return geometric() - geometric()


def gaussian(sigma):
    return round(COINS.gauss(0, sigma) * 100)


def threshold_cut_to_integer(threshold=5.3):
    """Go Count.ThresholdedResult: the noisy count is compared with the integer part of the threshold. A partition without
    records is not there."""
    def release(data):
        if not data:
            return None
        noisy = len(data) + laplace(1)
        return noisy if noisy >= int(threshold) else None

    return release


def clamp_of_nan():
    """Go ClampFloat64, a transformation: a NaN is neither below nor above."""
    return lambda data: sum(0.0 if x < 0 else 1.0 if x > 1 else x for x in data)


def noise_of_the_inverse(mu=0.2):
    """BoostedAdaSSP: a sum with noise of deviation mu, where mu-Gaussian privacy needs 1 / mu."""
    return lambda data: 100 * sum(data) + gaussian(mu)


def bounds_of_the_data():
    """dp_regression: noise in proportion to the largest norm in the data."""
    return lambda data: round(100 * sum(data)) + gaussian(5 * max(abs(x) for x in data))


def difference_of_errors(epsilon=1.0):
    """JAM: an exponential choice by differences of two errors that move by 2 each, as if their difference moved by 2. A
    dataset is a list with one record, the differences."""
    def release(data):
        weights = [math.exp(epsilon * score / (2 * 2)) for score in data[0]]
        return COINS.choices(range(len(weights)), weights)[0]

    return release


def gradient_with_a_wrong_factor(sigma=20, batch=10):
    """Back-propagation clipping: noise of deviation sigma is due on a sum of gradients, which moves by 1. In the sensitivity
    a factor of the size of the batch is wrong, and there is a tenth of the noise."""
    return lambda data: round(100 * sum(max(0, min(1, x)) for x in data)) + gaussian(sigma / batch)


if __name__ == "__main__":
    start(globals())
