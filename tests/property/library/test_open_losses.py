"""Losses: each against its definition, over all pairs against a list of them, and a stranger's loss in one file."""

import re
from dataclasses import replace

import numpy as np
import pytest
from checkout import ROOT
from scipy.sparse import csr_matrix
from sklearn.base import clone
from test_row_losses import KINDS, random_problem

from rankmargin import (
    SVOR,
    ComparisonSVM,
    FixedMarginSVM,
    PairwiseRankSVM,
    RankBoundarySVM,
    RankSVR,
    SwappedPairsSVM,
)
from rankmargin.certificates import certify, judge
from rankmargin.kernels import Kernel
from rankmargin.oracles.objective import Problem
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.problem.losses import LOSSES, Loss, loss_named
from rankmargin.problem.rows.pairs import order_of_times
from rankmargin.problem.spaces import KernelSpace, LinearSpace
from rankmargin.solvers.smoothed_newton import smoothed_newton

SMOOTH = Loss("smooth_hinge", steepness=4.0)
STEEP = Loss("double", cap=2.0)
WIDE = Loss("wide", steepness=0.5, cap=3.0)
ALL = [*LOSSES.values(), SMOOTH, STEEP, WIDE]


@pytest.mark.parametrize("loss", ALL, ids=lambda loss: loss.name)
def test_slope_and_conjugate_are_those_of_the_value(loss):
    v = np.linspace(-2.0, 9.0, 2201)[1:] + 1e-4
    assert loss_named(loss) is loss
    change = (loss.value(v + 1e-6) - loss.value(v - 1e-6)) / 2e-6
    np.testing.assert_allclose(loss.slope(v), change, atol=1e-5)
    for a in (0.0, 0.3, 1.0):
        assert loss.conjugate(a) == pytest.approx(np.max(a * v - loss.value(v)), abs=1e-3)
    assert loss.conjugate(-0.1) == np.inf and np.isinf(loss.conjugate(min(loss.cap, 9.0) * 1.01)) == loss.capped


def longer(loss, h):
    """Return the loss whose ramp is longer by h / 2 at both ends, as one that begins at 0, and h / 2."""
    if not loss.capped:
        return loss, 0.0
    length = loss.cap / loss.steepness + h
    return Loss("longer", loss.cap / length if length else np.inf, loss.cap), 0.5 * h


def made(n=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2))
    X[1] = X[0]
    return X, np.round(2 * X[:, 0] + X[:, 1] ** 2 + rng.standard_normal(n)), rng.integers(1, 3, n).astype(float)


@pytest.mark.parametrize("loss", ALL, ids=lambda loss: loss.name)
@pytest.mark.parametrize("h", [0.0, 0.25, 0.8])
@pytest.mark.parametrize("seed", range(6))
def test_sums_over_all_pairs_are_those_over_a_list(seed, h, loss):
    """Ties of targets, censored times, groups, whole weights and others; scores on a lattice, where pairs may lack
    exactly nothing of their margin, and scores without ties."""
    X, y, weight = made(seed=seed)
    rng = np.random.default_rng([seed, 1])
    s, event, groups = rng.standard_normal(40), rng.random(40) < 0.7, np.arange(40) % 2 if seed % 3 else np.zeros(40)
    s = np.round(2 * s) / 2 if seed % 2 else s
    y, lower = (order_of_times(y, event), weight * event) if seed >= 3 else (y, weight)
    pairs = PairLoss(y, None if seed % 3 == 0 else groups, 0.5, 1.0, loss, weight, lower)
    found = pairs.slopes(s, h)
    lack, listed = 0.5 - (s[:, None] - s), np.outer(weight, lower) * (y[:, None] > y) * (groups[:, None] == groups)
    assert pairs.total_weight == pytest.approx(listed.sum())
    assert pairs.take(np.arange(20)).total_weight == pytest.approx(listed[:20, :20].sum())
    smoothed, shift = longer(loss, h)
    slopes = listed * smoothed.slope(lack + shift)
    assert found.loss == pytest.approx(np.sum(listed * loss.value(lack)))
    assert found.total == pytest.approx(slopes.sum())
    assert found.conjugate == pytest.approx(
        np.sum(listed * loss.conjugate(np.minimum(slopes / np.maximum(listed, 1e-9), loss.cap))), abs=1e-9
    )
    np.testing.assert_allclose(found.beta, slopes.sum(axis=1) - slopes.sum(axis=0), atol=1e-9)
    v, rise = lack + shift, 0.0 if smoothed.kinked else smoothed.steepness
    L = -listed * rise * ((v > 0.0) & (v * rise < smoothed.cap))
    L = L + L.T
    L -= np.diag(L.sum(axis=1))
    np.testing.assert_allclose(pairs.curvature_times(found, X), L @ X, atol=1e-8)
    np.testing.assert_allclose(pairs.hessian(found, X), X.T @ L @ X, atol=1e-8)


@pytest.mark.parametrize("h", [0.0, 1e-3, 4.0])
@pytest.mark.parametrize("loss", [SMOOTH, WIDE], ids=lambda loss: loss.name)
def test_a_ramp_below_the_grid_of_huge_scores_is_a_kink(loss, h):
    """A long step with a large C: the scores have no digits for the ramp. It ended in a ZeroDivisionError."""
    pairs, weight = PairLoss(np.arange(3.0), loss=loss, weight=np.full(3, 1e5)), 1e10
    for s in (np.array([1e14, 0.0, -1e14]), np.array([-1e14, 0.0, 1e14])):
        found = pairs.slopes(s, h)
        exact = 2.0 * weight * loss.value(1.0 - (s[1] - s[0])) + weight * loss.value(1.0 - (s[2] - s[0]))
        assert found.loss == pytest.approx(exact, rel=1e-12)
        assert found.total == 3.0 * weight * loss.slope(1.0 - (s[1] - s[0]))
        assert found.conjugate == 3.0 * weight * loss.conjugate(loss.slope(1.0 - (s[1] - s[0])))


@pytest.mark.parametrize("kernel", ["linear", "rbf", "matern32"])
@pytest.mark.parametrize("loss", ALL, ids=lambda loss: loss.name)
def test_every_loss_has_a_certificate_that_a_list_of_pairs_confirms(loss, kernel):
    X, y, weight = made()
    for C in (1e-4, 0.1, 10.0, 1e3):
        ranker = SwappedPairsSVM(C=C, C_scale="pairs", kernel=kernel, loss=loss, solver="smoothed_newton", gamma=0.5)
        model = ranker.fit(X, y, sample_weight=weight).model_
        solution, cost = model.solution, 2.0 * C
        K, beta = model.kernel.gram(X, X), solution.beta
        listed = np.outer(weight, weight) * (y[:, None] > y)
        s = model.scores(X)
        half_norm = 0.5 * (beta @ s if model.w is None else model.w @ model.w)
        objective = half_norm + cost * np.sum(listed * loss.value(0.5 - (s[:, None] - s)))
        assert ranker.objective_ == pytest.approx(objective, rel=1e-6)
        (point,), width, (share,) = solution.alpha
        at = X @ point if kernel == "linear" else point
        smoothed, shift = longer(loss, width)
        shares = share / cost * smoothed.slope(0.5 - (at[:, None] - at) + shift)
        alpha = cost * listed * shares
        pull = alpha.sum(axis=1) - alpha.sum(axis=0)
        dual = 0.5 * alpha.sum() - 0.5 * pull @ K @ pull - cost * np.sum(listed * loss.conjugate(shares * (1 - 1e-12)))
        assert ranker.dual_bound_ == pytest.approx(dual, rel=1e-5)
        assert dual <= objective * (1 + 1e-9) and ranker.gap_ <= 1e-3
        certificate = judge(model, X)
        assert certificate.gap <= 1e-3 and certificate.infeasibility <= 1e-9
        assert ranker.score(X, y) > 0.6


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("loss", ALL, ids=lambda loss: loss.name)
def test_every_loss_of_listed_rows_is_proved_to_be_least(loss, kind):
    """Thresholds free and ordered, ties, weights, CSR, C from 1e-4 to 1e4; objective and dual are written out here."""
    for seed in range(12):
        X, rows, C = random_problem(kind, seed)
        rows = replace(rows, loss=loss)
        space = (
            LinearSpace(csr_matrix(X) if seed % 2 else X)
            if seed % 3 == 0
            else KernelSpace(Kernel("rbf", 0.5).gram(X, X))
        )
        problem = Problem(rows, space)
        X = X - problem.space.mean if seed % 3 == 0 else X
        (solution,) = smoothed_newton(problem, [C], tol=1e-6)
        K, alpha = (X @ X.T if seed % 3 == 0 else space.K), solution.alpha
        s = X @ solution.w if solution.w is not None else K @ solution.beta
        half_norm = 0.5 * (solution.w @ solution.w if solution.w is not None else solution.beta @ s)
        difference = np.append(s, 0.0)[rows.plus] - np.append(s, 0.0)[rows.minus]
        value = rows.sign * (difference - np.append(solution.theta, 0.0)[rows.threshold])
        objective = half_norm + C * np.sum(rows.cost * loss.value(rows.margin - value))
        pull = np.zeros(len(X) + 1)
        np.add.at(pull, rows.plus, rows.sign * alpha)
        np.add.at(pull, rows.minus, -rows.sign * alpha)
        shares = np.divide(alpha, C * rows.cost, out=np.zeros(len(alpha)), where=rows.cost > 0)
        assert np.all(shares >= 0) and np.all(shares <= loss.cap * (1 + 1e-9)) and rows.imbalance(alpha) <= 1e-7 * C
        conjugate = C * np.sum(rows.cost * loss.conjugate(np.minimum(shares, loss.cap)))
        dual = rows.margin @ alpha - conjugate - 0.5 * pull[:-1] @ K @ pull[:-1]
        assert solution.objective == pytest.approx(objective, rel=1e-6, abs=1e-9)
        assert solution.dual_bound == pytest.approx(dual, rel=1e-6, abs=1e-9)
        assert dual <= objective * (1 + 1e-10) + 1e-9 and objective - dual <= 1.1e-6 * objective + 1e-9
        found = certify(Problem(rows, space), C, solution)
        assert (found.objective, found.dual_bound) == pytest.approx((objective, dual), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize(
    "estimator",
    [
        SwappedPairsSVM(),
        PairwiseRankSVM(random_state=0),
        PairwiseRankSVM(n_partners="all"),
        RankBoundarySVM(tol=1e-3),
        RankSVR(),
        ComparisonSVM(),
        SVOR(),
        SVOR(constraints="explicit"),
        FixedMarginSVM(),
    ],
    ids=lambda estimator: f"{type(estimator).__name__} {getattr(estimator, 'n_partners', '')}",
)
@pytest.mark.filterwarnings("ignore:the thresholds are not in ascending order")
def test_the_name_of_a_loss_chooses_nothing(estimator, kernel):
    """A loss with the name of a built-in one is solved as itself, and the hinge is the hinge under every name."""
    X, y, _ = made()
    X, y = (np.hstack([X, X[::-1]]), np.sign(y)) if isinstance(estimator, ComparisonSVM) else (X, np.clip(y, -2, 2))
    fit = clone(estimator).set_params(kernel=kernel)
    hinge = fit.fit(X, y)
    for steepness, cap in ((2.0, np.inf), (np.inf, 3.0)):
        own, named = (clone(fit).set_params(loss=Loss(name, steepness, cap)).fit(X, y) for name in ("mine", "hinge"))
        assert abs(own.objective_ - named.objective_) <= 3e-3 * own.objective_
        assert abs(own.objective_ - hinge.objective_) > 0.01 * hinge.objective_
        assert judge(named.model_, X).gap <= 1.1e-3
    for loss in (Loss("hinge"), Loss("mine")):
        assert clone(fit).set_params(loss=loss).fit(X, y).objective_ == hinge.objective_


@pytest.mark.parametrize("part", ["class Cauchy", "Loss("])
def test_the_recipes_of_the_guide_add_a_kernel_and_a_loss(part):
    """The code blocks of the guide are run as they stand."""
    page = (ROOT / "docs/guide/kernels_and_scale.md").read_text()
    (recipe,) = [block for block in re.findall(r"```python\n(.*?)```", page, re.S) if part in block]
    names = {}
    exec(recipe, names)
    assert judge(names["ranker"].model_).gap <= 1e-3 and names["ranker"].score(names["X"], names["y"]) > 0.8
