"""SwappedPairsSVM: the scikit-learn estimator for :mod:`rankmargin.methods.swapped_pairs`."""

from dataclasses import dataclass

from rankmargin.estimators.base import Limits, MarginRanker, ScaledC
from rankmargin.estimators.descriptions import described
from rankmargin.methods import swapped_pairs


@described
@dataclass(eq=False, repr=False, kw_only=True)
class SwappedPairsSVM(ScaledC, Limits, MarginRanker, swapped_pairs.AllPairs):
    """Ranking SVM that minimises the number of swapped pairs over all pairs (SVM_multi^SP).

    It solves, over functions f with s = f(X), ::

        min   1/2 ||f||^2 + C sum over pairs with y_i > y_j of max(0, 1 - 2 (s_i - s_j))

    A pair is swapped if s_i <= s_j. Its loss is then at least 1, so the sum bounds the number of swapped pairs.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss, in units of ``C_scale``: try powers of ten from 0.01 to 100.
    C_scale, kernel, gamma, degree, coef0
    loss : {"hinge", "squared_hinge"} or :class:`rankmargin.losses.Loss`, default "hinge"
        The squared hinge is 2 max(0, 1/2 - (s_i - s_j))^2.
    solver, tol
    max_iter : int >= 1, default 100_000
        Largest number of Newton steps (at most 200 for ``interior_point``), sweeps (``dual_cd``) or planes
        (``cutting_plane``). A fit that stops there warns with a ``ConvergenceWarning``.
    verbose, max_seconds, random_state

    Attributes
    ----------
    dual_coef_, coef_, objective_, dual_bound_, gap_
    n_iter_ : int
        Newton steps, sweeps or planes.
    model_

    See Also
    --------
    rankmargin.PairwiseRankSVM : A few random partners per row instead of all pairs.
    rankmargin.RankSVR : If the size of y matters too, and orderings of other rows are known.

    References
    ----------
    Díez, del Coz, Bahamonde, "A support vector method for ranking minimizing the number of swapped pairs" (manuscript,
    posted in 2014), eq. 9 and Algorithms 1 and 2.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from rankmargin import SwappedPairsSVM
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ranker = SwappedPairsSVM(kernel="linear").fit(X[:300], y[:300])
    >>> round(ranker.score(X[300:], y[300:]), 2)  # share of pairs in the right order
    0.75
    >>> bool(ranker.gap_ <= 1e-3)
    True
    """

    _method = staticmethod(swapped_pairs.problem)
    C_weighs = "sum"  # in experiments C may also weigh percents of the pairs
