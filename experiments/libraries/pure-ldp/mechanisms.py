"""Clients of pure-ldp. A dataset is a list with one user's value, from 1 to 4."""

from named import start
from pure_ldp.frequency_oracles import DEClient, HadamardMechClient, HEClient, LHClient, UEClient


def plain(output):
    """Whole numbers as such: the bits of a double are no part of the question."""
    return [plain(item) for item in output] if hasattr(output, "__iter__") else int(output)


def of_the_value(client):
    return lambda data: plain(client.privatise(data[0]))


def de():
    return of_the_value(DEClient(1.0, 4))


def sue():
    return of_the_value(UEClient(1.0, 4))


def oue():
    return of_the_value(UEClient(1.0, 4, use_oue=True))


def olh():
    return of_the_value(LHClient(1.0, 4, use_olh=True))


def he():
    client = HEClient(1.0, 4)
    return lambda data: list(client.privatise(data[0]))


def he_rounded():
    client = HEClient(1.0, 4)
    return lambda data: [round(value * 10**6) for value in client.privatise(data[0]).tolist()]


def hadamard():
    return of_the_value(HadamardMechClient(1.0, 4, t=1))


def hadamard_type():
    """With the type of what the client returns."""
    client = HadamardMechClient(1.0, 4, t=1)

    def release(data):
        output = client.privatise(data[0])
        return [type(output).__name__, plain(output)]

    return release


if __name__ == "__main__":
    start(globals())
