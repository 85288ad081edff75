"""The lower bound on epsilon of the peer privacy-estimates (PyPI), from the counts of an event that we found.

It has no search of its own: rows of the benchmark are given to it as lines `occurrences calls occurrences calls delta`, on
the dataset where the event is likelier and on the other. It answers each with its bound at level 1/20.
"""

import sys

from privacy_estimates import AttackResults, compute_eps_lo

for line in sys.stdin:
    x, n, y, m, delta = line.split()
    x, n, y, m = int(x), int(n), int(y), int(m)
    count = AttackResults(FN=n - x, FP=y, TN=m - y, TP=x)
    bound = compute_eps_lo(count=count, delta=float(delta), alpha=0.05, method="beta")
    print(bound, flush=True)
