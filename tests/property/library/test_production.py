"""A fitted model in a file, in threads and on a large table."""

import inspect
import pickle
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
from crossed import QUIET, data
from public import CLASSES, made
from scipy import sparse

import rankmargin
from rankmargin.losses import Loss
from rankmargin.metrics import get_scorer
from rankmargin.skops import trusted_types

pytestmark = QUIET


def fitted(cls, kind=np.asarray, **wanted):
    """Return an estimator fitted on 60 rows, with those of the wanted parameters that it has, and these rows."""
    model = made(cls, **wanted)
    X, y = data(model)
    return model.fit(kind(X), y), kind(X)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_skops_needs_no_other_types(cls):
    io = pytest.importorskip("skops.io", reason="the extra onnx is not installed")
    for kernel, kind in product(("linear", "rbf"), (np.asarray, sparse.csr_matrix, sparse.csr_array)):
        model, X = fitted(cls, kind, kernel=kernel)
        file = io.dumps(model)
        again = io.loads(file, trusted=trusted_types())
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
        with pytest.raises(Exception, match=rf"{cls.__name__}"):
            io.loads(file)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_skops_needs_no_other_types_for_what_parameters_hold(cls):
    """Scorers, splitters, losses and ranges of this package's documentation, as parameters of any estimator."""
    io = pytest.importorskip("skops.io", reason="the extra onnx is not installed")
    model, X = fitted(cls)
    known = inspect.signature(cls).parameters
    held = {"scoring": get_scorer("concordance"), "cv": rankmargin.ItemKFold(3), "categories": range(3)}
    held |= {"loss": Loss("smooth_hinge", steepness=4.0)} if hasattr(model, "gap_") else {}
    model.set_params(**{name: of for name, of in held.items() if name in known})
    again = io.loads(io.dumps(model), trusted=trusted_types())
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_skops_refuses_what_is_not_of_this_package():
    io = pytest.importorskip("skops.io")
    model, _ = fitted(rankmargin.SVOR)
    model.note_ = pickle.Unpickler
    assert set(io.get_untrusted_types(data=io.dumps(model))) - set(trusted_types()) == {"_pickle.Unpickler"}
    others = [name for name in trusted_types() if not name.startswith("rankmargin.")]
    of_scipy = ["scipy.sparse._csr.csr_matrix", "scipy.sparse._csr.csr_array"]
    assert others == ["sklearn.utils._bunch.Bunch", "builtins.range", *of_scipy]


def test_blocks_of_a_large_table():
    """Blocks say the same as the whole table, and hold less memory than its kernel matrix, 24 MB."""
    model, _ = fitted(rankmargin.SwappedPairsSVM, kernel="rbf")
    X = np.random.default_rng(1).uniform(0, 2, (50_000, 4))
    whole = model.predict(X)
    blocks = [model.predict(X[start : start + 10_000]) for start in range(0, len(X), 10_000)]
    np.testing.assert_allclose(np.concatenate(blocks), whole, rtol=1e-12)
    tracemalloc.start()
    for start in range(0, len(X), 10_000):
        model.predict(X[start : start + 10_000])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12e6


@pytest.mark.parametrize("cls", [rankmargin.SVOR, rankmargin.ComparisonSVM], ids=lambda cls: cls.__name__)
def test_threads_predict_the_same(cls):
    """Threads share a model, also one that keeps a kernel between calls."""
    model, X = fitted(cls, kernel="rbf", probability=True)
    tables = [X[start:] for start in range(8)]
    alone = [model.predict_proba(rows) for rows in tables]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda at: model.predict_proba(tables[at % 8]), range(64)))
    for at, values in enumerate(together):
        np.testing.assert_array_equal(values, alone[at % 8])
