"""What the searches of each method did: settings tried, searches cut short by their seconds, choices at an edge."""

from collections import Counter

import pandas as pd

from .runs import runs_of_rivals

COLUMNS = ["condition", "method", "n_runs", "settings", "cut", "seconds", "at_edge", "edges", "ready"]
MOST_AT_EDGE = 0.25  # of the searches of a method that is ready


def searches(records, experiment):
    """Return one row per condition and method that searched.

    Returns
    -------
    DataFrame
        `COLUMNS`, over the ``n_runs`` finished runs that had more than one setting to choose from: the mean number of
        ``settings`` tried, the median of the ``seconds``, the share of searches that the budget ``cut`` short, and the
        share ``at_edge`` of those whose choice lies at an edge of the space (``edges`` counts them by parameter). A
        method is ``ready`` if at most a quarter of its searches end at an edge.

    Raises
    ------
    ValueError
        As `check_records`.
    """
    records, experiment = runs_of_rivals(records, experiment)
    done = records[(records["status"] == "ok") & (records["n_drawn"] > 1)]
    rows = []
    for condition in experiment.conditions:
        for method in experiment.methods:
            part = done[(done["condition"] == condition) & (done["method"] == method)]
            if len(part):
                rows.append((condition, method, *_of_method(part)))
    return pd.DataFrame(rows, columns=COLUMNS)


def _of_method(part):
    counts = Counter(edge for cell in part["edges"] for edge in cell.split(", ") if edge)
    edges = ", ".join(f"{count} x {edge}" for edge, count in counts.most_common())
    at_edge = float((part["edges"] != "").mean())
    cut = float((part["n_settings"] + part["n_failed"] < part["n_drawn"]).mean())
    tried, seconds = part["n_settings"].mean(), part["tune_seconds"].median()  # a machine may stand still meanwhile
    return len(part), tried, cut, seconds, at_edge, edges, at_edge <= MOST_AT_EDGE
