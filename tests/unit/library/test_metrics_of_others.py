"""Metrics compared with scipy's and scikit-learn's, with ties, and inside groups with a loop over the groups."""

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, mean_absolute_error, ndcg_score, roc_auc_score

from rankbench import labels
from rankmargin import metrics


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


@pytest.mark.parametrize("name", ["spearman", "ndcg"])
def test_inside_groups_it_is_the_mean_of_the_groups(name, data):
    y, s, groups = data
    metric = getattr(metrics, name)
    alone = [metric(y[groups == g], s[groups == g]) for g in range(8)]
    assert metric(y, s, groups) == pytest.approx(np.mean(alone))
    shifted = s + 100 * groups
    assert metric(y, shifted, groups) == pytest.approx(np.mean(alone)) != pytest.approx(metric(y, shifted))


def test_a_group_without_an_order_is_left_out_and_constant_scores_are_0():
    assert metrics.spearman([1, 2, 3, 3], [1, 2, 5, 4], [0, 0, 1, 1]) == pytest.approx(1.0)
    assert metrics.spearman([1, 2, 1, 2], [1, 2, 4, 4], [0, 0, 1, 1]) == pytest.approx(0.5)


@pytest.mark.parametrize("grade", [3, 0.1, -7.3])
def test_kappa_of_one_grade_is_nan_whatever_the_weights(grade):
    """A mean of equal numbers may round to another number; kappa was then 1, as if the predictions were perfect."""
    rng = np.random.default_rng(0)
    for n in range(1, 20):
        assert np.isnan(metrics.quadratic_kappa([grade] * n, [grade] * n))
        assert np.isnan(metrics.quadratic_kappa([grade] * n, [grade] * n, rng.random(n)))
        assert np.isnan(metrics.quadratic_kappa([5, *[grade] * n], [8, *[grade] * n], [0.0, *rng.random(n)]))


def test_tables_and_figures_know_which_metrics_are_better_higher():
    assert set(labels.GAINS) == set(metrics.HIGHER_IS_BETTER)


def test_equal_grades_are_right_however_large():
    assert metrics.zero_one([np.inf, 1], [np.inf, 1]) == metrics.balanced_zero_one([np.inf, 1], [np.inf, 1]) == 0.0
