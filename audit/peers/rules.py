"""Test rules of others, re-stated from their documentation, on samples of the two datasets.

None of this is their code. `True` means that the claim is called false.
"""

import math
from collections import Counter


def plug_in_delta(first, second, epsilon, drop_missing=False):
    """The sum over outputs of (p - e^epsilon q)^+, with frequencies in the place of probabilities."""
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


def clopper_pearson(count, total, level):
    """The upper and the lower bound, each with this level."""
    from scipy.stats import beta

    upper = 1.0 if count == total else beta.ppf(1 - level, count + 1, total - count)
    lower = 0.0 if count == 0 else beta.ppf(level, count, total - count + 1)
    return lower, upper


def bound(count, other, of_count, of_other, delta, level):
    """Of one event and one order of the datasets: what Clopper and Pearson leave of epsilon."""
    lower = clopper_pearson(count, of_count, level)[0]
    upper = clopper_pearson(other, of_other, level)[1]
    return math.log((lower - delta) / upper) if lower > delta else -math.inf


def tails(first, second):
    """Events {output >= t} and their complements, with the counts in both samples and the order of the datasets."""
    cuts = sorted(set(first) | set(second))
    of_first, of_second = Counter(first), Counter(second)
    a = b = 0
    for cut in reversed(cuts[1:]):
        a += of_first[cut]
        b += of_second[cut]
        for event, (x, y) in (("above", (a, b)), ("below", (len(first) - a, len(second) - b))):
            yield (cut, event, "first"), x, y
            yield (cut, event, "second"), y, x


def curve(sample, epsilon, delta, calls, level=0.05):
    """Microsoft's privacy curve (privacy-estimates, newer than the packaged one): the largest lower bound over all thresholds,
    each by a two-sided interval at the level, on the samples that the thresholds were chosen on."""
    first, second = sample(0, calls // 2), sample(1, calls // 2)
    found = (bound(x, y, len(first), len(second), delta, level / 2) for _, x, y in tails(first, second))
    return max(found, default=-math.inf) > epsilon


def best_tail(first, second, delta, level):
    """The event on which the bound is largest, as an attack for the methods that need one."""
    found = ((bound(x, y, len(first), len(second), delta, level), key) for key, x, y in tails(first, second))
    return max(found, default=(None, None))[1]


def holds(key, output):
    cut, event, _ = key
    return (output >= cut) == (event == "above")
