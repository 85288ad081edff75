"""dp-accounting for check.py: delta(epsilon) of the discrete Laplace and Gaussian mechanisms. Doubles in and out."""

from fractions import Fraction
from math import sqrt

from dp_accounting.pld import privacy_loss_mechanism


def value(law, parameters, quantity, at):
    if quantity != "profile" or law not in ("discrete-laplace", "discrete-gaussian"):
        raise NotImplementedError
    shift, epsilon = int(at["shift"]), float(Fraction(at["epsilon"]))
    if law == "discrete-laplace":
        loss = privacy_loss_mechanism.DiscreteLaplacePrivacyLoss(float(1 / Fraction(parameters["scale"])), sensitivity=shift)
    else:
        sigma = sqrt(Fraction(parameters["variance"]))
        if sigma > 10**4:
            raise NotImplementedError  # it tabulates the law
        loss = privacy_loss_mechanism.DiscreteGaussianPrivacyLoss(sigma, sensitivity=shift)
    return float(loss.get_delta_for_epsilon(epsilon))
