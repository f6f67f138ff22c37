"""Averages of two methods: each test row gets the mean of the ranks that both give it. Nothing is fitted again."""

from itertools import combinations_with_replacement

import pandas as pd
from scipy.stats import rankdata

from rankbench.statistics.runs import rivals
from rankmargin import metrics

COLUMNS = ["dataset", "condition", "metric", "method", "other", "seed", "value"]


def averages(scores, experiment):
    """Judge the average of each two methods by the first metric of the experiment.

    Parameters
    ----------
    scores : DataFrame
        ``test_scores.parquet``: the scores of the test rows of each finished run.
    experiment : Experiment

    Returns
    -------
    DataFrame
        `COLUMNS`, one row per data set, condition, hold-out and pair of methods that both finished it; a method with
        itself is the method alone. Baselines are left out.

    Raises
    ------
    ValueError
        If a data set is split by groups, because the ranks of different groups cannot be compared.
    """
    if grouped := [name for name, data in experiment.datasets.items() if data.split == "groups"]:
        raise ValueError(f"averages takes data sets without groups, got {', '.join(grouped)} with split: groups")
    metric, methods = experiment.metrics[0], list(rivals(experiment).methods)
    judge, rows = getattr(metrics, metric), []
    holdouts = scores.groupby(["dataset", "condition", "seed"], observed=True, sort=False)
    for (dataset, condition, seed), part in holdouts:
        by_method = part.pivot(index="row", columns="method", values="score")
        y = part.drop_duplicates("row").set_index("row")["y"].reindex(by_method.index).to_numpy()
        ranks = {name: rankdata(by_method[name]) for name in methods if name in by_method}
        for one, other in combinations_with_replacement(ranks, 2):
            value = float(judge(y, (ranks[one] + ranks[other]) / 2))
            rows.append((dataset, condition, metric, one, other, seed, value))
    return pd.DataFrame(rows, columns=COLUMNS)
