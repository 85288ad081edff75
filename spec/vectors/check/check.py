#!/usr/bin/env python3
"""Checks a library against the vectors of dp-assay. One file; Python 3.8 and its standard library suffice.

    python check.py VECTORS ADAPTER.py [--only A,B,C] [--digits N] [--strict] [--all]

VECTORS is the folder that has MANIFEST.json. ADAPTER.py says how to call your library: template.py is one to fill in.
It has one of these functions, or both. Each raises NotImplementedError for what your library does not offer.

    value(law, parameters, quantity, at)     a number: int, float, Fraction, Decimal, or a string "p/q" or "1.25e-7"
    sample(algorithm, parameters, bits)      an integer or a bool; every coin comes from bits.next(), 0 or 1

`parameters` and `at` are dicts of strings, integers "3" and fractions "3/2", or of lists of them: Fraction(...) reads both.
Raise ValueError where parameters make no sense. What bits.next() raises at the end of the tape must pass through. With

    SAME_ALGORITHM = True

the adapter says that its sampler is that of algorithms.md bit for bit. What is checked:

A  values. How many digits are right, and on which side of the certified enclosure the value lies. It must be the nearest
   double, or have --digits correct digits (10). A delta may have fewer if it is above: that is conservative, and below is
   UNSOUND. With --strict no delta may be below, by however little.
B  tapes. The sample, and how many bits it took; parameters that must be refused. Samples for the same algorithm only.
C  tape trees, for every sampler that takes its coins from outside: an exact test, without a p-value. The sampler runs on
   every tape of so many bits. What it returned on the way has at least that probability, and at most that and what is
   undecided. One that takes more bits at once than a tape has is undecided. The same algorithm must also give the same
   tree. (Nothing stops a sampler that goes on without a coin.)

Exit status: 0 all agreed, 1 something is refuted, 2 usage, bad files, or nothing that could be checked.
"""

import argparse
import hashlib
import importlib.util
import json
import operator
import os
import sys
from fractions import Fraction

BOUNDS = ("profile", "delta")  # quantities that promise privacy: too small a value is unsound
TRUTHS = ("bernoulli", "bernoulli-exp")  # algorithms whose outcomes are true and false
DEEPEST = 24  # a tree is of at most 2^24 runs


class BadFile(Exception):
    """A file of vectors that is not as its schema says."""


class Refuted(Exception):
    """What the library does disagrees with the vectors."""


class TapeEnded(Exception):
    """The sampler asked for a bit beyond the end of its tape. Let it pass through."""


class Bits:
    """A tape. While it is explored it grows by zeros, up to `length` bits."""

    def __init__(self, tape, length):
        self.tape, self.length, self.used, self.ended = tape, length, 0, False

    def next(self):
        """The next bit."""
        if self.used == self.length:
            self.ended = True
            raise TapeEnded("the tape of %d bits has ended" % self.length)
        if self.used == len(self.tape):
            self.tape.append(0)
        self.used += 1
        return self.tape[self.used - 1]


# Files.


def field(record, name, kind, where):
    """record[name], which must be of this kind."""
    if not isinstance(record, dict) or name not in record:
        raise BadFile("%s: the field %s is missing" % (where, name))
    if not isinstance(record[name], kind) or isinstance(record[name], bool):
        raise BadFile("%s: the field %s is %s, not of type %s" % (where, name, json.dumps(record[name]), kind.__name__))
    return record[name]


def exact(record, name, where):
    """The field as a fraction: it is written p/q, as a decimal, or as a double in hexadecimal."""
    text = field(record, name, str, where)
    try:
        return Fraction(float.fromhex(text)) if "0x" in text else Fraction(text)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise BadFile("%s: the field %s is %s, not a number" % (where, name, json.dumps(text)))


def load(folder):
    """The files that the manifest lists, as (path, content), each with the hash that it says."""
    path = os.path.join(folder, "MANIFEST.json")
    files = []
    for entry in field(read(path)[1], "files", list, path):
        name = field(entry, "path", str, path)
        digest, content = read(os.path.join(folder, *name.split("/")))
        if digest != field(entry, "sha256", str, path):
            raise BadFile("%s: its SHA-256 is %s, not that of MANIFEST.json" % (name, digest))
        files.append((name, content))
    return files


def read(path):
    """The hash of a file, and the JSON in it."""
    try:
        with open(path, "rb") as file:
            content = file.read()
        return hashlib.sha256(content).hexdigest(), json.loads(content.decode("utf-8"))
    except (OSError, ValueError) as error:
        raise BadFile("%s: %s" % (path, error))


# A: values.


def number(value):
    """The value as a fraction. A double is one, exactly."""
    try:
        return Fraction(value)
    except TypeError:  # numpy's, and what else says that it is a number
        return Fraction(float(value))


def score(value, lo, hi):
    """The side of the enclosure on which the value lies, and how many of its digits are right (None: it is inside)."""
    if lo <= value <= hi:
        return "inside", None
    end = lo if value < lo else hi
    digits = 0
    while end and digits < 99 and abs(value - end) * 10 ** (digits + 1) <= abs(end):
        digits += 1
    return ("below" if value < lo else "above"), digits


def check_value(quantity, value, case, where, options):
    """One word for how a value agrees."""
    try:
        value = number(value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise Refuted("%r is not a number" % (value,))
    if "exact" in case:
        if value != exact(case, "exact", where):
            raise Refuted("%s, but it is %s" % (shown(value), case["exact"]))
        return "exact"
    lo, hi, nearest = (exact(case, name, where) for name in ("lo", "hi", "f64"))
    side, digits = score(value, lo, hi)
    bound = quantity in BOUNDS
    found = "%s, certified %s: %s, %s digits right" % (shown(value), shortly(case["lo"]), side, digits)
    if bound and side == "below" and (options.strict or (value != nearest and digits < options.digits)):
        raise Refuted(found + ", UNSOUND")
    if side == "inside" or value == nearest or digits >= options.digits:
        return side if side == "inside" else "%s by rounding" % side
    if bound and side == "above":
        return "conservative"
    raise Refuted(found)


def reported(adapter, *case):
    """What the library says."""
    try:
        return adapter.value(*case)
    except NotImplementedError:
        raise
    except Exception as error:
        raise Refuted("stopped with %s: %s" % (type(error).__name__, error))


def check_values(name, content, adapter, options, report):
    law, parameters = field(content, "law", str, name), field(content, "parameters", dict, name)
    for group in field(content, "groups", list, name):
        quantity = field(group, "quantity", str, name)
        where = "%s: %s" % (name, field(group, "id", str, name))
        for case in field(group, "values", list, where):
            at = field(case, "at", dict, where)
            label = group["id"] + "".join(" %s=%s" % pair for pair in sorted(at.items()))
            report.try_case("A", label, lambda: check_value(
                quantity, reported(adapter, law, parameters, quantity, at), case, where, options))


# B: tapes.


def outcome(algorithm, sample):
    """The sample as the files write it."""
    if algorithm in TRUTHS:
        return "true" if sample else "false"
    try:
        return str(operator.index(sample))
    except TypeError:
        raise Refuted("returned %r, which is not an integer" % (sample,))


def check_tape(algorithm, test, adapter, where):
    """One word for how a run on a given tape agrees."""
    parameters, result = field(test, "parameters", dict, where), field(test, "result", str, where)
    count, tape = field(test, "bits", int, where), field(test, "tape", str, where)
    try:
        tape = bytes.fromhex(tape)
    except ValueError:
        raise BadFile("%s: the field tape is %s, not hexadecimal" % (where, json.dumps(tape)))
    if count > 8 * len(tape):
        raise BadFile("%s: the tape has fewer than %d bits" % (where, count))
    if result != "invalid" and not getattr(adapter, "SAME_ALGORITHM", False):
        raise NotImplementedError
    # The first bit is the highest of the first byte.
    bits = Bits([tape[i // 8] >> (7 - i % 8) & 1 for i in range(count)], count)
    try:
        sample = adapter.sample(algorithm, parameters, bits)
    except NotImplementedError:
        raise
    except Exception as error:
        if bits.ended and result == "ends":
            return "ended"
        if result == "invalid" and not bits.ended:
            return "refused"
        raise Refuted("%s: %s; due was: %s" % (type(error).__name__, error, test.get("sample", result)))
    if result != "valid":
        due = "must be refused" if result == "invalid" else "needs more bits than the tape of %d has" % count
        raise Refuted("%s %s, and returned %r" % (json.dumps(parameters), due, sample))
    found = outcome(algorithm, sample), bits.used
    due = field(test, "sample", str, where), field(test, "consumed", int, where)
    if found != due:
        raise Refuted("returned %s after %d bits; due was %s after %d" % (found + due))
    return "sampled"


# C: tape trees.


def explore(draw, depth):
    """Runs `draw(bits)` on every tape of `depth` bits. Counts, out of 2^depth: of each outcome, and of what is undecided."""
    lower, undecided, ended, path = {}, 0, 0, []
    while True:
        prefix = len(path)
        bits = Bits(path, depth)
        found = run(draw, bits)
        if bits.used < prefix:
            raise Refuted("asked for fewer bits on the same tape: it is no function of its bits")
        if bits.ended:
            undecided += 1
        else:
            ended += 1
            if ended & (ended - 1) == 0:  # now and then once more
                again = Bits(path[:], depth)
                if run(draw, again) != found or again.used != bits.used:
                    raise Refuted("gave another outcome on the same tape: it is no function of its bits")
            lower[found] = lower.get(found, 0) + (1 << (depth - bits.used))
        # The next tape: the last zero becomes a one.
        while path and path[-1] == 1:
            path.pop()
        if not path:
            return lower, undecided
        path[-1] = 1


def run(draw, bits):
    """The outcome; nothing where the tape ended, whatever the sampler made of that."""
    try:
        found = draw(bits)
    except Exception as error:
        if isinstance(error, NotImplementedError) and not bits.used:
            raise
        if not bits.ended:
            raise Refuted("valid parameters, and it stopped with %s: %s" % (type(error).__name__, error))
    return None if bits.ended else found


OTHERS = "all other outcomes"


def contradiction(lower, undecided, test, where):
    """The first outcome whose certified probability can't be that of a sampler with this tree, with the numbers."""
    depth = test["depth"]
    rows = [(row["outcome"], row) for row in test["outcomes"]] + [(OTHERS, field(test, "others", dict, where))]
    for name, row in rows:
        least = Fraction(lower.get(name, 0), 2**depth)
        most = least + Fraction(undecided, 2**depth)
        lo, hi = exact(row, "lo", where), exact(row, "hi", where)
        if least > hi or most < lo:
            return "%s: between %d/%d = %.6f and %d/%d = %.6f on all tapes of %d bits, but its probability is %s" % (
                name if name == OTHERS else "outcome " + name, least * 2**depth, 2**depth, least,
                most * 2**depth, 2**depth, most, depth, shortly(row["lo"]))
    return None


def stored_tree(test, where):
    """The tree that a file has, as counts out of 2^depth."""
    total = 2 ** test["depth"]
    lower = {}
    for row in field(test, "outcomes", list, where):
        lower[field(row, "outcome", str, where)] = exact(row, "lower", where) * total
    undecided = exact(test, "undecided", where) * total
    lower[OTHERS] = total - undecided - sum(lower.values())
    return lower, undecided


def check_tree(algorithm, test, tests, adapter, where):
    """One word for how a sampler's tree agrees with the certified law, and with the algorithm's tree."""
    parameters, depth = field(test, "parameters", dict, where), field(test, "depth", int, where)
    if depth > DEEPEST:
        raise BadFile("%s: the field depth is %d, more than %d" % (where, depth, DEEPEST))
    stored = stored_tree(test, where)
    allowed = contradiction(*stored, test, where) is None
    if allowed != (field(test, "result", str, where) == "consistent"):
        raise BadFile("%s: the field result is not what its own numbers say" % where)
    if field(test, "planted", str, where) != "none":
        return "planted"  # the tree of a mistake, which the rule has just refuted
    found, undecided = explore(lambda bits: outcome(algorithm, adapter.sample(algorithm, parameters, bits)), depth)
    lower = dict.fromkeys(stored[0], 0)
    for name, count in found.items():
        lower[name if name in lower else OTHERS] += count
    wrong = contradiction(lower, undecided, test, where)
    if wrong:
        mistakes = [other["planted"] for other in tests
                    if (other["parameters"], other["depth"]) == (parameters, depth)
                    and stored_tree(other, where) == (lower, undecided)]
        raise Refuted(wrong + "".join("; this is the tree of the mistake " + name for name in mistakes))
    if getattr(adapter, "SAME_ALGORITHM", False) and (lower, undecided) != stored:
        raise Refuted("its law is not refuted, but its tree of %d bits is not that of the algorithm" % depth)
    return "undecided" if undecided == 2**depth else "consistent"


KINDS = {"tape_v1": "B", "tape_tree_v1": "C"}


def check_samples(kind, name, content, adapter, report):
    algorithm, tests = field(content, "algorithm", str, name), field(content, "tests", list, name)
    for test in tests:
        where = "%s: %s" % (name, field(test, "id", str, name))
        if kind == "B":
            report.try_case(kind, test["id"], lambda: check_tape(algorithm, test, adapter, where))
        else:
            report.try_case(kind, test["id"], lambda: check_tree(algorithm, test, tests, adapter, where))


# What was found.


def load_adapter(path):
    """The adapter as a module; it may import what stands beside it."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    try:
        spec = importlib.util.spec_from_file_location("adapter", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BadFile("%s: %s: %s" % (path, type(error).__name__, error))
    return module


def shown(x):
    """A fraction, for reading."""
    if x.denominator == 1:
        return str(x)
    size = (x.numerator.bit_length() - x.denominator.bit_length()) * 3 // 10
    text = "%.17g" % float(x) if abs(size) < 300 else "about 10^%d" % size
    return "%d/%d = %s" % (x.numerator, x.denominator, text) if x.denominator < 10**9 else text


def shortly(text):
    """A decimal of the files, for reading."""
    digits, mark, power = text.partition("e")
    return digits[: max(12, len(digits.partition(".")[0]))] + mark + power


class Report:
    """Counts, and what is refuted."""

    def __init__(self, show_all):
        self.counts, self.refuted, self.show_all = {}, 0, show_all

    def try_case(self, kind, label, case):
        try:
            word = case()
            if self.show_all:
                print("%s  %s: %s" % (kind, label, word))
        except NotImplementedError:
            word = "not compared"
        except Refuted as refuted:
            word = "REFUTED"
            self.refuted += 1
            print("%s  %s: REFUTED: %s" % (kind, label, refuted))
        counts = self.counts.setdefault(kind, {})
        counts[word] = counts.get(word, 0) + 1

    def summary(self):
        for kind, counts in sorted(self.counts.items()):
            print("%s  %s" % (kind, ", ".join("%d %s" % (counts[word], word) for word in sorted(counts))))
        words = [pair for counts in self.counts.values() for pair in counts.items()]
        return sum(count for word, count in words if word not in ("not compared", "planted", "undecided"))


def main():
    parser = argparse.ArgumentParser(description="Checks a library against the vectors of dp-assay.")
    parser.add_argument("vectors", metavar="VECTORS", help="the folder that has MANIFEST.json")
    parser.add_argument("adapter", metavar="ADAPTER.py", help="how to call your library; template.py is one to fill in")
    parser.add_argument("--only", default="A,B,C", help="classes, separated by commas; A,B,C by default")
    parser.add_argument("--digits", type=int, default=10, help="how many digits of a value must be right; 10 by default")
    parser.add_argument("--strict", action="store_true", help="refuse a delta that is below the certified one by rounding alone")
    parser.add_argument("--all", action="store_true", help="print the cases that agree, too")
    options = parser.parse_args()
    only = options.only.split(",")
    if not set(only) <= set("ABC"):
        parser.error("--only takes A, B and C, separated by commas, not %s" % options.only)
    if not 1 <= options.digits <= 50:
        parser.error("--digits takes an integer from 1 to 50, not %d" % options.digits)
    try:
        files = load(options.vectors)
        adapter = load_adapter(options.adapter)
        report = Report(options.all)
        for name, content in files:
            schema = field(content, "schema", str, name)
            if schema == "certified_values_v1" and "A" in only and hasattr(adapter, "value"):
                check_values(name, content, adapter, options, report)
            elif schema in KINDS and KINDS[schema] in only and hasattr(adapter, "sample"):
                check_samples(KINDS[schema], name, content, adapter, report)
    except BadFile as error:
        print("check.py: %s" % error, file=sys.stderr)
        return 2
    compared = report.summary()
    if not compared:
        print("check.py: nothing could be compared: the adapter has none of the functions, or offers nothing", file=sys.stderr)
        return 2
    print("REFUTED: %d of %d cases" % (report.refuted, compared) if report.refuted else "agreed: %d cases" % compared)
    return 1 if report.refuted else 0


if __name__ == "__main__":
    sys.exit(main())
