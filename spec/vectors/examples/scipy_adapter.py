"""scipy for check.py: geom, shifted to 0, 1, 2, ..., and dlaplace. Doubles in and out."""

from fractions import Fraction
from math import expm1

from scipy import stats


def value(law, parameters, quantity, at):
    if law == "geometric":
        distribution = stats.geom(-expm1(-float(Fraction(parameters["rate"]))), loc=-1)
    elif law == "discrete-laplace":
        distribution = stats.dlaplace(float(1 / Fraction(parameters["scale"])))
    else:
        raise NotImplementedError
    if quantity == "mean":
        return float(distribution.mean())
    if quantity == "variance":
        return float(distribution.var())
    if quantity == "quantile":
        return float(distribution.ppf(float(Fraction(at["p"]))))
    if quantity not in ("pmf", "cdf", "tail"):
        raise NotImplementedError
    k = int(at["k"])
    if abs(k) > 2**53:
        raise NotImplementedError  # no double
    return float({"pmf": distribution.pmf, "cdf": distribution.cdf, "tail": lambda k: distribution.sf(k - 1)}[quantity](k))
