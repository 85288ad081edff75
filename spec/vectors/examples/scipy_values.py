#!/usr/bin/env python3
"""scipy 1.17.1: laws and tails scored by digits and by side. What it finds is in README.md."""

from environment import Table, check, enter, finish

enter("scipy", "scipy==1.17.1", "numpy==2.4.6")

from fractions import Fraction  # noqa: E402
from math import comb  # noqa: E402

from scipy import stats  # noqa: E402, in the environment only

from enclosures import ONE, Between, discrete_laplace_tail, exp, normal_upper  # noqa: E402

table = Table()


def digits(*names):
    """The fewest digits that are right; a value inside its enclosure has all."""
    return min(99 if table.rows[name][1] is None else table.rows[name][1] for name in names)


print("dlaplace, the discrete Laplace law. Reported, certified:")
pmfs, lower_tails = [], []
for rate in [2.0, 1.0, 0.5, 2.0**-10, 2.0**-20]:
    q = exp(-Fraction(rate))
    for k in [0, 1, 20, 100, 1000]:
        if rate * k > 600:
            continue
        name = "dlaplace.pmf(%d, %g)" % (k, rate)
        table.row(name, float(stats.dlaplace.pmf(k, rate)), (ONE - q) / (ONE + q) * exp(-Fraction(rate) * k))
        pmfs.append(name)
        name = "dlaplace.cdf(%d, %g)" % (-k - 1, rate)
        tail = discrete_laplace_tail(1 / Fraction(rate), k + 1)
        table.row(name, float(stats.dlaplace.cdf(-k - 1, rate)), tail)
        lower_tails.append(name)
        # The same probability, by symmetry.
        table.row("dlaplace.sf(%d, %g)" % (k, rate), float(stats.dlaplace.sf(k, rate)), tail)

print("norm.sf, the tail of the normal law")
normal = []
for x in [-1, 0, 1, 3, 7, 10, 20, 37, 38]:
    name = "norm.sf(%d)" % x
    table.row(name, float(stats.norm.sf(x)), normal_upper(x))
    normal.append(name)


def binomial_tail(k, n, p):
    """Pr[X > k], exactly."""
    a, b = Fraction(p).numerator, Fraction(p).denominator
    return Fraction(sum(comb(n, j) * a**j * (b - a) ** (n - j) for j in range(k + 1, n + 1)), b**n)


print("binom, tails: a p-value below the certified one is unsound")
binomial = []
for n, p, ks in [(10, 0.5, [0, 5, 9]), (100, 0.1, [10, 50, 99]), (1000, 0.5, [500, 600, 900]), (1000, 0.01, [0, 10, 100])]:
    for k in ks:
        exact = binomial_tail(k, n, p)
        name = "binom.sf(%d, %d, %g)" % (k, n, p)
        table.row(name, float(stats.binom.sf(k, n, p)), exact, bound=True)
        table.row("binom.cdf(%d, %d, %g)" % (k, n, p), float(stats.binom.cdf(k, n, p)), 1 - exact, bound=True)
        binomial += [name, name.replace("sf", "cdf")]

print("beta.ppf as the lower Clopper-Pearson bound of x of n: Pr[X >= x] at the bound is at most the level")
levels = []
for n, x in [(10, 3), (100, 50), (1000, 500)]:
    for power in [7, 20, 60]:
        level = 2.0**-power
        bound = float(stats.beta.ppf(level, x, n - x + 1))
        excess = binomial_tail(x - 1, n, bound) / Fraction(level) - 1
        levels.append(abs(excess))
        side = "sound" if excess <= 0 else "above the level by rounding" if excess < 1e-10 else "UNSOUND"
        print("  n %4d, x %3d, level 2^-%d: bound %.17g, Pr / level = 1 %+.1e: %s" % (n, x, power, bound, excess, side))

status, said = check("scipy_adapter.py")

finish({
    "check.py refutes tails, quantiles and a variance of dlaplace, and geom.pmf at small p": status == 1 and all(
        words in said for words in [
            "dpv:discrete-laplace-scale=1/2-tail k=20: REFUTED: 0, certified 3.7419380142e-18",
            "dpv:discrete-laplace-scale=1000000000000/1-variance: REFUTED",
            "dpv:discrete-laplace-scale=1000000000000/1-quantile p=999999/1000000: REFUTED",
            "dpv:geometric-rate=1/1000000000000-pmf k=1000000000000: REFUTED",
        ]),
    "but no pmf and no cdf of dlaplace": not any(
        words in said for words in ["-cdf k=", "discrete-laplace-scale=1000000000000/1-pmf"]),
    "each probability of dlaplace has 14 digits": digits(*pmfs) >= 14,
    "so has its lower tail": digits(*lower_tails) >= 14,
    "its upper tail has none where it is below 2^-53": digits("dlaplace.sf(20, 2)", "dlaplace.sf(100, 1)") == 0,
    "norm.sf has 12 digits up to 37": digits(*normal[:-1]) >= 12,
    "norm.sf(38) is 0, though there is a double near it": table.rows["norm.sf(38)"] == ("below", 0),
    "the tails of binom have 12 digits": digits(*binomial) >= 12,
    "the levels of beta.ppf are right to 13 digits, and not always kept": Fraction(0) < max(levels) < Fraction(1, 10**13),
})
