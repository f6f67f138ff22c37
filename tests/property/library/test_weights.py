"""A row, an ordering or a pair of weight 2 has the same effect as two equal ones (of estimators: test_crossings.py)."""

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from rankmargin import KernelPRank, PairTransformer, PRank, RankSVR


def rows(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((24, 3))
    y = np.digitize(X[:, 0] + 0.3 * rng.standard_normal(24), [-0.5, 0.5])
    return X, y, rng.integers(1, 4, 24)


def test_weights_of_orderings_in_ranksvr():
    X, y, _ = rows(0)
    model, given = RankSVR(C=0.3, C_rank=0.5, C_scale="pairs", tol=1e-9), np.array([[0, 1], [5, 2], [9, 4]])
    weighted = model.fit(X, y, pairs=given, pair_weight=[2, 1, 3]).objective_
    assert weighted == pytest.approx(model.fit(X, y, pairs=np.repeat(given, [2, 1, 3], axis=0)).objective_, rel=1e-8)
    assert weighted > model.fit(X, y, pairs=given).objective_ * 1.001


@pytest.mark.parametrize("learner", [PRank(epochs=3, random_state=0), KernelPRank(gamma=0.3, epochs=3, random_state=0)])
@pytest.mark.parametrize("seed", range(3))
def test_online_learners_see_an_example_as_often_as_it_weighs(learner, seed):
    X, y, weight = rows(seed)
    weight[3] = 0
    again = np.repeat(np.arange(24), weight)
    repeated = learner.fit(X[again], y[again]).score_samples(X)
    np.testing.assert_allclose(learner.fit(X, y, sample_weight=weight).score_samples(X), repeated, atol=1e-12)
    assert np.any(learner.fit(X, y).score_samples(X) != repeated)
    with pytest.raises(ValueError, match=r"sample_weight must be a whole number, how often .* shown, got 0\.5"):
        learner.fit(X, y, sample_weight=np.full(24, 0.5))


def test_items_of_a_weighted_pair_both_weigh():
    X, _, weight = rows(0)
    items = np.hstack([X, np.roll(X, -1, axis=0)])
    weighted = PairTransformer(StandardScaler()).fit(items, sample_weight=weight).transform(items)
    repeated = PairTransformer(StandardScaler()).fit(np.repeat(items, weight, axis=0)).transform(items)
    np.testing.assert_allclose(weighted, repeated)
