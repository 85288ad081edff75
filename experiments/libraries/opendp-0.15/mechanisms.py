"""The mechanism of OpenDP that was mended between 0.15 and 0.16. A dataset is a list with one record, a vector of scores."""

import opendp.prelude as dp
from named import start

dp.enable_features("contrib")

SCORES = dp.vector_domain(dp.atom_domain(T="i32")), dp.linf_distance(T="i32")


def noisy_max_concentrated():
    mechanism = dp.m.make_noisy_max(*SCORES, dp.zero_concentrated_divergence(), scale=1.0)
    return lambda data: mechanism(data[0])


if __name__ == "__main__":
    start(globals())
