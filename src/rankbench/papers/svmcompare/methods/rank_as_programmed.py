"""rank and rank2 of Venuto et al. as the authors' program has them.

The program (``svmlight.R`` in their public repository) replaces the training pairs by scaled ones and then passes them
to a function that scales its input again. So the threshold of eq. (6) is chosen on training pairs that were scaled
twice, while new pairs are scaled once. The ranking function itself is that of
:mod:`rankmargin.methods.rank_threshold`.
"""

from dataclasses import dataclass, fields, replace

from rankbench.experiments.preprocess import Scaler, learn_scaling
from rankmargin.methods import rank_threshold
from rankmargin.model import ComparisonModel

PATH = "C"
INPUT = "pairs"


@dataclass(frozen=True)
class ScalingModel(ComparisonModel):
    """A model of scaled pairs that scales raw pairs before it predicts.

    Attributes
    ----------
    scaler : Scaler
        Scales raw pairs.
    """

    scaler: Scaler

    def scores(self, pairs):
        """Return r(x') - r(x) of each raw pair (m, 2 d), shape (m,)."""
        return super().scores(self.scaler(pairs))


def fit_path(X, y, values, *, equality="drop", gamma=1.0, tol=1e-3, max_iter=100_000, seed=0, groups=None):
    """Fit one model with a Gaussian kernel for each C.

    Parameters
    ----------
    X : (n, 2 d) array
        Raw pairs: x in the first d columns, x' in the others. They are scaled here by the mean and the standard
        deviation of the 2 n items.
    y, values, equality, gamma, tol, max_iter, seed, groups
        As in :func:`rankmargin.methods.rank_threshold.fit_path`.

    Returns
    -------
    list of ScalingModel
    """
    scaler = learn_scaling(X, scaling="standard_sample", items=2)
    once = scaler(X)
    learned = rank_threshold.fit_path(
        once, y, values, equality=equality, gamma=gamma, tol=tol, max_iter=max_iter, seed=seed, groups=groups
    )
    models = []
    for model in learned:
        differences = replace(model, threshold=0.0).scores(scaler(once))  # threshold 0: in units of the ranking SVM
        threshold = rank_threshold.best_threshold(y, differences, "authors")
        parts = {field.name: getattr(model, field.name) for field in fields(model)}
        models.append(ScalingModel(**parts | {"threshold": threshold}, scaler=scaler))
    return models
