"""ComparisonSVM: the scikit-learn estimator for :mod:`rankmargin.methods.compare`."""

from dataclasses import dataclass

from rankmargin.estimators.base import Limits
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.pairs_base import PairsMachine, PairsParameters
from rankmargin.methods import compare


@described
@dataclass(eq=False, repr=False, kw_only=True)
class ComparisonSVM(PairsParameters, Limits, PairsMachine, compare.Parameters):
    """SVMcompare: learns from pairs in which one item is better, or neither is.

    The label is that of the *first* item of a pair, 1 if it is better, as in Elo; the paper has the label of the second
    item. The model is a ranking function r. Two items count as different if ``|r(x) - r(x')| > 1``, otherwise as equal.
    The rows of the problem are the pairs with the better item second, and equality pairs in both directions (eq. 8).
    The separator is scaled to the threshold 1 (Lemma 1).

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss of each row.
    kernel : str or callable, default "rbf"
        A kernel of single items, see :class:`rankmargin.SwappedPairsSVM`. ``precomputed`` takes the kernel of
        differences of whole pairs, :meth:`rankmargin.kernels.Kernel.pair_gram`.
    gamma : float > 0 or "scale", default "scale"
        Parameter of most kernels. ``scale`` is 1 / (d var) for items of d features, x and x' together.
    degree, coef0, loss, tol, max_iter, verbose, max_seconds, random_state
    labels, probability, items

    Attributes
    ----------
    intercept_ : float
        Bias of the separator, beta of eq. (15). The scaling is valid only if it is < 0; otherwise ``fit`` warns.
    dual_coef_ : (n,) array
        Coefficients of the differences phi(first) - phi(second), before the scaling.
    coef_ : (d,) array
        Weights of the ranking function r; only with the linear kernel.
    labels_
    classes_ : (3,) array
        The labels in sorted order, as in scikit-learn's classifiers; columns of arrays have this order.
    slope_, tie_ : float
        Parameters of the link of ``predict_proba``; only with ``probability=True``.
    objective_, dual_bound_, gap_, n_iter_
    model_ : rankmargin.model.ComparisonModel
        The function and the problem that it solves; :func:`rankmargin.certificates.judge` checks it.

    See Also
    --------
    rankmargin.RankThreshold : Two baselines of the paper.
    rankmargin.ratings.elo : Ratings of players from games, without features.

    References
    ----------
    Venuto, Hocking, Spanurattana, Sugiyama, "Support vector comparison machines" (2014), Algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import ComparisonSVM, stack_pairs
    >>> rng = np.random.default_rng(0)
    >>> first, second = rng.uniform(0, 10, (2, 200, 2))
    >>> difference = first.sum(axis=1) - second.sum(axis=1)
    >>> y = np.sign(difference) * (abs(difference) > 2)  # 1: the first is better, 0: neither, -1: the second
    >>> svm = ComparisonSVM(C=10, kernel="linear").fit(stack_pairs(first, second), y)
    >>> svm.predict(stack_pairs([[6.0, 6.0], [5.0, 5.0]], [[1.0, 1.0], [5.0, 5.5]]))
    array([1, 0])
    >>> svm.coef_.round(1)  # from a difference of 2 on, one item counts as better
    array([0.5, 0.5])
    """

    _method = staticmethod(compare.problem)

    def _finish(self, model, prepared):
        super()._finish(model, prepared)
        self.intercept_ = -float(model.solution.theta[0])
