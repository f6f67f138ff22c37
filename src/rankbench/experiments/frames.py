"""Frames on disk, each with the digest of its values and a note of what made it."""

import hashlib
import io
import json

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from .files import aside, damaged, read_sealed, write_sealed

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
    note = json.dumps({"sha256": digest_of(frame, made), "made": made})
    table = table.replace_schema_metadata({**table.schema.metadata, KEY: note.encode()})
    with aside(path) as beside:
        pq.write_table(table, beside)


def read_frame(path):
    """Return the frame that `write_frame` wrote and what made it.

    Raises
    ------
    Damaged
        If its bytes or its values are not those that were written.
    """
    try:
        table = pq.read_table(path)
        note = json.loads(table.schema.metadata[KEY])
        frame = table.to_pandas()
        same = note["sha256"] == digest_of(frame, note["made"])
    except FileNotFoundError:
        raise
    except Exception as error:  # pyarrow raises nearly anything on damaged bytes
        raise damaged(path, f"no frame: {type(error).__name__}") from error
    if not same:
        raise damaged(path, "other values than were written")
    return frame, note["made"]


def digest_of(frame, made):
    """Return the sha256 of the names, types and values of a frame, and of what made it."""
    digest = hashlib.sha256(json.dumps([list(map(str, frame.columns)), len(frame), made], sort_keys=True).encode())
    digest.update(pd.util.hash_pandas_object(frame, index=False).to_numpy().tobytes())
    return digest.hexdigest()


def write_statistic(path, frame):
    """Write a frame as csv and, in a hidden file next to it, the sha256 of its bytes."""
    write_sealed(path, frame.to_csv(index=False).encode())


def read_statistic(path, **options):
    """Return the frame that `write_statistic` wrote; one that was copied without its sha256 is not checked.

    Parameters
    ----------
    path : path
    **options : options of `pandas.read_csv`

    Raises
    ------
    Damaged
    """
    content = read_sealed(path)
    try:
        return pd.read_csv(io.BytesIO(content), **options)
    except pd.errors.EmptyDataError:
        raise
    except ValueError as error:
        raise damaged(path, f"no csv: {error}") from error
