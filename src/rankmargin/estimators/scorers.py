"""Scorers for ``scoring=``: metrics of an order or of grades, with groups and weights by metadata routing."""

import warnings
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils.metadata_routing import MetadataRequest

from rankmargin import metrics
from rankmargin.annotations import MatrixLike
from rankmargin.estimators.targets import check_groups, check_targets, order_of


@dataclass(eq=False, repr=False)
class RankScorer(BaseEstimator):
    """A metric in the form that scikit-learn's ``scoring=`` takes: higher is better.

    Parameters
    ----------
    name : {"concordance", "kendall", "ndcg", "neg_mean_absolute_error", "quadratic_kappa"}
    undefined : float, default nan
        The score if there is no pair to compare.
    """

    name: str
    undefined: float = np.nan

    def __call__(
        self,
        estimator: Any,
        X: MatrixLike,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Return the score of a fitted estimator. If there is no pair to compare, it is ``undefined``, with a warning
        if that is nan.

        Parameters
        ----------
        estimator : fitted; its ``score_samples`` (or else ``predict``) returns scores, its ``predict`` grades
        X, y : the rows and their targets
        groups : (n,) array or None, rows are compared only inside a group
        sample_weight : (n,) array >= 0 or None
        """
        metric, of_scores, grouped, weighted = _METRICS[self.name]
        order = order_of(estimator, y)
        truth, _ = check_targets(y, order)
        score = getattr(estimator, "score_samples", estimator.predict) if of_scores else estimator.predict
        predicted = score(X)
        if not of_scores and order is not None:
            predicted, _ = check_targets(predicted, order)
        given: dict[str, Any] = {"groups": check_groups(np.asarray(predicted), groups)} if grouped else {}
        given |= {"sample_weight": sample_weight} if weighted else {}
        try:
            return metric(truth, predicted, **given)
        except ValueError as error:
            if "no pair" not in str(error):
                raise
            if np.isnan(self.undefined):
                warnings.warn(
                    f"{self.name} is nan: {error}; undefined=0.5 keeps such a fold from deciding a search",
                    UndefinedMetricWarning,
                    stacklevel=2,
                )
            return float(self.undefined)

    def get_metadata_routing(self) -> Any:
        """Request the groups and the weights that the metric takes."""
        request = MetadataRequest(owner=self.name)
        _, _, grouped, weighted = _METRICS[self.name]
        for param, known in (("groups", grouped), ("sample_weight", weighted)):
            if known:
                request.score.add_request(param=param, alias=True)
        return request


def _concordance(y, s, groups=None, sample_weight=None):
    return 1.0 - metrics.swapped_pairs(y, s, groups, sample_weight)


def _negative_error(y, ranks, sample_weight=None):
    return -metrics.mean_absolute_error(y, ranks, sample_weight)


_METRICS: dict[str, tuple[Any, bool, bool, bool]] = {  # metric; whether it takes scores, groups, weights
    "concordance": (_concordance, True, True, True),
    "kendall": (metrics.kendall_tau, True, True, True),
    "ndcg": (metrics.ndcg, True, True, False),
    "neg_mean_absolute_error": (_negative_error, False, False, True),
    "quadratic_kappa": (metrics.quadratic_kappa, False, False, True),
}
SCORERS = {name: partial(RankScorer, name) for name in _METRICS}
