"""One run errs with at most its level: the shares are added up, exactly."""

from fractions import Fraction

import pytest

from dp_assay.errors import AssayError
from dp_assay.levels import Alone, Shared

LEVEL = Fraction(1, 20)


def shared(tests, processes=1):
    run = Shared(LEVEL, 400, 1)
    run.tests, run.processes = tests, processes
    return run


@pytest.mark.parametrize("tests", [1, 2, 7, 1000])
@pytest.mark.parametrize("processes", [1, 3])
@pytest.mark.parametrize("assertions", [1, 2, 40])
def test_all_shares_together_are_below_the_level_and_come_near_it(tests, processes, assertions):
    spent = Fraction(0)
    for process in range(processes):
        run = shared(tests, processes)
        for test in range(process, tests, processes):
            run.begin("test %d" % test, True)
            for _ in range(assertions):
                run.level(None)
        run.begin("another", False)
        for _ in range(assertions):
            run.level(None)
        spent += sum(run.spent)
    # n assertions in each of tests and processes: all but one in n + 1.
    assert spent == LEVEL * assertions / (assertions + 1) < LEVEL


def test_a_test_that_is_run_again_spends_less_and_not_the_same_again():
    run = shared(1)
    run.begin("a", True)
    first = run.level(None)
    run.begin("b", False)
    run.begin("a", True)
    assert run.level(None) == first / 3


def test_a_call_may_not_choose_its_level_where_it_is_shared():
    with pytest.raises(ValueError, match="assay_level"):
        shared(1).level(Fraction(1, 2))
    assert Alone().level(Fraction(1, 7)) == Fraction(1, 7)
    assert Alone().level(None) == Fraction(1, 20)


@pytest.mark.parametrize("announced", [True, False])
def test_the_replay_has_the_same_level_alone(announced):
    run = shared(5, 2)
    run.begin("a.py::b", announced)
    level = run.level(None)
    command = run.replay(level, 3, 400)
    assert command.startswith("pytest 'a.py::b' -o assay_level=")
    alone = Shared(Fraction(command.split("assay_level=")[1].split()[0]), 400, 3)
    alone.tests = 1 if announced else 0
    alone.begin("a.py::b", announced)
    assert alone.level(None) == level


def test_a_process_that_was_forked_would_forget_what_it_spent(monkeypatch):
    run = shared(1)
    monkeypatch.setattr("os.getpid", lambda: -1)
    run.begin("a", True)
    with pytest.raises(AssayError, match="forked"):
        run.level(None)
    assert run.spent == []


def test_the_successor_of_a_worker_that_crashed_has_not_its_share_again():
    run = shared(2, 2)
    run.is_successor = True
    run.begin("announced", True)
    assert run.level(None) == LEVEL / 2 / 2 / 2
    run.begin("another", False)
    with pytest.raises(AssayError, match="crashed"):
        run.level(None)
