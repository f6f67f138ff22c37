"""Common parts of the ordinal estimators: grades with or without names, thresholds, predictions."""

import numbers
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin, clone
from sklearn.utils import check_consistent_length
from sklearn.utils.metaestimators import available_if

from rankmargin.annotations import Array, ArrayLike, ClassWeight, MatrixLike, Prediction
from rankmargin.caller import HintWarning, unsaid, warn_caller
from rankmargin.certificates.models import KernelModel, rank_scores
from rankmargin.estimators.base import Data, ScoredRows, checked_rows, finite_scores, refuse_unknown
from rankmargin.estimators.probabilities import (
    check_probabilities,
    cross_fitted,
    fit_link,
    link_probabilities,
    wants_probabilities,
)
from rankmargin.metrics._checks import checked_weights
from rankmargin.problem.checks import grades_as_numbers
from rankmargin.problem.losses import loss_named
from rankmargin.solvers.path import Posed

NO_GROUPS = "and no groups, since its thresholds are common to all rows"
MOST_FRACTIONS = 20  # at most this many distinct numbers with fractions are accepted as grades, such as half stars
MANY_GRADES = 50  # more distinct numbers are accepted with a warning
NEARLY = 1e-9  # thresholds that differ by this share of the largest one are equal up to rounding
TINY = np.finfo(np.float64).tiny


class ManyGradesWarning(HintWarning):
    """y holds too many distinct numbers to be grades."""


class UnknownGradeWarning(UserWarning):
    """``class_weight`` names a grade that is not in y, and leaves out one that is."""


class ThresholdOrderWarning(HintWarning):
    """Thresholds are not in ascending order, so some grades are never predicted."""


class OrdinalPredictions(ClassifierMixin):
    """Predictions from a score and thresholds, with ``predict_proba`` if ``probability=True``; needs ``score_samples``,
    ``thresholds_`` and a call of ``_set_grades``. Scores are compared as ``_from_mean`` has them."""

    probability = False
    prediction: Prediction = "thresholds"

    def predict(self, X: MatrixLike) -> Array:
        """Return the grade of each row, shape (m,), one of ``classes_``: the one whose thresholds enclose its score, or
        with ``prediction="most_probable"`` the one with the largest probability."""
        if self.prediction == "most_probable":
            most_probable = np.argmax(self.predict_proba(X), axis=1)
            return self.classes_[most_probable]
        return rank_scores(self._from_mean(X), self._edges(), self.grades_)

    @available_if(wants_probabilities)
    def predict_proba(self, X: MatrixLike) -> Array:
        """Return the probability of each grade, shape (m, r), columns in the order of ``classes_``.

        P(y <= grade j | x) = F(cumulative_j - slope f(x)) with the logistic function F. The slope and the cumulative
        thresholds are fitted on out-of-fold scores of five folds. Equal rows are in the same fold, unless X has fewer
        than ten distinct rows. The expected grade orders rows as the score does.

        For many rows the most probable grade can differ from that of ``predict``, which compares the score with
        ``thresholds_``. With ``prediction="most_probable"`` they are the same.
        """
        check_probabilities(self)
        return self._in_order_of_classes(link_probabilities(self._from_mean(X), self.slope_, self._cumulative()))

    def decision_function(self, X: MatrixLike) -> Array:
        """Return the margin of each score inside the interval of each grade, in the form of scikit-learn's classifiers.

        Returns
        -------
        (m, r) array min(s - theta_j, theta_{j+1} - s), with columns in the order of ``classes_``; the largest column is
        the predicted grade. For two grades an (m,) array, > 0 for ``classes_[1]``. With
        ``prediction="most_probable"`` these are the probabilities instead, and for two grades their difference.
        """
        if self.prediction == "most_probable":
            columns = self.predict_proba(X)
            return columns[:, 1] - columns[:, 0] if columns.shape[1] == 2 else columns
        scores, edges = self._from_mean(X), np.maximum.accumulate(self._edges())
        above, below = scores[:, None] - edges, edges - scores[:, None]
        below[below == 0.0] = -TINY  # a score on a threshold has passed it
        if len(edges) == 1:
            return -below[:, 0] if class_order(self.grades_)[0] == 0 else below[:, 0]
        open_end = np.full((len(scores), 1), np.inf)
        return self._in_order_of_classes(np.minimum(np.hstack([open_end, above]), np.hstack([below, open_end])))

    def score(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the share of grades that are predicted correctly, as scikit-learn's classifiers do.

        :func:`rankmargin.metrics.get_scorer` has scorers that use the order of the grades.
        """
        truth, predicted = grades_as_numbers(self, y, self.predict(X))
        check_consistent_length(truth, predicted)
        weight = None if sample_weight is None else checked_weights(sample_weight, truth)
        return float(np.average(truth == predicted, weights=weight))

    def _fit_link(self, X, y, rank, sample_weight, given, middle, categories=None):
        """Fit the link on scores of five models, each for the rows on which it was not fitted.

        ``y`` (n,) are the targets of these models, ``rank`` (n,) the places of the grades among those of the rows that
        weigh something, and ``middle`` is the mean score of the rows of this fit.
        """
        plain = clone(self).set_params(probability=False, prediction="thresholds", categories=categories)
        known = plain.get_params(deep=False)
        plain.set_params(**{name: None for name in ("n_bins", "class_weight") if name in known})
        with unsaid(ThresholdOrderWarning, ManyGradesWarning):  # only the scores are used, and the fit has said it
            scores = cross_fitted(plain, X, y, given, "_from_mean", sample_weight, centred=True)
        self.slope_, cumulative = fit_link(scores, rank, sample_weight)
        self.cumulative_ = cumulative + self.slope_ * (middle + self._shift)

    def _cumulative(self):
        """Return the cumulative thresholds (r - 1,) of scores from the mean."""
        return self.cumulative_ - self.slope_ * self._shift

    def _edges(self):
        """Return the thresholds (r - 1,) of scores from the mean: ``thresholds_`` where that is 0."""
        return self.model_.boundaries if self._shift else self.thresholds_

    def _check_prediction(self):
        """Refuse ``prediction="most_probable"`` without probabilities."""
        if self.prediction == "most_probable" and not self.probability:
            raise ValueError('prediction must be "thresholds" with probability=False, got "most_probable"')

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


@dataclass(eq=False, repr=False, kw_only=True)
class OrdinalParameters:
    """Parameters of ordinal estimators in addition to those of their problems."""

    categories: Sequence[Any] | None = None
    class_weight: ClassWeight | None = None
    probability: bool = False
    prediction: Prediction = "thresholds"


class OrdinalClassifier(OrdinalPredictions, ScoredRows):
    """An estimator with thresholds: ``predict`` returns grades, ``score_samples`` the underlying scores.

    Fitted attributes: ``thresholds_`` (r - 1,) are the scores at which the grade changes, ``grades_`` (r,) the grades
    of y from the lowest to the highest, and ``classes_`` (r,) the grades in sorted order, as in scikit-learn.
    """

    categories: Sequence[Any] | None = None
    class_weight: ClassWeight | None = None

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None, **unknown: Any) -> Self:
        """Fit on rows X and grades y. All rows share the same thresholds, so there are no groups.

        Parameters
        ----------
        X : (n, d) array, data frame or CSR matrix; (n, n) kernel matrix with ``kernel="precomputed"``
        y : (n,) array of numbers, each distinct one a grade; ordered categorical; or names in ``categories``
        sample_weight : (n,) array >= 0 or None; a weight of 2 is the same as giving the row twice

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter or the data are invalid, or y has only one grade.
        """
        return self._fit(X, y, sample_weight=sample_weight, **unknown)

    def _data(self, X, y, sample_weight=None, **unknown):
        refuse_unknown(self, unknown, f"sample_weight=, {NO_GROUPS}")
        return self._graded_data(X, y, sample_weight)

    def _graded_data(self, X, y, sample_weight, pair_weight=None):
        self._check_prediction()
        X, (y, names), sample_weight = checked_rows(self, X, y, sample_weight, self.categories)
        self._order = None if names is None else names.tolist()
        y, names = self._graded(y, names, sample_weight)
        weight = with_class_weight(self.class_weight, y, names, sample_weight)
        return self._that_weigh(
            X, y, sample_weight=weight, pair_weight=pair_weight, names=names, before_classes=sample_weight
        )

    def _finish(self, model, data):
        super()._finish(model, data)
        self.thresholds_, grades = self.model_.boundaries + self._shift, self.model_.ranks
        self._set_grades(grades if data.names is None else data.names[grades.astype(np.int64)])
        _warn_of_order(self.model_.boundaries, self.grades_)
        if self.probability:
            grades, rank = np.unique(data.y, return_inverse=True)
            weights = {"sample_weight": data.sample_weight, "pair_weight": data.pair_weight}
            middle = float(np.average(finite_scores(self.model_, data.X), weights=data.before_classes))
            self._fit_link(data.X, rank, rank, data.before_classes, weights, middle, range(len(grades)))

    def _graded(self, y, names, sample_weight):
        """Return the targets of :func:`check_targets` as the problem has them, and their names or None."""
        if names is None:
            check_grades(y)
        return y, names


def threshold_problem(
    machine: Any, data: Data, rows: Any, ranks: Array, loss: Any = "hinge", problem: Any = Posed, **others: Any
) -> Any:
    """Return the problem of threshold rows, whose models predict ``ranks``; ``others`` are further attributes of it."""
    rows = replace(rows.weighted(data.sample_weight), loss=loss_named(loss))
    return problem.of(machine, data, rows, model=partial(KernelModel, ranks=ranks), **others)


def class_order(grades: Array) -> Array:
    """Return the places of the grades in the order of ``classes_``, which is sorted: functions of scikit-learn assume
    this order for columns of probabilities (``log_loss``, partial dependence)."""
    try:
        return np.argsort(grades, kind="stable")
    except TypeError:
        return np.arange(len(grades))  # names of several types cannot be sorted


def _warn_of_order(thresholds, grades):
    """Warn if thresholds are not in ascending order up to rounding, and name the grades that are never predicted."""
    reached = np.maximum.accumulate(thresholds)
    size = np.abs(thresholds).max(initial=0.0, where=np.isfinite(thresholds))
    if np.any(thresholds < reached - NEARLY * size):
        never = ", ".join(map(str, grades[1:-1][reached[1:] == reached[:-1]]))
        warn_caller(
            f"the thresholds are not in ascending order, and predict never returns {never}: SVOR and "
            "FixedMarginSVM(ordered=True) keep them in order",
            ThresholdOrderWarning,
        )


def check_grades(y: Array) -> None:
    """Refuse targets that are measurements instead of grades, and warn of a number of grades that suggests it."""
    distinct = np.unique(y)
    cut = "SVOR(n_bins=5) cuts them into grades, and rankers (SwappedPairsSVM) take them unchanged"
    if y.dtype.kind == "f" and len(distinct) > MOST_FRACTIONS and np.any(distinct != np.floor(distinct)):
        raise ValueError(
            f"Unknown label type: continuous. y must hold grades, got {len(distinct)} distinct numbers with "
            f"fractions: {cut}"
        )
    if len(distinct) > MANY_GRADES:
        warn_caller(
            f"y holds {len(distinct)} distinct numbers, and each becomes a grade with its own thresholds: {cut}; "
            "categories=[lowest, ..., highest] says that they are grades",
            ManyGradesWarning,
        )


def with_class_weight(
    class_weight: ClassWeight | None, y: Array, names: Array | None, sample_weight: Array | None
) -> Array | None:
    """Return the weight of each row times that of its grade, shape (n,); None if all weights are 1."""
    if class_weight is None:
        return sample_weight
    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    grades, place = np.unique(y, return_inverse=True)
    if isinstance(class_weight, str) and class_weight == "balanced":
        sizes = np.bincount(place, weight)
        of_grade = np.divide(weight.sum() / np.sum(sizes > 0), sizes, out=np.zeros(len(sizes)), where=sizes > 0)
    elif isinstance(class_weight, dict):
        labels = (grades if names is None else names[grades]).tolist()
        _check_class_weight(class_weight, labels, None if names is None else names.tolist())
        of_grade = np.array([float(class_weight.get(label, 1.0)) for label in labels])
    else:
        raise ValueError(f'class_weight must be a dict, "balanced" or None, got {class_weight!r}')
    return weight * of_grade[place]


def _check_class_weight(class_weight, labels, order):
    """Refuse weights that are not finite numbers >= 0 and names of grades that cannot be.

    A grade that is in the order but not in y is not a fault, since a fold may lack it. If the order is not known, a
    number that is not a grade of y is one of other folds, as in scikit-learn, if all grades of y have a weight too.
    """
    for grade, weight in class_weight.items():
        if not isinstance(weight, numbers.Real) or not np.isfinite(weight) or weight < 0:
            raise ValueError(f"class_weight must hold finite numbers >= 0, got {weight!r} for the grade {grade!r}")
    strange = [grade for grade in class_weight if grade not in (labels if order is None else order)]
    if not strange:
        return
    if order is not None or not isinstance(strange[0], numbers.Real):
        raise ValueError(f"class_weight must name grades of y, got {strange[0]!r}")
    without = [grade for grade in labels if grade not in class_weight]
    if without:
        message = f"class_weight names {strange[0]!r}, which no row of y has, and has no weight for {without[0]!r}"
        warn_caller(message, UnknownGradeWarning)
