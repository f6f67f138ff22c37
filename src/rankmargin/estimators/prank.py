"""PRank (Crammer and Singer 2001), a perceptron for ranks, and its form with a kernel.

Their steps are in :mod:`rankmargin.solvers.perceptron`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankmargin.annotations import Prediction, RandomState
from rankmargin.certificates.models import ThresholdModel
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.ordinal_base import OrdinalClassifier
from rankmargin.problem.landmarks import KernelParameters, kernel_of
from rankmargin.problem.rows.ranks import ranks_of
from rankmargin.problem.spaces import LinearSpace, kernel_matrix
from rankmargin.solvers.path import Alone
from rankmargin.solvers.perceptron import examples_shown, learn, learn_with_kernel


@dataclass(eq=False, repr=False, kw_only=True)
class _OnlineRanker(OrdinalClassifier):
    """Common parts of both forms: weights are whole numbers, of how often each row is used in an epoch."""

    epochs: int = 1
    random_state: RandomState | None = None
    categories: Sequence[Any] | None = None
    probability: bool = False
    prediction: Prediction = "thresholds"

    def _orders(self, data):
        """Yield the rows of each epoch in its order."""
        rng, shown = np.random.default_rng(data.seed), examples_shown(len(data.y), data.sample_weight)
        for _ in range(self.epochs):
            yield shown[rng.permutation(len(shown))]

    def _seed(self):
        return 0 if self.random_state is None else super()._seed()


@described
@dataclass(eq=False, repr=False, kw_only=True)
class PRank(_OnlineRanker):
    """Perceptron for grades: it learns from one row at a time.

    After a wrong prediction it moves the weights in the direction of the row, and the thresholds on the wrong side of
    the score. The thresholds always stay in order.

    Parameters
    ----------
    epochs : int >= 1, default 1
        How many times ``fit`` goes through the rows, each time in a new random order.
    random_state : int, RandomState or None, default None
        Seed for the orders of ``fit``, None the same as 0.
    categories
    probability : bool, default False
        Whether to fit ``predict_proba`` too. This takes five more fits: probabilities are fitted on out-of-fold scores.
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


@described
@dataclass(eq=False, repr=False, kw_only=True)
class KernelPRank(_OnlineRanker, KernelParameters):
    """PRank with a kernel: it learns from one row at a time.

    Parameters
    ----------
    kernel : str or callable, default "rbf"
        As of :class:`rankmargin.SwappedPairsSVM`.
    gamma : float > 0 or "scale", default "scale"
        Parameter of most kernels. ``scale`` is 1 / (d var(X)) for d features.
    degree, coef0
    epochs : int >= 1, default 1
        How many times ``fit`` goes through the rows, each time in a new random order.
    random_state : int, RandomState or None, default None
        Seed for the orders of ``fit``, None the same as 0.
    categories
    probability : bool, default False
        Whether to fit ``predict_proba`` too. This takes five more fits: probabilities are fitted on out-of-fold scores.
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
