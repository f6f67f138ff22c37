"""Regression by a Gaussian process (scikit-learn): amplitude, width and noise by the marginal likelihood, no grid."""

import warnings
from dataclasses import dataclass

from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from rankbench.baselines._base import Baseline
from rankbench.baselines._rivals import Fitted


@dataclass(eq=False, repr=False, kw_only=True)
class GaussianProcess(Baseline):
    """A Gaussian process with kernel ``amplitude * exp(-|x - z|^2 / (2 width^2)) + noise``.

    Parameters
    ----------
    n_restarts : int, further starts of the search, at random
    random_state : int
    """

    n_restarts: int = 1
    random_state: int = 0

    def fit(self, X, y):
        """Fit to X (n, d) and y (n,), which is standardised inside."""
        kernel = ConstantKernel(1.0, (1e-3, 1e4)) * RBF(X.shape[1] ** 0.5, (1e-2, 1e4)) + WhiteKernel(0.1, (1e-5, 10.0))
        options = {"n_restarts_optimizer": self.n_restarts, "random_state": self.random_state % 2**32}
        machine = GaussianProcessRegressor(kernel, normalize_y=True, **options)
        with warnings.catch_warnings():
            # It warns of a parameter at its bound (no noise, or nothing but noise), which is an answer as any other.
            warnings.simplefilter("ignore", ConvergenceWarning)
            machine.fit(X, y)
        self.model_ = Fitted(machine)
        return self
