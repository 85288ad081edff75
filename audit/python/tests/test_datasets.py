"""What the auditor sees of a dataset, and what the function is given."""

import json

import pytest

from dp_assay.datasets import Datasets, decoded
from dp_assay.errors import AssayError


def test_plain_data_is_shown_as_it_is():
    data = [[0, 1.5, "a", None, True, {"b": []}]]
    datasets = Datasets(data, [[]])
    assert datasets.are_shown
    assert json.loads(datasets.texts[0]) == data
    assert datasets.given([3]) == [3]


@pytest.mark.parametrize("data", [(1, 2), [(1,)], [2**64], {1: 2}, object(), "\ud800", [b"a"]])
def test_other_data_is_not_shown_and_the_function_gets_the_same(data):
    datasets = Datasets(data, [0])
    assert not datasets.are_shown
    first, second = map(json.loads, datasets.texts)
    assert first != second
    given = datasets.given(first)
    assert type(given) is type(data)
    assert datasets.given(second) == [0]
    # A new one each time.
    assert datasets.given(second) is not datasets.given(second)


def test_floats_that_json_does_not_have_are_shown_and_given_back():
    nan, inf = float("nan"), float("inf")
    datasets = Datasets([nan, {"a": [inf, -inf]}], [0])
    assert datasets.are_shown
    shown = json.loads(datasets.texts[0])
    assert shown == [{"float": "nan:0x7ff8000000000000"}, {"a": [{"float": "inf"}, {"float": "-inf"}]}]
    asked = json.loads(datasets.texts[0], object_hook=decoded)
    given = datasets.given(asked)
    assert repr(given) == repr([nan, {"a": [inf, -inf]}])
    datasets.check_unchanged(given, asked)
    given[0] = 1.0
    with pytest.raises(AssayError, match="changed its dataset"):
        datasets.check_unchanged(given, asked)


def test_arrays_are_shown_and_given_back_with_their_type_and_shape():
    numpy = pytest.importorskip("numpy")
    first = numpy.array([[0.1, 2], [3, 4]], dtype=numpy.float32)
    datasets = Datasets(first, first[:1])
    assert datasets.are_shown
    given = datasets.given(json.loads(datasets.texts[0]))
    assert given.dtype == first.dtype and (given == first).all()
    # Also when all rows are gone.
    assert datasets.given([]).shape == (0, 2)
    for other in [first.astype(float), first[:, :1], numpy.array([[numpy.nan, 0]], dtype=numpy.float32)]:
        assert not Datasets(first, other).are_shown


def test_a_function_that_changes_its_dataset_is_noticed():
    datasets = Datasets([1, 2], [1, 3])
    asked = [1, 2]
    given = datasets.given(asked)
    datasets.check_unchanged(given, asked)
    given.pop()
    with pytest.raises(AssayError, match="changed its dataset"):
        datasets.check_unchanged(given, asked)
