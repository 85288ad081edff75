"""The level of each assertion: the probability with which it may fail although the claim is true.

Outside pytest each has its own. Under pytest, one run has one level `L` for all its assertions, and errs with at most `L`:
half of it is for the `k` tests that say that they audit (by the fixture or the marker), equally, and half for all others.
The n-th assertion of a test, or of a process, has 1/(n(n+1)) of that share, and 1/2 + 1/6 + 1/12 + ... = 1.
"""

from fractions import Fraction


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
        self._name = None
        self._test = None
        self._made = {}

    def begin(self, name, announced):
        """The test that runs now, if any, and whether it says that it audits."""
        self._name = name
        self._test = name if announced else None

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
        n = self._made[self._test] = self._made.get(self._test, 0) + 1
        level = self.share(self._test) / (n * (n + 1))
        self.spent.append(level)
        return level

    def replay(self, level, seed, calls):
        """How a failure is repeated: the same test alone, with the same level, if it had one."""
        if level is None:
            return "pytest '%s' -o assay_seed=%d" % (self._name, seed)
        # A test that says that it audits is then the only one that does; another one has the first assertion of the rest.
        alone = 4 * level if self._test is None else 2 * self.share(self._test)
        return "pytest '%s' -o assay_level=%s -o assay_seed=%d -o assay_calls=%d" % (self._name, alone, seed, calls)


#: What holds now.
run = Alone()
