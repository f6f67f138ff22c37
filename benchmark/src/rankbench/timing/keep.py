"""Keep the seconds of a run for the runs to come (``rankbench artefact seconds``).

A timeline has a line for each job that has ended: its kind, its runs, and when it started and ended, in
seconds since the process of the run started. The first line is the planning.
"""

import csv
import gzip
import io
from pathlib import Path

import pandas as pd

from .expected import KEPT, KIND, read_kept


def read_timeline(file):
    """Return the lines of a timeline as a DataFrame, see `rankbench.timing.expected.COLUMNS`."""
    return pd.read_csv(file, dtype=dict.fromkeys(KIND, str), keep_default_na=False)


def seconds_by_kind(rows):
    """Return kind -> the mean seconds of one run, or of one job of another rule."""
    rows = rows.assign(seconds=rows["end"] - rows["start"])[rows["runs"] > 0]  # planning has no runs
    sums = rows.groupby([*KIND])[["seconds", "runs"]].sum()
    return (sums["seconds"] / sums["runs"]).to_dict()


def write_kept(seconds, file=KEPT):
    """Write kind -> seconds, in order and with three digits, so that the same seconds make the same bytes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*KIND, "seconds"])
    writer.writerows([*kind, f"{value:.3g}"] for kind, value in sorted(seconds.items()))
    Path(file).write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))


def keep(timeline, file=KEPT):
    """Keep the seconds of the kinds of jobs that a timeline has; those of other kinds stay as they are."""
    before = read_kept(file) if Path(file).exists() else {}
    write_kept({**before, **seconds_by_kind(read_timeline(timeline))}, file)
