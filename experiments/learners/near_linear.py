"""Is one pass over the records enough? Three noisy descents on the hinge loss, in floats, and writes experiments/results/near-linear.md.

    python3 near_linear.py DATA [REPETITIONS] [LARGEST]       DATA as for compare.py; 10 repetitions, made-up records up to 1000000

All three are rho-zCDP under substitution, up to their floats, with all of rho, on records of norm 1, and are told the same margin:

- full batch: T noisy gradients of all records, averaged. It is what `halfspaces-descent` does (`nuz20.full-batch.one-run`);
- accelerated: T such gradients of the smoothed loss, with momentum;
- phased: K phases on parts of the records, in each of which every record is seen once, in an implicit step
  w <- P(w + min(E q, (1/q - <w, z>)+) z), |z| = 1; the mean of a phase, with noise, is where the next one starts.
"""

import datetime
import math
import sys
import time
from itertools import chain
from pathlib import Path

from compare import HERE, divided, page, sets  # first: it enters the environment

import numpy
from scipy.optimize import minimize

from peers import concentrated, unit

Q = 10.0  # one over the margin
EPSILONS = [0.25, 1.0, 4.0]
PHASES = 4


def onto_ball(at):
    return at / max(1.0, numpy.linalg.norm(at))


def full_batch(steps):
    def learn(signed, rho, draws):
        records, dimension = signed.shape
        deviation = math.sqrt(2 * steps / rho)
        length = 1 / math.sqrt(steps * (records**2 + dimension * deviation**2))
        at, total = numpy.zeros(dimension), numpy.zeros(dimension)
        for _ in range(steps):
            total += at
            gradient = signed[signed @ at < 1 / Q].sum(axis=0) + deviation * draws.normal(size=dimension)
            at = onto_ball(at + length * gradient)
        return total

    return learn


def accelerated(steps):
    def learn(signed, rho, draws):
        records, dimension = signed.shape
        deviation = 2 * Q / records * math.sqrt(steps / (2 * rho))
        # The bound is 1/(c T (T + 1)) + c (q^2/(1 - theta) + noise/theta), at its least c and theta.
        noise = (2 * steps + 1) * dimension * deviation**2 / 6
        theta = math.sqrt(noise) / (Q + math.sqrt(noise))
        c = 1 / ((Q + math.sqrt(noise)) * math.sqrt(steps * (steps + 1)))
        smooth = (1 - theta) / (2 * c)
        at, far = numpy.zeros(dimension), numpy.zeros(dimension)
        for step in range(1, steps + 1):
            middle = ((step - 1) * at + 2 * far) / (step + 1)
            slopes = numpy.clip(smooth * (1 / Q - signed @ middle), 0, Q)
            gradient = -(slopes @ signed) / records + deviation * draws.normal(size=dimension)
            far = onto_ball(far - c * step * gradient)
            at = ((step - 1) * at + 2 * far) / (step + 1)
        return at

    return learn


def phases(records, dimension, rho):
    """Shares of the records and lengths of the steps that make the bound on the expected excess of the hinge loss least."""

    def parts(x):
        shares = numpy.exp(x[:PHASES])
        return shares / shares.sum(), numpy.exp(x[PHASES:])

    def bound(x):
        shares, steps = parts(x)
        starts = dimension * steps[:-1] ** 2 / (rho * steps[1:] * shares[1:] * records)
        last = steps[-1] * math.sqrt(2 * dimension / rho)
        return 1 / (2 * steps[0] * shares[0] * records) + steps.sum() / 2 + starts.sum() + last

    numbers = numpy.arange(PHASES)
    begin = numpy.concatenate([-(numbers + 1) * math.log(2), -math.log(records) / 2 - numbers * math.log(4)])
    return parts(minimize(bound, begin, method="Nelder-Mead", options={"maxiter": 20000, "maxfev": 20000, "adaptive": True}).x)


def phased(signed, rho, draws):
    records, dimension = signed.shape
    signed, begin = draws.permutation(signed), 0
    start = numpy.zeros(dimension)
    for share, step in zip(*phases(records, dimension, rho)):
        end = begin + int(share * records)
        at, total = start, numpy.zeros(dimension)
        for record in signed[begin:end]:
            total += at
            short = 1 / Q - record @ at
            if short > 0:
                at = onto_ball(at + min(step, short) * record)
        # The differing record moves the mean by at most twice a step.
        start = onto_ball(total / max(1, end - begin) + step * math.sqrt(2 / rho) * draws.normal(size=dimension))
        begin = end
    return start


LEARNERS = {
    **{"full batch, %d steps" % steps: full_batch(steps) for steps in (100, 1000)},
    **{"accelerated, %d steps" % steps: accelerated(steps) for steps in (30, 100)},
    "phased, one pass": phased}


def logistic_records(count, draws):
    """Labels by a logistic law: records of 10 features."""
    points = draws.uniform(-1, 1, size=(count, 10))
    weights = numpy.random.default_rng(1).normal(size=10)
    return unit(points), numpy.where(draws.random(count) < 1 / (1 + numpy.exp(-4 * points @ weights)), 1, -1)


def hard_records(count, draws):
    """Margin 1/q in one direction; four fifths of the records lie in one other; one label in 20 is turned."""
    points = draws.normal(size=(count, 10))
    points[:, 0] = 0
    points /= numpy.linalg.norm(points, axis=1, keepdims=True)
    points[draws.random(count) < 0.8] = numpy.eye(10)[1]
    points = numpy.eye(10)[0] / Q + math.sqrt(1 - 1 / Q**2) * points
    labels = numpy.where(draws.random(count) < 0.5, 1, -1)
    return points * labels[:, None], numpy.where(draws.random(count) < 0.05, -labels, labels)


def parts_of(data, repetitions):
    """Of each of these public sets and made-up ones: its name, and a training and a test part for each repetition."""
    for one in sets.CHOSEN_ON + sets.JUDGED_ON:
        records = one.records(data)
        yield one.name, [divided(records, one.name, repetition) for repetition in range(repetitions)], unit


def made_up(largest, repetitions):
    for kind in (logistic_records, hard_records):
        for count in (100_000, 1_000_000):
            if count <= largest:
                name = "%s, %d" % (kind.__name__.replace("_", " "), count)
                some = range(max(1, min(repetitions, 300_000 // count)))
                yield name, [split(*kind(count + 20_000, numpy.random.default_rng(each)), count) for each in some], lambda points: points


def split(points, labels, count):
    return points[:count], labels[:count], points[count:], labels[count:]


def measured(parts, normed):
    """The errors of all repetitions, by learner and epsilon, and the seconds of a run, by learner."""
    errors, seconds = {}, {}
    for repetition, (points, labels, test, expected) in enumerate(parts):
        signed, test = normed(points) * labels[:, None], normed(test)
        for epsilon in EPSILONS:
            for learner, learn in LEARNERS.items():
                started = time.process_time()
                found = learn(signed, concentrated(epsilon), numpy.random.default_rng(repetition))
                seconds.setdefault(learner, []).append(time.process_time() - started)
                errors.setdefault((learner, epsilon), []).append(float(numpy.mean(test @ found * expected <= 0)))
    return errors, seconds


def table(name, parts, errors, seconds):
    yield "### %s\n\n%d records learned from, %d features, %d repetitions.\n" % (name, *parts[0][0].shape, len(parts))
    yield "| learner |" + "".join(" epsilon %g |" % epsilon for epsilon in EPSILONS) + " seconds |"
    yield "|---|" + "---|" * (len(EPSILONS) + 1)
    for learner in LEARNERS:
        cells = " | ".join("%.4f ± %.4f" % page.summary(errors[learner, epsilon]) for epsilon in EPSILONS)
        yield "| %s | %s | %.2f |" % (learner, cells, sum(seconds[learner]) / len(seconds[learner]))
    yield ""


HEAD = """# Is one pass over the records enough?

%(date)s, by `python3 experiments/learners/near_linear.py DATA %(repetitions)d %(largest)d`, in floats on one core: held-out errors, their mean and standard
error, and the seconds of one run. Delta is 10^-6, the margin 1/10, and records have norm 1. Full batch is what `halfspaces-descent` does.

**A learner of one pass is not added.** Phased implicit steps have the best bound on the expected hinge loss of the population. They err less than 100
passes of full batch in %(phased)d of the %(cells)d cells below, and than 1,000 in %(phased_1000)d, on the hard records above all. But 100 accelerated passes err
less than they in %(over_phased)d, and less than 1,000 of full batch in %(accelerated)d. So it is accelerated steps that would serve all sizes; their rounding, page and row are
not worked out. Until then `halfspaces-descent` takes as many plain steps as about ten seconds allow, unless `--steps` says how many: on hard records more
of them err less.
"""


def less(cells, one, other):
    """In how many cells the one errs less than the other."""
    return sum(cell[one] < cell[other] for cell in cells)


def main(data, repetitions="10", largest="1000000"):
    repetitions, largest, lines, cells = int(repetitions), int(largest), [], []
    for name, parts, normed in chain(parts_of(Path(data), repetitions), made_up(largest, repetitions)):
        errors, seconds = measured(parts, normed)
        lines += table(name, parts, errors, seconds)
        cells += [{learner: sum(errors[learner, epsilon]) for learner in LEARNERS} for epsilon in EPSILONS]
        print(name, file=sys.stderr, flush=True)
    head = HEAD % {
        "date": datetime.date.today(), "repetitions": repetitions, "largest": largest, "cells": len(cells),
        "phased": less(cells, "phased, one pass", "full batch, 100 steps"),
        "phased_1000": less(cells, "phased, one pass", "full batch, 1000 steps"),
        "over_phased": less(cells, "accelerated, 100 steps", "phased, one pass"),
        "accelerated": less(cells, "accelerated, 100 steps", "full batch, 1000 steps")}
    (HERE.parent / "results" / "near-linear.md").write_text("\n".join([head, *lines]).rstrip() + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
