"""Certified enclosures of what the vectors do not hold: the normal tail and the profile of Gaussian noise.

Integers alone: a number is known to lie between lo / UNIT and hi / UNIT, and every step rounds outwards. The standard
library suffices. Arguments are exact: an int, a Fraction or a double, which is a fraction too.
"""

from fractions import Fraction
from functools import lru_cache
from math import comb

UNIT = 10**1000  # absolute precision; the normal tail beyond 38 is below 10^-316


class Between:
    """A real number between lo / UNIT and hi / UNIT. Products and quotients are for numbers that are not negative."""

    def __init__(self, lo, hi):
        self.lo, self.hi = lo, hi

    @classmethod
    def of(cls, x):
        x = Fraction(x) * UNIT
        return cls(x.numerator // x.denominator, -(-x.numerator // x.denominator))

    def __add__(self, other):
        return Between(self.lo + other.lo, self.hi + other.hi)

    def __sub__(self, other):
        return Between(self.lo - other.hi, self.hi - other.lo)

    def __mul__(self, other):
        return Between(self.lo * other.lo // UNIT, -(-self.hi * other.hi // UNIT))

    def __truediv__(self, other):
        return Between(self.lo * UNIT // other.hi, -(-self.hi * UNIT // other.lo))

    def ends(self):
        """The two ends as fractions."""
        return Fraction(self.lo, UNIT), Fraction(self.hi, UNIT)


ONE = Between.of(1)


@lru_cache(maxsize=None)
def exp(x):
    """e^x. By halving: e^x = (e^(x / 2^m))^(2^m), and the series below 1/2, whose rest is below its last term."""
    x = Fraction(x)
    if x < 0:
        return ONE / exp(-x)
    halvings = 0
    while x / 2**halvings > Fraction(1, 2):
        halvings += 1
    step = Between.of(x / 2**halvings)
    term, total, n = ONE, ONE, 0
    while term.hi > 1:
        n += 1
        term = term * step / Between.of(n)
        total = total + term
    total = Between(total.lo, total.hi + term.hi)
    for _ in range(halvings):
        total = total * total
    return total


def arctan_of_inverse(n):
    """arctan(1/n) = 1/n - 1/(3 n^3) + ...: between two partial sums in a row."""
    power, k, total = Between.of(Fraction(1, n)), 0, Between.of(0)
    while True:
        term = power / Between.of(2 * k + 1)
        total = total + term if k % 2 == 0 else total - term
        if term.hi <= 1:
            return Between(total.lo - term.hi, total.hi + term.hi)
        power, k = power / Between.of(n * n), k + 1


@lru_cache(maxsize=None)
def square_root_of_two_pi():
    """By Machin's formula, pi = 16 arctan(1/5) - 4 arctan(1/239)."""
    pi = Between.of(16) * arctan_of_inverse(5) - Between.of(4) * arctan_of_inverse(239)
    return Between(integer_root(2 * pi.lo * UNIT), integer_root(2 * pi.hi * UNIT) + 1)


def integer_root(n):
    """The integer part of the square root, by Newton's method from above."""
    root = 1 << (n.bit_length() + 1) // 2
    while True:
        better = (root + n // root) // 2
        if better >= root:
            return root
        root = better


@lru_cache(maxsize=None)
def normal_upper(x):
    """Pr[Z > x] for the standard normal law, and |x| up to 40.

    It is 1/2 - density(x) (x + x^3/3 + x^5/(3 5) + ...) for x >= 0: once x^2 is below half of the next odd number, the rest
    of the series is below its last term.
    """
    x = Fraction(x)
    if x < 0:
        return ONE - normal_upper(-x)
    if x > 40:
        raise ValueError("the normal tail is enclosed up to 40, not at %s" % x)
    square = Between.of(x * x)
    term = total = Between.of(x)
    odd = 1
    while term.hi > 1 or 2 * square.hi > odd * UNIT:
        odd += 2
        term = term * square / Between.of(odd)
        total = total + term
    total = Between(total.lo, total.hi + term.hi)
    density = exp(-x * x / 2) / square_root_of_two_pi()
    return Between.of(Fraction(1, 2)) - density * total


def gaussian_delta(sigma, epsilon):
    """delta(epsilon) of Gaussian noise with this standard deviation on a query of sensitivity 1 (Balle, Wang 2018)."""
    sigma, epsilon = Fraction(sigma), Fraction(epsilon)
    shift = 1 / (2 * sigma)
    return normal_upper(epsilon * sigma - shift) - exp(epsilon) * normal_upper(epsilon * sigma + shift)


def laplace_delta(scale, epsilon):
    """delta(epsilon) of Laplace noise of this scale on a query of sensitivity 1: 1 - e^((epsilon - 1/scale)/2), or 0."""
    below = Fraction(epsilon) - 1 / Fraction(scale)
    return ONE - exp(below / 2) if below < 0 else Between.of(0)


def discrete_laplace_tail(scale, k):
    """Pr[Y >= k] of the discrete Laplace law, for k >= 1: q^k / (1 + q), q = e^(-1/scale)."""
    rate = 1 / Fraction(scale)
    return exp(-k * rate) / (ONE + exp(-rate))


def discrete_laplace_delta(scale, epsilon):
    """delta(epsilon) of discrete Laplace noise on a query of sensitivity 1: (1 - e^(epsilon - 1/scale)) / (1 + q), or 0."""
    rate = 1 / Fraction(scale)
    if epsilon >= rate:
        return Between.of(0)
    return (ONE - exp(Fraction(epsilon) - rate)) / (ONE + exp(-rate))


@lru_cache(maxsize=None)
def discrete_gaussian_terms(variance, k):
    """The sum of e^(-j^2 / (2 variance)) over j >= k, for k >= 0: once a term is below 1/2 of the one before, so is the rest."""
    rate = 1 / Fraction(variance)
    term, ratio, step = exp(-rate * k * k / 2), exp(-rate * (2 * k + 1) / 2), exp(-rate)
    total = term
    while term.hi > 1 or 2 * ratio.hi > UNIT:
        term, ratio = term * ratio, ratio * step
        total = total + term
    return Between(total.lo, total.hi + term.hi)


def discrete_gaussian_delta(variance, epsilon):
    """delta(epsilon) of discrete Gaussian noise on a query of sensitivity 1, and epsilon >= 0.

    The density ratio at j is e^((1 - 2j) / (2 variance)): above e^epsilon for j <= -m. So delta is
    Pr[Y >= m] - e^epsilon Pr[Y >= m + 1], for the least m above epsilon variance - 1/2.
    """
    variance, epsilon = Fraction(variance), Fraction(epsilon)
    m = max(0, (epsilon * variance - Fraction(1, 2)) // 1 + 1)
    whole = ONE + Between.of(2) * discrete_gaussian_terms(variance, 1)
    return (discrete_gaussian_terms(variance, m) - exp(epsilon) * discrete_gaussian_terms(variance, m + 1)) / whole


def randomised_response_delta(truth, k, epsilon):
    """delta(epsilon) of k answers, each of them true with this probability above 1/2, and flipped otherwise."""
    p, e = Fraction(truth), exp(epsilon)
    total = Between.of(0)
    for flips in range(k + 1):
        own, other = p ** (k - flips) * (1 - p) ** flips, p**flips * (1 - p) ** (k - flips)
        part = Between.of(own) - e * Between.of(other)
        if part.lo > 0:
            total = total + Between.of(comb(k, flips)) * part
        elif part.hi > 0:
            raise ValueError("the sign of a difference is not decided")
    return total
