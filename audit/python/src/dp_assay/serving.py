"""Runs the command `assay` while this thread answers its requests.

No other thread and no fork: the command is a child, its target is `bridge.py`, and that one connects back to the calling
thread, which answers until the command ends. So a function needs not be pickled, may be a lambda, and may use what is open
in this process.
"""

import contextlib
import hmac
import json
import os
import secrets
import shlex
import socket
import subprocess
import sys
import tempfile
from typing import NamedTuple

from . import command
from .datasets import decoded
from .errors import AssayError

BRIDGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bridge.py")

#: The longest path of a Unix socket that every system takes.
LONGEST_PATH = 90


class Ended(NamedTuple):
    """How the command ended."""

    status: int
    output: str
    errors: str
    #: The report in JSON; None if there is none.
    report: dict


def target():
    """The target for the command line. No shell reads it, and quotes are as in one."""
    # Isolated, and without site-packages: it starts in half the time.
    return " ".join(shlex.quote(word) for word in [sys.executable, "-I", "-S", BRIDGE])


def run(question, arguments, answer, report=None):
    """Runs `assay audit`, `conform` or `stable` with these arguments. `answer(request)` gives the lines of a reply, as one text.

    What `answer` raises ends the command, and is raised. `report` is the folder for the report, if it is to be kept.
    """
    with tempfile.TemporaryDirectory(prefix="dp-assay-") as room:
        folder = report if report is not None else os.path.join(room, "report")
        written = os.path.join(folder, "report.json")
        # That of another audit must not be taken for this one's.
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.remove(written)
        with _listener(room) as (listener, where), contextlib.ExitStack() as stack:
            output, errors = (stack.enter_context(open(os.path.join(room, name), "w+b")) for name in ["output", "errors"])
            secret = secrets.token_hex(32)
            child = subprocess.Popen(
                [command.find(), question, "--target", target(), "--report", os.fspath(folder), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                env={**os.environ, "DP_ASSAY_BRIDGE": "%s %s" % (secret, where)},
            )
            try:
                _serve(listener, secret, child, answer)
                status = child.wait()
            except BaseException:
                # It ends what it has started, too.
                child.terminate()
                try:
                    child.wait(10)
                except subprocess.TimeoutExpired:
                    child.kill()
                    child.wait()
                raise
            texts = []
            for file in [output, errors]:
                file.seek(0)
                texts.append(file.read().decode("utf-8", "replace"))
        return Ended(status, *texts, _read(written))


def _read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (FileNotFoundError, NotADirectoryError):
        return None


@contextlib.contextmanager
def _listener(room):
    """A socket that only this machine reaches, and where it is."""
    path = os.path.join(room, "socket")
    if hasattr(socket, "AF_UNIX") and len(os.fsencode(path)) <= LONGEST_PATH:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(path)
        where = "unix " + path
    else:
        listener = socket.create_server(("127.0.0.1", 0))
        where = "tcp %d" % listener.getsockname()[1]
    with listener:
        listener.listen()
        yield listener, where


def _serve(listener, secret, child, answer):
    """Answers until the command closes the connection."""
    connection = _accept(listener, secret, child)
    if connection is None:
        return
    with connection, connection.makefile("rb") as requests:
        while True:
            try:
                line = requests.readline()
            except ConnectionResetError:
                return
            if not line.endswith(b"\n"):
                return
            request = json.loads(line, object_hook=decoded)
            reply = answer(request)
            try:
                connection.sendall(reply.encode("ascii"))
            except (BrokenPipeError, ConnectionResetError):
                # The command has ended its target. It says why.
                return


def _accept(listener, secret, child):
    """The connection of the bridge, or None if the command ended without one."""
    listener.settimeout(0.05)
    while child.poll() is None:
        try:
            connection, _ = listener.accept()
        except socket.timeout:
            continue
        connection.settimeout(10)
        shown = b""
        try:
            while len(shown) < len(secret) + 1:
                piece = connection.recv(len(secret) + 1 - len(shown))
                if not piece:
                    break
                shown += piece
        except OSError:
            shown = b""
        if hmac.compare_digest(shown, secret.encode() + b"\n"):
            connection.settimeout(None)
            return connection
        connection.close()
    return None


def version():
    """The command and its version, as it says it."""
    path = command.find()
    try:
        said = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise AssayError("the command %s does not run: %s" % (path, error)) from error
    return "%s (%s)" % (path, said.stdout.strip())
