"""The level of each assertion: the probability with which it may fail although the claim is true.

Outside pytest each has its own. Under pytest, one run has one level `L` for all its assertions, and errs with at most `L`:
half of it is for the `k` tests that say that they audit (by the fixture or the marker), equally, and half for all others.
The n-th assertion of a test, or of a process, has 1/(n(n+1)) of that share, and 1/2 + 1/6 + 1/12 + ... = 1.
"""

import os
from fractions import Fraction

from .errors import AssayError


class Alone:
    """Each assertion has a level of its own."""

    calls = 20_000
    seed = 1

    def level(self, wanted):
        """The level of the next assertion; `wanted` is the one that the call asks for, if any."""
        return Fraction(1, 20) if wanted is None else wanted

    def replay(self, level, seed, calls):
        """How a failure is repeated; one without a level was not by chance."""
        if level is None:
            return "the same call with seed=%d" % seed
        return "the same call with level=%r, seed=%d, calls=%d" % (str(level), seed, calls)


class Shared:
    """One level for a whole run, or for this process's part of it."""

    def __init__(self, level, calls, seed):
        self.all = level
        self.calls = calls
        self.seed = seed
        #: How many tests say that they audit, each counted as often as it is run.
        self.tests = 0
        #: How many processes share the run.
        self.processes = 1
        #: The levels spent, in order.
        self.spent = []
        #: Whether another process had the share of this one, and ended without saying what it had spent.
        self.is_successor = False
        self._process = os.getpid()
        self._shown = None
        self._test = None
        self._made = {}

    def begin(self, test, announced, shown=None):
        """The test that runs now, if any, whether it says that it audits, and how it is named on the command line."""
        self._shown = test if shown is None else shown
        self._test = test if announced else None

    def share(self, test):
        """What the assertions of a test have together, or those of this process in all other tests."""
        return self.all / 2 / (self.processes if test is None else self.tests)

    def level(self, wanted):
        """The level of the next assertion. None may be wanted: it is not the call's to choose."""
        if wanted is not None:
            raise ValueError(
                "level= must be left out under pytest, where a run has one level for all assertions: set assay_level "
                "in pytest's configuration, got level=%s" % (wanted,)
            )
        if os.getpid() != self._process:
            raise AssayError(
                "this process was forked by a run of pytest, and what it spends of the level of that run would be forgotten: "
                "audit in the process that runs the tests, without pytest-forked"
            )
        if self.is_successor and self._test is None:
            raise AssayError(
                "a worker crashed, and what it spent of the level of this run is not known: only tests that say that they audit "
                "have shares that it did not have: use the fixture assay"
            )
        n = self._made[self._test] = self._made.get(self._test, 0) + 1
        level = self.share(self._test) / (n * (n + 1))
        self.spent.append(level)
        return level

    def replay(self, level, seed, calls):
        """How a failure is repeated: the same test alone, with the same level, if it had one."""
        if level is None:
            return "pytest '%s' -o assay_seed=%d" % (self._shown, seed)
        # A test that says that it audits is then the only one that does; another one has the first assertion of the rest.
        alone = 4 * level if self._test is None else 2 * self.share(self._test)
        return "pytest '%s' -o assay_level=%s -o assay_seed=%d -o assay_calls=%d" % (self._shown, alone, seed, calls)


#: What holds now.
run = Alone()
