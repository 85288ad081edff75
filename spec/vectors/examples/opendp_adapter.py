"""OpenDP for check.py: the delta of `then_laplace_threshold`, where neighbours differ by one record."""

from fractions import Fraction

import opendp.prelude as dp

dp.enable_features("contrib")


def mechanism(scale, threshold):
    """Counts by key with discrete Laplace noise; a key is published if its noisy count reaches the threshold."""
    counts = dp.t.make_count_by(dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance())
    return counts >> dp.m.then_laplace_threshold(scale=scale, threshold=threshold)


def value(law, parameters, quantity, at):
    if law != "laplace-threshold" or quantity != "delta":
        raise NotImplementedError
    return mechanism(float(Fraction(parameters["scale"])), int(parameters["threshold"])).map(1)[1]
