"""Is a smoothed loss any better? `halfspaces-descent` with and without, and writes experiments/results/smoothing.md.

    python3 smoothing.py DATA [REPETITIONS [SET]...]        DATA as for compare.py; 40 repetitions; these sets alone

The divisions, the options and the coins are those of compare.py; the sets are those on which rules may be chosen.
"""

import math
import statistics
import sys
import tempfile
from pathlib import Path

from compare import HERE, divided, ours, peer, run, sets, write  # first: it enters the environment

from learners import BOTH, EPSILONS, MARGIN

PEER = "diffprivlib, logistic regression"
SMOOTHINGS = ["0", "1"]


def of_repetition(one, data, repetition, found):
    """Adds the error of each learner on one division of a set, by learner and epsilon."""
    parts = divided(data, one.name, repetition)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        write(folder / "training.csv", *parts[:2])
        write(folder / "test.csv", *parts[2:])
        for epsilon in EPSILONS:
            for smoothing in SMOOTHINGS:
                learner = (BOTH, "halfspaces-descent", ["--gamma", MARGIN, "--smoothing", smoothing])
                found.setdefault((smoothing, epsilon), []).append(ours(folder, learner, epsilon, repetition, parts[3])["error"])
            found.setdefault((PEER, epsilon), []).append(peer(PEER, epsilon, repetition, parts)["error"])


def spread(errors):
    return statistics.stdev(errors) / math.sqrt(len(errors))


def cell(errors):
    return "%.4f ± %.4f" % (statistics.fmean(errors), spread(errors))


def difference(some, others):
    """Of the same divisions: the mean of some errors less the others, in its standard errors."""
    apart = [a - b for a, b in zip(some, others)]
    return statistics.fmean(apart) / spread(apart) if len(set(apart)) > 1 else 0.0


def rows(all_found):
    yield "| set | epsilon | hinge | smoothed | smoothed less hinge | %s |" % PEER
    yield "|---|---|---|---|---|---|"
    for one, found in all_found.items():
        for epsilon in EPSILONS:
            hinge, smoothed, other = [found[each, epsilon] for each in (*SMOOTHINGS, PEER)]
            yield "| %s | %s | %s | %s | %+.1f | %s |" % (
                one.name, epsilon, cell(hinge), cell(smoothed), difference(smoothed, hinge), cell(other))


HEAD = """# Is a smoothed loss any better?

Made by `python3 experiments/learners/smoothing.py DATA %s` with %s; nothing here is typed in. A cell is the mean error on held-out records of %d
divisions, those of [`learners.md`](learners.md), and its standard error; delta is 10^-6, and the margin told is %s. "Hinge" and "smoothed" are
`halfspaces-descent` with `--smoothing` 0, which it takes unless told otherwise, and 1 (`nuz20.full-batch.smoothed`), each with its own steps, or as many as take
some ten seconds. The last column but one counts standard errors of the difference, since the divisions are the same.

"""


def main(data, repetitions="40", *names):
    repetitions = int(repetitions)
    known = {one: one.records(Path(data)) for one in sets.CHOSEN_ON if not names or one.name in names}
    found = {one: {} for one in known}
    for repetition in range(repetitions):
        for one in known:
            of_repetition(one, known[one], repetition, found[one])
        print("%d of %d repetitions" % (repetition + 1, repetitions), file=sys.stderr, flush=True)
        # What was ended early has fewer of them, and is a page too; of one there is no standard error.
        if repetition:
            asked = " ".join([str(repetition + 1), *names])
            lines = [HEAD % (asked, run("--version").stdout.strip(), repetition + 1, MARGIN), *rows(found)]
            (HERE.parent / "results" / "smoothing.md").write_text("\n".join(lines).rstrip() + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
