"""Samplers of pairs against brute force: closest pairs and trees by total distance, draws by their distribution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.sparse.csgraph import minimum_spanning_tree as scipy_tree
from scipy.spatial.distance import cdist

from rankmargin.estimators import pair_sampling as sampling
from rankmargin.estimators.pair_sampling import (
    SAMPLERS,
    close_pair,
    draws_needed,
    minimum_spanning_tree,
    p_close_pair,
    sample_mst,
)
from rankmargin.estimators.spatial import all_distances
from rankmargin.kernels import Kernel

RBF = {"kernel": "rbf", "gamma": 0.3}
KERNELS = [RBF, {"kernel": "linear"}, {"kernel": "poly", "gamma": 0.5, "degree": 2, "coef0": 1.0}]


def feature_distances(Z, kernel):
    """Every distance in the feature space, by the definition."""
    K = Z if kernel["kernel"] == "precomputed" else Kernel(*kernel.values()).gram(Z, Z)
    return np.sqrt(np.maximum(np.diag(K)[:, None] + np.diag(K)[None, :] - 2.0 * K, 0.0))


def is_tree(edges, n):
    graph = coo_matrix((np.ones(len(edges)), np.asarray(edges).T), shape=(n, n))
    return len(edges) == n - 1 and connected_components(graph, directed=False)[0] == 1


def tree_weight(D):
    """Weight of a minimum spanning tree; 1 is added to every edge because scipy takes 0 for no edge."""
    shifted = D + 1.0
    np.fill_diagonal(shifted, 0.0)
    return scipy_tree(shifted).sum() - (len(D) - 1)


@st.composite
def lattice(draw):
    """Points with many equal distances and duplicates, orders with ties and unknown values."""
    n, d = draw(st.integers(2, 45)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    order = rng.integers(0, draw(st.integers(2, 30)), n).astype(float)
    order[rng.random(n) < draw(st.sampled_from([0.0, 0.3]))] = np.nan
    return rng.integers(0, draw(st.integers(1, 6)), (n, d)).astype(float), order


@given(lattice(), st.integers(1, 40))
def test_closest_pairs_are_those_of_brute_force(data, k):
    Z, order = data
    above, below = np.nonzero(order[:, None] > order[None, :])
    for kernel in KERNELS:
        if len(above) < k:
            with pytest.raises(
                ValueError, match=f"n_pairs must be at most {len(above)}, the number of pairs of known, diff"
            ):
                close_pair(Z, k, order, kernel, 0)
            continue
        D = feature_distances(Z, kernel)
        pairs = close_pair(Z, k, order, kernel, 0)
        assert np.all(order[pairs[:, 0]] > order[pairs[:, 1]])
        assert len(np.unique(pairs, axis=0)) == k
        np.testing.assert_allclose(D[pairs[:, 0], pairs[:, 1]], np.sort(D[above, below])[:k], atol=1e-6)


@given(lattice())
def test_spanning_trees_have_the_weight_of_brute_force(data):
    Z, _ = data
    plain = all_distances.Distance(all_distances.EUCLIDEAN, np.ascontiguousarray(Z.T), np.zeros(len(Z)), 1.0, 1, 0.0)
    D = cdist(Z, Z)
    edges = all_distances.spanning_tree(plain)
    assert is_tree(edges, len(Z))
    assert D[edges[:, 0], edges[:, 1]].sum() == pytest.approx(tree_weight(D), abs=1e-9)
    for kernel in [*KERNELS, {"kernel": "precomputed"}]:
        points = Kernel(*KERNELS[2].values()).gram(Z, Z) if kernel["kernel"] == "precomputed" else Z
        D = feature_distances(points, kernel)
        edges = minimum_spanning_tree(points, kernel)
        assert is_tree(edges, len(Z))
        assert D[edges[:, 0], edges[:, 1]].sum() == pytest.approx(tree_weight(D), abs=1e-5)


@pytest.mark.parametrize("d", [1, 2, 12])
@pytest.mark.parametrize("shape", ["normal", "clusters", "duplicates", "scales"])
def test_boxes_and_all_distances_agree_on_many_points(d, shape):
    rng = np.random.default_rng(d)
    Z = rng.standard_normal((1500, d))
    if shape == "clusters":
        Z = 0.01 * Z + 10.0 * rng.integers(0, 5, (1500, 1))
    elif shape == "duplicates":
        Z = np.round(Z)
    elif shape == "scales":
        Z = Z * 10.0 ** np.arange(d) + 1e5
    order = rng.integers(0, 3, 1500).astype(float)
    plain = all_distances.Distance(all_distances.EUCLIDEAN, np.ascontiguousarray(Z.T), np.zeros(1500), 1.0, 1, 0.0)

    def lengths(pairs):
        return np.sort(np.linalg.norm(Z[pairs[:, 0]] - Z[pairs[:, 1]], axis=1))

    tree = all_distances.spanning_tree(plain)
    assert is_tree(tree, 1500)
    assert lengths(tree).sum() == pytest.approx(tree_weight(cdist(Z, Z)), rel=1e-7)
    by_tree = all_distances.closest_pairs_of_tree(Z, order, 700)
    np.testing.assert_allclose(lengths(by_tree), lengths(all_distances.closest_pairs(plain, order, 700)), rtol=1e-12)


def test_the_radius_grows_where_the_sample_is_closer_than_the_rest(monkeypatch):
    Z, close = np.random.default_rng(1).standard_normal((1500, 3)), np.random.default_rng(0).permutation(1500)[:60]
    monkeypatch.setattr(all_distances, "SAMPLE", (60, 60))
    Z[close] *= 1e-3
    pairs = all_distances.closest_pairs_of_tree(Z, Z[:, 0], 700)
    expected = np.sort(cdist(Z, Z)[np.triu_indices(1500, 1)])[:700]
    np.testing.assert_allclose(np.linalg.norm(Z[pairs[:, 0]] - Z[pairs[:, 1]], axis=1), expected, rtol=1e-12)


def test_a_tree_that_would_list_too_many_pairs_is_not_used(monkeypatch):
    Z, order = np.repeat([[0.0, 0.0], [1.0, 0.0], [1.5, 0.0]], [60, 1, 1], axis=0), np.r_[np.zeros(60), 1.0, 2.0]
    monkeypatch.setattr(all_distances, "MOST_LISTED", 1000)  # 1,770 pairs are equal
    assert all_distances.closest_pairs_of_tree(Z, order, 1) is None
    np.testing.assert_array_equal(close_pair(Z, 1, order, RBF, 0), [[61, 60]])


def test_the_same_tree_and_pairs_for_every_gamma():
    Z = np.random.default_rng(0).standard_normal((60, 3))
    for gamma in (1e-4, 1e6):
        kernel = {"kernel": "rbf", "gamma": gamma}
        np.testing.assert_array_equal(minimum_spanning_tree(Z, kernel), minimum_spanning_tree(Z, RBF))
        np.testing.assert_array_equal(close_pair(Z, 9, Z[:, 0], kernel, 0), close_pair(Z, 9, Z[:, 0], RBF, 0))


def test_samples_of_the_tree_are_edges_of_known_different_order():
    rng = np.random.default_rng(1)
    Z, order = rng.standard_normal((80, 2)), rng.integers(0, 4, 80).astype(float)
    order[:10] = np.nan
    edges = minimum_spanning_tree(Z, RBF)
    fit = [(i, j) for i, j in edges if order[i] != order[j] and not np.isnan(order[i] + order[j])]
    pairs = sample_mst(Z, len(fit), order, RBF, rng)
    assert {frozenset(pair) for pair in pairs.tolist()} == {frozenset((int(i), int(j))) for i, j in fit}


def test_59_draws_give_one_of_the_closest_5_percent_with_95_percent():
    """Claim R14: log(0.05) / log(0.95) = 58.4."""
    assert draws_needed() == 59
    assert draws_needed(0.01, 0.99) == 459
    assert draws_needed(1e-17, 0.5) == pytest.approx(np.log(2) * 1e17, rel=1e-9)
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((200, 2))
    squares = cdist(Z, Z)[np.triu_indices(200, 1)]
    near = np.quantile(squares, 0.05)
    hits = 0
    for seed in range(400):
        ((i, j),) = p_close_pair(Z, 1, Z[:, 0], RBF, seed)
        hits += np.linalg.norm(Z[i] - Z[j]) <= near
    assert 0.92 <= hits / 400 <= 0.98


@pytest.mark.parametrize("kernel", [*KERNELS, {"kernel": "precomputed"}], ids=lambda k: k["kernel"])
def test_p_close_pair_that_sees_all_pairs_is_close_pair(kernel):
    rng = np.random.default_rng(2)
    Z, order = rng.standard_normal((12, 2)), rng.standard_normal(12)
    Z = Kernel("rbf", 1.0).gram(Z, Z) if kernel["kernel"] == "precomputed" else Z
    np.testing.assert_array_equal(p_close_pair(Z, 5, order, kernel, 0), close_pair(Z, 5, order, kernel, 0))


@pytest.mark.parametrize("many", [False, True], ids=["by rejection", "by number"])
def test_random_pairs_are_uniform_and_differ(many, monkeypatch):
    if many:
        monkeypatch.setattr(sampling, "REJECTION_ROUNDS", 0)
    order = np.array([0.0, 0.0, 1.0, 2.0, np.nan, 2.0, 3.0, 4.0])
    fit = [(i, j) for i in range(8) for j in range(8) if order[i] > order[j]]
    counts = dict.fromkeys(fit, 0)
    rng = np.random.default_rng(3)
    for _ in range(2000):
        pairs = SAMPLERS["random"](np.zeros((8, 1)), 4, order, RBF, rng)
        assert len({tuple(pair) for pair in pairs.tolist()}) == 4
        for pair in pairs.tolist():
            counts[tuple(pair)] += 1
    expected = 2000 * 4 / len(fit)
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 45
    everything = SAMPLERS["random"](np.zeros((8, 1)), len(fit), order, RBF, rng)
    assert sorted(map(tuple, everything.tolist())) == fit
