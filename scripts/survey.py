"""What `make mutants WRITE=1` found, a line for each sample, in results/mutants.md."""

import re
from collections import Counter
from math import exp, floor, lgamma, log

from copied import ROOT

PAGE = ROOT / "results" / "mutants.md"
HEAD = """# What mutants show

`make mutants ROOM=... KIND=... N=... SEED=... WRITE=1` writes a line: of the changes that compile, how many a test or a row noticed
when the sample was fresh, with the lower bound (Clopper-Pearson, 95 %) for all changes of that kind in the room; which kinds
survived then; and how many of the sample are caught now, after what survived was looked at. The later number is of a sample that
is not fresh any more, and bounds nothing. What survives now is explained in `tests/survivors.toml`.

| room | changes | seed | sampled | compile | caught when fresh | survived when fresh | caught now |
|---|---|---|---|---|---|---|---|
"""


def at_least(caught, counted):
    """Of all changes at least this share is caught: the least under which as many as these are, or more, one time in twenty."""
    low, high = 0.0, 1.0
    for _ in range(50):
        share = (low + high) / 2
        ways = [lgamma(counted + 1) - lgamma(k + 1) - lgamma(counted - k + 1) for k in range(caught, counted + 1)]
        chances = [exp(way + k * log(share) + (counted - k) * log(1 - share)) for k, way in enumerate(ways, caught)]
        low, high = (share, high) if sum(chances) < 1 / 20 else (low, share)
    return floor(1000 * low) / 1000


def write(room, kind, seed, sampled, caught_of, left):
    """Writes the line of a sample, and keeps what was found in it when it was fresh."""
    page = PAGE.read_text() if PAGE.exists() else HEAD
    lines = page.removeprefix(HEAD).splitlines()
    caught, compiled = caught_of
    whose = f"| {room} | {kind} | {seed} | {sampled} | "
    kinds = ", ".join(f"{name} ({count})" for name, count in sorted(Counter(map(sort, left)).items())).replace("|", "\\|")
    fresh = f"{caught} of {compiled}, at least {at_least(caught, compiled)} | {kinds or 'none'}"
    for line in lines:
        if line.startswith(whose):
            fresh = " | ".join(line.strip("| ").split(" | ")[5:7])
    lines = [line for line in lines if not line.startswith(whose)] + [f"{whose}{compiled} | {fresh} | {caught} |"]
    PAGE.write_text(HEAD + "\n".join(sorted(lines)) + "\n")


def sort(change):
    """The kind of a change, by its name."""
    if found := re.match(r"replace (\S+) with (\S+) in", change):
        return f"`{found[1]}` is `{found[2]}`"
    if change.startswith("replace"):
        return "the body is a constant"
    if change.startswith("drop"):
        return "a side is dropped"
    return "arguments exchanged" if change.startswith("exchange") else change.split(" in ")[0]
