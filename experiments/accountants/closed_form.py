"""Steps of Gaussian noise on all records have an exact delta: what dp-accounting and opake-accounting answer, beside it.

    ../../target/libraries/accountants/bin/python -W ignore closed_form.py

Nothing of ours is used: k steps of deviation sigma are one release of deviation sigma / sqrt(k) (Balle and Wang 2018, Theorem 8). 20
deviations for each row: sqrt(k) / sigma from 1.5 to 3.4. The factor is the true delta at the epsilon answered, over the delta asked for.
"""

import math

import numpy
import scipy
from dp_accounting.pld import privacy_loss_distribution
from mpmath import exp, mp, mpf, ncdf, sqrt
from peers import opake

mp.dps = 50


def true_delta(sigma, steps, epsilon):
    mu, epsilon = sqrt(mpf(steps)) / mpf(sigma), mpf(epsilon)
    return ncdf(mu / 2 - epsilon / mu) - exp(epsilon) * ncdf(-mu / 2 - epsilon / mu)


def dp_accounting():
    def ask(rate, sigma, steps, delta):
        return privacy_loss_distribution.from_gaussian_mechanism(sigma).self_compose(steps).get_epsilon_for_delta(delta)

    return ask


def of_the_transform(sigma, steps):
    """Of the composed masses, what cannot be: the negative ones; and k times the error of the transform's first value, the sum."""
    made = privacy_loss_distribution.from_gaussian_mechanism(sigma)
    step, masses = made._pmf_remove.to_dense_pmf()._probs, made.self_compose(steps)._pmf_remove._probs
    exact = sum(map(mpf, map(float, step)))
    first = steps * (mpf(float(numpy.real(scipy.fft.fft(step)[0]))) - exact)
    return "%d of %d masses are negative, %.3g in all; k times the error of the first value: %.3g" % (
        (masses < 0).sum(), len(masses), masses[masses < 0].sum(), first)


def main():
    print("numpy %s, scipy %s" % (numpy.__version__, scipy.__version__))
    for name, ask in (("dp-accounting", dp_accounting()), ("opake-accounting", opake())):
        for steps in (1000, 10**4, 10**5):
            for delta in (1e-8, 1e-9, 1e-10, 1e-11, 1e-12):
                sigmas = [math.sqrt(steps) / (1.5 + 0.1 * part) for part in range(20)]
                factors = [(true_delta(sigma, steps, float(ask(1.0, sigma, steps, delta))) / mpf(delta), sigma) for sigma in sigmas]
                worst, sigma = max(factors)
                below = sum(factor > 1 for factor, _ in factors)
                print("%s, k = %d, delta %g: below the truth in %2d of 20; worst factor %.6f, at sigma %r" % (
                    name, steps, delta, below, worst, sigma), flush=True)
    for sigma, steps in ((55.55555555555556, 10**4), (150.58465048420854, 10**5)):
        print("sigma %r, k = %d: %s" % (sigma, steps, of_the_transform(sigma, steps)))


if __name__ == "__main__":
    main()
