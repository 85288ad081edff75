"""The helpers of diffpriv-pure."""

import diffpriv_pure
from named import start


def count():
    return lambda data: diffpriv_pure.private_count(sum(data), 1.0)


def total():
    return lambda data: diffpriv_pure.private_sum([float(x) for x in data], (0.0, 1.0), 1.0)


def total_rounded():
    return lambda data: round(diffpriv_pure.private_sum([float(x) for x in data], (0.0, 1.0), 1.0) * 10**6)


def mean_rounded():
    return lambda data: round(diffpriv_pure.private_mean([float(x) for x in data], (0.0, 1.0), 1.0) * 10**6)


def total_gaussian_rounded():
    return lambda data: round(diffpriv_pure.private_sum([float(x) for x in data], (0.0, 1.0), 1.0, 0.01) * 10**6)


if __name__ == "__main__":
    start(globals())
