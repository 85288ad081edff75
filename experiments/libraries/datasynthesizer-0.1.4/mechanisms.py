"""Noisy conditional distributions of DataSynthesizer. A dataset is a list of records [a, b]; the network, b given a, is public."""

import numpy as np
import pandas as pd
from DataSynthesizer.lib.PrivBayes import construct_noisy_conditional_distributions
from named import start


def told(data):
    table = pd.DataFrame(data, columns=["a", "b"])
    found = construct_noisy_conditional_distributions([("b", ["a"])], table, epsilon=1.0)
    rows = [found["a"]] + [row for _, row in sorted(found["b"].items())]
    return [np.asarray(row, dtype=float) for row in rows]


def distributions():
    """To four decimals: the bits are no part of the question."""
    return lambda data: [np.round(row * 10**4).astype(int).tolist() for row in told(data)]


def cells():
    """How many cells each row has."""
    return lambda data: [len(row) for row in told(data)]


if __name__ == "__main__":
    start(globals())
