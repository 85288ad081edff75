"""The page of what learners of two classes reach on ten public data sets. compare.py calls `write`."""

import functools
import math
import statistics

from learners import DELTA, EPSILONS, MARGIN, OURS
from peers import PEERS
from sets import CHOSEN_ON, JUDGED_ON

# By name. Whole records are private, exactly or as is claimed, but for those that are there to compare with.
PROMISES = {**{name: promise for name, (promise, _, _) in OURS.items()}, **{name: promise for name, (promise, _) in PEERS.items()}}
TO_COMPARE = ("nothing", "epsilon, of labels", "epsilon, delta but for its floats")
PRIVATE = [name for name, promise in PROMISES.items() if promise not in TO_COMPARE]
PURE = [name for name in PRIVATE if "delta" not in PROMISES[name]]


class Table:
    """The errors of all learners on one set."""

    def __init__(self, one, data, found, repetitions):
        self.one, (points, labels) = one, data
        self.records, self.features, self.positive = len(points), len(points[0]), sum(labels) / len(labels)
        self.learned_from = self.records - self.records // 5
        self.found = {
            (name, epsilon): [found[name, epsilon, repetition] for repetition in range(repetitions)]
            for name in PROMISES for epsilon in EPSILONS}

    def errors(self, name, epsilon):
        """The error of each repetition, or None where it is refused in one."""
        runs = self.found[name, epsilon]
        return None if any("refused" in run for run in runs) else [run["error"] for run in runs]

    def least(self, names, epsilon):
        """Whose mean error is the least."""
        run = [name for name in names if self.errors(name, epsilon)]
        return min(run, key=lambda name: statistics.fmean(self.errors(name, epsilon)))

    def behind(self, name, other, epsilon):
        """By how much the mean error is above that of the other, in standard errors of the difference: the splits are the same."""
        pairs = zip(self.errors(name, epsilon), self.errors(other, epsilon))
        differences = [mine - theirs for mine, theirs in pairs]
        mean, error = summary(differences)
        return 0.0 if mean <= 0 else mean / error if error else math.inf

    def lines(self):
        yield "### %s\n" % self.one.name
        yield "%s. %d records, of which %d are learned from; %d features; %.3f positive.\n" % (
            self.one.what[0].upper() + self.one.what[1:], self.records, self.learned_from, self.features, self.positive)
        yield "| learner | privacy |" + "".join(" epsilon %s |" % epsilon for epsilon in EPSILONS)
        yield "|---|---|" + "---|" * len(EPSILONS)
        for name, promise in PROMISES.items():
            yield "| %s | %s | %s |" % (name, promise, " | ".join(self.cell(name, epsilon) for epsilon in EPSILONS))
        reasons = {
            (name, run["refused"]) for name in PROMISES for epsilon in EPSILONS for run in self.found[name, epsilon] if "refused" in run}
        for name, reason in sorted(reasons):
            yield "\n%s: %s." % (name, reason)
        yield ""

    def cell(self, name, epsilon):
        errors = self.errors(name, epsilon)
        if errors is None:
            return "refused"
        text = "%.4f ± %.4f" % summary(errors)
        return "**%s**" % text if name in PRIVATE and name == self.least(PRIVATE, epsilon) else text


def summary(numbers):
    """Their mean and its standard error."""
    return statistics.fmean(numbers), statistics.stdev(numbers) / math.sqrt(len(numbers)) if len(numbers) > 1 else 0.0


def judged(table, advised):
    """For each epsilon and promise: what is advised, what errs least, and how far behind it the advised one is."""
    for epsilon in EPSILONS:
        for delta, names in ((DELTA, PRIVATE), ("0", PURE)):
            taken = advised(table.learned_from, table.features, epsilon, delta != "0")
            least = table.least(names, epsilon)
            yield epsilon, delta, taken, least, table.behind(taken, least, epsilon)


def advice(tables, advised):
    yield "| set | records | features | epsilon | delta | `--advise` takes | error | least error | of | behind |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for table in tables:
        for epsilon, delta, taken, least, behind in judged(table, advised):
            means = [statistics.fmean(table.errors(name, epsilon)) for name in (taken, least)]
            yield "| %s | %d | %d | %s | %s | %s | %.4f | %.4f | %s | %s |" % (
                table.one.name, table.learned_from, table.features, epsilon, delta, taken, *means, least,
                "-" if taken == least else "%.1f" % behind)
    yield ""


def score(tables, advised, wanted_epsilon, wanted_delta):
    """Of these sets, where the advised learner errs least, where it is within one standard error, and where it is not."""
    found = {"least": [], "near": [], "behind": []}
    for table in tables:
        for epsilon, delta, taken, least, behind in judged(table, advised):
            if (epsilon, delta) == (wanted_epsilon, wanted_delta):
                found["least" if taken == least else "near" if behind <= 1 else "behind"].append(table.one.name)
    return found


def verdict(tables, advised):
    for delta, whom in ((DELTA, "with a delta, of all that are private"), ("0", "without one, of those that claim that")):
        for epsilon in EPSILONS:
            found = score(tables, advised, epsilon, delta)
            others = [("within one standard error of it on ", found["near"]), ("behind it on ", found["behind"])]
            yield "- %s, least at epsilon %s on %d of %d sets%s" % (
                whom, epsilon, len(found["least"]), len(tables),
                "".join(", " + text + " and ".join(names) for text, names in others if names))
    yield ""


def names_of(some):
    return ", ".join("`%s`" % one.name for one in some)


HEAD = """# Learners of two classes on ten public data sets: %(repetitions)d repetitions%(short)s

Made by `python3 experiments/learners/compare.py DATA %(repetitions)d`, where DATA has the published files, by their SHA-256 sums; nothing here is typed in.
A cell is the mean error on a fifth of the records, which is held out, and its standard error. A repetition divides the set anew, and has
other candidates and other noise; all learners have the same divisions. Neighbours are substitutions of one record, and delta is 10^-6. The least error of
those that keep whole records private is bold; noisy descent in floats is not private, since its noise is not exact.

- **The same records for all.** Each column is clipped to a public interval and placed on [-1, 1]; a row that lacks a value is left out. All but
  `random-features` and naive Bayes have a constant besides. The peers have records of norm 1, but naive Bayes; ours normalise as they always do.
- **Settings by public rules.** Where the command has a default, it is taken. What it must be told is the same everywhere: the margin is
  %(margin)s, lambda 1/100 with the hinge loss, and covers have 5 dimensions and the radius 1/3, since the theorem's are too large to go
  through. `random-features` learns the labels -1 and 1 as numbers, and the sign is taken. `kernel-release` and it are told `--accept-noise`. Noisy descent
  in floats takes 500 steps at the same margin. `kernel-targets` and `kernel-net` need public points, and `margin-network` goes through tiny networks only: they are not here.
- **Chosen on half, judged on the other half.** These figures, and the rule of `--advise`, were chosen on %(chosen)s. They are judged on %(judged)s,
  for which nothing was chosen; of these one repetition, at the margin 1/10, had been seen when 1/20 was chosen on the others.
- diffprivlib is 0.6.6 with scikit-learn 1.5.2. It claims epsilon alone.
"""


def write(tables, repetitions, advised):
    advised = functools.cache(advised)
    chosen, unseen = tables[: len(CHOSEN_ON)], tables[len(CHOSEN_ON) :]
    short = "" if repetitions >= 40 else ", of the 40 that the command makes unless told otherwise"
    lines = [HEAD % {
        "repetitions": repetitions, "short": short, "margin": MARGIN, "chosen": names_of(CHOSEN_ON), "judged": names_of(JUDGED_ON)}]
    lines += ["## What `assay learn --advise` takes\n", "On the sets on which nothing was chosen it takes the one that errs\n", *verdict(unseen, advised)]
    lines += ["Standard errors are those of the difference, since the divisions are the same; the last column counts them.\n"]
    lines += [*advice(unseen, advised), "On the sets on which the rule was chosen it takes the one that errs\n", *verdict(chosen, advised), *advice(chosen, advised)]
    for title, some in (("Judged on", unseen), ("Chosen on", chosen)):
        lines.append("## %s\n" % title)
        lines += [line for table in some for line in table.lines()]
    return "\n".join(lines).rstrip() + "\n"
