"""The algorithms of algorithms.md once more, written plainly, and all values of class A, in decimals: check.py compares
them with every vector. Accounts of class F are in own_accounts.py.

    python check.py ../v1 own.py --digits=50

The classes are there for the planted mistakes beside this file, each of which changes one of their methods.
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import isqrt

from own_accounts import account  # noqa: F401, which check.py calls

SAME_ALGORITHM = True


class Samplers:
    def uniform_below(self, n, bits):
        require(n >= 1, "n", n, "at least 1")
        width = (n - 1).bit_length()
        while True:
            candidate = 0
            for _ in range(width):
                candidate = 2 * candidate + bits.next()
            if candidate < n:
                return candidate

    def bernoulli(self, p, bits):
        """The binary digits of p beside the tape, up to the first that differ."""
        require(0 <= p <= 1, "p", p, "from 0 to 1")
        if p == 1:
            return True
        a, b = p.numerator, p.denominator
        while a > 0:
            a *= 2
            digit = 1 if a >= b else 0
            a -= digit * b
            if bits.next() != digit:
                return digit == 1
        return False

    def bernoulli_exp(self, x, bits):
        require(x >= 0, "x", x, "at least 0")
        if x > 1:
            for _ in range(x.numerator // x.denominator):
                if not self.bernoulli_exp(Fraction(1), bits):
                    return False
            return self.bernoulli_exp(x % 1, bits)
        k = 1
        while self.bernoulli(self.divide(x, k), bits):
            k += 1
        return k % 2 == 1

    def divide(self, x, k):
        return x / k

    def geometric(self, rate, bits):
        require(rate > 0, "rate", rate, "above 0")
        s, t = rate.numerator, rate.denominator
        while True:
            u = self.uniform_below(t, bits)
            if self.bernoulli_exp(Fraction(u, t), bits):
                break
        v = 0
        while self.bernoulli_exp(Fraction(1), bits):
            v += 1
        return (u + t * v) // s

    def discrete_laplace(self, scale, bits):
        require(scale > 0, "scale", scale, "above 0")
        while True:
            minus = bits.next() == 1
            magnitude = self.geometric(1 / scale, bits)
            if self.keeps(minus, magnitude):
                return -magnitude if minus else magnitude

    def keeps(self, minus, magnitude):
        """Zero has one sign, not two."""
        return not (minus and magnitude == 0)

    def discrete_gaussian(self, variance, bits):
        require(variance > 0, "variance", variance, "above 0")
        t = isqrt(variance.numerator // variance.denominator) + 1
        while True:
            y = self.discrete_laplace(Fraction(t), bits)
            if self.bernoulli_exp((abs(y) - variance / t) ** 2 / (2 * variance), bits):
                return y

    def sample(self, algorithm, parameters, bits):
        """What check.py calls."""
        if algorithm == "uniform-below":
            return self.uniform_below(int(parameters["n"]), bits)
        draw, parameter = {
            "bernoulli": (self.bernoulli, "p"),
            "bernoulli-exp": (self.bernoulli_exp, "x"),
            "geometric": (self.geometric, "rate"),
            "discrete-laplace": (self.discrete_laplace, "scale"),
            "discrete-gaussian": (self.discrete_gaussian, "variance"),
        }[algorithm]
        return draw(Fraction(parameters[parameter]), bits)


def require(right, name, value, expected):
    if not right:
        raise ValueError("%s is %s, and must be %s" % (name, value, expected))


sample = Samplers().sample


# Values. Decimal.exp is rounded correctly, and 250 digits are more than any cancellation here takes away: 87 where the
# tail of a wide Gaussian is a difference of numbers near 1, 24 where a rate of 10^-12 makes 1 - q small.

PRECISION = 250


def decimal(x):
    """A fraction as a Decimal."""
    return Decimal(x.numerator) / x.denominator


def exp(x):
    """e^x of a fraction."""
    return decimal(Fraction(x)).exp()


def greatest(holds):
    """The greatest integer for which `holds`, which is true up to some integer and false beyond it."""
    low, high = -1, 1
    while not holds(low):
        low *= 2
    while holds(high):
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


class Geometric:
    def __init__(self, rate):
        self.rate, self.q = rate, exp(-rate)

    def pmf(self, k):
        return (1 - self.q) * exp(-self.rate * k) if k >= 0 else Decimal(0)

    def cdf(self, k):
        return 1 - exp(-self.rate * (k + 1)) if k >= 0 else Decimal(0)

    def tail(self, k):
        return exp(-self.rate * k) if k >= 0 else Decimal(1)

    def mean(self):
        return self.q / (1 - self.q)

    def variance(self):
        return self.q / (1 - self.q) ** 2


class Symmetric:
    """A law with Pr[-k] = Pr[k]."""

    def cdf(self, k):
        return self.tail(-k)

    def mean(self):
        return Decimal(0)

    def profile(self, shift, epsilon):
        """Pr[E] - e^epsilon Pr[E + shift] for the event E that the loss is above epsilon; the loss falls with k."""
        if self.largest_loss(shift) is not None and self.largest_loss(shift) <= epsilon:
            return Decimal(0)
        last = greatest(lambda k: self.loss(k, shift) > epsilon)
        return self.cdf(last) - exp(epsilon) * self.cdf(last - shift)


class DiscreteLaplace(Symmetric):
    def __init__(self, scale):
        self.rate, self.q = 1 / scale, exp(-1 / scale)

    def pmf(self, k):
        return (1 - self.q) / (1 + self.q) * exp(-self.rate * abs(k))

    def tail(self, k):
        """Each tail from its own end: one minus the other would lose a small one."""
        return exp(-self.rate * k) / (1 + self.q) if k > 0 else 1 - exp(-self.rate * (1 - k)) / (1 + self.q)

    def variance(self):
        return 2 * self.q / (1 - self.q) ** 2

    def loss(self, k, shift):
        """ln(Pr[k] / Pr[k - shift])"""
        return (abs(k - shift) - abs(k)) * self.rate

    def largest_loss(self, shift):
        return shift * self.rate


class DiscreteGaussian(Symmetric):
    """Sums of the weights e^(-k^2 / (2 v)), one by one; of a law too wide for that by Euler and Maclaurin's formula."""

    WIDEST = 10**6  # a larger variance is not summed

    def __init__(self, v):
        self.v = v
        if v > self.WIDEST:
            # By Poisson's formula the sum over all integers is the integral, but for a factor 1 + 2 e^(-2 pi^2 v) ...
            self.total = (2 * pi() * decimal(v)).sqrt()
            return
        # Far enough that the rest is below 10^-70 of what is asked for at 20 standard deviations.
        reach = 28 * (isqrt(int(v)) + 1) + 30
        weight, ratio, step = Decimal(1), exp(-1 / (2 * v)), exp(-1 / v)
        weights = []
        for _ in range(reach):
            weights.append(weight)
            weight, ratio = weight * ratio, ratio * step
        # sums[k] is the sum over k, k + 1, ...
        self.sums = weights
        for k in reversed(range(reach - 1)):
            self.sums[k] += self.sums[k + 1]
        self.total = self.sums[0] + self.sums[1]

    def weight(self, k):
        return exp(-Fraction(k * k) / (2 * self.v))

    def pmf(self, k):
        return self.weight(k) / self.total

    def tail(self, k):
        if k <= 0:
            return 1 - self.tail(1 - k)
        return (self.sums[k] if self.v <= self.WIDEST else self.wide_sum(k)) / self.total

    def wide_sum(self, k):
        """f(k) + f(k + 1) + ... = integral + f(k)/2 - sum of B_2m / (2m)! f^(2m - 1)(k), for f(x) = e^(-x^2 / (2 v))."""
        # The integral from 0 to k is f(k) (k + k^3/(3 v) + k^5/(3 5 v^2) + ...).
        v = decimal(self.v)
        term = series = Decimal(k)
        odd = 1
        while term > Decimal(10) ** -PRECISION:
            odd += 2
            term *= Decimal(k * k) / (v * odd)
            series += term
        integral = self.total / 2 - self.weight(k) * series
        # f^(n) = (-1)^n g_n f, with g_0 = 1, g_1 = x / v, g_(n + 1) = (x g_n - n g_(n - 1)) / v. Each two n make a term
        # smaller by 10^-11 at least, at v = 10^12 and up to 20 standard deviations.
        correction, older, g, factorial = Decimal(1) / 2, Decimal(1), Decimal(k) / v, 1
        for n in range(1, 24):
            factorial *= n + 1
            if n % 2 == 1:
                correction += decimal(bernoulli_number(n + 1)) / factorial * g
            older, g = g, (k * g - n * older) / v
        return integral + correction * self.weight(k)

    def variance(self):
        if self.v > self.WIDEST:
            return decimal(self.v)  # but for e^(-2 pi^2 v)
        # The sum of k^2 f(k) by parts: k^2 is the sum of 2 j - 1 over j <= k.
        return 2 * sum((2 * j - 1) * self.sums[j] for j in range(1, len(self.sums))) / self.total

    def loss(self, k, shift):
        return Fraction((k - shift) ** 2 - k**2) / (2 * self.v)

    def largest_loss(self, _shift):
        return None


@lru_cache(maxsize=None)
def pi():
    """By Machin's formula, 16 arctan(1/5) - 4 arctan(1/239)."""

    def arctan_of_inverse(n):
        power, k, total = Decimal(1) / n, 0, Decimal(0)
        while power > Decimal(10) ** -(PRECISION + 5):
            total += (-1) ** k * power / (2 * k + 1)
            power, k = power / (n * n), k + 1
        return total

    return 16 * arctan_of_inverse(5) - 4 * arctan_of_inverse(239)


@lru_cache(maxsize=None)
def bernoulli_number(n):
    """B_0 = 1, and the sum of C(n + 1, j) B_j over j <= n is 0."""
    total, binomial = Fraction(0), 1
    for j in range(n):
        total += binomial * bernoulli_number(j)
        binomial = binomial * (n + 1 - j) // (j + 1)
    return -total / (n + 1) if n else Fraction(1)


class Values:
    def value(self, law, parameters, quantity, at):
        """What check.py calls."""
        with localcontext() as context:
            context.prec, context.Emin, context.Emax = PRECISION, -(10**15), 10**15
            if law == "exponential-mechanism":
                return self.of_class(parameters, int(at["k"]))
            if law == "randomised-response":
                return self.of_response(Fraction(parameters["epsilon"]), quantity, at)
            if law == "laplace-threshold":
                return self.of_threshold(Fraction(parameters["scale"]), int(parameters["threshold"]), quantity, at)
            (parameter,) = parameters.values()
            return self.of_law(made(law, Fraction(parameter)), quantity, at)

    def of_law(self, law, quantity, at):
        if quantity == "quantile":
            p = decimal(Fraction(at["p"]))
            return greatest(lambda k: law.cdf(k) < p) + 1
        if quantity == "profile":
            return law.profile(int(at["shift"]), Fraction(at["epsilon"]))
        return getattr(law, quantity)(*(int(k) for k in at.values()))

    def of_class(self, parameters, k):
        rate = Fraction(parameters["epsilon"]) / (2 * Fraction(parameters["sensitivity"]))
        rows = zip(parameters["counts"], parameters["losses"])
        weights = [int(count) * exp(-rate * Fraction(loss)) for count, loss in rows]
        return weights[k] / sum(weights)

    def of_response(self, epsilon, quantity, at):
        kept, flipped = 1 / (1 + exp(-epsilon)), 1 / (1 + exp(epsilon))
        if quantity == "pmf":
            return (kept, flipped)[int(at["k"])]
        spent = Fraction(at["epsilon"])
        return kept - exp(spent) * flipped if spent < epsilon else Decimal(0)

    def of_threshold(self, scale, threshold, quantity, at):
        noise = made("discrete-laplace", scale)
        if quantity == "profile":
            # Of one record what is released gives it away; of more the noise alone hides one.
            return max(self.released(noise, threshold, 1), noise.profile(1, Fraction(at["epsilon"])))
        return self.released(noise, threshold, int(at["count"]))

    def released(self, noise, threshold, count):
        """Pr[count + X >= threshold]"""
        return noise.tail(threshold - count)


@lru_cache(maxsize=1)
def made(law, parameter):
    """The law; the tables of a Gaussian are large, and its values come one after the other."""
    laws = {"geometric": Geometric, "discrete-laplace": DiscreteLaplace, "discrete-gaussian": DiscreteGaussian}
    return laws[law](parameter)


value = Values().value
