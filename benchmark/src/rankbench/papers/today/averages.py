"""Averages of methods: each test row gets the mean of the ranks that they give it. Nothing is fitted again."""

from itertools import combinations, combinations_with_replacement

import pandas as pd
from scipy.stats import rankdata

from rankbench.statistics.runs import rivals
from rankmargin import metrics

OURS = "self_tuning"
BETWEEN = " + "  # the members of an average
COLUMNS = ["dataset", "condition", "metric", "method", "other", "seed", "value"]
MEMBERS = (OURS, "catboost", "extra_trees", "svr")  # ours, R1, R2 and R3: averaged by three and all together


def averages(scores, experiment):
    """Judge averages by the first metric of the experiment: of each two methods, and of three and more of `MEMBERS`.

    Parameters
    ----------
    scores : DataFrame
        ``test_scores.parquet``: the scores of the test rows of each finished run.
    experiment : Experiment

    Returns
    -------
    DataFrame
        `COLUMNS`, one row per data set, condition, hold-out and average whose members all finished it; ``other`` names
        several with `BETWEEN` between them. A method with itself is the method alone. Baselines are left out.

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
        together = [name for name in MEMBERS if name in ranks]
        more = [members for size in range(3, len(together) + 1) for members in combinations(together, size)]
        for one, *others in [*combinations_with_replacement(ranks, 2), *more]:
            value = float(judge(y, sum(ranks[name] for name in (one, *others)) / (1 + len(others))))
            rows.append((dataset, condition, metric, one, BETWEEN.join(others), seed, value))
    return pd.DataFrame(rows, columns=COLUMNS)
