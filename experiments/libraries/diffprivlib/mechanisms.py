"""Mechanisms of diffprivlib. A dataset is a list of records; a mechanism for one value takes the only record."""

import numpy as np
from diffprivlib import mechanisms, models, tools
from named import start


def of_the_value(mechanism, kind=float):
    return lambda data: mechanism.randomise(kind(data[0]))


def laplace():
    return of_the_value(mechanisms.Laplace(epsilon=1, sensitivity=1))


def laplace_rounded():
    mechanism = mechanisms.Laplace(epsilon=1, sensitivity=1)
    return lambda data: round(mechanism.randomise(float(data[0])) * 10**6)


def laplace_truncated():
    return of_the_value(mechanisms.LaplaceTruncated(epsilon=1, sensitivity=1, lower=-5, upper=5))


def laplace_folded():
    return of_the_value(mechanisms.LaplaceFolded(epsilon=1, sensitivity=1, lower=-5, upper=5))


def laplace_bounded_domain():
    return of_the_value(mechanisms.LaplaceBoundedDomain(epsilon=1, sensitivity=1, lower=-5, upper=5))


def laplace_bounded_domain_rounded():
    mechanism = mechanisms.LaplaceBoundedDomain(epsilon=1, sensitivity=1, lower=0, upper=1)
    return lambda data: round(mechanism.randomise(float(data[0])) * 10**6)


def laplace_bounded_noise():
    return of_the_value(mechanisms.LaplaceBoundedNoise(epsilon=1, delta=0.1, sensitivity=1))


def gaussian():
    return of_the_value(mechanisms.Gaussian(epsilon=0.9, delta=0.01, sensitivity=1))


def gaussian_rounded():
    mechanism = mechanisms.Gaussian(epsilon=0.9, delta=0.01, sensitivity=1)
    return lambda data: round(mechanism.randomise(float(data[0])) * 10**6)


def gaussian_analytic():
    return of_the_value(mechanisms.GaussianAnalytic(epsilon=1, delta=0.1, sensitivity=1))


def gaussian_analytic_rounded():
    mechanism = mechanisms.GaussianAnalytic(epsilon=1, delta=0.1, sensitivity=1)
    return lambda data: round(mechanism.randomise(float(data[0])) * 10**6)


def gaussian_discrete():
    return of_the_value(mechanisms.GaussianDiscrete(epsilon=1, delta=0.1, sensitivity=1), int)


def staircase():
    return of_the_value(mechanisms.Staircase(epsilon=1, sensitivity=1))


def staircase_rounded():
    mechanism = mechanisms.Staircase(epsilon=1, sensitivity=1)
    return lambda data: round(mechanism.randomise(float(data[0])) * 10**6)


def geometric():
    return of_the_value(mechanisms.Geometric(epsilon=1, sensitivity=1), int)


def geometric_truncated():
    return of_the_value(mechanisms.GeometricTruncated(epsilon=1, sensitivity=1, lower=0, upper=5), int)


def geometric_folded():
    return of_the_value(mechanisms.GeometricFolded(epsilon=1, sensitivity=1, lower=0, upper=5), int)


def binary():
    return of_the_value(mechanisms.Binary(epsilon=1, value0="no", value1="yes"), str)


def snapping():
    return of_the_value(mechanisms.Snapping(epsilon=1, sensitivity=1, lower=-5, upper=5))


def utilities(data):
    return [float(utility) for utility in data[0]]


def exponential():
    """A dataset is a list with one record, the utilities, each of which may move by 1."""
    return lambda data: mechanisms.Exponential(epsilon=1, sensitivity=1, utility=utilities(data)).randomise()


def permute_and_flip():
    return lambda data: mechanisms.PermuteAndFlip(epsilon=1, sensitivity=1, utility=utilities(data)).randomise()


def exponential_categorical():
    distances = [["a", "b", 1], ["a", "c", 2], ["b", "c", 1]]
    return of_the_value(mechanisms.ExponentialCategorical(epsilon=1, utility_list=distances), str)


def exponential_hierarchical():
    hierarchy = [["a", "b"], ["c", "d"]]
    return of_the_value(mechanisms.ExponentialHierarchical(epsilon=1, hierarchy=hierarchy), str)


def mean():
    return lambda data: tools.mean(np.array(data, dtype=float), epsilon=1, bounds=(0, 1))


def count_nonzero():
    return lambda data: tools.count_nonzero(np.array(data), epsilon=1)


def histogram():
    return lambda data: tools.histogram(np.array(data, dtype=float), epsilon=1, bins=2, range=(0, 2))[0].tolist()


def median():
    """To one decimal: the bits of the output are no part of the question. null in a dataset stands for NaN."""
    def release(data):
        values = [np.nan if value is None else value for value in data]
        found = float(tools.median(np.array(values, dtype=float), epsilon=1, bounds=(0, 1)))
        return "not a number" if np.isnan(found) else round(found * 10)

    return release


def logistic_regression():
    """A record is [x, label]. The coefficient in tenths: its bits are no part of the question."""
    def release(data):
        x, y = np.array([[row[0]] for row in data], dtype=float), np.array([row[1] for row in data])
        model = models.LogisticRegression(epsilon=1, data_norm=30, fit_intercept=False)
        return round(float(model.fit(x, y).coef_[0][0]) * 10)

    return release


def linear_regression():
    """A record is [x, y], with x from 0 to 100 and y from 0 to 1: issue 105."""
    def release(data):
        x, y = np.array([[row[0]] for row in data], dtype=float), np.array([row[1] for row in data], dtype=float)
        model = models.LinearRegression(epsilon=1, bounds_X=(0, 100), bounds_y=(0, 1), fit_intercept=False)
        return float(model.fit(x, y).coef_[0])

    return release


def gaussian_naive_bayes():
    """A record is [x, label]. The counts of the classes are released with the rest."""
    def release(data):
        x, y = np.array([[row[0]] for row in data], dtype=float), np.array([row[1] for row in data])
        model = models.GaussianNB(epsilon=1, bounds=(0, 1))
        return [int(count) for count in model.fit(x, y).class_count_]

    return release


if __name__ == "__main__":
    start(globals())
