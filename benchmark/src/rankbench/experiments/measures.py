"""The metrics by which an experiment may judge: those of `rankmargin.metrics`, one more of comparisons, and two that
judge probabilities.

The second argument of a metric says what it judges: ``ranks``, ``probabilities``, a ``distribution``, or else scores.
"""

import inspect
from contextlib import suppress
from functools import cache

import numpy as np

from rankmargin import metrics
from rankmargin.problem.rows.comparisons import check_comparisons

LEAST = 1e-6  # a probability below it counts as this one


def comparison_log_loss(y, probabilities, sample_weight=None):
    """Return the mean of minus the logarithm of the probability of what happened.

    Parameters
    ----------
    y : (n,) array of -1, 0 and 1
    probabilities : (n, 3) array, of these three labels
    sample_weight : (n,) array or None
    """
    happened = np.take_along_axis(probabilities, np.asarray(y, dtype=int)[:, None] + 1, axis=1)
    return float(-np.average(np.log(np.clip(happened[:, 0], LEAST, 1.0)), weights=sample_weight))


def comparison_auc_any_direction(y, s):
    """Return the AUC of equality and inequality pairs by the size of their difference, right or wrong.

    So the program of a paper has it; `rankmargin.metrics.comparison_auc` asks for the right direction too.
    """
    from sklearn.metrics import roc_curve  # few jobs need it

    check_comparisons(np.asarray(y))
    fpr, tpr, _ = roc_curve(np.asarray(y) != 0, np.abs(s), drop_intermediate=False)
    return float(np.trapezoid(tpr, fpr))


def ranked_probability_score(y, distribution):
    """Return how far predicted distributions of grades are from what happened, in units of the grades.

    It is the integral of ``(P(grade <= t) - [y <= t])^2`` over t, mean over the rows. For one sure grade this is the
    absolute error, so that methods with and without probabilities can be compared.

    Parameters
    ----------
    y : (n,) array
    distribution : ((n, k) array, (k,) array)
        The probabilities of k grades, and these grades in ascending order.

    References
    ----------
    Epstein: A scoring system for probability forecasts of ranked categories. Journal of Applied Meteorology 8, 1969.
    """
    probabilities, grades = distribution
    y = np.asarray(y, dtype=np.float64)
    points = np.union1d(grades, y)  # a grade may be missing in the training part
    below = np.pad(np.cumsum(probabilities, axis=1), ((0, 0), (1, 0)))
    below = below[:, np.searchsorted(grades, points, side="right")]
    distance = (below - (y[:, None] <= points))[:, :-1] ** 2
    return float(np.mean(distance @ np.diff(points)))


METRICS = {name: getattr(metrics, name) for name in metrics.__all__ if name != "get_scorer"}
METRICS |= {one.__name__: one for one in (comparison_log_loss, comparison_auc_any_direction, ranked_probability_score)}
# what a metric judges -> the method of a fitted model that returns it; other metrics judge the scores
JUDGED = {"ranks": "labels", "probabilities": "probabilities"}


@cache  # a job judges thousands of models
def second_argument(metric):
    """Return the name of the argument that a metric compares with y: ``ranks``, ``probabilities``, ``distribution``,
    ``s`` (scores) or ``predictions``."""
    return list(inspect.signature(metric).parameters)[1]


@cache
def takes(metric, argument):
    """Return whether a metric takes the ``groups`` or the ``sample_weight`` of the rows."""
    return argument in inspect.signature(metric).parameters


def _taken(metric, groups, weights):
    """Return the groups and weights, if there are any, that a metric takes."""
    given = {"groups": groups, "sample_weight": weights}
    return {name: values for name, values in given.items() if values is not None and takes(metric, name)}


def measure(metric, y, model, X, groups=None, weights=None):
    """Return a metric of y (m,) and of what the metric judges in the predictions of a model for X (m, p).

    A metric with an argument ``groups`` gets the groups, one with ``sample_weight`` the weights.
    """
    judged = second_argument(metric)
    if judged == "distribution":
        return metric(y, distribution_of(predictions(model, X)))
    predicted = getattr(model, JUDGED[judged])(X) if judged in JUDGED else finite_scores(model, X)
    return float(metric(y, predicted, **_taken(metric, groups, weights)))


def measured(metric, arrays):
    """Return a metric of the arrays that a run kept, see `rankbench.experiments.job.run_seed`."""
    more = _taken(metric, arrays.get("groups"), arrays.get("weights"))
    judged = second_argument(metric)
    if judged == "distribution":
        return metric(arrays["y"], distribution_of(arrays))
    return float(metric(arrays["y"], arrays[JUDGED.get(judged, "scores")], **more))


def predictions(model, X):
    """Return what a model predicts for X (m, p) beside its scores, as the arrays that a run keeps.

    Returns
    -------
    dict
        ``labels`` (m,), ``probabilities`` (m, k), and ``grades`` (k,) if these are the probabilities of grades; without
        what the model does not have.
    """
    arrays = {}
    with suppress(AttributeError, ValueError):  # a ranker has no labels
        arrays["labels"] = np.asarray(model.labels(X), dtype=np.float64)
    if hasattr(model, "probabilities"):
        arrays["probabilities"] = model.probabilities(X)
        arrays |= {"grades": np.asarray(model.ranks, dtype=np.float64)} if hasattr(model, "ranks") else {}
    return arrays


def distribution_of(arrays):
    """Return the probabilities (m, k) of grades and the grades (k,); without probabilities, the label is certain."""
    if "grades" in arrays:
        return arrays["probabilities"], arrays["grades"]
    grades = np.unique(arrays["labels"])
    return (arrays["labels"][:, None] == grades).astype(np.float64), grades


def finite_scores(model, X):
    """Return the scores (m,) of a model; raise FloatingPointError if some are not finite."""
    scores = np.asarray(model.scores(X), dtype=np.float64)
    if scores.shape != (X.shape[0],):
        raise ValueError(f"scores must have shape {(X.shape[0],)}, got {scores.shape}")
    if bad := int(np.count_nonzero(~np.isfinite(scores))):
        raise FloatingPointError(f"{bad} of {scores.size} scores are not finite")
    return scores
