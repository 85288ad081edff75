"""What dp-accounting promises of mechanisms whose privacy is known exactly."""

from dp_accounting import dp_event, privacy_accountant
from dp_accounting.pld import pld_privacy_accountant, privacy_loss_distribution
from dp_accounting.rdp import rdp_privacy_accountant
from enclosures import discrete_gaussian_delta, discrete_laplace_delta, gaussian_delta, laplace_delta
from fractions import Fraction
from values import score, start

DELTAS = [1e-2, 1e-5, 1e-8]
SIGMAS = [1.0, 2.0, 8.0]
ADD_OR_REMOVE = privacy_accountant.NeighboringRelation.ADD_OR_REMOVE_ONE
REPLACE_ONE = privacy_accountant.NeighboringRelation.REPLACE_ONE


def gaussians(accountant, neighbours, steps, true_sigma):
    """`true_sigma` is the deviation of one Gaussian release on a query of sensitivity 1 that costs as much."""
    scores = []
    for sigma in SIGMAS:
        made = accountant(neighboring_relation=neighbours)
        made.compose(dp_event.GaussianDpEvent(sigma), steps)
        for delta in DELTAS:
            epsilon = float(made.get_epsilon(delta))
            scores.append(score("sigma %g, delta %g" % (sigma, delta), delta, gaussian_delta(true_sigma(sigma), epsilon)))
    return scores


def rdp_gaussian():
    return gaussians(rdp_privacy_accountant.RdpAccountant, ADD_OR_REMOVE, 1, lambda sigma: sigma)


def rdp_gaussian_composed():
    return gaussians(rdp_privacy_accountant.RdpAccountant, ADD_OR_REMOVE, 16, lambda sigma: sigma / 4)


def rdp_gaussian_replaced():
    """Noise on a sum of vectors of norm at most 1: where one replaces another, the sum moves by up to 2."""
    return gaussians(rdp_privacy_accountant.RdpAccountant, REPLACE_ONE, 1, lambda sigma: sigma / 2)


def pld_gaussian():
    return gaussians(pld_privacy_accountant.PLDAccountant, ADD_OR_REMOVE, 1, lambda sigma: sigma)


def pld_gaussian_composed():
    return gaussians(pld_privacy_accountant.PLDAccountant, ADD_OR_REMOVE, 16, lambda sigma: sigma / 4)


def of_distributions(made, certified, parameters):
    scores = []
    for parameter in parameters:
        loss = made(parameter)
        for epsilon in [0.125, 0.25, 0.5, 0.75]:
            promised = float(loss.get_delta_for_epsilon(epsilon))
            true = certified(parameter, epsilon)
            # Where delta is 0, what rounding leaves of a promise says nothing. A promise of 0 that is not kept is as wrong as
            # one can be.
            if promised > 1e-12 or true.lo > 0:
                scores.append(score("%g, epsilon %g" % (parameter, epsilon), promised or 1e-300, true))
    return scores


def pld_laplace():
    return of_distributions(
        lambda scale: privacy_loss_distribution.from_laplace_mechanism(scale), laplace_delta, [0.5, 1.0, 2.0])


def pld_discrete_laplace():
    return of_distributions(
        lambda a: privacy_loss_distribution.from_discrete_laplace_mechanism(a),
        lambda a, epsilon: discrete_laplace_delta(1 / Fraction(a), epsilon), [0.5, 1.0, 2.0])


def pld_discrete_gaussian():
    return of_distributions(
        lambda sigma: privacy_loss_distribution.from_discrete_gaussian_mechanism(sigma),
        lambda sigma, epsilon: discrete_gaussian_delta(Fraction(sigma) ** 2, epsilon), [0.5, 1.0, 2.0])


if __name__ == "__main__":
    start(globals())
