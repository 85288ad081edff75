"""The plugin, in runs of pytest of their own."""

import re

import pytest

SUITE = """
    import random
    import dp_assay
    import pytest

    fair = random.SystemRandom()

    def silent(data):
        return fair.randrange(2)

    def tells(data):
        return data[0]

    def test_by_the_fixture(assay):
        assay.assert_private(silent, [0], [1], epsilon=1)

    @pytest.mark.private([0], [1], epsilon=1)
    @pytest.mark.private([5], [6], epsilon=1)
    def test_by_the_marker(tmp_path):
        assert tmp_path.exists()
        return silent

    def test_that_says_nothing():
        dp_assay.assert_private(silent, [0], [1], epsilon=1)

    def test_without_an_audit():
        pass

    def test_fails(assay):
        assay.assert_private(tells, [0], [1], epsilon=1)
"""

INI = """
    [pytest]
    assay_level = 1/10
    assay_calls = 400
    assay_seed = 3
"""


@pytest.fixture
def suite(pytester):
    pytester.makeini(INI)
    pytester.makepyfile(test_suite=SUITE)

    def run(*arguments):
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *PLUGIN, *arguments)

    return run


def _is_installed():
    """Whether the entry point of the wheel brings the plugin."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        return any(point.group == "pytest11" for point in distribution("dp-assay").entry_points)
    except PackageNotFoundError:
        return False


PLUGIN = [] if _is_installed() else ["-p", "dp_assay.pytest_plugin"]


def test_the_level_is_shared_shown_and_summed_up(suite):
    result = suite()
    result.assert_outcomes(passed=4, failed=1)
    text = result.stdout.str()
    assert "assay: level 1/10 for all audits together, seed 3, " in text
    # Three tests say that they audit: 1/60 each, of which the first assertion has half and the second a sixth. The
    # other one has half of a half.
    spent = 3 / 120 + 1 / 360 + 1 / 40
    assert "assay: 5 audits; that a true claim failed has probability at most %.3g in all, of 1/10" % spent in text
    assert "except with probability 1/120" in text
    assert "replay: pytest 'test_suite.py::test_fails' -o assay_level=1/30 -o assay_seed=3 -o assay_calls=400" in text


def test_the_replay_replays(suite):
    replay = re.search(r"replay: pytest '(.*?)' (.*)", suite().stdout.str())
    again = suite(replay.group(1), *replay.group(2).split())
    again.assert_outcomes(failed=1)
    assert "except with probability 1/120" in again.stdout.str()


@pytest.mark.parametrize("times, arguments", [(1, ["-n", "2"]), (2, ["--dist", "each", "--tx", "2*popen"])])
def test_workers_share_the_level(suite, times, arguments):
    pytest.importorskip("xdist")
    result = suite(*arguments)
    result.assert_outcomes(passed=4 * times, failed=times)
    # What says nothing has its share in one worker of two, or in both; the others share among all runs of a test.
    spent = 3 / 120 + 1 / 360 + times / 80
    assert "assay: %d audits; that a true claim failed has probability at most %.3g in all" % (5 * times, spent) in (
        result.stdout.str()
    )


def test_a_choice_of_tests_shares_the_level_among_those_chosen(suite):
    result = suite("-k", "fixture")
    result.assert_outcomes(passed=1, deselected=4)
    assert "1 audit; that a true claim failed has probability at most 0.025 in all" in result.stdout.str()


def test_a_level_of_a_single_call_is_refused(pytester):
    pytester.makepyfile("""
        def test_own_level(assay):
            assay.assert_private(lambda data: 0, [0], [1], epsilon=1, level=0.5)
    """)
    result = pytester.runpytest_subprocess(*PLUGIN)
    result.assert_outcomes(failed=1)
    assert "set assay_level" in result.stdout.str()


def test_a_marked_test_that_returns_no_mechanism_fails(pytester):
    pytester.makepyfile("""
        import pytest

        @pytest.mark.private([0], [1], epsilon=1)
        def test_nothing():
            pass
    """)
    result = pytester.runpytest_subprocess(*PLUGIN, "--strict-markers")
    result.assert_outcomes(failed=1)
    assert "returns a mechanism" in result.stdout.str()


@pytest.mark.parametrize("name, value", [("assay_level", "1"), ("assay_level", "x"), ("assay_calls", "a"), ("assay_seed", "")])
def test_a_wrong_setting_is_refused(suite, name, value):
    result = suite("-o", "%s=%s" % (name, value))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert name in result.stderr.str() + result.stdout.str()


def test_a_marked_test_that_pytest_does_not_call_as_a_function_fails(pytester):
    pytester.makepyfile("""
        import unittest
        import pytest

        class Suite(unittest.TestCase):
            @pytest.mark.private([0], [1], epsilon=1)
            def test_leak(self):
                return lambda data: data[0]
    """)
    result = pytester.runpytest_subprocess(*PLUGIN)
    result.assert_outcomes(failed=1)
    assert "the marker private is for functions" in result.stdout.str()


def test_a_suite_may_leave_a_folder_that_is_gone(pytester):
    pytester.makepyfile("""
        import os
        import tempfile

        def test_leaves():
            with tempfile.TemporaryDirectory() as room:
                os.chdir(room)

        def test_next():
            pass
    """)
    pytester.runpytest_subprocess(*PLUGIN).assert_outcomes(passed=2)


def test_what_a_worker_spent_that_crashed_is_not_spent_again(pytester):
    pytest.importorskip("xdist")
    pytester.makeini(INI)
    pytester.makepyfile("""
        import os
        import dp_assay

        def test_1_crashes():
            dp_assay.assert_private(lambda data: 0, [0], [1], epsilon=1)
            os._exit(1)

        def test_2_has_no_share():
            dp_assay.assert_private(lambda data: 0, [0], [1], epsilon=1)

        def test_3_has_one(assay):
            assay.assert_private(lambda data: 0, [0], [1], epsilon=1)
    """)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", *PLUGIN, "-n", "1")
    result.assert_outcomes(passed=1, failed=2)
    assert "1 audit and those of a worker that crashed; that a true claim failed has probability at most 1/10 in all" in (
        result.stdout.str()
    )
