"""Holds what an accountant promises against certified values, and prints a report for `assay campaign`.

An accountant that answers epsilon for a delta promises that delta(epsilon) is at most delta. delta(epsilon) is certified
(spec/vectors/examples/enclosures.py), at the very double that it answered. The verdict is

    unsound       some delta(epsilon) is above the promise, by more than rounding (1e-9 of it)
    conservative  none is, and some promise is more than twice as large as it could be
    sharp         none is, and none is
"""

import json
import sys
from fractions import Fraction

ROUNDING = Fraction(1, 10**9)


def score(name, promised, certified):
    """One promise of a delta: the ratio of the certified one to it, between two exact fractions."""
    lo, hi = certified.ends()
    return name, lo / Fraction(promised), hi / Fraction(promised)


def report(scores):
    unsound = [row for row in scores if row[1] > 1 + ROUNDING]
    loose = [row for row in scores if row[2] < Fraction(1, 2)]
    verdict = "unsound" if unsound else "conservative" if loose else "sharp"
    name, worst, _ = max(scores, key=lambda row: row[1])
    return {
        "verdict": verdict,
        "summary": "certified / promised is at most %.6g (%s)" % (float(worst), name),
        "ratios": {name: "%.9g" % float(lo) for name, lo, _ in scores},
    }


def start(functions):
    """Runs the check that the command line names: it makes a list of scores."""
    json.dump(report(functions[sys.argv[1].replace("-", "_")]()), sys.stdout, indent=1)
    print()
