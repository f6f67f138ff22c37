"""Each competitor against the reference method, data set by data set, paired over the seeds."""

import numpy as np
import pandas as pd

from rankbench.configuration.labels import sign_of

from .runs import beside_reference, runs_of_rivals
from .significance import DECIMALS, adjusted, mark, t_test

IDENTITY = ["dataset", "condition", "metric", "method", "reference", "n_pairs", "n_missing"]
MOST_OVERLAP = 1.0  # largest n_test / n_train for which the correction for overlapping training sets was validated


def per_dataset(records, experiment):
    """Test each competitor against the reference on every data set, baselines left out.

    ``holm_p`` and ``bh_p`` adjust the plain p values of a condition and metric for their number (Holm's family-wise
    error, Benjamini and Hochberg's false discovery rate). The test of Nadeau and Bengio is for training sets that share
    most of their rows: where the test part is larger than the training part, or the sizes differ between seeds, it is
    left out (NaN, ``untested``).

    Returns
    -------
    DataFrame
        One row per data set, condition, metric and competitor (`method`), see `rankbench.statistics`. Paired are the
        seeds that all compared methods of the cell have, see `rankbench.statistics.common`; `n_missing` counts the
        others. All differences, and t, are above 0 where the reference is better, also of a metric that is better
        higher.

    Raises
    ------
    ValueError
        If the records are not the experiment's.
    """
    records, experiment = runs_of_rivals(records, experiment)
    overlap, reference, rows = test_per_train(records), experiment.reference_method, []
    for (dataset, condition, metric, method), both in beside_reference(records, experiment):
        differences = sign_of(metric) * (both[method] - both[reference]).round(DECIMALS).to_numpy()
        rows.append(
            {"dataset": dataset, "condition": condition, "metric": metric, "method": method, "reference": reference}
            | {"n_pairs": len(differences), "n_missing": experiment.seeds - len(differences)}
            | _tests(differences, overlap.get((dataset, condition), np.nan))
        )
    frame = pd.DataFrame(rows, columns=[*IDENTITY, *_tests(np.empty(0), np.nan)])
    family = frame.groupby(["condition", "metric"], sort=False)["t_p"]
    return frame.assign(**{f"{name}_p": family.transform(adjusted, method=name) for name in ("holm", "bh")})


def _tests(differences, overlap):
    """Return the two tests of one comparison as named values."""
    standard_error, t, t_p = t_test(differences)
    sharing = overlap if overlap <= MOST_OVERLAP else np.nan
    corrected_error, corrected_t, corrected_p = t_test(differences, sharing)
    return {
        "mean_difference": differences.mean() if len(differences) else np.nan,
        "standard_error": standard_error,
        "t": t,
        "t_p": t_p,
        "t_mark": mark(t_p),
        "overlap": overlap,
        "corrected_standard_error": corrected_error,
        "corrected_t": corrected_t,
        "corrected_p": corrected_p,
        "corrected_mark": mark(corrected_p),
    }


def test_per_train(records):
    """Return n_test / n_train of each data set and condition, NaN where the sizes differ between seeds; a run without a
    record has no sizes."""
    sizes = records[records["status"] != "missing"].groupby(["dataset", "condition"])[["n_train", "n_test"]]
    first = sizes.first()
    return (first["n_test"] / first["n_train"]).where(sizes.nunique().max(axis=1) == 1).to_dict()
