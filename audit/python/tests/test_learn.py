"""The learners from Python, with the command itself. Noise may spoil a model with a probability far below 1e-6 here: the classes
are far apart, and epsilon is large."""

import json
import os
import random
import stat
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import pytest

from dp_assay import command, learners, records
from dp_assay.errors import AssayError, CommandTooOld
from dp_assay.learn import NotPrivateWarning, PrivateClassifier, PrivateRegressor

ROOT = Path(__file__).parents[3]


def _has_learners():
    return subprocess.run([command.find(), "predict", "--help"], capture_output=True).returncode == 0


pytestmark = pytest.mark.skipif(not _has_learners(), reason="the command is the auditor alone: it has no learners")


def table(records=1000):
    """Points of the square, and the side of its diagonal that they lie on, none of them near it."""
    coins = random.Random(1)
    points = iter(lambda: [coins.uniform(-1, 1), coins.uniform(-1, 1)], None)
    X = [point for _, point in zip(range(4 * records), points) if abs(sum(point)) > 0.5][:records]
    return X, [1 if sum(point) > 0 else 0 for point in X]


def classifier(**changes):
    return PrivateClassifier(**{"epsilon": 5, "delta": 1e-6, "bounds": (-1, 1), "classes": [0, 1], **changes})


def regressor(**changes):
    usual = {"epsilon": 5, "delta": 1e-6, "bounds": (-1, 1), "label_bounds": (-2, 2)}
    return PrivateRegressor(**{**usual, **changes})


def wrong(found, right):
    return sum(a != b for a, b in zip(found, right))


@pytest.mark.parametrize("learner", [None, "margin-gibbs", "kernel-release"])
@pytest.mark.parametrize("classes", [[0, 1], ["no", "yes, indeed"], [True, False]])
def test_two_classes_are_learned_predicted_and_ranked(learner, classes):
    X, sides = table()
    y = [classes[side] for side in sides]
    options = {"lambda": "1/20"} if learner == "kernel-release" else None
    delta = 0 if learner == "margin-gibbs" else 1e-6
    model = classifier(classes=classes, learner=learner, delta=delta, options=options).fit(X, y)
    assert list(model.classes_) == classes
    predictions, scores = model.predict(X), model.decision_function(X)
    assert wrong(predictions, y) < 20
    assert all((score > 0) == (label == classes[1]) for score, label in zip(scores, predictions))
    far, near = model.decision_function([[0.9, 0.9], [0.4, 0.4]])
    assert far > near > 0


def test_numbers_are_learned():
    X, _ = table()
    y = [a + b for a, b in X]
    model = regressor().fit(X, y)
    assert model.learner_ == "random-features"
    squares = sum((found - label) ** 2 for found, label in zip(model.predict(X), y))
    assert squares / len(y) < 0.25 * sum(label**2 for label in y) / len(y)
    # Labels beyond their interval are clipped.
    tall = regressor(label_bounds=(-0.5, 0.5)).fit(X, [1e300 * label for label in y])
    assert max(abs(found) for found in tall.predict(X)) < 2


def test_the_learner_is_the_one_that_is_advised_for_public_numbers():
    X, y = table(300)
    for changes, expected in [({}, "halfspaces-descent"), ({"delta": 0}, "margin-gibbs"), ({"epsilon": 0.5}, "margin-gibbs")]:
        model = classifier(**changes).fit(X, y)
        assert model.learner_ == model.model_["algorithm"] == expected
        assert model.privacy_["delta"] == ("1/1000000" if expected == "halfspaces-descent" else "0")
    for task, sizes in [("classes", (500, 2000, 20000)), ("numbers", (20000,))]:
        for size in sizes:
            asked = ["--task=" + task, "--records=%d" % size, "--features=5", "--epsilon=1", "--delta=1/100"]
            said = subprocess.run([command.find(), "learn", "--advise", *asked], capture_output=True, text=True, check=True)
            taken = said.stdout.split("take ")[1].split(":")[0]
            assert learners.advised(task, size, 5, "1", "1/100")[0] == taken


def test_privacy_is_what_the_model_file_says():
    X, y = table()
    model = classifier(epsilon="1/2", delta=0.01, learner="kernel-release", options={"lambda": 0.25}).fit(X, y)
    said = dict(model.privacy_)
    assert said.pop("noise") == {"noise_of_a_prediction": model.model_["parameters"]["noise_of_a_prediction"]}
    assert said == model.model_["privacy"]
    assert (said["epsilon"], said["delta"], said["neighbours"]) == ("1/2", "1/100", "substitution of one record; n public")
    assert "(1/2, 1/100)-differentially private" in said["statement"]
    assert model.model_["parameters"]["lambda"] == "1/4"
    assert "within" in model.bound_
    # It is a model file.
    box = {"name": "x1", "lo": "-1", "hi": "1"}
    assert model.model_["columns"]["numeric"][0] == box
    of_each = classifier(bounds=([-1, "-1/3"], [1, 2])).fit(X, y)
    assert of_each.model_["columns"]["numeric"] == [box, {"name": "x2", "lo": "-1/3", "hi": "2"}]


def test_values_are_clipped_onto_their_bounds():
    X, y = table()
    narrow = classifier(bounds=(-0.1, 0.1)).fit([[1e308 * a, b] for a, b in X], y)
    [one], [other] = (narrow.decision_function([[a, 5e-324]]) for a in (0.1, 1e308))
    assert one == other > 0


class Untouched:
    """Data that nothing may look at."""

    def __getattr__(self, name):
        raise AssertionError("the data were asked for %s" % name)

    def __iter__(self):
        raise AssertionError("the data were read")


@pytest.mark.parametrize(
    "make, changes, said",
    [
        (classifier, {"epsilon": None}, "epsilon= must be given"),
        (classifier, {"bounds": None}, "bounds= must be given: .* would tell of their records"),
        (classifier, {"bounds": 1}, "bounds= must be two"),
        (classifier, {"classes": None}, "classes= must be given: .* as private as the data"),
        (classifier, {"classes": [1, 2, 3]}, "classes= must be two"),
        (classifier, {"classes": [1, 1]}, "different labels, got 1 twice"),
        (regressor, {"delta": None}, "delta= must be given"),
        (regressor, {"label_bounds": None}, "label_bounds= must be given: .* would tell of their records"),
        (regressor, {"label_bounds": (1, 1)}, "each lower end below the upper one, got 1 and 1"),
    ],
)
def test_what_is_public_must_be_said_before_the_data_are_looked_at(make, changes, said):
    with pytest.raises(ValueError, match=said):
        make(**changes).fit(Untouched(), Untouched())


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"bounds": (0, [1, 2, 3])}, "one for each of 2 features, got 3"),
        ({"bounds": (1, -1)}, "got 1 and -1"),
        ({"classes": [5, 6]}, "no other labels than those of classes=, 5 and 6"),
        ({"epsilon": -1}, "assay learn: error: invalid value '-1' for '--epsilon <E>'"),
        ({"learner": "nonsense"}, "unrecognized subcommand 'nonsense'"),
        ({"learner": "margin-gibbs"}, "unexpected argument '--delta'"),
        ({"learner": "kernel-release"}, "--lambda"),
        ({"options": {"nonsense": 1}}, "unexpected argument '--nonsense'"),
        ({"options": {"unsafe_report": True}}, "must not have 'unsafe-report'"),
        ({"options": {"limit": 1}}, "--limit"),
    ],
)
def test_the_rest_is_refused_with_its_reason_and_no_path(changes, said):
    X, y = table(100)
    model = classifier(**changes)
    with pytest.raises(ValueError, match=said) as refused:
        model.fit(X, y)
    with pytest.raises(ValueError, match="not fitted"):
        model.predict(X)
    assert tempfile.gettempdir() + os.sep not in str(refused.value)


def test_a_seed_is_for_tests():
    X, y = table()
    with pytest.warns(NotPrivateWarning, match="NOT private"):
        first, again = (classifier(seed=3).fit(X, y) for _ in range(2))
    assert first.model_["weights"] == again.model_["weights"]
    assert first.privacy_["statement"].startswith("NOT private")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        others = [classifier().fit(X, y).model_["weights"] for _ in range(2)]
    assert others[0] != others[1]


#: Writes down how it was called and what it was given, and is the command then, or fails.
WATCHED = """#!{python}
import json, os, subprocess, sys
seen = {{"arguments": sys.argv[1:], "modes": {{}}}}
for argument in sys.argv[1:]:
    path = argument.rpartition("=")[2]
    for path in (path, os.path.dirname(path)) if os.path.isfile(path) else ():
        seen["modes"][path] = oct(os.stat(path).st_mode & 0o777)
open({log!r}, "a").write(json.dumps(seen) + "\\n")
sys.exit({status} or subprocess.call([{command!r}] + sys.argv[1:]))
"""


@pytest.mark.skipif(os.name == "nt", reason="a script of Unix, and its modes of files")
@pytest.mark.parametrize("status", [0, 1])
def test_records_are_in_a_file_of_their_owner_and_gone_afterwards(tmp_path, monkeypatch, status):
    X, y = table(300)
    log, script, room = tmp_path / "log", tmp_path / "watched", tmp_path / "room"
    room.mkdir()
    filled = {"python": sys.executable, "log": str(log), "command": command.find(), "status": status}
    script.write_text(WATCHED.format(**filled))
    script.chmod(0o755)
    monkeypatch.setenv(command.VARIABLE, str(script))
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    model = classifier(learner="halfspaces-descent")
    # A mask that lets everybody read changes nothing.
    before = os.umask(0)
    try:
        if status:
            with pytest.raises(AssayError):
                model.fit(X, y)
        else:
            model.fit(X, y).predict(X)
    finally:
        os.umask(before)
    assert list(room.iterdir()) == []
    calls = [json.loads(line) for line in log.read_text().splitlines()]
    assert [call["arguments"][0] for call in calls] == (["learn"] if status else ["learn", "predict"])
    for call in calls:
        modes = {path: mode for path, mode in call["modes"].items() if path.startswith(str(room))}
        assert sorted(set(modes.values())) == ["0o600", "0o700"] and len(modes) == 3
        assert not any(repr(value) in argument for row in X for value in row for argument in call["arguments"])


@pytest.mark.skipif(os.name == "nt", reason="scripts of Unix")
@pytest.mark.parametrize(
    "said, kind", [("error: unrecognized subcommand 'learn'", AssayError), ("error: unexpected argument '--scores'", CommandTooOld)]
)
def test_an_old_command_is_named(tmp_path, monkeypatch, said, kind):
    script = tmp_path / "old"
    script.write_text("#!/bin/sh\necho \"%s\" >&2\nexit 2\n" % said)
    script.chmod(0o755)
    monkeypatch.setenv(command.VARIABLE, str(script))
    with pytest.raises(kind, match="old"):
        classifier(learner="halfspaces-descent").fit(*table(10))


#: Neither scikit-learn nor numpy is there.
ALONE = """
import sys
sys.modules.update({"numpy": None, "sklearn": None})
sys.path.insert(0, %r)
from test_learn import *
X, y = table()
model = classifier()
for call in (lambda: model.predict(X), lambda: model.decision_function(X)):
    with pytest.raises(ValueError, match="call fit first"):
        call()
model.fit(X, y)
found = model.predict(X)
assert type(found) is list and type(model.decision_function(X)) is list and model.classes_ == [0, 1]
assert wrong(found, y) < 20
assert type(regressor().fit(X, y).predict(X)[0]) is float
for rows in ([], [[]], [[1], [1, 2]], [[1.0, float("nan")]], [[1, 2, 3]]):
    with pytest.raises(ValueError):
        model.predict(rows)
    with pytest.raises(ValueError):
        classifier().fit(rows, [0] * len(rows))
with pytest.raises(ValueError, match="as many rows"):
    model.fit(X, y[1:])
print("alone")
"""


def test_neither_scikit_learn_nor_numpy_is_needed():
    ended = subprocess.run(
        [sys.executable, "-c", ALONE % str(Path(__file__).parent)], capture_output=True, text=True, env=os.environ.copy()
    )
    assert (ended.stdout, ended.returncode) == ("alone\n", 0), ended.stderr


def test_the_lines_of_the_pages_learn():
    for page in ["audit/python/README.md", "docs/learning.md"]:
        text = (ROOT / page).read_text(encoding="utf-8")
        blocks = [part.split("```")[0] for part in text.split("```python\n") if "dp_assay.learn" in part.split("```")[0]]
        assert len(blocks) == 1, page
        names = {}
        exec(blocks[0], names)
        assert list(names["labels"]) == ["yes", "no"]
        assert names["scores"][0] > 0 > names["scores"][1]
        assert names["spent"] == ("1", "1/1000000")


# With scikit-learn.


class ReadsLabels(PrivateClassifier):
    """Takes the two classes from the labels that occur, as scikit-learn's classifiers do. That is NOT private: with it everything
    else is checked on the tables of scikit-learn, whose labels are several."""

    def _classes(self, y):
        found = set(records.numpy.ravel(records.numpy.asarray(y, dtype=object)).tolist())
        return tuple(sorted(found, key=lambda label: (str(type(label)), str(label)))) if len(found) == 2 else (0, 1)


def checks():
    """Each estimator, with the checks that cannot hold and why."""
    reads = "the labels of its table are not those of classes=, which are public, and not what occurs"
    usual = {"epsilon": 100, "bounds": (-10, 10), "seed": 1}
    yield PrivateClassifier(classes=[0, 1], **usual), dict.fromkeys(NEEDS_LABELS, reads)
    yield ReadsLabels(learner="kernel-release", delta=1e-6, options={"lambda": "1/20", "accept_noise": True}, **usual), {}
    yield PrivateRegressor(label_bounds=(-10, 10), delta=1e-6, options={"accept_noise": True}, **usual), {}


#: The checks of scikit-learn that fit on labels of their own.
NEEDS_LABELS = [
    "check_classifier_data_not_an_array",
    "check_classifiers_classes",
    "check_estimators_dtypes",
    "check_fit2d_1feature",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(3 if "NIGHTLY" in os.environ else 1))  # each takes minutes
def test_the_checks_of_scikit_learn_hold_but_those_that_need_labels_of_the_data(number):
    check_estimator = pytest.importorskip("sklearn.utils.estimator_checks").check_estimator
    estimator, cannot = list(checks())[number]
    found = check_estimator(estimator, expected_failed_checks=cannot, on_skip=None, on_fail=None)
    failed = {one["check_name"]: one["exception"] for one in found if one["status"] == "failed"}
    assert failed == {}
    assert sum(one["status"] == "passed" for one in found) > 40
    # Each of those that cannot hold fails, for this reason.
    expected = {one["check_name"]: one["exception"] for one in found if one["status"] == "xfail"}
    assert sorted(expected) == sorted(cannot)
    assert all("classes=" in str(said) for said in expected.values()), expected


def test_parameters_are_those_of_scikit_learn():
    base = pytest.importorskip("sklearn.base")
    model = classifier(options={"beta": "1/20"})
    again = base.clone(model)
    assert again is not model and again.get_params() == model.get_params()
    again.set_params(epsilon=2, margin="1/3")
    assert (again.get_params()["epsilon"], again.margin, model.epsilon) == (2, "1/3", 5)
    assert "epsilon=5" in repr(model)
    X, y = table()
    assert base.is_classifier(model) and model.fit(X, y).score(X, y) > 0.98
    assert base.is_regressor(regressor())


def test_arrays_and_frames_are_taken_and_arrays_returned():
    numpy = pytest.importorskip("numpy")
    X, y = table()
    model = classifier().fit(numpy.array(X), numpy.array(y))
    assert model.predict(numpy.array(X)).dtype == numpy.array(y).dtype
    assert model.decision_function(X).shape == (len(X),)
    if records.HAS_SKLEARN:
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame(X, columns=["a", "b"])
        assert list(model.fit(frame, y).feature_names_in_) == ["a", "b"]
        with pytest.raises(ValueError, match="feature names"):
            model.predict(frame[["b", "a"]])


def test_a_table_is_read_by_its_values_and_not_by_the_names_of_its_columns():
    class Table:
        def __iter__(self):
            return iter(["1", "2"])

        def to_numpy(self):
            return [[0.5, 1]]

    assert records._rows(Table()) == [[0.5, 1.0]]
