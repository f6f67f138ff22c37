"""SVMcompare (Venuto, Hocking, Spanurattana, Sugiyama): learning from pairs in which neither item may be better.

    min 1/2 ||f||^2 + C sum_i max(0, 1 - yt_i (beta + f(xt'_i) - f(xt_i)))                                   (15)

over the flipped data of eq. (8), by its dual (18): a binary SVM over pairs with the kernel of differences.  By Lemma 1
the ranking function is r = f / -beta, for which |r(x') - r(x)| <= 1 means no difference.  This requires beta < 0.  If
beta >= 0, no scaling is valid: the learned separator calls every pair different, so the model predicts the sign of the
difference, which is the limit of Lemma 1 for beta -> 0.
"""

from dataclasses import dataclass, replace

import numpy as np

from rankmargin.annotations import PairLossName
from rankmargin.certificates.models import ComparisonModel
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.pairs_base import MarginPairs
from rankmargin.problem.landmarks import kernel_of
from rankmargin.problem.losses import loss_named
from rankmargin.problem.rows.comparisons import check_comparisons, check_paired, flipped
from rankmargin.solvers.path import Posed


@described
@dataclass(eq=False, repr=False, kw_only=True)
class ComparisonSVM(MarginPairs):
    """SVMcompare: learns from pairs in which one item is better, or neither is.

    The label is that of the *first* item of a pair, 1 if it is better, as in Elo; the paper has the label of the second
    item. The model is a ranking function r. Two items count as different if ``|r(x) - r(x')| > 1``, otherwise as equal.
    The constraints are the pairs with the better item second, and equality pairs in both directions (eq. 8).
    The separator is scaled to the threshold 1 (Lemma 1).

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss of each constraint.
    kernel : str or callable, default "rbf"
        A kernel of single items, see :class:`rankmargin.SwappedPairsSVM`. ``precomputed`` takes the kernel of
        differences of whole pairs, :meth:`rankmargin.kernels.Kernel.pair_gram`.
    gamma : float > 0 or "scale", default "scale"
        Parameter of most kernels. ``scale`` is 1 / (d var) for items of d features, x and x' together.
    degree, coef0, landmarks, loss, tol, max_iter, verbose, max_seconds, random_state
    labels, probability, items

    Attributes
    ----------
    intercept_ : float
        Bias of the separator, beta of eq. (15). The scaling is valid only if it is < 0; otherwise ``fit`` warns.
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

    loss: PairLossName = "hinge"

    def _problem(self, data):
        check_comparisons(data.y)
        rows = replace(flipped(data.y), loss=loss_named(self.loss))
        return comparisons(self, data, rows, lambda model: max(float(model.solution.theta[0]), 0.0))

    def _finish(self, model, data):
        super()._finish(model, data)
        self.intercept_ = -float(model.solution.theta[0])


def comparisons(machine, data, rows, threshold):
    """Pose the problem of rows over pairs; ``threshold`` returns that of a model."""
    items, weight = data.X, data.sample_weight
    if machine.kernel != "precomputed":
        check_paired(items)
    if (machine.gamma == "scale" or machine.landmarks) and machine.kernel not in ("linear", "precomputed"):
        items = np.vstack(np.hsplit(items, 2))
        weight = None if weight is None else np.tile(weight, 2)
    kernel = kernel_of(machine, items, weight, data.seed)

    def model(*solved):
        plain = ComparisonModel(*solved, threshold=0.0)
        return replace(plain, threshold=threshold(plain))

    return Posed.of(machine, data, rows.weighted(data.sample_weight), kernel, pairs=True, model=model)
