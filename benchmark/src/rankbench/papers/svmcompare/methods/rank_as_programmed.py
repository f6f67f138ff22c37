"""rank and rank2 of Venuto et al. as the authors' program has them.

The program (``svmlight.R`` in their public repository) replaces the training pairs by scaled ones and then passes them
to a function that scales its input again. So the threshold of eq. (6) is chosen on training pairs that were scaled
twice, while new pairs are scaled once. The ranking function itself is that of
:class:`rankmargin.RankThreshold`.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

from rankbench.experiments.preprocess import learn_scaling
from rankmargin.estimators.rank_threshold import RankThreshold, best_threshold
from rankmargin.model import ComparisonModel


@dataclass(frozen=True)
class ScalingModel(ComparisonModel):
    """A model of scaled pairs that scales raw pairs before it predicts.

    Attributes
    ----------
    scaler : callable
        Scales raw pairs.
    """

    scaler: Callable

    def scores(self, pairs):
        """Return r(x') - r(x) of each raw pair (m, 2 d), shape (m,)."""
        return super().scores(self.scaler(pairs))


@dataclass(eq=False, repr=False, kw_only=True)
class RankAsProgrammed(RankThreshold):
    """A RankThreshold of raw pairs, which are scaled by the mean and the standard deviation of the 2 n items."""

    def _problem(self, data):
        scaler = learn_scaling(data.X, scaling="standard_sample", items=2)
        once = scaler(data.X)
        posed = super()._problem(replace(data, X=once))

        def model(*solved):
            plain = posed.model(*solved)
            differences = replace(plain, threshold=0.0).scores(scaler(once))  # threshold 0: in units of the ranking SVM
            parts = {field.name: getattr(plain, field.name) for field in fields(plain)}
            parts["threshold"] = best_threshold(data.y, differences, "authors")
            return ScalingModel(**parts, scaler=scaler)

        return replace(posed, model=model)
