"""Queries of the first SmartNoise SQL on a table of people, one row each. A dataset is a list of values of the column x, whose
bounds nobody gave."""

import pandas as pd
from named import start
from opendp.smartnoise.metadata import CollectionMetadata
from opendp.smartnoise.sql import PandasReader, PrivateReader

COLUMNS = {"id": {"type": "int", "private_id": True}, "x": {"type": "int"}}
METADATA = CollectionMetadata.from_dict({"all": {"": {"people": {"rows": 100, "max_ids": 1, **COLUMNS}}}})


def answer(query):
    def release(data):
        table = pd.DataFrame({"id": range(len(data)), "x": data})
        reader = PrivateReader(METADATA, PandasReader(METADATA, table), epsilon_per_column=1.0, delta=1e-5)
        return int(reader.execute(query)[1][0])

    return release


def count():
    return answer("SELECT COUNT(x) AS told FROM people")


def total():
    return answer("SELECT SUM(x) AS told FROM people")


if __name__ == "__main__":
    start(globals())
