"""SVMcompare (Venuto, Hocking, Spanurattana, Sugiyama): learning from pairs in which neither item may be better.

    min 1/2 ||f||^2 + C sum_i max(0, 1 - yt_i (beta + f(xt'_i) - f(xt_i)))                                   (15)

over the flipped data of eq. (8), by its dual (18): a binary SVM over pairs with the kernel of differences.  By Lemma 1
the ranking function is r = f / -beta, for which |r(x') - r(x)| <= 1 means no difference.  This requires beta < 0.  If
beta >= 0, no scaling is valid: the learned separator calls every pair different, so the model predicts the sign of the
difference, which is the limit of Lemma 1 for beta -> 0.
"""

from dataclasses import replace

from rankmargin.model import ComparisonModel, CrossKernel
from rankmargin.path import over_kernels, solve_path
from rankmargin.rows.comparisons import check_comparisons, flipped

PATH = "C"
INPUT = "pairs"


@over_kernels
def fit_path(X, y, values, *, kernel, tol=1e-3, max_iter=10_000_000, seed=0, groups=None, sample_weight=None):
    """Fit one model for each C.

    Parameters
    ----------
    X : (n, 2 d) array of pairs, each row x followed by x'; (n, n) kernel of differences with ``kernel="precomputed"``
    y : (n,) array of -1 (x is better), 0, 1 (x' is better)
    values : sequence of C > 0
    tol : float, relative duality gap
    max_iter : int, steps of SMO
    seed : int, seed of the samples of rows on which the solver of linear functions starts
    groups : must be None, a pair is its own group
    sample_weight : (n,) array > 0 or None, a weight of 2 is a pair given twice

    Returns
    -------
    list of ComparisonModel
    """
    check_pairs_input(X, groups, kernel.name)
    check_comparisons(y)
    models = comparison_path(X, flipped(y).weighted(sample_weight), values, kernel, tol, max_iter, seed)
    return [replace(model, threshold=max(float(model.solution.theta[0]), 0.0)) for model in models]


def check_pairs_input(X, groups, kernel="linear"):
    """Refuse groups, and an array whose rows cannot be pairs of x and x'."""
    if groups is not None:
        raise ValueError("groups must be None: labelled pairs are compared as they are")
    if kernel != "precomputed" and (X.shape[1] < 2 or X.shape[1] % 2):
        raise ValueError(f"X must have an even number of columns, x followed by x', got {X.shape[1]} feature(s)")


def comparison_path(X, rows, values, kernel, tol, max_iter, seed):
    """Solve along C over pairs X; return models with threshold 0, which share the kernel of other pairs."""
    parts = {"model": ComparisonModel, "threshold": 0.0, "cross": CrossKernel(X, kernel)}
    return solve_path(X, rows, values, kernel, tol, max_iter, seed, pairs=True, **parts)
