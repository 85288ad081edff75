"""What Opacus's accountants promise where every record is in every batch: the noise is then that of one Gaussian release."""

from enclosures import gaussian_delta
from fractions import Fraction
from opacus.accountants import GaussianAccountant, PRVAccountant, RDPAccountant
from values import score, start


def of_accountant(accountant):
    scores = []
    for sigma in [2.0, 4.0, 8.0]:
        made = accountant()
        for _ in range(16):
            made.step(noise_multiplier=sigma, sample_rate=1.0)
        for delta in [1e-2, 1e-5]:
            epsilon = float(made.get_epsilon(delta))
            scores.append(score("sigma %g, delta %g" % (sigma, delta), delta, gaussian_delta(Fraction(sigma) / 4, epsilon)))
    return scores


def rdp():
    return of_accountant(RDPAccountant)


def prv():
    return of_accountant(PRVAccountant)


def gdp():
    return of_accountant(GaussianAccountant)


if __name__ == "__main__":
    start(globals())
