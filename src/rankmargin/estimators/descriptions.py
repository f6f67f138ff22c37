"""Descriptions of the parameters and attributes that several estimators have in common.

In the docstring of a class under :func:`described`, a line of such names alone stands for their descriptions. Where a
parameter means something else, the class describes it itself.
"""

import re
from typing import TypeVar

Estimator = TypeVar("Estimator", bound=type)
COMMON = """
C_scale : {"rows", "pairs"}, default "rows"
    ``rows``: the weights of all pairs sum to C times the number of rows, so a C that was chosen on a sample also
    suits more rows. ``pairs``: each pair has the weight C, as in the papers.
kernel : str or callable, default "rbf"
    ``rbf`` is exp(-gamma ||x - z||^2), ``linear`` x.z, ``poly`` (gamma x.z + coef0)^degree; ``laplacian``,
    ``matern12``, ``matern32``, ``matern52``, ``chi2`` and ``cosine`` are in ``rankmargin.problem.kernel_functions``.
    With ``precomputed``, X is the matrix of kernel values: (n, n) in ``fit``, (m, n) later. A callable takes rows (n,
    d) and (m, d) and returns their kernel values (n, m), for example a kernel of ``sklearn.gaussian_process.kernels``.
gamma : float > 0 or "scale", default "scale"
    Parameter of all kernels but ``linear``, ``cosine`` and ``precomputed``. ``scale`` is 1 / (d var(X)) for d features,
    for ``laplacian`` 1 over d times the mean absolute deviation, and for ``chi2`` 1 over d times the mean of X.
degree : int >= 1, default 3
    Parameter of ``poly``.
coef0 : float >= 0, default 0.0
    Parameter of ``poly``.
landmarks : int >= 1 or None, default None
    Number of rows, drawn with ``random_state``, whose kernels span the functions; None: those of all rows. A fit of n
    rows then takes time and memory like a linear one with so many features, and 1,000 are often enough. ``linear``
    needs none, ``precomputed`` takes none. :func:`rankmargin.certificates.exact_bound` proves how much it costs.
solver : {"auto", "smoothed_newton", "dual_cd", "interior_point", "cutting_plane"}, default "auto"
    ``smoothed_newton`` takes Newton steps without a list of pairs, for every kernel and loss, and for millions of
    rows with linear functions. ``dual_cd`` lists all pairs; where Newton's method does not end it, it changes one dual
    variable at a time. ``interior_point`` lists all pairs and takes Newton steps on all variables. ``cutting_plane``
    is Algorithm 1 of the paper, which does not list them. ``auto`` takes ``smoothed_newton``; with ``pair_weight``,
    pairs are listed, and a kernel takes ``dual_cd``.
loss : {"hinge", "squared_hinge"} or :class:`rankmargin.losses.Loss`, default "hinge"
    Loss of a constraint that is missed by v > 0: ``hinge`` is v, ``squared_hinge`` is v^2.
tol : float > 0, default 1e-3
    Relative duality gap at which the solver stops.
max_iter : int >= 1, default 10_000_000
    Largest number of steps. A fit that stops there warns with a ``ConvergenceWarning``.
verbose : {0, 1, 2}, default 0
    0 prints nothing; 1 prints iteration, objective, gap and seconds once per second; 2 prints them whenever the gap is
    computed.
max_seconds : float > 0 or None, default None
    A fit that takes longer stops with a ``ConvergenceWarning``; its certificate then shows a larger gap.
random_state : int, RandomState, Generator or None, default 0
    Seed of the samples and shuffles of the solver; the optimum does not depend on it.
categories : sequence or None, default None
    The grades from the lowest to the highest, if they are names, or numbers in another order. With None, y holds
    numbers, or is an ordered categorical of pandas or an Enum of polars. Scikit-learn's stacking, voting and bagging
    classifiers, and ``cross_val_predict`` with probabilities, re-encode string labels alphabetically before they fit,
    even those of a categorical: pass numbers, ``y.cat.codes``.
class_weight : dict, "balanced" or None, default None
    A factor >= 0 of the weight of each row, by grade; ``balanced`` gives all grades the same total weight.
probability : bool, default False
    Whether to fit ``predict_proba`` too. This takes five more fits: probabilities are fitted on out-of-fold scores.
prediction : {"thresholds", "most_probable"}, default "thresholds"
    What ``predict`` returns: the grade whose thresholds enclose the score, or the one with the largest probability,
    which needs ``probability=True``.
items : None, two texts or two lists, default None
    Which columns of a frame X are of the first items, and which of the second: two endings or beginnings of their
    names, such as ``("_a", "_b")`` or ``("home_", "away_")``, or two lists of columns. With None, two columns belong
    together if their names differ in one word only, which is first and second, home and away, white and black, red and
    blue, left and right, a and b, or 1 and 2, the same for all columns; or if both halves of the columns have the same
    names. In an array the first half of the columns is the first item. Other names are refused.
labels : {"auto", "comparison", "score"} or sequence of three, default "auto"
    What y says about the first item: 1 better, 0 neither, -1 worse (``comparison``); 1, 0.5, 0, as in Elo (``score``);
    or three labels of any kind, from worse to better: ``["away", "draw", "home"]``. An ordered categorical with three
    categories needs no ``labels``. ``auto`` decides by the values of y, and refuses y with 0 and 1 only, or with 2. If
    three labels are given, 0, 1 and 2 may stand for their numbers among the sorted ones: bagging, voting and stacking
    classifiers, and ``cross_val_predict`` with probabilities, pass such codes to their estimators.
grades_ : (r,) array
    The grades of y from the lowest to the highest; ``predict`` returns one of them.
classes_ : (r,) array
    The grades in sorted order, as in scikit-learn's classifiers; columns of arrays have this order.
dual_coef_ : (n,) array
    Coefficients beta of f(x) = sum_i beta_i k(x_i, x).
coef_ : (d,) array
    Weights w of f(x) = w.x; only with the linear kernel.
landmarks_ : (m, d) array
    The rows whose kernels span the functions; only with ``landmarks``. A row that the others span is left out.
landmark_coef_ : (m,) array
    Coefficients a of f(x) = sum_j a_j k(z_j, x) for landmarks z_j, up to a constant; only with ``landmarks``.
x_mean_ : (d,) array
    The mean of the rows of the fit, or 0; only with the linear kernel. ``predict`` counts scores from there, as
    ``(X - x_mean_) @ coef_``: an offset of a column costs no digits.
labels_ : (3,) array
    The labels for "the first item is worse", "neither is better" and "the first item is better".
slope_ : float
    Slope of the cumulative link of ``predict_proba``; only with ``probability=True``.
cumulative_ : (r - 1,) array
    Ascending thresholds of this link; only with ``probability=True``.
objective_ : float
    Objective of the fitted function.
dual_bound_ : float
    No function has an objective below it.
gap_ : float
    (``objective_`` - ``dual_bound_``) / ``objective_``.
n_iter_ : int
    Steps of the solver.
model_ : rankmargin.model.KernelModel
    The function and the problem that it solves; :func:`rankmargin.certificates.judge` checks it.
"""
ENTRIES = {entry.split(" : ")[0]: entry.splitlines() for entry in re.split(r"\n(?=\w)", COMMON.strip())}


def described(cls: Estimator) -> Estimator:
    """Put the descriptions of common parameters and attributes into the docstring of an estimator."""
    lines = []
    for line in (cls.__doc__ or "").splitlines():  # ``python -OO`` has no docstrings
        names = line.strip().split(", ")
        if ENTRIES.keys() >= {*names}:
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + text for name in names for text in ENTRIES[name]]
        else:
            lines.append(line)
    cls.__doc__ = "\n".join(lines)
    return cls
