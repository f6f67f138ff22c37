"""Problems as users make them: 20 structures of X, 23 kinds of y and 29 forms in which X is given.

`made_problem` takes them in turn. The three numbers have no common factor, so the first 13,340 problems are all
different, and any 29 consecutive problems contain every structure, kind and form.
"""

import warnings
from tempfile import TemporaryFile

import numpy as np
import pandas as pd
from scipy import sparse


def _with_outlier(rng, n, d):
    X = rng.standard_normal((n, d))
    X[rng.integers(n)] = 1e8
    return X


def _with_constants(rng, n, d):
    X = rng.standard_normal((n, d))
    X[:, 0] = 3.0
    return X


def _nearly_empty(rng, n, d):
    return rng.standard_normal((n, d)) * (rng.random((n, d)) < 0.2)


STRUCTURES = {
    "ordinary": lambda rng, n, d: rng.standard_normal((n, d)),
    "half integers": lambda rng, n, d: rng.integers(-3, 4, (n, d)) / 2.0,
    "few distinct rows": lambda rng, n, d: rng.standard_normal((3, d))[rng.integers(3, size=n)],
    "all rows equal": lambda rng, n, d: np.tile(rng.standard_normal((1, d)), (n, 1)),
    "one row": lambda rng, n, d: rng.standard_normal((1, d)),
    "two rows": lambda rng, n, d: rng.standard_normal((2, d)),
    "one column": lambda rng, n, d: rng.standard_normal((n, 1)),
    "a constant column": _with_constants,
    "rank one": lambda rng, n, d: np.outer(rng.standard_normal(n), rng.standard_normal(d)),
    "more columns than rows": lambda rng, n, d: rng.standard_normal((n, 3 * n)),
    "an outlier": _with_outlier,
    "far from the origin": lambda rng, n, d: rng.standard_normal((n, d)) + 1e6,
    "tiny": lambda rng, n, d: rng.standard_normal((n, d)) * 1e-12,
    "large": lambda rng, n, d: rng.standard_normal((n, d)) * 1e3,
    "columns of any scale": lambda rng, n, d: rng.standard_normal((n, d)) * 10.0 ** rng.integers(-6, 7, d),
    "dummies": lambda rng, n, d: np.eye(4)[rng.integers(4, size=n)],
    "zeros and ones": lambda rng, n, d: rng.integers(0, 2, (n, d)).astype(float),
    "nearly all zeros": _nearly_empty,
    "all zeros": lambda rng, n, d: np.zeros((n, d)),
    "sorted along a line": lambda rng, n, d: np.sort(rng.standard_normal((n, d)), axis=0),
}


def _extreme(rng, n, dtype):
    info = np.iinfo(dtype)
    return rng.choice(np.array([info.min, info.min + 1, info.max - 1, info.max], dtype=dtype), n)


def _with_one_bad(rng, n, bad):
    y = rng.integers(1, 4, n).astype(float)
    y[rng.integers(n)] = bad
    return y


TARGETS = {
    "two grades": lambda rng, n: rng.integers(0, 2, n),
    "three grades": lambda rng, n: rng.integers(1, 4, n),
    "five grades": lambda rng, n: rng.integers(1, 6, n).astype(float),
    "all distinct": lambda rng, n: rng.permutation(n),
    "all the same": lambda rng, n: np.full(n, 2),
    "one differs": lambda rng, n: np.where(np.arange(n) == rng.integers(n), 1, 0),
    "fractions": lambda rng, n: rng.standard_normal(n),
    "half stars": lambda rng, n: rng.integers(1, 10, n) / 2.0,
    "negative": lambda rng, n: -rng.integers(1, 4, n),
    "signs": lambda rng, n: rng.integers(-1, 2, n),
    "bool": lambda rng, n: rng.random(n) < 0.5,
    "extreme int8": lambda rng, n: _extreme(rng, n, np.int8),
    "extreme uint8": lambda rng, n: _extreme(rng, n, np.uint8),
    "extreme int64": lambda rng, n: _extreme(rng, n, np.int64),
    "float16": lambda rng, n: rng.integers(1, 4, n).astype(np.float16),
    "objects that are numbers": lambda rng, n: rng.integers(1, 4, n).astype(object),
    "words": lambda rng, n: rng.choice(["bad", "fair", "good"], n),
    "ordered categorical": lambda rng, n: pd.Series(pd.Categorical(rng.choice([*"abc"], n), [*"abc"], ordered=True)),
    "a list": lambda rng, n: rng.integers(1, 4, n).tolist(),
    "1e307": lambda rng, n: rng.integers(-1, 2, n) * 1e307,
    "1e-307": lambda rng, n: rng.integers(-1, 2, n) * 1e-307,
    "with nan": lambda rng, n: _with_one_bad(rng, n, np.nan),
    "with inf": lambda rng, n: _with_one_bad(rng, n, np.inf),
}


def _plain(X):
    return X, X


def _as(dtype):
    def form(X):
        given = np.clip(np.round(X), -100, 100).astype(dtype) if np.dtype(dtype).kind in "iub" else X.astype(dtype)
        return given, given.astype(np.float64)

    return form


def _read_only(X):
    given = X.copy()
    given.flags.writeable = False
    return given, X


def _on_disk(X):
    file = TemporaryFile()  # noqa: SIM115 (it must live as long as the problem)
    given = np.memmap(file, dtype=np.float64, mode="w+", shape=X.shape)
    given[:] = X
    return given, X


def _with_duplicates(X):
    """Return a CSR matrix in which each entry is stored as two halves, as a sum of counts may leave it."""
    whole = sparse.csr_matrix(X)
    data, indices = np.repeat(whole.data / 2.0, 2), np.repeat(whole.indices, 2)
    return sparse.csr_matrix((data, indices, 2 * whole.indptr), shape=X.shape), X


def _unsorted(X):
    given = sparse.csr_matrix(X)
    for start, end in zip(given.indptr, given.indptr[1:], strict=False):
        given.indices[start:end] = given.indices[start:end][::-1].copy()
        given.data[start:end] = given.data[start:end][::-1].copy()
    given.has_sorted_indices = False
    return given, X


def _with_zeros(X):
    given = sparse.csr_matrix(np.ones_like(X))
    given.data[:] = X.ravel()
    return given, X


def _long_indices(X):
    given = sparse.csr_matrix(X)
    given.indices, given.indptr = given.indices.astype(np.int64), given.indptr.astype(np.int64)
    return given, X


def _with_all_of_these(X):
    """Return a CSR matrix in single precision with long indices, entries twice, zeros, and rows from right to left."""
    columns = np.tile(np.arange(X.shape[1]), (len(X), 2))
    data, indices = np.tile(np.float32(X) / 2, 2)[:, ::-1].ravel(), columns[:, ::-1].ravel()
    indptr = 2 * X.shape[1] * np.arange(len(X) + 1, dtype=np.int64)
    given = sparse.csr_matrix(X.shape, dtype=np.float32)
    given.data, given.indices, given.indptr = data, indices.astype(np.int64), indptr
    return given, 2.0 * (np.float32(X) / 2).astype(np.float64)


def _sparse_with_nan(X):
    given = sparse.csr_matrix(np.where(X == 0, 1.0, X))
    given.data[-1] = np.nan
    return given, None


def _matrix(X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        return np.asmatrix(X), None


def _with_nan(X):
    given = X.copy()
    given[-1, -1] = np.nan
    return given, None


FORMS = {
    "float64": _plain,
    "Fortran order": lambda X: (np.asfortranarray(X), X),
    "every second row of another": lambda X: (np.repeat(X, 2, axis=0)[::2], X),
    "backwards": lambda X: (X[::-1].copy()[::-1], X),
    "read only": _read_only,
    "on disk": _on_disk,
    "big endian": lambda X: (X.astype(">f8"), X),
    "long double": lambda X: (X.astype(np.longdouble), X),
    "float32": _as(np.float32),
    "float16": lambda X: _as(np.float16)(np.clip(X, -6e4, 6e4)),
    "int64": _as(np.int64),
    "int8": _as(np.int8),
    "bool": _as(np.bool_),
    "objects": lambda X: (X.astype(object), X),
    "lists": lambda X: (X.tolist(), X),
    "a tuple of arrays": lambda X: (tuple(X), X),
    "a data frame": lambda X: (pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])]), X),
    "a data frame with its own index": lambda X: (pd.DataFrame(X, index=[f"r{i}" for i in range(len(X))][::-1]), X),
    "masked": lambda X: (np.ma.masked_array(X), X),
    "a matrix": _matrix,
    "CSR": lambda X: (sparse.csr_matrix(X), X),
    "CSC": lambda X: (sparse.csc_matrix(X), X),
    "COO array": lambda X: (sparse.coo_array(X), X),
    "CSR with entries twice": _with_duplicates,
    "CSR out of order": _unsorted,
    "CSR with zeros": _with_zeros,
    "CSR with long indices": _long_indices,
    "CSR with all of these": _with_all_of_these,
    "CSR with nan": _sparse_with_nan,
    "one dimension": lambda X: (X.ravel(), None),
    "with nan": _with_nan,
}


def made_problem(number, seed, pairs=False):
    """Return X as it is given, the same as a float64 array (None where it must be refused), y, and their three names.

    With ``pairs`` each row has another beside it.
    """
    rng = np.random.default_rng([number, seed])
    structure, kind, form = (list(names)[number % len(names)] for names in (STRUCTURES, TARGETS, FORMS))
    base = STRUCTURES[structure](rng, int(rng.integers(3, 13)), int(rng.integers(2, 5)))
    base = np.hstack([base, base[rng.permutation(len(base))]]) if pairs else base
    given, same = FORMS[form](np.ascontiguousarray(base, dtype=np.float64))
    if pairs and form == "a data frame":  # its names say which columns are of the first item
        given = given.set_axis(
            [f"{item}_{name}" for item in ("first", "second") for name in given.columns[: base.shape[1] // 2]], axis=1
        )
    return given, same, TARGETS[kind](rng, len(base)), (structure, kind, form)


def noisy(n, d, noise, of=lambda X: X[:, 0], seed=0):
    """Return rows (n, d), and a function of them with noise."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, of(X) + noise * rng.standard_normal(n)
