"""The records of all jobs of an experiment as two frames; a missing run has a row too."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pandas as pd

from rankmargin import metrics

from .files import Damaged, damaged, read_arrays
from .record import IDENTITY, Record, from_line
from .tune import measured


def read_runs(records, scores, names):
    """Read the files of runs and compute their metrics.

    Parameters
    ----------
    records, scores : sequences of path
        The .json and the .npz of each run.
    names : sequence of str
        Names of functions of `rankmargin.metrics`. A run without a value of one of them has failed.

    Returns
    -------
    list of Record, list of dict of arrays

    Raises
    ------
    Damaged
        The message names every file that is not as it was written. Each is marked together with its partner, so that
        its job runs again.
    """
    read, kept, faults = [], [], []
    for paths in zip(map(Path, records), map(Path, scores), strict=True):
        try:
            record, arrays = _read_run(*paths)
        except Damaged as fault:
            faults.append(str(fault))
        else:
            read.append(record)
            kept.append(arrays)
    if faults:
        raise Damaged("\n".join(faults))
    for record, arrays in zip(read, kept, strict=True):
        try:
            if record.status == "ok":
                record.metrics = {name: measured(getattr(metrics, name), arrays) for name in names}
        except Exception as error:
            record.status, record.reason = "failed", " ".join(f"{type(error).__name__}: {error}".split())
    return read, kept


def _read_run(record_path, scores_path):
    """Return the record of a run and its arrays."""
    try:
        record = from_line(record_path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise damaged(record_path, error, scores_path) from error
    return record, read_arrays(scores_path)


def collect_records(records, experiment, digests):
    """Put records into a frame with one row for each run of the protocol.

    Parameters
    ----------
    records : iterable of Record
    experiment : Experiment
    digests : dict of str to str
        Method -> digest of its present sources; a record that was made by other sources does not count.

    Returns
    -------
    DataFrame
        One row per run in the order of the protocol. The columns are the fields of `Record`, with one column per
        metric, and with ``params`` and ``versions`` as JSON. A run without a record has the status ``missing``.

    Raises
    ------
    ValueError
        If two records are for the same run.
    """
    found = {}
    for record in records:
        identity = tuple(getattr(record, key) for key in IDENTITY)
        if identity in found:
            raise ValueError(f"two records of the run {identity}")
        found[identity] = record
    rows = [_row(found.get(identity), identity, experiment, digests) for identity in experiment.runs]
    return pd.DataFrame(rows)


def _row(record, identity, experiment, digests):
    """Return one row of the frame, for a run with or without a record."""
    if record is None or record.source_digest != digests[record.method]:
        reason = "its job left no record" if record is None else "its record was made by other sources than the present"
        record = Record(*identity, 0, 0, 0, "missing", reason)
    if record.status == "missing":
        n_train, n_test = experiment.part_sizes(*identity[1:3])
        record = replace(record, n_train=n_train, n_test=n_test)
    row = asdict(record)
    values, _ = row.pop("metrics"), row.pop("limits")
    row["params"], row["versions"] = json.dumps(row["params"]), json.dumps(row["versions"])
    return row | {metric: values.get(metric, np.nan) for metric in experiment.metrics}


def collect_scores(records, kept, name):
    """Put the test scores of all runs into one long frame.

    Parameters
    ----------
    records : sequence of Record
    kept : sequence of dict of arrays
        The arrays of each record.
    name : str
        Name of the experiment.

    Returns
    -------
    DataFrame
        ``experiment dataset condition method seed row y score``; ``row`` counts the rows of the table from 0. A run
        that is not ok has no rows.
    """
    parts = []
    for record, arrays in zip(records, kept, strict=True):
        if record.status == "ok":
            identity = [getattr(record, key) for key in IDENTITY[1:]]
            parts.append((identity, *(arrays[part] for part in ("test", "y", "scores"))))
    lengths = [len(scores) for *_, scores in parts]
    frame = pd.DataFrame({"experiment": pd.Categorical([name] * sum(lengths))})
    for at, column in enumerate(IDENTITY[1:]):
        values = np.array([identity[at] for identity, *_ in parts], dtype=int if column == "seed" else str)
        values = np.repeat(values, lengths)
        frame[column] = values if column == "seed" else pd.Categorical(values)
    for at, column in enumerate(("row", "y", "score"), 1):
        frame[column] = np.concatenate([part[at] for part in parts]) if parts else np.empty(0)
    return frame
