"""Each competitor against the reference method, data set by data set, paired over the seeds."""

import numpy as np
import pandas as pd

from .paired import mark, signed_rank_test, t_test
from .runs import expected_cells, finished_runs

IDENTITY = ["dataset", "condition", "metric", "method", "reference", "n_pairs", "n_missing"]
DECIMALS = 12  # differences alike up to rounding count as ties


def per_dataset(records, experiment):
    """Test each competitor against the reference on every data set.

    Returns
    -------
    DataFrame
        A row a data set, condition, metric and competitor (`method`), see `rankbench.statistics`. Only seeds where
        both have a value are paired; `n_missing` counts the others.

    Raises
    ------
    ValueError
        If the records are not the experiment's, or the sizes of a data set's splits differ between seeds.
    """
    runs = finished_runs(records, experiment)
    values = {
        key: cell.set_index("seed")["value"] for key, cell in runs.groupby(["dataset", "condition", "metric", "method"])
    }
    overlap = _test_per_train(records)
    reference = experiment["reference_method"]
    cells = [cell for cell in expected_cells(experiment) if cell[-1] != reference]
    nothing = pd.Series(dtype=float)
    rows = []
    for dataset, condition, metric, method in cells:
        ours = values.get((dataset, condition, metric, reference), nothing)
        theirs = values.get((dataset, condition, metric, method), nothing)
        differences = (theirs - ours).dropna().round(DECIMALS).to_numpy()
        rows.append(
            {"dataset": dataset, "condition": condition, "metric": metric, "method": method, "reference": reference}
            | {"n_pairs": len(differences), "n_missing": experiment["seeds"] - len(differences)}
            | _tests(differences, overlap.get((dataset, condition), np.nan))
        )
    return pd.DataFrame(rows, columns=[*IDENTITY, *_tests(np.empty(0), np.nan)])


def _tests(differences, overlap):
    """Return the three tests of one comparison as named values."""
    standard_error, t, t_p = t_test(differences)
    corrected_error, corrected_t, corrected_p = t_test(differences, overlap)
    wilcoxon, wilcoxon_p = signed_rank_test(differences)
    return {
        "mean_difference": differences.mean() if len(differences) else np.nan,
        "standard_error": standard_error,
        "t": t,
        "t_p": t_p,
        "t_mark": mark(t_p),
        "corrected_standard_error": corrected_error,
        "corrected_t": corrected_t,
        "corrected_p": corrected_p,
        "corrected_mark": mark(corrected_p),
        "wilcoxon": wilcoxon,
        "wilcoxon_p": wilcoxon_p,
        "wilcoxon_mark": mark(wilcoxon_p),
    }


def _test_per_train(records):
    """Return n_test / n_train of each data set and condition; a run without a record tells no sizes."""
    sizes = records[records["status"] != "missing"].groupby(["dataset", "condition"])[["n_train", "n_test"]]
    differ = sizes.nunique().max(axis=1) > 1
    if differ.any():
        several = list(differ.index[differ])
        raise ValueError(f"n_train and n_test must be the same in all splits of a data set, got several in {several}")
    first = sizes.first()
    return (first["n_test"] / first["n_train"]).to_dict()
