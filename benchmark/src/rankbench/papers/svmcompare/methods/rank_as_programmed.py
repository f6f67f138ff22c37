"""rank and rank2 of Venuto et al. as the authors' program has them.

The program (``svmlight.R`` in their public repository) replaces the training pairs by scaled ones and then passes them
to a function that scales its input again. So the threshold of eq. (6) is chosen on training pairs that were scaled
twice, while new pairs are scaled once. The ranking function itself is that of
:class:`rankmargin.RankThreshold`.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np

from rankbench.experiments.preprocess import learn_scaling
from rankmargin.estimators.rank_threshold import RankThreshold, threshold_errors
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
            parts["threshold"] = authors_threshold(data.y, differences)
            return ScalingModel(**parts, scaler=scaler)

        return replace(posed, model=model)


def authors_threshold(y, differences):
    """Return the threshold that the authors' program chooses, see section 2 of papers/svmcompare/published/protocol.md.

    No candidate lies below the smallest difference, so a minimum there is missed. If all differences are 0, it is 1.
    """
    size = np.abs(differences)
    if not np.any(size):
        return 1.0
    candidates = _candidates(size, np.unique(size))
    return float(candidates[choice(threshold_errors(y, differences, candidates))])


def _candidates(size, distinct):
    """Return all |differences| and 100 values at equal steps of the logarithm between the smallest and the largest, in
    ascending order; all are > 0."""
    grid = np.geomspace(distinct[0] if distinct[0] > 0 else 1e-6, distinct[-1], 100)
    candidates = np.sort(np.concatenate([grid, size]))
    return np.where(candidates > 0, candidates, 0.5 * distinct[distinct > 0][0])


def choice(errors):
    """Return the position that the authors' program chooses among the minimisers of an error profile."""
    best = np.flatnonzero(errors == errors.min())
    middle = best[np.argmin(np.abs(best - np.median(best)))]
    at_start, at_end = best[0] == 0, best[-1] == len(errors) - 1
    if len(best) == len(errors):
        return middle
    if at_start and at_end:
        return best[np.flatnonzero(np.diff(best) > 1)[0]]
    if at_start:
        return best[-1]
    return best[0] if at_end else middle
