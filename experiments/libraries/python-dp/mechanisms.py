"""Mechanisms of python-dp, Google's C++ library for Python. Those for one value take the only record."""

import pydp.algorithms.partition_selection as partitions
from named import start
from pydp.algorithms.laplacian import BoundedMean, BoundedSum, Count, Max, Median
from pydp.algorithms.numerical_mechanisms import GaussianMechanism, LaplaceMechanism


def of_the_value(mechanism, kind):
    return lambda data: mechanism.add_noise(kind(data[0]))


def laplace():
    return of_the_value(LaplaceMechanism(1, 1), float)


def laplace_integer():
    return of_the_value(LaplaceMechanism(1, 1), int)


def gaussian():
    return of_the_value(GaussianMechanism(1, 0.01, 1), float)


def gaussian_rounded():
    mechanism = GaussianMechanism(1, 0.01, 1)
    return lambda data: round(mechanism.add_noise(float(data[0])) * 10**4)


def gaussian_integer():
    return of_the_value(GaussianMechanism(1, 0.01, 1), int)


# An algorithm of this library spends its budget once: each answer is of a new one.


def count():
    return lambda data: Count(epsilon=1).quick_result(data)


def bounded_sum():
    return lambda data: BoundedSum(epsilon=1, lower_bound=0, upper_bound=4).quick_result(data)


def bounded_sum_float():
    def release(data):
        values = [float(value) for value in data]
        return BoundedSum(epsilon=1, lower_bound=0, upper_bound=4, dtype="float").quick_result(values)

    return release


def bounded_mean():
    def release(data):
        values = [float(value) for value in data]
        return BoundedMean(epsilon=1, lower_bound=0, upper_bound=4, dtype="float").quick_result(values)

    return release


def median():
    def release(data):
        values = [float(value) for value in data]
        return Median(epsilon=1, lower_bound=0, upper_bound=4, dtype="float").quick_result(values)

    return release


def maximum():
    return lambda data: Max(epsilon=1, lower_bound=0, upper_bound=4, dtype="int").quick_result(data)


def kept(strategy):
    """Whether a partition with so many users is kept."""
    return lambda data: strategy.should_keep(len(data))


def partition_geometric():
    return kept(partitions.create_truncated_geometric_partition_strategy(1.0, 0.1, 1))


def partition_laplace():
    return kept(partitions.create_laplace_partition_strategy(1.0, 0.1, 1))


def partition_gaussian():
    return kept(partitions.create_gaussian_partition_strategy(1.0, 0.1, 1))


if __name__ == "__main__":
    start(globals())
