"""Clients of multi-freq-ldpy, with domains of 3 to 6 values. A dataset is a list with one user's value."""

import numpy as np
from multi_freq_ldpy.long_freq_est.L_GRR import L_GRR_Client
from multi_freq_ldpy.long_freq_est.L_OUE import L_OUE_Client
from multi_freq_ldpy.long_freq_est.L_SUE import L_SUE_Client
from multi_freq_ldpy.mdim_freq_est.RSpFD_solution import RSpFD_GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.HE import HE_Client
from multi_freq_ldpy.pure_frequency_oracles.LH import LH_Client
from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Client
from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Client
from named import start


def plain(output):
    """Arrays of whole numbers as such: the bits of a double are no part of the question."""
    return [plain(item) for item in output] if isinstance(output, (tuple, list, np.ndarray)) else int(output)


def grr():
    return lambda data: plain(GRR_Client(data[0], 3, 1.0))


def oue():
    return lambda data: plain(UE_Client(data[0], 3, 1.0, True))


def sue():
    return lambda data: plain(UE_Client(data[0], 3, 1.0, False))


def olh():
    return lambda data: plain(LH_Client(data[0], 3, 1.0, True))


def ss():
    return lambda data: plain(SS_Client(data[0], 6, 1.0))


def ss_sorted():
    return lambda data: sorted(plain(SS_Client(data[0], 6, 1.0)))


def he():
    return lambda data: HE_Client(data[0], 3, 1.0)


def he_rounded():
    return lambda data: [round(value * 10**6) for value in HE_Client(data[0], 3, 1.0).tolist()]


def longitudinal_grr():
    return lambda data: plain(L_GRR_Client(data[0], 3, 2.0, 1.0))


def longitudinal_sue():
    return lambda data: plain(L_SUE_Client(data[0], 3, 2.0, 1.0))


def longitudinal_oue():
    return lambda data: plain(L_OUE_Client(data[0], 3, 2.0, 1.0))


def random_sampling_grr():
    return lambda data: plain(RSpFD_GRR_Client(np.array(data[0]), [3, 3], 2, 1.0))


if __name__ == "__main__":
    start(globals())
