"""What is known of comparisons without learning: class counts of both parts, and the AUC of one direction for all."""

import pandas as pd

from rankmargin.metrics import comparison_baseline_auc

PARAMS = {}


def run(data, experiment):
    """Count the labels of the training and test part of each seed of each data set.

    Returns
    -------
    DataFrame
        A row a data set and seed: ``dataset seed n_train n_test`` (sizes), ``equality_train equality_test`` (shares of
        equality pairs) and ``auc``, that of calling every test pair the commoner direction.
    """
    rows = []
    for dataset, (table, splits) in data.items():
        for seed in splits.seeds.tolist():
            train, test = (table.y[part] for part in splits.of(seed))
            shares = {"equality_train": (train == 0).mean(), "equality_test": (test == 0).mean()}
            sizes = {"n_train": len(train), "n_test": len(test)}
            row = {"dataset": dataset, "seed": seed, **sizes, **shares, "auc": comparison_baseline_auc(test)}
            rows.append(row)
    return pd.DataFrame(rows)
