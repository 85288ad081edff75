"""Laws whose privacy is known exactly, for auditors to be tried on. A dataset is a list with one bit.

    python cases.py NAME        answers requests of `assay audit`

Each claims epsilon 1 and the delta beside it. What a null has is all that its claim allows, so that no auditor can be careful
at its cost; but for one that tells nothing.
"""

import math
import random
import sys

EPSILON = 1.0


def response(epsilon):
    """The bit, with probability e^epsilon / (1 + e^epsilon), or the other one."""
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    return lambda bit, coins: bit if coins.random() < truth else 1 - bit


def laplace(epsilon):
    """The bit and discrete Laplace noise of scale 1 / epsilon: a difference of two geometric variables."""
    def geometric(coins):
        return int(-math.log(1 - coins.random()) / epsilon)

    return lambda bit, coins: bit + geometric(coins) - geometric(coins)


def gaussian():
    """The bit and Gaussian noise of deviation 1, in units of 1/100: delta(1) is at most 0.126937."""
    return lambda bit, coins: round((bit + coins.gauss(0, 1)) * 100)


def nothing():
    """Gaussian noise, whatever the bit is."""
    return lambda bit, coins: round(coins.gauss(0, 1) * 100)


def rare(mass):
    """The bit itself with this probability, and otherwise -1."""
    return lambda bit, coins: bit if coins.random() < mass else -1


# By name: the law, the delta of the claim, and the true epsilon at that delta.
CASES = {
    "response": (response(1.0), 0.0, "1"),
    "laplace": (laplace(1.0), 0.0, "1"),
    "gaussian": (gaussian(), 0.12694, "1"),
    "gaussian-same": (nothing(), 1e-5, "0"),
    "laplace-1.05": (laplace(1.05), 0.0, "1.05"),
    "laplace-1.1": (laplace(1.1), 0.0, "1.1"),
    "laplace-1.2": (laplace(1.2), 0.0, "1.2"),
    "laplace-2": (laplace(2.0), 0.0, "2"),
    "response-1.1": (response(1.1), 0.0, "1.1"),
    "gaussian-low": (gaussian(), 0.1, "1.16"),
    "rare-1e-2": (rare(1e-2), 0.0, "infinite"),
    "rare-1e-3": (rare(1e-3), 0.0, "infinite"),
}
NULLS = ["response", "laplace", "gaussian", "gaussian-same"]


def samples(name, bit, count, coins):
    law = CASES[name][0]
    return [law(bit, coins) for _ in range(count)]


if __name__ == "__main__":
    from adapter import serve

    law, coins = CASES[sys.argv[1]][0], random.SystemRandom()
    serve(lambda data: law(data[0], coins))
