#!/usr/bin/env python3
"""Checks a library against the vectors of dp-assay. One file; Python 3.8 and its standard library suffice.

    python check.py VECTORS ADAPTER.py [--only A,B,C,F] [--digits N] [--strict] [--sharp] [--bug WORD] [--all]

VECTORS is the folder that has MANIFEST.json. ADAPTER.py says how to call your library: template.py is one to fill in.
It has some of these functions. Each raises NotImplementedError for what your library does not offer.

    value(law, parameters, quantity, at)     a number: int, float, Fraction, Decimal, or a string "p/q" or "1.25e-7"
    account(law, parameters, quantity, at)   an upper bound of epsilon at a delta, or of delta at an epsilon: a number, or inf
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
F  accounts: what private steps cost together. The truth lies between two certified ends. What is below the lower end is
   UNSOUND, unless --digits digits are right; what is above the upper end is conservative, and the last lines say by how
   much. It is loose if it is no less than an accountant with the mistake of the case would say: with --sharp that is
   refused. With --bug the cases for this mistake alone are checked.

Exit status: 0 all agreed, 1 something is refuted, 2 anything else: usage, bad files, nothing that could be checked. The
last line says it: "agreed: 5 cases". A library that ends the whole process (os._exit) can't be held back: no such line
comes then, whatever the status.
"""

import argparse
import hashlib
import importlib.util
import json
import math
import operator
import os
import re
import sys
from decimal import Decimal
from fractions import Fraction

BOUNDS = ("profile", "delta")  # quantities that promise privacy: too small a value is unsound
QUANTITIES = BOUNDS + ("pmf", "cdf", "tail", "mean", "variance", "quantile", "release")
TRUTHS = ("bernoulli", "bernoulli-exp")  # algorithms whose outcomes are true and false
KINDS = {"certified_values_v1": "A", "tape_v1": "B", "tape_tree_v1": "C", "accumulated_v1": "D", "self_test_v1": "E", "account_v1": "F"}
OTHERS = "all other outcomes"

DEEPEST = 24  # a tree is of at most 2^24 runs
FARTHEST = 10_000  # exponents go so far
LONGEST = 40_000  # a number has at most so many characters
MOST_BYTES = 1 << 26  # a file has at most so many


class BadFile(Exception):
    """A file of vectors that is not as its schema says."""


class Refuted(Exception):
    """What the library does disagrees with the vectors."""


class TapeEnded(Exception):
    """The sampler asked for a bit beyond the end of its tape. Let it pass through."""


# How a library may stop: sys.exit() is no end of the check.
STOPPED = (Exception, SystemExit, GeneratorExit)


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


# Numbers, read within bounds.

RATIONAL = re.compile(r"([+-]?[0-9]+)/([0-9]+)")
DECIMAL = re.compile(r"([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?")
DOUBLE = re.compile(r"([+-]?)0x([01])(?:\.([0-9a-f]+))?p([+-][0-9]+)")


def parsed(text):
    """The number that is written p/q, as a decimal, or as a double in hexadecimal. ValueError says what is wrong."""
    if len(text) > LONGEST:
        raise ValueError("a text of %d characters, and may have %d" % (len(text), LONGEST))
    match = RATIONAL.fullmatch(text)
    if match and int(match[2]):
        return Fraction(int(match[1]), int(match[2]))
    for pattern, radix, base, places in ((DECIMAL, 10, 10, 1), (DOUBLE, 16, 2, 4)):
        match = pattern.fullmatch(text)
        if match and (match[2] or match[3]):
            sign, whole, rest, power = match[1], match[2], match[3] or "", match[4] or "0"
            if len(power) > 8 or abs(int(power)) > FARTHEST:
                raise ValueError("%s, whose exponent is beyond %d" % (shortened(text), FARTHEST))
            size = int(whole + rest, radix) * Fraction(base) ** (int(power) - places * len(rest))
            return -size if sign == "-" else size
    raise ValueError("%s, not a number" % shortened(text))


def number(value):
    """The value that a library returned, as a fraction. A double is one, exactly."""
    try:
        if isinstance(value, str):
            return parsed(value)
        if isinstance(value, Decimal) and value.is_finite() and value:
            if max(abs(value.adjusted()), abs(value.as_tuple().exponent)) > FARTHEST + LONGEST:
                raise ValueError("%s, whose exponent is beyond %d" % (shortened(value), FARTHEST))
        try:
            found = Fraction(value)
        except TypeError:  # numpy's, and what else says that it is a number
            found = Fraction(float(value))
        if max(found.numerator.bit_length(), found.denominator.bit_length()) > 4 * LONGEST:
            raise ValueError("a number of more than %d digits" % LONGEST)
        return found
    except STOPPED as error:
        raise Refuted("%s is not a number: %s" % (shortened(value), error))


def shortened(value):
    """A value of any kind in one short line."""
    try:
        text = json.dumps(value) if isinstance(value, (str, list, dict)) else repr(value)
    except STOPPED as error:
        text = "a %s (%s)" % (type(value).__name__, type(error).__name__)
    return text if len(text) <= 80 else text[:60] + "... (%d characters)" % len(text)


def shown(x):
    """A fraction, for reading."""
    size = (x.numerator.bit_length() - x.denominator.bit_length()) * 3 // 10
    if x.denominator == 1 and size < 100:
        return str(x)
    text = "%.17g" % float(x) if abs(size) < 300 else "about 10^%d" % size
    return "%d/%d = %s" % (x.numerator, x.denominator, text) if x.denominator < 10**9 and size < 100 else text


def shortly(text):
    """A decimal of the files, for reading."""
    digits, mark, power = text.partition("e")
    return digits[: max(12, len(digits.partition(".")[0]))] + mark + power


# Files. All are read and judged before the library is called.


def field(record, name, kind, where):
    """record[name], which must be of this kind."""
    if not isinstance(record, dict) or name not in record:
        raise BadFile("%s: the field %s is missing" % (where, name))
    value = record[name]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadFile("%s: the field %s is %s, not of type %s" % (where, name, shortened(value), kind.__name__))
    return value


def entries(record, name, where):
    """The list record[name], which must not be empty."""
    found = field(record, name, list, where)
    if not found:
        raise BadFile("%s: the field %s is empty" % (where, name))
    return found


def known(record, name, words, where):
    """record[name], which must be one of these words."""
    word = field(record, name, str, where)
    if word not in words:
        raise BadFile("%s: the field %s is %s, not one of %s" % (where, name, shortened(word), ", ".join(words)))
    return word


def count(record, name, most, where):
    """The integer record[name], from 0 to `most`."""
    found = field(record, name, int, where)
    if not 0 <= found <= most:
        raise BadFile("%s: the field %s is %s, not an integer from 0 to %d" % (where, name, shortened(found), most))
    return found


def exact(record, name, where):
    """The field as a fraction: it is written p/q, as a decimal, or as a double in hexadecimal."""
    try:
        return parsed(field(record, name, str, where))
    except ValueError as error:
        raise BadFile("%s: the field %s is %s" % (where, name, error))


def enclosure(record, where):
    """The ends, lo and hi."""
    lo, hi = exact(record, "lo", where), exact(record, "hi", where)
    if lo > hi:
        raise BadFile("%s: the field lo is above the field hi" % where)
    return lo, hi


def read(path):
    """The hash of a file, and the JSON in it."""
    try:
        if not os.path.isfile(path):
            raise OSError("there is no such file")
        with open(path, "rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise ValueError("it has more than %d bytes" % MOST_BYTES)
        return hashlib.sha256(content).hexdigest(), json.loads(content.decode("utf-8"))
    except RecursionError:
        raise BadFile("%s: it is nested too deeply" % path)
    except (OSError, ValueError) as error:
        raise BadFile("%s: %s" % (path, error))


def load(folder):
    """The cases in the files that the manifest lists, each file with the hash that it says."""
    path = os.path.join(folder, "MANIFEST.json")
    cases = []
    for entry in entries(read(path)[1], "files", path):
        name = field(entry, "path", str, path)
        if not re.fullmatch(r"[^/\\:]+(/[^/\\:]+)*", name) or ".." in name.split("/"):
            raise BadFile("%s: the field path is %s, not a path below the folder" % (path, shortened(name)))
        digest, content = read(os.path.join(folder, *name.split("/")))
        if digest != field(entry, "sha256", str, path):
            raise BadFile("%s: its SHA-256 is %s, not that of MANIFEST.json" % (name, digest))
        kind = KINDS[known(content, "schema", KINDS, name)]
        if kind in READERS:
            cases.extend(READERS[kind](name, content))
    return cases


class Value:
    """A certified value: an integer has `exact`, a real number the others."""

    kind, function = "A", "value"

    def __init__(self, law, parameters, quantity, group, case, where):
        self.law, self.parameters, self.quantity = law, parameters, quantity
        self.at = field(case, "at", dict, where)
        self.label = group + "".join(" %s=%s" % pair for pair in sorted(self.at.items()))
        where = "%s: %s" % (where, self.label)
        self.exact = None
        if "exact" in case:
            self.exact = exact(case, "exact", where)
        else:
            self.lo, self.hi = enclosure(case, where)
            self.f64, self.written = exact(case, "f64", where), case["lo"]


class Tape:
    """Bits in, sample and bits consumed out."""

    kind, function = "B", "sample"

    def __init__(self, algorithm, test, where):
        self.algorithm, self.label = algorithm, field(test, "id", str, where)
        where = "%s: %s" % (where, self.label)
        self.parameters = field(test, "parameters", dict, where)
        self.result = known(test, "result", ("valid", "invalid", "ends"), where)
        tape = field(test, "tape", str, where)
        if not re.fullmatch("([0-9a-f][0-9a-f])*", tape):
            raise BadFile("%s: the field tape is %s, not hexadecimal" % (where, shortened(tape)))
        tape = bytes.fromhex(tape)
        self.length = count(test, "bits", 8 * len(tape), where)
        # The first bit is the highest of the first byte.
        self.tape = [tape[i // 8] >> (7 - i % 8) & 1 for i in range(self.length)]
        if self.result == "valid":
            self.due = field(test, "sample", str, where), count(test, "consumed", self.length, where)


class Tree:
    """All tapes to a depth, beside the law. Counts are out of 2^depth."""

    kind, function = "C", "sample"

    def __init__(self, algorithm, test, where):
        self.algorithm, self.label = algorithm, field(test, "id", str, where)
        where = "%s: %s" % (where, self.label)
        self.parameters = field(test, "parameters", dict, where)
        self.depth = count(test, "depth", DEEPEST, where)
        self.planted = field(test, "planted", str, where)
        self.lower, self.law = {}, []
        for row in entries(test, "outcomes", where):
            name = field(row, "outcome", str, where)
            self.lower[name] = self.counted(row, "lower", where)
            self.law.append((name, enclosure(row, where), row["lo"]))
        others = field(test, "others", dict, where)
        self.law.append((OTHERS, enclosure(others, where), others["lo"]))
        self.undecided = self.counted(test, "undecided", where)
        self.lower[OTHERS] = 2**self.depth - self.undecided - sum(self.lower.values())
        if self.lower[OTHERS] < 0:
            raise BadFile("%s: the fields lower and undecided are above 1 together" % where)
        allowed = contradiction(self, self.lower, self.undecided) is None
        if allowed != (known(test, "result", ("consistent", "refuted"), where) == "consistent"):
            raise BadFile("%s: the field result is not what its own numbers say" % where)
        self.siblings = []

    def counted(self, record, name, where):
        found = exact(record, name, where) * 2**self.depth
        if found.denominator != 1 or not 0 <= found <= 2**self.depth:
            raise BadFile("%s: the field %s is no probability of tapes of %d bits" % (where, name, self.depth))
        return int(found)


class Account:
    """Two ends of what private steps cost, and what an accountant with the mistake of the case says."""

    kind, function = "F", "account"

    def __init__(self, law, quantity, test, where):
        self.law, self.quantity, self.label = law, quantity, field(test, "id", str, where)
        where = "%s: %s" % (where, self.label)
        self.parameters, self.at = field(test, "parameters", dict, where), field(test, "at", dict, where)
        self.lo, self.hi = enclosure(test, where)
        if self.lo <= 0:
            raise BadFile("%s: the field lo is not above 0" % where)
        self.written = [field(test, name, str, where) for name in ("lo", "hi", "bug", "mistaken")]
        self.bug, self.mistaken = field(test, "bug", str, where), exact(test, "mistaken", where)
        self.loose = known(test, "effect", ("unsound", "loose"), where) == "loose"
        if not (self.mistaken > self.hi if self.loose else self.mistaken < self.lo):
            raise BadFile("%s: the field mistaken is not what the field effect says" % where)


def accounts(name, content):
    law, quantity = field(content, "law", str, name), known(content, "quantity", ("epsilon", "delta"), name)
    return [Account(law, quantity, test, name) for test in entries(content, "tests", name)]


def values(name, content):
    law, parameters = field(content, "law", str, name), field(content, "parameters", dict, name)
    found = []
    for group in entries(content, "groups", name):
        label = field(group, "id", str, name)
        where = "%s: %s" % (name, label)
        quantity = known(group, "quantity", QUANTITIES, where)
        found += [Value(law, parameters, quantity, label, case, where) for case in entries(group, "values", where)]
    return found


def tapes(name, content):
    algorithm = field(content, "algorithm", str, name)
    return [Tape(algorithm, test, name) for test in entries(content, "tests", name)]


def trees(name, content):
    algorithm = field(content, "algorithm", str, name)
    found = [Tree(algorithm, test, name) for test in entries(content, "tests", name)]
    for tree in found:
        tree.siblings = [one for one in found if (one.parameters, one.depth) == (tree.parameters, tree.depth)]
    return found


READERS = {"A": values, "B": tapes, "C": trees, "F": accounts}


# A: values.


def score(value, lo, hi):
    """The side of the enclosure on which the value lies, and how many of its digits are right (None: it is inside)."""
    if lo <= value <= hi:
        return "inside", None
    end = lo if value < lo else hi
    digits = 0
    while end and digits < 99 and abs(value - end) * 10 ** (digits + 1) <= abs(end):
        digits += 1
    return ("below" if value < lo else "above"), digits


def check_value(case, adapter, options):
    """One word for how a value agrees."""
    try:
        value = adapter.value(case.law, case.parameters, case.quantity, case.at)
    except NotImplementedError:
        raise
    except STOPPED as error:
        raise Refuted("stopped with %s: %s" % (type(error).__name__, error))
    value = number(value)
    if case.exact is not None:
        if value != case.exact:
            raise Refuted("%s, but it is %s" % (shown(value), shown(case.exact)))
        return "exact"
    side, digits = score(value, case.lo, case.hi)
    bound = case.quantity in BOUNDS
    found = "%s, certified %s: %s, %s digits right" % (shown(value), shortly(case.written), side, digits)
    if bound and side == "below" and (options.strict or (value != case.f64 and digits < options.digits)):
        raise Refuted(found + ", UNSOUND")
    if side == "inside" or value == case.f64 or digits >= options.digits:
        return side if side == "inside" else "%s by rounding" % side
    if bound and side == "above":
        return "conservative"
    raise Refuted(found)


# B: tapes.


def outcome(algorithm, sample):
    """The sample as the files write it."""
    if algorithm in TRUTHS:
        return "true" if sample else "false"
    try:
        sample = operator.index(sample)
    except TypeError:
        raise Refuted("returned %s, which is not an integer" % shortened(sample))
    if sample.bit_length() > 3 * LONGEST:
        raise Refuted("returned an integer of %d bits" % sample.bit_length())
    return str(sample)


def check_tape(case, adapter, _options):
    """One word for how a run on a given tape agrees."""
    if case.result != "invalid" and not getattr(adapter, "SAME_ALGORITHM", False):
        raise NotImplementedError
    bits = Bits(case.tape[:], case.length)
    try:
        sample = adapter.sample(case.algorithm, case.parameters, bits)
    except NotImplementedError:
        raise
    except STOPPED as error:
        if bits.ended and case.result == "ends":
            return "ended"
        if case.result == "invalid" and not bits.ended and isinstance(error, Exception):
            return "refused"
        raise Refuted("%s: %s; due was: %s" % (type(error).__name__, error, case.result))
    if case.result != "valid":
        due = "must be refused" if case.result == "invalid" else "needs more bits than the tape of %d has" % case.length
        raise Refuted("%s %s, and returned %s" % (shortened(case.parameters), due, shortened(sample)))
    found = outcome(case.algorithm, sample), bits.used
    if found != case.due:
        raise Refuted("returned %s after %d bits; due was %s after %d" % (found + case.due))
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
    except STOPPED as error:
        if isinstance(error, NotImplementedError) and not bits.used:
            raise
        if not bits.ended:
            raise Refuted("valid parameters, and it stopped with %s: %s" % (type(error).__name__, error))
    return None if bits.ended else found


def contradiction(tree, lower, undecided):
    """The first outcome whose certified probability can't be that of a sampler with these counts, with the numbers."""
    total = 2**tree.depth
    for name, (lo, hi), written in tree.law:
        least = lower.get(name, 0)
        most = least + undecided
        if least > hi * total or most < lo * total:
            return "%s: between %d/%d = %.6f and %d/%d = %.6f on all tapes of %d bits, but its probability is %s" % (
                name if name == OTHERS else "outcome " + name, least, total, least / total,
                most, total, most / total, tree.depth, shortly(written))
    return None


def check_tree(case, adapter, _options):
    """One word for how a sampler's tree agrees with the certified law, and with the algorithm's tree."""
    if case.planted != "none":
        return "planted"  # the tree of a mistake, which the rule refuted when the file was read
    found, undecided = explore(
        lambda bits: outcome(case.algorithm, adapter.sample(case.algorithm, case.parameters, bits)), case.depth)
    lower = dict.fromkeys(case.lower, 0)
    for name, tapes_of_it in found.items():
        lower[name if name in lower else OTHERS] += tapes_of_it
    wrong = contradiction(case, lower, undecided)
    if wrong:
        mistakes = [one.planted for one in case.siblings if (one.lower, one.undecided) == (lower, undecided)]
        raise Refuted(wrong + "".join("; this is the tree of the mistake " + name for name in mistakes))
    if getattr(adapter, "SAME_ALGORITHM", False) and (lower, undecided) != (case.lower, case.undecided):
        raise Refuted("its law is not refuted, but its tree of %d bits is not that of the algorithm" % case.depth)
    return "undecided" if undecided == 2**case.depth else "consistent"


# F: accounts.


def check_account(case, adapter, options):
    """One word for where an upper bound lies."""
    try:
        value = adapter.account(case.law, case.parameters, case.quantity, case.at)
    except NotImplementedError:
        raise
    except STOPPED as error:
        raise Refuted("stopped with %s: %s" % (type(error).__name__, error))
    if isinstance(value, float) and value == math.inf:
        return "infinite"
    value = number(value)
    side, digits = score(value, case.lo, case.hi)
    found = "%s, certified from %s to %s: %%s; the mistake %s gives %s" % (shown(value), *map(shortly, case.written))
    if side == "below" and (options.strict or digits < options.digits):
        raise Refuted(found % "UNSOUND")
    if side == "above":
        options.above.append((min(value / case.hi, 10**300), case.label))
        if case.loose and value >= case.mistaken:
            if options.sharp:
                raise Refuted(found % "loose")
            return "loose"
        return "conservative"
    return side if side == "inside" else "below by rounding"


CHECKS = {"A": check_value, "B": check_tape, "C": check_tree, "F": check_account}


# What was found.


def load_adapter(path):
    """The adapter as a module; it may import what stands beside it."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    try:
        spec = importlib.util.spec_from_file_location("adapter", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except STOPPED as error:
        raise BadFile("%s: %s: %s" % (path, type(error).__name__, error))
    return module


class Report:
    """Counts, and what is refuted."""

    def __init__(self, show_all):
        self.counts, self.refuted, self.show_all = {}, 0, show_all

    def try_case(self, case, adapter, options):
        try:
            word = CHECKS[case.kind](case, adapter, options)
            if self.show_all:
                print("%s  %s: %s" % (case.kind, case.label, word))
        except NotImplementedError:
            word = "not compared"
        except Refuted as refuted:
            word = "REFUTED"
            self.refuted += 1
            print("%s  %s: REFUTED: %s" % (case.kind, case.label, refuted))
        counts = self.counts.setdefault(case.kind, {})
        counts[word] = counts.get(word, 0) + 1

    def summary(self):
        """Prints the counts; returns how many cases were compared."""
        compared = 0
        for kind, counts in sorted(self.counts.items()):
            of_kind = sum(n for word, n in counts.items() if word not in ("not compared", "planted", "undecided"))
            compared += of_kind
            print("%s  %d of %d compared: %s" % (
                kind, of_kind, sum(counts.values()), ", ".join("%d %s" % (counts[word], word) for word in sorted(counts))))
        return compared


def how_far(above):
    """Prints how far above their upper ends values of class F are, if any is."""
    if above:
        above.sort()
        print("F  above the upper end: half of %d by at most the factor %.6g, all by at most %.6g (%s)" % (
            len(above), *(float(above[at][0]) for at in ((len(above) - 1) // 2, -1)), above[-1][1]))


def arguments():
    parser = argparse.ArgumentParser(description="Checks a library against the vectors of dp-assay.")
    parser.add_argument("vectors", metavar="VECTORS", help="the folder that has MANIFEST.json")
    parser.add_argument("adapter", metavar="ADAPTER.py", help="how to call your library; template.py is one to fill in")
    parser.add_argument("--only", default="A,B,C,F", help="classes, separated by commas; A,B,C,F by default")
    parser.add_argument("--digits", type=int, default=10, help="how many digits of a value must be right; 10 by default")
    parser.add_argument("--strict", action="store_true", help="refuse a delta that is below the certified one by rounding alone")
    parser.add_argument("--sharp", action="store_true", help="refuse an epsilon that is no less than with the mistake of its case")
    parser.add_argument("--bug", metavar="WORD", help="of class F the cases for this mistake, and no other class")
    parser.add_argument("--all", action="store_true", help="print the cases that agree, too")
    options = parser.parse_args()
    if not set(options.only.split(",")) <= set("ABCF"):
        parser.error("--only takes A, B, C and F, separated by commas, not %s" % options.only)
    if not 1 <= options.digits <= 50:
        parser.error("--digits takes an integer from 1 to 50, not %d" % options.digits)
    options.above = []
    return options


def main(options):
    cases = load(options.vectors)
    if options.bug is not None:
        cases = [case for case in cases if getattr(case, "bug", None) == options.bug]
        if not cases:
            raise BadFile("no case is for the mistake %s" % options.bug)
    adapter = load_adapter(options.adapter)
    report = Report(options.all)
    for case in cases:
        if case.kind in options.only and hasattr(adapter, case.function):
            report.try_case(case, adapter, options)
    compared = report.summary()
    how_far(options.above)
    if not compared:
        raise BadFile("nothing could be compared: the adapter has none of the functions, or offers nothing")
    print("REFUTED: %d of %d cases" % (report.refuted, compared) if report.refuted else "agreed: %d cases" % compared)
    return 1 if report.refuted else 0


def guarded(options):
    """main(options), and the status 2 for all that is unexpected: a traceback would end with that of a refutation."""
    try:
        status = main(options)
        sys.stdout.flush()
        return status
    except BadFile as error:
        message = str(error)
    except BrokenPipeError:  # whoever reads has had enough: there is no verdict
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        message = "what it prints is not read to the end"
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also what is no Exception: a library's own, say
        message = "unexpected: %s: %s" % (type(error).__name__, error)
    print("check.py: %s" % message, file=sys.stderr)
    return 2


if __name__ == "__main__":
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(2 * LONGEST)
    sys.exit(guarded(arguments()))
