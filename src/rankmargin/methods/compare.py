"""SVMcompare (Venuto, Hocking, Spanurattana, Sugiyama): learning from pairs in which neither item may be better.

    min 1/2 ||f||^2 + C sum_i max(0, 1 - yt_i (beta + f(xt'_i) - f(xt_i)))                                   (15)

over the flipped data of eq. (8), by its dual (18): a binary SVM over pairs with the kernel of differences.  By Lemma 1
the ranking function is r = f / -beta, for which |r(x') - r(x)| <= 1 means no difference.  This requires beta < 0.  If
beta >= 0, no scaling is valid: the learned separator calls every pair different, so the model predicts the sign of the
difference, which is the limit of Lemma 1 for beta -> 0.
"""

from dataclasses import dataclass, replace

import numpy as np

from rankmargin.annotations import PairLossName
from rankmargin.losses import loss_named
from rankmargin.model import ComparisonModel, CrossKernel
from rankmargin.parameters import Certified, kernel_of
from rankmargin.path import Posed, path_of
from rankmargin.rows.comparisons import check_comparisons, flipped


@dataclass(eq=False, repr=False, kw_only=True)
class Parameters(Certified):
    """``loss``: the loss of a comparison, as in :mod:`rankmargin.losses`."""

    loss: PairLossName = "hinge"


def problem(own, X, y, *, seed=0, groups=None, sample_weight=None):
    """Pose the problem.

    Parameters
    ----------
    own : Parameters
    X : (n, 2 d) array of pairs, each row x followed by x'; (n, n) kernel of differences with ``kernel="precomputed"``
    y : (n,) array of -1 (x is better), 0, 1 (x' is better)
    seed : unused here; the solver of linear functions starts on a sample of rows
    groups : must be None, a pair is its own group
    sample_weight : (n,) array > 0 or None, a weight of 2 is a pair given twice

    Returns
    -------
    Posed
    """
    check_pairs_input(X, groups, own.kernel)
    check_comparisons(y)
    rows = replace(flipped(y), loss=loss_named(own.loss))
    return comparisons(own, X, rows, sample_weight, lambda model: max(float(model.solution.theta[0]), 0.0))


def check_pairs_input(X, groups, kernel="linear"):
    """Refuse groups, and an array whose rows cannot be pairs of x and x'."""
    if groups is not None:
        raise ValueError("groups must be None: labelled pairs are compared as they are")
    if kernel != "precomputed" and (X.shape[1] < 2 or X.shape[1] % 2):
        raise ValueError(f"X must have an even number of columns, x followed by x', got {X.shape[1]} feature(s)")


def comparisons(own, X, rows, sample_weight, threshold):
    """Pose the problem of rows over pairs X; its models share the kernel of other pairs, and ``threshold`` returns that
    of a model."""
    items, weight = X, sample_weight
    if own.gamma == "scale" and own.kernel != "precomputed":
        items = np.vstack(np.hsplit(X, 2))
        weight = None if weight is None else np.tile(weight, 2)
    kernel = kernel_of(own, items, weight)
    cross = CrossKernel(X, kernel)

    def model(*solved):
        plain = ComparisonModel(*solved, threshold=0.0, cross=cross)
        return replace(plain, threshold=threshold(plain))

    return Posed(X, rows.weighted(sample_weight), kernel, pairs=True, model=model)


fit_path = path_of(Parameters, problem)
