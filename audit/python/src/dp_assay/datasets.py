"""Datasets of Python as the auditor sees them, and back.

Plain data (lists, dicts, numbers, texts, truth values, None) and numpy arrays of numbers reach the auditor as they are: it
checks that they are neighbours, and may ask about smaller ones. JSON has no NaN and no infinities: there they are
{"float": "nan"}, also in the description of a domain, and the function gets the float. Of anything else (a data frame, a tuple, an object of
yours) it sees only which of the two it is. That they are neighbours is then your word, and the pair stays as it is.
"""

import copy
import json
import pickle
import struct
import sys

from .errors import AssayError


class Datasets:
    """Datasets that are neighbours, or one alone."""

    def __init__(self, *datasets):
        self._arrays = None
        self._kept = None
        #: What an error calls them.
        self.names = ["the first dataset", "the second dataset"] if len(datasets) == 2 else ["the dataset"]
        if all(_is_plain(data) for data in datasets):
            shown = datasets
        elif _are_arrays(datasets):
            self._arrays = datasets[0]
            shown = [data.tolist() for data in datasets]
        else:
            self._kept = dict(zip(self.names, datasets))
            shown = self.names
        #: As JSON, for the auditor.
        self.texts = [json.dumps(_written(data)) for data in shown]

    @property
    def are_shown(self):
        """Whether the auditor sees what is in them."""
        return self._kept is None

    def given(self, data):
        """The dataset for the function, from what the auditor asks about: a new one each time."""
        if self._kept is not None:
            original = self._kept[data]
            try:
                return copy.deepcopy(original)
            except Exception:
                # Not everything can be copied.
                return original
        if self._arrays is not None:
            import numpy

            like = self._arrays
            return numpy.array(data, dtype=like.dtype).reshape((len(data),) + like.shape[1:])
        # Faster than a deep copy. This is plain data.
        return pickle.loads(pickle.dumps(data))

    def check_unchanged(self, given, data):
        """Refuses a function that changed the dataset that it was given: its next answer would be about another one."""
        if self._kept is not None:
            return
        now = given if self._arrays is None else given.tolist()
        # As texts, since NaN is not equal to itself.
        if repr(now) != repr(data):
            raise AssayError(
                "the function changed its dataset, so that its answers are about different ones: copy what you change"
            )


class Domain(Datasets):
    """All datasets of a description, as in `assay audit --help`: lists of records, which the auditor chooses."""

    def __init__(self, description):
        super().__init__(description)
        self.names = ["domain="]
        if not self.are_shown:
            raise TypeError("a domain is described by a dict of plain data, got %r" % (description,))


def _is_plain(value):
    """Whether JSON gives it back as it is."""
    kind = type(value)
    if value is None or kind is bool:
        return True
    if kind is int:
        return -(2**63) <= value < 2**64
    if kind is float:
        return True
    if kind is str:
        return not any("\ud800" <= letter <= "\udfff" for letter in value)
    if kind is list:
        return all(map(_is_plain, value))
    if kind is dict:
        return all(type(name) is str and _is_plain(name) for name in value) and all(map(_is_plain, value.values()))
    return False


def _written(value):
    """The same in JSON, which has no NaN and no infinities."""
    if type(value) is float and value - value != 0:
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        return {"float": value.hex() if value == value else "nan:%#x" % bits}
    if type(value) is list:
        return [_written(item) for item in value]
    if type(value) is dict:
        return {name: _written(item) for name, item in value.items()}
    return value


def decoded(fields):
    """An object of a request: the float that it stands for, or itself."""
    text = fields.get("float")
    if len(fields) != 1 or type(text) is not str:
        return fields
    if text.startswith("nan:"):
        return struct.unpack("<d", struct.pack("<Q", int(text[4:], 16)))[0]
    return float.fromhex(text)


def _are_arrays(datasets):
    numpy = sys.modules.get("numpy")
    if numpy is None or not all(type(data) is numpy.ndarray for data in datasets):
        return False
    first = datasets[0]
    return all(
        data.dtype == first.dtype
        and data.dtype.kind in "biuf"
        and data.dtype.itemsize <= 8
        and data.ndim >= 1
        and data.shape[1:] == first.shape[1:]
        and bool(numpy.isfinite(data).all())
        for data in datasets
    )
