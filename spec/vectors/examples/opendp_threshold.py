#!/usr/bin/env python3
"""OpenDP 0.16.0: the delta of `then_laplace_threshold` against the exact one. What it finds is in README.md."""

from environment import Table, check, enter, finish

enter("opendp", "opendp==0.16.0")

from opendp_adapter import mechanism  # noqa: E402
from enclosures import discrete_laplace_tail  # noqa: E402

print("delta(d_in = 1): the probability that a key of one record is published. Reported, certified:")
table = Table()
sides = {}
for scale, threshold in [(1.0, 5), (0.5, 5), (2.0, 5), (5.0, 5), (1.0, 10), (2.0, 20)]:
    reported = mechanism(scale, threshold).map(1)[1]
    certified = discrete_laplace_tail(scale, threshold - 1)
    sides[scale, threshold] = table.row("scale %g, threshold %d" % (scale, threshold), reported, certified, bound=True)
    lo, hi = certified.ends()
    print("      certified / reported = %.6f, e^(1/scale) = %.6f" % (float(lo) / reported, 2.718281828459045 ** (1 / scale)))

keys = 100_000
released = mechanism(1.0, 5)(["user %d" % key for key in range(keys)])
print("scale 1, threshold 5, %d keys of one record: %d published, a rate of %.5f; the smallest count is %d" % (
    keys, len(released), len(released) / keys, min(released.values())))

status, said = check("opendp_adapter.py")

finish({
    "check.py refutes it": status == 1 and "scale=1/1,threshold=5-delta count=1: REFUTED: 0.004925833956" in said,
    "each delta is below the certified one": all(side == "below" for side, _ in sides.values()),
    "at scale 1 and threshold 5 no digit is right": sides[1.0, 5][1] == 0,
    "a count that equals the threshold is published": min(released.values()) == 5,
})
