"""What the engine of MOSTLY AI tells of a column before a model is trained on it. A dataset is a list of numbers, one a person."""

import functools
import sys
import types
from importlib.metadata import distribution

import pandas as pd
from named import start

# Without the start of the package, which loads all that trains models.
engine = types.ModuleType("mostlyai.engine")
engine.__path__ = [str(distribution("mostlyai-engine").locate_file("mostlyai/engine"))]
sys.modules["mostlyai.engine"] = engine

from mostlyai.engine._common import _dp_bounded_quantiles, compute_log_histogram, dp_approx_bounds, dp_non_rare
from mostlyai.engine._encoding_types.tabular.numeric import analyze_numeric, analyze_reduce_numeric
from mostlyai.engine.domain import ModelEncodingType


def bounds():
    return lambda data: dp_approx_bounds(compute_log_histogram(data), epsilon=1)


@functools.cache
def counted(data):
    """The exact counts of a column."""
    return analyze_numeric(pd.Series(data, dtype=float, name="values"), pd.Series(range(len(data)), name="people"))


def column():
    """How a column is encoded, and its bounds where these are told. Its digits are told too: see `digits`."""
    def release(data):
        told = analyze_reduce_numeric([counted(tuple(data))], value_protection_epsilon=1)
        return [told["encoding_type"], told.get("min"), told.get("max")]

    return release


def digits():
    """What the digits of a column are encoded by, where it is encoded so."""
    def release(data):
        kind = ModelEncodingType.tabular_numeric_digit
        told = analyze_reduce_numeric([counted(tuple(data))], value_protection_epsilon=1, encoding_type=kind)
        return list(told["max_digits"].values())

    return release


def non_rare(data):
    return dp_non_rare({value: data.count(value) for value in sorted(set(data))}, epsilon=1)


def categories():
    return lambda data: non_rare(data)[0]


def categories_ratio():
    """The share of those who have a value that is told, in percent."""
    return lambda data: round(100 * non_rare(data)[1])


def quantile(share):
    """In thousandths: the bits are no part of the question."""
    return lambda data: int(1000 * _dp_bounded_quantiles(data, [share], epsilon=1, lower=0.0, upper=1.0)[0])


def quantile_95():
    return quantile(0.95)


def median():
    return quantile(0.5)


if __name__ == "__main__":
    start(globals())
