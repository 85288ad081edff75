"""Tables of mbi. A dataset is a list of records [a, b], with three values of a and two of b."""

import jax.numpy as jnp
import mbi
import numpy as np
from named import start

DOMAIN = mbi.Domain(["a", "b"], [3, 2])


def table(data):
    columns = np.array(data, dtype=int).reshape(-1, 2)
    return mbi.Dataset({"a": columns[:, 0], "b": columns[:, 1]}, DOMAIN)


def counts(data, *columns):
    return np.asarray(table(data).project(columns).datavector(), dtype=float)


def marginal():
    """A transformation: the counts of all six cells."""
    return lambda data: counts(data, "a", "b").tolist()


def marginals():
    """A transformation: the counts of both columns, one after the other."""
    return lambda data: [counts(data, "a").tolist(), counts(data, "b").tolist()]


def estimated():
    """A model fitted to a noisy count of a, as the package's own examples fit it: what it says of a, to 1/1000."""
    def release(data):
        noisy = counts(data, "a") + np.random.laplace(0, 1, 3)
        measured = mbi.LinearMeasurement(jnp.array(np.round(noisy, 4)), ("a",), stddev=1.0)
        model = mbi.estimation.MirrorDescent().estimate(DOMAIN, [measured], iters=20)
        return np.round(np.asarray(model.project(("a",)).datavector(), dtype=float) * 1000).astype(int).tolist()

    return release


if __name__ == "__main__":
    start(globals())
