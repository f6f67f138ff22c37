"""Hard-margin comparisons of separable pairs (Venuto et al., section 3.1): the linear and the quadratic program.

Both find r(x) = w.x with |r(x') - r(x)| < 1 for equality pairs and y (r(x') - r(x)) > 1 for the others.  The linear
program measures the margin mu in units of r.  The quadratic program measures it by the length of the normal vector,
which depends on the scale of the inputs, so the two differ in general.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankmargin.annotations import Array
from rankmargin.oracles.objective import Problem
from rankmargin.problem.rows.comparisons import check_comparisons, compare, flipped
from rankmargin.problem.spaces import LinearSpace
from rankmargin.solvers.smo import smo

SMALLEST_MARGIN = 1e-9
LARGEST_C = 1e12


class NotSeparableError(ValueError):
    """No linear ranking function separates the inequality pairs from the equality pairs."""


@dataclass(frozen=True)
class MaxMargin:
    """A linear comparison function c(x, x') = t_1[w.(x' - x)].

    Attributes
    ----------
    w : (d,) weights of the ranking function
    margin : float, mu: the smallest distance of a difference w.(x' - x) from the boundaries -1 and 1
    """

    w: np.ndarray
    margin: float
    solution: None = None

    def scores(self, pairs: Any) -> Array:
        """Return r(x') - r(x) of each pair (m, 2 d), shape (m,)."""
        d = len(self.w)
        return (pairs[:, d:] - pairs[:, :d]) @ self.w

    def labels(self, pairs: Any) -> Array:
        """Return t_1[r(x') - r(x)] in {-1, 0, 1} of each pair, shape (m,)."""
        return compare(self.scores(pairs))


def max_margin_lp(X: Any, X2: Any, y: Array) -> MaxMargin:
    r"""Solve the linear program by HiGHS.

    The program is

    .. math::

        \max_{\mu \ge 0,\, w}\ \mu

    where ``mu <= 1 - |w.(x' - x)|`` for equality pairs, and ``mu <= y w.(x' - x) - 1`` for the others.

    Parameters
    ----------
    X : (n, d) array
        The first item of each pair.
    X2 : (n, d) array
        The second item of each pair.
    y : (n,) array
        Labels -1 (the first is better), 0 (neither is), 1 (the second is better).

    Returns
    -------
    MaxMargin

    Raises
    ------
    NotSeparableError
        If no w has a margin above 1e-9.

    References
    ----------
    Venuto, Hocking, Spanurattana, Sugiyama, "Support vector comparison machines" (2014), eq. 7.

    Examples
    --------
    >>> from rankbench.papers.svmcompare.max_margin import max_margin_lp
    >>> found = max_margin_lp([[0.0], [0.0]], [[1.0], [3.0]], [0, 1])
    >>> found.w.round(3), round(found.margin, 3)  # r(x) = x / 2: the threshold lies in the middle, at a difference of 2
    (array([0.5]), 0.5)
    """
    from scipy.optimize import linprog

    differences, equal, upward = _differences(X, X2, y)
    d = differences.shape[1]
    rows = np.vstack([equal, -equal, -upward])
    limits = np.concatenate([np.ones(2 * len(equal)), -np.ones(len(upward))])
    result = linprog(
        np.append(np.zeros(d), -1.0),
        A_ub=np.column_stack([rows, np.ones(len(rows))]),
        b_ub=limits,
        bounds=[(None, None)] * d + [(0.0, None)],
        method="highs",
    )
    if result.status == 2 or (result.status == 0 and result.x[-1] <= SMALLEST_MARGIN):
        raise NotSeparableError(_message(len(y)))
    if result.status != 0:
        raise RuntimeError(f"the linear program (7) was not solved: {result.message}")
    return MaxMargin(result.x[:d], float(result.x[-1]))


def max_margin_qp(X: Any, X2: Any, y: Array, tol: float = 1e-8) -> MaxMargin:
    """Solve the quadratic program and scale its solution by Lemma 1: mu = -1 / beta, w = -u / beta.

    This is the soft-margin problem with a C that is larger than every dual variable.

    Parameters
    ----------
    X : (n, d) array
        The first item of each pair.
    X2 : (n, d) array
        The second item of each pair.
    y : (n,) array
        Labels -1 (the first is better), 0 (neither is), 1 (the second is better).
    tol : float > 0
        Relative duality gap at which the solver stops.

    Returns
    -------
    MaxMargin

    Raises
    ------
    NotSeparableError
        If :func:`~rankbench.papers.svmcompare.max_margin.max_margin_lp` finds no margin.

    References
    ----------
    Venuto, Hocking, Spanurattana, Sugiyama, "Support vector comparison machines" (2014), eq. 9 and Lemma 1.

    Examples
    --------
    >>> from rankbench.papers.svmcompare.max_margin import max_margin_qp
    >>> found = max_margin_qp([[0.0], [0.0]], [[1.0], [3.0]], [0, 1])
    >>> found.w.round(3), round(found.margin, 3)
    (array([0.5]), 0.5)
    """
    max_margin_lp(X, X2, y)
    differences, _, _ = _differences(X, X2, y)
    problem = Problem(flipped(np.asarray(y)), LinearSpace(differences))
    C, alpha = 1.0, None
    while C <= LARGEST_C:
        (solution,) = smo(problem, [C], tol, start=alpha)
        if solution.alpha.max() < C:
            theta = float(solution.theta[0])
            return MaxMargin(problem.space.weights(solution.beta) / theta, 1.0 / theta)
        C, alpha = 10.0 * C, solution.alpha
    raise NotSeparableError(_message(len(y)) + f" (dual variables beyond C = {LARGEST_C:g})")


def _differences(X, X2, y):
    """Return all differences (n, d), those of equality pairs, and those of the others, with their sign changed if
    y = -1."""
    X, X2, y = np.asarray(X, dtype=np.float64), np.asarray(X2, dtype=np.float64), np.asarray(y)
    check_comparisons(y)
    differences = X2 - X
    return differences, differences[y == 0], differences[y != 0] * y[y != 0, None]


def _message(n):
    return f"X, X2 and y must be separable by a linear ranking function, got {n} pairs that are not"
