"""An environment of its own for an example, with pinned packages, and what its lines look like."""

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]

sys.path[:0] = [str(HERE.parent / "check"), str(ROOT / "scripts")]
import own_environment  # noqa: E402, of this repository
from check import score  # noqa: E402, the checker's own


def enter(name, *packages):
    """Runs the script again in target/examples/NAME, where the packages are; ends it where they can't be installed."""
    own_environment.enter(ROOT / "target" / "examples" / name, "for this example", *packages)


def check(adapter):
    """Runs check.py with an adapter on the certified values; its exit status, and what it printed."""
    print("check.py v1 %s:" % adapter)
    vectors = os.environ.get("VECTORS", str(HERE.parent / "v1"))
    command = [sys.executable, "-B", str(HERE.parent / "check" / "check.py"), vectors, str(HERE / adapter)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print("  " + done.stdout.rstrip().replace("\n", "\n  "))
    return done.returncode, done.stdout


class Table:
    """Reported values beside certified ones. `bound` says that the value promises privacy or a level: below is unsound."""

    def __init__(self):
        self.rows = {}

    def row(self, name, reported, certified, bound=False):
        lo, hi = certified.ends() if hasattr(certified, "ends") else (certified, certified)
        side, digits = score(Fraction(reported), lo, hi)
        verdict = side if digits is None else "%s, %d digits" % (side, digits)
        if bound and side == "below":
            verdict = "below by rounding, %d digits" % digits if digits >= 10 else "UNSOUND, %d digits" % digits
        if bound and side == "above":
            verdict = "conservative, %d digits" % digits
        certified = "%.10g" % lo if lo == 0 or lo > 10**-300 else "below 1e-300"
        print("  %-44s %-22s %-18s %s" % (name, repr(reported), certified, verdict))
        self.rows[name] = (side, digits)
        return side, digits


def finish(expected):
    """Ends the example: 0 if what the page says was found, 1 if something else was. `expected` has sentences of the page."""
    for sentence, found in expected.items():
        if not found:
            print("NOT AS THE PAGE SAYS: " + sentence)
    sys.exit(0 if all(expected.values()) else 1)
