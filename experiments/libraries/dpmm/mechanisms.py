"""Models of dpmm on small tables. What is released is what a fitted model keeps: its cliques, or its noisy marginals."""

from copy import deepcopy

import numpy as np
import pandas as pd
from dpmm.models.base.mechanisms.cdp2adp import cdp_delta
from dpmm.models.mst import MST
from dpmm.models.priv_bayes import PrivBayes
from named import start


def fitted(model, table):
    """The model, fitted to this table as far as its noisy marginals."""
    model = deepcopy(model)
    model.fit(table, marginals_only=True)
    return model


def marginal(domain, told):
    """A dataset is a list of values of one column."""
    model = MST(epsilon=1.0, delta=0.01, compress=False, n_jobs=1, domain=domain)

    def release(data):
        (measured,) = fitted(model, pd.DataFrame({"a": data})).measures
        return told(np.asarray(measured[1]))

    return release


def domain():
    """The domain is left to the model: how many cells the marginal has."""
    return marginal(None, len)


def domain_given():
    return marginal({"a": 3}, len)


def marginal_bits():
    return marginal({"a": 2}, lambda counts: counts.tolist())


def marginal_rounded():
    return marginal({"a": 2}, lambda counts: np.round(counts * 10**4).astype(int).tolist())


def choice():
    """A dataset is a list with one record, the scores."""
    model = MST(epsilon=1.0, delta=0.01, n_jobs=1)
    return lambda data: int(model.exponential_mechanism(np.array(data[0], dtype=float), 1.0, 1.0))


def structure():
    """A dataset is a list of how many of 2000 records are 1 in the first two of three columns, all others being 0."""
    model = PrivBayes(epsilon=1.0, delta=0.01, degree=2, n_jobs=1, domain={"a": 2, "b": 2, "c": 2})

    def release(data):
        column = np.arange(2000) < data[0]
        table = pd.DataFrame({"a": column, "b": column, "c": False}).astype(int)
        return [list(clique) for clique in fitted(model, table).cliques]

    return release


if __name__ == "__main__":
    start(globals())
