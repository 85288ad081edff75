"""own.py with every promise of privacy a millionth too large: check.py says conservative, and refutes nothing."""

from decimal import Decimal, localcontext

import own


def value(law, parameters, quantity, at):
    if quantity not in ("profile", "delta"):
        raise NotImplementedError
    with localcontext() as context:
        context.prec = own.PRECISION
        return own.value(law, parameters, quantity, at) * Decimal("1.000001")
