"""Outputs become lines exactly: what differs gives two lines, and every line is JSON in ASCII."""

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import json
import struct
import warnings

import pytest

from dp_assay.outputs import encode, exception


def double(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


@dataclasses.dataclass
class Released:
    mean: float
    count: int


class Colour(enum.Enum):
    RED = 1


class Rank(enum.IntEnum):
    FIRST = 1


Point = collections.namedtuple("Point", "x y")

PLAIN = [
    (3, "3"),
    (-(10**40), "-1" + 40 * "0"),
    (True, "true"),
    (None, "null"),
    (0.1, '"0x1.999999999999ap-4"'),
    (-0.0, '"-0x0.0p+0"'),
    (5e-324, '"0x0.0000000000001p-1022"'),
    (float("inf"), '"inf"'),
    (float("nan"), '"nan"'),
    (double(0xFFF8000000000001), '"nan:0xfff8000000000001"'),
    ("yes", '"yes"'),
    ("inf", '"=inf"'),
    ("=inf", '"==inf"'),
    ("0x1.8p+0", '"=0x1.8p+0"'),
    ("nan:0x7ff8000000000001", '"=nan:0x7ff8000000000001"'),
    ("Infinity", '"Infinity"'),
    ("é", r'"\u00e9"'),
    ("\ud800", '{"utf-16": "d800"}'),
    (b"\x00\xff", '{"bytes": "00ff"}'),
    ([1, [None, 0.5]], '[1,[null,"0x1.0000000000000p-1"]]'),
    ((1, 2), "[1,2]"),
    (range(3), "[0,1,2]"),
    (Point(1, 2), "[1,2]"),
    ({"b": 1, "a": {}}, '{"b":1,"a":{}}'),
    ({1: 2, None: 3}, '{"1":2,"None":3}'),
    ({1: 2, "1": 3}, '{"pairs": [[1,2],["1",3]]}'),
    ({"error": "e"}, '{"=error":"e"}'),
    ({"=error": "e"}, '{"==error":"e"}'),
    ({"bytes": "00ff"}, '{"=bytes":"00ff"}'),
    ({"error": "e", "a": 1}, '{"error":"e","a":1}'),
    ({(1, 2): 3}, '{"[1,2]":3}'),
    ({8, 1}, '{"set": [1,8]}'),
    (1 + 2j, '{"complex":["0x1.0000000000000p+0","0x1.0000000000000p+1"]}'),
    (fractions.Fraction(1, 3), '{"fraction":[1,3]}'),
    (decimal.Decimal("1.0"), '{"decimal":"1.0"}'),
    (datetime.date(2020, 1, 2), '{"date":"2020-01-02"}'),
    (datetime.timedelta(1), '{"time":[1,0,0]}'),
    (Released(0.5, 2), '{"mean":"0x1.0000000000000p-1","count":2}'),
    (Colour.RED, '"Colour.RED"'),
    (Rank.FIRST, None),
]


@pytest.mark.parametrize("value, line", PLAIN, ids=[str(place) for place in range(len(PLAIN))])
def test_a_plain_output_is_the_line_of_the_table(value, line):
    if line is not None:
        assert encode(value) == line
    json.loads(encode(value))
    assert encode(value).isascii()


def test_outputs_that_differ_give_lines_that_differ():
    # A tuple with names is one without.
    lines = [line for value, line in PLAIN if line is not None and not isinstance(value, Point)]
    assert len(set(lines)) == len(lines)


def test_an_integer_longer_than_python_prints_is_whole():
    line = encode(7 * 10**5000)
    assert line == "7" + 5000 * "0"


def test_an_output_of_an_unknown_type_is_refused_and_no_output():
    for value in [object(), lambda: 1, Released]:
        with pytest.raises(TypeError, match="an output is a number"):
            encode(value)


def test_an_exception_is_its_type_and_message():
    assert exception(ZeroDivisionError("no")) == '{"error": "ZeroDivisionError: no"}'
    assert json.loads(exception(ValueError("\ud800")))["error"].startswith("ValueError: ")

    class Bad(Exception):
        def __str__(self):
            raise KeyError

    assert "cannot be made: KeyError" in exception(Bad())


def test_numpy_is_exact():
    numpy = pytest.importorskip("numpy")
    tenth = numpy.float32(0.1)
    cases = [
        (numpy.float64(0.1), encode(0.1)),
        (tenth, encode(float(tenth))),
        (numpy.int8(-3), "-3"),
        (numpy.uint64(2**64 - 1), str(2**64 - 1)),
        (numpy.bool_(True), "true"),
        (numpy.str_("inf"), '"=inf"'),
        (numpy.bytes_(b"a"), '{"bytes": "61"}'),
        (numpy.array(3), "3"),
        (numpy.array([0.1, -0.0]), '["0x1.999999999999ap-4","-0x0.0p+0"]'),
        (numpy.array([[1, 2], [3, 4]]), "[[1,2],[3,4]]"),
        (numpy.array([], dtype=float), "[]"),
        (numpy.array([1, None, "a"], dtype=object), '[1,null,"a"]'),
        (numpy.array(["inf", "a"]), '["=inf","a"]'),
        (numpy.array([1 + 2j]), "[" + encode(1 + 2j) + "]"),
        (numpy.datetime64("2020-01-02"), '{"date":"2020-01-02"}'),
        (numpy.array(["2020-01-02", "NaT"], dtype="datetime64[ns]"), None),
        (numpy.ma.masked_array([1, 2], mask=[False, True]), "[1,null]"),
        (numpy.array([(1, 0.5)], dtype=[("a", int), ("b", float)]), '[[1,"0x1.0000000000000p-1"]]'),
        ({"a": numpy.int64(1)}, '{"a":1}'),
        ({numpy.int64(1): 2}, '{"1":2}'),
    ]
    for value, line in cases:
        assert line is None or encode(value) == line, value
        json.loads(encode(value))
    payload = numpy.array([0x7FF8000000000123], dtype=numpy.uint64).view(numpy.float64)
    assert encode(payload) == '["nan:0x7ff8000000000123"]'
    assert encode(payload[0]) == '"nan:0x7ff8000000000123"'


def test_numpy_long_doubles_keep_what_doubles_lose():
    numpy = pytest.importorskip("numpy")
    if numpy.finfo(numpy.longdouble).nmant <= 52:
        pytest.skip("long doubles are doubles here")
    one = numpy.longdouble(1)
    more = one + numpy.finfo(numpy.longdouble).eps
    assert encode(one) != encode(more)
    assert encode(numpy.array([more])) == "[" + encode(more) + "]"
    assert encode(numpy.longdouble(0)) != encode(-numpy.longdouble(0))


def test_pandas_is_exact():
    pandas = pytest.importorskip("pandas")
    cases = [
        (pandas.Series([1, 2]), "[1,2]"),
        (pandas.Series([0.5, None]), '["0x1.0000000000000p-1","nan"]'),
        (pandas.Series([1, None], dtype="Int64"), '[1,{"missing":"<NA>"}]'),
        (pandas.Series([1, 2], index=["a", "b"]), '{"a":1,"b":2}'),
        (pandas.Series([1, 2], index=["a", "a"]), '{"pairs": [["a",1],["a",2]]}'),
        (pandas.Series([1, 2], index=[5, 7]), '{"5":1,"7":2}'),
        (pandas.Series(["x", "inf"]), '["x","=inf"]'),
        (pandas.DataFrame({"a": [1, 2], "b": [0.5, -0.0]}), '{"a":[1,2],"b":["0x1.0000000000000p-1","-0x0.0p+0"]}'),
        (pandas.DataFrame({"a": [1]}, index=["r"]), '{"index":["r"],"columns":{"a":[1]}}'),
        (pandas.DataFrame([[1, 2]], columns=["a", "a"]), '{"pairs": [["a",[1]],["a",[2]]]}'),
        (pandas.Index([1, 2]), "[1,2]"),
        (pandas.Timestamp("2020-01-02"), '{"date":"2020-01-02T00:00:00"}'),
        (pandas.NaT, '{"missing":"NaT"}'),
        (pandas.Series(["a", "b"], dtype="category"), '["a","b"]'),
    ]
    for value, line in cases:
        assert encode(value) == line, value
    json.loads(encode(pandas.Series(pandas.to_datetime(["2020-01-02", None]))))


def test_arrow_is_exact():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pyarrow = pytest.importorskip("pyarrow")
    cases = [
        (pyarrow.array([1, None]), "[1,null]"),
        (pyarrow.array([0.1, None, float("nan")]), '["0x1.999999999999ap-4",null,"nan"]'),
        (pyarrow.chunked_array([[1], [2]]), "[1,2]"),
        (pyarrow.table({"a": [1, 2], "b": ["x", None]}), '{"a":[1,2],"b":["x",null]}'),
        (pyarrow.record_batch({"a": [True]}), '{"a":[true]}'),
        (pyarrow.scalar(3), "3"),
        (pyarrow.array([{"x": 1}]), '[{"x":1}]'),
        (pyarrow.array([b"a"]), '[{"bytes": "61"}]'),
        (pyarrow.array([1], type=pyarrow.timestamp("ns")), '["1970-01-01 00:00:00.000000001"]'),
    ]
    for value, line in cases:
        assert encode(value) == line, value


def test_nothing_is_imported_that_the_outputs_did_not_bring():
    import os
    import subprocess
    import sys

    import dp_assay

    here = os.path.dirname(os.path.dirname(dp_assay.__file__))
    program = (
        "import sys; sys.path.insert(0, %r); import dp_assay; from dp_assay.outputs import encode; "
        "encode([1, 0.5, {'a': 'b'}]); "
        "assert not {'numpy', 'pandas', 'pyarrow', 'pytest'} & set(sys.modules), 'imported'" % here
    )
    subprocess.run([sys.executable, "-S", "-c", program], check=True)
