#!/usr/bin/env python3
"""dp-accounting 0.6.0: delta(epsilon) scored by digits and by side. What it finds is in README.md."""

from environment import Table, check, enter, finish

enter("dp-accounting", "dp-accounting==0.6.0", "scipy==1.17.1", "numpy==2.4.6")

from fractions import Fraction  # noqa: E402

from dp_accounting.pld import privacy_loss_distribution, privacy_loss_mechanism  # noqa: E402, in the environment only

from enclosures import (  # noqa: E402
    discrete_gaussian_delta, discrete_laplace_delta, gaussian_delta, laplace_delta, randomised_response_delta)

table = Table()
PROFILES = {
    "Laplace, scale %g": (privacy_loss_mechanism.LaplacePrivacyLoss, laplace_delta, [0.5, 1.0, 2.0, 1024.0]),
    "Gaussian, sigma %g": (privacy_loss_mechanism.GaussianPrivacyLoss, gaussian_delta, [0.5, 1.0, 2.0, 16.0, 1024.0]),
    "discrete Laplace, a %g": (
        lambda a: privacy_loss_mechanism.DiscreteLaplacePrivacyLoss(a, sensitivity=1),
        lambda a, epsilon: discrete_laplace_delta(1 / Fraction(a), epsilon), [0.5, 1.0, 2.0, 0.125]),
    "discrete Gaussian, sigma %g": (
        lambda sigma: privacy_loss_mechanism.DiscreteGaussianPrivacyLoss(sigma, sensitivity=1),
        lambda sigma, epsilon: discrete_gaussian_delta(Fraction(sigma) ** 2, epsilon), [0.5, 1.0, 2.0, 16.0]),
}
found = {}
for title, (mechanism, certified, parameters) in PROFILES.items():
    print("delta(epsilon) on a query of sensitivity 1. Reported, certified:")
    for parameter in parameters:
        for epsilon in [0.0, 0.125, 0.5, 1.0, 3.0, 10.0]:
            if title.startswith("Gaussian") and parameter * epsilon > 35:
                continue  # below the least double
            reported = float(mechanism(parameter).get_delta_for_epsilon(epsilon))
            name = (title + ", epsilon %g") % (parameter, epsilon)
            found[name] = table.row(name, reported, certified(parameter, epsilon), bound=True) + (reported,)

print("randomised response, 3/4 true, composed: by a privacy loss distribution, rounded up to multiples of 1/1000")
loss = privacy_loss_distribution.from_randomized_response(0.5, 2, value_discretization_interval=1e-3)
composed = []
for k in [1, 2, 10, 50]:
    for epsilon in [0.5, 1.0, 3.0, 10.0]:
        reported = float(loss.self_compose(k).get_delta_for_epsilon(epsilon))
        name = "%d answers, epsilon %g" % (k, epsilon)
        composed.append(table.row(name, reported, randomised_response_delta(Fraction(3, 4), k, epsilon), bound=True))


def right_or_tiny(side, digits, reported):
    return digits is None or digits >= 10 or (side == "above" and reported < 1e-12)


status, _ = check("dp_accounting_adapter.py")
below = [digits for side, digits, _ in found.values() if side == "below"]
finish({
    "check.py finds nothing to refute": status == 0,
    "each profile has 10 digits, or is tiny and conservative": all(right_or_tiny(*row) for row in found.values()),
    "some are below the certified one, none by more than rounding": below and min(below) >= 11,
    "no composed delta is below the certified one": all(side != "below" for side, _ in composed),
})
