"""The assertions."""

import fractions
import json
import numbers
import os
import re
import tempfile
import warnings

from . import answering, command, levels, serving
from .datasets import Datasets, Domain
from .errors import AssayError, CommandTooOld, Inconclusive, NothingTested, Refuted


#: No dataset, since None is one.
_MISSING = object()

#: What a report says of an audit that ended with this status.
_VERDICTS = {0: ("not-refuted", "conforms-not-refuted"), 1: ("violation", "not-conforming")}

#: Options of the command that have another name here.
_ARGUMENTS = {"alpha": "level"}


def assert_private(
    mechanism,
    first=_MISSING,
    second=_MISSING,
    *,
    domain=None,
    epsilon=None,
    delta=0,
    zcdp=None,
    rdp=None,
    gdp=None,
    profile=None,
    neighbours=None,
    questions=None,
    analyst="fixed",
    rounds=None,
    calls=None,
    level=None,
    seed=None,
    shrink=True,
    all_calls=False,
    time=False,
    deadline=60,
    report=None,
):
    """Fails if `mechanism` is proved to be less private than claimed on the neighbouring datasets `first` and `second`.

    `mechanism(data)` is called in this process, again and again, and returns one output (`dp_assay.outputs` lists the
    types). What it raises is an output too; KeyboardInterrupt ends all. Its answers must be independent of each other: it
    may not seed its generator in each call, nor change the dataset.

    The claim is one of
      epsilon=1, or epsilon=1 and delta=1e-5     (epsilon, delta)
      zcdp=0.5                                   zero-concentrated, rho
      rdp=(2, 1.0)                               Renyi, of the order 2
      gdp=1                                      Gaussian, mu
      profile="curve.csv"                        a file with a curve of (epsilon, delta) or a trade-off function
    Numbers are exact: an int, a Fraction, a Decimal, a text such as "1/3", and 0.1 is one tenth.

    domain       instead of the two datasets, a description of all, in which a pair is searched, such as
                 {"records": {"type": "integer", "lo": 0, "hi": 1}, "size": [1, 4], "neighbours": "substitute"}
    neighbours   "substitute" (one record replaced, the default) or "add-remove": checked, if the datasets are lists or
                 numpy arrays; or "vouched": they are neighbours by your word
    questions    for what answers by sessions, a list of plain data: `mechanism(data)` then opens a session, and returns a function of
                 one question, whose close(), if it has one, ends it. The claim is of all answers of a session together
    analyst      who asks them: "fixed" (in this order), "random", "adaptive" or "probing"; `assay audit --help` says how
    rounds       at most so many questions in a session; left out, as many as the list has
    calls        at most so many calls of the mechanism on this pair, at least 50; a failure needs fewer
    level        the probability with which this may fail although the claim is true, 1/20; under pytest left out, since
                 a run has one level for all
    seed         of the auditor's own coins; the noise is the mechanism's
    shrink       whether a smaller pair is looked for after a failure
    all_calls    whether all calls are spent, on the best bound on epsilon, instead of stopping as soon as the claim falls
    time         whether outputs are also audited together with the times that they took here, by as many calls again and half of the
                 level; a claim that is false by that is false for whoever sees how long an answer takes
    deadline     seconds for one request
    report       a folder for report.json, report.html, report.xml (JUnit) and report.sarif

    Returns the report, whose keys are those of `assay audit --format json`: "undetectable" says which leaks would have
    been missed. Warns with NothingTested if every answer was the same. Raises Refuted, an AssertionError; Inconclusive; AssayError if the audit could not run.
    """
    __tracebackhide__ = True
    claim = _claim(delta, epsilon=epsilon, zcdp=zcdp, rdp=rdp, gdp=gdp, profile=profile)
    pair = _pair(first, second, domain)
    if domain is None:
        claim.append("--neighbours=%s" % ("substitute" if neighbours is None else neighbours))
    elif neighbours is not None:
        raise TypeError("neighbours= stands in the domain, got it as an argument too")
    if not (shrink and pair.are_shown):
        claim.append("--no-shrink")
    if all_calls:
        claim.append("--all-calls")
    if time:
        claim.append("--time")
    option = "--pair" if domain is None else "--domain"
    if questions is None and (analyst, rounds) != ("fixed", None):
        raise TypeError("analyst= and rounds= belong to questions=, which are missing")
    if questions is not None:
        claim.append("--analyst=%s" % analyst)
    if rounds is not None:
        claim.append("--rounds=" + _number("rounds", rounds))
    return _audit(mechanism, pair, option, claim, calls, level, seed, deadline, report, questions=questions)


def _pair(first, second, domain):
    """What the auditor is to choose from."""
    given = sum(data is not _MISSING for data in (first, second))
    if domain is None and given == 2:
        return Datasets(first, second)
    if domain is not None and given == 0:
        return Domain(domain)
    raise TypeError(
        "two datasets are needed, or domain= instead of them: got %d datasets%s"
        % (given, "" if domain is None else " and a domain")
    )


def assert_law(mechanism, law, data=None, *, centre=0, calls=None, level=None, deadline=60, report=None):
    """Fails if the numbers that `mechanism(data)` answers, less `centre`, are proved not to have the law.

    `law` is "discrete-laplace scale=2", "discrete-gaussian variance=4" or "geometric rate=1/2"; or on the real line
    "laplace scale=1 grid=1/100", "gaussian variance=4 grid=1/100" or "staircase epsilon=1 sensitivity=1 gamma=1/3 grid=1/8",
    with "rounded=nearest", "rounded=down" or "rounded=toward-zero" if the answers are rounded to multiples of the grid. The
    centre is the answer without noise. Not to have a law is not yet not to be private. The rest is as for `assert_private`.
    """
    __tracebackhide__ = True
    arguments = ["--law=%s" % law, "--centre=" + _number("centre", centre)]
    data = Datasets(data)
    return _audit(mechanism, data, "--data", arguments, calls, level, None, deadline, report, question="conform")


def assert_stable(
    function,
    first=_MISSING,
    second=_MISSING,
    *,
    output_metric,
    stability=None,
    bound=None,
    input_metric=None,
    user=None,
    domain=None,
    neighbours=None,
    most_pairs=None,
    seed=None,
    shrink=True,
    deadline=60,
    report=None,
):
    """Fails if two outputs of a function without noise are farther apart than claimed. No statistics, and no level: one pair
    is a proof.

    stability      outputs are at most so many times as far apart as the datasets
    bound          or: at most so far apart, where the datasets are at most 1 apart
    output_metric  "symmetric", "insert-delete", "hamming", "by-user", "absolute", "l1", "l2" or "l-infinity"
    input_metric   the same for the datasets; left out, "hamming", or "symmetric" where neighbours are "add-remove"
    user           for "by-user": the name or the position of the field that says whose record it is
    most_pairs     of a domain so many are tried, pathological ones first

    The datasets are two or a domain, and plain data or numpy arrays, since they are measured. The rest is as for
    `assert_private`.
    """
    __tracebackhide__ = True
    pair = _pair(first, second, domain)
    if not pair.are_shown:
        raise TypeError("the distance of the datasets is measured: they must be plain data or numpy arrays of numbers")
    arguments = ["--output-metric=%s" % output_metric]
    for name, value in [("stability", stability), ("bound", bound), ("most-pairs", most_pairs)]:
        if value is not None:
            arguments.append("--%s=%s" % (name, _number(name, value)))
    for name, value in [("input-metric", input_metric), ("user", user), ("neighbours", neighbours)]:
        if value is not None:
            arguments.append("--%s=%s" % (name, value))
    if not shrink:
        arguments.append("--no-shrink")
    option = "--pair" if domain is None else "--domain"
    return _audit(function, pair, option, arguments, 1, None, seed, deadline, report, question="stable")


def _claim(delta, **claims):
    """The options of the one claim that is made."""
    made = [name for name, value in claims.items() if value is not None]
    if len(made) != 1:
        wanted = ", ".join(name + "=" for name in claims)
        raise TypeError("one claim is needed of %s, got %s" % (wanted, " and ".join(made) or "none"))
    (name,) = made
    value = claims[name]
    delta = _number("delta", delta)
    if name == "epsilon":
        return ["--epsilon=" + _number(name, value), "--delta=" + delta]
    if delta != "0":
        raise TypeError("delta= belongs to epsilon=, got it with %s=" % name)
    if name == "rdp":
        try:
            if isinstance(value, str):
                raise TypeError
            order, divergence = value
        except (TypeError, ValueError):
            raise TypeError("rdp= is an order and an epsilon, such as (2, 1.0), got %r" % (value,)) from None
        value = "%s:%s" % (_number("the order of rdp", order), _number("the epsilon of rdp", divergence))
    elif name == "profile":
        value = os.fspath(value)
    else:
        value = _number(name, value)
    return ["--%s=%s" % (name, value)]


def _number(name, value):
    """A number for the command line, which reads 1/3 and 0.1 exactly. A float is the number that it prints as."""
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Rational) and not isinstance(value, bool):
        return str(fractions.Fraction(int(value.numerator), int(value.denominator)))
    try:
        if isinstance(value, (bool, complex)):
            raise TypeError
        if isinstance(value, numbers.Real) or hasattr(value, "dtype"):
            value = repr(float(value))
        return str(fractions.Fraction(str(value)))
    except (TypeError, ValueError, OverflowError):
        raise TypeError("%s must be a number, such as 1, 0.1 or '1/3', got %r" % (name, value)) from None


def _in_python(said, names, is_of_options):
    """What the command said, with the names that datasets and, if it is of options, arguments have here. What a mechanism said
    stays as it is. `names` are those of the files of datasets.
    """
    for path, name in names.items():
        said = said.replace(path, name)
    if not is_of_options:
        return said.strip()
    said = re.sub(r"\n*For more information, try '--help'\.", "", said)
    option = r"--([a-z]+(?:-[a-z]+)*)(?: <[^<>]*>)?"
    return re.sub(option, lambda found: _ARGUMENTS.get(found[1], found[1].replace("-", "_")) + "=", said).strip()


def _audit(mechanism, datasets, option, arguments, calls, level, seed, deadline, report, question="audit", questions=None):
    """Runs the command that asks this question, and raises what it finds. `stable` is not by chance, and has no calls and no
    level; `conform` makes no random choices."""
    __tracebackhide__ = True
    if not callable(mechanism):
        raise TypeError("the mechanism must be a function of one dataset, got %r" % (mechanism,))
    run = levels.run
    calls = run.calls if calls is None else calls
    seed = run.seed if seed is None else seed
    by_chance = question != "stable"
    level = run.level(level) if by_chance else None

    by_sessions = questions is not None
    answer = (answering.sessions if by_sessions else answering.samples)(mechanism, datasets)
    # What the command reads: its option, and the text.
    given = [(option, text) for text in datasets.texts]
    if by_sessions:
        given.append(("--questions", json.dumps(questions)))
    with tempfile.TemporaryDirectory(prefix="dp-assay-") as room:
        files = []
        for place, (_, text) in enumerate(given):
            # Without a comma, which separates the two on the command line.
            path = os.path.join(room, "data-%d.json" % (place + 1))
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
            files.append(path)
        arguments = [
            *arguments,
            *(word for (name, _), path in zip(given, files) for word in [name, path]),
            *(["--calls=" + _number("calls", calls), "--alpha=" + _number("level", level)] if by_chance else []),
            "--deadline=%s" % deadline,
            # The program is this process, and there is no second one of it.
            *(["--one-start"] if by_chance else []),
            *(["--seed=%s" % seed] if question != "conform" else []),
        ]
        ended = serving.run(question, arguments, answer, report)
    verdict = None if ended.report is None else ended.report.get("verdict")
    if ended.status in _VERDICTS and verdict not in _VERDICTS[ended.status]:
        raise AssayError(
            "%s ended with status %d and without the report of an audit: is it the command assay?"
            % (command.find(), ended.status)
        )
    if ended.status == 0:
        if question == "audit" and ended.report.get("answers", {}).get("constant"):
            said = "every answer was the same: nothing was tested, and the claim stands for want of a test"
            warnings.warn(said, NothingTested, stacklevel=3)
        return ended.report
    if ended.status == 1:
        said = ended.output.replace(": --all-calls gives a", ": all_calls=True gives a")
        rows = [line for line in said.splitlines() if not line.startswith("--verbose")]
        rows.append("  replay: " + run.replay(level, seed, calls))
        raise Refuted("\n".join(rows), ended.report)
    names = dict(zip(files, [*datasets.names, "the list"]))
    said = _in_python(ended.errors.removeprefix("error: ") + ended.output, names, is_of_options=ended.status == 2)
    if ended.status == 3:
        raise Inconclusive(said)
    if "unexpected argument" in ended.errors or "unrecognized subcommand" in ended.errors:
        raise CommandTooOld("the command %s is too old for this: %s" % (command.find(), said))
    raise AssayError(said or "the command assay ended with status %d and said nothing" % ended.status)
