"""Drawing a split: which module does it is named by the data set, and an absent data set has splits that say so."""

import importlib

from rankbench.datasets.table import AbsentError, load_table

from .split import Split

# What draws a split, by the key ``split`` of a data set: a module with ``draw(table, *, seed, names, ...) -> Split``.
DRAWN_BY = {
    "hold_out": "rankbench.experiments.hold_outs",
    "groups": "rankbench.experiments.group_hold_outs",
    "published": "rankbench.experiments.published_hold_outs",
    "comparisons": "rankbench.experiments.comparison_sets",
}


def draw(table, *, seed, names, split="hold_out", **arguments):
    """Return the split of one seed; it depends on no other seed.

    Parameters
    ----------
    table : rankbench.datasets.table.Table
    seed : int
    names : tuple of str
        Experiment and data set: with the seed, the named parts of all random numbers.
    split : {"hold_out", "groups", "published", "comparisons"}
        What draws it; `arguments` are those of that module's ``draw``, see `DRAWN_BY`.

    Returns
    -------
    Split
        Where it cannot be drawn, one that says why.
    """
    try:
        return importlib.import_module(DRAWN_BY[split]).draw(table, seed=seed, names=names, **arguments)
    except ValueError as error:
        return Split.build(seed, absent=f"no split of seed {seed}: {error}")


def draw_from(path, seeds, **arguments):
    """Return the splits of several seeds of the table in a file; those of an absent table say why it is absent."""
    try:
        table = load_table(path)
    except AbsentError as error:
        return [Split.build(seed, absent=str(error)) for seed in seeds]
    return [draw(table, seed=seed, **arguments) for seed in seeds]
