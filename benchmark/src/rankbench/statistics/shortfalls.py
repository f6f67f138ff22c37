"""What tables, figures and answers say of missing runs: who is not compared, and who lacks hold-outs.

The rule is that of `rankbench.statistics.common`.
"""

from rankbench.configuration.labels import method_labels

COMMON = "Where runs are missing, means are over the hold-outs that all compared methods of the row have finished."
MOST = 4  # more entries than these are counted, not listed
NOTHING_IN_COMMON = "no hold-out that all methods have finished"


def incomplete(cell):
    """Return what is shown in place of the numbers of a cell that is not compared."""
    return f"incomplete: {lacks(cell)}"


def lacks(cell):
    """Return what an incomplete cell lacks, such as ``12 of 20 runs, 8 timeouts``."""
    known = isinstance(cell.shortfall, str) and cell.shortfall  # nan where it was read from a csv
    return cell.shortfall if known else NOTHING_IN_COMMON


def missing_of(cell):
    """Return the note behind a compared cell's value that says which of its runs are missing; empty if none is."""
    return f" ({lacks(cell)})" if cell.n_missing else ""


def told_shortfalls(cells, experiment, titles, label=str, text=str):
    """Return what is said of the missing runs of the shown cells; ``""`` if none is missing.

    Parameters
    ----------
    cells : DataFrame
        Rows of the statistic ``summary``, ``best`` or ``ratios``.
    experiment : Experiment
    titles : mapping of str to str
        Data set -> its name, which is shown if the cells are of several data sets.
    label, text : callables
        The markup of the labels of methods and of plain text.

    Returns
    -------
    str
        Each sentence starts with a blank.
    """
    n_runs = cells["n_runs" if "n_runs" in cells else "n_pairs"]
    lacking = cells.assign(out=n_runs == 0, shortfall=cells["shortfall"].astype(object).fillna(""))
    lacking = lacking[lacking["out"] | (lacking["shortfall"] != "")]
    lacking = lacking.assign(lacks=[lacks(cell) for cell in lacking.itertuples()])
    lacking = lacking.drop_duplicates(["dataset", "condition", "method", "lacks"])  # the same by several metrics
    labels, out, inside = method_labels(experiment, label), [], []
    for (dataset, condition, what), part in lacking.groupby(["dataset", "condition", "lacks"], sort=False):
        names = [labels[method] for method in part["method"]]
        places = [titles.get(dataset, dataset)] if cells["dataset"].nunique() > 1 else []
        places += [condition] if cells["condition"].nunique() > 1 else []
        on = f" on {text(', '.join(places))}" if places else ""
        who = "all methods" if len(names) == cells["method"].nunique() > 1 else ", ".join(names)
        (out if part["out"].all() else inside).append(f"{who}{on} ({what})")
    sentences = f" Incomplete and not compared: {_listed(out)}." if out else ""
    if inside:
        sentences += (
            f" Runs are missing: {_listed(inside)}; there all methods are compared on the hold-outs that each of "
            "them has finished."
        )
    return sentences


def _listed(entries):
    more = f"; and {len(entries) - MOST} more" if len(entries) > MOST else ""
    return "; ".join(entries[:MOST]) + more
