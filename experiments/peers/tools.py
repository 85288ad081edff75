"""Asks one auditor about all cases, and prints how often it called each claim false.

    python tools.py TOOL RUNS CALLS

One JSON object: for each case the runs, the times that the claim was called false, and the seconds. What a run may cost is CALLS
samples, half on each dataset.
"""

import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time

import rules
from cases import CASES, EPSILON, samples

LEVEL = 0.05


def google(case, delta, calls, seed, drop_missing=False):
    """Gaussian outputs, in hundredths, are rounded to half a deviation: with more cells no tolerance would be left."""
    granularity = 50 if case.startswith("gaussian") else 1
    return rules.google(sampler(case, seed), EPSILON, delta, calls, granularity, drop_missing=drop_missing)


def google_cpp(case, delta, calls, seed):
    return google(case, delta, calls, seed, drop_missing=True)


def microsoft_curve(case, delta, calls, seed):
    return rules.curve(sampler(case, seed), EPSILON, delta, calls, LEVEL)


def privacy_estimates(method):
    """The package: bounds for the counts of one attack. The attack is a tail, chosen on the first half of the samples."""
    def ask(case, delta, calls, seed):
        from privacy_estimates import AttackResults, compute_eps_lo

        sample = sampler(case, seed)
        first, second = sample(0, calls // 4), sample(1, calls // 4)
        key, _ = rules.best_tail(first, second, delta, LEVEL)
        if key is None:
            return False
        fresh = [sample(bit, calls // 4) for bit in (0, 1)]
        hits = [sum(rules.holds(key, output) for output in outputs) for outputs in fresh]
        (positive, negative), total = (hits if key[2] == "first" else hits[::-1]), len(fresh[0])
        counts = AttackResults(FN=total - positive, FP=negative, TN=total - negative, TP=positive)
        return compute_eps_lo(count=counts, delta=delta, alpha=LEVEL, method=method) > EPSILON

    return ask


def jax_privacy(strategy):
    """CanaryScoreAuditor.epsilon_clopper_pearson: the outputs are the scores, in both directions."""
    def ask(case, delta, calls, seed):
        import numpy as np
        from jax_privacy import auditing

        sample = sampler(case, seed)
        scores = [np.array(sample(bit, calls // 2), dtype=float) for bit in (1, 0)]
        auditor = auditing.CanaryScoreAuditor(*scores)
        found = auditor.epsilon_clopper_pearson(
            LEVEL, delta, one_sided=False, threshold_strategy=getattr(auditing, strategy)())
        return found > EPSILON

    return ask


def jax_privacy_gdp(case, delta, calls, seed):
    """CanaryScoreAuditor.epsilon_from_gdp: epsilon for a delta above 0, as if the mechanism were Gaussian."""
    import numpy as np
    from jax_privacy import auditing

    if delta == 0:
        return None
    sample = sampler(case, seed)
    scores = [np.array(sample(bit, calls // 2), dtype=float) for bit in (1, 0)]
    return auditing.CanaryScoreAuditor(*scores).epsilon_from_gdp(LEVEL, delta) > EPSILON


ASKED = {}


def algorithm(queries, epsilon):
    """The case that StatDP is asked about, which its workers find by this name."""
    return int(ASKED["law"](int(queries[0]), ASKED["coins"]))


def statdp(case, delta, calls, seed):
    """PyStatDP, a fork of StatDP. A fifth of the samples choose the event. It knows no delta, and takes one output a call."""
    import numpy as np
    from pystatdp import pystatdp

    if delta != 0:
        return None
    ASKED.update(law=CASES[case][0], coins=random.Random(seed))
    np.random.seed(seed)
    found = pystatdp().detect_counterexample(
        algorithm, EPSILON, {"epsilon": EPSILON}, databases=(np.array([0]), np.array([1])), event_iterations=calls // 10,
        detect_iterations=4 * calls // 10, cores=1, quiet=True, loglevel=40)
    return found[0][1] < LEVEL


def ours(case, delta, calls, seed):
    """`assay audit`, with its own level of 1/20."""
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as room:
        pair = [os.path.join(room, name) for name in ("a.json", "b.json")]
        for path, bit in zip(pair, (0, 1)):
            with open(path, "w") as file:
                json.dump([bit], file)
        command = [
            os.environ.get("ASSAY", "assay"), "audit", "--target", shlex.join([sys.executable, os.path.join(here, "cases.py"), case]),
            "--pair", ",".join(pair), "--epsilon", str(EPSILON), "--delta", repr(delta), "--calls", str(calls), "--seed",
            str(seed), "--no-shrink", "--format", "json"]
        search = os.path.join(here, "..", "..", "audit", "targets", "python")
        answer = subprocess.run(
            command, stdout=subprocess.PIPE, check=False, env={**os.environ, "PYTHONPATH": search, "PYTHONDONTWRITEBYTECODE": "1"})
    verdict = json.loads(answer.stdout)["verdict"]
    if verdict not in ("violation", "not-refuted"):
        raise RuntimeError("assay audit on %s: %s" % (case, verdict))
    return verdict == "violation"


TOOLS = {
    "ours": ours,
    "statdp": statdp,
    "privacy-estimates-beta": privacy_estimates("beta"),
    "privacy-estimates-joint-beta": privacy_estimates("joint-beta"),
    "jax-privacy-bonferroni": jax_privacy("Bonferroni"),
    "jax-privacy-split": jax_privacy("Split"),
    "jax-privacy-gdp": jax_privacy_gdp,
    "microsoft-curve": microsoft_curve,
    "google": google,
    "google-cpp": google_cpp,
}


def sampler(case, seed):
    coins = random.Random(seed)
    return lambda bit, count: samples(case, bit, count, coins)


def main(tool, runs, calls):
    ask = TOOLS[tool]
    found = {}
    for case, (_, delta, _) in CASES.items():
        started = time.process_time(), os.times()
        answers = [ask(case, delta, calls, seed) for seed in range(1, runs + 1)]
        if None in answers:
            continue
        times = os.times()
        spent = time.process_time() - started[0]
        spent += times.children_user + times.children_system - started[1].children_user - started[1].children_system
        found[case] = {"runs": runs, "refuted": sum(map(bool, answers)), "processor_seconds": round(spent / runs, 4)}
        print("%s: %s %s" % (tool, case, found[case]), file=sys.stderr)
    json.dump({"tool": tool, "calls": calls, "cases": found}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
