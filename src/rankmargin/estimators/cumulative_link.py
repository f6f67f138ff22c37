"""CumulativeLink: the cumulative link models of :mod:`rankmargin.likelihood` as an estimator."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array, ClassWeight, MatrixLike, Prediction
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.ordinal_base import OrdinalClassifier
from rankmargin.problem.checks import checked_matrix
from rankmargin.solvers.likelihood import most_likely
from rankmargin.solvers.path import Alone


@described
@dataclass(eq=False, repr=False, kw_only=True)
class CumulativeLink(OrdinalClassifier):
    """Cumulative link model P(y <= r_j | x) = F(theta_j - w.x), by maximum likelihood.

    A parametric model of the probabilities of the grades. It has no certificate.

    Parameters
    ----------
    link : {"logit", "probit", "cloglog"}, default "logit"
        The distribution F.
    penalty : float >= 0, default 0
        Weight of 1/2 ||w||^2, which is added to minus the log-likelihood; 0 is maximum likelihood.
    max_iter : int >= 1, default 100
        Largest number of Newton steps.
    categories, class_weight
    prediction : {"thresholds", "most_probable"}, default "thresholds"
        What ``predict`` returns: the median grade, or the one with the largest probability.

    Attributes
    ----------
    coef_ : (d,) array
        Weights w.
    x_mean_
    theta_ : (r - 1,) array
        Ascending thresholds theta of the likelihood.
    thresholds_ : (r - 1,) array
        Scores at which the median grade changes: theta_j - F^-1(1/2), which is theta_j for ``logit`` and ``probit``.
    grades_, classes_
    n_iter_ : int
        Newton steps.
    model_ : rankmargin.likelihood.CumulativeLinkModel
        The fitted function.

    See Also
    --------
    rankmargin.SVOR : Margins instead of a likelihood, and kernels.

    References
    ----------
    Herbrich, Graepel, Obermayer, "Large margin rank boundaries for ordinal regression" (2000), section 2.2.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import CumulativeLink
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((300, 1))
    >>> y = np.digitize(X[:, 0] + 0.5 * rng.logistic(size=300), [-1, 1])  # grades 0, 1, 2
    >>> model = CumulativeLink().fit(X, y)
    >>> model.predict([[-3.0], [0.0], [3.0]])
    array([0, 1, 2])
    >>> model.predict_proba([[0.0]]).round(1)
    array([[0.1, 0.8, 0.1]])
    """

    link: Literal["logit", "probit", "cloglog"] = "logit"
    penalty: float = 0.0
    max_iter: int = 100
    categories: Sequence[Any] | None = None
    class_weight: ClassWeight | None = None
    prediction: Prediction = "thresholds"

    def _problem(self, data):
        given = self.link, self.penalty, self.max_iter, data.sample_weight
        return Alone(lambda _: most_likely(data.X, data.y, *given))

    def _finish(self, model: Any, data: Any) -> None:
        super()._finish(model, data)
        self.n_iter_, self.theta_ = model.n_iter, model.theta + model.shift

    def _check_prediction(self) -> None:
        """All ways of prediction are possible: there are always probabilities."""

    def predict_proba(self, X: MatrixLike) -> Array:
        """Return P(y = r_j | x), shape (m, r), columns in the order of ``classes_``.

        The most probable grade may differ from the median grade that ``predict`` returns, in particular if some grades
        are rare; with ``prediction="most_probable"`` both are the same.
        """
        check_is_fitted(self)
        X = checked_matrix(self, X, reset=False)
        return self._in_order_of_classes(self.model_.probabilities(X))
