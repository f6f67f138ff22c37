"""ComparisonLink against its formulas, another optimiser, and what must not change it."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_expit

from rankmargin import ComparisonLink, RankSearchCV, stack_pairs
from rankmargin.ratings import bradley_terry

CASES = list(itertools.product((False, True), (0.7, 0.0)))


def answers(seed, tie, n=200):
    rng = np.random.default_rng(seed)
    first, second = rng.standard_normal((2, n, 3))
    d = (first - second) @ [1.0, -0.5, 0.0] + 0.3 + rng.logistic(size=n)
    return first, second, np.sign(d) * (abs(d) > tie), rng.integers(1, 4, n)


def loss_of(first, second, y, weight, C, offset):
    """Return minus the penalised log-likelihood of weights, offset and threshold (5,), by its formula."""

    def loss(p):
        d, t = (first - second) @ p[:3] + p[3] * offset, abs(p[4]) * np.any(y == 0)
        better, worse = log_expit(d - t), log_expit(-d - t)
        neither = np.log(np.maximum(-np.expm1(np.logaddexp(better, worse)), 1e-300))
        return 0.5 * p[:3] @ p[:3] - C * (weight * np.select([y > 0, y < 0], [better, worse], neither)).sum()

    return loss


@pytest.mark.parametrize(("offset", "tie"), CASES)
def test_no_other_weights_are_more_likely(offset, tie):
    first, second, y, weight = answers(0, tie)
    model = ComparisonLink(C=0.7, offset=offset).fit(stack_pairs(first, second), y, sample_weight=weight)
    loss, found = loss_of(first, second, y, weight, 0.7, offset), np.r_[model.coef_, model.offset_, model.tie_]
    other = minimize(loss, [0, 0, 0, 0, 0.3], method="BFGS", options={"gtol": 1e-7})
    assert loss(found) <= other.fun + 1e-9
    np.testing.assert_allclose(found[:4], other.x[:4] * [1, 1, 1, offset], atol=1e-4)
    assert (model.tie_ > 0) == (tie > 0) and (model.offset_ != 0) == offset
    free = [0, 1, 2, *([3] if offset else []), *([4] if tie else [])]
    steps = 1e-4 * np.eye(5)[free]
    signs = list(itertools.product((1, -1), repeat=2))
    hessian = [[sum(a * b * loss(found + a * u + b * v) for a, b in signs) / 4e-8 for u in steps] for v in steps]
    errors = np.sqrt(np.diag(np.linalg.inv(hessian)) * 0.7)  # in units of a likelihood of weight 1
    np.testing.assert_allclose(model.standard_errors_, errors[:3], rtol=1e-3)
    assert model.offset_error_ == pytest.approx(errors[3] if offset else 0.0, rel=1e-3)


@pytest.mark.parametrize(("offset", "tie"), CASES)
def test_probabilities_are_those_of_the_formula(offset, tie):
    first, second, y, _ = answers(1, tie)
    pairs = stack_pairs(first, second)
    model = ComparisonLink(offset=offset, labels=["lost", "drew", "won"])
    model.fit(pairs, np.array(["lost", "drew", "won"])[y.astype(int) + 1])
    d = (first - second) @ model.coef_ + model.offset_
    np.testing.assert_allclose(model.score_samples(pairs), d, atol=1e-12)
    better, worse = np.exp(log_expit(d - model.tie_)), np.exp(log_expit(-d - model.tie_))
    assert model.classes_.tolist() == ["drew", "lost", "won"]
    columns = np.column_stack([1 - better - worse, worse, better])
    np.testing.assert_allclose(model.predict_proba(pairs), columns, atol=1e-12)
    if not offset:
        turned = model.predict_proba(stack_pairs(second, first))
        np.testing.assert_allclose(turned, columns[:, [0, 2, 1]], atol=1e-12)
    np.testing.assert_allclose(np.diff(model.rank(first)), np.diff(first @ model.coef_), atol=1e-12)


def test_one_column_for_each_player_is_bradley_terry():
    """With ties by Rao and Kupper, and a large C: the same ratings, standard errors and advantage."""
    rng = np.random.default_rng(2)
    white = rng.integers(0, 5, 400)
    black = (white + rng.integers(1, 5, 400)) % 5
    score = rng.choice([0, 0.5, 1], 400, p=[0.3, 0.2, 0.5])
    board = bradley_terry(white, black, score, ties="rao_kupper", advantage=True, cluster=np.arange(400) % 31)
    model = ComparisonLink(C=1e9, offset=True, labels="score")
    model.fit(stack_pairs(np.eye(5), rows=np.column_stack([white, black])), score, groups=np.arange(400) % 31)
    np.testing.assert_allclose(model.coef_ - model.coef_.mean(), board.ratings, atol=1e-5)
    assert np.exp(model.tie_) == pytest.approx(board.ties, rel=1e-6)
    assert model.offset_ == pytest.approx(board.advantage, rel=1e-5)
    assert model.offset_error_ == pytest.approx(board.advantage_error, rel=1e-5)


def test_a_search_chooses_C_and_leaves_out_folds_that_say_nothing():
    first, second, y, weight = answers(3, 0.7)
    search = RankSearchCV(ComparisonLink(offset=True), scoring="neg_log_loss", cv=4)
    search.fit(stack_pairs(first, second), y, sample_weight=weight)
    assert set(search.cv_results_["param_C"]) == set(search.Cs_) and np.all(search.cv_results_["gap"] == 0)
    assert search.best_params_["C"] < 1e4 and search.predict_proba(stack_pairs(first, second)).shape == (200, 3)
