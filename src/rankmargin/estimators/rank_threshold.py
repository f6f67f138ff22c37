"""RankThreshold: the scikit-learn estimator for :mod:`rankmargin.methods.rank_threshold`."""

from dataclasses import dataclass

from rankmargin.estimators.base import Limits, Random
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.pairs_base import PairsMachine, PairsParameters
from rankmargin.methods import rank_threshold


@described
@dataclass(eq=False, repr=False, kw_only=True)
class RankThreshold(Random, PairsParameters, Limits, PairsMachine, rank_threshold.Parameters):
    """Ranking SVM on labelled pairs, with the threshold that has the fewest training errors.

    These are the two baselines of the paper on comparisons. Unlike in :class:`rankmargin.ComparisonSVM`, the function
    is learned first and the threshold afterwards.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss of each pair.
    equality : {"drop", "oppose"}, default "drop"
        What is learned from equality pairs: nothing ("rank" in the paper), or one pair in each direction ("rank2").
    ties : {"widest", "authors"}, default "widest"
        Which of several equally good thresholds is used: the middle of the widest interval, or the one that the
        authors' program chooses.
    kernel : {"rbf", "linear", "poly", "precomputed"}, default "rbf"
        A kernel of single items: ``rbf`` is exp(-gamma ||x - z||^2), ``linear`` x.z, ``poly``
        (gamma x.z + coef0)^degree. ``precomputed`` takes the kernel of differences of whole pairs,
        :meth:`rankmargin.kernels.Kernel.pair_gram`.
    gamma : float > 0 or "scale", default "scale"
        Parameter of ``rbf`` and ``poly``. ``scale`` is 1 / (d var) for items of d features, x and x' together.
    degree, coef0, tol
    max_iter : int >= 1, default 100_000
        Largest number of sweeps over the pairs. A fit that stops there warns with a ``ConvergenceWarning``.
    verbose, max_seconds
    random_state : int, RandomState or None, default None
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

    _method = staticmethod(rank_threshold.problem)

    def _finish(self, model, prepared):
        super()._finish(model, prepared)
        self.threshold_ = model.threshold
