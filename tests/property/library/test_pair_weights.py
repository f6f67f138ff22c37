"""Weights of pairs: a pair of weight 2 equals two equal pairs, in every form of the weights and with every solver."""

import numpy as np
import pytest
from reference_qp import optimum
from searches import every_fit, fold_scores
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, cross_val_score

from rankmargin import PairwiseRankSVM, RankBoundarySVM, SwappedPairsSVM, rank_path
from rankmargin.certificates import judge
from rankmargin.kernels import Kernel
from rankmargin.losses import Loss
from rankmargin.metrics import ndcg
from rankmargin.problem.rows.pair_weights import pair_weights
from rankmargin.problem.rows.pairs import all_pairs

RANKERS = [
    (SwappedPairsSVM(), 0.5, 2.0),
    (PairwiseRankSVM(n_partners="all", random_state=0), 1.0, 1.0),
    (RankBoundarySVM(), 1.0, 1.0),
]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((16, 3))
    y = np.digitize(X[:, 0] + 0.8 * rng.standard_normal(16), [-0.5, 0.5])
    return X, y, rng.integers(0, 4, (16, 16)), rng.integers(1, 4, 16)


@pytest.mark.parametrize("kernel", [{"kernel": "linear"}, {"kernel": "rbf", "gamma": 0.4}], ids=lambda k: k["kernel"])
@pytest.mark.parametrize(("ranker", "margin", "cost"), RANKERS, ids=lambda v: type(v).__name__)
def test_a_weight_of_2_is_a_pair_given_twice(ranker, margin, cost, kernel, data):
    """Compared with a general quadratic program in which a pair occurs as often as its weight says."""
    X, y, table, _ = data
    fitted = ranker.set_params(C=0.3, C_scale="pairs", tol=1e-8, **kernel).fit(X, y, pair_weight=table)
    once = all_pairs(y, None, margin, cost)
    again = np.repeat(np.arange(len(once)), table[once.plus, once.minus])
    assert 0 < len(again) != len(once)
    written_out = type(once).build(16, plus=once.plus[again], minus=once.minus[again], margin=margin, cost=cost)
    K = Kernel(*kernel.values()).gram(X, X)
    assert fitted.objective_ == pytest.approx(optimum(written_out, K, 0.3), rel=1e-6)
    assert fitted.objective_ != pytest.approx(ranker.fit(X, y).objective_, rel=1e-3)
    assert judge(fitted.model_, X).gap <= 1.1e-5


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_weights_of_pairs_take_every_loss(kernel, data):
    X, y, _, weight = data
    for loss in ("squared_hinge", Loss("hinge", cap=3.0)):
        ranker = SwappedPairsSVM(C=0.1, C_scale="pairs", kernel=kernel, gamma=0.5, loss=loss, tol=1e-6)
        by_pair = ranker.fit(X, y, pair_weight=np.outer(weight, weight))
        assert judge(by_pair.model_, X).gap <= 1.1e-6
        by_row = clone(ranker).fit(X, y, sample_weight=weight)
        assert by_pair.objective_ == pytest.approx(by_row.objective_, rel=3e-6)


def test_ndcg_weighs_what_a_swap_costs():
    """If two rows of the right order of a group change places, the loss of NDCG is the weight of their pair."""
    rng = np.random.default_rng(1)
    groups, y = np.repeat([0, 1], [4, 5]), np.concatenate([rng.permutation(4), rng.permutation(5)]).astype(float)
    rows = all_pairs(y, groups)
    weight = pair_weights("ndcg", y, groups)(rows.plus, rows.minus)
    for i, j, found in zip(rows.plus, rows.minus, weight, strict=True):
        s = y.copy()
        s[[i, j]] = s[[j, i]]
        assert 1.0 - ndcg(y[groups == groups[i]], s[groups == groups[i]]) == pytest.approx(found)
    tied = pair_weights("ndcg", np.array([3.0, 1.0, 1.0]))(np.array([0, 0]), np.array([1, 2]))
    second = (1 / np.log2(3) + 1 / np.log2(4)) / 2
    np.testing.assert_allclose(tied, 2.0 * (1.0 - second) / (3.0 + 2.0 * second))


def test_paths_and_cross_validation_hand_them_on(data):
    X, y, table, _ = data
    path = rank_path(SwappedPairsSVM(tol=1e-6), X, y, [0.1, 1.0], pair_weight=table)
    alone = SwappedPairsSVM(tol=1e-6).fit(X, y, pair_weight=table)
    assert path[1].objective_ == pytest.approx(alone.objective_, rel=1e-5)
    search = every_fit(SwappedPairsSVM(tol=1e-6), [0.1, 1.0], cv=GroupKFold(2))
    groups = np.arange(16) // 4
    by_table = fold_scores(search.fit(X, y, groups=groups, pair_weight=np.subtract.outer(y, y).clip(0)))
    np.testing.assert_array_equal(by_table, fold_scores(search.fit(X, y, groups=groups, pair_weight=np.subtract)))
    assert len(cross_val_score(SwappedPairsSVM(), X, y, cv=2, params={"pair_weight": "ndcg"})) == 2
