"""Noisy conditional distributions of DataSynthesizer. A dataset is a list of records [a, b]; the network, b given a, is public,
but for `described`."""

import contextlib
import io
import os
import tempfile

import numpy as np
import pandas as pd
from DataSynthesizer.DataDescriber import DataDescriber
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


def described():
    """The description of a file, with all that is not needed left as it is."""
    def release(data):
        with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
            pd.DataFrame(data, columns=["a", "b"]).to_csv(file, index=False)
        describer = DataDescriber(category_threshold=20)
        columns = {"a": True, "b": True}
        with contextlib.redirect_stdout(io.StringIO()):
            describer.describe_dataset_in_correlated_attribute_mode(
                file.name, k=1, epsilon=1.0, attribute_to_is_categorical=columns,
                attribute_to_is_candidate_key={name: False for name in columns})
        os.remove(file.name)
        return describer.data_description["conditional_probabilities"]

    return release


if __name__ == "__main__":
    start(globals())
