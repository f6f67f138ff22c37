"""Keep the seconds of a run for the runs to come (``rankbench artefact seconds``).

A timeline has a line for each job that has ended: its kind, its runs, and when it started and ended, in
seconds since the process of the run started. The first line is the planning.
"""

import csv
import gzip
import io
from collections import defaultdict
from pathlib import Path

from .expected import KEPT, KIND, read_kept

COLUMNS = (*KIND, "runs", "start", "end")


def read_timeline(file):
    """Return the lines of a timeline as dicts, with numbers where there are numbers."""
    with Path(file).open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    for row in rows:
        row |= {"runs": int(row["runs"]), "start": float(row["start"]), "end": float(row["end"])}
    return rows


def seconds_by_kind(rows):
    """Return kind -> the mean seconds of one run, or of one job of another rule."""
    sums = defaultdict(lambda: [0.0, 0])
    for row in rows:
        total = sums[tuple(row[key] for key in KIND)]
        total[0] += row["end"] - row["start"]
        total[1] += row["runs"]
    return {kind: seconds / runs for kind, (seconds, runs) in sums.items() if runs}  # planning has no runs


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
