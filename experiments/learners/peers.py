"""What is not ours, on the same records: without privacy, diffprivlib, and noisy descent in floats.

Each is a function of training points, their labels (1 and -1), test points, epsilon and a seed, and gives labels of the test points. All
but `majority` and `naive_bayes` see records of norm 1: a constant is added, and the record divided by its norm, as `halfspaces-descent`
does.
"""

import math
import warnings

import numpy
from diffprivlib import models
from sklearn.linear_model import LogisticRegression

# diffprivlib warns that it clips, and that it has not converged: the errors say what came of it.
warnings.simplefilter("ignore")

DELTA = 1e-6
# Of noisy descent.
MARGIN, STEPS = 0.05, 500


def unit(points):
    """Records with a constant, of norm 1."""
    longer = numpy.hstack([points, numpy.ones((len(points), 1))])
    return longer / numpy.linalg.norm(longer, axis=1, keepdims=True)


def majority(points, labels, test, epsilon, seed):
    return numpy.full(len(test), 1 if labels.sum() > 0 else -1)


def logistic(points, labels, test, epsilon, seed):
    return LogisticRegression(max_iter=10000).fit(unit(points), labels).predict(unit(test))


def private_logistic(points, labels, test, epsilon, seed):
    model = models.LogisticRegression(epsilon=epsilon, data_norm=1.0, random_state=seed)
    return model.fit(unit(points), labels).predict(unit(test))


def private_naive_bayes(points, labels, test, epsilon, seed):
    return models.GaussianNB(epsilon=epsilon, bounds=(-1, 1), random_state=seed).fit(points, labels).predict(test)


def descent(points, labels, test, epsilon, seed):
    """Noisy gradients of the hinge loss of all records, projected onto the unit ball, averaged: (epsilon, 10^-6)-private but for its floats."""
    signed, draws = unit(points) * labels[:, None], numpy.random.default_rng(seed)
    records, dimension = signed.shape
    # A substituted record moves a gradient by 2.
    deviation = math.sqrt(2 * STEPS / concentrated(epsilon))
    step = 1 / math.sqrt(STEPS * (records**2 + dimension * deviation**2))
    at, total = numpy.zeros(dimension), numpy.zeros(dimension)
    for _ in range(STEPS):
        total += at
        gradient = signed[signed @ at < MARGIN].sum(axis=0) + deviation * draws.normal(size=dimension)
        at = at + step * gradient
        at = at / max(1.0, numpy.linalg.norm(at))
    return numpy.where(unit(test) @ total > 0, 1, -1)


def concentrated(epsilon):
    """The rho of zCDP that makes (epsilon, delta), by Proposition 12 of Canonne, Kamath and Steinke 2020."""
    orders = 1 + numpy.geomspace(1e-3, 1e4, 4000)
    fixed = -numpy.log(orders * DELTA) / (orders - 1) + numpy.log1p(-1 / orders)
    return float(((epsilon - fixed) / orders).max())


# By name: what it promises, and what runs.
PEERS = {
    "majority class": ("nothing", majority),
    "scikit-learn, logistic regression": ("nothing", logistic),
    "diffprivlib, logistic regression": ("epsilon, as it claims", private_logistic),
    "diffprivlib, naive Bayes": ("epsilon, as it claims", private_naive_bayes),
    "noisy descent in floats": ("epsilon, delta but for its floats", descent),
}
