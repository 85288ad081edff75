"""How functions answer the requests of the auditor: by samples, or by sessions. Each gives what answers a request by the text of its
lines."""

import time

from . import outputs


def samples(mechanism, datasets):
    """Of a function of one dataset: as many outputs as are asked for."""

    def answer(request):
        data = request["data"]
        given = datasets.given(data)
        line = _stamped if request.get("time") else _line
        lines = [line(lambda: mechanism(given)) for _ in range(request["n"])]
        datasets.check_unchanged(given, data)
        return "\n".join([*lines, ""])

    return answer


def sessions(begin, datasets):
    """Of a function that opens a session on a dataset, and returns a function of one question."""
    opened = _Session(begin, datasets)
    acts = {"open": opened.open, "ask": opened.ask, "close": opened.close}
    return lambda request: _line(lambda: acts[request["op"]](request)) + "\n"


class _Session:
    """One session after another."""

    def __init__(self, begin, datasets):
        self.begin, self.datasets, self.session = begin, datasets, None

    def open(self, request):
        self.session = self.begin(self.datasets.given(request["data"]))

    def ask(self, request):
        return self.session(request["question"])

    def close(self, _):
        if hasattr(self.session, "close"):
            self.session.close()


def _line(call):
    """The line for what is returned, or for the exception."""
    return _timed(call)[0]


def _stamped(call):
    """The same after a line with the nanoseconds that it took."""
    line, took = _timed(call)
    return '{"time": %d}\n%s' % (took, line)


def _timed(call):
    start = time.perf_counter_ns()
    try:
        output = call()
    except Exception as error:
        took = time.perf_counter_ns() - start
        return outputs.exception(error), took
    took = time.perf_counter_ns() - start
    return outputs.encode(output), took
