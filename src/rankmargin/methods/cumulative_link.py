"""Cumulative link models (McCullagh and Nelder; Herbrich et al., section 2.2 and Table 2.1), by maximum likelihood.

    P(y <= r_j | x) = F(theta_j - w.x)

F is the logistic distribution (``logit``), the normal one (``probit``) or 1 - exp(-exp(eta)) (``cloglog``).  The
likelihood is maximised by statsmodels' OrderedModel.
"""

import warnings
from dataclasses import dataclass

import numpy as np

from rankmargin.methods.svor import ranks_of, refuse_groups
from rankmargin.model import rank_scores

PATH = None
ORDINAL = True
LINKS = ("logit", "probit", "cloglog")
SEPARATED = 1e-3


class SeparationWarning(UserWarning):
    """The ranks can be separated by a linear function, so there is no largest likelihood."""


def fit_path(X, y, values, *, link="logit", max_iter=500, seed=0, groups=None):
    """Fit by maximum likelihood.

    Parameters
    ----------
    X : (n, d) array or CSR matrix, which is made dense; constant columns get the weight 0
    y : (n,) array, each distinct value is a rank
    values : one model is returned for each, all the same: there is no path
    link : {"logit", "probit", "cloglog"}
    max_iter : int, steps of BFGS
    seed : unused
    groups : must be None, thresholds are common to all

    Returns
    -------
    list of CumulativeLinkModel

    Raises
    ------
    ValueError
        When there are not more rows than parameters, or no column of X varies.

    Warns
    -----
    SeparationWarning
        When the ranks can be separated, so that the likelihood has no maximum: the weights are where BFGS stopped.
    """
    if link not in LINKS:
        raise ValueError(f"link must be one of {', '.join(LINKS)}, got {link!r}")
    refuse_groups(groups)
    rank, ranks = ranks_of(y)
    X = X.toarray() if hasattr(X, "toarray") else np.asarray(X, dtype=np.float64)
    with np.errstate(over="ignore"):
        scale = X.std(axis=0)
    if not np.isfinite(scale).all():
        raise ValueError(f"columns of X must have a finite deviation, got entries up to {np.abs(X).max():.3g}: scale X")
    used = scale > 1e-12 * np.maximum(np.abs(X).max(axis=0), 1e-300)
    n_parameters = int(used.sum()) + len(ranks) - 1
    if len(rank) <= n_parameters:
        raise ValueError(
            f"X must have more rows than the model has parameters ({n_parameters}: weights and thresholds), "
            f"got {len(rank)} rows"
        )
    if not used.any():
        raise ValueError("X must have a column that is not constant, got none")
    centre = X.mean(axis=0)
    weights, theta = _maximise((X[:, used] - centre[used]) / scale[used], rank, link, max_iter)
    w = np.zeros(X.shape[1])
    w[used] = weights / scale[used]
    model = CumulativeLinkModel(w, theta + float(centre @ w), ranks, link)
    _warn_of_separation(model.probabilities(X)[np.arange(len(rank)), rank])
    return [model for _ in values]


def _maximise(X, rank, link, max_iter):
    """Return the weights and ascending thresholds of the largest likelihood."""
    from scipy.stats import gumbel_l
    from statsmodels.miscmodels.ordinal_model import OrderedModel

    model = OrderedModel(rank, X, distr=gumbel_l if link == "cloglog" else link)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a line search looks at log(0); the end is judged below
        fitted = model.fit(method="bfgs", maxiter=max_iter, disp=False, skip_hessian=True, warn_convergence=False)
    parameters = np.asarray(fitted.params)
    if not fitted.mle_retvals["converged"]:
        _warn_unconverged(model, parameters, max_iter)
    d = X.shape[1]
    return parameters[:d], np.asarray(model.transform_threshold_params(parameters[d:]))[1:-1]


def _warn_unconverged(model, parameters, max_iter):
    """BFGS also reports trouble where rounding stops it at the optimum: warn only where the gradient is not small."""
    gradient = float(np.abs(model.score(parameters)).max()) / len(model.endog)
    if gradient > 1e-3:
        warnings.warn(
            f"cumulative link: BFGS stopped at a mean gradient of {gradient:.1e} (max_iter={max_iter}); "
            "the ranks may be nearly separable by X",
            UserWarning,
            stacklevel=4,
        )


def _warn_of_separation(probability):
    if np.min(probability) > 1.0 - SEPARATED:
        warnings.warn(
            "the likelihood has no maximum: the ranks can be separated by X (every training rank has a probability "
            f"above {1.0 - SEPARATED:g}); use a margin method",
            SeparationWarning,
            stacklevel=4,
        )


@dataclass(frozen=True)
class CumulativeLinkModel:
    """w (d,), ascending boundaries (k - 1,), labels ``ranks`` (k,) and the link."""

    w: np.ndarray
    boundaries: np.ndarray
    ranks: np.ndarray
    link: str
    solution: None = None

    def scores(self, X):
        """Return the latent utility w.x, shape (m,)."""
        return np.asarray(X @ self.w).ravel()

    def probabilities(self, X):
        """Return P(y = r_j | x), shape (m, k)."""
        from scipy.special import expit, ndtr

        eta = self.boundaries[None, :] - self.scores(X)[:, None]
        cumulative = {"logit": expit, "probit": ndtr, "cloglog": _cloglog}[self.link](eta)
        return np.diff(np.pad(cumulative, ((0, 0), (1, 1)), constant_values=((0, 0), (0.0, 1.0))), axis=1)

    def labels(self, X):
        """Return the rank between whose thresholds the utility lies, as (2.19) does, shape (m,)."""
        return rank_scores(self.scores(X), self.boundaries, self.ranks)


def _cloglog(eta):
    return -np.expm1(-np.exp(np.minimum(eta, 700.0)))
