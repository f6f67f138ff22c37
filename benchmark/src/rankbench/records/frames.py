"""Frames on disk; those of records also hold what made them."""

import io
import json

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from .files import aside, read_bytes, write_text

KEY = b"rankbench"


def write_frame(path, frame, **made):
    """Write a frame as parquet, completely or not at all.

    Parameters
    ----------
    path : path
    frame : DataFrame
    made : JSON
        What made it; `read_frame` returns it too.
    """
    table = pa.Table.from_pandas(frame)
    table = table.replace_schema_metadata({**table.schema.metadata, KEY: json.dumps({"made": made}).encode()})
    with aside(path) as beside:
        pq.write_table(table, beside)


def read_frame(path):
    """Return the frame that `write_frame` wrote and what made it.

    Raises
    ------
    Damaged
    """
    content = read_bytes(path)
    # Arrow's own copy: a thread of Arrow that lets go of Python's bytes while Python ends aborts the process.
    copy = pa.allocate_buffer(len(content))
    pa.FixedSizeBufferWriter(copy).write(content)
    table = pq.read_table(pa.BufferReader(copy), use_threads=False)
    return table.to_pandas(use_threads=False), json.loads(table.schema.metadata[KEY])["made"]


def write_statistic(path, frame):
    """Write a frame as csv."""
    write_text(path, frame.to_csv(index=False))


def read_statistic(path, **options):
    """Return the frame that `write_statistic` wrote.

    Parameters
    ----------
    path : path
    **options : options of `pandas.read_csv`

    Raises
    ------
    Damaged
    """
    return pd.read_csv(io.BytesIO(read_bytes(path)), **options)
