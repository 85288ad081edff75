"""The mechanism that comes with private-pgm, as packaged by Tumult. A dataset is a list of values of one column."""

import contextlib
import io

import pandas as pd
from named import start
from tmlt.private_pgm import Dataset, Domain
from tmlt.private_pgm.mechanism import run


def measured(told, **claim):
    domain = Domain(["a"], [2])

    def release(data):
        with contextlib.redirect_stdout(io.StringIO()):
            _, _, ((_, answers, _, _),) = run(Dataset(pd.DataFrame({"a": data}), domain), [("a",)], iters=1, **claim)
        return [told(float(answer)) for answer in answers]

    return release


def micro(value):
    return round(value * 10**6)


def laplace():
    return measured(float, eps=1.0)


def laplace_rounded():
    return measured(micro, eps=1.0)


def gaussian_rounded():
    return measured(micro, eps=1.0, delta=0.01)


if __name__ == "__main__":
    start(globals())
