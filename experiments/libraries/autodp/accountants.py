"""What autodp promises of mechanisms whose privacy is known exactly."""

from autodp import mechanism_zoo, transformer_zoo
from enclosures import gaussian_delta, laplace_delta, randomised_response_delta
from fractions import Fraction
from values import score, start

DELTAS = [1e-2, 1e-5, 1e-8]


def of_mechanism(made, certified, parameters, deltas=DELTAS):
    scores = []
    for parameter in parameters:
        mechanism = made(parameter)
        for delta in deltas:
            epsilon = float(mechanism.get_approxDP(delta))
            scores.append(score("%g, delta %g" % (parameter, delta), delta, certified(parameter, max(epsilon, 0.0))))
    return scores


def gaussian():
    return of_mechanism(lambda sigma: mechanism_zoo.ExactGaussianMechanism(sigma), gaussian_delta, [1.0, 2.0, 8.0])


def gaussian_renyi():
    return of_mechanism(lambda sigma: mechanism_zoo.GaussianMechanism(sigma), gaussian_delta, [1.0, 2.0, 8.0])


def gaussian_composed():
    def made(sigma):
        return transformer_zoo.Composition()([mechanism_zoo.GaussianMechanism(sigma)], [16])

    return of_mechanism(made, lambda sigma, epsilon: gaussian_delta(sigma / 4, epsilon), [2.0, 4.0, 8.0])


def laplace():
    return of_mechanism(lambda scale: mechanism_zoo.LaplaceMechanism(scale), laplace_delta, [0.5, 1.0, 2.0])


def randomised_response():
    return of_mechanism(
        lambda p: mechanism_zoo.RandresponseMechanism(p),
        lambda p, epsilon: randomised_response_delta(Fraction(p), 1, Fraction(epsilon)), [0.75, 0.625], [0.25, 1e-2, 1e-5])


if __name__ == "__main__":
    start(globals())
