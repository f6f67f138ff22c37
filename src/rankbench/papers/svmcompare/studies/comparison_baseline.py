"""What is known of comparisons without learning: class counts of both parts, and the AUC of one direction for all."""

import pandas as pd

from rankmargin.metrics import comparison_baseline_auc

COLUMNS = ("dataset", "seed", "n_train", "n_test", "equality_train", "equality_test", "auc")


def run(data, experiment):
    """Count the labels of the training and test part of each seed of each data set.

    Returns
    -------
    DataFrame
        `COLUMNS`, one row per data set and seed: ``n_train n_test`` (sizes), ``equality_train equality_test`` (shares
        of equality pairs) and ``auc``, that of calling every test pair the commoner direction.
    """
    rows = []
    for dataset, (table, splits) in data.items():
        for split in splits:
            train, test = table.y[split.train], table.y[split.test]
            shares = [(train == 0).mean(), (test == 0).mean()]
            rows.append((dataset, split.seed, len(train), len(test), *shares, comparison_baseline_auc(test)))
    return pd.DataFrame(rows, columns=COLUMNS)
