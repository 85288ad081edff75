"""What stands between this package and scikit-learn and numpy, which it can do without: the base classes of estimators, and
records as lists of floats. Where scikit-learn 1.6 or later is there, it checks them and says what is wrong with them.
"""

import math

try:
    import numpy
except ImportError:
    numpy = None

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data

    HAS_SKLEARN = True
except ImportError:
    HAS_SKLEARN = False

    class BaseEstimator:
        """In the place of scikit-learn's."""

    class ClassifierMixin:
        """In the place of scikit-learn's."""

    class RegressorMixin:
        """In the place of scikit-learn's."""


#: It learns from so many records at least.
_LEAST = 2

#: The command reads numbers of this size.
_SMALLEST, _LARGEST = 1e-300, 1e300


def training(estimator, X, y, of_numbers):
    """The rows of X, and y as a list; sets `n_features_in_`. `of_numbers` says whether labels are numbers."""
    if HAS_SKLEARN:
        X, y = validate_data(estimator, X, y, dtype="float64", y_numeric=of_numbers, ensure_min_samples=_LEAST)
        if not of_numbers:
            check_classification_targets(y)
        rows, labels = X.tolist(), y.tolist()
    else:
        rows, labels = _rows(X), list(y)
        if len(rows) != len(labels) or len(rows) < _LEAST:
            raise ValueError("X and y must have as many rows, at least %d, got %d and %d" % (_LEAST, len(rows), len(labels)))
        estimator.n_features_in_ = len(rows[0])
    if of_numbers:
        labels = [_within_reach(_finite(label)) for label in labels]
    return [[_within_reach(value) for value in row] for row in rows], labels


def new(estimator, X):
    """The rows of X, to predict for."""
    if HAS_SKLEARN:
        check_is_fitted(estimator, "model_")
        rows = validate_data(estimator, X, dtype="float64", reset=False).tolist()
    else:
        if not hasattr(estimator, "model_"):
            raise ValueError("this %s is not fitted yet: call fit first" % type(estimator).__name__)
        rows = _rows(X)
        if len(rows[0]) != estimator.n_features_in_:
            raise ValueError("X must have %d features, got %d" % (estimator.n_features_in_, len(rows[0])))
    return [[_within_reach(value) for value in row] for row in rows]


def array(values):
    """An array of numpy, if it is there; otherwise a list."""
    return list(values) if numpy is None else numpy.asarray(values)


def _rows(X):
    # Whoever goes through a table of pandas goes through the names of its columns.
    if hasattr(X, "to_numpy"):
        X = X.to_numpy()
    rows = [[_finite(value) for value in row] for row in X]
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise ValueError("X must have at least one row, and all rows as many features, at least one")
    return rows


def _finite(value):
    value = float(value)
    if not math.isfinite(value):
        raise ValueError("values must be finite numbers: NaN and infinity are not")
    return value


def _within_reach(value):
    """The value, or the nearest one of those that the command reads."""
    if abs(value) < _SMALLEST:
        return 0.0
    return max(-_LARGEST, min(_LARGEST, value))
