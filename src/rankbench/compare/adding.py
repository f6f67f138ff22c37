"""Does the average of one of our methods and a rival order better than either alone, and than two rivals? No fits."""

from functools import partial

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from rankmargin import metrics
from rankmargin.significance import t_test

from ..experiments.methods import paths_of
from ..intervals import quantile
from ..labels import sign_of
from ..statistics.best import overlap
from ..statistics.paired import DECIMALS
from ..statistics.runs import rivals

OURS = "self_tuning"
COLUMNS = ["dataset", "condition", "metric", "methods", "control", "n_runs", "error", "difference", "low", "high"]
BETWEEN = " + "  # the members of an average
COMPARISONS = 3  # whose intervals hold together


def adding(scores, experiment):
    """Compare the average of `OURS` and the best rival with that rival alone, `OURS` alone, and the best two rivals.

    The best rivals are those with the best mean of the first metric. They are chosen on the hold-outs on which they are
    compared, the control like the others. Rivals are methods that are not estimators of `rankmargin`.

    Parameters
    ----------
    scores : DataFrame
        ``test_scores.parquet``: the scores of the test rows of each finished run.
    experiment : Experiment

    Returns
    -------
    DataFrame
        `COLUMNS`, three rows per data set and condition with `OURS` and two rivals that finished all hold-outs: the
        mean ``error`` of the average of ``methods``, and by how much it is above that of the ``control``, with an
        interval of the corrected resampled t-test; all three hold together in 95 percent of the samples.
    """
    rows, metric, named = [], experiment.metrics[0], others_of(experiment)
    for (dataset, condition), cell in scores.groupby(["dataset", "condition"], observed=True, sort=False):
        holdouts = [part.pivot(index="row", columns="method", values="score") for _, part in cell.groupby("seed")]
        whole = set.intersection(*(set(part.columns) for part in holdouts)) if len(holdouts) == experiment.seeds else ()
        others = [name for name in named if name in whole]
        if OURS not in whole or len(others) < 2:
            continue
        y = cell.drop_duplicates("row").set_index("row")["y"]
        errors = partial(_errors, [(y.reindex(part.index).to_numpy(), part) for part in holdouts], metric)
        best = sorted(others, key=lambda name: (errors(name).mean().round(DECIMALS), others.index(name)))
        first, second = best[:2]
        n_train = experiment.conditions[condition].n_train or experiment.datasets[dataset].n_train
        of_holdouts = overlap(experiment, dataset, n_train, np.mean([len(part) for part in holdouts]))
        error = errors(OURS, first)
        for control in ((first,), (OURS,), (first, second)):
            differences = (error - errors(*control)).round(DECIMALS).to_numpy()
            spread = quantile(len(differences) - 1, COMPARISONS) * t_test(differences, of_holdouts)[0]
            mean = differences.mean()
            members = BETWEEN.join((OURS, first)), BETWEEN.join(control)
            numbers = len(differences), error.mean() * sign_of(metric), mean, mean - spread, mean + spread
            rows.append((dataset, condition, metric, *members, *numbers))
    return pd.DataFrame(rows, columns=COLUMNS)


def others_of(experiment):
    """Return the names of the methods that are neither `OURS` nor estimators of `rankmargin`, without baselines."""
    methods = rivals(experiment).methods
    return [name for name in methods if name != OURS and not paths_of(methods[name].uses)[-1].startswith("rankmargin.")]


def _errors(holdouts, metric, *names):
    """Return the errors, lower is better, of the average of the ranks by these methods, or of one alone, on each
    hold-out; ``holdouts`` has y and the scores by method of each."""
    judge, sign = getattr(metrics, metric), sign_of(metric)
    return pd.Series([sign * judge(y, sum(rankdata(scores[name]) for name in names)) for y, scores in holdouts])
