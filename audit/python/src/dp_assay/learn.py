"""Learns with differential privacy, by the conventions of scikit-learn.

    from dp_assay.learn import PrivateClassifier

    model = PrivateClassifier(epsilon=1, delta=1e-6, bounds=(-1, 1), classes=[-1, 1]).fit(X, y)
    model.predict(X), model.decision_function(X), model.privacy_

The command `assay`, which comes with this package, learns and predicts, in exact arithmetic and with exact noise. Neither
scikit-learn nor numpy is needed; where they are, the estimators are scikit-learn's, and what they return are arrays.
"""

import fractions
import warnings

from . import learners, records
from .assertions import _number

__all__ = ["NotPrivateWarning", "PrivateClassifier", "PrivateRegressor"]

#: Options of the command that are arguments here, or are not for a program that learns.
_OURS = (
    "box category clip columns delta drop epsilon force format intercept label label-box libsvm negative out positive seed "
    "separator unsafe-report"
).split()


class NotPrivateWarning(UserWarning):
    """A model is made that is not private."""


class _Private(records.BaseEstimator):
    """What both estimators share."""

    def _budget(self):
        """Epsilon and delta, for the command."""
        if self.epsilon is None:
            raise ValueError("epsilon= must be given: the privacy parameter, above 0, such as 1")
        return _number("epsilon", self.epsilon), _number("delta", self.delta)

    def _learn(self, task, rows, labels, intervals, options):
        epsilon, delta = self._budget()
        learner = self.learner
        if learner is None:
            # It may be one that spends no delta.
            learner, delta = learners.advised(task, len(rows), len(intervals), epsilon, delta)
        options = ["--epsilon=" + epsilon, *options(learner), *_arguments(self.options)]
        if delta != "0":
            options.append("--delta=" + delta)
        if self.seed is not None:
            options.append("--seed=%d" % self.seed)
            said = "seed= is for tests alone: its coins can be drawn again, so that this model is NOT private"
            warnings.warn(said, NotPrivateWarning, stacklevel=3)
        self.model_, report = learners.learn(learner, rows, labels, intervals, options)
        self.learner_ = learner
        self.privacy_ = _privacy(self.model_)
        self.bound_ = (report.get("bound") or {}).get("statement")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.non_deterministic = self.seed is None
        return tags


class PrivateClassifier(records.ClassifierMixin, _Private):
    """Two classes, learned with (epsilon, delta)-differential privacy under substitution of one record.

    Everything here must be chosen without looking at the records, and is published with the model: so nothing is read from
    the data, and what is missing is refused.

    epsilon        the privacy parameter, above 0; to be given. Numbers are exact: an int, a Fraction, a text such as "1/3",
                   and 0.1 is one tenth
    delta          0, or the privacy parameter, below 1; with one more learners can be taken
    bounds         (lower, upper), each a number or one number a feature; to be given. Values beyond are clipped
    classes        the two labels, the positive one last; to be given. Another label in `y` is refused
    learner        its name, as `assay help learn` lists them; None takes what `assay learn --advise` says of the number of
                   records and features, epsilon and delta
    margin         the margin that the learner is told, in (0, 1]. Privacy does not depend on it
    fit_intercept  whether a constant is added to the features
    options        other options of the learner by name, such as {"lambda": "1/100"} or {"choose_margin": True}
    seed           coins that can be drawn again, for tests: the model is NOT private, and a warning says so

    After `fit`: `classes_`; `learner_`; `model_`, what the model file has, which may be published; `privacy_`, its epsilon,
    delta, neighbours, noise, coins and statement; `bound_`, what a theorem promises of the error. A fit spends its epsilon
    and delta each time: they add up, in a grid search and a cross-validation too. `score` is computed without noise: to
    publish it costs privacy, unless its records are public.
    """

    def __init__(
        self,
        epsilon=None,
        delta=0,
        bounds=None,
        classes=None,
        learner=None,
        margin=0.05,
        fit_intercept=True,
        options=None,
        seed=None,
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.bounds = bounds
        self.classes = classes
        self.learner = learner
        self.margin = margin
        self.fit_intercept = fit_intercept
        self.options = options
        self.seed = seed

    def fit(self, X, y):
        """Learns from the rows of X and their labels y."""
        self._budget()
        _pair("bounds", self.bounds, _WHY_BOUNDS)
        classes = self._classes(y)
        rows, labels = records.training(self, X, y, of_numbers=False)
        if any(label != classes[0] and label != classes[1] for label in labels):
            said = "Only binary classification is supported. y must have no other labels than those of classes=, %r and %r"
            raise ValueError(said % classes)
        names = [learners.POSITIVE if label == classes[1] else learners.NEGATIVE for label in labels]
        self._learn("classes", rows, names, _intervals(self.bounds, self.n_features_in_), self._options)
        self.classes_ = records.array(classes)
        return self

    def predict(self, X):
        """The class of each row of X: the positive one where the score is above 0, otherwise the other."""
        rows = records.new(self, X)
        said = learners.predict(self.model_, rows)
        return records.array([self.classes_[int(label == learners.POSITIVE)] for label in said])

    def decision_function(self, X):
        """The score of each row of X: larger where the positive class is likelier, above 0 where it is predicted."""
        rows = records.new(self, X)
        return records.array(learners.predict(self.model_, rows, with_scores=True))

    def _classes(self, _y):
        """The two labels. They are public, and so not those that occur."""
        why = "the two labels, the positive one last. Those that occur in the data are as private as the data"
        classes = _pair("classes", self.classes, why)
        if classes[0] == classes[1]:
            raise ValueError("classes= must be two different labels, got %r twice" % (classes[0],))
        return classes

    def _options(self, learner):
        """The arguments for this learner."""
        options = ["--positive=" + learners.POSITIVE, "--negative=" + learners.NEGATIVE]
        options += ["--intercept"] if self.fit_intercept else []
        margin = {"halfspaces": "--gamma=", "margin": "--margin="}.get(learner.partition("-")[0])
        if margin and "choose-margin" not in _names(self.options):
            options.append(margin + _number("margin", self.margin))
        return options

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class PrivateRegressor(records.RegressorMixin, _Private):
    """Numbers, learned with (epsilon, delta)-differential privacy under substitution of one record.

    Everything here must be chosen without looking at the records, as of `PrivateClassifier`, where epsilon, bounds, learner,
    options and seed are explained.

    delta         the privacy parameter, in (0, 1); to be given
    label_bounds  (lower, upper), the interval of the labels; to be given. Labels beyond are clipped

    After `fit`: `learner_`, `model_`, `privacy_` and `bound_`. A budget that is too small for the number of records is refused,
    before anything is spent, unless options={"accept_noise": True}.
    """

    def __init__(
        self, epsilon=None, delta=None, bounds=None, label_bounds=None, learner=None, options=None, seed=None
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.bounds = bounds
        self.label_bounds = label_bounds
        self.learner = learner
        self.options = options
        self.seed = seed

    def fit(self, X, y):
        """Learns from the rows of X and their labels y."""
        if self.delta is None:
            raise ValueError("delta= must be given: learners of numbers have one, in (0, 1), such as 1e-6")
        self._budget()
        _pair("bounds", self.bounds, _WHY_BOUNDS)
        _pair("label_bounds", self.label_bounds, "(lower, upper). " + _NOT_OF_THE_DATA)
        [ends] = _intervals(self.label_bounds, 1, "label_bounds")
        rows, labels = records.training(self, X, y, of_numbers=True)
        intervals = _intervals(self.bounds, self.n_features_in_)
        self._learn("numbers", rows, map(repr, labels), intervals, lambda _learner: ["--label-box=%s:%s" % ends])
        return self

    def predict(self, X):
        """The number that is predicted for each row of X."""
        rows = records.new(self, X)
        return records.array([float(label) for label in learners.predict(self.model_, rows)])


_NOT_OF_THE_DATA = (
    "It is published with the model, and the noise is made for it: the least and the largest value of the data would tell of "
    "their records. Take what is known without them"
)
_WHY_BOUNDS = "(lower, upper), each a number or one number a feature. " + _NOT_OF_THE_DATA


def _pair(name, given, why):
    """What was given, two of them."""
    if given is None:
        raise ValueError("%s= must be given: %s" % (name, why))
    try:
        first, second = given
    except (TypeError, ValueError):
        raise ValueError("%s= must be two, got %r: %s" % (name, given, why)) from None
    return first, second


def _intervals(bounds, count, name="bounds"):
    """The ends of the interval of each of `count` features, as texts."""
    ends = []
    for end in bounds:
        several = list(end) if hasattr(end, "__iter__") and not isinstance(end, str) else [end] * count
        if len(several) != count:
            raise ValueError("%s= must be numbers, or have one for each of %d features, got %d" % (name, count, len(several)))
        ends.append([_number(name, value) for value in several])
    for lower, upper in zip(*ends):
        if fractions.Fraction(lower) >= fractions.Fraction(upper):
            raise ValueError("%s= must have each lower end below the upper one, got %s and %s" % (name, lower, upper))
    return list(zip(*ends))


def _names(options):
    return [name.replace("_", "-") for name in options or {}]


def _arguments(options):
    """Options of the command, as it takes them."""
    arguments = []
    for name, value in zip(_names(options), (options or {}).values()):
        if name in _OURS:
            raise ValueError("options= must not have %r: it is an argument of its own, or not for a program" % name)
        if value is True:
            arguments.append("--" + name)
        elif value is not False and value is not None:
            arguments.append("--%s=%s" % (name, value if isinstance(value, str) else _number(name, value)))
    return arguments


def _privacy(model):
    """What the model file says of privacy, and of the noise: nothing where a model is chosen among candidates."""
    noise = {name: value for name, value in model["parameters"].items() if "noise" in name}
    return {**model["privacy"], "noise": noise}
