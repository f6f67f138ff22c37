"""SMO with Newton steps on rows of one example each: against an independent QP, and against SMO on the same rows."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rankmargin.kernels import Kernel
from rankmargin.problem import Problem
from rankmargin.rows import thresholds
from rankmargin.rows.comparisons import flipped
from rankmargin.rows.rows import Rows
from rankmargin.solvers import example_smo, face_newton
from rankmargin.solvers.smo import smo
from rankmargin.spaces import KernelSpace, LinearSpace


def large(seed, n=150):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2))
    return KernelSpace(Kernel("rbf", 1.0).gram(X, X)), np.round(1.5 + X[:, 0] + rng.standard_normal(n) / 3).clip(0, 3)


@pytest.mark.parametrize("seed", range(3))
def test_weights_margins_and_many_thresholds(seed):
    """Compared with SMO over sparse X, which uses other code: K = L L^T gives the same problem with X = L."""
    space, y = large(seed)
    rng = np.random.default_rng(seed)
    plain = thresholds.implicit(y.astype(int), 4)
    rows = Rows.build(
        150,
        3,
        plus=plain.plus,
        threshold=plain.threshold,
        sign=plain.sign,
        margin=rng.uniform(0.5, 1.5, len(plain)),
        cost=rng.uniform(0.5, 2.0, len(plain)),
    )
    L = np.linalg.cholesky(space.K + 1e-12 * np.eye(150))
    sparse = LinearSpace(csr_matrix(L))
    assert not example_smo.takes(rows, sparse)
    shifted, spaces = LinearSpace(L).suited(rows), (space, LinearSpace(L), sparse)
    paths = [smo(Problem(rows, other), [0.1, 30.0], 1e-6) for other in spaces]
    paths[0] = [replace(of, theta=of.theta - shifted.mean @ (L.T @ of.beta)) for of in paths[0]]  # from the mean
    for ours, other in [*zip(paths[0], paths[2], strict=True), *zip(paths[1], paths[2], strict=True)]:
        assert ours.objective == pytest.approx(other.objective, rel=3e-6)
        np.testing.assert_allclose(ours.theta, other.theta, atol=1e-2)
        assert rows.imbalance(ours.alpha) <= 1e-9 * ours.alpha.sum()


def test_newton_steps_lower_the_loss_inside_the_box_and_keep_the_balance(monkeypatch):
    space, y = large(4)
    rows = thresholds.implicit(y.astype(int), 4)
    problem = example_smo._SortedRows(Problem(rows, space))
    bound = 50.0
    low, high = np.where(problem.sign > 0, 0.0, -bound), np.where(problem.sign > 0, bound, 0.0)
    a = np.zeros(len(rows))
    scores = np.zeros(150)
    example_smo._run(space.K, problem.diagonal, problem.arrays, (low, high, a), scores, 1e-9, 400)

    def loss():
        beta = problem.coefficients(a)
        return 0.5 * beta @ space.K @ beta - problem.target @ a

    before = loss()
    monkeypatch.setattr(face_newton, "MOST_STEPS", 30)
    face_newton.minimise_on_face(problem, a, low, high, scores)
    assert loss() < before - 1e-6
    assert np.all((a >= low) & (a <= high))
    assert np.abs(np.bincount(problem.threshold, a)).max() < 1e-10
    np.testing.assert_allclose(scores, space.scores(problem.coefficients(a)), atol=1e-9)


def test_a_kernel_of_nothing_costs_the_smaller_side():
    rows = flipped(np.array([1, 1, -1, 0]))
    assert example_smo.takes(rows, KernelSpace(np.zeros((4, 4))))
    solution = smo(Problem(rows, KernelSpace(np.zeros((4, 4)))), [2.0])[0]
    assert solution.objective == pytest.approx(2.0 * 2 * 2)
    assert solution.converged
