"""Lets `assay audit` ask a Python function for samples. Copy this file; it needs nothing else.

    from adapter import serve
    serve(lambda data: sum(data) + my_noise())

The mechanism takes one dataset and returns one output: an int, a float, a str, bytes, a bool, None, or a list, tuple or
dict of those, of another kind each time if it likes. A dict with the one key "error" is read as an exception, and one
with the one key "bytes" and a str as bytes.
A str that float.hex() could have printed ("inf", "-inf", "nan", "0x1.8p+0") is read as that float: put something
before labels that look so. An exception is an output too: its type and its message are part of what the mechanism releases.

To be counted on many machines, a mechanism takes its seed from us: serve(mechanism, reseed=random.seed). `reseed` gets a text, before
each request that has one, and what the mechanism draws afterwards depends on nothing else.

With `assay audit --time` each answer is stamped with the nanoseconds that the mechanism took.

A program that answers by sessions: serve_sessions(begin), where begin(data) opens one and returns a function of one question.

In a dataset, {"float": "nan"} (or "inf", "-inf", "0x1.8p+0") is that float: JSON has no number for it.
"""

import json
import struct
import sys
import time


def encode(value):
    """The JSON value for an output. Floats keep their bits."""
    if hasattr(value, "tolist") and not isinstance(value, memoryview):  # numpy
        value = value.tolist()
    if isinstance(value, float):
        if value != value:
            return "nan:%#x" % struct.unpack("<Q", struct.pack("<d", value))
        return value.hex()
    if isinstance(value, dict):
        return {str(name): encode(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"bytes": bytes(value).hex()}
    if value is None or isinstance(value, (bool, int, str)):
        return value
    raise TypeError(
        "an output is an int, a float, a str, bytes, a bool, None, a list or a dict, got " + type(value).__name__
    )


def decode(fields):
    """A float that JSON has no number for; other objects as they are."""
    text = fields.get("float")
    if len(fields) != 1 or not isinstance(text, str):
        return fields
    if text.startswith("nan:"):
        return struct.unpack("<d", struct.pack("<Q", int(text[4:], 16)))[0]
    return float.fromhex(text)


def answer(mechanism, data):
    """An output, or the exception, as a JSON value."""
    return timed(mechanism, data)[0]


def timed(mechanism, data):
    """The same, and the nanoseconds that the mechanism alone took."""
    start = time.perf_counter_ns()
    try:
        value = mechanism(data)
    except Exception as error:
        took = time.perf_counter_ns() - start
        return {"error": "%s: %s" % (type(error).__name__, error)}, took
    took = time.perf_counter_ns() - start
    return encode(value), took


def stamped(mechanism, data):
    """The two lines of a request that asks for the time: it, and the answer."""
    said, took = timed(mechanism, data)
    return '{"time": %d}\n%s\n' % (took, json.dumps(said))


def reply(mechanism, request, reseed=None):
    """The bytes that answer a request for samples."""
    if request["op"] in ("open", "ask", "close"):
        sys.exit("--questions asks by sessions, and this program has none: write serve_sessions(begin)")
    data, n = request["data"], request["n"]
    if "seed" in request:
        if reseed is None:
            sys.exit("the request has a seed, and this program takes none: write serve(mechanism, reseed=random.seed)")
        reseed(request["seed"])
    before = repr(data)
    if request["reply"] == "f64le":
        text = struct.pack("<%dd" % n, *[float(mechanism(data)) for _ in range(n)])
    elif request.get("time"):
        text = "".join(stamped(mechanism, data) for _ in range(n)).encode()
    else:
        text = "".join(json.dumps(answer(mechanism, data)) + "\n" for _ in range(n)).encode()
    if repr(data) != before:
        sys.exit("the mechanism changed its dataset, so that its answers are about different ones: copy what it changes")
    return text


def serve(mechanism, reseed=None):
    """Answers requests on standard input until it ends. `reseed` takes the seed of a request, if it has one."""
    answer_lines(lambda request: reply(mechanism, request, reseed))


class Sessions:
    """One session after another, each opened on a dataset of its own."""

    def __init__(self, begin):
        self.begin, self.session = begin, None

    def open(self, request):
        self.session = self.begin(request["data"])

    def ask(self, request):
        return self.session(request["question"])

    def close(self, _):
        if hasattr(self.session, "close"):
            self.session.close()


def serve_sessions(begin):
    """Answers requests of sessions (`--questions`) on standard input until it ends. `begin(data)` opens one, and returns what answers
    its questions: a function of one question. If that has a close(), it is called at the end of the session."""
    sessions = Sessions(begin)
    acts = {"open": sessions.open, "ask": sessions.ask, "close": sessions.close}

    def reply_to(request):
        if request["op"] not in acts:
            sys.exit("this program answers by sessions: give --questions, or write serve(mechanism)")
        return (json.dumps(answer(acts[request["op"]], request)) + "\n").encode()

    answer_lines(reply_to)


def answer_lines(reply_to):
    """Writes the bytes that answer each request on standard input."""
    replies = sys.stdout.buffer
    sys.stdout = sys.stderr  # what the mechanism prints is no reply
    for line in sys.stdin:
        replies.write(reply_to(json.loads(line, object_hook=decode)))
        replies.flush()
