"""The likelihood of labelled pairs of items with features (Rao and Kupper 1967), F is the logistic distribution:

    d = offset + w.(x - x'),   P(x better) = F(d - tie),   P(x worse) = F(-d - tie)

It is the cumulative link model of :mod:`rankmargin.likelihood` on the differences x - x', with the thresholds -tie and
tie. Each pair in both directions makes the thresholds symmetric, and doubles the likelihood.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankmargin.annotations import Array
from rankmargin.comparisons.tie_models import rao_kupper, result_probabilities
from rankmargin.problem.products import scores_from_mean
from rankmargin.solvers.likelihood import most_likely


@dataclass(frozen=True)
class ComparisonLinkModel:
    """Probabilities of the labels of pairs, and the ranking function w.x.

    Attributes
    ----------
    w : (d,) array
    offset : float, by how much the first item is ahead because of being the first
    tie : float >= 0, the threshold of ties; 0 if there were none
    n_iter : int, Newton steps
    """

    w: Array
    offset: float
    tie: float
    n_iter: int
    solution: None = None

    def scores(self, pairs: Any) -> Array:
        """Return d of each pair, shape (m,): above 0 the first item is probably better."""
        return self.offset - scores_from_mean(pairs, 0.0, self.w, pairs=True)

    def ranks(self, X: Any) -> Array:
        """Return w.x of each item, shape (m,)."""
        return X @ self.w

    def probabilities(self, d: Array) -> Array:
        """Return P(worse), P(neither), P(better), shape (m, 3), for scores d (m,)."""
        return result_probabilities(rao_kupper, d, self.tie)


def most_likely_comparisons(pairs, y, penalty, offset, max_iter, sample_weight=None):
    """Return the model of the largest penalised likelihood.

    Parameters
    ----------
    pairs : (n, 2 d) array, the first item followed by the second
    y : (n,) array, -1, 0 or 1 for a worse first item, for neither, and for a better one
    penalty : float > 0, weight of 1/2 ||w||^2; the offset and the threshold have none
    offset : bool, whether to estimate one
    max_iter : int >= 1, largest number of Newton steps
    sample_weight : (n,) array > 0 or None

    Returns
    -------
    ComparisonLinkModel
    """
    differences = _columns(pairs, offset)
    weight = None if sample_weight is None else np.tile(sample_weight, 2)
    penalties = np.full(differences.shape[1], 2.0 * penalty)
    penalties[pairs.shape[1] // 2 :] = 0.0
    both = np.vstack([differences, -differences])
    model = most_likely(both, np.concatenate([y, -y]), "logit", penalties, max_iter, weight)
    d, theta = pairs.shape[1] // 2, model.theta
    offset = float(model.coefficients[d:].sum())
    return ComparisonLinkModel(model.coefficients[:d], offset, float(theta[-1] - theta[0]) / 2, model.n_iter)


def standard_errors(model, pairs, y, penalty, offset, sample_weight=None, groups=None):
    """Return the standard errors of the weights and of the offset, two arrays (d,) and (0,) or (1,).

    They are those of the inverse of the information, to which the penalty belongs; with ``groups`` (n,), numbers, any
    dependence of the pairs of one group is allowed for (the "sandwich", with the factor G / (G - 1) for G groups).
    """
    columns, d = _columns(pairs, offset), pairs.shape[1] // 2
    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    slopes = rao_kupper(model.scores(pairs), model.tie, weight[:, None] * (y[:, None] == [-1, 0, 1]))
    with_tie = model.tie > 0
    information = np.zeros((columns.shape[1] + with_tie,) * 2)
    inner = columns.shape[1]
    information[:inner, :inner] = (columns.T * slopes.dd) @ columns
    information[range(d), range(d)] += penalty
    if with_tie:
        information[:inner, inner] = information[inner, :inner] = slopes.dt @ columns
        information[inner, inner] = slopes.tt.sum()
    covariance = np.linalg.pinv(information, hermitian=True)
    if groups is not None:
        gradients = np.column_stack([columns * slopes.d[:, None]] + [slopes.t] * with_tie)
        totals = np.zeros((groups.max() + 1, len(information)))
        np.add.at(totals, groups, gradients)
        half = totals @ covariance * np.sqrt(len(totals) / (len(totals) - 1))
        covariance = half.T @ half
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return errors[:d], errors[d:inner]


def _columns(pairs, offset):
    """Return the differences of pairs (n, d), and behind them a column of ones for an offset."""
    first, second = np.hsplit(pairs, 2)
    return np.hstack([np.subtract(first, second, dtype=np.float64), np.ones((len(pairs), int(offset)))])
