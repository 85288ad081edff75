"""Covariances of SmartNoise Synthesizers, version 1.0.5 too. A dataset is a list of records, whose number is public; what is
released is the covariances in hundredths (the bits are no part of the question)."""

import importlib.util
from importlib.metadata import distribution

import numpy as np
import pandas as pd
from named import start

# By its file: the package around it loads a scikit-learn that is not declared, and for 1.0.5 one that is too old for this Python.
FILE = distribution("smartnoise-synth").locate_file("snsynth/models/dp_covariance.py")
specification = importlib.util.spec_from_file_location("dp_covariance", FILE)
dp_covariance = importlib.util.module_from_spec(specification)
specification.loader.exec_module(dp_covariance)


BUDGET = 2.0


def covariances(*highest):
    """Columns from 0 to `highest`."""
    def release(data):
        columns = list("abc")[: len(highest)]
        ranges = pd.DataFrame([(0, high) for high in highest]).T
        mechanism = dp_covariance.DPcovariance(len(data), columns, ranges, BUDGET)
        told = mechanism.release(pd.DataFrame(data, columns=columns, dtype=float))
        return np.round(100 * np.array(told)).astype(int).tolist()

    return release


def two_columns():
    return covariances(1, 1)


def three_columns():
    return covariances(1, 1, 1)


def three_ranges():
    return covariances(1, 10, 1)


if __name__ == "__main__":
    start(globals())
