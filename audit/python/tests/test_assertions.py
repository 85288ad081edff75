"""The assertions, with the command itself. False alarms have the level that is stated; the violations are large, so that
they are missed with probability below 1e-6."""

import os
import random
import sys
import threading
import types
from pathlib import Path

import pytest

import dp_assay
from dp_assay import answering, levels
from dp_assay.assertions import _number

FAIR = random.SystemRandom()
LEVEL = "1e-9"


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """Outside the run of these tests, so that a call may choose its level."""
    monkeypatch.setattr(levels, "run", levels.Alone())


def answers(probability):
    """The bit, told rightly with this probability."""
    return lambda data: data[0] if FAIR.random() < probability else 1 - data[0]


def audit(mechanism, first=(0,), second=(1,), **options):
    options = {"epsilon": 1, "calls": 1000, "level": LEVEL, **options}
    return dp_assay.assert_private(mechanism, list(first), list(second), **options)


def test_the_first_lines_of_readme_end_in_the_violation_that_they_show():
    page = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    _, program, _, printed = (part.split("\n", 1)[1] for part in page.split("```", 4)[:4])
    with pytest.raises(dp_assay.Refuted) as refuted:
        exec(program, {})
    said = str(refuted.value).splitlines()
    name, first = printed.splitlines()[0].split(": ", 1)
    assert name == "%s.%s" % (refuted.type.__module__, refuted.type.__qualname__)
    assert said[0] == first
    # The figures differ from run to run.
    shown = [row[:21].strip() for row in printed.splitlines()[1:]]
    assert [row[:21].strip() for row in said[1 : len(shown) + 1]] == shown


def test_a_sound_mechanism_passes_and_its_report_is_returned():
    # Its epsilon is 0.85.
    report = audit(answers(0.7))
    assert report["verdict"] == "not-refuted"
    assert report["undetectable"]["mass"] > 0
    assert sum(report["answers"]["calls"]) == 1000


def test_a_constant_answer_passes_with_a_warning():
    with pytest.warns(dp_assay.NothingTested, match="every answer was the same: nothing was tested"):
        report = audit(lambda data: 5)
    assert report["verdict"] == "not-refuted" and report["answers"]["constant"]
    assert not audit(answers(0.7))["answers"]["constant"]


def test_a_bound_within_a_tenth_of_the_claim_names_the_argument_that_betters_it():
    with pytest.raises(dp_assay.Refuted) as refuted:
        audit(answers(0.999), epsilon=1, shrink=False)
    assert "all_calls=True gives a better bound" in str(refuted.value) or float(refuted.value.report["epsilon_lower"]) > 1.1
    with pytest.raises(dp_assay.Refuted) as refuted:
        audit(answers(0.999), epsilon=1, shrink=False, all_calls=True)
    assert "all_calls" not in str(refuted.value)
    assert float(refuted.value.report["epsilon_lower"]) > 2


def test_a_time_that_tells_is_found_by_time_alone(monkeypatch):
    # A clock that is made up: it goes by what the mechanism says that it took.
    clock = [0]
    monkeypatch.setattr(answering, "time", types.SimpleNamespace(perf_counter_ns=lambda: clock[0]))

    def slow_on_one(data):
        clock[0] += 1000 + FAIR.randrange(100) + 60 * data[0]
        return FAIR.randrange(2)

    assert audit(slow_on_one)["times"] is None
    with pytest.raises(dp_assay.Refuted, match="by its outputs together with their times") as refuted:
        audit(slow_on_one, time=True)
    assert refuted.value.report["aspect"] == "time"


def filter_that_checks(late):
    """Sessions with a budget of 1: the bit, told with the epsilon that is asked for, here 3/4."""

    def begin(data):
        spent = []

        def ask(question):
            if len(spent) >= (2 if late else 1):
                raise ValueError("the budget is spent")
            spent.append(question)
            return answers(0.679)(data)

        return ask

    return begin


def test_a_session_is_held_to_one_claim_over_all_its_answers():
    options = {"questions": [0.75], "rounds": 3}
    for analyst in ["fixed", "probing"]:
        # In all 3/4, and 3/2.
        report = audit(filter_that_checks(late=False), analyst=analyst, **options)
        assert report["analyst"] == {"questions": [0.75], "rounds": 3, "seed": 1, "strategy": analyst}
        with pytest.raises(dp_assay.Refuted):
            audit(filter_that_checks(late=True), analyst=analyst, calls=20_000, **options)


def test_an_error_of_open_or_close_is_an_answer():
    class Session:
        def __init__(self, data):
            if data == [0]:
                raise ValueError("too few")

        def __call__(self, question):
            return question

        def close(self):
            raise ValueError("closed")

    with pytest.raises(dp_assay.Refuted, match="ValueError"):
        audit(Session, questions=["a"])
    with pytest.raises(TypeError, match="questions="):
        audit(answers(0.7), analyst="random")
    with pytest.raises(dp_assay.AssayError, match="questions=.*at least one question"):
        audit(Session, questions=[])


def test_a_violation_fails_with_the_rows_that_show_it_and_how_to_repeat_it():
    with pytest.raises(AssertionError) as failure:
        audit(answers(0.99), seed=7)
    lines = str(failure.value).splitlines()
    assert lines[0] == "violation: not (1, 0)-private"
    rows = [line.split("  ")[1] for line in lines[1:]]
    # Before them may stand that all answers so far were alike.
    assert rows[-6:-1] == ["epsilon is proved", "pair", "event", "counts", "an estimate"]
    assert lines[-1].startswith("  replay: ") and "seed=7" in lines[-1]
    assert failure.value.report["verdict"] == "violation"


def test_the_function_runs_in_the_calling_thread_of_this_process():
    seen = set()

    def mechanism(data):
        seen.add((os.getpid(), threading.get_ident()))
        return answers(0.7)(data)

    audit(mechanism)
    assert seen == {(os.getpid(), threading.get_ident())}
    # In another thread it is that one.
    thread = threading.Thread(target=audit, args=(mechanism,))
    thread.start()
    thread.join()
    assert {process for process, _ in seen} == {os.getpid()} and len(seen) == 2


def test_an_exception_is_an_output_and_may_leak():
    def fails_on_one(data):
        if data[0] == 1:
            raise ValueError("it is one")
        return 0

    with pytest.raises(dp_assay.Refuted, match="ValueError"):
        audit(fails_on_one)

    def fails_always(data):
        raise ValueError("always")

    # Nothing but one error is no answer: it must not pass.
    with pytest.raises(dp_assay.Inconclusive, match="nothing but the error"):
        audit(fails_always)


def test_what_a_mechanism_says_stays_as_it_is():
    def fails_always(data):
        raise ValueError("use --fast-mode")

    with pytest.raises(dp_assay.Inconclusive, match="use --fast-mode"):
        audit(fails_always)


def test_an_interrupt_ends_all():
    calls = []

    def interrupted(data):
        calls.append(data)
        if len(calls) == 50:
            raise KeyboardInterrupt
        return 0

    with pytest.raises(KeyboardInterrupt):
        audit(interrupted)
    assert len(calls) == 50


def test_an_output_that_is_no_output_is_an_error_of_the_test():
    with pytest.raises(TypeError, match="an output is a number"):
        audit(lambda data: object())


def test_a_mechanism_that_changes_its_dataset_is_refused():
    def pops(data):
        return data.pop() if data else 0

    with pytest.raises(dp_assay.AssayError, match="changed its dataset"):
        audit(pops)


def test_datasets_that_are_no_neighbours_are_refused():
    with pytest.raises(dp_assay.AssayError, match="neighbours"):
        audit(answers(0.7), [0, 0], [1, 1])
    audit(lambda data: FAIR.random() < 0.5, [0, 0], [0], neighbours="add-remove")


def test_errors_speak_of_arguments_and_not_of_options_or_files():
    def said(**options):
        with pytest.raises(dp_assay.AssayError) as failure:
            audit(answers(0.7), **options)
        return str(failure.value)

    assert "level= must be above 0 and below 1, got 2" in said(level=2)
    for wrong in [{"level": "x"}, {"calls": 3}, {"seed": -1}, {"deadline": 0}, {"neighbours": "next"}]:
        (name,) = wrong
        text = said(**wrong)
        assert name + "=" in text and "--" not in text, text
    domain = {"records": {"type": "whole"}, "size": [1, 2], "neighbours": "substitute"}
    with pytest.raises(dp_assay.AssayError) as failure:
        dp_assay.assert_private(answers(0.7), domain=domain, epsilon=1, calls=1000, level=LEVEL)
    assert "domain=" in str(failure.value) and ".json" not in str(failure.value)


def test_what_the_auditor_cannot_see_is_passed_on_whole():
    pandas = pytest.importorskip("pandas")
    first = pandas.DataFrame({"a": [0, 1]})
    second = pandas.DataFrame({"a": [0, 0]})

    def mechanism(frame):
        return int(frame["a"].sum()) if FAIR.random() < 0.99 else 0

    with pytest.raises(dp_assay.Refuted, match="the first dataset"):
        dp_assay.assert_private(mechanism, first, second, epsilon=1, calls=1000, level=LEVEL)


def test_arrays_go_in_and_come_out():
    numpy = pytest.importorskip("numpy")
    generator = numpy.random.default_rng()

    def mechanism(data):
        assert isinstance(data, numpy.ndarray)
        return data.sum(axis=0) + generator.normal(scale=0.1, size=2)

    with pytest.raises(dp_assay.Refuted, match="violation"):
        dp_assay.assert_private(
            mechanism, numpy.array([[0.0, 1.0]]), numpy.array([[1.0, 1.0]]), epsilon=1, calls=1000, level=LEVEL
        )


DOMAIN = {"records": {"type": "integer", "lo": 0, "hi": 1}, "size": [1, 2], "neighbours": "substitute"}


def test_a_pair_is_searched_in_a_domain():
    report = dp_assay.assert_private(lambda data: FAIR.random() < 0.5, domain=DOMAIN, epsilon=1, calls=1000, level=LEVEL)
    assert report["search"]["calls"] > 0
    with pytest.raises(dp_assay.Refuted, match="violation"):
        dp_assay.assert_private(
            lambda data: sum(data) if FAIR.random() < 0.99 else 0, domain=DOMAIN, epsilon=1, calls=4000, level=LEVEL
        )


def test_a_function_gets_the_nan_of_a_domain():
    def clipped(data):
        assert all(type(value) in (int, float) for value in data)
        return sum(value for value in data if value == 1) + (FAIR.random() < 0.5)

    records = {"type": "integer", "lo": 0, "hi": 1, "also": [{"float": "nan"}]}
    domain = {"records": records, "size": [1, 2], "neighbours": "substitute"}
    report = dp_assay.assert_private(clipped, domain=domain, epsilon=40, delta=0.9, calls=1000, level=LEVEL)
    assert report["verdict"] == "not-refuted"


def test_the_datasets_are_two_or_a_domain():
    for given, options in [
        ([], {}),
        ([[0]], {}),
        ([[0], [1]], {"domain": DOMAIN}),
        ([], {"domain": DOMAIN, "neighbours": "add-remove"}),
        ([], {"domain": object()}),
    ]:
        with pytest.raises(TypeError, match="domain"):
            dp_assay.assert_private(answers(0.7), *given, epsilon=1, **options)


def test_a_law_is_asserted():
    def two_sided(q):
        def magnitude():
            k = 0
            while FAIR.random() < q:
                k += 1
            return k

        return lambda data: 5 + magnitude() - magnitude()

    # exp(-1/2) to the last bit of a double: no number of calls here tells the difference.
    half = 0.6065306597126334
    dp_assay.assert_law(two_sided(half), "discrete-laplace scale=2", centre=5, calls=2000, level=LEVEL)
    with pytest.raises(dp_assay.Refuted, match="not conforming"):
        dp_assay.assert_law(two_sided(half), "discrete-laplace scale=1", centre=5, calls=2000, level=LEVEL)


def test_the_report_is_written_where_it_is_asked_for(tmp_path):
    audit(answers(0.7), report=tmp_path / "out")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"report.json", "report.html", "report.xml"} <= names


def test_a_claim_is_one_claim():
    none = {"epsilon": None}
    for wrong in [none, {"zcdp": 1}, {**none, "zcdp": 1, "delta": 0.1}, {**none, "rdp": 2}, {**none, "rdp": "31"}]:
        with pytest.raises(TypeError):
            audit(answers(0.7), **wrong)
    with pytest.raises(TypeError, match="must be a function"):
        audit(3)


@pytest.mark.parametrize("said", ["unexpected argument '--zcdp' found", "unrecognized subcommand 'stable'"])
def test_a_claim_that_the_command_does_not_know_says_so(monkeypatch, tmp_path, said):
    old = tmp_path / "old"
    old.write_text("#!/bin/sh\necho \"error: %s\" >&2\nexit 2\n" % said)
    old.chmod(0o755)
    monkeypatch.setenv("DP_ASSAY_COMMAND", str(old))
    with pytest.raises(dp_assay.CommandTooOld, match="too old"):
        audit(answers(0.7), epsilon=None, zcdp=1)


def test_a_command_that_is_not_there_says_so(monkeypatch):
    monkeypatch.setenv("DP_ASSAY_COMMAND", "/no/such/assay")
    with pytest.raises(dp_assay.AssayError, match="DP_ASSAY_COMMAND"):
        audit(answers(0.7))


def test_numbers_are_exact():
    import decimal
    import fractions

    for value, text in [
        (1, "1"),
        (0.1, "1/10"),
        (1e-6, "1/1000000"),
        (fractions.Fraction(1, 3), "1/3"),
        (decimal.Decimal("0.1"), "1/10"),
        ("1e-6", "1e-6"),
    ]:
        assert _number("epsilon", value) == text
    for wrong in [float("nan"), float("inf"), None, [], True, 1j]:
        with pytest.raises(TypeError, match="epsilon must be a number"):
            _number("epsilon", wrong)
    numpy = pytest.importorskip("numpy")
    assert _number("epsilon", numpy.float64(0.1)) == "1/10"
    assert _number("epsilon", numpy.int64(2)) == "2"


def test_a_socket_of_the_network_does_as_well(monkeypatch):
    from dp_assay import serving

    monkeypatch.setattr(serving, "LONGEST_PATH", 0)
    audit(answers(0.7))


def a_command_that_notes_its_words(monkeypatch, tmp_path):
    """It refutes nothing. The file in which the words are, one a line."""
    said = tmp_path / "said"
    command = tmp_path / "assay"
    command.write_text("""#!%s
import json, os, sys
open(%r, "w").write("\\n".join(sys.argv[1:]) + "\\n")
folder = sys.argv[sys.argv.index("--report") + 1]
os.makedirs(folder, exist_ok=True)
json.dump({"verdict": "not-refuted"}, open(os.path.join(folder, "report.json"), "w"))
""" % (sys.executable, str(said)))
    command.chmod(0o755)
    monkeypatch.setenv("DP_ASSAY_COMMAND", str(command))
    return said


@pytest.mark.parametrize("status", [0, 1])
def test_a_command_that_audits_nothing_is_no_verdict(monkeypatch, tmp_path, status):
    other = tmp_path / "assay"
    other.write_text("#!/bin/sh\nexit %d\n" % status)
    other.chmod(0o755)
    # That of an audit before.
    (tmp_path / "report.json").write_text('{"verdict": "%s"}' % ["not-refuted", "violation"][status])
    monkeypatch.setenv("DP_ASSAY_COMMAND", str(other))
    with pytest.raises(dp_assay.AssayError, match="is it the command assay"):
        audit(answers(0.7), report=tmp_path)


def test_each_claim_is_its_option(monkeypatch, tmp_path):
    said = a_command_that_notes_its_words(monkeypatch, tmp_path)
    for claim, options in [
        ({"epsilon": 0.5, "delta": 1e-5}, ["--epsilon=1/2", "--delta=1/100000"]),
        ({"zcdp": 0.5}, ["--zcdp=1/2"]),
        ({"rdp": (2, "1.5")}, ["--rdp=2:1.5"]),
        ({"gdp": 1}, ["--gdp=1"]),
        ({"profile": tmp_path / "curve.csv"}, ["--profile=%s" % (tmp_path / "curve.csv")]),
    ]:
        audit(answers(0.7), **{"epsilon": None, **claim})
        words = said.read_text().splitlines()
        place = words.index(options[0])
        assert words[place : place + len(options)] == options
        assert "--alpha=" + LEVEL in words
        assert any(word.startswith("--delta=") for word in words) == ("delta" in claim)


def test_a_transformation_without_noise_is_held_against_its_distances():
    def clipped(data):
        return sum(min(max(value, 0), 1) for value in data)

    claim = {"output_metric": "absolute", "bound": 1}
    dp_assay.assert_stable(clipped, [0, 1], [0, 9], **claim)
    with pytest.raises(dp_assay.Refuted):
        dp_assay.assert_stable(sum, [0, 1], [0, 9], **claim)
    with pytest.raises(dp_assay.Refuted):
        dp_assay.assert_stable(sum, domain={**DOMAIN, "records": {"type": "integer", "lo": 0, "hi": 5}}, **claim)


def test_a_transformation_has_its_options_and_no_level(monkeypatch, tmp_path):
    said = a_command_that_notes_its_words(monkeypatch, tmp_path)
    options = {"output_metric": "l1", "stability": 0.5, "input_metric": "by-user", "user": 0, "most_pairs": 10, "seed": 4}
    dp_assay.assert_stable(sum, domain=DOMAIN, shrink=False, **options)
    words = said.read_text().splitlines()
    options = ["--output-metric=l1", "--stability=1/2", "--input-metric=by-user", "--user=0", "--most-pairs=10", "--seed=4"]
    assert set(options) <= set(words)
    assert words[0] == "stable" and {"--no-shrink", "--domain"} <= set(words)
    assert not any(word.startswith(("--calls", "--alpha", "--pair", "--epsilon")) for word in words)
    with pytest.raises(TypeError, match="is measured"):
        dp_assay.assert_stable(sum, (1,), (2,), output_metric="l1", bound=1)


def test_a_stranger_is_not_taken_for_the_bridge(tmp_path):
    import socket

    from dp_assay import serving

    class Running:
        """A child that ends after the stranger has gone."""

        asked = 0

        def poll(self):
            self.asked += 1
            return None if self.asked < 4 else 0

    with serving._listener(str(tmp_path)) as (listener, where):
        kind, place = where.split(" ", 1)
        for shown in [b"x" * 64 + b"\n", b"x", b""]:
            stranger = socket.socket(socket.AF_UNIX if kind == "unix" else socket.AF_INET)
            stranger.connect(place if kind == "unix" else ("127.0.0.1", int(place)))
            stranger.sendall(shown)
            stranger.close()
        assert serving._accept(listener, "y" * 64, Running()) is None
