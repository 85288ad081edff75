"""A copy of the tree in target/trials, in which code is changed, and what is known of each change."""

import fcntl
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARGO = os.environ.get("CARGO", "cargo")
# The dependencies as in a release; what is changed so that it builds soon, and sooner again.
PROFILE = ["--release", "--config", "profile.release.incremental=true", "--config", "profile.release.debug=false"]
# Where code is changed, and the package that it is of.
PACKAGES = {
    "src/": "dp-assay",
    "reference/src/": "dp-assay-reference",
    "ledger/src/": "dp-assay-ledger",
    "audit/src/": "dp-assay-audit",
    "command/src/": "dp-assay-cli",
}
# The folders of these packages, and of the second arithmetic.
HOMES = [*(sources.removesuffix("src/") for sources in PACKAGES), "witness/"]
for package in PACKAGES.values():
    PROFILE += ["--config", f"profile.release.package.{package}.opt-level=1"]
PROFILE += ["--config", "profile.release.package.dp-assay-tests.opt-level=0"]
# What cargo is told for the program that runs rows, and, of each package, for its unit tests.
ROW_PROGRAM = ["--package", "dp-assay-ledger", "--test", "plants"]
FEATURES = ["--features", "dp-assay/proptest,dp-assay/quickcheck,dp-assay/rand,dp-assay/serde"]
UNIT_TESTS = {sources: ["--package", package, "--lib"] for sources, package in PACKAGES.items()}
UNIT_TESTS["src/"] += FEATURES
# The reference has no test of its own: the library is held equal to it.
UNIT_TESTS["reference/src/"] = ["--package", "dp-assay-tests", "--test", "reference"]
# What all of them are made of, beside the package's own sources; the command is made of all. Tests read pages too.
MADE_OF = ("src/", "reference/src/", "ledger/", "spec/", "docs/", "proof/tapes.txt", "Cargo.lock", *(f"{home}Cargo.toml" for home in HOMES))
ROWS = ["--ignored", "--exact", "rows", "--nocapture"]
MEMORY = 6 << 30  # bytes of address space: a change may make a program ask for ever more
# What a test says as soon as it has failed.
FAILED = (" ... FAILED", "not as expected: ")

if sys.version_info < (3, 11):
    sys.exit("Python 3.11 or later is needed")
if not shutil.which("git"):
    sys.exit("git is needed")


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class Copy:
    """The tree as it is now, all that git knows or would add: to change code in `sources`."""

    def __init__(self, name, sources="src/"):
        self.crate = f"{sources}lib.rs"
        made_of = (*MADE_OF, sources, *(PACKAGES if sources == "command/src/" else ()))
        self.home = ROOT / "target" / "trials"
        self.tree = self.home / "tree"
        self.tree.mkdir(parents=True, exist_ok=True)
        # Two at a time would change one tree.
        self.lock = open(self.home / "lock", "w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"{self.home} is in use")
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, check=True, capture_output=True, text=True,
        ).stdout.split("\0")
        listed = sorted(path for path in listed if path and (ROOT / path).is_file())
        digests = hashlib.sha256()
        # The texts as they are now: what is saved meanwhile is for the next run.
        self.honest = {}
        for path in listed:
            text = (ROOT / path).read_bytes()
            copy = self.tree / path
            # What is the same is left alone, so that little is built anew.
            if not copy.is_file() or copy.read_bytes() != text:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(text)
            if path.startswith(made_of) or path.startswith("tests/") and path.endswith(".rs"):
                self.honest[path] = text.decode()
                digests.update(f"{path}\0{len(text)}\0".encode() + text)
        for copy in [path for path in self.tree.rglob("*") if path.is_file()]:
            if str(copy.relative_to(self.tree)) not in listed:
                copy.unlink()
        # Of all that rows and tests are made of.
        self.sources = digests.hexdigest()
        self.results = self.home / f"{name}.json"
        self.known = json.loads(self.results.read_text()) if self.results.exists() else {}
        self.writing = threading.Lock()

    def keep(self, key, found):
        with self.writing:
            self.known[key] = found
            new = self.results.with_suffix(".new")
            new.write_text(json.dumps(self.known, indent=1))
            new.replace(self.results)

    def restore(self, files):
        for file in files:
            if (self.tree / file).read_text() != self.honest[file]:
                (self.tree / file).write_text(self.honest[file])

    def build(self, tests):
        """The programs of the tests that cargo is told, by name; and the errors if there are none."""
        environment = os.environ | {"CARGO_TARGET_DIR": str(self.home / "target"), "CARGO_INCREMENTAL": "1"}
        command = [CARGO, "test", "--no-run", *tests, *PROFILE, "--message-format=json", "--quiet"]
        said = subprocess.run(command, cwd=self.tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        messages = [json.loads(line) for line in said.stdout.splitlines() if line.startswith("{")]
        errors = [message["message"] for message in messages if message["reason"] == "compiler-message"]
        errors = [error for error in errors if error["level"].startswith("error") and error["spans"]]
        if said.returncode and not errors:
            sys.exit(said.stderr[-2000:])
        if errors:
            return None, errors
        made = [message for message in messages if message["reason"] == "compiler-artifact" and message["executable"]]
        return {message["target"]["name"]: message["executable"] for message in made}, None


def run(program, arguments, seconds, tree, **environment):
    """Runs a test program until it ends, fails or takes too long: None, or how it failed; and what it said."""
    running = subprocess.Popen(
        [program, *arguments], cwd=tree, env=os.environ | environment, text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    late = threading.Event()

    def stop():
        late.set()
        kill(running)

    clock = threading.Timer(seconds, stop)
    clock.start()
    said = []
    try:
        for line in running.stdout:
            said.append(line)
            if any(failure in line for failure in FAILED):
                return f"failed: {line.strip()[:150]}", "".join(said)
        running.wait()
    finally:
        clock.cancel()
        kill(running)
        running.wait()
    if late.is_set():
        return f"no end after {seconds:.0f} s", "".join(said)
    return (f"exit status {running.returncode}" if running.returncode else None), "".join(said)


def kill(running):
    try:
        os.killpg(running.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
