"""A planted mistake: Gaussian losses on a grid, rounded up, convolved by Fourier in doubles, and what that errs by left out.
At a small delta check.py says UNSOUND, of some cases: of others the error happens to make epsilon too large."""

from cmath import exp as cexp
from fractions import Fraction
from math import ceil, erfc, exp, floor, log, pi, sqrt

LENGTH = 1 << 14


def fourier(values, sign):
    """The transform, by halves."""
    n = len(values)
    if n == 1:
        return values
    even, odd = fourier(values[::2], sign), fourier(values[1::2], sign)
    turned = [cexp(sign * 2j * pi * i / n) * value for i, value in enumerate(odd)]
    return [a + b for a, b in zip(even, turned)] + [a - b for a, b in zip(even, turned)]


def masses(mu, step):
    """P at the multiples of the step: a cell's share of its upper end keeps its masses under P and Q."""
    above = lambda x: 0.5 * erfc(x / sqrt(2))
    first, last = floor((-mu**2 / 2 - 9.5 * mu) / step), ceil((mu**2 / 2 + 9.5 * mu) / step)
    found = {}
    for node in range(first, last):
        low, high = node * step, (node + 1) * step
        # The loss is mu x - mu^2/2: under Q it is normal with mean -mu^2/2, under P with mean mu^2/2.
        q = above(low / mu + mu / 2) - above(high / mu + mu / 2)
        p = above(low / mu - mu / 2) - above(high / mu - mu / 2)
        share = min(q, max(0.0, (p - exp(low) * q) / (exp(high) - exp(low))))
        found[node + 1] = found.get(node + 1, 0.0) + share * exp(high)
        found[node] = found.get(node, 0.0) + (q - share) * exp(low)
    return found


def account(law, parameters, quantity, at):
    rate, steps = Fraction(parameters["rate"]), int(parameters["steps"])
    if law != "poisson-gaussian" or rate != 1 or quantity != "epsilon":
        raise NotImplementedError
    delta, mu = float(Fraction(at["delta"])), 1 / float(Fraction(parameters["deviation"]))
    spread = 10 * mu * sqrt(steps)
    step = 2 * spread / (LENGTH - 8)
    bottom = floor((steps * mu**2 / 2 - spread) / step)
    values = [0j] * LENGTH
    for node, mass in masses(mu, step).items():
        values[node % LENGTH] += mass
    powers = [value**steps for value in fourier(values, -1)]
    sums = [value.real / LENGTH for value in fourier(powers, 1)]
    everything = weighted = 0.0
    for node in reversed(range(bottom, bottom + LENGTH)):
        if everything - weighted > delta:
            return max(0.0, node * step + log((everything - delta) / weighted))
        everything += sums[node % LENGTH]
        weighted = (weighted + sums[node % LENGTH]) * exp(-step)
    raise NotImplementedError
