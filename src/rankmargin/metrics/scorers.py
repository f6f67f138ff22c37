"""Scorers for ``scoring=``: metrics of an order or of grades, with groups and weights by metadata routing."""

import inspect
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn import config_context, get_config
from sklearn.base import BaseEstimator, RegressorMixin, is_classifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import get_scorer as sklearn_scorer
from sklearn.utils import check_consistent_length
from sklearn.utils.metadata_routing import MetadataRequest

from rankmargin import metrics
from rankmargin.annotations import Array, ArrayLike, MatrixLike, PairWeight
from rankmargin.caller import warn_caller
from rankmargin.metrics._checks import checked_weights
from rankmargin.problem.checks import grades_as_numbers, learned_targets, scores_of
from rankmargin.problem.rows.pair_weights import pair_weights
from rankmargin.problem.rows.pairs import (
    NoPairError,
    all_pairs,
    check_groups,
    check_listed,
    is_censored,
    order_of_times,
    split_times,
    with_events,
)


@dataclass(eq=False, repr=False)
class RankScorer(BaseEstimator):
    """A metric in the form that scikit-learn's ``scoring=`` takes: higher is better.

    Parameters
    ----------
    name : str, see `rankmargin.metrics.get_scorer`
    undefined : float, default nan
        The score if there is no pair to compare.
    options : dict or None
        Arguments of the metric.
    """

    name: str
    undefined: float = np.nan
    options: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        accepted = [
            option for option in inspect.signature(_METRICS[self.name][0]).parameters if option in ("k", "gain")
        ]
        if unknown := [name for name in self.options or {} if name not in accepted]:
            raise ValueError(f"{self.name} takes {', '.join(accepted) or 'no more arguments'}, got {unknown[0]!r}")

    def __call__(
        self,
        estimator: Any,
        X: MatrixLike,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        event: ArrayLike | None = None,
        pair_weight: PairWeight | None = None,
    ) -> float:
        """Return the score of a fitted estimator. If there is no pair to compare, it is ``undefined``, with a warning
        if that is nan.

        Parameters
        ----------
        estimator : fitted; its ``score_samples`` (or else ``predict``) returns scores, its ``predict`` grades. The
            grades of a classifier without ``score_samples`` are taken for scores.
        X, y : the rows and their targets
        groups : (n,) array or None, rows are compared only inside a group
        sample_weight : (n,) array >= 0 or None
        event : (n,) array of bool or None
            Whether the times y are those of events, for ``concordance``, which is then Harrell's; y may also be a
            structured array (event, time).
        pair_weight : weights of pairs as in the ``fit`` of rankers, for ``concordance``
        """
        metric, of_scores, grouped = _METRICS[self.name]
        if pair_weight is not None and self.name != "concordance":
            raise ValueError(f"scoring must be concordance with pair_weight, got {self.name}")
        if is_censored(y, event):
            if self.name != "concordance":
                raise ValueError(f"scoring must be concordance with censored times, got {self.name}")
            truth, predicted = with_events(y, event), scores_of(estimator, X)
        elif of_scores and (hasattr(estimator, "score_samples") or not is_classifier(estimator)):
            truth, predicted = learned_targets(estimator, y)[0], scores_of(estimator, X)
        else:
            truth, predicted = grades_as_numbers(estimator, y, estimator.predict(X))
        check_consistent_length(truth, predicted)
        given: dict[str, Any] = {"groups": check_groups(predicted, groups)} if grouped else {}
        given |= {"pair_weight": pair_weight} if pair_weight is not None else {}
        try:
            return metric(truth, predicted, sample_weight=sample_weight, **given, **(self.options or {}))
        except NoPairError as error:
            if np.isnan(self.undefined):
                warn_caller(
                    f"{self.name} is nan: there is no pair to compare, {error}; "
                    f"get_scorer({self.name!r}, undefined=0.5) keeps such a fold from deciding a search",
                    UndefinedMetricWarning,
                )
            return float(self.undefined)

    def get_metadata_routing(self) -> Any:
        """Request the groups, the weights and the events that the metric takes."""
        request = MetadataRequest(owner=self.name)
        grouped, timed = _METRICS[self.name][2], self.name == "concordance"
        for param, known in (("groups", grouped), ("sample_weight", True), ("event", timed)):
            if known:
                request.score.add_request(param=param, alias=True)
        return request


class ScoredByOrder(RegressorMixin):
    """An estimator whose score is the share of pairs in the right order."""

    def score(
        self,
        X: MatrixLike,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        pair_weight: PairWeight | None = None,
        event: ArrayLike | None = None,
    ) -> float:
        """Return the share of pairs in the right order, 1 - eq. (1) of Diez et al.: 1 is a perfect order.

        Tied scores count as swapped. If there is no pair to compare, the score is nan, with a warning. For censored
        times it is Harrell's :func:`rankmargin.metrics.concordance_index`.

        Parameters
        ----------
        X, y, groups, sample_weight, pair_weight, event : as in :meth:`fit`
            Weights are used in the score only if they are passed here too.
        """
        return RankScorer("concordance")(self, X, y, groups, sample_weight, event, pair_weight)


def concordance(
    y: Array,
    scores: Array,
    groups: Array | None = None,
    sample_weight: ArrayLike | None = None,
    pair_weight: PairWeight | None = None,
) -> float:
    """Return 1 - the fraction of swapped pairs; of censored times Harrell's index."""
    if pair_weight is not None:
        return 1.0 - _swapped_of_listed(y, scores, groups, sample_weight, pair_weight)
    if is_censored(y):
        return metrics.concordance_index(y, scores, groups, sample_weight)
    return 1.0 - metrics.swapped_pairs(y, scores, groups, sample_weight)


def _negative_error(y, ranks, sample_weight=None):
    return -metrics.mean_absolute_error(y, ranks, sample_weight)


_METRICS: dict[str, tuple[Any, bool, bool]] = {  # metric; whether it takes scores, and groups
    "concordance": (concordance, True, True),
    "kendall": (metrics.kendall_tau, True, True),
    "ndcg": (metrics.ndcg, True, True),
    "mean_reciprocal_rank": (metrics.mean_reciprocal_rank, True, True),
    "average_precision": (metrics.average_precision, True, True),
    "precision_at_k": (metrics.precision_at_k, True, True),
    "neg_mean_absolute_error": (_negative_error, False, False),
    "quadratic_kappa": (metrics.quadratic_kappa, False, False),
}
SCORERS = {name: partial(RankScorer, name) for name in _METRICS}


def _swapped_of_listed(y, scores, groups, sample_weight, pair_weight):
    """Return the weight of the swapped pairs divided by the weight of all pairs, for y and scores (m,)."""
    weight = np.ones(len(scores)) if sample_weight is None else checked_weights(sample_weight, scores)
    kept = np.flatnonzero(weight)
    lower, tied = weight, 1.0
    if is_censored(y):
        time, event = split_times(y)
        pair_weight, y = weights_of_times(pair_weight, time), order_of_times(time, event)
        lower, tied = weight * event, 0.5
    weights = pair_weights(pair_weight, y, groups, weight).take(kept)
    y, scores, groups = y[kept], scores[kept], None if groups is None else groups[kept]
    check_listed(y, groups)
    rows = all_pairs(y, groups).weighted(weight[kept], lower[kept])
    if not len(rows):
        raise NoPairError("event must make a pair comparable, got none that is earlier than another row of its group")
    rows = weights.weigh(rows)
    differences = rows.differences(scores)
    swapped = rows.cost[differences < 0].sum() + tied * rows.cost[differences == 0].sum()
    return float(swapped / rows.cost.sum())


def weights_of_times(pair_weight: Any, time: Array) -> Any:
    """Return the weights of pairs of censored times, which a callable gets."""
    if isinstance(pair_weight, str):
        raise ValueError(f"pair_weight must be a callable or an (n, n) array with censored times, got {pair_weight!r}")
    return pair_weights(pair_weight, time)


def scorer_of(scoring: Any) -> Any:
    """Return the scorer of this name, of this package or of scikit-learn; ``concordance`` for None."""
    if callable(scoring):
        return scoring
    if scoring is None or (isinstance(scoring, str) and scoring in SCORERS):
        return SCORERS[scoring or "concordance"]()
    if isinstance(scoring, str):
        with suppress(ValueError):
            return sklearn_scorer(scoring)
    raise ValueError(
        f"scoring must be callable, one of {', '.join(SCORERS)}, or a scorer of scikit-learn, got {scoring!r}"
    )


def arguments_of(scoring: Any) -> Any:
    """Return the arguments that a scorer names, or its metric if it is one of scikit-learn's."""
    return inspect.signature(getattr(scoring, "_score_func", scoring)).parameters


def scored(scoring: Any, estimator: Any, X: Any, y: Any, **given: Any) -> float:
    """Return the score of a fitted estimator; the scorer is given only the arguments that it names."""
    named = arguments_of(scoring)
    given = {name: value for name, value in given.items() if name in named}
    routed = get_config()["enable_metadata_routing"] or hasattr(scoring, "_score_func")  # scikit-learn's hand on then
    with config_context(enable_metadata_routing=routed):
        return scoring(estimator, X, y, **given)
