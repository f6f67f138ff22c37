"""PRank and KernelPRank: the scikit-learn estimators for :mod:`rankmargin.methods.prank` and its kernel form."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import vstack
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import _check_sample_weight

from rankmargin import kernels
from rankmargin.annotations import Gamma, Kernel, MatrixLike, RandomState
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.ordinal_base import OrdinalClassifier, refuse_continuous
from rankmargin.estimators.targets import check_targets, checked_matrix
from rankmargin.methods import kernel_prank, prank
from rankmargin.model import ThresholdModel
from rankmargin.spaces import LinearSpace


class _OnlineRanker(OrdinalClassifier):
    """Common parts of both forms: grades that are declared first, and examples that are shown in their order."""

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None, **unknown: Any) -> Self:
        """Fit on rows X and grades y from the start, in random orders; what ``partial_fit`` learned is forgotten.

        Parameters
        ----------
        X : (n, d) array, data frame or CSR matrix
        y : (n,) array of numbers, each of which is a grade; ordered categorical; or names in ``categories``
        sample_weight : (n,) array of whole numbers >= 0 or None
            How often each example is shown in an epoch: a weight of 2 is a row given twice.

        Returns
        -------
        self
        """
        return super().fit(X, y, sample_weight, **unknown)

    def partial_fit(
        self, X: MatrixLike, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn once from each example, in the given order.

        Parameters
        ----------
        X : (n, d) array or CSR matrix
        y : (n,) array of grades
        classes : (r,) array or None
            All grades that will ever occur, from the lowest to the highest; used in the first call. None means
            ``categories``, or else the distinct values of y in this call.
        sample_weight : (n,) array of whole numbers >= 0 or None
            How many times in succession each example is shown.

        Returns
        -------
        self
        """
        first = not hasattr(self, "model_")
        X = checked_matrix(self, X, reset=first, copy=True)
        self._check_parameters()
        self._kept = None
        if first:
            self._set_grades(self._grades(y, classes))
            self.thresholds_ = np.zeros(len(self.grades_) - 1)
        elif classes is not None and np.asarray(classes).tolist() != self.grades_.tolist():
            known = self.grades_.tolist()
            raise ValueError(f"classes must stay what they were in the first call, {known!r}, got {classes!r}")
        rank, _ = check_targets(y, self.grades_.tolist())
        check_consistent_length(X, rank)
        self.thresholds_ = self.thresholds_.copy()  # models of earlier calls must not change
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        self._show(X, rank, first, prank.examples_shown(len(rank), sample_weight))
        return self

    def _grades(self, y, classes):
        """Return the grades of all calls from the lowest to the highest."""
        known = self.categories if self.categories is not None else classes
        if known is None:
            values, known = check_targets(y)
            if known is None:
                refuse_continuous(values)
                known = np.unique(values)
        grades = np.asarray(known)
        grades = np.unique(grades) if grades.dtype.kind in "biuf" else grades
        if len(grades) < 2:
            raise ValueError(f"classes must hold at least two grades, got {len(grades)} class")
        return grades


@described
@dataclass(eq=False, repr=False)
class PRank(_OnlineRanker):
    """Perceptron for ranks: learns online, one example at a time.

    If it predicts a wrong rank, it changes the weights in the direction of the example, and the thresholds on the wrong
    side of the score. The thresholds always stay in order.

    Parameters
    ----------
    epochs : int >= 1, default 1
        How many times ``fit`` goes through the examples, each time in a new random order.
    random_state : int, RandomState or None, default None
        Seed for the orders of ``fit``; ``partial_fit`` keeps the order of its examples.
    categories
    probability : bool, default False
        Whether to fit ``predict_proba`` too (in ``fit``, not in ``partial_fit``), on scores of five more models for
        rows on which they were not fitted.

    Attributes
    ----------
    coef_ : (d,) array
        Weights w of f(x) = w.x.
    thresholds_ : (r - 1,) array
        Ascending thresholds: scores at which the rank changes.
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
    >>> y = np.digitize(X[:, 0], [-0.3, 0.3]) + 1  # ranks 1, 2, 3
    >>> learner = PRank(epochs=50, random_state=0).fit(X, y)
    >>> learner.predict([[-0.9], [0.0], [0.9]])
    array([1, 2, 3])
    """

    _method = prank
    _options = ("epochs",)

    epochs: int = 1
    random_state: RandomState | None = None
    categories: Sequence[Any] | None = None
    probability: bool = False

    def _show(self, X, rank, first, shown):
        self.coef_ = np.zeros(X.shape[1]) if first else self.coef_.copy()
        prank.learn(LinearSpace(X), rank, self.coef_, self.thresholds_, shown)
        self.model_ = ThresholdModel(self.coef_, self.thresholds_, self.grades_)


@described
@dataclass(eq=False, repr=False)
class KernelPRank(_OnlineRanker):
    """PRank with a kernel: learns online, one example at a time.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly", "precomputed"}, default "rbf"
        ``rbf`` is exp(-gamma ||x - z||^2), ``linear`` x.z, ``poly`` (gamma x.z + coef0)^degree. With ``precomputed``,
        X is the matrix of kernel values, and there is no ``partial_fit``.
    gamma : float > 0 or "scale", default "scale"
        Parameter of ``rbf`` and ``poly``. ``scale`` is 1 / (d var(X)) for d features of the first examples.
    degree, coef0
    epochs : int >= 1, default 1
        How many times ``fit`` goes through the examples, each time in a new random order.
    random_state : int, RandomState or None, default None
        Seed for the orders of ``fit``; ``partial_fit`` keeps the order of its examples.
    categories
    probability : bool, default False
        Whether to fit ``predict_proba`` too (in ``fit``, not in ``partial_fit``), on scores of five more models for
        rows on which they were not fitted.

    Attributes
    ----------
    dual_coef_ : (n,) array
        Coefficients of the examples that were shown: f(x) = sum_i dual_coef_i k(x_i, x).
    thresholds_ : (r - 1,) array
        Ascending thresholds: scores at which the rank changes.
    grades_ : (r,) array
        The grades from the lowest to the highest; ``predict`` returns one of them.
    classes_, slope_, cumulative_
    model_ : rankmargin.model.ThresholdModel
        The fitted function.

    See Also
    --------
    rankmargin.PRank : Without a kernel; memory does not grow with the examples.

    References
    ----------
    Crammer, Singer, "Pranking with ranking" (NIPS 2001). With a kernel: Shashua, Levin, "Ranking with large margin
    principle: two approaches" (NIPS 2002), section 4.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import KernelPRank
    >>> X = np.linspace(-1, 1, 30).reshape(-1, 1)
    >>> y = np.digitize(X[:, 0] ** 2, [0.2, 0.6]) + 1  # the rank grows with the distance from 0
    >>> learner = KernelPRank(gamma=5.0, epochs=50, random_state=0).fit(X, y)
    >>> learner.predict([[0.0], [0.6], [-0.95]])
    array([1, 2, 3])
    """

    _method = kernel_prank
    _options = ("epochs",)

    kernel: Kernel = "rbf"
    gamma: Gamma = "scale"
    degree: int = 3
    coef0: float = 0.0
    epochs: int = 1
    random_state: RandomState | None = None
    categories: Sequence[Any] | None = None
    probability: bool = False

    def _set_model(self, model, n, kept=None):
        super()._set_model(model, n, kept)
        self.dual_coef_ = model.coefficients

    def _show(self, X, rank, first, shown):
        if self.kernel == "precomputed":
            raise ValueError('kernel must not be "precomputed" for partial_fit: new examples need a kernel')
        kernel = kernels.Kernel(*self._kernel_parameters(X).values()) if first else self.model_.kernel
        beta, scores = np.zeros(len(rank)), np.zeros(len(rank)) if first else self.model_.scores(X)
        K = np.ascontiguousarray(kernel.gram(X, X))
        kernel_prank.learn(K, rank, beta, scores, self.thresholds_, shown)
        if not first:
            beta = np.concatenate([self.model_.coefficients, beta])
            sparse = hasattr(X, "tocsr") or hasattr(self.model_.X, "tocsr")
            X = vstack([self.model_.X, X], format="csr") if sparse else np.concatenate([self.model_.X, X])
        self.dual_coef_ = beta
        self.model_ = ThresholdModel(beta, self.thresholds_, self.grades_, X, kernel)
