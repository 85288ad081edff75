"""The page of what accountants of others answered, beside certified enclosures. compare.py calls `write`."""

import statistics
from fractions import Fraction

BOUND, FIGURE, ESTIMATE = "a bound", "a figure", "an estimate"

# By name: title, what the figure is promised to be, and the words that promise it.
PROMISES = {
    "dp-accounting-pld": (
        "dp-accounting 0.6.0, `PLDAccountant`", BOUND,
        "\"When this privacy loss distribution corresponds to a mechanism and the rounding is pessimistic, the returned value corresponds to an "
        "epsilon for which the mechanism is (epsilon, delta)-differentially private\" (`get_epsilon_for_delta`); rounding is pessimistic by default."),
    "dp-accounting-rdp": (
        "dp-accounting, `RdpAccountant`", BOUND,
        "\"The current epsilon, accounting for all composed DpEvents\" (`PrivacyAccountant.get_epsilon`): a Renyi bound."),
    "jax-privacy-pld": (
        "jax-privacy 2.0.0, `PldAccountantConfig`", BOUND,
        "\"Compute bounds on DP epsilon (given delta) for DP-SGD\" (`accounting/accountants.py`). It makes a `PLDAccountant` of dp-accounting."),
    "prv-accountant": (
        "prv-accountant 0.2.0, upper, `eps_error` 0.1", BOUND,
        "\"Return lower bound for epsilon, estimate for epsilon and upper bound for epsilon\" (`compute_epsilon`); the upper one is asked. Of the "
        "two directions one is computed. The bounds are `eps_error` away from the estimate: a smaller one costs more time."),
    "opacus-prv": (
        "Opacus 1.6.0, `PRVAccountant`", BOUND,
        "\"return upper bound as we want guarantee, not just estimate\" (`accountants/prv.py`). `eps_error` is 0.01 by default."),
    "opacus-rdp": (
        "Opacus, `RDPAccountant`", BOUND, "\"Return privacy budget (epsilon) expended so far\" (`get_epsilon`): a Renyi bound."),
    "opacus-gdp": (
        "Opacus, `GaussianAccountant`", ESTIMATE,
        "\"GDP accounting is experimental and can underestimate privacy expenditure\": the library warns of that whenever it is used."),
    "autodp-rdp": (
        "autodp 0.2.3.1, `NoisySGD_Mechanism`", BOUND,
        "\"state-of-the-art privacy guarantees for your favorite randomized mechanisms\" (its README): a Renyi bound."),
    "opake-accounting": (
        "opake-accounting 0.16.1, its compiled module", FIGURE,
        "\"Smallest epsilon achieving (epsilon, delta)-DP\" (`epsilon_at`). Neither a bound nor an estimate is spoken of there; \"implementation "
        "uses Google's PLD accounting\" (its package's documentation)."),
    "dp-accelerator": (
        "dp-accelerator 0.1.0", BOUND, "\"The epsilon value that satisfies (epsilon, delta)-DP\" (`get_epsilon`): a Renyi bound."),
    "fourier-accountant": (
        "fourier-accountant 0.12.11, `get_epsilon_R`", ESTIMATE,
        "\"this function relies on numerical approximations\"; \"corner cases exist where this function sometimes returns inaccurate values\". "
        "`nx` and `L` are left as they are."),
    "pld-accounting": (
        "PLD_accounting 2.0, `subsample_pld`", BOUND,
        "\"Subsampling helpers use DOMINATES semantics (upper-bound style)\" (its README). dp-accounting composes."),
}

TEXT = """
A step: each record is in the sample with probability *rate* (Poisson sampling), and Gaussian noise of *deviation* times the most that
a record moves the sum is added. Neighbours differ in one record that is added or removed. The question is the least epsilon at
delta for so many steps together, whose every answer is seen; the rate and delta are the doubles nearest to what is written, for us and for
them. Cells: rate %(rates)s; deviation %(deviations)s; steps %(steps)s; delta %(deltas)s. Of these %(cells)d cells
the %(wanted)d are asked, in shuffled order, whose certified epsilon is at most %(worth)d; a peer that took too long was asked fewer.

- **below**: the answer is less than the lower end of `assay truth subsampled-gaussian --digits 5`: the mechanism is not
  (epsilon, delta)-private for the epsilon that is told. Where a bound is promised, that breaks the promise; an estimate makes none.
- **within**: it lies between our two ends. **above**: it is more than the upper one; the factor is the answer over that end, in the
  median, in nine of ten cells, and in the worst, where our end is above 0.
- **refused**: an error, an infinite answer, more than %(memory)d GiB of memory, or no answer in %(limit)d seconds of the processor. Such a cell says nothing
  against a bound.
- **time**: processor seconds beside ours in the same cell, in the median and over all that both answered. Ours include starting the command; theirs
  do not include loading the library, and have a grain of some milliseconds.

Of our own %(cells)d enclosures %(narrow)d are narrower than 1e-3 of their upper end, and %(wide)d wider (the command says why); the widest is %(widest)s.
In %(zero)d cells the least epsilon is 0: there anything above is right and of no factor.
"""


def exact(end):
    """The decimal that the command printed, of which `end` is the nearest double."""
    return Fraction(repr(end))


def side(answer, truth):
    if "epsilon" not in answer:
        return "refused"
    epsilon = Fraction(answer["epsilon"])
    return "below" if epsilon < exact(truth["lo"]) else "within" if epsilon <= exact(truth["hi"]) else "above"


def number(value):
    return "%.4g" % value


def times(factor):
    """As little as it is above 1 is told, so that no two digits hide it."""
    return "+%.1e" % (factor - 1) if factor < 1.01 else "%.2f" % factor if factor < 100 else "%.1e" % factor


def row(name, answers, truth):
    sides = {cell: side(answer, truth[cell]) for cell, answer in answers.items()}
    count = lambda of: sum(found == of for found in sides.values())
    factors = sorted(
        answers[cell]["epsilon"] / truth[cell]["hi"] for cell in sides if sides[cell] == "above" and truth[cell]["hi"] > 0)
    shown = [times(factors[int(part * (len(factors) - 1))]) for part in (0.5, 0.9, 1)] if factors else []
    both = [(answers[cell]["seconds"], truth[cell]["seconds"]) for cell in sides if sides[cell] != "refused"]
    time = ["-", "-"]
    if both:
        time = [number(statistics.median(a / max(b, 1e-3) for a, b in both)), number(sum(a for a, _ in both) / sum(b for _, b in both))]
    return [PROMISES[name][0], PROMISES[name][1], *map(str, (len(sides), count("below"), count("within"), count("above"))),
            ", ".join(shown) or "-", str(count("refused")), *time]


def broken(name, found):
    """The cells in which an answer is too low, worst first."""
    lines = ["\n## Below the truth: %s\n" % PROMISES[name][0]]
    lines.append("True delta: more than the delta that was asked for, by this factor at least, at the epsilon that was answered; certified.\n")
    lines.append("| rate | deviation | steps | delta | answer | ours | true delta |\n|---|---|---|---|---|---|---|")
    for one in sorted(found, key=lambda one: -one["factor"])[:20]:
        rate, deviation, steps, delta = one["cell"]
        lines.append("| %g | %g | %d | %g | %.7g | %r to %r | %.6g |" % (
            rate, deviation, steps, delta, one["epsilon"], one["truth"]["lo"], one["truth"]["hi"], max(one["factor"], 1)))
    if len(found) > 20:
        lines.append("\nThe 20 worst of %d." % len(found))
    return lines


def refusals(name, answers):
    """How often what was said instead of an answer, without what differs from cell to cell."""
    counts = {}
    for answer in answers.values():
        if "refused" in answer:
            words = "".join("#" if c.isdigit() else c for c in answer["refused"])[:100]
            counts[words] = counts.get(words, 0) + 1
    most = sorted(counts.items(), key=lambda item: -item[1])[:3]
    return "; ".join("%s (%d)" % (words.replace("|", "/").replace("\n", " "), count) for words, count in most)


def about(truth, wanted, limits):
    width = {cell: (one["hi"] - one["lo"]) / one["hi"] for cell, one in truth.items() if one["hi"] > 0}
    axes = [sorted({cell[axis] for cell in truth}, reverse=axis == 3) for axis in range(4)]
    names = [", ".join("%g" % value for value in axis) for axis in axes]
    widest = max(width, key=width.get)
    return TEXT % {
        "rates": names[0], "deviations": names[1], "steps": names[2], "deltas": names[3], "cells": len(truth), "limit": limits[1], "worth": limits[2], "wanted": len(wanted),
        "memory": limits[0] >> 30, "narrow": sum(w < 1e-3 for w in width.values()), "wide": sum(w >= 1e-3 for w in width.values()),
        "widest": "%r to %r, at rate %g, deviation %g, %d steps, delta %g" % (truth[widest]["lo"], truth[widest]["hi"], *widest),
        "zero": len(truth) - len(width)}


def write(truth, wanted, rows, left_out, limits):
    lines = ["# Accountants of others, beside certified enclosures\n", "Made by `make accountants`.", about(truth, wanted, limits)]
    lines.append("| accountant | promises | asked | below | within | above | by what factor | refused | time, median | time, in all |")
    lines.append("|---|---|---|---|---|---|---|---|---|---|")
    lines += ["| " + " | ".join(row(one["peer"], one["answers"], truth)) + " |" for one in rows]
    lines.append("\nWhat each promises:\n")
    lines += ["- **%s**: %s: %s" % (PROMISES[one["peer"]][0], PROMISES[one["peer"]][1], PROMISES[one["peer"]][2]) for one in rows]
    lines.append("\nWhat was said where nothing was answered, most often first:\n")
    said = [(PROMISES[one["peer"]][0], refusals(one["peer"], one["answers"])) for one in rows]
    lines += ["- **%s**: %s" % pair for pair in said if pair[1]]
    for one in rows:
        if one["below"]:
            lines += broken(one["peer"], one["below"])
    if left_out:
        lines.append("\nNot run this time: %s." % "; ".join(PROMISES[name][0] for name in left_out))
    return "\n".join(lines) + "\n"
