"""RankSVR: regression on few targets and many orderings (Yu et al. 2010, Definitions 3 and 4).

    min 1/2 ||f||^2 + C sum_i (xi_i + xi*_i) + C_rank sum_{(i,j)} zeta_ij
    y_i - (f(x_i) + b) <= epsilon + xi_i,   (f(x_i) + b) - y_i <= epsilon + xi*_i,   f(z_i) - f(z_j) >= margin - zeta_ij

The solution is an expansion over the stacked rows [X; Z]: a part from the targets, as in SVR, and a part from the
orderings, as in a ranking SVM (Appendix A).  Without orderings the problem is epsilon-SVR.

The loss of a target is a :class:`rankmargin.losses.Loss` of two rows, above the tube and below it, one of which is 0:
with the hinge it is the epsilon-insensitive loss, with the squared hinge the squared one.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array, ArrayLike, CScale, MatrixLike, PairLossName
from rankmargin.certificates.models import RankSVRModel
from rankmargin.estimators.base import Data, KernelMachine, checked_rows, finite_scores
from rankmargin.estimators.descriptions import described
from rankmargin.problem.checks import Certified, checked_matrix, one_below_other
from rankmargin.problem.landmarks import kernel_of
from rankmargin.problem.losses import loss_named
from rankmargin.problem.rows.orderings import check_orderings, tube_and_orderings
from rankmargin.problem.rows.pairs import floats
from rankmargin.problem.spaces import check_kernel_matrix
from rankmargin.solvers.path import Posed

LARGEST_LOSS, LEAST_SPREAD = 1e300, 1e-130  # squares of smaller targets are too close to the smallest float64


@described
@dataclass(eq=False, repr=False, kw_only=True)
class RankSVR(RegressorMixin, KernelMachine, Certified):
    r"""Regression on a few targets and on orderings of other rows.

    It solves, over functions f and a bias b,

    .. math::

        \min_{f, b}\ \frac{1}{2} {\|f\|}^2 + C \sum_i \ell(|y_i - f(x_i) - b| - \epsilon)

    plus the loss of the pairs

    .. math::

        C_{\mathrm{rank}}\, w \sum_{\mathrm{pairs}\ (i, j)} \ell(\mathrm{margin} - (f(z_i) - f(z_j)))

    where w is the number of rows in pairs divided by the number of pairs; with ``C_scale="pairs"`` w is 1, as in the
    paper.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of one unit by which a target lies outside the tube.
    loss : {"hinge", "squared_hinge"} or :class:`rankmargin.losses.Loss`, default "hinge"
        Loss of a target that lies v > 0 outside the tube, and of an ordering that lacks v of its margin: ``hinge`` is
        v, so that of a target is epsilon-insensitive; ``squared_hinge`` is v^2.
    C_rank : float >= 0, default 1.0
        Weight of one unit by which an ordering misses its margin; see ``C_scale``.
    C_scale : {"rows", "pairs"}, default "rows"
        ``rows``: the weight of all orderings together is C_rank times the number of rows that they order, so that a
        C_rank that was chosen on some orderings also suits more orderings. ``pairs``: the weight of each ordering is
        C_rank, as in the paper.
    epsilon : float >= 0, default 0.1
        Half the width of the tube, in units of y.
    margin : float > 0, default 1.0
        By how much f(z_i) should exceed f(z_j), in units of y.
    kernel : str or callable, default "rbf"
        As of :class:`rankmargin.SwappedPairsSVM`. With ``precomputed``, X and Z hold the kernel values with the rows of
        X, followed by those with the rows of Z.
    gamma : float > 0 or "scale", default "scale"
        Parameter of most kernels. ``scale`` is 1 / (d var) for d features, over all rows of X and Z.
    degree, coef0, landmarks, tol
    max_iter : int >= 1, default 10_000_000
        Largest number of steps of the solver. A fit that stops there warns with a ``ConvergenceWarning``.
    verbose, max_seconds, random_state

    Attributes
    ----------
    dual_coef_ : (n + m,) array
        Coefficients of f for the rows of X, then for those of Z; 0 for a row of Z that is in no pair.
    intercept_ : float
        b of the prediction f(x) + b, in units of y.
    coef_, x_mean_, landmarks_, landmark_coef_
    objective_, dual_bound_, gap_
    n_iter_ : int
        Rounds of the solver.
    model_ : rankmargin.model.RankSVRModel
        The function and the problem that it solves; :func:`rankmargin.certificates.judge` checks it.

    See Also
    --------
    rankmargin.sampling.close_pair : Chooses pairs whose order is worth knowing.
    rankmargin.SwappedPairsSVM : If only the order matters.

    References
    ----------
    Yu, Kim, Na, "RankSVR: can preference data help regression?" (CIKM 2010), sections 4 and 5 and Appendix A.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import RankSVR
    >>> X = np.array([[0.0], [1.0]])  # two rows with a target
    >>> y = np.array([0.0, 1.0])
    >>> Z = np.array([[2.0], [4.0], [6.0]])  # three rows without a target, whose order is known
    >>> pairs = [[2, 1], [1, 0]]  # Z[2] is above Z[1], and Z[1] above Z[0]
    >>> model = RankSVR(C=100, kernel="linear", epsilon=0.0).fit(X, y, Z=Z, pairs=pairs)
    >>> model.predict([[3.0]]).round(1)
    array([3.])
    """

    loss: PairLossName = "hinge"
    C_rank: float = 1.0
    C_scale: CScale = "rows"
    epsilon: float = 0.1
    margin: float = 1.0

    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        Z: MatrixLike | None = None,
        pairs: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        pair_weight: ArrayLike | None = None,
    ) -> Self:
        """Fit on rows X with targets y and on ordered pairs of rows Z; without pairs this is epsilon-SVR.

        Z and pairs can be passed by metadata routing (``set_fit_request(Z=True, pairs=True)``); a pipeline scales Z
        with ``transform_input=["Z"]``. In cross-validation, scikit-learn splits every fit argument that is as long as
        X, so Z and pairs should not have n rows there.

        Parameters
        ----------
        X : (n, d) array, data frame or CSR matrix; with ``kernel="precomputed"`` the (n, n + m) kernel values with the
            rows of X, followed by those with the rows of Z
        y : (n,) array of numbers
        Z : (m, d) array, data frame or CSR matrix, (m, n + m) kernel values, or None: the pairs order rows of X
        pairs : (p, 2) array of integers or None
            Row i of Z is above row j. A pair given twice costs twice.
        sample_weight : (n,) array >= 0 or None, weights of the targets: 2 is the same as giving the row of X twice
        pair_weight : (p,) array > 0 or None, weights of the pairs: 2 is the same as giving the pair twice

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter, the data or a pair is not accepted.
        """
        given = {"Z": Z, "pairs": pairs, "sample_weight": sample_weight, "pair_weight": pair_weight}
        return self._fit(X, y, **given)

    def _data(self, X, y, Z=None, pairs=None, sample_weight=None, pair_weight=None):
        X, (y, _), sample_weight = checked_rows(self, X, y, sample_weight)
        if sample_weight is not None:  # targets that weigh nothing are not looked at
            y = np.where(sample_weight > 0, y, np.mean(y[sample_weight > 0]))
        if Z is not None:
            Z = checked_matrix(self, Z, reset=False)
        return Data(X, y, None, sample_weight, pair_weight, Z=Z, pairs=pairs, seed=self._seed())

    def _problem(self, data):
        X, Z, sample_weight = data.X, data.Z, data.sample_weight
        y = np.asarray(data.y, dtype=np.float64)
        _check_loss(y, 1.0)
        items = X if Z is None else one_below_other(X, Z)
        of_items = sample_weight
        if sample_weight is not None and Z is not None:
            of_items = np.append(sample_weight, np.ones(Z.shape[0]))
        kernel = kernel_of(self, items, of_items, data.seed)
        pairs = _orderings(X, Z, data.pairs)
        pair_weight = _checked_pair_weight(data.pair_weight, data.pairs)
        C_rank = self._weight_of_an_ordering(pairs, pair_weight)
        if C_rank == 0:
            pairs, pair_weight = pairs[:0], None
        _check_spread(y, max(self.epsilon, self.margin if len(pairs) else 0.0))
        points, kept = _named_rows(items, len(y), pairs, kernel)
        rows_of_pairs = np.searchsorted(kept, pairs)
        of_pairs = np.ones(len(pairs)) if pair_weight is None else pair_weight
        weight, centre = np.concatenate([data.weight, data.weight, of_pairs]), float(np.mean(y))

        def rows(C):
            _check_loss(y, C)
            cost = C_rank / C if C_rank > 0 else 1.0
            made = tube_and_orderings(y - centre, self.epsilon, rows_of_pairs, len(kept), self.margin, cost)
            return replace(made, cost=made.cost * weight, loss=loss_named(self.loss))

        parts = {"kept": kept, "n_stacked": items.shape[0], "centre": centre}
        unweighted = replace(data, X=points, sample_weight=None)
        return Posed.of(self, unweighted, rows, kernel, model=partial(RankSVRModel, **parts))

    def _finish(self, model, data):
        super()._finish(model, data)
        self._set_mean(model)
        self.dual_coef_ = model.over_all_rows(model.solution.beta)
        self.intercept_ = model.bias - model.shift

    def predict(self, X: MatrixLike) -> Array:
        """Return the predictions f(X) + b, shape (q,), in units of y."""
        check_is_fitted(self)
        return finite_scores(self.model_, checked_matrix(self, X, reset=False))

    def _weight_of_an_ordering(self, pairs, pair_weight):
        if self.C_scale == "pairs" or not len(pairs):
            return self.C_rank
        return self.C_rank * len(np.unique(pairs)) / float(len(pairs) if pair_weight is None else pair_weight.sum())


def _checked_pair_weight(pair_weight, pairs):
    if pair_weight is None:
        return None
    weight = floats("pair_weight", pair_weight)
    if pairs is None:
        raise ValueError(f"pair_weight must be None without pairs, got shape {weight.shape}")
    n_pairs = len(pairs)
    if weight.shape != (n_pairs,) or not np.all(weight > 0) or not np.isfinite(weight).all():
        raise ValueError(f"pair_weight must hold a number > 0 for each of {n_pairs} pairs, got shape {weight.shape}")
    return weight


def _check_loss(y, C):
    """Refuse targets whose loss at f = 0 overflows."""
    largest = float(np.abs(y).max())
    if largest > LARGEST_LOSS / (len(y) * max(C, 1.0)):
        raise ValueError(
            f"y must have a loss below {LARGEST_LOSS:g} with C={C:g}, got targets up to {largest:.3g}: scale y"
        )


def _check_spread(y, unit):
    """Refuse targets whose differences are tiny if neither the tube nor the margin is larger."""
    spread = float(np.ptp(y))
    if spread > 0 and max(spread, unit) < LEAST_SPREAD:
        came = f"got differences up to {spread:.3g}"
        raise ValueError(f"y must differ by {LEAST_SPREAD:g} or not at all, {came}: scale y")


def _orderings(X, Z, pairs):
    """Return the checked pairs as rows of [X; Z]."""
    if pairs is None:
        if Z is not None:
            raise ValueError("pairs must order the rows of Z, which have no targets, got None")
        return np.empty((0, 2), dtype=np.int32)
    ordered, offset = (X, 0) if Z is None else (Z, X.shape[0])
    pairs = check_orderings(pairs, ordered.shape[0], "X" if Z is None else "Z")
    return pairs + np.int32(offset)


def _named_rows(points, n, pairs, kernel):
    """Return the rows of [X; Z] that have a target or are in a pair, and their positions.

    If there are few pairs of many rows of Z, the kernel matrix of all rows is not needed.
    """
    kept = np.union1d(np.arange(n), pairs.ravel())
    if len(kept) == points.shape[0]:
        return points, kept
    if kernel.name == "precomputed":
        check_kernel_matrix(points)
        return points[np.ix_(kept, kept)], kept
    return points[kept], kept
