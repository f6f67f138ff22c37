"""Which methods are compared, and on what: failed runs never decide an order.

Methods are compared on the hold-outs that all of them finished. A method that finished less than `ENOUGH` percent of
its planned hold-outs is *incomplete*: it is compared with no other, and the others keep the hold-outs that it lacks.
The same holds one level up: methods are ranked over the data sets where all of them are compared, and a method that is
incomplete on more than 10 percent of the data sets is not ranked.
"""

from collections import Counter

ENOUGH = 90  # percent: one of ten hold-outs may be missing, and two of twenty
WORDS = {"memory": "out of memory", "ok": "without a value"}


def on_common(rows, unit, within, planned):
    """Keep the rows of the methods that have enough units, on the units that all of these methods have.

    Parameters
    ----------
    rows : DataFrame
        One row per cell, ``method`` and unit that has a result.
    unit : str
        The column of units: ``seed`` (hold-outs), or ``dataset``.
    within : list of str
        The columns that identify a cell: methods are compared inside each cell.
    planned : int or Series
        Units that a method should have in each cell; a Series has the index of `rows`.

    Returns
    -------
    DataFrame
        In each cell all methods have the same units; none at all if no unit is common.
    """
    if rows.empty:
        return rows
    there = rows.groupby([*within, "method"])[unit].transform("size").astype(int)
    complete = rows[100 * there >= ENOUGH * planned]
    n_methods = complete.groupby(within)["method"].transform("nunique")
    return complete[complete.groupby([*within, unit])["method"].transform("size") == n_methods]


def on_common_datasets(cells):
    """Return the rows of the statistic ``summary`` or ``best`` with which methods can be ranked over data sets.

    A data set where no method has a mean was not planned: its data are not there.
    """
    known, within = cells.dropna(subset="mean"), ["condition", "metric"]
    return on_common(known, "dataset", within, known.groupby(within)["dataset"].transform("nunique"))


def shortfall(statuses, n_missing, planned):
    """Say what a method lacks in a cell, such as ``12 of 20 runs, 7 timeouts, 1 failed``; ``""`` if it lacks nothing.

    Parameters
    ----------
    statuses : sequence of str
        The status of each missing run that has a record; ``ok`` if the run has no value of the metric.
    n_missing, planned : int
        Numbers of runs; a missing run without a record is absent.
    """
    counts = Counter(statuses) + Counter({"absent": n_missing - len(statuses)})
    parts = [
        f"{count} {_word(status, count)}" for status, count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    ]
    return ", ".join([f"{planned - n_missing} of {planned} runs", *parts]) if parts else ""


def _word(status, count):
    return "timeouts" if status == "timeout" and count > 1 else WORDS.get(status, status)
