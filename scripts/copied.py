"""A copy of the tree in target/trials, in which one thing at a time is changed, and what is known of each change."""

import fcntl
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARGO = os.environ.get("CARGO", "cargo")
# The dependencies as in a release; the library so that it builds soon, and sooner again.
TEST = [
    CARGO, "test", "--quiet", "--release", "--package", "dp-assay",
    "--config", "profile.release.package.dp-assay.opt-level=1",
    "--config", "profile.release.incremental=true",
    "--config", "profile.release.debug=false",
]
ROWS = ["--test", "plants", "--", "--ignored", "--exact", "rows", "--nocapture"]


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class Copy:
    """The tree as it is now: all that git knows or would add."""

    def __init__(self, name):
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
        sources = hashlib.sha256()
        for path in listed:
            text = (ROOT / path).read_bytes()
            copy = self.tree / path
            # What is the same is left alone, so that little is built anew.
            if not copy.is_file() or copy.read_bytes() != text:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(text)
            if path.startswith(("src/", "spec/", "Cargo")):
                sources.update(f"{path}\0{len(text)}\0".encode() + text)
        for copy in [path for path in self.tree.rglob("*") if path.is_file()]:
            if str(copy.relative_to(self.tree)) not in listed:
                copy.unlink()
        # Of all that rows and unit tests are made of.
        self.sources = sources.hexdigest()
        self.results = self.home / f"{name}.json"
        self.known = json.loads(self.results.read_text()) if self.results.exists() else {}

    def once(self, key, answer):
        """What was found under this key, by an earlier run or now."""
        if key not in self.known:
            self.known[key] = answer()
            self.results.write_text(json.dumps(self.known, indent=1))
        return self.known[key]

    def cargo_test(self, arguments, seconds, **environment):
        """Builds and runs tests in the copy: whether they built, whether they passed, and what they said."""
        environment = os.environ | environment | {
            "CARGO_TARGET_DIR": str(self.home / "target"), "CARGO_TERM_COLOR": "never", "CARGO_INCREMENTAL": "1",
        }
        build = [*TEST, "--no-run", *arguments[: arguments.index("--")]]
        built = subprocess.run(build, cwd=self.tree, env=environment, capture_output=True, text=True)
        if built.returncode != 0:
            errors = [line for line in built.stderr.splitlines() if line.startswith("error")]
            return False, False, errors[0] if errors else built.stderr[-200:]
        start = time.monotonic()
        running = subprocess.Popen(
            [*TEST, *arguments], cwd=self.tree, env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        )
        try:
            output, _ = running.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
            return True, False, f"no end after {time.monotonic() - start:.0f} s"
        return True, running.returncode == 0, output
