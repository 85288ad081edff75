"""Steps of Gaussian noise on all records have an exact delta: what one accountant of others answers, beside it.

    ../../target/libraries/accountants/bin/python -W ignore closed_form.py dp-accounting-pld 1000 10000 100000

(That is the Python of the environment that peers.py names for it; the numbers are the steps, k.) Nothing of ours is used: k steps of
deviation sigma are one release of deviation sigma / sqrt(k), whose delta is known (Balle and Wang 2018, Theorem 8). A row has 20
deviations, sqrt(k) / sigma from 1.5 to 3.4. The factor is the true delta at the epsilon answered, over the delta asked for.
"""

import math
import sys

import numpy
import scipy.fft
from mpmath import exp, mp, mpf, ncdf, sqrt
from peers import PEERS

mp.dps = 50
DELTAS = [1e-8, 1e-9, 1e-10, 1e-11, 1e-12]


def true_delta(sigma, steps, epsilon):
    mu, epsilon = sqrt(mpf(steps)) / mpf(sigma), mpf(epsilon)
    return ncdf(mu / 2 - epsilon / mu) - exp(epsilon) * ncdf(-mu / 2 - epsilon / mu)


def row(name, steps, delta):
    ask = PEERS[name][1]()
    factors = []
    for part in range(20):
        sigma = math.sqrt(steps) / (1.5 + 0.1 * part)
        factors.append((true_delta(sigma, steps, float(ask(1.0, sigma, steps, delta))) / mpf(delta), sigma))
    worst, sigma = max(factors)
    below = sum(factor > 1 for factor, _ in factors)
    print("k = %d, delta %g: below the truth in %d of 20; worst factor %.6f, at sigma %r" % (steps, delta, below, worst, sigma), flush=True)
    return sigma


def in_extended_precision(sigma, steps, delta):
    """dp-accounting once more, its `self_convolve` line by line, but that its transforms and power are of extended precision."""
    from dp_accounting.pld import common, pld_pmf, privacy_loss_distribution

    made = privacy_loss_distribution.from_gaussian_mechanism(sigma)
    step, whole = made._pmf_remove.to_dense_pmf(), made.self_compose(steps)._pmf_remove
    first, last = common.compute_self_convolve_bounds(step._probs, steps, 1e-15)
    length = scipy.fft.next_fast_len(max(last - first + 1, len(step._probs)))
    masses = numpy.real(scipy.fft.ifft(scipy.fft.fft(step._probs.astype(numpy.longdouble), length) ** steps))
    masses = numpy.roll(masses, -first)[: last - first + 1].astype(float)
    again = pld_pmf.DensePLDPmf(step._discretization, whole._lower_loss, masses, whole._infinity_mass, True)
    factors = [true_delta(sigma, steps, float(one.get_epsilon_for_delta(delta))) / mpf(delta) for one in (whole, again)]
    wrong = whole._probs < 0
    print("  there: %d of %d masses are negative, %.3g in all; factor %.6f, and %.6f in extended precision" % (
        wrong.sum(), len(wrong), whole._probs[wrong].sum(), *factors), flush=True)


def main(name, *steps):
    print("%s, numpy %s, scipy %s" % (name, numpy.__version__, scipy.__version__))
    for k in map(int, steps):
        for delta in DELTAS:
            sigma = row(name, k, delta)
        if name == "dp-accounting-pld":
            in_extended_precision(sigma, k, delta)


if __name__ == "__main__":
    main(*sys.argv[1:])
