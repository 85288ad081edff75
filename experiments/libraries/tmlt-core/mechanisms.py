"""Measurements of Tumult Core. Those for one value take the only record."""

import numpy as np
import pandas as pd
from named import start
from tmlt.core.domains.numpy_domains import NumpyFloatDomain, NumpyIntegerDomain
from tmlt.core.domains.pandas_domains import PandasSeriesDomain
from tmlt.core.measurements.noise_mechanisms import (
    AddDiscreteGaussianNoise, AddGaussianNoise, AddGeometricNoise, AddLaplaceNoise)
from tmlt.core.measurements.pandas_measurements.series import NoisyQuantile
from tmlt.core.measures import PureDP


def of_the_value(measurement, kind):
    return lambda data: measurement(kind(data[0]))


def geometric():
    return of_the_value(AddGeometricNoise(1), np.int64)


def laplace():
    return of_the_value(AddLaplaceNoise(NumpyFloatDomain(), 1), np.float64)


def discrete_gaussian():
    return of_the_value(AddDiscreteGaussianNoise(1), np.int64)


def gaussian():
    return of_the_value(AddGaussianNoise(NumpyFloatDomain(), 1), np.float64)


def gaussian_rounded():
    measurement = AddGaussianNoise(NumpyFloatDomain(), 1)
    return lambda data: round(measurement(np.float64(data[0])) * 10**6)


def median():
    domain = PandasSeriesDomain(NumpyIntegerDomain())
    measurement = NoisyQuantile(domain, PureDP(), quantile=0.5, lower=0, upper=4, epsilon=1)
    return lambda data: measurement(pd.Series(data, dtype="int64"))


if __name__ == "__main__":
    start(globals())
