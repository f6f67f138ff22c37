"""ThresholdedRanker: any ranker as an ordinal predictor."""

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from rankmargin.cut_points import LOSSES, best_cut_points
from rankmargin.estimators.base import check_numbers
from rankmargin.metrics import swapped_pairs
from rankmargin.model import rank_scores


class ThresholdedRanker(MetaEstimatorMixin, BaseEstimator):
    """Make ranks of any ranker: cut its training scores where the rank loss is smallest.

    The cut points are the best of all monotone ones, found exactly by dynamic programming.

    Parameters
    ----------
    ranker : estimator
        It has ``decision_function``, or ``predict`` that returns scores; higher means ahead.
    loss : {"absolute", "zero_one"}, default "absolute"
        The distance of the ranks, or whether they differ; summed over the training rows.

    Attributes
    ----------
    ranker_ : estimator
        The fitted clone.
    thresholds_ : (r - 1,) array
        Ascending scores at which the rank changes; -inf or inf where the best cut never gives the lowest or the
        highest ranks.
    ranks_ : (r,) array
        The distinct values of y, ascending; ``predict`` returns one of them.

    See Also
    --------
    rankmargin.RankBoundarySVM : Boundaries read off the margins.
    rankmargin.cut_points.best_cut_points : The computation.

    References
    ----------
    The baselines of Herbrich, Graepel, Obermayer, "Large margin rank boundaries for ordinal regression" (2000),
    section 2.5, use it.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import Ridge
    >>> from rankmargin import ThresholdedRanker
    >>> X = np.arange(12.0).reshape(-1, 1)
    >>> y = np.repeat([1, 2, 3], 4)
    >>> grader = ThresholdedRanker(Ridge()).fit(X, y)
    >>> grader.predict([[0.0], [5.0], [11.0]])
    array([1, 2, 3])
    """

    def __init__(self, ranker, loss="absolute"):
        self.ranker = ranker
        self.loss = loss

    def fit(self, X, y, **fit_params):
        """Fit the ranker on X and y with ``fit_params`` (its groups, say) and the cut points on its scores of X.

        Returns
        -------
        self
        """
        if self.loss not in LOSSES:
            raise ValueError(f"loss must be one of {', '.join(LOSSES)}, got {self.loss!r}")
        X, y = validate_data(self, X, y, accept_sparse="csr", y_numeric=True)
        check_numbers(y)
        self.ranks_, rank = np.unique(y, return_inverse=True)
        if len(self.ranks_) < 2:
            raise ValueError(f"y must hold at least two ranks, got {len(self.ranks_)} (one distinct value or 1 class)")
        self.ranker_ = clone(self.ranker).fit(X, y, **fit_params)
        self.thresholds_ = best_cut_points(self._scores(X), rank, len(self.ranks_), self.loss)
        return self

    def decision_function(self, X):
        """Return the ranker's scores, shape (m,)."""
        check_is_fitted(self)
        return self._scores(validate_data(self, X, accept_sparse="csr", reset=False))

    def predict(self, X):
        """Return the rank of each row, shape (m,), one of ``ranks_``."""
        return rank_scores(self.decision_function(X), self.thresholds_, self.ranks_)

    def score(self, X, y):
        """Return 1 - the fraction of swapped pairs of the ranker's scores."""
        return 1.0 - swapped_pairs(column_or_1d(y), self.decision_function(X))

    def get_metadata_routing(self):
        """Pass the metadata of ``fit`` on to the ranker."""
        router = MetadataRouter(owner=self.__class__.__name__)
        return router.add(ranker=self.ranker, method_mapping=MethodMapping().add(caller="fit", callee="fit"))

    def _scores(self, X):
        score = getattr(self.ranker_, "decision_function", self.ranker_.predict)
        return column_or_1d(np.asarray(score(X), dtype=np.float64))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags = get_tags(self.ranker).input_tags
        return tags
