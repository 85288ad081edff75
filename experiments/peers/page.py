"""The table of all tools, from what tools.py printed: python page.py COMMAND FILE... > page"""

import json
import sys

from cases import CASES, NULLS

TITLES = {
    "ours": "`assay audit`",
    "statdp": "StatDP, as PyStatDP 0.1.3.1",
    "privacy-estimates-beta": "privacy-estimates 0.1.0.post1, `beta`",
    "privacy-estimates-joint-beta": "privacy-estimates, `joint-beta`",
    "jax-privacy-bonferroni": "jax-privacy 2.0.0, `Bonferroni`",
    "jax-privacy-split": "jax-privacy, `Split`",
    "jax-privacy-gdp": "jax-privacy, `epsilon_from_gdp`",
    "microsoft-curve": "Microsoft's curve, re-stated",
    "google": "Google's ballot, re-stated",
    "google-cpp": "Google's ballot, as in C++",
}

TEXT = """
Each claim is epsilon 1, with delta 0 but for the Gaussian (0.12694, 1e-5 for `gaussian-same`, and 0.1 for `gaussian-low`). The
first four columns are claims that are true: three without any slack, and one where both datasets have the same law. There a cell
should be at most 5 %. The others are false: there it should be 100 %. The
true epsilon stands below each name. A cell is the share of runs in which the claim was called false; seconds are of the
processor, for one run, drawing included.

- **`assay audit`**: level 1/20, one sequential run; it finds its event itself.
- **StatDP** (PyStatDP is the fork that is in the registry): p-value below 0.05, a tenth of the calls on each dataset to choose
  the event, four tenths to test it. It knows no delta.
- **privacy-estimates** (Microsoft) bounds epsilon for the counts of an attack, at confidence 95 %: the attack is a tail, chosen by
  us on half of the calls. `beta` is Clopper and Pearson, `joint-beta` a Bayesian region, which takes 15 seconds an answer: three runs say
  little of it.
- **jax-privacy** (`CanaryScoreAuditor.epsilon_clopper_pearson`, significance 0.05): the outputs are its scores, in both
  directions. `Bonferroni` is its default. `epsilon_from_gdp` (significance 0.05) answers for a delta above 0, as if the mechanism
  were Gaussian, which it is here. Its documentation calls the answer an estimate, with an allowed probability of failure; the
  library's pull request 270 reports what `gaussian-same` shows.
- **Microsoft's curve** is what newer versions of privacy-estimates plot: the largest bound over all thresholds on the samples
  that the thresholds come from. Re-stated by us from its documentation.
- **Google's ballot** is the approximate-DP test of its C++ and Java libraries, re-stated by us: 15 votes, each comparing plug-in
  deltas with delta and a tolerance. It is meant for about 10^5 samples a vote, so that it is shown at 10^6 calls too, and it
  is a guard against gross errors, not a measurement. In C++ an output that the other sample never shows adds count / n in
  whole numbers, which is 0: that is the last kind of row.

Not in the table, since no package registry has them: DP-Auditorium, Delta-Siege and DP-Sniper.
"""


def share(cell):
    if cell is None:
        return "-"
    return "%.0f %%" % (100 * cell["refuted"] / cell["runs"])


def row(found):
    cells = found["cases"]
    runs = sorted({cell["runs"] for cell in cells.values()})
    seconds = sum(cell["processor_seconds"] for cell in cells.values()) / len(cells)
    shown = [share(cells.get(case)) for case in NULLS + [case for case in CASES if case not in NULLS]]
    return [TITLES[found["tool"]], "%d" % found["calls"], "/".join(map(str, runs)), *shown, "%.2f" % seconds]


def main(command, *paths):
    found = []
    for path in paths:
        with open(path) as file:
            found.append(json.load(file))
    order = list(TITLES)
    found.sort(key=lambda one: (order.index(one["tool"]), one["calls"]))
    columns = NULLS + [case for case in CASES if case not in NULLS]
    print("# Auditors of others, and ours, on laws whose privacy is known\n\nMade by `%s`." % command)
    print(TEXT)
    print("| auditor | calls | runs | " + " | ".join(columns) + " | s |")
    print("|---|---|---|" + "---|" * (len(columns) + 1))
    print("| true epsilon | | | " + " | ".join(CASES[case][2] for case in columns) + " | |")
    for one in found:
        print("| " + " | ".join(row(one)) + " |")
    left_out = [title for tool, title in TITLES.items() if all(one["tool"] != tool for one in found)]
    if left_out:
        print("\nNot run this time: %s." % "; ".join(left_out))


if __name__ == "__main__":
    main(*sys.argv[1:])
