"""Regression by a Gaussian process (scikit-learn): amplitude, width and noise by the marginal likelihood, no grid."""

import warnings

from rankbench.baselines._rivals import FittedScores

PATH = None


def fit_path(X, y, values, *, n_restarts=1, seed=0, groups=None):
    """Fit a Gaussian process with kernel ``amplitude * exp(-|x - z|^2 / (2 width^2)) + noise``.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array, standardised inside
    values : one model is returned for each, all the same
    n_restarts : int, further starts of the search, at random
    seed : int
    groups : ignored

    Returns
    -------
    list of FittedScores
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    kernel = ConstantKernel(1.0, (1e-3, 1e4)) * RBF(X.shape[1] ** 0.5, (1e-2, 1e4)) + WhiteKernel(0.1, (1e-5, 10.0))
    machine = GaussianProcessRegressor(
        kernel, normalize_y=True, n_restarts_optimizer=n_restarts, random_state=seed % 2**32
    )
    with warnings.catch_warnings():
        # It warns of a parameter at its bound (no noise, or nothing but noise), which is an answer as any other.
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine.fit(X, y)
    return [FittedScores(machine)] * len(values)
