"""Lets `assay audit` ask a Python function for samples. Copy this file; it needs nothing else.

    from adapter import serve
    serve(lambda data: sum(data) + my_noise())

The mechanism takes one dataset and returns one output: an int, a float, a str, a bool, None, or a list, tuple or dict of
those, of another kind each time if it likes. A dict with the one key "error" is read as an exception.
A str that float.hex() could have printed ("inf", "-inf", "nan", "0x1.8p+0") is read as that float: put something
before labels that look so. An exception is an output too: its type and its message are part of what the mechanism releases.
"""

import json
import struct
import sys


def encode(value):
    """The JSON value for an output. Floats keep their bits."""
    if hasattr(value, "tolist"):  # numpy
        value = value.tolist()
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, dict):
        return {str(name): encode(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    if value is None or isinstance(value, (bool, int, str)):
        return value
    raise TypeError("an output is an int, a float, a str, a bool, None, a list or a dict, got " + type(value).__name__)


def serve(mechanism):
    """Answers requests on standard input until it ends."""
    replies = sys.stdout
    sys.stdout = sys.stderr  # what the mechanism prints is no reply
    for line in sys.stdin:
        request = json.loads(line)
        data, n = request["data"], request["n"]
        if request["reply"] == "f64le":
            values = [float(mechanism(data)) for _ in range(n)]
            replies.buffer.write(struct.pack("<%dd" % n, *values))
            replies.buffer.flush()
            continue
        answers = []
        for _ in range(n):
            try:
                answer = mechanism(data)
            except Exception as error:
                answers.append(json.dumps({"error": "%s: %s" % (type(error).__name__, error)}))
            else:
                answers.append(json.dumps(encode(answer)))
        replies.write("".join(answer + "\n" for answer in answers))
        replies.flush()
