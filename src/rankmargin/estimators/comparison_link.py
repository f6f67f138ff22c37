"""ComparisonLink: the likelihood of :mod:`rankmargin.comparison_likelihood` as an estimator."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array, MatrixLike
from rankmargin.estimators.base import finite_scores
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.pairs_base import PairsMachine
from rankmargin.problem.rows.comparisons import check_comparisons, check_paired
from rankmargin.problem.rows.pairs import NoPairError
from rankmargin.solvers.comparison_likelihood import most_likely_comparisons, standard_errors
from rankmargin.solvers.path import Alone


@described
@dataclass(eq=False, repr=False, kw_only=True)
class ComparisonLink(PairsMachine):
    """Bradley and Terry with features: the probabilities that the first item of a pair is better, equal, or worse.

    The likelihood of labelled pairs, in place of the margins of :class:`rankmargin.ComparisonSVM`. With weights w, d =
    ``offset_`` + w.(x - x') and the logistic distribution F, the first item x is better with the probability F(d -
    ``tie_``), and worse with F(-d - ``tie_``). This is the model of Rao and Kupper: d are log odds, if there are no
    ties. It has no certificate: Newton's method ends at the rounding of its numbers.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the likelihood of each pair beside 1/2 ||w||^2. A large C is maximum likelihood.
    offset : bool, default False
        Whether the first item may be ahead because of being the first, such as the team at home. Without it, an
        exchange of both items exchanges the probabilities of better and worse.
    max_iter : int >= 1, default 100
        Largest number of Newton steps.
    labels, items

    Attributes
    ----------
    coef_ : (d,) array
        Weights w of the ranking function.
    offset_ : float
        By how much the first item is ahead; 0 without ``offset``.
    tie_ : float
        The threshold of ties: for ``|d|`` below it neither item is better with a probability of 1/2. 0 if y has no tie.
    standard_errors_ : (d,) array
        Standard errors of the weights, by the information of the penalised likelihood. If ``fit`` is given ``groups``,
        such as who answered, they allow for any dependence of the pairs of one group.
    offset_error_ : float
        That of the offset; 0 without ``offset``.
    labels_
    classes_ : (3,) array
        The labels in sorted order, as in scikit-learn's classifiers; columns of arrays have this order.
    n_iter_ : int
        Newton steps.
    model_ : rankmargin.comparison_likelihood.ComparisonLinkModel
        The fitted function.

    See Also
    --------
    rankmargin.ratings.bradley_terry : Ratings of players without features.
    rankmargin.ComparisonSVM : Margins instead of a likelihood, and kernels.

    References
    ----------
    Rao, Kupper, "Ties in paired-comparison experiments", JASA 62 (1967). Springall, "Response surface fitting using a
    generalization of the Bradley-Terry paired comparison model", Applied Statistics 22 (1973).

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import ComparisonLink, stack_pairs
    >>> rng = np.random.default_rng(0)
    >>> first, second = rng.uniform(0, 10, (2, 400, 2))
    >>> log_odds = (first - second) @ [1.0, 0.5] + rng.logistic(size=400)
    >>> y = np.sign(log_odds) * (abs(log_odds) > 1)  # 1: the first is better, 0: neither, -1: the second
    >>> model = ComparisonLink(C=100).fit(stack_pairs(first, second), y)
    >>> model.coef_.round(1), round(model.tie_, 1)
    (array([1. , 0.5]), 1.1)
    >>> model.predict_proba(stack_pairs([[6.0, 6.0]], [[5.0, 5.0]])).round(1)  # worse, neither, better
    array([[0.1, 0.3, 0.6]])
    """

    C: float = 1.0
    offset: bool = False
    max_iter: int = 100
    prediction = "most_probable"
    tol, verbose, max_seconds = 0.0, 0, None  # a search reads them, of which Newton's method needs none

    def _problem(self, data):
        X, y, given = data.X, data.y, (self.offset, self.max_iter, data.sample_weight)
        check_comparisons(y, equality=False)
        check_paired(X)
        if self.offset and not (np.any(y > 0) and np.any(y < 0)):
            raise NoPairError("y must hold a better and a worse first item with offset=True, got only one of them")
        return Alone(lambda C: most_likely_comparisons(X, -y, 1.0 / C, *given))

    def _finish(self, model: Any, data: Any) -> None:
        super()._finish(model, data)
        self.n_iter_, self.offset_, self.tie_ = model.n_iter, model.offset, model.tie
        groups = None if data.groups is None else np.unique(data.groups, return_inverse=True)[1]
        groups = groups if np.any(groups) else None
        given = 1.0 / self.C, self.offset, data.sample_weight, groups
        self.standard_errors_, of_offset = standard_errors(model, data.X, -data.y, *given)
        self.offset_error_ = float(of_offset.sum())

    def score_samples(self, X: MatrixLike) -> Array:
        """Return d of each pair, shape (m,): above 0 the first item is probably better, below 0 the second."""
        check_is_fitted(self)
        return finite_scores(self.model_, self._checked_pairs(X))

    def predict_proba(self, X: MatrixLike) -> Array:
        """Return the probabilities that the first item is worse, that neither is better, and that it is better: (m, 3),
        with the columns in the order of ``classes_``."""
        d = self.score_samples(X)
        return self._in_order_of_classes(self.model_.probabilities(d))

    def decision_function(self, X: MatrixLike) -> Array:
        """Return the probabilities: the largest column is the predicted label."""
        return self.predict_proba(X)

    def predict(self, X: MatrixLike) -> Array:
        """Return the most probable label of the first item of each pair, shape (m,), one of ``classes_``."""
        probabilities = self.predict_proba(X)
        return self.classes_[np.argmax(probabilities, axis=1)]
