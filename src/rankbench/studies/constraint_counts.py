"""Constraints of ordinal regression with as many ranks as examples (claim D15)."""

import numpy as np
import pandas as pd

from rankmargin.rows.pairs import all_pairs
from rankmargin.rows.thresholds import explicit, implicit

PARAMS = {"sizes": {"type": "array", "items": {"type": "integer", "minimum": 2}, "minItems": 3, "uniqueItems": True}}
COLUMNS = ("form", "n", "n_constraints")


def run(data, experiment, *, sizes):
    """Build the rows of n examples of n different ranks and count them.

    Parameters
    ----------
    data, experiment
        Not used.
    sizes : sequence of int

    Returns
    -------
    DataFrame
        `COLUMNS`: ``implicit`` is eq. 4 of the paper, every example against every threshold; ``explicit`` compares
        neighbouring ranks only (Chu and Keerthi; Shashua and Levin); ``pairs`` is eq. 3.
    """
    rows = []
    for n in sizes:
        rank = np.arange(n)
        forms = {"implicit": implicit(rank, n), "explicit": explicit(rank, n), "pairs": all_pairs(rank)}
        rows += [(form, n, len(built)) for form, built in forms.items()]
    return pd.DataFrame(rows, columns=COLUMNS)
