"""How many pairs of each label data sets have."""

import pandas as pd

COLUMNS = ("dataset", "n_equality", "n_inequality", "n_first_better", "n_second_better")


def run(data, experiment):
    """Count the labels of each data set of pairs.

    Returns
    -------
    DataFrame
        `COLUMNS`, one row per data set.
    """
    rows = []
    for dataset, (table, _) in data.items():
        equal, first, second = (int((table.y == label).sum()) for label in (0, -1, 1))
        rows.append((dataset, equal, first + second, first, second))
    return pd.DataFrame(rows, columns=COLUMNS)
