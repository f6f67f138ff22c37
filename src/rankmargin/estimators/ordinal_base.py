"""Common parts of the ordinal estimators: grades with or without names, thresholds, predictions."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin, clone
from sklearn.metrics import accuracy_score
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array, ClassWeight, MatrixLike
from rankmargin.estimators.base import ScoredRows, checked_rows, refuse_unknown
from rankmargin.estimators.probabilities import cross_fitted, fit_link, link_probabilities, wants_probabilities
from rankmargin.model import rank_scores
from rankmargin.rows.pair_weights import pair_weights

NO_GROUPS = "and no groups, since its thresholds are common to all rows"
MOST_FRACTIONS = 20  # at most this many distinct numbers with fractions are accepted as grades, such as half stars


class OrdinalPredictions(ClassifierMixin):
    """Predictions from a score and thresholds, with ``predict_proba`` if ``probability=True``; needs ``score_samples``,
    ``thresholds_`` and a call of ``_set_grades``."""

    probability = False

    def predict(self, X: MatrixLike) -> Array:
        """Return the grade of each row, shape (m,), one of ``classes_``."""
        return rank_scores(self.score_samples(X), self.thresholds_, self.grades_)

    @available_if(wants_probabilities)
    def predict_proba(self, X: MatrixLike) -> Array:
        """Return the probability of each grade, shape (m, r), columns in the order of ``classes_``.

        P(y <= grade j | x) = F(cumulative_j - slope f(x)) with the logistic function F. It is fitted on the scores of
        rows in five parts; the scores of each part come from a model of the other four. Equal rows are in one part, so
        that no model has seen them and a weight of 2 is a row given twice; only if X has fewer than ten distinct rows,
        each row is dealt out alone. As with a support vector classifier of scikit-learn, the most probable grade may
        differ from the one that ``predict`` returns. The expected grade orders rows as the score does.
        """
        check_is_fitted(self)
        return self._in_order_of_classes(link_probabilities(self.score_samples(X), self.slope_, self.cumulative_))

    def decision_function(self, X: MatrixLike) -> Array:
        """Return how deep each score lies inside the interval of each grade, in the form of scikit-learn's classifiers.

        Returns
        -------
        (m, r) array min(s - theta_j, theta_{j+1} - s), with columns in the order of ``classes_``; the largest column is
        the predicted grade. For two grades an (m,) array, > 0 for ``classes_[1]``.
        """
        scores, edges = self.score_samples(X), np.maximum.accumulate(self.thresholds_)
        if len(edges) == 1:
            return scores - edges[0] if class_order(self.grades_)[0] == 0 else edges[0] - scores
        edges = np.concatenate([[-np.inf], edges, [np.inf]])
        return self._in_order_of_classes(np.minimum(scores[:, None] - edges[:-1], edges[1:] - scores[:, None]))

    def score(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the share of grades that are predicted correctly, as every classifier of scikit-learn does.

        :func:`rankmargin.metrics.get_scorer` has scorers that know the order of the grades.
        """
        if y is None:
            raise ValueError("y must be given to score, got None")
        return float(accuracy_score(np.asarray(y), self.predict(X), sample_weight=sample_weight))

    def _fit_link(self, X, rank, sample_weight, given):
        """Fit the link on scores of five models, each for the rows on which it was not fitted."""
        plain = clone(self).set_params(probability=False, categories=None)
        known = plain.get_params(deep=False)
        plain.set_params(**{name: None for name in ("n_bins", "class_weight") if name in known})
        scores = cross_fitted(plain, X, rank, given, "score_samples", sample_weight)
        self.slope_, self.cumulative_ = fit_link(scores, rank, sample_weight)

    def _set_grades(self, grades):
        """Set ``grades_``, from the lowest to the highest, and ``classes_``, sorted."""
        self.grades_, self.classes_ = grades, grades[class_order(grades)]

    def _in_order_of_classes(self, columns):
        """Return columns, one per grade, in the order of ``classes_``."""
        return columns[:, class_order(self.grades_)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # on scikit-learn's check data, clusters without an order
        return tags


class OrdinalClassifier(OrdinalPredictions, ScoredRows):
    """A method with thresholds as a classifier: ``predict`` returns grades, ``score_samples`` the underlying scores.

    Fitted attributes: ``thresholds_`` (r - 1,) are the scores at which the grade changes, ``grades_`` (r,) the grades
    of y from the lowest to the highest, and ``classes_`` (r,) the grades in sorted order, as in scikit-learn.
    """

    categories: Sequence[Any] | None = None
    class_weight: ClassWeight | None = None

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None, **unknown: Any) -> Self:
        """Fit on rows X and grades y. The thresholds are the same for all rows, so there are no groups.

        Parameters
        ----------
        X : (n, d) array, data frame or CSR matrix; (n, n) kernel matrix with ``kernel="precomputed"``
        y : (n,) array of numbers, each of which is a grade; ordered categorical; or names in ``categories``
        sample_weight : (n,) array >= 0 or None, a weight of 2 is a row given twice

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter or the data are not accepted, or y has only one grade.
        """
        refuse_unknown(self, unknown, f"sample_weight=, {NO_GROUPS}")
        return self._fit(X, y, sample_weight)

    def _fit(self, X, y, sample_weight, pair_weight=None):
        X, (y, names), sample_weight = checked_rows(self, X, y, sample_weight, self.categories)
        if names is None and not self._cuts_y():
            refuse_continuous(y)
        pair_weight = pair_weights(pair_weight, y)
        weight = _with_class_weight(self.class_weight, y, names, sample_weight)
        self._learn(X, y, None, weight, pair_weight)
        self.thresholds_, grades = self.model_.boundaries, self.model_.ranks
        self._set_grades(grades if names is None or self._cuts_y() else names[grades.astype(np.int64)])
        if self.probability:
            weights = {"sample_weight": weight, "pair_weight": pair_weight}
            self._fit_link(X, np.unique(y, return_inverse=True)[1], sample_weight, weights)
        return self

    def _cuts_y(self):
        """Return whether the method makes the grades itself, from any numbers y."""
        return getattr(self, "n_bins", None) is not None


def class_order(grades: Array) -> Array:
    """Return the places of the grades in the order of ``classes_``, which is sorted: functions of scikit-learn assume
    this order for columns of probabilities (``log_loss``, partial dependence)."""
    try:
        return np.argsort(grades, kind="stable")
    except TypeError:
        return np.arange(len(grades))  # names of several types cannot be sorted


def refuse_continuous(y: Array) -> None:
    """Refuse targets that are measurements instead of grades."""
    if y.dtype.kind == "f":
        distinct = np.unique(y)
        if len(distinct) > MOST_FRACTIONS and np.any(distinct != np.floor(distinct)):
            raise ValueError(
                f"Unknown label type: continuous. y must hold grades, got {len(distinct)} distinct numbers with "
                "fractions: SVOR(n_bins=5) cuts them into grades, and rankers (SwappedPairsSVM) take them unchanged"
            )


def _with_class_weight(class_weight, y, names, sample_weight):
    """Return the weight of each row times that of its grade, shape (n,); None if all weights are 1."""
    if class_weight is None:
        return sample_weight
    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    grades, place = np.unique(y, return_inverse=True)
    if isinstance(class_weight, str) and class_weight == "balanced":
        sizes = np.bincount(place, weight)
        of_grade = np.divide(weight.sum() / np.sum(sizes > 0), sizes, out=np.zeros(len(sizes)), where=sizes > 0)
    elif isinstance(class_weight, dict):
        labels = grades if names is None else names[grades]
        strange = set(class_weight) - set(labels.tolist())
        if strange:
            raise ValueError(f"class_weight must name grades of y, got {sorted(strange, key=str)[0]!r}")
        of_grade = np.array([float(class_weight.get(label, 1.0)) for label in labels.tolist()])
    else:
        raise ValueError(f'class_weight must be a dict, "balanced" or None, got {class_weight!r}')
    return weight * of_grade[place]
