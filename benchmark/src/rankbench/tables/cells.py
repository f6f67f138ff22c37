"""What cells and captions of tables share: numbers that may be missing, and what is said of missing runs."""

import pandas as pd

from rankbench.statistics.shortfalls import COMMON, incomplete, missing_of


def number(value, form, otherwise="n/a"):
    """Return a number in a form such as ``.2f``; other words instead of NaN."""
    return otherwise if pd.isna(value) else format(value, form)


def ours(cell, text):
    """Return the text of a cell with what is missing of its runs; if it has none, only what it lacks."""
    return text + missing_of(cell) if cell.n_runs else incomplete(cell)


def explained(caption, cells):
    """Return a caption that also says what is compared where runs of the cells are missing."""
    return f"{caption} {COMMON}" if cells["n_missing"].any() else caption
