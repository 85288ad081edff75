"""own.py with a planted mistake, that of dashu-ratio 0.4.0: (2/3)/2 = 1/2. check.py refutes it."""

from fractions import Fraction
from math import gcd

import own


class Wrong(own.Samplers):
    def divide(self, x, k):
        """The common factor of p and k is taken out of q, not of k, and rounded."""
        common = gcd(x.numerator, k)
        return Fraction(x.numerator // common, x.denominator // common * k)


sample = Wrong().sample
