"""Ranking SVM and a threshold (Venuto et al., section 2.2): the two baselines "rank" and "rank2" of SVMcompare.

    min 1/2 ||f||^2 + C sum_i max(0, 1 - y_i (f(x'_i) - f(x_i)))                                              (3)
    min over tau of the number of training pairs with t_tau[f(x'_i) - f(x_i)] != y_i                            (6)

``rank`` sums over the inequality pairs; ``rank2`` adds each equality pair in both directions and counts each
inequality pair twice.  The paper finds tau by grid search; here the minimisers are found exactly, by sorting.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankmargin.methods.compare import check_pairs_input, comparisons
from rankmargin.parameters import Certified
from rankmargin.path import path_of
from rankmargin.rows.comparisons import check_comparisons, inequalities, opposed

EQUALITY = {"drop": inequalities, "oppose": opposed}


@dataclass(eq=False, repr=False, kw_only=True)
class Parameters(Certified):
    """``equality``: what f learns from equality pairs, nothing ("rank") or two opposite pairs ("rank2"). ``ties``:
    which of the thresholds with equal training error, see :func:`best_threshold`."""

    equality: Literal["drop", "oppose"] = "drop"
    ties: Literal["widest", "authors"] = "widest"
    max_iter: int = 100_000


def problem(own, X, y, *, seed=0, groups=None, sample_weight=None):
    """Pose the problem; see :func:`rankmargin.methods.compare.problem`."""
    check_pairs_input(X, groups, own.kernel)
    check_comparisons(y, equality=False)

    def threshold(model):
        return best_threshold(y, model.scores_of_training(), own.ties, sample_weight)

    return comparisons(own, X, EQUALITY[own.equality](y), sample_weight, threshold)


fit_path = path_of(Parameters, problem)


def best_threshold(y, differences, ties="widest", sample_weight=None):
    """Return a threshold tau > 0 with the smallest number of errors t_tau(difference) != y (eq. 6), in O(n log n).

    The error is constant between neighbouring |differences|, so one tau per interval is enough.

    Parameters
    ----------
    y : (n,) labels -1, 0, 1
    differences : (n,) f(x') - f(x)
    ties : {"widest", "authors"}
        ``widest``: the middle of the widest interval among the minimisers; it is above all differences only if nothing
        else is as good.  ``authors``: the candidates and the rule of the authors' program, see section 2 of
        papers/svmcompare/published/protocol.md; no candidate lies below the smallest difference, so a minimum there
        is missed.  If all differences are 0, the threshold is 1.
    sample_weight : (n,) array > 0 or None, the weight of an error on each pair
    """
    size = np.abs(differences)
    if not np.any(size):
        return 1.0
    distinct = np.unique(size)
    if ties == "authors":
        candidates = _authors_candidates(size, distinct)
        return float(candidates[_authors_choice(threshold_errors(y, differences, candidates, sample_weight))])
    edges = np.unique(np.append(0.0, distinct))
    errors = threshold_errors(y, differences, edges, sample_weight)
    width = np.append(np.diff(edges), 0.0)
    best = int(np.argmax(np.where(errors == errors.min(), width, -1.0)))
    middle = edges[best] + 0.5 * width[best]
    return float(middle if best + 1 == len(edges) or middle < edges[best + 1] else edges[best])


def threshold_errors(y, differences, candidates, sample_weight=None):
    """Return the number, or the weight, of pairs with t_tau(difference) != y for each tau, shape of candidates."""
    size = np.abs(differences)
    weight = np.ones(len(y), dtype=np.int64) if sample_weight is None else np.asarray(sample_weight)
    order = np.argsort(size, kind="stable")
    # a pair of |difference| <= tau is predicted 0, any other by its sign
    right_inside = np.append(0, np.cumsum((weight * (y == 0))[order]))
    right_outside = np.append(0, np.cumsum((weight * ((np.sign(differences) == y) & (y != 0)))[order]))
    inside = np.searchsorted(size[order], candidates, side="right")
    return weight.sum() - right_inside[inside] - (right_outside[-1] - right_outside[inside])


def _authors_candidates(size, distinct):
    """Return all |differences| and 100 values at equal steps of the logarithm between the smallest and the largest, in
    ascending order; all are > 0."""
    grid = np.geomspace(distinct[0] if distinct[0] > 0 else 1e-6, distinct[-1], 100)
    candidates = np.sort(np.concatenate([grid, size]))
    return np.where(candidates > 0, candidates, 0.5 * distinct[distinct > 0][0])


def _authors_choice(errors):
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
