"""The time left that a real run was shown, replayed from its kept timeline, against the truth."""

import gzip
from collections import defaultdict
from pathlib import Path

import pytest
from made_run import Plan

from rankbench.timing.forecast import Forecast
from rankbench.timing.keep import KIND, read_timeline

KEPT = sorted(Path(__file__).with_name("timelines").glob("*.csv.gz"))


def replayed(rows, names, cores):
    """Return (moment, seconds left as shown, seconds left in truth) at the end of each job, from the first tenth on."""
    plan, *rows = rows
    jobs = Plan(names).jobs()
    forecast, free, keys = Forecast(jobs, cores, plan["end"]), defaultdict(list), {}
    for key, job in jobs.items():
        free[job.kind].append(key)
    events = [(row["start"], 1, number) for number, row in enumerate(rows)]
    events += [(row["end"] + 1e-6, 0, number) for number, row in enumerate(rows)]
    first, last, shown = plan["end"], max(row["end"] for row in rows), []
    for moment, starts, number in sorted(events):
        if starts:
            keys[number] = free[tuple(rows[number][name] for name in KIND)].pop(0)
            forecast.start([keys[number]], moment)
        else:
            forecast.end(keys[number], moment)
            if first + (last - first) / 10 <= moment < last:
                shown.append((moment, forecast.left(moment), last - moment))
    assert not any(free.values()), "the run made all its jobs"
    return shown
