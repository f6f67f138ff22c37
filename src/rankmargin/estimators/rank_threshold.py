"""Ranking SVM and a threshold (Venuto et al., section 2.2): the two baselines "rank" and "rank2" of SVMcompare.

    min 1/2 ||f||^2 + C sum_i max(0, 1 - y_i (f(x'_i) - f(x_i)))                                              (3)
    min over tau of the number of training pairs with t_tau[f(x'_i) - f(x_i)] != y_i                            (6)

``rank`` sums over the inequality pairs; ``rank2`` adds each equality pair in both directions and counts each
inequality pair twice.  The paper finds tau by grid search; here the minimisers are found exactly, by sorting.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankmargin.annotations import RandomState
from rankmargin.estimators.compare import comparisons
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.pairs_base import MarginPairs
from rankmargin.problem.rows.comparisons import check_comparisons, inequalities, opposed

EQUALITY = {"drop": inequalities, "oppose": opposed}


@described
@dataclass(eq=False, repr=False, kw_only=True)
class RankThreshold(MarginPairs):
    """Ranking SVM on labelled pairs, with the threshold that has the fewest training errors.

    These are the two baselines of the paper on comparisons. Unlike in :class:`rankmargin.ComparisonSVM`, the function
    is learned first and the threshold afterwards.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss of each pair.
    equality : {"drop", "oppose"}, default "drop"
        What is learned from equality pairs: nothing ("rank" in the paper), or one pair in each direction ("rank2").
    kernel : str or callable, default "rbf"
        A kernel of single items, see :class:`rankmargin.SwappedPairsSVM`. ``precomputed`` takes the kernel of
        differences of whole pairs, :meth:`rankmargin.kernels.Kernel.pair_gram`.
    gamma : float > 0 or "scale", default "scale"
        Parameter of most kernels. ``scale`` is 1 / (d var) for items of d features, x and x' together.
    degree, coef0, landmarks, tol
    max_iter : int >= 1, default 100_000
        Largest number of sweeps over the pairs. A fit that stops there warns with a ``ConvergenceWarning``.
    verbose, max_seconds
    random_state : int, RandomState, Generator or None, default None
        Seed for the order in which the solver visits the pairs.
    labels, probability, items

    Attributes
    ----------
    threshold_ : float
        tau of eq. 6, in units of the ranking SVM. ``score_samples`` and ``rank`` are divided by it, so that 1 is
        the threshold here too.
    dual_coef_ : (n,) array
        Coefficients of the differences phi(first) - phi(second), before the scaling.
    coef_ : (d,) array
        Weights of the ranking function r; only with the linear kernel.
    landmarks_, landmark_coef_
    labels_
    classes_ : (3,) array
        The labels in sorted order, as in scikit-learn's classifiers; columns of arrays have this order.
    slope_, tie_ : float
        Parameters of the link of ``predict_proba``; only with ``probability=True``.
    objective_ : float
        Objective of the fitted ranking SVM.
    dual_bound_, gap_
    n_iter_ : int
        Sweeps over the pairs.
    model_ : rankmargin.model.ComparisonModel
        The function and the problem that it solves; :func:`rankmargin.certificates.judge` checks it.

    See Also
    --------
    rankmargin.ComparisonSVM : Learns the function and the threshold together.

    References
    ----------
    Venuto, Hocking, Spanurattana, Sugiyama, "Support vector comparison machines" (2014), section 2.2, eq. 6.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import RankThreshold, stack_pairs
    >>> rng = np.random.default_rng(0)
    >>> first, second = rng.uniform(0, 10, (2, 200, 2))
    >>> difference = first.sum(axis=1) - second.sum(axis=1)
    >>> y = np.sign(difference) * (abs(difference) > 2)  # 1: the first is better, 0: neither, -1: the second
    >>> svm = RankThreshold(C=10, kernel="linear", random_state=0).fit(stack_pairs(first, second), y)
    >>> svm.predict(stack_pairs([[6.0, 6.0], [5.0, 5.0]], [[1.0, 1.0], [5.0, 5.5]]))
    array([1, 0])
    """

    equality: Literal["drop", "oppose"] = "drop"
    max_iter: int = 100_000
    random_state: RandomState | None = None

    def _problem(self, data):
        check_comparisons(data.y, equality=False)

        def threshold(model):
            return best_threshold(data.y, model.scores_of_training(), data.sample_weight)

        return comparisons(self, data, EQUALITY[self.equality](data.y), threshold)

    def _finish(self, model, data):
        super()._finish(model, data)
        self.threshold_ = model.threshold


def best_threshold(y, differences, sample_weight=None):
    """Return a threshold tau > 0 with the smallest number of errors t_tau(difference) != y (eq. 6), in O(n log n).

    The error is constant between neighbouring |differences|, so one tau per interval is enough. It is the middle of the
    widest interval among the minimisers, which is above all differences only if nothing else is as good. If all
    differences are 0, it is 1.

    Parameters
    ----------
    y : (n,) labels -1, 0, 1
    differences : (n,) f(x') - f(x)
    sample_weight : (n,) array > 0 or None, the weight of an error on each pair
    """
    size = np.abs(differences)
    if not np.any(size):
        return 1.0
    edges = np.unique(np.append(0.0, size))
    errors = threshold_errors(y, differences, edges, sample_weight)
    width = np.append(np.diff(edges), 0.0)
    best = int(np.argmax(np.where(errors == errors.min(), width, -1.0)))
    middle = edges[best] + 0.5 * width[best]
    return float(middle if best + 1 == len(edges) or middle < edges[best + 1] else edges[best])


def threshold_errors(y, differences, candidates, sample_weight=None):
    """Return the number, or the weight, of pairs with t_tau(difference) != y for each tau, shape of candidates."""
    size = np.abs(differences)
    weight = np.ones(len(y), dtype=np.int64) if sample_weight is None else np.asarray(sample_weight)
    order = np.argsort(size, kind="stable")
    # a pair of |difference| <= tau is predicted 0, any other by its sign
    right_inside = np.append(0, np.cumsum((weight * (y == 0))[order]))
    right_outside = np.append(0, np.cumsum((weight * ((np.sign(differences) == y) & (y != 0)))[order]))
    inside = np.searchsorted(size[order], candidates, side="right")
    return weight.sum() - right_inside[inside] - (right_outside[-1] - right_outside[inside])
