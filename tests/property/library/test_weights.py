"""A row, an ordering or a pair of weight 2 has the same effect as two equal ones (of estimators: test_crossings.py)."""

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from rankmargin import PairTransformer, RankSVR


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


def test_items_of_a_weighted_pair_both_weigh():
    X, _, weight = rows(0)
    items = np.hstack([X, np.roll(X, -1, axis=0)])
    weighted = PairTransformer(StandardScaler()).fit(items, sample_weight=weight).transform(items)
    repeated = PairTransformer(StandardScaler()).fit(np.repeat(items, weight, axis=0)).transform(items)
    np.testing.assert_allclose(weighted, repeated)
