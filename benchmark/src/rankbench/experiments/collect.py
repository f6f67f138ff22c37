"""The records of all jobs of an experiment as two frames; a missing run has a row too."""

import json
from dataclasses import asdict, dataclass, replace

import numpy as np
import pandas as pd

from rankbench.records.files import note_of, read_arrays, read_note, require
from rankbench.records.record import IDENTITY, Record, record_of

from .measures import METRICS, measured


@dataclass
class Run:
    """What a run left: its record, its arrays, and what made them (see `rankbench.records.files`)."""

    record: Record
    arrays: dict
    made_by: dict


def read_run(path, names):
    """Read the files of a run and compute its metrics.

    Parameters
    ----------
    path : path
        Its .npz.
    names : sequence of str
        Names in `rankbench.experiments.measures.METRICS`. A run without a value of one of them has failed.

    Returns
    -------
    Run

    Raises
    ------
    Damaged
    """
    note = read_note(note_of(path))
    run = Run(record_of(note["record"]), read_arrays(path), note["made_by"])
    record = run.record
    for name in names if record.status == "ok" else ():
        try:
            record.metrics[name] = measured(METRICS[name], run.arrays)
        except Exception as error:
            why = " ".join(f"{type(error).__name__}: {error}".split())
            record.status, record.reason, record.metrics = "failed", f"metric {name}: {why}", {}
            break
    return run


def read_runs(experiment, stamps, root="."):
    """Return identity -> run of all runs of an experiment.

    Parameters
    ----------
    experiment : Experiment
    stamps : dict of str to str
        Data set/condition/method -> stamp with which its runs must have been made.
    root : path
        The checkout.

    Raises
    ------
    Damaged
        If one is damaged or was made for another task.
    """
    runs = {}
    for identity, file in zip(experiment.runs, experiment.run_files, strict=True):
        require({f"{root}/{file}": stamps["/".join(identity[1:4])]})
        runs[identity] = read_run(f"{root}/{file}", experiment.metrics)
    return runs


def collect_records(runs, experiment):
    """Put records into a frame with one row for each run of the protocol.

    Parameters
    ----------
    runs : dict
        See `read_runs`.
    experiment : Experiment

    Returns
    -------
    DataFrame
        One row per run in the order of the protocol. The columns are the fields of `Record`, with one column per
        metric, and ``commit``, ``machine`` and ``versions``; ``params`` and ``versions`` are JSON. A run without a
        record has the status ``missing``.
    """
    return pd.DataFrame([_row(runs.get(run), run, experiment) for run in experiment.runs])


def _row(run, identity, experiment):
    """Return one row of the frame, for a run with or without a record."""
    made_by = {"commit": "", "machine": "", "versions": {}} if run is None else run.made_by
    record = Record(*identity, 0, 0, 0, "missing", "the job left no record") if run is None else run.record
    if record.status == "missing":
        n_train, n_test = experiment.part_sizes(*identity[1:3])
        record = replace(record, n_train=n_train, n_test=n_test)
    row = asdict(record)
    values, _ = row.pop("metrics"), row.pop("limits")
    row |= {"params": json.dumps(row["params"]), **made_by, "versions": json.dumps(made_by["versions"])}
    return row | {metric: values.get(metric, np.nan) for metric in experiment.metrics}


def collect_scores(runs, name):
    """Put the test scores of all runs into one long frame.

    Parameters
    ----------
    runs : dict of tuple to Run
        See `read_runs`.
    name : str
        Name of the experiment.

    Returns
    -------
    DataFrame
        ``experiment dataset condition method seed row y score``; ``row`` counts the rows of the table from 0. A run
        that is not ok has no rows.
    """
    parts = [
        (identity[1:], *(run.arrays[part] for part in ("test", "y", "scores")))
        for identity, run in runs.items()
        if run.record.status == "ok"
    ]
    lengths = [len(scores) for *_, scores in parts]
    frame = pd.DataFrame({"experiment": pd.Categorical([name] * sum(lengths))})
    for at, column in enumerate(IDENTITY[1:]):
        values = np.array([identity[at] for identity, *_ in parts], dtype=int if column == "seed" else str)
        values = np.repeat(values, lengths)
        frame[column] = values if column == "seed" else pd.Categorical(values)
    for at, column in enumerate(("row", "y", "score"), 1):
        frame[column] = np.concatenate([part[at] for part in parts]) if parts else np.empty(0)
    return frame
