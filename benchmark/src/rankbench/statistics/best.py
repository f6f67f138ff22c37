"""Which methods are best on each data set, which are not clearly worse, and at what cost."""

from collections import Counter

import numpy as np
import pandas as pd

from rankbench.configuration.labels import sign_of

from .intervals import quantile
from .runs import CELL, PLACE, compared_runs, missing_runs, runs_of_rivals
from .significance import DECIMALS, t_test

NUMBERS = [
    "mean",
    "sd",
    "n_runs",
    "best",
    "difference",
    "low",
    "high",
    "p",
    "verdict",
    "seconds",
    "megabytes",
    "params",
]
COLUMNS = [*PLACE, "method", *NUMBERS[:3], "n_missing", "shortfall", *NUMBERS[3:]]
COSTS = ["tune_seconds", "fit_seconds", "peak_megabytes", "params"]
BEST, OPEN, WORSE, INCOMPLETE = "best", "not clearly worse", "worse", "incomplete"
NOTHING = {"n_runs": 0, "best": "", "verdict": INCOMPLETE, "params": ""}
LEVEL = 0.05


def best(records, experiment):
    """Compare each method with the one of the best mean, in each data set, condition and metric, baselines left out.

    Returns
    -------
    DataFrame
        `COLUMNS`, one row per data set, condition, metric and method. All numbers are of the ``n_runs`` hold-outs that
        all compared methods of the cell have finished, see `rankbench.statistics.common`; an incomplete method has the
        verdict ``incomplete`` and no numbers, and ``shortfall`` says what it lacks.

        ``difference`` is how much worse the mean of this method is than the best one. Hold-outs overlap, so its
        standard error is that of the corrected resampled t-test (`significance.t_test`), with the overlap of
        hold-outs from a table of ``n_rows``. Which method comes first is chance too. So ``low`` to ``high`` are 95
        percent intervals that hold for all pairs of methods of the cell together (Bonferroni), and ``p`` is two-sided
        and times the number of pairs. So the two agree: ``verdict`` is ``worse`` where p < 0.05, that is where the
        interval lies above 0, and else ``not clearly worse``.

        ``seconds`` is the median of tuning and fit, ``megabytes`` the largest peak of a job, ``params`` the parameters
        chosen most often, as JSON.

    Raises
    ------
    ValueError
        As `rankbench.statistics.runs.check_records`.
    """
    records, experiment = runs_of_rivals(records, experiment)
    runs = compared_runs(records, experiment).merge(records[[*CELL, "seed", *COSTS]], on=[*CELL, "seed"])
    compared = {}
    for place, cell in runs.groupby(PLACE):
        values, costs = cell.pivot(index="seed", columns="method", values="value"), dict(iter(cell.groupby("method")))
        values = values[[method for method in experiment.methods if method in values]]
        differences = _behind(values * sign_of(place[2]), overlap_of(records, experiment, *place[:2]))
        for method, series in values.items():
            numbers = series.mean(), series.std(), len(series), *differences[method], *_costs(costs[method])
            compared[*place, method] = dict(zip(NUMBERS, numbers, strict=True))
    cells = missing_runs(records, experiment).reset_index()
    numbers = [compared.get(cell, NOTHING) for cell in cells[[*PLACE, "method"]].itertuples(index=False, name=None)]
    return cells.join(pd.DataFrame(numbers, columns=NUMBERS))[COLUMNS]


def asked_cells(cells, experiment):
    """Return the rows of the statistic for the last condition: the largest training size."""
    return cells[cells["condition"] == list(experiment.conditions)[-1]]


def by_rank(part):
    """Return the rows of one metric: the best mean first, and incomplete methods last."""
    return part.assign(error=part["mean"] * sign_of(part["metric"].iloc[0])).sort_values("error", kind="stable")


def _behind(errors, overlap):
    """Compare the methods (columns) of a cell over its hold-outs (rows).

    Returns
    -------
    dict
        Method -> best, difference, low, high, p, verdict.
    """
    means, n_pairs = errors.mean().round(DECIMALS), errors.shape[1] * (errors.shape[1] - 1) // 2
    first, behind = means.idxmin(), {}
    for method, values in errors.items():
        differences = (values - errors[first]).round(DECIMALS).to_numpy()
        error, _, p = t_test(differences, overlap)
        mean, half = differences.mean(), quantile(len(differences) - 1, n_pairs) * error
        p = np.nan if method == first else np.minimum(1.0, n_pairs * p)
        verdict = BEST if method == first else WORSE if p < LEVEL and mean > 0 else OPEN
        behind[method] = first, mean, mean - half, mean + half, p, verdict
    return behind


def overlap(experiment, dataset, n_train, n_test):
    """Return rho / (1 - rho) for the correlation rho of two hold-outs of a data set with parts of these sizes."""
    # A difference is about its mean + an average over the training rows (variance V1) + one over the test rows (V2).
    # Two hold-outs from N rows share n_train / N and n_test / N of them, so that their correlation is about
    # (V1 n_train / N + V2 n_test / N) / (V1 + V2): n_test / N if the parts are equal, or if V2 is much larger than V1.
    # In the other cases that were simulated it was not above n_test / N (benchmarks/hold_outs.py).
    n_rows = experiment.rows.get(dataset) or n_train + n_test
    return n_test / (n_rows - n_test)


def overlap_of(records, experiment, dataset, condition):
    """Return the overlap of the hold-outs of a data set and condition, by the mean sizes of the runs that are ok: where
    whole groups are drawn, the sizes differ between seeds."""
    cell = records[(records["dataset"] == dataset) & (records["condition"] == condition)]
    n_train, n_test = cell.loc[cell["status"] == "ok", ["n_train", "n_test"]].mean()
    return overlap(experiment, dataset, n_train, n_test)


def _costs(runs):
    """Return seconds, megabytes and the parameters chosen most often of the runs of one method."""
    seconds = float((runs["tune_seconds"] + runs["fit_seconds"]).median())
    (params, _), *_ = Counter(runs["params"]).most_common(1)
    return seconds, float(runs["peak_megabytes"].max()), params
