"""Mechanisms of trasgoDP, on a column with a few records."""

from named import start
from trasgodp.categorical import (
    dp_exponential_array, dp_randomized_response_binary_array, dp_randomized_response_kary_array)
from trasgodp.numerical import dp_clip_gaussian_array, dp_clip_laplace_array


def randomised_response():
    return lambda data: dp_randomized_response_binary_array(data, 1.0, positive_label="a")


def randomised_response_many():
    return lambda data: dp_randomized_response_kary_array(data, 1.0)


def exponential():
    return lambda data: dp_exponential_array(data, 1.0)


def laplace():
    return lambda data: dp_clip_laplace_array([float(x) for x in data], 1.0, -5.0, 5.0)


def laplace_integer():
    return lambda data: dp_clip_laplace_array([int(x) for x in data], 1.0, 0, 4)


def gaussian_integer():
    return lambda data: dp_clip_gaussian_array([int(x) for x in data], 1.0, 0, 4, 0.01)


if __name__ == "__main__":
    start(globals())
