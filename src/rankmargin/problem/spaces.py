"""The spaces of functions in which solvers work.

A *space* answers one question: given coefficients ``beta`` of ``f = sum_i beta_i k(x_i, .)``, what are the training
scores ``s = f(X)``?  :class:`KernelSpace` holds the n x n kernel matrix; :class:`ColumnSpace` computes parts of it when
they are needed; :class:`LinearSpace` holds X (dense or CSR) and does not need the matrix.
"""

import os
from contextlib import suppress
from copy import copy
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from rankmargin.problem.kernel_rows import IN_DOUBLE, KernelRows
from rankmargin.problem.kernels import TILE
from rankmargin.problem.products import CentredRows, column_means, tiles

MOST_HELD = 5000  # up to this number of examples, the whole kernel matrix is kept in memory: 200 MB
FEW_ROWS = 500  # with at most so many rows, and no more than features, n coefficients are found faster
MOST_CHECKED = 3000  # rows of a kernel matrix that are checked for a negative eigenvalue
NEGLIGIBLE = 1e-6  # an eigenvalue of a kernel matrix, relative to its largest entry
SMALL_TILE = 32  # pairs whose kernel matrix is computed for its diagonal
FOR_FEATURES = 0.25  # of the memory that this process may have
LARGEST = 1e100  # solvers multiply up to three entries of X


def make_space(X, kernel, *, pairs=False, blocks=False, weight=None):
    """Return the space of the training rows.

    Parameters
    ----------
    X : (n, d) array or CSR matrix; (n, n) kernel matrix if it is precomputed
    kernel : Kernel
    pairs : bool
        Whether a row of X is a pair, x followed by x'. It is an example with the feature vector phi(x') - phi(x).
    blocks : bool
        Whether the solver needs blocks only. Then no matrix is held for more than MOST_HELD examples.
    weight : (n,) array > 0 or None, of the examples in the mean of the columns
    """
    if kernel.has_weights:
        return LinearSpace(kernel.features(X), weight, pairs)
    if blocks and kernel.name != "precomputed" and X.shape[0] > MOST_HELD:
        return ColumnSpace(X, kernel, pairs)
    return KernelSpace(kernel_matrix(X, kernel, pairs))


def kernel_matrix(X, kernel, pairs=False):
    """Return the kernel matrix (n, n) of the training rows; refuse one that does not fit into memory, and one that
    is no kernel matrix: a given one, or differences of kernel values that have lost their digits."""
    if kernel.name == "precomputed":
        check_kernel_matrix(X)
    else:
        check_memory(X.shape[0], "pairs" if pairs else "rows")
    K = kernel.pair_gram(X, X) if pairs else kernel.gram(X, X)
    if callable(kernel.name):
        check_kernel_matrix(K, f"the matrix of kernel={kernel.name!r}", "")
    elif pairs and kernel.name != "precomputed":
        _check_differences(K, kernel, X)
    return K


class KernelSpace:
    """Functions spanned by the training points under a kernel matrix K of shape (n, n), which may be that of a
    LinearSpace."""

    def __init__(self, K, linear=None):
        self.linear = linear
        self.K = np.ascontiguousarray(K, dtype=np.float64)
        self.n = len(self.K)

    held = property(lambda self: self.K, doc="(n, n), K in double precision")
    as_kernel = property(lambda self: self, doc="The space of the same functions with the matrix in memory: this one.")

    def rows_for(self, problem):
        """Return the products for a solver that searches functions by their coefficients."""
        return KernelRows(self, self.K if self.n <= IN_DOUBLE else self.single())

    def single(self):
        """Return K in single precision."""
        return self.K.astype(np.float32)

    def scores(self, beta):
        """Return s = K beta, shape (n,)."""
        return self.K @ beta

    def scores_of(self, i, beta):
        """Return the scores of the examples i, shape (q,)."""
        return self.K[i] @ beta

    def diagonal(self):
        """Return k(x_i, x_i), shape (n,)."""
        return np.diag(self.K)

    def block(self, i):
        """Return the kernel matrix of the examples i, shape (q, q)."""
        return self.K[i].take(i, axis=1)

    def partial_scores(self, i, beta):
        """Return sum_i beta_i k(x_i, X), shape (n,)."""
        return beta @ self.K[i]


class ColumnSpace:
    """The space of a kernel whose matrix is too large to hold: products with it are computed one tile at a time.

    Parameters
    ----------
    X : (n, d) array or CSR matrix, or (n, 2 d) array of pairs
    kernel : Kernel
    pairs : bool, whether X holds pairs
    """

    def __init__(self, X, kernel, pairs=False):
        self.X, self.kernel, self.n, self.pairs = X, kernel, X.shape[0], pairs
        self.gram = kernel.pair_gram if pairs else kernel.gram

    held = linear = None  # no matrix in double precision

    def rows_for(self, problem):
        """Return the products for a solver that searches functions by their coefficients."""
        return KernelRows(self, self.single())

    def single(self):
        """Return K in single precision, which takes half of the memory."""
        check_memory(self.n, bytes_each=4)
        K = np.empty((self.n, self.n), dtype=np.float32)
        for start in range(0, self.n, TILE):
            part = slice(start, start + TILE)
            K[part, start:] = self.gram(self.X[part], self.X[start:])
            K[start:, part] = K[part, start:].T
        return K

    def scores(self, beta):
        """Return s = K beta, shape (n,)."""
        i = np.flatnonzero(beta)
        if 2 * len(i) < self.n:
            return self.partial_scores(i, beta[i])
        scores = np.zeros(self.n)
        for start in range(0, self.n, TILE):  # each tile above the diagonal is used twice, because K is symmetric
            part, rest = slice(start, start + TILE), slice(start + TILE, None)
            tile = self.gram(self.X[part], self.X[start:])
            scores[part] += tile @ beta[start:]
            scores[rest] += beta[part] @ tile[:, TILE:]
        return scores

    def scores_of(self, i, beta):
        """Return the scores of the examples i, shape (q,)."""
        return self.gram(self.X[i], self.X) @ beta

    def diagonal(self):
        """Return ||phi_i||^2, shape (n,)."""
        if not self.pairs:
            return self.kernel.diagonal(self.X)
        parts = (self.X[start : start + SMALL_TILE] for start in range(0, self.n, SMALL_TILE))
        return np.concatenate([np.diag(self.gram(part, part)) for part in parts])

    def block(self, i):
        """Return the kernel matrix of the examples i, shape (q, q)."""
        rows = self.X[i]
        return np.ascontiguousarray(self.gram(rows, rows))

    def partial_scores(self, i, beta):
        """Return sum_i beta_i k(x_i, X), shape (n,)."""
        columns, scores = self.X[i], np.empty(self.n)
        for start in range(0, self.n, TILE):
            scores[start : start + TILE] = self.gram(self.X[start : start + TILE], columns) @ beta
        return scores


class LinearSpace:
    """Linear functions f(x) = w.(x - mean) with w = (X - mean)^T beta; X of shape (n, d), dense or CSR.

    The mean is 0, or that of the columns (:attr:`centred`). Of ``pairs``, X (n, 2 d), the differences take the place of
    the rows.
    """

    def __init__(self, X, weight=None, pairs=False):
        if hasattr(X, "tocsr") and not (X.format == "csr" and X.has_canonical_format):
            X = X.tocsr(copy=True)
            X.sum_duplicates()
        self.X, self.weight, self.pairs = X, weight, pairs
        self.n, self.d = X.shape[0], X.shape[1] // (1 + pairs)
        self.mean = np.zeros(self.d)
        largest = max(float(X.max()), -float(X.min())) if self.n and self.d else 0.0
        if not largest <= LARGEST:
            raise ValueError(
                f"entries of X must be at most {LARGEST:g} in absolute value for linear functions, got {largest:.3g}: "
                "scale X"
            )

    @cached_property
    def csr(self):
        """X as CSR: indptr (n + 1,) int64, indices (nnz,) int32 and data (nnz,) float64."""
        from scipy.sparse import csr_matrix  # most jobs do not need it

        X = csr_matrix(self.X, dtype=np.float64)
        return X.indptr.astype(np.int64), X.indices.astype(np.int32), X.data

    @cached_property
    def centred(self):
        """The same functions, counted from the mean of the columns."""
        mean = column_means(self.X, self.weight)
        space = copy(self)  # X is checked
        space.mean, space.centred = mean[self.d :] - mean[: self.d] if self.pairs else mean, space
        space.__dict__.pop("products", None)
        return space

    @cached_property
    def products(self):
        """The products with X minus the mean."""
        return CentredRows(self.X, self.mean, self.pairs)

    def suited(self, rows):
        """Return the space for rows, or a loss: counted from the mean, if they do not depend on it."""
        return self if rows.sees_means else self.centred

    def rows_for(self, problem):
        """Return the products for a solver that searches functions by their weights; of few rows with many features by
        their coefficients."""
        return self.as_kernel.rows_for(problem) if self.n <= min(FEW_ROWS, self.d) else self.products

    @property
    def as_kernel(self):
        """The KernelSpace of the same functions, for few rows with many features."""
        check_memory(self.n)
        K = np.empty((self.n, self.n))
        for part in tiles(self.n):
            K[:, part] = self.products.times(self.products.dense(part).T)
        return KernelSpace(K, self)

    def weights(self, beta):
        """Return w = (X - mean)^T beta, shape (d,)."""
        return self.products.transposed(beta)

    def scores(self, beta):
        """Return the scores of f = sum_i beta_i k(x_i, .), shape (n,)."""
        return self.products.times(self.weights(beta))

    def diagonal(self):
        """Return ||x_i - mean||^2, shape (n,)."""
        return self.products.squared_norms

    def block(self, i):
        """Return the products of the examples i, shape (q, q)."""
        return np.ascontiguousarray(self.products.gram(i))

    def partial_scores(self, i, beta):
        """Return sum_i beta_i k(x_i, X), shape (n,)."""
        return self.products.times(self.products.take(i).transposed(beta))


def check_memory(n, examples="rows", bytes_each=8):
    """Refuse a matrix (n, n) that this process cannot hold, before it is allocated.

    Raises
    ------
    MemoryError
        The message has the size, the limit, and advice.
    """
    needed, limit = bytes_each * n * n, _memory_limit()
    if needed > limit:
        raise MemoryError(
            f"the kernel matrix of {n:,} {examples} takes {needed / 1e9:,.1f} GB, and this process may have "
            f"{limit / 1e9:,.1f} GB: fit fewer rows, or set landmarks=1000, functions that kernels of 1,000 rows span"
        )


def check_features(n, m, bytes_each):
    """Refuse features (n, m) that take more than a quarter of the memory that this process may have.

    Raises
    ------
    MemoryError
        The message has the size, the limit, and advice.
    """
    needed, most = bytes_each * n * m, _memory_limit() * FOR_FEATURES
    if needed > most:
        raise MemoryError(
            f"{m:,} features of {n:,} rows take {needed / 1e9:,.1f} GB, and this process may use {most / 1e9:,.1f} GB "
            "for them: set fewer landmarks"
        )


def most_features(n):
    """Return the largest number of features of n rows in single precision that is not refused."""
    return int(min(_memory_limit() * FOR_FEATURES / (4 * n), n))


def _memory_limit():
    """Return the bytes that this process may use: the memory of the machine, the limit of its address space, or that of
    its container."""
    try:
        import resource  # not on every system

        allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
        installed = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ImportError, ValueError, OSError):
        return np.inf
    return min(installed, _container_limit(), np.inf if allowed == resource.RLIM_INFINITY else allowed)


@cache
def _container_limit(root=Path("/")):
    """Return the smallest memory limit of the control groups (versions 1 and 2) of this process, inf if there is none.

    It is read once: the files take longer to read than a small problem to solve.
    """
    limits, mounted = [np.inf], root / "sys/fs/cgroup"
    with suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers and "memory" not in controllers.split(","):
                continue
            top, name = (mounted / "memory", "memory.limit_in_bytes") if controllers else (mounted, "memory.max")
            own_folder = top / path.lstrip("/")
            for folder in (own_folder, *own_folder.parents):  # a container may see itself as the top
                with suppress(OSError, ValueError):  # no such file, or "max"
                    limits.append(int((folder / name).read_text()))
                if folder == top:
                    break
    return min(limits)


def check_kernel_matrix(K, name="X", where=' with kernel="precomputed"'):
    """Refuse a matrix that is not a kernel of training rows: one that is not dense, square and symmetric, or that has a
    negative eigenvalue among its first rows.

    Parameters
    ----------
    K : (n, n) array
    name, where : str, what the message is about

    Raises
    ------
    ValueError
        If it is such a matrix.
    """
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"{name} must be a square matrix{where}, got shape {K.shape}")
    largest = max(float(np.abs(K).max()), np.finfo(float).tiny)
    if not np.allclose(K, K.T, rtol=1e-8, atol=1e-10 * largest):
        differ = f"differences K[i, j] - K[j, i] up to {float(np.abs(K - K.T).max()):.3g}"
        raise ValueError(f"{name} must be a symmetric matrix{where}, got {differ}: (K + K.T) / 2 has none")
    least = _negative_eigenvalue(K[:MOST_CHECKED, :MOST_CHECKED] / largest)
    if least:
        raise ValueError(
            f"{name} must be a positive semi-definite matrix{where}, got an eigenvalue of "
            f"{least * largest:.3g}: the problem is not convex and cannot be certified"
        )


def _check_differences(K, kernel, pairs):
    """Refuse a kernel matrix (n, n) of pairs with a negative eigenvalue.

    Its entries are differences of values k(x, z), and rounding these can move an eigenvalue by at most n times the
    error of an entry. The eigenvalues are looked at only if that is not negligible.
    """
    largest = float(np.abs(K).max(initial=0.0))
    values = kernel.rounding(np.vstack(np.hsplit(pairs, 2)))
    if 4 * len(K) * values <= NEGLIGIBLE * largest:
        return
    least = _negative_eigenvalue(K / max(largest, np.finfo(float).tiny))
    if least:
        raise ValueError(
            f"the {kernel.name} kernel of pairs must be positive semi-definite in double precision, got an eigenvalue "
            f"of {least * largest:.3g} beside entries up to {largest:.3g}: these are differences of kernel values that "
            "agree in all their digits; scale X, or subtract the means of its columns, or choose another gamma"
        )


def _negative_eigenvalue(K):
    """Return the least eigenvalue of a matrix (n, n) with entries up to 1 if it is clearly negative, or 0.0."""
    try:
        np.linalg.cholesky(K + NEGLIGIBLE * np.eye(len(K)))
    except np.linalg.LinAlgError:
        return float(np.linalg.eigvalsh(K).min())
    return 0.0
