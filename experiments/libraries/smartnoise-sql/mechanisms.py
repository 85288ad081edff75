"""Queries of SmartNoise SQL on a table of people, one row each. A dataset is a list of values of the column x."""

import pandas as pd
import snsql
from named import start


def answers(query):
    """All rows that a query answers. The table is made once for each dataset."""
    metadata = {"": {"public": {"people": {
        "row_privacy": True, "rows": 100, "x": {"type": "int", "lower": 0, "upper": 4}}}}}
    readers = {}

    def release(data):
        key = tuple(data)
        if key not in readers:
            table = pd.DataFrame({"x": pd.Series(data, dtype="int64")})
            readers[key] = snsql.from_df(table, metadata=metadata, privacy=snsql.Privacy(epsilon=1.0, delta=0.01))
        return [[int(value) for value in row] for row in readers[key].execute(query)[1:]]

    return release


def count():
    return answers("SELECT COUNT(*) FROM public.people")


def total():
    return answers("SELECT SUM(x) FROM public.people")


def groups():
    return answers("SELECT x, COUNT(*) FROM public.people GROUP BY x")


if __name__ == "__main__":
    start(globals())
