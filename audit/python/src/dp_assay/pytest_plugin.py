"""The plugin for pytest: one level for a whole run, the fixture `assay` and the marker `private`."""

import os
from fractions import Fraction

import pytest

import dp_assay

from . import levels, serving

KEY = pytest.StashKey()
#: Of a test: whether its marker was obeyed.
AUDITED = pytest.StashKey()


class Part:
    """What is known of this run, in this process."""

    def __init__(self, shared, before):
        self.shared = shared
        #: What held before this run, which may be a run inside of another one.
        self.before = before
        #: How many audits other processes made, and the levels that they spent.
        self.audits_elsewhere = 0
        self.spent_elsewhere = Fraction(0)
        #: How many workers there were, and whether one ended without saying what it spent.
        self.workers = 0
        self.is_unknown = False


def pytest_addoption(parser):
    parser.addini("assay_level", "the probability with which true claims may fail, in all of one run", default="1/20")
    parser.addini("assay_calls", "how often an audit may call a mechanism, unless it says so itself", default="20000")
    parser.addini("assay_seed", "the seed of the auditor's own coins", default="1")


def pytest_configure(config):
    config.addinivalue_line(
        "markers",
        "private(first, second, epsilon=..., ...): the test returns a mechanism, which dp_assay.assert_private audits",
    )
    level = _setting(config, "assay_level", Fraction, "a number between 0 and 1, such as 1/20")
    if not 0 < level < 1:
        raise pytest.UsageError("assay_level must be between 0 and 1, got %s" % level)
    calls = _setting(config, "assay_calls", _whole, "a whole number of at least 50")
    seed = _setting(config, "assay_seed", int, "a whole number")
    shared = levels.Shared(level, calls, seed)
    given = getattr(config, "workerinput", {}).get("assay")
    if given is not None:
        shared.processes = given["processes"]
        shared.is_successor = given["is_successor"]
    config.stash[KEY] = Part(shared, levels.run)
    levels.run = shared


def pytest_unconfigure(config):
    part = config.stash.get(KEY, None)
    if part is not None:
        levels.run = part.before


def _whole(text):
    number = Fraction(text)
    if number.denominator != 1 or number < 50:
        raise ValueError(text)
    return int(number)


def _setting(config, name, read, right):
    text = config.getini(name)
    try:
        return read(text)
    except (ValueError, ZeroDivisionError):
        raise pytest.UsageError("%s must be %s, got %r" % (name, right, text)) from None


@pytest.fixture
def assay():
    """The package dp_assay. A test that has it says that it audits, and has a share of the level of the run."""
    return dp_assay


def _name_here(item):
    """The test as pytest is told it on the command line, where this run was started."""
    _, separator, rest = item.nodeid.partition("::")
    try:
        path = os.path.relpath(str(item.path), str(item.config.invocation_params.dir))
    except ValueError:
        # On another drive.
        path = str(item.path)
    return path + separator + rest


def _announces(item):
    return "assay" in getattr(item, "fixturenames", ()) or item.get_closest_marker("private") is not None


def pytest_collection_finish(session):
    shared = session.config.stash[KEY].shared
    given = getattr(session.config, "workerinput", {}).get("assay", {"times": 1})
    shared.tests = given["times"] * sum(map(_announces, session.items))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    shared = item.config.stash[KEY].shared
    shared.begin(item.nodeid, _announces(item), _name_here(item))
    yield
    shared.begin(None, False)


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item):
    """After the call: a test with the marker that was not audited must not pass. Pytest calls some tests, as those of unittest,
    in a way of its own."""
    if item.get_closest_marker("private") is not None and not item.stash.get(AUDITED, False):
        pytest.fail(
            "the marker private is for functions and for methods of plain classes, got a %s" % type(item).__name__, pytrace=False
        )


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    markers = list(pyfuncitem.iter_markers("private"))
    if not markers:
        return None
    names = pyfuncitem._fixtureinfo.argnames
    mechanism = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    if not callable(mechanism):
        pytest.fail("a test with the marker private returns a mechanism, got %r" % (mechanism,), pytrace=False)
    # The nearest is the last that was written.
    for marker in reversed(markers):
        dp_assay.assert_private(mechanism, *marker.args, **marker.kwargs)
    pyfuncitem.stash[AUDITED] = True
    return True


def pytest_report_header(config):
    part = config.stash[KEY]
    try:
        command = serving.version()
    except dp_assay.AssayError as error:
        command = str(error)
    return "assay: level %s for all audits together, seed %d, %s" % (part.shared.all, part.shared.seed, command)


def pytest_terminal_summary(terminalreporter, config):
    part = config.stash[KEY]
    audits = len(part.shared.spent) + part.audits_elsewhere
    if not audits:
        return
    said = "%d audit%s" % (audits, "" if audits == 1 else "s")
    spent = "%.3g in all, of %s" % (float(sum(part.shared.spent, part.spent_elsewhere)), part.shared.all)
    if part.is_unknown:
        said += " and those of a worker that crashed"
        spent = "%s in all" % part.shared.all
    terminalreporter.write_line("assay: %s; that a true claim failed has probability at most %s" % (said, spent))


# What follows is for pytest-xdist, where each worker runs a part of the tests.


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """The controller tells a worker how many there are, and how often each test is run."""
    processes = len(node.config.getoption("tx") or ())
    processes = max(processes, node.workerinput["workercount"])
    times = processes if node.config.getoption("dist") == "each" else 1
    part = node.config.stash[KEY]
    part.workers += 1
    # One that crashed is replaced.
    node.workerinput["assay"] = {"processes": processes, "times": times, "is_successor": part.workers > processes}


def pytest_sessionfinish(session):
    """A worker tells what it has spent."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        spent = session.config.stash[KEY].shared.spent
        output["assay"] = {"audits": len(spent), "spent": str(sum(spent, Fraction(0)))}


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    said = (getattr(node, "workeroutput", None) or {}).get("assay")
    part = node.config.stash[KEY]
    if said is None:
        part.is_unknown = True
    else:
        part.audits_elsewhere += said["audits"]
        part.spent_elsewhere += Fraction(said["spent"])
