"""Asks accountants of others, and `assay truth`, what the same private steps cost, and writes experiments/results/accountants.md.

    python compare.py MINUTES           so many minutes at most for each peer, or for those named: python compare.py MINUTES PEER...

A step: each record is in the sample with probability `rate` (Poisson), and Gaussian noise of `deviation` times the most that a record
moves the sum is added to it; neighbours differ in one record, which is added or removed. All peers and we answer for that.

The records stay in target/accountants, those of peers by the digest of peers.py and of what is installed, ours by that of the command: a
cell that has one is not asked again, and with 0 minutes none of a peer is. A peer whose environment cannot be made is left out, and said so.
"""

import hashlib
import itertools
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import page
from peers import LIMIT, MEMORY, PEERS

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
ASSAY = os.environ.get("ASSAY") or str(Path(os.environ.get("CARGO_TARGET_DIR") or TOP / "target") / "release" / "assay")
LIBRARIES = HERE.parent / "libraries"

RATES = [1e-4, 1e-3, 0.01, 0.1, 1.0]
DEVIATIONS = [0.5, 1.0, 2.0, 10.0, 100.0]
STEPS = [1, 100, 10**4, 10**5]
DELTAS = [1e-5, 1e-8, 1e-12]
# Peers are not asked where the certified epsilon is above this: it would be no privacy, and takes them the longest.
WORTH = 100


def assay(rate, deviation, steps, quantity, option, value):
    """What `assay truth` prints of the very doubles that the peers are given, and its processor seconds."""
    subject = ["rate=%s" % Fraction(rate), "deviation=%s" % Fraction(deviation), "steps=%d" % steps]
    command = [ASSAY, "truth", "subsampled-gaussian", *subject, "--quantity", quantity, option, str(Fraction(value))]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*command, "--digits", "5", "--format", "json"], stdout=subprocess.PIPE, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = json.loads(done.stdout)
    lo, hi = (told["value"],) * 2 if "value" in told else (told["lo"], told["hi"])
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"lo": float(lo), "hi": float(hi), "seconds": seconds}


def ours(rate, deviation, steps, delta):
    return assay(rate, deviation, steps, "epsilon", "--delta", delta)


class Peer:
    """A process of one peer, which is started again where it did not answer in time."""

    def __init__(self, name, python):
        self.name, self.python, self.process = name, python, None

    def start(self):
        settings = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu", "PYTHONDONTWRITEBYTECODE": "1"}
        self.process = subprocess.Popen(
            [str(self.python), "-W", "ignore", str(HERE / "peers.py"), self.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env={**os.environ, **settings}, text=True)
        return self.process.stdout.readline() == "ready\n"

    def ask(self, *cell):
        if self.process is None and not self.start():
            self.stop()
            raise RuntimeError("%s does not start" % self.name)
        self.process.stdin.write(json.dumps(cell) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        late = self.process.wait() == -signal.SIGPROF
        self.stop()
        return {"refused": "no answer in %d seconds" % LIMIT if late else "its process ended"}

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def cells():
    """Shuffled, so that what is recorded of a run that was ended early is a sample of all."""
    found = list(itertools.product(RATES, DEVIATIONS, STEPS, DELTAS))
    random.Random(1).shuffle(found)
    return found


def recorded(path, ask, wanted, minutes=float("inf")):
    """The answers to these cells, from the records, or asked for now and recorded, for so many minutes at most."""
    known, ends = {}, time.time() + 60 * minutes
    if path.exists():
        for line in path.read_text().splitlines():
            cell, found = json.loads(line)
            known[tuple(cell)] = found
    with open(path, "a") as file:
        for cell in wanted:
            if cell not in known and time.time() < ends:
                known[cell] = ask(*cell)
                file.write(json.dumps([cell, known[cell]]) + "\n")
                file.flush()
    return {cell: known[cell] for cell in wanted if cell in known}


def python_of(environment):
    """The Python of an environment of its own, or None where it cannot be made."""
    made = subprocess.run([str(LIBRARIES / "environment.sh"), environment], check=False)
    return None if made.returncode else TOP / "target" / "libraries" / environment / "bin" / "python"


def below(path, name, answers, truth):
    """The certified delta at each epsilon that is below the truth: how far the answer is from what it says. An estimate says nothing."""
    if page.PROMISES[name][1] == page.ESTIMATE:
        return []

    def certified(rate, deviation, steps, delta):
        return assay(rate, deviation, steps, "profile", "--epsilon", max(answers[rate, deviation, steps, delta]["epsilon"], 0.0))

    wrong = [cell for cell, answer in answers.items() if page.side(answer, truth[cell]) == "below"]
    deltas = recorded(path, certified, wrong)
    return [
        {"cell": cell, "epsilon": answers[cell]["epsilon"], "truth": truth[cell], "factor": deltas[cell]["lo"] / cell[3]} for cell in wrong]


def digest(*paths):
    found = hashlib.sha256()
    for path in paths:
        found.update(path.read_bytes())
    return found.hexdigest()[:12]


def room():
    """Where the records of these peers and this `assay` stand."""
    environments = sorted({environment for environment, _ in PEERS.values()})
    found = TOP / "target" / "accountants" / digest(HERE / "peers.py", *(LIBRARIES / name / "requirements.txt" for name in environments))
    found.mkdir(parents=True, exist_ok=True)
    return found


def main(minutes, *names):
    home, certified, rows, left_out = room(), digest(Path(ASSAY)), [], []
    truth = recorded(home / ("ours-%s.jsonl" % certified), ours, cells())
    wanted = [cell for cell in truth if truth[cell]["lo"] <= WORTH]
    pythons = {}
    for name in names or PEERS:
        environment = PEERS[name][0]
        if environment not in pythons:
            pythons[environment] = python_of(environment)
        if pythons[environment] is None:
            print("accountants: %s left out" % name, file=sys.stderr)
            left_out.append(name)
            continue
        started, peer = time.time(), Peer(name, pythons[environment])
        answers = recorded(home / (name + ".jsonl"), peer.ask, wanted, float(minutes))
        peer.stop()
        rows.append({"peer": name, "answers": answers, "below": below(home / ("%s-below-%s.jsonl" % (name, certified)), name, answers, truth)})
        print("%s: %.0f s" % (name, time.time() - started), file=sys.stderr, flush=True)
    if not rows:
        sys.exit("accountants: no peer could be asked, the page stays as it is")
    left_out += [name for name in PEERS if name not in (names or PEERS)]
    written = page.write(truth, wanted, rows, left_out, (MEMORY, LIMIT, WORTH))
    (HERE.parent / "results" / "accountants.md").write_text(written)


if __name__ == "__main__":
    main(*sys.argv[1:])
