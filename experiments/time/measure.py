"""Prints experiments/results/time.md: calls until the time of a sampler speaks.

    measure.py ASSAY NOISE [OPENDP]     the command, the example `noise`, and a Python that has OpenDP
"""

import json
import os
import platform
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARIES = os.path.join(HERE, "..", "libraries")
ADAPTERS = os.path.join(HERE, "..", "..", "audit", "targets", "python")
CALLS = 200_000
SEEDS = (1, 2, 3)
LAPLACE = ["--epsilon", "1"]
# delta(1) of discrete Gaussian noise of variance 1 is 0.1413514 (assay truth).
GAUSSIAN = ["--epsilon", "1", "--delta", "0.14136"]


def samplers(noise, opendp):
    """Their names, their commands and their claims, which hold without any slack."""
    yield "`sample::DiscreteLaplace`, scale 1", [noise, "laplace"], LAPLACE
    yield "`PreparedLaplace` on `ConstantWork`", [noise, "constant-laplace"], LAPLACE
    yield "`sample::DiscreteGaussian`, variance 1", [noise, "gaussian"], GAUSSIAN
    yield "`PreparedGaussian` on `ConstantWork`", [noise, "constant-gaussian"], GAUSSIAN
    if opendp:
        command = [opendp, "-W", "ignore", os.path.join(LIBRARIES, "opendp", "mechanisms.py")]
        yield "OpenDP 0.16.0, `make_laplace` on integers, scale 1", [*command, "laplace-integer"], LAPLACE
        yield "OpenDP 0.16.0, `make_gaussian` on integers, scale 1", [*command, "gaussian-integer"], GAUSSIAN


def audit(assay, command, claim, seed, room):
    files = []
    for number in (0, 1):
        files.append(os.path.join(room, "%d.json" % number))
        with open(files[-1], "w", encoding="ascii") as file:
            json.dump([number], file)
    arguments = ["--target", " ".join(command), "--pair", ",".join(files), *claim, "--time", "--calls", str(CALLS)]
    arguments += ["--alpha", "1/1000", "--seed", str(seed), "--no-shrink", "--deadline", "600", "--format", "json"]
    paths = os.pathsep.join([LIBRARIES, ADAPTERS])
    ended = subprocess.run(
        [assay, "audit", *arguments],
        stdout=subprocess.PIPE,
        check=False,
        text=True,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return json.loads(ended.stdout)


def told(reports):
    """A row of the table, of what three seeds gave."""
    verdicts = [report.get("lines", [{}])[-1].get("verdict") for report in reports]
    if any(report["verdict"] == "inconclusive" for report in reports):
        return "inconclusive: " + next(r["reason"] for r in reports if "reason" in r), "", ""
    if any(report["lines"][0]["verdict"] == "violation" for report in reports):
        return "the outputs alone are a violation", "", ""
    found = [line["finding"] for line in (report["lines"][-1] for report in reports)]
    calls = ", ".join(
        str(one["calls"]) if verdict == "violation" else "not in %d" % one["calls"] for one, verdict in zip(found, verdicts)
    )
    shown = [one for one, verdict in zip(found, verdicts) if verdict == "violation"]
    if shown:
        counts = shown[0]["counts"]
        event = "`%s`: %d of %d against %d of %d" % (
            shown[0]["event"],
            counts["first"],
            counts["first_calls"],
            counts["second"],
            counts["second_calls"],
        )
        return calls, "", event
    return calls, "%.1e" % found[0]["undetectable"]["mass"], ""


def main():
    assay, noise, *rest = sys.argv[1:]
    version = subprocess.run([assay, "--version"], stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
    print(PAGE % {"version": version, "machine": platform.machine(), "system": platform.system(), "calls": CALLS})
    print("| sampler | claim | calls until time speaks, of three seeds | mass below which it would not | event |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as room:
        for name, command, claim in samplers(noise, *(rest or [None])):
            reports = [audit(assay, command, claim, seed, room) for seed in SEEDS]
            numbers = "(%s)" % ", ".join(claim[1::2]) if len(claim) > 2 else claim[1]
            print("| %s | %s | %s | %s | %s |" % (name, numbers, *told(reports)))


PAGE = """# Time: what it tells of samplers

Made by `make time`, with %(version)s on %(system)s, %(machine)s. Figures of time differ from machine to machine, and from day to day.

Each program adds noise to the one number of its dataset, `[0]` or `[1]`, and stamps each answer with the nanoseconds that this took. The claim
holds for the outputs alone, without any slack. `assay audit --time --alpha 1/1000 --calls %(calls)d` audits outputs together with their
times: each call a request of its own, on a dataset that a coin names, times in buckets that calls taught which are then spent
([how](../../docs/protocol.md#time)). Calls are those of that line.

"Not in N" does not say that time is safe. It says that on this machine a leak of less mass than stands beside it was not seen.
"""

if __name__ == "__main__":
    main()
