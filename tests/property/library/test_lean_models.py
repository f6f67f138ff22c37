"""A pickle holds only what prediction needs; prediction needs no kernel matrix; one that is too large is refused."""

import copy
import gc
import pickle
import tracemalloc

import numpy as np
import pytest
from crossed import data
from public import made
from scipy.sparse import coo_matrix, csr_matrix

import rankmargin
from rankmargin.certificates import judge
from rankmargin.kernels import Kernel
from rankmargin.problem import kernels, spaces

ITEMS = ["SwappedPairsSVM", "PairwiseRankSVM", "RankBoundarySVM", "SVOR", "FixedMarginSVM", "SumOfMarginsSVM"]
KERNELS = [{"kernel": "linear"}, {"kernel": "rbf", "gamma": 0.3}, {"kernel": "precomputed"}]
N, D = 120, 4


def fitted(name, kernel):
    """Return a fitted estimator, its rows, and rows to score."""
    model = made(getattr(rankmargin, name), C=None if name == "SumOfMarginsSVM" else 0.05, **kernel)
    (X, y), (Z, _) = data(model, n=N), data(model, seed=1, n=7)
    if kernel["kernel"] == "precomputed":
        X, Z = Kernel("rbf", 0.3).gram(X, X), Kernel("rbf", 0.3).gram(Z, X)
    return model.fit(X, y), X, Z


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k["kernel"])
@pytest.mark.parametrize("name", [*ITEMS, "ComparisonSVM", "RankThreshold", "RankSVR"])
@pytest.mark.filterwarnings("ignore::rankmargin.estimators.pairs_base.NoScalingWarning")
def test_a_pickle_predicts_the_same_and_holds_no_problem(name, kernel):
    model, X, Z = fitted(name, kernel)
    loaded = pickle.loads(pickle.dumps(model))
    np.testing.assert_allclose(loaded.predict(Z), model.predict(Z), rtol=1e-12, atol=1e-12)
    if name in ("ComparisonSVM", "RankThreshold") and kernel["kernel"] != "precomputed":
        np.testing.assert_allclose(loaded.rank(Z[:, : D // 2]), model.rank(Z[:, : D // 2]), rtol=1e-10, atol=1e-12)
    support = np.count_nonzero(model.model_.solution.beta)
    numbers = {"linear": 4 * N + 10 * D, "rbf": 4 * N + support * (D + 3), "precomputed": 8 * N}[kernel["kernel"]]
    assert len(pickle.dumps(model)) < 8 * numbers + 4000
    assert judge(model.model_, X).gap <= 1.1 * model.tol, "the fitted model keeps its problem"
    assert len(pickle.dumps(loaded)) <= len(pickle.dumps(model)) + 200


@pytest.mark.parametrize("name", [*ITEMS, "ComparisonSVM", "RankThreshold", "RankSVR"])
@pytest.mark.filterwarnings(
    "ignore::rankmargin.estimators.pairs_base.NoScalingWarning",
    "ignore::rankmargin.estimators.ordinal_base.ThresholdOrderWarning",
)
def test_a_linear_estimator_keeps_no_rows_and_copies_none(name):
    """10,000 columns: what is kept besides them is small."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((40, 10_000)), np.tile([-1.0, 0.0, 1.0, 1.0], 10)
    keys = {"C": 0.3} if name == "SumOfMarginsSVM" else {"C": 1e-4}
    estimator = getattr(rankmargin, name)(kernel="linear", **keys)
    before = X.copy()
    estimator.fit(X, y)
    assert np.array_equal(X, before)
    held = [part for part in gc.get_objects() if issubclass(type(part), np.ndarray) and part.nbytes >= X.nbytes / 2]
    assert all(np.shares_memory(part, X) or np.shares_memory(part, before) for part in held)
    assert not any(part is X for part in vars(estimator.model_).values())
    assert judge(estimator.model_, X).gap <= 1.1 * estimator.tol


def test_an_expansion_is_the_kernel_matrix_times_its_coefficients(monkeypatch):
    rng = np.random.default_rng(0)
    X, Z, beta = rng.standard_normal((50, 3)), rng.standard_normal((40, 3)), rng.standard_normal((40, 2))
    beta[::3] = 0.0
    monkeypatch.setattr(kernels, "TILE", 3)
    for kernel in (
        {"kernel": "rbf", "gamma": 0.3},
        {"kernel": "linear"},
        {"kernel": "poly", "gamma": 0.5, "degree": 2},
    ):
        for rows, columns in ((X, Z), (csr_matrix(X), csr_matrix(Z)), (coo_matrix(X), csr_matrix(Z))):
            for of in (beta, beta[:, 0]):
                expected = Kernel(*kernel.values()).gram(X, Z) @ of
                np.testing.assert_allclose(Kernel(*kernel.values()).expansion(rows, columns, of), expected, atol=1e-12)


def test_a_kernel_matrix_that_cannot_fit_is_refused_before_it_is_made(monkeypatch):
    monkeypatch.setattr(spaces, "_memory_limit", lambda: 10**9)
    X = np.random.default_rng(0).standard_normal((20_000, 2))
    y = np.arange(20_000) % 3
    tracemalloc.start()
    said = r"the kernel matrix of 20,000 {} takes 3.2 GB, and this process may have 1.0 GB: .*landmarks=1000"
    with pytest.raises(MemoryError, match=said.format("rows")):
        rankmargin.PairwiseRankSVM().fit(X, y)
    with pytest.raises(MemoryError, match=said.format("pairs")):
        rankmargin.RankThreshold().fit(X, y - 1)
    assert tracemalloc.get_traced_memory()[1] < 2e8
    tracemalloc.stop()


@pytest.mark.parametrize("name", ["SVOR", "RankSVR", "ComparisonSVM"])
@pytest.mark.filterwarnings("ignore::rankmargin.estimators.pairs_base.NoScalingWarning")
def test_what_asks_for_blocks_needs_no_kernel_matrix(name, monkeypatch):
    whole, *_ = fitted(name, KERNELS[1])
    monkeypatch.setattr(spaces, "MOST_HELD", 50)
    monkeypatch.setattr(spaces, "_memory_limit", lambda: 1000)
    tiled, *_ = fitted(name, KERNELS[1])
    assert isinstance(tiled.model_.problem.space, spaces.ColumnSpace)
    assert tiled.objective_ == pytest.approx(whole.objective_, rel=2e-3)
    assert judge(tiled.model_).gap <= 1e-3


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly", "precomputed"])
def test_the_function_0_survives_a_pickle_and_a_copy(kernel):
    """All targets lie inside the tube, so that no row has a coefficient."""
    X = np.random.default_rng(0).standard_normal((30, 3))
    X = X @ X.T if kernel == "precomputed" else X
    fitted = rankmargin.RankSVR(kernel=kernel, epsilon=1.0).fit(
        X, np.linspace(0, 0.15, 30), pairs=np.array([[3, 3]])[:0]
    )
    assert not fitted.dual_coef_.any()
    for same in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted)):
        np.testing.assert_array_equal(same.predict(X), fitted.predict(X))


def test_the_limit_of_a_container_is_known(tmp_path):
    def write(name, text):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    assert spaces._container_limit.__wrapped__(tmp_path) == np.inf
    write("proc/self/cgroup", "12:cpu,cpuacct:/a\n5:memory:/docker/x\n0::/slice/job\n")
    assert spaces._container_limit.__wrapped__(tmp_path) == np.inf
    write("sys/fs/cgroup/slice/job/memory.max", "max\n")
    write("sys/fs/cgroup/cpu,cpuacct/a/memory.max", "1\n")
    assert spaces._container_limit.__wrapped__(tmp_path) == np.inf
    write("sys/fs/cgroup/memory.max", "9000\n")  # as a container sees its own limit
    write("sys/fs/cgroup/slice/memory.max", "7000\n")
    assert spaces._container_limit.__wrapped__(tmp_path) == 7000
    write("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "5000\n")
    assert spaces._container_limit.__wrapped__(tmp_path) == 5000
    assert spaces._container_limit() > 0 and spaces._memory_limit() <= spaces._container_limit()


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_a_certificate_does_not_follow_the_callers_weights(kernel):
    X = np.random.default_rng(0).standard_normal((60, 4))
    weight = 0.5 + np.arange(60) % 3
    fitted = rankmargin.SwappedPairsSVM(kernel=kernel).fit(X, X[:, 0], sample_weight=weight)
    before = judge(fitted.model_, X)
    weight /= weight.sum()
    assert judge(fitted.model_, X) == before and before.gap == pytest.approx(fitted.gap_, abs=1e-9)


def test_rows_of_weight_0_are_among_those_of_a_judge_of_orderings():
    X, weight = np.random.default_rng(0).standard_normal((68, 4)), np.arange(60) >= 5
    given = {"Z": X[60:], "pairs": [[0, 1], [2, 3]], "sample_weight": weight}
    fitted = rankmargin.RankSVR(kernel="linear").fit(X[:60], X[:60, 0], **given)
    assert judge(fitted.model_, X).gap == pytest.approx(fitted.gap_, abs=1e-9)
    with pytest.raises(ValueError, match="X must hold the 68 rows of the fit: all of X, then those of Z, got 63"):
        judge(fitted.model_, X[5:])
