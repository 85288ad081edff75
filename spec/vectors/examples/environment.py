"""An environment of its own for an example, with pinned packages, and what its lines look like."""

import os
import subprocess
import sys
import venv
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SKIPPED = 77  # the exit status of an example that could not be installed

sys.path.insert(0, str(HERE.parent / "check"))
from check import score  # noqa: E402, the checker's own


def enter(name, *packages):
    """Runs the script again in target/examples/NAME, where the packages are; ends it where they can't be installed."""
    home = ROOT / "target" / "examples" / name
    if Path(sys.prefix).resolve() == home.resolve():
        return
    python = home / "bin" / "python"
    pinned = ", ".join(packages)
    made_of = home / "made-of"
    if not made_of.exists() or made_of.read_text() != pinned:
        if os.environ.get("NO_INSTALL") == "1":
            print("skipped: NO_INSTALL=1, not installing " + pinned)
            sys.exit(SKIPPED)
        print("installing %s (for this example, in target/examples/%s)" % (pinned, name), flush=True)
        try:
            venv.create(home, with_pip=True, clear=True)
            install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
            subprocess.run(install, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except (OSError, subprocess.CalledProcessError):
            print("skipped: cannot install " + pinned)
            sys.exit(SKIPPED)
        made_of.write_text(pinned)
    os.execv(str(python), [str(python), "-B", *sys.argv])


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
