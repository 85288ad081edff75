"""Runs every learner of two classes on ten public data sets, with and without privacy, and writes experiments/results/learners.md.

    python3 compare.py DATA [REPETITIONS]           DATA: the folder with the files that sets.py names; 40 repetitions

A repetition divides a set anew: a fifth of the records is for the test, the rest is learned from, the same for all learners. Ours run
as their users run them, by `assay learn` and `assay predict`, whose coins have a seed here, so that the page can be made again.

The records stay in target/learners, by the version of the command and the digest of these scripts: what stands there is
not run again.
"""

import csv
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(TOP / "scripts"))

from own_environment import enter  # noqa: E402

enter(TOP / "target" / "diffprivlib", "the peers", "diffprivlib==0.6.6", "scikit-learn==1.5.2")

import numpy  # noqa: E402, in the environment only

import page  # noqa: E402
import sets  # noqa: E402
from learners import DELTA, EPSILONS, OURS, arguments  # noqa: E402
from peers import PEERS  # noqa: E402

ASSAY = os.environ.get("ASSAY") or str(Path(os.environ.get("CARGO_TARGET_DIR") or TOP / "target") / "release" / "assay")


def run(*words):
    return subprocess.run([ASSAY, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def divided(data, name, repetition):
    """The points and labels (1 and -1) of the training part, and those of the test."""
    points, labels = data
    order = list(range(len(points)))
    random.Random("%s, %d" % (name, repetition)).shuffle(order)
    test, training = order[: len(order) // 5], order[len(order) // 5 :]
    points, labels = numpy.array(points), numpy.where(labels, 1, -1)
    return points[training], labels[training], points[test], labels[test]


def write(path, points, labels):
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["x%d" % feature for feature in range(points.shape[1])] + ["label"])
        rows.writerows([*map(repr, map(float, point)), label] for point, label in zip(points, labels))


def ours(folder, learner, epsilon, repetition, labels):
    """The error of a model of ours on the test, or why there is none."""
    model = folder / "model.json"
    learned = run("learn", *arguments(learner, folder / "training.csv", epsilon, repetition), "--force", "--out", model)
    if learned.returncode:
        wrong = [line for line in learned.stderr.splitlines() if line.startswith("error: ")]
        return {"refused": wrong[0].removeprefix("error: ") if wrong else "it failed"}
    told = run("predict", model, folder / "test.csv").stdout.split()
    # A record that is on the boundary is undecided, and counts as wrong.
    signs = [0 if answer == "undecided" else 1 if float(answer) > 0 else -1 for answer in told]
    return {"error": float(numpy.mean(numpy.array(signs) != labels))}


def peer(name, epsilon, repetition, parts):
    training, labels, test, expected = parts
    told = PEERS[name][1](training, labels, test, float(Fraction(epsilon)), repetition)
    return {"error": float(numpy.mean(told != expected))}


class Records:
    """What has been run: a line of a file a run."""

    def __init__(self, path):
        self.known = {}
        if path.exists():
            for line in path.read_text().splitlines():
                key, found = json.loads(line)
                self.known[tuple(key)] = found
        self.file = open(path, "a")

    def ask(self, key, run):
        if key not in self.known:
            self.known[key] = run()
            self.file.write(json.dumps([key, self.known[key]]) + "\n")
            self.file.flush()
        return self.known[key]


def room():
    """Where the records of this version and these scripts stand; how the page looks is no part of it."""
    found = hashlib.sha256(run("--version").stdout.encode())
    for name in ("compare.py", "learners.py", "peers.py", "sets.py"):
        found.update((HERE / name).read_bytes())
    made = TOP / "target" / "learners" / found.hexdigest()[:12]
    made.mkdir(parents=True, exist_ok=True)
    return made


def of_repetition(one, data, repetition, records):
    """All learners on one division of a set."""
    parts = divided(data, one.name, repetition)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        write(folder / "training.csv", *parts[:2])
        write(folder / "test.csv", *parts[2:])
        for epsilon in EPSILONS:
            for name, learner in OURS.items():
                records.ask((name, epsilon, repetition), lambda: ours(folder, learner, epsilon, repetition, parts[3]))
            for name in PEERS:
                records.ask((name, epsilon, repetition), lambda: peer(name, epsilon, repetition, parts))


def advised(records, features, epsilon, delta):
    """What `--advise` takes for so many records to learn from."""
    words = ["learn", "--advise", "--records", records, "--features", features, "--epsilon", epsilon, "--format", "json"]
    return json.loads(run(*words, *(["--delta", DELTA] if delta else [])).stdout)["take"]


def main(data, repetitions="40"):
    repetitions, home = int(repetitions), room()
    known = {one: one.records(Path(data)) for one in sets.CHOSEN_ON + sets.JUDGED_ON}
    records = {one: Records(home / (one.name + ".jsonl")) for one in known}
    # A repetition of all sets, and then the next: what was ended early has fewer of them, and is a page too.
    for repetition in range(repetitions):
        for one in known:
            of_repetition(one, known[one], repetition, records[one])
        print("%d of %d repetitions" % (repetition + 1, repetitions), file=sys.stderr, flush=True)
    tables = [page.Table(one, known[one], records[one].known, repetitions) for one in known]
    (HERE.parent / "results" / "learners.md").write_text(page.write(tables, repetitions, advised))


if __name__ == "__main__":
    main(*sys.argv[1:])
