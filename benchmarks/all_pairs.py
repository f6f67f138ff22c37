"""The all-pairs problem: Newton's method against Algorithm 1 at the same gap, growth with n, the oracle.

Our gap is recomputed by the judge. Algorithm 1 runs on the fast oracle; its working set is solved by our SMO
or, with ``--cvxopt``, by cvxopt's interior point method (minutes).
"""

import itertools
import sys
import warnings
from unittest.mock import patch

import numpy as np
from made import median_seconds, peak_megabytes, problem

from rankmargin import SwappedPairsSVM
from rankmargin.certificates import judge
from rankmargin.estimators import swapped_pairs
from rankmargin.estimators.path import fit_path
from rankmargin.kernels import Kernel
from rankmargin.oracles.objective import Problem
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.oracles.swapped_pairs import violations
from rankmargin.problem.spaces import make_space
from rankmargin.solvers import cutting_plane as cutting_plane_module
from rankmargin.solvers.cutting_plane import by_steps, cutting_plane
from rankmargin.solvers.solution import ConvergenceWarning

C_PATH = (1e-3, 1e-2, 1e-1, 1.0, 10.0)
GAMMAS = (1e-3, 1e-2, 1e-1, 1.0)


def by_cvxopt(H, delta, C, a, tol):
    """Solve the working set of Algorithm 1 by cvxopt's interior point method.

    cvxopt is under the GPL, so it is imported only here, when it is used.
    """
    import cvxopt

    k = len(delta)
    scale = max(float(np.abs(delta).max()), 1e-300)
    inequalities = np.vstack([-np.eye(k), np.ones((1, k))])
    limits = np.append(np.zeros(k), 1.0)
    options = {"show_progress": False, "abstol": 1e-12, "reltol": 1e-10, "feastol": 1e-10, "maxiters": 200}
    answer = cvxopt.solvers.qp(
        cvxopt.matrix(H * (C / scale)),
        cvxopt.matrix(-delta / scale),
        cvxopt.matrix(inequalities),
        cvxopt.matrix(limits),
        options=options,
    )
    a = np.maximum(np.array(answer["x"]).ravel(), 0.0) * C
    return a * min(1.0, C / a.sum()) if a.sum() > 0 else a


def algorithm_1(X, y, gamma, qp):
    """Run Algorithm 1 along the path, in the paper's units: margin 1/2 and cost 2."""
    space = make_space(X, Kernel("rbf", gamma))
    loss = PairLoss(y, margin=swapped_pairs.MARGIN, cost=swapped_pairs.COST)
    with patch.object(cutting_plane_module, "by_steps", WORKING_SET[qp]):
        return cutting_plane(Problem(loss, space), C_PATH)


WORKING_SET = {"smo": by_steps, "cvxopt": by_cvxopt}


def path_against_algorithm_1(n=200, qp="smo"):
    """Time the five C of the paper for each g, both solvers at a gap of 1e-3."""
    X, y = problem(n)
    print(f"RBF path over C = {', '.join(map(str, C_PATH))}; n = {n}, gap <= 1e-3, working set of Algorithm 1: {qp}")
    print(f"{'g':>8} {'ours s':>10} {'largest gap':>12} {'Algorithm 1 s':>14} {'planes':>7} {'ratio':>7}")
    ratios = []
    for gamma in GAMMAS:
        fit_path(SwappedPairsSVM(gamma=gamma), X[:20], y[:20], [1e-3])
        seconds, models = median_seconds(lambda g=gamma: fit_path(SwappedPairsSVM(gamma=g), X, y, C_PATH))
        gap = max(judge(model).gap for model in models)
        slow, planes = median_seconds(lambda g=gamma: algorithm_1(X, y, g, qp), repeats=1)
        ratios.append(slow / seconds)
        n_planes = sum(solution.n_iter for solution in planes)
        print(f"{gamma:8g} {seconds:10.3f} {gap:12.1e} {slow:14.2f} {n_planes:7d} {slow / seconds:7.0f}", flush=True)
    print(f"geometric mean of the ratios: {np.exp(np.mean(np.log(ratios))):.0f}\n")


def linear_functions(n=600, dimensions=(4, 8, 20, 50), most=500):
    """Time both solvers on linear functions of few features, each stopped after a number of sweeps or planes."""
    print(f"linear functions, n = {n}, gap <= 1e-3 or {most} sweeps or planes")
    print(f"{'d':>4} {'C':>6} {'dual_cd s':>10} {'gap':>8} {'Algorithm 1 s':>14} {'gap':>8} {'planes':>7} {'ratio':>7}")
    for d, C in itertools.product(dimensions, (1e-2, 1.0, 100.0)):
        X, y = problem(n, d)
        told = []
        for solver in ("dual_cd", "cutting_plane"):
            arguments = {"kernel": "linear", "solver": solver, "max_iter": most}
            seconds, models = median_seconds(
                lambda X=X, y=y, C=C, a=arguments: fit_path(SwappedPairsSVM(**a), X, y, [C]), repeats=1
            )
            told.append((seconds, judge(models[0]).gap, models[0].solution.n_iter))
        (slow, slow_gap, _), (seconds, gap, planes) = told
        line = (
            f"{d:4d} {C:6g} {slow:10.2f} {slow_gap:8.1e} {seconds:14.2f} {gap:8.1e} {planes:7d} {slow / seconds:7.1f}"
        )
        print(line, flush=True)
    print()


def growth(sizes=(1000, 2000, 4000)):
    """Time C = 1 and g = 0.1 for growing n."""
    print(f"{'n':>6} {'pairs':>10} {'seconds':>8} {'gap':>8} {'sweeps':>7} {'peak MB':>8}   (C = 1, g = 0.1)")
    for n in sizes:
        X, y = problem(n)
        seconds, models = median_seconds(
            lambda X=X, y=y: fit_path(SwappedPairsSVM(gamma=0.1), X, y, [1.0]), repeats=3 if n <= 1000 else 1
        )
        solution = models[0].solution
        print(
            f"{n:6d} {n * (n - 1) // 2:10d} {seconds:8.2f} {judge(models[0]).gap:8.1e} {solution.n_iter:7d} "
            f"{peak_megabytes():8.0f}",
            flush=True,
        )
    print()


def oracle(n=1_000_000):
    """Time the O(n log n) oracle with all y distinct."""
    rng = np.random.default_rng(0)
    y, s = rng.permutation(n).astype(float), rng.standard_normal(n)
    violations(y[:10], s[:10])
    print(f"oracle, n = {n}, all y distinct: {median_seconds(lambda: violations(y, s))[0]:.2f} s")


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)  # the gap is in the table
    path_against_algorithm_1(qp="cvxopt" if "--cvxopt" in sys.argv else "smo")
    linear_functions()
    growth((1000,) if "--short" in sys.argv else (1000, 2000, 4000))
    oracle()
