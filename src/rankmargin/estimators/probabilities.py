"""Probabilities of grades from scores, by a cumulative link that is fitted on scores of rows outside the fit."""

from typing import Any

import numpy as np
from scipy.special import expit, logit
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array
from rankmargin.estimators.base import FOLDS, distinct_rows
from rankmargin.problem.checks import taken
from rankmargin.problem.rows.pairs import NoPairError
from rankmargin.solvers.likelihood import most_likely
from rankmargin.solvers.progress import current

# the penalty weighs slope^2 / 2, for scores in units of their deviation: it keeps slopes of separable grades finite
PENALTY = 0.1
ROUNDING = 1e-12  # scores that differ from their mean by this share of it are equal to it: the rest is no information


def wants_probabilities(estimator: Any) -> bool:
    """Refuse an estimator that has no probabilities, and say how to get them."""
    if not estimator.probability:
        raise AttributeError("predict_proba needs probability=True before fit, which then fits probabilities too")
    return True


def check_probabilities(estimator: Any) -> None:
    """Refuse an estimator whose last ``fit`` was not with ``probability=True``."""
    check_is_fitted(estimator)
    if not hasattr(estimator, "slope_"):
        raise NotFittedError("predict_proba needs a call of fit with probability=True")


def cross_fitted(
    estimator: Any,
    X: Any,
    y: Array,
    given: dict[str, Any],
    method: str,
    weight: Array | None = None,
    alike: Array | None = None,
    n_labels: int = 2,
    fewest: int = 2 * FOLDS,
    centred: bool = False,
) -> Array:
    """Return the scores of all rows, shape (n,); the score of a row is from a clone fitted on the other parts.

    ``given`` holds arguments of the fit: arrays (n,), PairWeights or None. Rows of ``weight`` 0 are in no part, and
    their scores are 0. Rows with the same number in ``alike`` (n,) are in one part, if there are at least ``fewest``
    numbers; with None these are equal rows. A fit needs ``n_labels`` different y. With ``centred``, each fit counts
    from the mean score of its own rows. If the time is limited, each fit has an equal part of what is left.
    """
    alike = distinct_rows(X)[1] if alike is None else alike
    scores, part = np.zeros(len(y)), _parts(alike, y, weight, fewest)
    progress = current()
    precomputed = get_tags(estimator).input_tags.pairwise
    for k in range(part.max() + 1):
        inside, outside = np.flatnonzero(part == k), np.flatnonzero((part != k) & (part >= 0))
        if len(np.unique(y[outside])) < n_labels:
            raise ValueError(
                f"y must hold at least two grades in each of {FOLDS} parts for probability=True, got 1 class"
            )
        if precomputed:
            rows, others = X[np.ix_(outside, outside)], X[np.ix_(inside, outside)]
        else:
            rows, others = taken(X, outside), taken(X, inside)
        known = {name: value for name, value in given.items() if value is not None}
        weights = {name: value.take(outside) if hasattr(value, "take") else value for name, value in known.items()}
        with progress.share(FOLDS * progress.fits_left - k):
            try:
                fitted = clone(estimator).fit(rows, y[outside], **weights)
            except NoPairError as error:
                raise NoPairError(f"{error} (without one of the parts that probability=True leaves out)") from None
        scores[inside] = getattr(fitted, method)(others)
        if centred:
            middle = _mean_score(fitted, rows, None if weight is None else weight[outside])
            apart = scores[inside] - middle
            scores[inside] = np.where(np.abs(apart) > ROUNDING * abs(middle), apart, 0.0)
    return scores


def _mean_score(fitted: Any, X: Any, weight: Array | None) -> float:
    """Return the mean score of the rows of a fit. Fits count from different zeros, because a threshold makes up for any
    constant: with a large C and a small gamma these differ by far more than the scores."""
    return float(np.average(fitted._from_mean(X), weights=weight))


def _parts(alike, y, weight, fewest):
    """Return the part of each row, shape (n,), -1 if its weight is 0; see `cross_fitted` for the others.

    The distinct rows go to the parts in turn, in the order of y, so that each part has its share of every grade.
    """
    part, kept = np.full(len(y), -1), np.arange(len(y)) if weight is None else np.flatnonzero(weight > 0)
    _, first, place = np.unique(alike[kept], return_index=True, return_inverse=True)
    if len(first) < fewest:
        first = place = np.arange(len(kept))
    of_distinct = np.empty(len(first), dtype=np.int64)
    of_distinct[np.lexsort((first, y[kept][first]))] = np.arange(len(first)) % FOLDS
    part[kept] = of_distinct[place]
    return part


def fit_link(scores: Array, rank: Array, sample_weight: Array | None = None) -> tuple[float, Array]:
    """Return the slope >= 0 and the ascending cumulative thresholds of the link, a float and (r - 1,) array."""
    weight = np.ones(len(rank)) if sample_weight is None else sample_weight
    kept = weight > 0
    scores, rank, weight = scores[kept], np.unique(rank[kept], return_inverse=True)[1], weight[kept]
    spread = float(np.average((scores - np.average(scores, weights=weight)) ** 2, weights=weight)) ** 0.5
    if spread > 0:
        column = scores[:, None] / spread
        model = most_likely(column, rank, penalty=PENALTY, sample_weight=weight)
        if model.w[0] > 0:
            return float(model.w[0]) / spread, model.boundaries + model.shift
    share = np.cumsum(np.bincount(rank, weight))[:-1] / weight.sum()  # the scores say nothing about new rows
    return 0.0, logit(share)


def link_probabilities(scores: Array, slope: float, cumulative: Array) -> Array:
    """Return P(y = class j), shape (m, r), which is >= 0 and sums to 1 in each row."""
    below = expit(cumulative[None, :] - slope * np.asarray(scores)[:, None])
    return np.diff(np.pad(below, ((0, 0), (1, 1)), constant_values=((0, 0), (0.0, 1.0))), axis=1)
