"""Metrics compared with scipy's and scikit-learn's, with ties, and inside groups with a loop over the groups."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr
from sklearn.base import BaseEstimator
from sklearn.metrics import (
    average_precision_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    mean_absolute_error,
    ndcg_score,
    roc_auc_score,
)

from rankbench.configuration import labels
from rankbench.experiments.measures import METRICS
from rankmargin import metrics
from rankmargin.problem.rows.pairs import count_pairs


@pytest.fixture(scope="module")
def data():
    """Grades 0 to 4 with ties, scores on a lattice with ties, eight groups of sizes that differ."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, 200)
    return y, np.round(y + 1.5 * rng.standard_normal(200)), rng.integers(0, 8, 200)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("kendall_tau", lambda y, s: kendalltau(y, s).statistic),
        ("spearman", lambda y, s: spearmanr(y, s).statistic),
        ("ndcg", lambda y, s: ndcg_score([y], [s])),
        ("quadratic_kappa", lambda y, s: cohen_kappa_score(y, np.clip(s, 0, 4), weights="quadratic")),
        ("balanced_zero_one", lambda y, s: 1 - balanced_accuracy_score(y, np.clip(s, 0, 4))),
    ],
)
def test_metrics_are_those_of_others(ours, theirs, data):
    y, s, _ = data
    s = np.clip(s, 0, 4) if ours in ("quadratic_kappa", "balanced_zero_one") else s
    assert getattr(metrics, ours)(y, s) == pytest.approx(theirs(y, s), abs=1e-12)


def test_concordance_counts_ties_half(data):
    y, s, groups = data
    assert metrics.concordance_index(y > 2, s) == pytest.approx(roc_auc_score(y > 2, s))
    right = ties = pairs = 0
    for i in range(200):
        for j in range(200):
            if y[i] > y[j] and groups[i] == groups[j]:
                pairs, right, ties = pairs + 1, right + (s[i] > s[j]), ties + (s[i] == s[j])
    assert metrics.concordance_index(y, s, groups) == pytest.approx((right + ties / 2) / pairs)


def test_balanced_errors_are_means_over_the_ranks(data):
    y, s, _ = data
    by_rank = [mean_absolute_error(y[y == rank], s[y == rank]) for rank in range(5)]
    assert metrics.balanced_absolute_error(y, s) == pytest.approx(np.mean(by_rank))


def test_gains_may_be_exponential(data):
    y, s, groups = data
    expected = [ndcg_score([2.0 ** y[groups == g] - 1], [s[groups == g]]) for g in range(8)]
    assert metrics.ndcg(y, s, groups, gain="exponential") == pytest.approx(np.mean(expected))
    assert metrics.ndcg(y + 2000.0, s, gain="exponential") == pytest.approx(metrics.ndcg(2.0**y, s), abs=1e-12)


def test_relevant_rows_at_the_top_by_all_orders_of_ties(data):
    """Of equal scores each order counts; average precision is scikit-learn's."""
    rng = np.random.default_rng(3)
    for _ in range(30):
        y, s = rng.integers(0, 2, 6), rng.integers(0, 3, 6)
        y[0] = 1
        assert metrics.average_precision(y, s) == pytest.approx(average_precision_score(y, s))
        orders = [order for order in permutations(range(6)) if np.all(np.diff(s[[*order]]) <= 0)]
        first = np.mean([1 / (1 + np.argmax(y[[*order]] > 0)) for order in orders])
        assert metrics.mean_reciprocal_rank(y, s) == pytest.approx(first)
        top = np.mean([y[[*order]][:3].sum() / min(3, y.sum()) for order in orders])
        assert metrics.precision_at_k(y, s, k=3) == pytest.approx(top)


@pytest.mark.parametrize("seed", range(5))
def test_a_perfect_order_scores_1_whatever_other_groups_hold(seed):
    """Groups of one row, of one target, or without a relevant row have no order that could be wrong."""
    rng = np.random.default_rng(seed)
    y = [rng.permutation(6), np.full(4, 5), np.full(3, 0), [2], rng.integers(0, 3, 8), np.zeros(1)]
    groups = np.repeat(np.arange(len(y)), [len(of) for of in y])
    y = np.concatenate(y).astype(float)
    idle = (groups != 0) & (groups != 4)
    s = np.where(idle, rng.standard_normal(len(y)), y + 10 * groups)
    more = [np.append(of, one) for of, one in ((y, 9), (s, -9), (groups, 1), (np.ones(len(y)), 0))]  # weighs nothing
    for name in ("kendall_tau", "spearman", "ndcg", "average_precision", "mean_reciprocal_rank", "precision_at_k"):
        assert getattr(metrics, name)(y, s, groups) == pytest.approx(1.0), name
        assert name == "spearman" or getattr(metrics, name)(*more[:3], sample_weight=more[3]) == pytest.approx(1.0)
    assert metrics.concordance_index(y, s, groups) == 1 and metrics.swapped_pairs(y, s, groups) == 0
    assert metrics.ndcg(y, s, groups, gain="exponential") == pytest.approx(1.0)


@pytest.mark.parametrize(("name", "options"), [("ndcg", {"k": 2, "gain": "exponential"}), ("precision_at_k", {"k": 2})])
def test_a_scorer_passes_on_its_options(name, options, data):
    y, s, groups = data
    found = metrics.get_scorer(name, **options)(Known(), s[:, None], y, groups=groups)
    assert found == getattr(metrics, name)(y, s, groups, **options) != getattr(metrics, name)(y, s, groups)


class Known(BaseEstimator):
    def score_samples(self, X):
        return X[:, 0]


@pytest.mark.parametrize("name", ["spearman", "ndcg", "average_precision", "precision_at_k"])
def test_inside_groups_it_is_the_mean_of_the_groups(name, data):
    y, s, groups = data
    metric = getattr(metrics, name)
    alone = [metric(y[groups == g], s[groups == g]) for g in range(8)]
    assert metric(y, s, groups) == pytest.approx(np.mean(alone))
    shifted = s + 100 * groups
    assert metric(y, shifted, groups) == pytest.approx(np.mean(alone)) != pytest.approx(metric(y, shifted))


SIGNS, SCORES = np.array([-1, 0, 0, 1, 1, -1]), np.array([-1.5, 1.0, -1.2, 1.1, 0.9, 4.0])
RANKS, PREDICTED = [1, 2, 3, 3], [1, 3, 3, 2]  # pairs of unequal rank: (3, 2) tied, (3', 2) inverted, and 3 in order
OF_GROUPS = [1.0, 2.0, 1.0, 2.0], [5.0, 6.0, 1.0, 0.0]
HUGE = [1e308, 1e308, 1.0]
BY_HAND = [
    (metrics.comparison_error, (SIGNS, SCORES), 3 / 6),  # on the threshold itself there is no difference
    (metrics.comparison_auc, ([0, 0, 1, -1, -1, -1], -np.ones(6)), 0.5 * 0.75),  # all have the commoner direction
    (metrics.rank_inversions, (RANKS, PREDICTED), 2 / 5),
    (metrics.mean_absolute_error, (RANKS, PREDICTED), 0.5),
    (metrics.zero_one, (RANKS, PREDICTED), 0.5),
    (metrics.zero_one, ([np.inf, 1], [np.inf, 1]), 0.0),  # equal grades are right however large
    (metrics.balanced_zero_one, ([np.inf, 1], [np.inf, 1]), 0.0),
    (metrics.absolute_error, ([1.0, 2.0, 4.0], [1.5, 2.0, 2.0]), 2.5 / 3),
    (metrics.spearman, ([1, 2, 3, 3], [1, 2, 5, 4], [0, 0, 1, 1]), 1.0),  # a group without an order is left out
    (metrics.spearman, ([1, 2, 1, 2], [1, 2, 4, 4], [0, 0, 1, 1]), 0.5),  # constant scores are 0
    (metrics.ndcg, (HUGE, [3.0, 2.0, 1.0]), 1.0),  # gains whose sum overflows
    (metrics.ndcg, (HUGE, [1.0, 2.0, 3.0]), metrics.ndcg([1.0, 1.0, 0.0], [1.0, 2.0, 3.0])),
    (metrics.swapped_pairs, OF_GROUPS, 0.5),
    (metrics.swapped_pairs, (*OF_GROUPS, [0, 0, 1, 1]), 0.5),
    (count_pairs, (np.array(OF_GROUPS[0]),), 4),
    (count_pairs, (np.array(OF_GROUPS[0]), np.array([0, 0, 1, 1])), 2),
]


@pytest.mark.parametrize(("metric", "given", "value"), BY_HAND)
def test_values_by_hand(metric, given, value):
    assert metric(*given) == pytest.approx(value)


@pytest.mark.parametrize("grade", [3, 0.1, -7.3])
def test_kappa_of_one_grade_is_nan_whatever_the_weights(grade):
    """A mean of equal numbers may round to another number; kappa was then 1, as if the predictions were perfect."""
    rng = np.random.default_rng(0)
    for n in range(1, 20):
        assert np.isnan(metrics.quadratic_kappa([grade] * n, [grade] * n))
        assert np.isnan(metrics.quadratic_kappa([grade] * n, [grade] * n, rng.random(n)))
        assert np.isnan(metrics.quadratic_kappa([5, *[grade] * n], [8, *[grade] * n], [0.0, *rng.random(n)]))


@pytest.mark.parametrize("name", sorted(METRICS.keys() - {"comparison_log_loss", "ranked_probability_score"}))
def test_tables_and_figures_know_which_metrics_are_better_higher(name):
    s = 2.0 * np.repeat([-1, 0, 1], 10)
    y = s / 2 if name.startswith("comparison") else s + 2
    assert (METRICS[name](y, s) > METRICS[name](y, -s if "auc" not in name else 0 * s)) == (name in labels.GAINS)
