#!/usr/bin/env python3
"""Tests of the checkers on small folders of vectors: bad files, and adapters that end the process.

    python3 test_checkers.py COMMAND...

A COMMAND is a checker with a library, in quotes and with VECTORS for the folder: "python3 check.py VECTORS own.py". Bad files
must end it with status 2, within seconds, and with the name of the file and of the field; never with a traceback.
"""

import copy
import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile

SECONDS = 30  # far more than is needed, so that a busy machine is not mistaken for an endless loop

VALUES = {"schema": "certified_values_v1", "law": "geometric", "parameters": {"rate": "1/1"}, "groups": [{
    "id": "dpv:values", "quantity": "pmf",
    "values": [{"at": {"k": "-1"}, "lo": "0", "hi": "0", "f64": "0x0.0p+0"}]}]}
TAPES = {"schema": "tape_v1", "algorithm": "bernoulli", "tests": [{
    "id": "dpv:tape", "parameters": {"p": "1/2"}, "tape": "00", "bits": 8, "result": "valid", "sample": "true", "consumed": 1}]}
COIN = [{"outcome": outcome, "lower": "4/8", "lo": "0.5", "hi": "0.5"} for outcome in ("false", "true")]
TREES = {"schema": "tape_tree_v1", "algorithm": "bernoulli", "tests": [{
    "id": "dpv:tree", "parameters": {"p": "1/2"}, "depth": 3, "planted": "none", "result": "consistent", "outcomes": COIN,
    "others": {"lo": "0", "hi": "0"}, "undecided": "0/8"}]}
ACCOUNTS = {"schema": "account_v1", "law": "poisson-gaussian", "quantity": "epsilon", "tests": [{
    "id": "dpv:account", "parameters": {"rate": "1/1", "deviation": "20/1", "steps": "1000"}, "at": {"delta": "1/100000"},
    "lo": "7.511275", "hi": "7.511277", "bug": "conversion", "effect": "loose", "mistaken": "8.863"}]}
FILES = {"values.json": VALUES, "tapes.json": TAPES, "trees.json": TREES, "accounts.json": ACCOUNTS}
VALUE, TAPE, TREE, ACCOUNT = ("groups", 0, "values", 0), ("tests", 0), ("tests", 0), ("tests", 0)
MISSING = object()

# What is changed: the file, where in it, and to what. The last step is the field that must be named.
BAD = [
    ("values.json", VALUE + ("lo",), "1e999999999"),
    ("values.json", VALUE + ("lo",), "1e-999999999999999999999"),
    ("values.json", VALUE + ("hi",), "0x1.0p+999999999"),
    ("values.json", VALUE + ("hi",), "9" * 1_000_000),
    ("values.json", VALUE + ("hi",), "-1"),  # below lo
    ("values.json", VALUE + ("f64",), "one"),
    ("values.json", VALUE + ("f64",), MISSING),
    ("values.json", VALUE + ("exact",), "1/0"),
    ("values.json", VALUE + ("at",), ["k"]),
    ("values.json", ("groups", 0, "values"), []),
    ("values.json", ("groups", 0, "quantity"), "profil"),
    ("values.json", ("groups",), []),
    ("values.json", ("schema",), "certified_values_v9"),
    ("tapes.json", TAPE + ("bits",), -1),
    ("tapes.json", TAPE + ("bits",), 9),
    ("tapes.json", TAPE + ("bits",), 0.5),
    ("tapes.json", TAPE + ("bits",), True),
    ("tapes.json", TAPE + ("bits",), 10**30),
    ("tapes.json", TAPE + ("tape",), "0g"),
    ("tapes.json", TAPE + ("tape",), "000"),
    ("tapes.json", TAPE + ("result",), "vallid"),
    ("tapes.json", TAPE + ("consumed",), 9),
    ("tapes.json", TAPE + ("id",), MISSING),
    ("tapes.json", ("tests",), []),
    ("tapes.json", ("tests",), MISSING),
    ("trees.json", ("schema",), "tape_tree_v0"),
    ("trees.json", ("schema",), MISSING),
    ("trees.json", ("tests",), []),
    ("trees.json", TREE + ("depth",), -1),
    ("trees.json", TREE + ("depth",), 0.5),
    ("trees.json", TREE + ("depth",), 25),
    ("trees.json", TREE + ("depth",), "3"),
    ("trees.json", TREE + ("result",), "consistant"),
    ("trees.json", TREE + ("result",), "refuted"),  # not what its numbers say
    ("trees.json", TREE + ("outcomes",), []),
    ("trees.json", TREE + ("outcomes", 0, "lower"), "1/3"),
    ("trees.json", TREE + ("outcomes", 0, "lower"), "1e999999999"),
    ("trees.json", TREE + ("outcomes", 0, "lower"), "9/8"),
    ("trees.json", TREE + ("undecided",), "1/8"),  # more than 1 with the others
    ("trees.json", TREE + ("others",), "0"),
    ("trees.json", TREE + ("planted",), 1),
    ("accounts.json", ("quantity",), "profile"),
    ("accounts.json", ("tests",), []),
    ("accounts.json", ACCOUNT + ("id",), MISSING),
    ("accounts.json", ACCOUNT + ("at",), "1/100000"),
    ("accounts.json", ACCOUNT + ("lo",), "8"),  # above hi
    ("accounts.json", ACCOUNT + ("lo",), "0"),
    ("accounts.json", ACCOUNT + ("hi",), "1e999999999"),
    ("accounts.json", ACCOUNT + ("bug",), MISSING),
    ("accounts.json", ACCOUNT + ("effect",), "larger"),
    ("accounts.json", ACCOUNT + ("mistaken",), "7.5"),  # not loose
    ("MANIFEST.json", ("files",), []),
    ("MANIFEST.json", ("files", 0, "path"), "../values.json"),
    ("MANIFEST.json", ("files", 0, "path"), "/dev/zero"),
]

# Adapters that stop, or hang, instead of answering: (what they are, words that must be printed).
PYTHON = [
    ("import sys\ndef value(*_): sys.exit(0)", "stopped with SystemExit"),
    ("import sys\ndef sample(*_): sys.exit(0)", "stopped with SystemExit"),
    ("import sys\nSAME_ALGORITHM = True\ndef sample(_, __, bits):\n    bits.next()\n    sys.exit(0)", "stopped with SystemExit"),
    ("import sys\ndef account(*_): sys.exit(0)", "stopped with SystemExit"),
    ("def account(*_): return 7.5", "UNSOUND; the mistake conversion gives 8.863"),
    ("def account(*_): return -float('inf')", "is not a number"),
    ("def value(*_): return '1e999999999'", "exponent is beyond 10000"),
    ("from decimal import Decimal\ndef value(*_): return Decimal('1e99999999')", "exponent is beyond 10000"),
    ("def value(*_): return 10**5000", "about 10^"),
    ("def value(*_): return '9' * 10**6", "a text of 1000000 characters"),
    ("def value(*_): return float('nan')", "is not a number"),
    ("class Odd:\n    def __repr__(self): raise RuntimeError\ndef value(*_): return Odd()", "is not a number"),
    ("def sample(*_): return 2**10**6", "REFUTED"),
]
NODE = [
    ("export const account = () => { throw new Error('planted'); };", "stopped with"),
    ("export const account = () => 7.5;", "UNSOUND; the mistake conversion gives 8.863"),
    ("export const account = () => -Infinity;", "is not a number"),
    ("export const value = () => '1e999999999';", "exponent is beyond 10000"),
    ("export const value = () => '9'.repeat(1e6);", "a text of 1000000 characters"),
    ("export const value = () => NaN;", "is not a number"),
    ("export const value = () => Promise.resolve(0);", "is not a number"),
    ("export const value = () => { throw Object.create(null); };", "stopped with"),
]
# Those that end the process as far as the language lets them: there is no verdict, and the status is 2.
PYTHON_ENDS = ["import sys\nsys.exit(0)", "raise KeyError('planted')", "class Odd(BaseException): pass\ndef value(*_): raise Odd"]
NODE_ENDS = [
    "export const value = () => process.exit(0);",
    "export const sample = () => process.exit();",
    "export const value = () => { process.exitCode = 0; process.exit(); };",
    "process.exit(0);",
    "await new Promise(() => {});",
    "throw new Error('planted');",
]

wrong = []


def folder(home, change=None):
    """Writes the small folder, changed at one place."""
    files = copy.deepcopy(FILES)
    entry = lambda name: {"path": name, "sha256": hashlib.sha256(json.dumps(files[name]).encode()).hexdigest()}

    def at(content, steps, value):
        for step in steps[:-1]:
            content = content[step]
        if value is MISSING:
            del content[steps[-1]]
        else:
            content[steps[-1]] = value

    if change and change[0] in files:
        at(files[change[0]], *change[1:])
    manifest = {"files": [entry(name) for name in sorted(files)]}
    if change and change[0] == "MANIFEST.json":
        at(manifest, *change[1:])
    for name, content in [*files.items(), ("MANIFEST.json", manifest)]:
        with open(os.path.join(home, name), "w") as file:
            file.write(json.dumps(content))


def run(command, home):
    """The status, and what it printed on both."""
    words = [home if word == "VECTORS" else word for word in command]
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "none within %d s" % SECONDS, ""
    return done.returncode, done.stdout.decode("utf-8", "replace")


def expect(what, command, home, status, *words):
    found, said = run(command, home)
    missing = [word for word in words if word not in said]
    crashed = [word for word in ("Traceback", "panicked at", "node:internal") if word in said]
    if found != status or missing or crashed:
        wrong.append(what)
        print("WRONG: %s: %s: status %s, due %s; not said: %s\n  %s" % (
            command[:2], what, found, status, missing, said[:500].replace("\n", "\n  ")))


def shown(change):
    text = "MISSING" if change[2] is MISSING else json.dumps(change[2])
    return "%s %s = %s" % (change[0], "/".join(map(str, change[1])), text[:40])


def bad_files(command, home):
    folder(home)
    expect("the folder as it should be", command, home, 0, "agreed: 4 cases")
    for change in BAD:
        folder(home, change)
        file = "MANIFEST.json" if change[0] == "MANIFEST.json" else change[0]
        expect(shown(change), command, home, 2, file, str(change[1][-1]))
    manifest = os.path.join(home, "MANIFEST.json")
    for text in ("[" * 100_000, '{"files": ' + "[" * 100_000 + "]" * 100_000 + "}", "{", "\0", "3", '{"files": [3]}'):
        folder(home)
        with open(manifest, "w") as file:
            file.write(text)
        expect("a manifest that begins %r" % text[:12], command, home, 2, "MANIFEST.json")
    folder(home)
    os.remove(os.path.join(home, "trees.json"))
    expect("a file that is not there", command, home, 2, "trees.json")


def closed_pipe(command, home):
    """Whoever reads has had enough before the first line."""
    folder(home)
    reading, writing = os.pipe()
    os.close(reading)
    words = [home if word == "VECTORS" else word for word in command] + ["--all"]
    done = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, timeout=SECONDS)
    os.close(writing)
    said = done.stderr.decode()
    if done.returncode != 2 or "not read to the end" not in said or len(said.splitlines()) != 1:
        wrong.append("closed pipe")
        print("WRONG: %s: closed pipe: status %s\n  %s" % (command[:2], done.returncode, said[:500]))


def adapters(command, ending, refuted, ends, home):
    folder(home)
    path = os.path.join(home, "adapter" + ending)
    command = command[:-1] + [path]
    for status, text, words in [(1, text, (says, "REFUTED: ")) for text, says in refuted] + [(2, text, ()) for text in ends]:
        with open(path, "w") as file:
            file.write(text + "\n")
        expect("the adapter %r" % text, command, home, status, *words)


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    for text in sys.argv[1:]:
        command = shlex.split(text)
        with tempfile.TemporaryDirectory() as home:
            bad_files(command, home)
            closed_pipe(command, home)
            if command[-1].endswith(".py"):
                adapters(command, ".py", PYTHON, PYTHON_ENDS, home)
            if command[-1].endswith(".mjs"):
                adapters(command, ".mjs", NODE, NODE_ENDS, home)
    print("%d of the tests of the checkers are WRONG" % len(wrong) if wrong else "the checkers refuse what they must")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
