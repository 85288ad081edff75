"""PrivBayes of synthcity. A dataset is a list of records [a, b]. What is released is the tables of the network, to
four decimals (the bits are no part of the question), but for `records`, `edge` and `domain`."""

import contextlib
import secrets
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from named import start

# Standard output is for answers: one of the library's own libraries greets there.
with contextlib.redirect_stdout(sys.stderr):
    from synthcity.plugins.privacy.plugin_privbayes import PrivBayes, PrivBayesPlugin


def table(data):
    return pd.DataFrame(data, columns=["a", "b"])


def fitted(data, **arguments):
    return PrivBayes(**arguments).fit(table(data))


def tables(model):
    return {part.variable: np.round(part.values.ravel() * 10**4).astype(int).tolist() for part in model.network.cpds}


def full_degree():
    """As many parents as there are columns."""
    return lambda data: tables(fitted(data, epsilon=1 / 6, K=2))


def less_degree():
    """One parent less. For 12 records the noise has the scale 2 (2 - 1) / (12 * 1/12) = 2."""
    return lambda data: tables(fitted(data, epsilon=1 / 6, K=1))


def default_degree():
    """The degree that the library computes: for two columns and 12 records it is 2."""
    return lambda data: tables(fitted(data, epsilon=1))


def records():
    """Whether there is a model, with the degree that the library computes."""
    def release(data):
        fitted(data, epsilon=1)
        return True

    return release


def scale_by_records():
    return lambda data: tables(fitted(data, epsilon=1, K=1))


def edge():
    """Whether the network has an edge."""
    return lambda data: len(fitted(data, epsilon=1, K=1).network.edges)


def domain():
    """The largest value of the first column in 100 synthetic records."""
    return lambda data: int(fitted(data, epsilon=1, K=1).sample(100)["a"].max())


# The plugin makes a folder.
FOLDER = tempfile.TemporaryDirectory()


def by_plugin(data, **seed):
    return tables(PrivBayesPlugin(epsilon=1 / 6, K=1, workspace=Path(FOLDER.name), **seed).fit(table(data)).model)


def plugin():
    """As `less-degree`, by the interface of all plugins, with no seed given."""
    return by_plugin


def plugin_with_seed():
    """The same with a new seed each time."""
    return lambda data: by_plugin(data, random_state=secrets.randbelow(2**32))


if __name__ == "__main__":
    start(globals())
