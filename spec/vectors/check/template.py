"""An adapter to fill in: how check.py calls your library. What it does not offer stays a NotImplementedError.

    python check.py ../v1 template.py
"""

from fractions import Fraction

# True if your sampler is that of algorithms.md bit for bit: then the tapes (B) and the trees themselves (C) are compared.
SAME_ALGORITHM = False


def value(law, parameters, quantity, at):
    """A: a number. For example: law "discrete-laplace", parameters {"scale": "2/1"}, quantity "pmf", at {"k": "3"}."""
    if law == "discrete-laplace" and quantity == "pmf":
        scale, k = Fraction(parameters["scale"]), int(at["k"])
        raise NotImplementedError  # return my_library.pmf(k, float(scale))
    raise NotImplementedError


def account(law, parameters, quantity, at):
    """F: an upper bound. For example: law "poisson-gaussian", parameters {"rate": "1/100", "deviation": "1/1", "steps": "1000"},
    quantity "epsilon", at {"delta": "1/100000"}."""
    if law == "poisson-gaussian" and quantity == "epsilon":
        rate, deviation, steps = float(Fraction(parameters["rate"])), float(Fraction(parameters["deviation"])), int(parameters["steps"])
        raise NotImplementedError  # return my_library.epsilon(rate, deviation, steps, float(Fraction(at["delta"])))
    raise NotImplementedError


def sample(algorithm, parameters, bits):
    """B and C: one draw. Every coin comes from bits.next(), which is 0 or 1."""
    if algorithm == "discrete-laplace":
        scale = Fraction(parameters["scale"])
        raise NotImplementedError  # return my_library.discrete_laplace(scale, coin=bits.next)
    raise NotImplementedError
