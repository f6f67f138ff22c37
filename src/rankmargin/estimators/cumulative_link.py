"""CumulativeLink: the scikit-learn face of :mod:`rankmargin.methods.cumulative_link`."""

import numpy as np
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted, validate_data

from rankmargin.estimators.base import OrdinalRegressor
from rankmargin.methods import cumulative_link


class CumulativeLink(OrdinalRegressor):
    """Cumulative link model P(y <= r_j | x) = F(theta_j - w.x) by maximum likelihood (Herbrich et al., section 2.2).

    Needs statsmodels.

    Parameters
    ----------
    link : {"logit", "probit", "cloglog"}, the distribution F
    max_iter : int, steps of BFGS

    Attributes
    ----------
    coef_ : (d,) weights w
    thresholds_ : (r - 1,) ascending thresholds
    ranks_ : (r,) the labels that ``predict`` returns
    model_ : :class:`rankmargin.methods.cumulative_link.CumulativeLinkModel`
    """

    _method = cumulative_link

    def __init__(self, link="logit", max_iter=500):
        self.link = link
        self.max_iter = max_iter

    def predict_proba(self, X):
        """Return P(y = r_j | x), shape (m, r), columns in the order of ``ranks_``."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return self.model_.probabilities(X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags()  # scikit-learn looks there whenever there is a predict_proba
        return tags

    def _method_parameters(self, X):
        return {"link": self.link, "max_iter": self.max_iter}
