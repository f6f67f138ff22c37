"""Draw the splits of a data set. Its key ``split`` names the module; splits of an absent data set give the reason."""

import importlib

from rankbench.datasets.table import AbsentError, load_table

from .split import Split

# Value of the key ``split`` -> module with ``draw(table, *, seed, names, ...) -> Split``.
DRAWN_BY = {
    "hold_out": "rankbench.experiments.hold_outs",
    "groups": "rankbench.experiments.group_hold_outs",
    "published": "rankbench.experiments.published_hold_outs",
    "comparisons": "rankbench.experiments.comparison_sets",
}


def draw(table, *, seed, names, split="hold_out", **arguments):
    """Return the split of one seed; it does not depend on other seeds.

    Parameters
    ----------
    table : rankbench.datasets.table.Table
    seed : int
    names : tuple of str
        Experiment and data set: all random numbers are seeded by them and by `seed`.
    split : {"hold_out", "groups", "published", "comparisons"}
        Selects the module in `DRAWN_BY`; `arguments` are passed to its ``draw``.

    Returns
    -------
    Split
        If it cannot be drawn, a split without rows that gives the reason.
    """
    try:
        return importlib.import_module(DRAWN_BY[split]).draw(table, seed=seed, names=names, **arguments)
    except ValueError as error:
        return Split.build(seed, absent=f"no split of seed {seed}: {error}")


def draw_from(path, seeds, **arguments):
    """Return the splits of several seeds of the table in a file; if the table is absent, each split says why."""
    try:
        table = load_table(path)
    except AbsentError as error:
        return [Split.build(seed, absent=str(error)) for seed in seeds]
    return [draw(table, seed=seed, **arguments) for seed in seeds]
