"""PRank (Crammer and Singer 2001), a perceptron for ranks, and its form with a kernel.

Their steps are in :mod:`rankmargin.solvers.perceptron`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.utils import check_consistent_length, column_or_1d

from rankmargin.annotations import ArrayLike, MatrixLike, Prediction, RandomState
from rankmargin.certificates.models import ThresholdModel
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.ordinal_base import OrdinalClassifier, check_grades
from rankmargin.problem.checks import (
    as_array,
    check_parameters,
    check_targets,
    checked_matrix,
    grades_of,
    one_below_other,
    weights_of_rows,
)
from rankmargin.problem.landmarks import KernelParameters, kernel_of
from rankmargin.problem.rows.pairs import NoPairError, own_order, places
from rankmargin.problem.rows.ranks import ranks_of
from rankmargin.problem.spaces import LinearSpace, kernel_matrix
from rankmargin.solvers.path import Alone
from rankmargin.solvers.perceptron import examples_shown, learn, learn_with_kernel
from rankmargin.solvers.progress import in_one_step


@dataclass(eq=False, repr=False, kw_only=True)
class _OnlineRanker(OrdinalClassifier):
    """Common parts of both forms: grades that are declared first, and rows that are used in their order."""

    epochs: int = 1
    random_state: RandomState | None = None
    categories: Sequence[Any] | None = None
    probability: bool = False
    prediction: Prediction = "thresholds"

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None, **unknown: Any) -> Self:
        """Fit on rows X and grades y from the start, in random orders, and discard what ``partial_fit`` has learned.

        Parameters
        ----------
        X : (n, d) array, data frame or CSR matrix
        y : (n,) array of numbers, each of which is a grade; ordered categorical; or names in ``categories``
        sample_weight : (n,) array of whole numbers >= 0 or None
            How often each row is used in an epoch: a weight of 2 is the same as giving the row twice.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight=sample_weight, **unknown)

    @in_one_step
    def partial_fit(
        self, X: MatrixLike, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn once from each row, in the given order.

        Parameters
        ----------
        X : (n, d) array or CSR matrix
        y : (n,) array of grades
        classes : (r,) array or None
            All grades that will ever occur; from the lowest to the highest if neither ``categories`` nor y has an
            order. None means ``categories``, or the categories of an ordered categorical y, or else the distinct
            numbers of y in the first call.
        sample_weight : (n,) array of whole numbers >= 0 or None
            How many times in succession each row is used.

        Returns
        -------
        self
        """
        if self.prediction == "most_probable":
            raise ValueError('prediction must be "thresholds" for partial_fit, which fits no probabilities')
        first = not hasattr(self, "model_")
        X = checked_matrix(self, X, reset=first, copy=self._keeps_rows())
        check_parameters(self)
        self._kept = None
        if first or classes is not None:
            order, grades = self._declared(y, classes)
            if first:
                self._order = order
                self._set_grades(grades)
                self.thresholds_ = np.zeros(len(grades) - 1)
            elif grades.tolist() != self.grades_.tolist():
                known = self.grades_.tolist()
                raise ValueError(f"classes must not change after the first call, {known!r}, got {classes!r}")
        rank = self._ranks(y)
        check_consistent_length(X, rank)
        for name in ("slope_", "cumulative_"):  # they belong to the scores before this call
            self.__dict__.pop(name, None)
        self.thresholds_ = self.thresholds_.copy()  # models of earlier calls must not change
        if sample_weight is not None:
            sample_weight = weights_of_rows(X, sample_weight)
        self._show(X, rank, first, sample_weight)
        return self

    def _orders(self, data):
        """Yield the rows of each epoch in its order."""
        rng, shown = np.random.default_rng(data.seed), examples_shown(len(data.y), data.sample_weight)
        for _ in range(self.epochs):
            yield shown[rng.permutation(len(shown))]

    def _seed(self):
        return 0 if self.random_state is None else super()._seed()

    def _declared(self, y, classes):
        """Return the order of the grades if it is not that of numbers, a list or None, and the grades of all calls from
        the lowest to the highest."""
        order = own_order(y) if self.categories is None else grades_of(self.categories)
        given = None if classes is None else np.asarray(classes, dtype=object).tolist()
        if order is None and given is None:
            values, _ = check_targets(y)
            check_grades(values)
            grades = np.unique(values)
        else:
            order = given if order is None else order
            strange = [] if given is None else [grade for grade in given if grade not in order]
            if strange:
                raise ValueError(f"classes must be among the categories {order!r}, got {strange[0]!r}")
            grades = as_array([grade for grade in order if given is None or grade in given])
        if len(grades) < 2:
            raise NoPairError(f"classes must hold at least two grades, got {len(grades)} class")
        return order, grades

    def _ranks(self, y):
        """Return the place of each y in ``grades_``, shape (n,)."""
        grades = self.grades_.tolist()
        order = grades if self._order is None else self._order
        place = np.array([grades.index(grade) if grade in grades else -1 for grade in order])
        in_order = places(column_or_1d(np.asarray(y, dtype=object), warn=True), order)
        rank = place[in_order]
        if np.any(rank < 0):
            strange = order[in_order[np.argmin(rank)]]
            raise ValueError(
                f"y must hold grades of the first call, {grades!r}, got {strange!r}: there is no threshold for it, "
                "because no row of fit had it; partial_fit from the start makes thresholds for all categories"
            )
        return rank


@described
@dataclass(eq=False, repr=False, kw_only=True)
class PRank(_OnlineRanker):
    """Perceptron for grades: learns online, one row at a time.

    After a wrong prediction it moves the weights in the direction of the row, and the thresholds on the wrong side of
    the score. The thresholds always stay in order.

    Parameters
    ----------
    epochs : int >= 1, default 1
        How many times ``fit`` goes through the rows, each time in a new random order.
    random_state : int, RandomState or None, default None
        Seed for the orders of ``fit``, None the same as 0; ``partial_fit`` takes its rows in their order.
    categories
    probability : bool, default False
        Whether to fit ``predict_proba`` too (in ``fit``, not in ``partial_fit``). This takes five more fits:
        probabilities are fitted on out-of-fold scores.
    prediction

    Attributes
    ----------
    coef_ : (d,) array
        Weights w of f(x) = w.x.
    x_mean_ : (d,) array
        Zeros: the perceptron depends on the zero of each column.
    thresholds_ : (r - 1,) array
        Ascending thresholds: scores at which the grade changes.
    grades_ : (r,) array
        The grades from the lowest to the highest; ``predict`` returns one of them.
    classes_, slope_, cumulative_
    model_ : rankmargin.model.ThresholdModel
        The fitted function.

    See Also
    --------
    rankmargin.KernelPRank : The same with a kernel.

    References
    ----------
    Crammer, Singer, "Pranking with ranking" (NIPS 2001). A baseline of Shashua, Levin, "Ranking with large margin
    principle: two approaches" (NIPS 2002), section 4.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import PRank
    >>> X = np.linspace(-1, 1, 30).reshape(-1, 1)
    >>> y = np.digitize(X[:, 0], [-0.3, 0.3]) + 1  # grades 1, 2, 3
    >>> learner = PRank(epochs=50, random_state=0).fit(X, y)
    >>> learner.predict([[-0.9], [0.0], [0.9]])
    array([1, 2, 3])
    """

    def _problem(self, data):
        rank, ranks = ranks_of(data.y)
        w, b, space = np.zeros(data.X.shape[1]), np.zeros(len(ranks) - 1), LinearSpace(data.X)
        for shown in self._orders(data):
            learn(space, rank, w, b, shown)
        return Alone(lambda _: ThresholdModel(w, b, ranks))

    def _show(self, X, rank, first, sample_weight):
        self.coef_ = np.zeros(X.shape[1]) if first else self.coef_.copy()
        shown = examples_shown(len(rank), sample_weight)
        learn(LinearSpace(X), rank, self.coef_, self.thresholds_, shown)
        self.model_ = ThresholdModel(self.coef_, self.thresholds_, self.grades_)


@described
@dataclass(eq=False, repr=False, kw_only=True)
class KernelPRank(_OnlineRanker, KernelParameters):
    """PRank with a kernel: learns online, one row at a time.

    Parameters
    ----------
    kernel : str or callable, default "rbf"
        As of :class:`rankmargin.SwappedPairsSVM`. With ``precomputed``, X is the matrix of kernel values, and there is
        no ``partial_fit``.
    gamma : float > 0 or "scale", default "scale"
        Parameter of most kernels. ``scale`` is 1 / (d var(X)) for d features of the first rows.
    degree, coef0
    epochs : int >= 1, default 1
        How many times ``fit`` goes through the rows, each time in a new random order.
    random_state : int, RandomState or None, default None
        Seed for the orders of ``fit``, None the same as 0; ``partial_fit`` takes its rows in their order.
    categories
    probability : bool, default False
        Whether to fit ``predict_proba`` too (in ``fit``, not in ``partial_fit``). This takes five more fits:
        probabilities are fitted on out-of-fold scores.
    prediction

    Attributes
    ----------
    dual_coef_ : (n,) array
        Coefficients of the rows that were used: f(x) = sum_i dual_coef_i k(x_i, x).
    thresholds_ : (r - 1,) array
        Ascending thresholds: scores at which the grade changes.
    grades_ : (r,) array
        The grades from the lowest to the highest; ``predict`` returns one of them.
    classes_, slope_, cumulative_
    model_ : rankmargin.model.ThresholdModel
        The fitted function.

    See Also
    --------
    rankmargin.PRank : Without a kernel; memory does not grow with the rows.

    References
    ----------
    Crammer, Singer, "Pranking with ranking" (NIPS 2001). With a kernel: Shashua, Levin, "Ranking with large margin
    principle: two approaches" (NIPS 2002), section 4.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import KernelPRank
    >>> X = np.linspace(-1, 1, 30).reshape(-1, 1)
    >>> y = np.digitize(X[:, 0] ** 2, [0.2, 0.6]) + 1  # the grade grows with the distance from 0
    >>> learner = KernelPRank(gamma=5.0, epochs=50, random_state=0).fit(X, y)
    >>> learner.predict([[0.0], [0.6], [-0.95]])
    array([1, 2, 3])
    """

    def _problem(self, data):
        rank, ranks = ranks_of(data.y)
        kernel = kernel_of(self, data.X, data.sample_weight)
        K = np.ascontiguousarray(kernel_matrix(data.X, kernel), dtype=np.float64)
        beta, scores, b = np.zeros(len(rank)), np.zeros(len(rank)), np.zeros(len(ranks) - 1)
        for shown in self._orders(data):
            learn_with_kernel(K, rank, beta, scores, b, shown)
        return Alone(lambda _: ThresholdModel(beta, b, ranks, data.X, kernel))

    def _keeps_rows(self):
        return True

    def _finish(self, model, data):
        super()._finish(model, data)
        self.dual_coef_ = data.over_all_rows(model.coefficients)

    def _show(self, X, rank, first, sample_weight):
        if self.kernel == "precomputed":
            raise ValueError('kernel must not be "precomputed" for partial_fit, got it: new rows need a kernel')
        kernel = kernel_of(self, X, sample_weight) if first else self.model_.kernel
        beta, scores = np.zeros(len(rank)), np.zeros(len(rank)) if first else self.model_.scores(X)
        K = np.ascontiguousarray(kernel.gram(X, X))
        shown = examples_shown(len(rank), sample_weight)
        learn_with_kernel(K, rank, beta, scores, self.thresholds_, shown)
        if not first:
            beta = np.concatenate([self.model_.coefficients, beta])
            X = one_below_other(self.model_.X, X)
        self.dual_coef_ = beta
        self.model_ = ThresholdModel(beta, self.thresholds_, self.grades_, X, kernel)
