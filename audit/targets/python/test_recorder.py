"""What recorder.py records of numpy's noise. `run-tests` runs this, with each numpy that it is to be tested with."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy

ASSAY = os.environ["DP_ASSAY_COMMAND"]
HERE = os.path.dirname(os.path.abspath(__file__))

NOT_REFUTED = "not-refuted-given-the-recorded-noise"
VIOLATION = "violation-given-the-recorded-noise"
STATUS = {NOT_REFUTED: 0, VIOLATION: 1, "inconclusive": 3}

PROGRAM = """
import sys
sys.path.insert(0, %r)
from recorder import serve
import numpy, numpy.random as r
rng = r.default_rng(1)
def mechanism(data):
    %s
serve(mechanism)
"""


def audit(mechanism):
    """The report of `assay replay` on a mechanism of `data`, on [0, 1] and [1, 1], at epsilon = 1."""
    with tempfile.TemporaryDirectory() as room:
        for name, text in [("program.py", PROGRAM % (HERE, mechanism)), ("a.json", "[0, 1]"), ("b.json", "[1, 1]")]:
            with open(os.path.join(room, name), "w") as file:
                file.write(text)
        command = [ASSAY, "replay", "--target", "'%s' -B program.py" % sys.executable, "--pair", "a.json,b.json"]
        ran = subprocess.run(command + ["--epsilon", "1", "--format", "json"], cwd=room, capture_output=True, text=True)
    report = json.loads(ran.stdout) if ran.stdout else {"said": ran.stderr}
    return ran.returncode, report


class Recorder(unittest.TestCase):
    def judges(self, verdict, mechanism):
        with self.subTest(mechanism):
            status, report = audit(mechanism)
            self.assertEqual((status, report.get("verdict")), (STATUS[verdict], verdict), report)
            return report

    def test_numpy_noise_is_recorded(self):
        for mechanism, verdict in [
            ("return numpy.sum(data) + rng.laplace(0, 1)", NOT_REFUTED),
            ("return rng.laplace(numpy.sum(data), 0.5)", VIOLATION),
            ("return numpy.asarray(data) + rng.laplace(size=2)", NOT_REFUTED),
            ("return rng.laplace(scale=0.5, size=2) + numpy.asarray(data)", VIOLATION),
            ("x = numpy.asarray(data, dtype=float); x += r.laplace(0, 1, 2); return x", NOT_REFUTED),
            ("return r.RandomState(1).laplace(0, 9, 2) + len(data)", NOT_REFUTED),
            ("return [numpy.float64(len(data)) - 9 * rng.standard_normal(), data[0]]", VIOLATION),
            # 1 - exp(-1), so that the difference has scale 1; and twice less.
            ("g = lambda: rng.geometric(0.6321205588285577); return int(numpy.sum(data)) + (g() - g())", NOT_REFUTED),
            ("g = lambda: r.geometric(0.8646647167633873, size=2); return numpy.asarray(data) - (g() - g())", VIOLATION),
        ]:
            self.judges(verdict, mechanism)

    def test_making_or_seeding_a_generator_is_no_draw(self):
        generators = [
            "r.RandomState()",
            "r.RandomState(1)",
            "r.RandomState(r.MT19937())",
            "r.default_rng()",
            "r.default_rng(1)",
            "r.default_rng(r.SeedSequence())",
            "r.Generator(r.PCG64())",
            "r.Generator(r.PCG64(1))",
            "r.Generator(r.Philox().jumped())",
            "r.Generator(r.SFC64(r.SeedSequence().spawn(2)[1]))",
            "r.seed() or r",
            "r.seed(1) or r",
            "r.set_state(r.get_state()) or r",
        ]
        if hasattr(numpy.random.Generator, "spawn"):
            generators.append("r.default_rng().spawn(2)[1]")
        for generator in generators:
            self.judges(NOT_REFUTED, "return sum(data) + (%s).laplace(0, 1)" % generator)
            self.judges(VIOLATION, "return sum(data) + (%s).laplace(0, 0.5)" % generator)

    def test_a_seed_that_is_released_is_noticed(self):
        for seed in ["r.SeedSequence().entropy", "int(r.PCG64().random_raw())"]:
            report = self.judges("inconclusive", "return data[0] ^ (%s & 1)" % seed)
            self.assertIn("not recorded", report["reason"])


if __name__ == "__main__":
    unittest.main()
