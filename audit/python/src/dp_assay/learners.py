"""Calls of `assay learn` and `assay predict`. Records go to the command in a file for their owner alone, in a folder of its own,
which is removed when the command ends, whatever comes of it."""

import json
import os
import subprocess
import tempfile

from . import command
from .errors import AssayError, CommandTooOld

#: What the two labels of a class are called in files.
NEGATIVE, POSITIVE = "negative", "positive"

#: Fields are separated so, in a file of one column too.
_SEPARATED = "--separator=comma"


def advised(task, records, features, epsilon, delta):
    """The learner that `assay learn --advise` takes, by these numbers, which are public; and the delta that it spends."""
    arguments = ["--advise", "--task=" + task, "--records=%d" % records, "--features=%d" % features]
    arguments += ["--epsilon=" + epsilon, "--format=json"]
    if delta != "0":
        arguments.append("--delta=" + delta)
    advice = json.loads(_run("learn", *arguments))
    if advice.get("take") is None:
        raise ValueError("no learner is advised for these numbers: name one by learner=; assay learn --advise says more")
    [taken] = [one for one in advice["learners"] if one["learner"] == advice["take"]]
    return taken["learner"], taken["delta"]


def learn(learner, rows, labels, intervals, options):
    """The model that `learner` makes of these rows and labels, as in its file, and the report of the run. `intervals` are
    the public ones of the features, and `options` are arguments of the command."""
    names = ["x%d" % (k + 1) for k in range(len(intervals))]
    with tempfile.TemporaryDirectory(prefix="dp-assay-") as folder:
        data, model = (os.path.join(folder, name) for name in ("data.csv", "model.json"))
        columns = os.path.join(folder, "columns.toml")
        with _private(columns) as file:
            file.writelines('[%s]\nbox = "%s:%s"\n' % (name, *ends) for name, ends in zip(names, intervals))
        _write(data, names + ["label"], ([*map(repr, row), label] for row, label in zip(rows, labels)))
        arguments = [data, _SEPARATED, "--clip", "--label=label", "--columns=" + columns]
        arguments += ["--out=" + model, "--format=json", *options]
        report = _run("learn", learner, *arguments, folder=folder)
        with open(model, encoding="utf-8") as file:
            return json.load(file), json.loads(report)


def predict(model, rows, with_scores=False):
    """What the model predicts for these rows: a list of texts, or of scores."""
    names = ["x%d" % (k + 1) for k in range(len(rows[0]))]
    with tempfile.TemporaryDirectory(prefix="dp-assay-") as folder:
        data, path = (os.path.join(folder, name) for name in ("data.csv", "model.json"))
        with _private(path) as file:
            json.dump(model, file)
        _write(data, names, (map(repr, row) for row in rows))
        scores = ["--scores"] if with_scores else []
        arguments = [path, data, _SEPARATED, "--clip", "--format=json", *scores]
        said = json.loads(_run("predict", *arguments, folder=folder))
        return said["scores" if with_scores else "predictions"]


def _private(path):
    """A new file, for its owner alone."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8", newline="\n")


def _write(path, names, rows):
    with _private(path) as file:
        file.write(",".join(names) + "\n")
        file.writelines(",".join(row) + "\n" for row in rows)


def _run(subcommand, *arguments, folder=""):
    """What the command prints. What it refuses is a ValueError, in its words, without the folder of the temporary files."""
    path = command.find()
    ended = subprocess.run([path, subcommand, *arguments], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")
    if ended.returncode == 0:
        return ended.stdout
    said = ended.stderr.strip()
    if "unrecognized subcommand 'learn'" in said:
        raise AssayError("%s has no learners: it is the auditor alone; name another command in %s" % (path, command.VARIABLE))
    if "unexpected argument '--scores'" in said:
        raise CommandTooOld("%s is too old: it has no scores" % path)
    said = said.replace(os.path.join(folder, ""), "") if folder else said
    wrong = ValueError if ended.returncode == 2 else AssayError
    raise wrong("assay %s: %s" % (subcommand, said.split("\n\n")[0]))
