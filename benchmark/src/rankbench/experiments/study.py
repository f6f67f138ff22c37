"""One study: its frame, and a record of how it ended."""

import sys
import time
import traceback

import pandas as pd
from threadpoolctl import threadpool_limits

from rankbench.datasets.table import AbsentError, load_table
from rankbench.registry import STUDIES

from .split import load_split


def run_study(name, files, experiment, arguments):
    """Run a study on those of its data sets that exist.

    It has one thread of BLAS, as every run does. Snakemake would give a study that is timed as many as there are cores,
    because it gets all of them, so that nothing else runs beside it.

    Parameters
    ----------
    name : str
        Name of a study of `rankbench.registry`.
    files : dict of str to (path, list of path)
        Data set -> its table and its splits.
    experiment : Experiment
        What the study reads of it, see `Experiment.studied`.
    arguments : dict

    Returns
    -------
    frame : DataFrame
        If the study is not ok, it has the columns but no rows.
    record : dict
        ``status`` (``ok``, ``failed``, or ``missing`` if none of its data sets exists), ``reason``, ``absent`` (missing
        data sets) and ``seconds``.
    """
    study, started, data, absent = STUDIES[name].load(), time.perf_counter(), {}, {}
    for dataset, (table, splits) in files.items():
        try:
            data[dataset] = load_table(table), [load_split(path) for path in splits]
        except AbsentError as error:
            absent[dataset] = str(error)
    frame, status, reason = pd.DataFrame(columns=study.columns), "ok", ""
    if absent and not data:
        status, reason = "missing", f"no data: {', '.join(absent)}"
    else:
        try:
            with threadpool_limits(1):
                frame = study(data, experiment, **arguments)
        except Exception as error:
            status, reason = "failed", " ".join(f"{type(error).__name__}: {error}".split())
            traceback.print_exc()
    seconds = time.perf_counter() - started
    print(f"{status}, {len(frame)} rows, {seconds:.1f} s{reason and f': {reason}'}", file=sys.stderr)
    return frame, {"status": status, "reason": reason, "absent": list(absent), "seconds": seconds}
