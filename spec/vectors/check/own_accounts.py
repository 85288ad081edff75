"""Accounts of class F in plain doubles: closed forms of one step and of steps on all records, which are right to 9 digits; of
other Gaussian steps Renyi divergences, which are sound, and a few percent too large. own.py offers them to check.py.

The class is there for the planted mistakes beside this file, each of which changes one of its methods.
"""

from fractions import Fraction
from functools import lru_cache
from math import erfc, exp, expm1, inf, log, log1p, pi, sqrt


def phi(x):
    """Pr[N(0, 1) <= x]"""
    return 0.5 * erfc(-x / sqrt(2))


def gaussian(mu, epsilon):
    """The delta of N(mu, 1) beside N(0, 1)."""
    return phi(mu / 2 - epsilon / mu) - exp(epsilon) * phi(-mu / 2 - epsilon / mu)


class Accounts:
    def account(self, law, parameters, quantity, at):
        """What check.py calls."""
        rate, steps = float(Fraction(parameters["rate"])), int(parameters["steps"])
        if law == "poisson-laplace":
            raise NotImplementedError
        curve = self.curve(law, rate, float(Fraction(parameters["deviation"])), steps)
        if quantity == "delta":
            return curve(float(Fraction(at["epsilon"])))
        return least(curve, float(Fraction(at["delta"])))

    def curve(self, law, rate, noise, steps):
        """Delta as a function of epsilon."""
        if law == "fixed-gaussian":
            return self.fixed(rate, noise, steps)
        if rate == 1:
            return lambda epsilon: gaussian(sqrt(steps) / noise, epsilon)
        if steps == 1:
            return lambda epsilon: self.both_ways(rate, 1 / noise, epsilon)
        return lambda epsilon: self.by_divergences(rate, noise, steps, epsilon)

    def fixed(self, rate, noise, steps):
        """A record in place of another moves a sum by up to 2. Of more steps it is known for all records alone."""
        if rate == 1:
            return lambda epsilon: gaussian(2 * sqrt(steps) / noise, epsilon)
        if steps == 1:
            return lambda epsilon: self.removal(rate, 2 / noise, epsilon)
        raise NotImplementedError

    def both_ways(self, rate, mu, epsilon):
        return max(self.removal(rate, mu, epsilon), self.addition(rate, mu, epsilon))

    def removal(self, rate, mu, epsilon):
        """q h((g - 1 + q) / q), g = e^epsilon (spec/accounting.md)"""
        return rate * gaussian(mu, log1p(expm1(epsilon) / rate))

    def addition(self, rate, mu, epsilon):
        """r h(g q / r), r = 1 - g (1 - q)"""
        rest = 1 - exp(epsilon) * (1 - rate)
        return rest * gaussian(mu, epsilon + log(rate / rest)) if rest > 1e-12 else 0.0

    def by_divergences(self, rate, deviation, steps, epsilon):
        """The least over the orders. Removal has the larger divergences (Mironov, Talwar and Zhang 2019)."""
        exponents = (self.exponent(order, steps * divergence - epsilon) for order, divergence in divergences(self.orders(), rate, deviation))
        return exp(min(0.0, min(exponents)))

    def orders(self):
        """So close together that others would hardly matter."""
        return tuple(1 + 0.02 * (8 / 7) ** i for i in range(110))

    def exponent(self, order, excess):
        """ln delta by Canonne, Kamath and Steinke 2020, Proposition 12"""
        return (order - 1) * (excess + log1p(-1 / order)) - log(order)


@lru_cache(maxsize=None)
def divergences(orders, rate, deviation):
    return [(order, divergence(rate, deviation, order)) for order in orders if order <= 1000 * deviation]


def divergence(rate, deviation, order):
    """ln(E_Q[T^order]) / (order - 1) by a sum over even points, with T = 1 - q + q e^(y/s - 1/(2 s^2)) and Q normal."""
    heights = []
    for i in range(int(8 * (order / deviation + 28)) + 2):
        y = i / 8 - 14
        exponent = (y - 0.5 / deviation) / deviation
        if exponent > 0:
            ratio = exponent + log(rate + (1 - rate) * exp(-exponent))
        else:
            ratio = log1p(rate * expm1(exponent)) if rate < 1 else exponent
        heights.append(order * ratio - y * y / 2)
    top = max(heights)
    return max(0.0, (top + log(sum(exp(height - top) for height in heights) / 8 / sqrt(2 * pi))) / (order - 1))


def least(curve, delta):
    """The least epsilon whose delta is at most this, from above."""
    low, high = 0.0, 1e-6
    if curve(low) <= delta:
        return 0.0
    while curve(high) > delta:
        low, high = high, 2 * high
        if high > 700:
            return inf
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if curve(middle) > delta else (low, middle)
    return high


account = Accounts().account
