"""Kernels, and the spaces in which solvers work.

A *space* answers one question: given coefficients ``beta`` of ``f = sum_i beta_i k(x_i, .)``, what are the training
scores ``s = f(X)``?  :class:`KernelSpace` holds the n x n kernel matrix; :class:`ColumnSpace` computes parts of it when
they are needed; :class:`LinearSpace` holds X (dense or CSR) and does not need the matrix.
"""

import numbers
import os
from functools import cached_property
from typing import Any

import numpy as np

from rankmargin.annotations import Array

KERNELS = ("linear", "rbf", "poly", "precomputed")
TILE = 1024  # rows of a product that are computed at a time
MOST_HELD = 5000  # up to this number of examples, the whole kernel matrix is kept in memory: 200 MB
TILE_SIZE = 1 << 16  # entries computed at a time, so that they stay in the cache
PAIR_BLOCK = 256
FAR = 1e4  # in standard deviations
MOST_CHECKED = 3000  # rows of a kernel matrix that are checked for a negative eigenvalue
EXACT = 1e-10  # largest error of an entry of a Gaussian kernel
DIFFERENCES = 1 << 20  # numbers held at a time when entries are computed from differences
SMALLER = ", or choose a smaller gamma or degree"


def check_kernel(kernel: str, gamma: float, degree: int, coef0: float) -> None:
    """Refuse kernel parameters outside their range."""
    if kernel not in KERNELS:
        raise ValueError(f"kernel must be one of {', '.join(KERNELS)}, got {kernel!r}")
    for name, value in (("gamma", gamma), ("degree", degree), ("coef0", coef0)):
        if not isinstance(value, numbers.Real) or value != value:
            raise ValueError(f"{name} must be a number, got {value!r}")
    if kernel in ("rbf", "poly") and not gamma > 0:
        raise ValueError(f"gamma must be > 0, got {gamma!r}")
    if kernel == "poly" and (degree < 1 or degree != int(degree)):
        raise ValueError(f"degree must be an integer >= 1, got {degree!r}")
    if kernel == "poly" and coef0 < 0:
        raise ValueError(f"coef0 must be >= 0 for a positive semi-definite kernel, got {coef0!r}")


def gram(X: Any, Z: Any, kernel: str, gamma: float = 1.0, degree: int = 3, coef0: float = 0.0) -> Array:
    """Return the matrix of kernel values k(x_i, z_j).

    ``linear`` is x.z, ``rbf`` exp(-gamma ||x - z||^2), ``poly`` (gamma x.z + coef0)^degree, and ``precomputed`` X
    itself.

    The error of an entry of ``rbf`` is at most 1e-10, wherever the rows lie.

    Parameters
    ----------
    X : (n, d) array or CSR matrix
        Rows.
    Z : (m, d) array or CSR matrix
        Columns.
    kernel : {"linear", "rbf", "poly", "precomputed"}
        The kernel.
    gamma : float > 0
        Parameter of ``rbf`` and ``poly``.
    degree : int >= 1
        Parameter of ``poly``.
    coef0 : float >= 0
        Parameter of ``poly``.

    Returns
    -------
    (n, m) array

    Raises
    ------
    ValueError
        If a value is too large for a float64.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.kernels import gram
    >>> gram(np.array([[0.0], [1.0]]), np.array([[1.0]]), kernel="rbf", gamma=1.0).round(3)
    array([[0.368],
           [1. ]])
    """
    if kernel == "precomputed":
        return X
    with np.errstate(over="ignore", invalid="ignore"):
        K = _dense(X @ Z.T) if kernel == "linear" else _tiled(X, Z, kernel, gamma, degree, coef0)
    if not np.isfinite(K).all():
        largest = max(float(abs(part).max()) for part in (X, Z))
        came = f"got inf or nan for X up to {largest:.3g}"
        raise ValueError(f"the {kernel} kernel must be finite, {came}: scale X{SMALLER}")
    return K


def _tiled(X, Z, kernel, gamma, degree, coef0):
    """Return the matrix (n, m) of the kernel rbf or poly, computed a few rows at a time."""
    distances = _Distances(X, Z, gamma) if kernel == "rbf" else None
    K = np.empty((X.shape[0], Z.shape[0]))
    rows = max(1, TILE_SIZE // max(Z.shape[0], 1))
    for start in range(0, len(K), rows):
        part = slice(start, start + rows)
        if kernel == "poly":
            K[part] = (gamma * _dense(X[part] @ Z.T) + coef0) ** degree
        else:
            np.exp(distances.exponents(part), out=K[part])
    if kernel == "rbf" and X is Z:
        np.fill_diagonal(K, 1.0)
    return K


class _Distances:
    """The exponents -gamma ||x - z||^2 of the Gaussian kernel, so exact that the error of an entry is at most `EXACT`.

    ||x||^2 + ||z||^2 - 2 x.z is fast, and its error is at most 2 (d + 5) u (||x||^2 + ||z||^2) with u = 2^-53 (a sum of
    d products, Higham 2002, section 3.1, and the other roundings).  If this bound is too large, the median of the rows
    is subtracted from them, because an outlier does not move it.  If the bound is still too large, each entry that is
    not certainly 0 is computed from x - z.
    """

    def __init__(self, X, Z, gamma):
        self.X, self.Z, self.gamma = X, Z, gamma
        self.bound = gamma * 2 * (_longest(X, Z) + 5) * 2.0**-53
        self.moved = X, Z
        self._measure()
        if self.unsure and len(self.norms[1]) and not (hasattr(X, "tocsr") or hasattr(Z, "tocsr")):
            centre = np.median(Z, axis=0)
            self.moved = X - centre, Z - centre
            self._measure()

    def _measure(self):
        self.norms = [squared_norms(part) for part in self.moved]
        self.unsure = not self.bound * sum(norms.max(initial=0.0) for norms in self.norms) <= EXACT

    def exponents(self, part):
        """Return the exponents of the rows of a slice, shape (rows, m)."""
        X, Z = self.moved
        exponents = _dense(X[part] @ Z.T)
        exponents *= -2.0
        exponents += self.norms[0][part, None]
        exponents += self.norms[1]
        np.maximum(exponents, 0.0, out=exponents)
        exponents *= -self.gamma
        if self.unsure:
            self._make_sure(part, exponents)
        return exponents

    def _make_sure(self, part, exponents):
        """Compute those exponents from x - z that may have a rounding error, unless the kernel is certainly 0."""
        slack = self.bound * (self.norms[0][part, None] + self.norms[1])
        i, j = np.nonzero(~((slack <= EXACT) | (exponents + slack <= np.log(EXACT))))
        at_once = max(1, DIFFERENCES // max(_longest(self.X, self.Z), 1))
        for start in range(0, len(i), at_once):
            few = slice(start, start + at_once)
            differences = (self.X[part][i[few]] - self.Z[j[few]]) * self.gamma**0.5
            exponents[i[few], j[few]] = -squared_norms(differences)


def _longest(*matrices):
    """Return how many terms a product of rows has: d, or the largest number of entries of a row of a CSR matrix."""
    return max(
        int(np.diff(part.indptr).max(initial=0)) if hasattr(part, "indptr") else part.shape[1] for part in matrices
    )


def pair_gram(pairs: Any, others: Any, kernel: str, gamma: float = 1.0, degree: int = 3, coef0: float = 0.0) -> Array:
    """Return the kernel of differences, k(x', z') - k(x', z) - k(x, z') + k(x, z).

    Parameters
    ----------
    pairs : (n, 2 d) array
        Each row is x followed by x'; with ``precomputed`` it is the result itself.
    others : (m, 2 d) array
        Each row is z followed by z'.
    kernel : {"linear", "rbf", "poly", "precomputed"}
        The kernel of single items.
    gamma : float > 0
        Parameter of ``rbf`` and ``poly``.
    degree : int >= 1
        Parameter of ``poly``.
    coef0 : float >= 0
        Parameter of ``poly``.

    Returns
    -------
    (n, m) array

    References
    ----------
    Venuto, Hocking, Spanurattana, Sugiyama, "Support vector comparison machines" (2014), eq. 18.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.kernels import pair_gram
    >>> pairs = np.array([[1.0, 3.0], [2.0, 1.0]])  # the differences are 2 and -1
    >>> pair_gram(pairs, pairs, kernel="linear")
    array([[ 4., -2.],
           [-2., 1.]])
    """
    if kernel == "precomputed":
        return pairs
    d = pairs.shape[1] // 2
    if kernel == "linear":
        return (pairs[:, d:] - pairs[:, :d]) @ (others[:, d:] - others[:, :d]).T
    K = np.empty((len(pairs), len(others)))
    symmetric = pairs is others
    for start in range(0, len(pairs), PAIR_BLOCK):  # by blocks, so that there is no second matrix of this size
        stop, left = min(start + PAIR_BLOCK, len(pairs)), start if symmetric else 0
        x, x2 = pairs[start:stop, :d], pairs[start:stop, d:]
        z, z2 = others[left:, :d], others[left:, d:]
        block = gram(x2, z2, kernel, gamma, degree, coef0)
        block -= gram(x2, z, kernel, gamma, degree, coef0)
        block -= gram(x, z2, kernel, gamma, degree, coef0)
        block += gram(x, z, kernel, gamma, degree, coef0)
        K[start:stop, left:] = block
        if symmetric:
            K[stop:, start:stop] = block[:, stop - start :].T
    return K


def expansion(X: Any, Z: Any, coefficients: Array, kernel: dict[str, Any]) -> Array:
    """Return f(X) for f = sum_i coefficients_i k(z_i, .), one tile at a time, so that the whole matrix is never held.

    Parameters
    ----------
    X : (m, d) array or CSR matrix; kernel values (m, n) for a precomputed kernel
    Z : (n, d) array or CSR matrix; rows without a coefficient are left out
    coefficients : (n,) array, or (n, q) for q functions
    kernel : dict of kernel, gamma, degree, coef0

    Returns
    -------
    (m,) or (m, q) array
    """
    if kernel["kernel"] == "precomputed":
        return X @ coefficients
    X = X.tocsr() if hasattr(X, "tocsr") else X
    used = np.flatnonzero(np.any(np.reshape(coefficients, (len(coefficients), -1)) != 0.0, axis=1))
    Z, coefficients = Z if len(used) == Z.shape[0] else Z[used], coefficients[used]
    scores, rows = np.empty((X.shape[0], *coefficients.shape[1:])), max(1, TILE * TILE * 8 // max(len(used), 1))
    for start in range(0, len(scores), rows):
        part = slice(start, start + rows)
        scores[part] = gram(X[part], Z, **kernel) @ coefficients
    return scores


def check_memory(n, what="the kernel matrix of {n} rows"):
    """Refuse a matrix (n, n) that this process cannot hold, before it is allocated.

    Raises
    ------
    MemoryError
        The message has the size, the limit, and advice.
    """
    needed, limit = 8 * n * n, _memory_limit()
    if needed > limit:
        raise MemoryError(
            f"{what.format(n=f'{n:,}')} takes {needed / 1e9:,.1f} GB, and this process may have {limit / 1e9:,.1f} GB: "
            "fit fewer rows, or fit a linear function of features that approximate the kernel, "
            'make_pipeline(sklearn.kernel_approximation.Nystroem(gamma=..., n_components=1000), ...(kernel="linear"))'
        )


def _memory_limit():
    """Return the bytes that this process may use: the memory of the machine, or the limit of its address space."""
    try:
        import resource  # not on every system

        allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
        installed = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ImportError, ValueError, OSError):
        return np.inf
    return installed if allowed == resource.RLIM_INFINITY else min(installed, allowed)


def squared_norms(X):
    """Return ||x_i||^2 of each row, shape (n,)."""
    squares = X.multiply(X) if hasattr(X, "multiply") else X * X
    return np.asarray(squares.sum(axis=1), dtype=np.float64).ravel()


def _dense(products):
    return products.toarray() if hasattr(products, "toarray") else products


def check_kernel_matrix(K):
    """Refuse a matrix that is no kernel of training rows: one that is not dense, square and symmetric, or that has a
    negative eigenvalue among its first rows.

    Parameters
    ----------
    K : (n, n) array

    Raises
    ------
    ValueError
        If it is such a matrix.
    """
    if hasattr(K, "toarray"):
        raise ValueError('X must be a dense array with kernel="precomputed", got a sparse matrix')
    if K.shape[0] != K.shape[1]:
        raise ValueError(f'X must be a square matrix with kernel="precomputed", got shape {K.shape}')
    largest = max(float(np.abs(K).max()), np.finfo(float).tiny)
    if not np.allclose(K, K.T, rtol=1e-8, atol=1e-10 * max(largest, 1.0)):
        raise ValueError('X must be a symmetric matrix with kernel="precomputed", got K[i, j] != K[j, i]')
    part = K[:MOST_CHECKED, :MOST_CHECKED] / largest
    try:
        np.linalg.cholesky(part + 1e-6 * np.eye(len(part)))
    except np.linalg.LinAlgError:
        least = float(np.linalg.eigvalsh(part).min())
        raise ValueError(
            'X must be a positive semi-definite matrix with kernel="precomputed", got an eigenvalue of '
            f"{least * largest:.3g}: the problem is not convex, and no gap would prove anything"
        ) from None


class KernelSpace:
    """Functions spanned by the training points under a kernel matrix K of shape (n, n)."""

    def __init__(self, K):
        self.K = np.ascontiguousarray(K, dtype=np.float64)
        self.n = len(self.K)
        if not np.isfinite(self.K).all():
            raise ValueError(f"the kernel matrix must be finite, got inf or nan: scale X{SMALLER}")

    def scores(self, beta):
        """Return s = K beta, shape (n,)."""
        return self.K @ beta

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
    kernel : dict of kernel, gamma, degree, coef0
    gram : callable, :func:`gram`, or :func:`pair_gram` if X holds pairs
    """

    def __init__(self, X, kernel, gram=gram):
        self.X, self.kernel, self.gram, self.n = X, kernel, gram, X.shape[0]

    def scores(self, beta):
        """Return s = K beta, shape (n,)."""
        i = np.flatnonzero(beta)
        return self.partial_scores(i, beta[i])

    def diagonal(self):
        """Return k(x_i, x_i), shape (n,)."""
        if self.kernel["kernel"] == "rbf":
            return np.ones(self.n)
        return (self.kernel["gamma"] * squared_norms(self.X) + self.kernel["coef0"]) ** self.kernel["degree"]

    def block(self, i):
        """Return the kernel matrix of the examples i, shape (q, q)."""
        rows = self.X[i]
        return np.ascontiguousarray(self.gram(rows, rows, **self.kernel))

    def partial_scores(self, i, beta):
        """Return sum_i beta_i k(x_i, X), shape (n,)."""
        columns, scores = self.X[i], np.empty(self.n)
        for start in range(0, self.n, TILE):
            scores[start : start + TILE] = self.gram(self.X[start : start + TILE], columns, **self.kernel) @ beta
        return scores


class LinearSpace:
    """Linear functions f(x) = w.x with w = X^T beta; X of shape (n, d), dense or CSR."""

    def __init__(self, X):
        if hasattr(X, "tocsr") and not (X.format == "csr" and X.has_canonical_format):
            X = X.tocsr(copy=True)
            X.sum_duplicates()
        self.X = X
        self.n, self.d = X.shape
        largest = max(float(X.max()), -float(X.min())) if self.n and self.d else 0.0
        with np.errstate(over="ignore", invalid="ignore"):
            if not np.isfinite(np.float64(largest) ** 2 * self.d) and not np.isfinite(squared_norms(X)).all():
                raise ValueError(f"rows of X must have a finite norm, got entries up to {largest:.3g}: scale X")

    @cached_property
    def _csr(self):
        if hasattr(self.X, "tocsr"):
            X = self.X.astype(np.float64)
            return X.indptr.astype(np.int64), X.indices.astype(np.int32), X.data
        indices = np.tile(np.arange(self.d, dtype=np.int32), self.n)
        data = np.ascontiguousarray(self.X, dtype=np.float64).ravel()
        return np.arange(self.n + 1, dtype=np.int64) * self.d, indices, data

    indptr = property(lambda self: self._csr[0], doc="(n + 1,) int64, X as CSR, made when first needed")
    indices = property(lambda self: self._csr[1], doc="(nnz,) int32")
    data = property(lambda self: self._csr[2], doc="(nnz,) float64")

    @cached_property
    def centred(self):
        """X minus the means of its columns, for problems that do not depend on the means."""
        return CentredRows(self.X)

    @cached_property
    def plain(self):
        """X without changes, with the same products as :attr:`centred`."""
        return CentredRows(self.X, centred=False)

    def rows_for(self, problem):
        """Return the products for rows or a loss: those of X minus its means, if the problem does not depend on
        them."""
        return self.plain if problem.sees_means else self.centred

    def weights(self, beta):
        """Return w = X^T beta, shape (d,)."""
        return np.asarray(self.X.T @ beta).ravel()

    def scores(self, beta):
        """Return s = X X^T beta, shape (n,)."""
        return np.asarray(self.X @ self.weights(beta)).ravel()

    def diagonal(self):
        """Return ||x_i||^2, shape (n,)."""
        return squared_norms(self.X)

    def block(self, i):
        """Return the products x_i.x_j of the examples i, shape (q, q)."""
        rows = self.X[i]
        return np.ascontiguousarray(gram(rows, rows, "linear"))

    def partial_scores(self, i, beta):
        """Return sum_i beta_i x_i.X, shape (n,)."""
        return np.asarray(self.X @ np.asarray(self.X[i].T @ beta).ravel()).ravel()


class CentredRows:
    """Products with X minus the means of its columns.

    Differences of scores do not depend on the means, but digits cancel far from 0. Dense X with columns far from 0 is
    copied; otherwise X stays as it is, and the means are subtracted in each product.

    Parameters
    ----------
    X : (n, d) array or CSR matrix
    centred : bool, whether the means are subtracted

    Attributes
    ----------
    centre : (d,) array, which is subtracted from each row
    """

    def __init__(self, X, centred=True):
        self.X, (self.n, self.d) = X, X.shape
        self.centred, self.mean = centred, np.zeros(self.d)
        if centred:
            self.mean = np.asarray(X.mean(axis=0), dtype=np.float64).ravel()
        self.centre = self.mean
        if centred and not hasattr(X, "tocsr") and self._far():
            self.X = X - self.mean
            self.mean = np.zeros(self.d)

    def _far(self):
        few = self.X[:: max(self.n // TILE, 1)]
        return bool(np.any(np.abs(self.mean) > FAR * few.std(axis=0)))

    def times(self, w):
        """Return the scores of w, shape (n,)."""
        return self.X @ w - self.mean @ w

    def transposed(self, r):
        """Return the sum of the rows times r, shape (d,)."""
        return self.X.T @ r - self.mean * r.sum()

    @cached_property
    def variance(self):
        """Return the mean square of each column, shape (d,)."""
        if hasattr(self.X, "tocsr"):
            squares = np.bincount(self.X.indices, self.X.data**2, self.d)
        else:
            squares = np.einsum("ij,ij->j", self.X, self.X)
        return np.maximum(squares / self.n - self.mean**2, 0.0)

    def take(self, rows):
        """Return some of the rows."""
        return CentredRows(self.X[rows], self.centred)

    def dense(self, rows):
        """Return some of the rows, (m, d) array."""
        part = self.X[rows]
        return (part.toarray() if hasattr(part, "toarray") else part) - self.mean


def make_pair_space(pairs, kernel, gamma=1.0, degree=3, coef0=0.0, blocks=False):
    """Return the space of the pairs (n, 2 d); each is an example with the feature vector phi(x') - phi(x).

    ``blocks`` says that the solver needs blocks only: then no matrix is held for more than MOST_HELD pairs.
    """
    parameters = {"kernel": kernel, "gamma": gamma, "degree": degree, "coef0": coef0}
    if kernel == "linear":
        d = pairs.shape[1] // 2
        return LinearSpace(pairs[:, d:] - pairs[:, :d])
    if blocks and kernel != "precomputed" and len(pairs) > MOST_HELD:
        return ColumnSpace(pairs, parameters, pair_gram)
    if kernel == "precomputed":
        check_kernel_matrix(pairs)
    else:
        check_memory(len(pairs), "the kernel matrix of {n} pairs")
    return KernelSpace(pair_gram(pairs, pairs, **parameters))


def make_space(X, kernel, gamma=1.0, degree=3, coef0=0.0):
    """Return the space of the training rows X: LinearSpace for the linear kernel, KernelSpace for all others."""
    if kernel == "linear":
        return LinearSpace(X)
    if kernel == "precomputed":
        check_kernel_matrix(X)
    else:
        check_memory(X.shape[0])
    return KernelSpace(gram(X, X, kernel, gamma, degree, coef0))


def make_block_space(X, kernel, gamma=1.0, degree=3, coef0=0.0):
    """Return the space for a solver that needs blocks only: no matrix is held for more than MOST_HELD examples."""
    if kernel in ("linear", "precomputed") or X.shape[0] <= MOST_HELD:
        return make_space(X, kernel, gamma, degree, coef0)
    return ColumnSpace(X, {"kernel": kernel, "gamma": gamma, "degree": degree, "coef0": coef0})
