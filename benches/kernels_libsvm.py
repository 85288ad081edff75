"""The seconds that scikit-learn's SVC (LIBSVM) takes on the records of standard input, a label and coordinates a line.

Arguments: the squared width V of the kernel exp(-|x - z|^2 / (2 V)) and lambda. The tolerance is its own. It fits a bias, which
ours does not. The best of two runs; reading is not counted.
"""

import sys
import time

import numpy
from sklearn.svm import SVC

squared_width, penalty = map(float, sys.argv[1:])
records = numpy.loadtxt(sys.stdin)
labels, points = records[:, 0], records[:, 1:]
best = float("inf")
for _ in range(2):
    start = time.perf_counter()
    machine = SVC(
        C=1 / (penalty * len(labels)),
        gamma=1 / (2 * squared_width),
        cache_size=1000,
    )
    machine.fit(points, labels)
    best = min(best, time.perf_counter() - start)
print(best)
