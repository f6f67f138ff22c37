"""Regression by a small neural network (scikit-learn), whose layers all have the same width."""

import warnings
from dataclasses import dataclass

from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPRegressor

from rankbench.baselines._base import Baseline
from rankbench.baselines._rivals import Fitted


@dataclass(eq=False, repr=False, kw_only=True)
class NeuralNetwork(Baseline):
    """A multilayer perceptron for a standardised target; it ends when its loss no longer falls.

    Parameters
    ----------
    width, layers : int
        Units of a layer, and number of hidden layers.
    alpha, learning_rate_init, max_iter : of `sklearn.neural_network.MLPRegressor`
    random_state : int
    """

    width: int = 100
    layers: int = 1
    alpha: float = 1e-4
    learning_rate_init: float = 1e-3
    max_iter: int = 500
    random_state: int = 0

    def fit(self, X, y):
        """Fit to X (n, d) and y (n,)."""
        options = {"alpha": self.alpha, "learning_rate_init": self.learning_rate_init, "max_iter": self.max_iter}
        options |= {"random_state": self.random_state % 2**32}
        machine = MLPRegressor(hidden_layer_sizes=(self.width,) * self.layers, **options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # max_iter ends it early, which is a form of shrinkage
            machine.fit(X, y)
        self.model_ = Fitted(machine)
        return self
