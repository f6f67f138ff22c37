"""Ratings and weights of items by maximum likelihood: their definition, other optimisers, what must not change them."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog, minimize
from scipy.special import log_expit

from rankmargin import ComparisonLink, RankSearchCV, stack_pairs
from rankmargin.comparisons import leaderboard, strengths
from rankmargin.comparisons.ratings import SeparationError, bradley_terry

KINDS = list(itertools.product(("davidson", "rao_kupper", "half"), (False, True)))


def tournament(seed, n_players=5, n_games=60):
    rng = np.random.default_rng(seed)
    first = rng.integers(n_players, size=n_games)
    second = (first + rng.integers(1, n_players, n_games)) % n_players
    return first, second, rng.choice([0.0, 0.5, 1.0], n_games, p=[0.35, 0.25, 0.4])


def log_likelihood(parameters, first, second, score, ties, advantage, prior=0.0, weights=1.0):
    """By the formulas of the docstring, game by game; parameters (P + 2,) end with advantage and log nu."""
    r, (home, t) = parameters[:-2], parameters[-2:]
    r = r - r.mean()
    d = r[first] - r[second] + home * advantage
    if ties == "davidson":
        shares = np.exp([-d / 2, np.full(len(d), t), d / 2])
        shares /= shares.sum(axis=0)
    else:
        edge = np.exp(abs(t)) if ties == "rao_kupper" else 1.0
        won, lost = 1 / (1 + edge * np.exp(-d)), 1 / (1 + edge * np.exp(d))
        shares = np.array([lost, np.sqrt(won * lost) if ties == "half" else 1 - won - lost, won])
    of_prior = np.log(1 / (1 + np.exp(-r))) + np.log(1 / (1 + np.exp(r)))
    results = (2 * score).astype(int)
    return (weights * np.log(shares[results, np.arange(len(d))])).sum() + prior / 2 * of_prior.sum()


def parameters_of(board):
    return np.append(board.ratings, [board.advantage, np.log(board.ties) if board.ties > 0 else 0.0])


@pytest.mark.parametrize(("ties", "advantage"), KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_no_other_ratings_are_more_likely(ties, advantage, seed):
    games = tournament(seed)
    weights, prior = np.random.default_rng(seed).uniform(0.5, 2, 60), [0.0, 0.7][seed % 2]
    board = bradley_terry(*games, ties=ties, advantage=advantage, prior=prior, weights=weights)

    def loss(parameters):
        return -log_likelihood(parameters, *games, ties, advantage, prior, weights)

    start = np.append(np.zeros(6), 0.3)
    other = minimize(loss, start, method="BFGS", options={"gtol": 1e-9})
    assert loss(parameters_of(board)) <= other.fun + 1e-12 * abs(other.fun)
    assert loss(parameters_of(board)) == pytest.approx(-board.strengths.value, rel=1e-12)
    np.testing.assert_allclose(board.ratings, other.x[:5] - other.x[:5].mean(), atol=1e-5)
    assert np.abs(board.strengths.gradient).max() < 1e-10
    assert board.ratings.sum() == pytest.approx(0, abs=1e-12)
    if prior == 0 and ties != "half":
        np.testing.assert_allclose(board.covariance, covariance_of(loss, parameters_of(board), advantage), rtol=2e-4)


def covariance_of(loss, parameters, advantage):
    """Return the covariance of the ratings by differences of the loss."""
    free = [*range(5), *([5] if advantage else []), 6]
    step = 1e-4 * np.eye(7)[free]
    hessian = [
        [sum(a * b * loss(parameters + a * u + b * v) for a in (1, -1) for b in (1, -1)) / 4e-8 for u in step]
        for v in step
    ]
    return np.linalg.pinv(hessian, rcond=1e-6)[:5, :5]


@pytest.mark.parametrize(("ties", "advantage"), KINDS)
def test_games_in_another_form_have_the_same_ratings(ties, advantage):
    first, second, score = tournament(4)
    plain = bradley_terry(first, second, score, ties=ties, advantage=advantage)
    order = np.random.default_rng(0).permutation(60)
    twice = np.repeat(order, 2)
    names = np.array(["eve", "dan", "cid", "bob", "ann"])
    for given in (
        {"games": (first[order], second[order], score[order])},
        {"games": (first[order], second[order], score[order]), "weights": np.full(60, 2.0)},
        {"games": (first[twice], second[twice], score[twice])},
        {"games": (1000 * first, 1000 * second, score)},
        {"games": (names[first], names[second], score)},
        {"games": (names[first].astype(object), names[second].tolist(), score)},
        {"games": (second, first, 1 - score)},
        {"games": (first, second, score), "scale": 400 / np.log(10)},
    ):
        other = bradley_terry(*given.pop("games"), ties=ties, advantage=advantage, **given)
        ratings = other.ratings / other.scale
        ratings = ratings[::-1] if other.players.dtype.kind in "UO" else ratings
        np.testing.assert_allclose(ratings, plain.ratings, atol=1e-9)
        assert other.ties == pytest.approx(plain.ties, abs=1e-9)


@pytest.mark.parametrize(("ties", "advantage"), KINDS)
@pytest.mark.parametrize("given", [{}, {"prior": 0.5}, {"cluster": np.arange(60) % 7}])
def test_many_players_are_solved_as_few(ties, advantage, given, monkeypatch):
    """Conjugate gradients and draws in place of matrices."""
    dense = bradley_terry(*tournament(5), ties=ties, advantage=advantage, **given)
    errors, covariance = dense.differences([0, 1, 2], [3, 4, 0])[1], dense.covariance
    error_of_advantage = dense.advantage_error
    monkeypatch.setattr(strengths, "DENSE", 1)
    monkeypatch.setattr(leaderboard, "DENSE", 1)
    sparse = bradley_terry(*tournament(5), ties=ties, advantage=advantage, **given)
    np.testing.assert_allclose(sparse.ratings, dense.ratings, atol=1e-9)
    np.testing.assert_allclose(sparse.differences([0, 1, 2], [3, 4, 0])[1], errors, rtol=1e-7)
    assert sparse.advantage_error == pytest.approx(error_of_advantage, rel=1e-7)
    draws = sparse._draws(20_000, 0)
    np.testing.assert_allclose(draws @ draws.T / 20_000, covariance, atol=0.03 * covariance.max())
    half = sparse.table(n_draws=4000)["high"] - sparse.table(n_draws=4000)["rating"]
    np.testing.assert_allclose(half, dense.table()["high"] - dense.table()["rating"], rtol=0.1)


@pytest.mark.parametrize("ties", ["davidson", "rao_kupper", "half"])
def test_a_cluster_for_each_game_is_the_sandwich_by_definition(ties):
    games = tournament(6)
    board = bradley_terry(*games, ties=ties, cluster=np.arange(60) % 9)
    parameters, steps = parameters_of(board), 1e-5 * np.eye(7)[[*range(5), 6]]

    def gradient(kept, parameters=parameters):
        part = [side[kept] for side in games]
        values = [[log_likelihood(parameters + sign * step, *part, ties, False) for sign in (1, -1)] for step in steps]
        return np.array([(up - down) / 2e-5 for up, down in values])

    people = np.array([gradient(np.arange(60) % 9 == person) for person in range(9)])
    whole = np.full(60, True)
    hessian = np.array([(gradient(whole, parameters - s) - gradient(whole, parameters + s)) / 2e-5 for s in steps])
    inverse = np.linalg.pinv((hessian + hessian.T) / 2, rcond=1e-4)
    found = 9 / 8 * (inverse @ people.T @ people @ inverse)[:5, :5]
    np.testing.assert_allclose(board.covariance, found, atol=1e-3 * np.abs(found).max())


def has_maximum(first, second, score, ties, advantage):
    """Return whether no direction exists along which no game becomes less likely, by linear programming."""
    n, with_ties = max(first.max(), second.max()) + 1, ties != "half" and bool((score == 0.5).any())
    B = np.zeros((len(first), n + advantage + with_ties))
    every = np.arange(len(first))
    B[every, first], B[every, second] = 1.0, -1.0
    incidence = B[:, :n].copy()
    if advantage:
        B[:, n] = 1.0
        if np.linalg.matrix_rank(B[:, : n + 1]) == np.linalg.matrix_rank(incidence):
            return False
    half, rows, t = 0.5 if ties == "davidson" else 1.0, [], np.eye(B.shape[1])[-1] * with_ties
    for d, s in zip(B, score):
        better = d if s == 1 else -d
        rows += [t - half * d, t + half * d] if s == 0.5 else [half * better - t]
        rows += [better] if s != 0.5 and ties == "davidson" else []
    rows = np.array(rows)
    gain = linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(len(rows)), bounds=(-1, 1))
    return -gain.fun < 1e-7 and np.linalg.matrix_rank(incidence) == n - 1


@pytest.mark.parametrize(("ties", "advantage"), KINDS)
def test_ratings_are_refused_exactly_if_there_is_no_maximum(ties, advantage):
    rng, seen = np.random.default_rng(7), []
    for _ in range(150):
        n_players, n_games = rng.integers(2, 5), rng.integers(3, 14)
        first = rng.integers(0, n_players, n_games)
        second = (first + rng.integers(1, n_players, n_games)) % n_players
        first, second = np.split(np.unique(np.r_[first, second], return_inverse=True)[1], 2)
        score = rng.choice([0, 0.5, 1], n_games, p=[[0.35, 0.3, 0.35], [0.45, 0.1, 0.45]][rng.integers(2)])
        seen.append(has_maximum(first, second, score, ties, advantage))
        try:
            bradley_terry(first, second, score, ties=ties, advantage=advantage)
            refused = False
        except SeparationError:
            refused = True
        assert refused is not seen[-1], (first, second, score)
    assert 20 < sum(seen) < 130


# ComparisonLink, whose items have attributes


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
