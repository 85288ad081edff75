"""Outputs of Python functions as lines of the audit protocol, exactly: two outputs that differ give two texts.

| output | line |
|---|---|
| bool, None, int of any size | themselves |
| float, numpy's floats | its bits in hexadecimal, those of a NaN too |
| str | itself; one that looks like a float, such as "inf", gets a "=" before it |
| bytes | {"bytes": hexadecimal digits} |
| list, tuple, numpy array, pandas Index, Arrow array | an array |
| dict, dataclass, pandas Series with an index of its own, Arrow table | an object, in its order; keys by their text |
| pandas DataFrame | an object of its columns, with its index if it has one of its own |
| set | {"set": its members in a fixed order}: a set has none |
| complex, Fraction, Decimal, dates | an object with one name that says what it is |

What is not a value, such as the type int8 of a numpy array, is no part of the output. numpy, pandas and Arrow are not
imported here: a value of theirs brings them along.
"""

import dataclasses
import datetime
import decimal
import enum
import fractions
import json
import re
import struct
import sys

#: What the protocol reads as a float.
_FLOAT = re.compile(r"=*(-?inf|nan|nan:0x.*|-?0x[0-9a-fA-F]*\.?[0-9a-fA-F]*p[-+]?[0-9]+)\Z", re.DOTALL)

#: The names that mean something else in the protocol where they stand alone in an object.
_ALONE = ("error", "trace", "bytes")

#: The bits of the usual NaN.
_USUAL_NAN = 0x7FF8_0000_0000_0000

_quoted = json.JSONEncoder(ensure_ascii=True).encode


def encode(value):
    """The line for an output, in ASCII and without its end. TypeError if the output has a type that is not in the table."""
    encoder = _EXACT.get(type(value))
    return encoder(value) if encoder is not None else _other(value)


def exception(error):
    """The line for an exception: its type and its message are what a mechanism releases by it."""
    try:
        text = str(error)
    except Exception as second:
        text = "a message that cannot be made: " + type(second).__name__
    text = "%s: %s" % (type(error).__name__, text)
    # Half of a pair of surrogates is no text of JSON.
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "backslashreplace")
    return '{"error": %s}' % _quoted(text)


def _float(value):
    if value == value:
        return '"%s"' % value.hex()
    (bits,) = struct.unpack("<Q", struct.pack("<d", value))
    return '"nan"' if bits == _USUAL_NAN else '"nan:%#x"' % bits


def _integer(value):
    try:
        return int.__repr__(value)
    except ValueError:
        # Longer than Python prints by itself.
        return format(decimal.Decimal(int(value)), "f")


def _text(value):
    value = str(value)
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return '{"utf-16": "%s"}' % value.encode("utf-16-be", "surrogatepass").hex()
    return _quoted("=" + value if _FLOAT.match(value) else value)


def _array(values):
    return "[%s]" % ",".join(map(encode, values))


def _bytes(value):
    return '{"bytes": "%s"}' % bytes(value).hex()


def _set(values):
    return '{"set": [%s]}' % ",".join(sorted(map(encode, values)))


def _name(key):
    if isinstance(key, str) and not isinstance(key, enum.Enum):
        return str(key)
    if key is None or isinstance(key, (bool, int, float)) or type(key).__module__ == "numpy":
        return str(key)
    line = encode(key)
    return json.loads(line) if line.startswith('"') else line


def _object(pairs):
    """An object. If two keys have one text, an array of pairs."""
    pairs = list(pairs)
    try:
        names = [_name(key) for key, _ in pairs]
        for name in names:
            name.encode("utf-8")
        distinct = len(set(names)) == len(names)
    except UnicodeEncodeError:
        distinct = False
    if not distinct:
        return '{"pairs": [%s]}' % ",".join("[%s,%s]" % (encode(key), encode(value)) for key, value in pairs)
    if len(names) == 1 and names[0].lstrip("=") in _ALONE:
        names[0] = "=" + names[0]
    return "{%s}" % ",".join("%s:%s" % (_quoted(name), encode(value)) for name, (_, value) in zip(names, pairs))


def _named(name, value):
    return "{%s:%s}" % (_quoted(name), value)


_EXACT = {
    bool: lambda value: "true" if value else "false",
    type(None): lambda value: "null",
    int: _integer,
    float: _float,
    str: _text,
    bytes: _bytes,
    list: _array,
    tuple: _array,
    dict: lambda value: _object(value.items()),
}


def _other(value):
    """An output of a type that is not one of the plain ones."""
    for library, convert in _LIBRARIES:
        module = sys.modules.get(library)
        if module is not None:
            line = convert(module, value)
            if line is not None:
                return line
    if isinstance(value, enum.Enum):
        return _text(str(value))
    if isinstance(value, bool):
        return "true" if value else "false"
    for kind, encoder in [(int, _integer), (float, _float), (str, _text)]:
        if isinstance(value, kind):
            return encoder(kind(value) if kind is not float else float(value))
    if isinstance(value, complex):
        return _named("complex", _array([value.real, value.imag]))
    if isinstance(value, fractions.Fraction):
        return _named("fraction", _array([value.numerator, value.denominator]))
    if isinstance(value, decimal.Decimal):
        return _named("decimal", _quoted(str(value)))
    if isinstance(value, (bytearray, memoryview, bytes)):
        return _bytes(value)
    if isinstance(value, (list, tuple, range)):
        return _array(value)
    if isinstance(value, (set, frozenset)):
        return _set(value)
    if hasattr(value, "items") and hasattr(value, "keys"):
        return _object(value.items())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _object((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
    if isinstance(value, (datetime.date, datetime.time)):
        return _named("date", _quoted(value.isoformat()))
    if isinstance(value, datetime.timedelta):
        return _named("time", _array([value.days, value.seconds, value.microseconds]))
    raise TypeError(
        "an output is a number, a text, bytes, None, a list, a tuple, a set, a dict, a dataclass, a date, or an array or "
        "table of numpy, pandas or Arrow; got %s.%s" % (type(value).__module__, type(value).__qualname__)
    )


def _numpy(numpy, value):
    if isinstance(value, numpy.ma.MaskedArray):
        return _array(None if masked else item for item, masked in _masked(numpy, value))
    if isinstance(value, numpy.ndarray):
        if value.ndim == 0:
            return encode(value[()])
        if value.dtype.kind in "biuUSO" or (value.dtype.kind == "f" and value.dtype.itemsize <= 8):
            return _array(value.tolist())
        # Of others tolist() gives types that are not exact, or not plain.
        return _array(value)
    if isinstance(value, numpy.generic):
        kind = value.dtype.kind
        if kind == "f" and value.dtype.itemsize > 8:
            if not numpy.isfinite(value):
                return _float(float(value))
            zero = "-0" if numpy.signbit(value) and value == 0 else None
            return _named("long double", _array(value.as_integer_ratio()) if zero is None else _quoted(zero))
        if kind == "c":
            return _named("complex", _array([value.real, value.imag]))
        if kind in "Mm":
            return _named("date" if kind == "M" else "time", _quoted(str(value)))
        if kind == "V":
            return _array(value[name] for name in value.dtype.names) if value.dtype.names else _bytes(value.tobytes())
        return encode(value.item())
    return None


def _masked(numpy, value):
    """The entries of a masked array, each with whether all of it is masked."""
    mask = numpy.ma.getmaskarray(value)
    return [(value[place], value.ndim == 1 and bool(mask[place])) for place in range(len(value))]


def _pandas(pandas, value):
    if value is pandas.NA or value is pandas.NaT:
        return _named("missing", _quoted(str(value)))
    if isinstance(value, (pandas.Timestamp, pandas.Timedelta)):
        return _named("date" if isinstance(value, pandas.Timestamp) else "time", _quoted(value.isoformat()))
    if isinstance(value, (pandas.Period, pandas.Interval)):
        return _named("date" if isinstance(value, pandas.Period) else "interval", _quoted(str(value)))
    if isinstance(value, pandas.Series):
        if _counts(pandas, value.index):
            return _array(_entries(value))
        return _object(zip(value.index.tolist(), _entries(value)))
    if isinstance(value, pandas.DataFrame):
        # By place: names may come twice.
        columns = _object((name, list(_entries(value.iloc[:, place]))) for place, name in enumerate(value.columns.tolist()))
        if _counts(pandas, value.index):
            return columns
        return '{"index":%s,"columns":%s}' % (_array(value.index.tolist()), columns)
    if isinstance(value, (pandas.Index, pandas.api.extensions.ExtensionArray)):
        return _array(_entries(value))
    return None


def _counts(pandas, index):
    """Whether an index says nothing: 0, 1, 2 and so on."""
    return isinstance(index, pandas.RangeIndex) and index.start == 0 and index.step == 1


def _entries(column):
    """The entries of a column, one by one; of floats with their bits."""
    kind = getattr(column.dtype, "kind", "O")
    if isinstance(kind, str) and kind == "f" and hasattr(column.dtype, "itemsize") and hasattr(column, "to_numpy"):
        values = column.to_numpy()
        if values.dtype.kind == "f":
            return values.tolist() if values.dtype.itemsize <= 8 else list(values)
    return list(column)


def _arrow(pyarrow, value):
    if isinstance(value, (pyarrow.Array, pyarrow.ChunkedArray)):
        if pyarrow.types.is_temporal(value.type):
            return _array(value.cast(pyarrow.string()).to_pylist())
        return _array(value.to_pylist())
    if isinstance(value, (pyarrow.Table, pyarrow.RecordBatch)):
        return _object(zip(value.schema.names, (value.column(place) for place in range(value.num_columns))))
    if isinstance(value, pyarrow.Scalar):
        if pyarrow.types.is_temporal(value.type):
            return encode(value.cast(pyarrow.string()).as_py())
        return encode(value.as_py())
    return None


#: Arrow and pandas first: a pandas Timestamp is a date of Python, too.
_LIBRARIES = [("pyarrow", _arrow), ("pandas", _pandas), ("numpy", _numpy)]
