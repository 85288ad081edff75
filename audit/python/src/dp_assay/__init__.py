"""Holds Python functions against their claims of differential privacy, in a test.

    from dp_assay import assert_private

    def test_count():
        assert_private(noisy_count, [0, 1, 1], [0, 1, 0], epsilon=1)

The function runs in this process. The command `assay`, which comes with this package, asks it for outputs and decides.
`dp_assay.learn` has its learners, by the conventions of scikit-learn.
"""

from .assertions import assert_law, assert_private, assert_stable
from .command import find
from .errors import AssayError, CommandTooOld, Inconclusive, NothingTested, Refuted

__all__ = [
    "AssayError",
    "CommandTooOld",
    "Inconclusive",
    "NothingTested",
    "Refuted",
    "assert_law",
    "assert_private",
    "assert_stable",
    "find",
]
