"""The algorithms of algorithms.md once more, written plainly: check.py agrees with them on every vector.

    python check.py ../v1 own.py

The class is there for the planted mistakes beside it, each of which changes one of its methods.
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt

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


def value(law, parameters, quantity, at):
    """The probabilities of two laws, to 50 digits: Decimal.exp is correctly rounded."""
    if law not in ("geometric", "discrete-laplace") or quantity not in ("pmf", "cdf", "tail"):
        raise NotImplementedError
    rate = Fraction(parameters["rate"]) if law == "geometric" else 1 / Fraction(parameters["scale"])
    k = int(at["k"])
    with localcontext() as context:
        # 1 - q loses as many digits as q has nines.
        context.prec, context.Emin, context.Emax = 90, -(10**12), 10**12

        def power(n):
            """q^n, for q = e^-rate."""
            return (Decimal(-n * rate.numerator) / rate.denominator).exp()

        one, zero, q = Decimal(1), Decimal(0), power(1)
        if law == "geometric":
            pmf = (one - q) * power(k) if k >= 0 else zero
            cdf = one - power(k + 1) if k >= 0 else zero
            tail = power(k) if k >= 0 else one
        else:
            pmf = (one - q) / (one + q) * power(abs(k))
            # Each tail from its own end: one minus the other would lose a small one.
            cdf = power(-k) / (one + q) if k < 0 else one - power(k + 1) / (one + q)
            tail = power(k) / (one + q) if k > 0 else one - power(1 - k) / (one + q)
        return {"pmf": pmf, "cdf": cdf, "tail": tail}[quantity]
