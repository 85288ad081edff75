"""Test rules of others, re-stated from their documentation, on samples of the two datasets.

None of this is their code. `True` means that the claim is called false.
"""

import math
from collections import Counter


def plug_in_delta(first, second, epsilon, drop_missing=False):
    """The sum over outputs of (p - e^epsilon q)^+, where frequencies stand for probabilities."""
    of_first, of_second = Counter(first), Counter(second)
    total = 0.0
    for output, count in of_first.items():
        other = of_second.get(output, 0)
        if other == 0 and drop_missing:
            continue
        total += max(0.0, count - math.exp(epsilon) * other) / len(first)
    return total


def google(sample, epsilon, delta, calls, granularity=1, votes=15, drop_missing=False):
    """The approximate-DP test of Google's C++ and Java libraries (statistical_tests_utils, StatisticalTestsUtil), by majority
    of 15 votes: a vote is against the claim if either plug-in delta is at least delta plus a tolerance.

    The tolerance has to be above sqrt(m / n) (1 + e^(2 epsilon)), with m outputs and n samples in a vote, for their bound on
    the error; it is that here, but at most half of what delta leaves of 1, so that the test can fire at all. Outputs are first
    rounded to a granularity, which is the user's.

    `drop_missing`: the C++ test adds count / n for an output that the other sample lacks, and both are whole numbers: that is 0.
    """
    against = 0
    for _ in range(votes):
        first, second = ([x // granularity for x in sample(bit, calls // (2 * votes))] for bit in (0, 1))
        outputs = len(set(first) | set(second))
        tolerance = math.sqrt(outputs / len(first)) * (1 + math.exp(2 * epsilon))
        tolerance = min(tolerance, (1 - delta) / 2)
        found = [plug_in_delta(a, b, epsilon, drop_missing) for a, b in ((first, second), (second, first))]
        against += max(found) >= delta + tolerance
    return against > votes / 2


def bounds(counts, others, total, delta, level):
    """What Clopper and Pearson leave of epsilon for each event, both bounds with this level: of the order of the datasets in
    which `counts` come first."""
    import numpy as np
    from scipy.stats import beta

    lower = np.where(counts == 0, 0.0, beta.ppf(level, counts, total - counts + 1))
    upper = np.where(others == total, 1.0, beta.ppf(1 - level, others + 1, total - others))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(lower > delta, np.log((lower - delta) / upper), -np.inf)


def best_tail(first, second, delta, level):
    """The event {output >= t}, or its complement, and the order of the datasets with the largest bound; and the bound."""
    import numpy as np

    total = len(first)
    cuts = np.unique(np.concatenate([first, second]))[1:]
    if cuts.size == 0:
        return None, -math.inf
    above = [total - np.searchsorted(np.sort(sample), cuts) for sample in (first, second)]
    best = None, -math.inf
    for event, (x, y) in (("above", above), ("below", [total - count for count in above])):
        for order, counts, others in (("first", x, y), ("second", y, x)):
            found = bounds(counts, others, total, delta, level)
            place = int(np.argmax(found))
            if found[place] > best[1]:
                best = (float(cuts[place]), event, order), float(found[place])
    return best


def curve(sample, epsilon, delta, calls, level=0.05):
    """Microsoft's privacy curve (privacy-estimates, newer than the packaged one): the largest lower bound over all thresholds,
    each by a two-sided interval at the level, on the samples that the thresholds were chosen on."""
    return best_tail(sample(0, calls // 2), sample(1, calls // 2), delta, level / 2)[1] > epsilon


def holds(key, output):
    cut, event, _ = key
    return (output >= cut) == (event == "above")
