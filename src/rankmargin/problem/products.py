"""Products of linear functions with all rows, X w and X^T r: dense and sparse X, single and double precision, rows and
pairs differ here and nowhere else.

A *function* is its weights w. :class:`rankmargin.problem.kernel_rows.KernelRows` has the same methods for coefficients
beta, f = sum_i beta_i k(x_i, .); the inner product of f and g is ``f @ image(g)``.
"""

from functools import cached_property

import numpy as np

from rankmargin.problem.kernels import TILE, squared_norms

FEWEST, SAMPLED = 5, 2000  # conjugate gradients of a step with features: at least this number
PATIENCE = 30  # conjugate gradients of a step: at most this number
FAR, A_FEW = 1e4, 200  # distance of columns from 0 in standard deviations; rows that show them
# entries of an array that are read at a time, once, and twice from the cache; from 4 MB on numpy asks for huge pages,
# and to clear them takes ten times as long as to read them
READ, CACHED = 1 << 18, 1 << 17
RIDGES = (0.0, 1e-14, 1e-12, 1e-10, 1e-6, 1.0)


class CentredRows:
    """Products with X minus a mean of its columns, which is 0 if a problem sees the means; or with the differences of
    pairs, which are never copied. Arrays of single precision are converted one tile after the other.

    Differences of scores do not depend on the means, but digits cancel far from 0. Arrays with columns far from 0 are
    read through :meth:`dense`, and of CSR matrices the data of such columns are copied; otherwise X stays as it is, and
    the mean is subtracted in each product.

    Parameters
    ----------
    X : (n, d) array or CSR matrix; (n, 2 d) array of pairs, x followed by x'
    mean : (d,) array
    pairs : bool
    far : bool, whether a column is far from 0; None to find out
    """

    def __init__(self, X, mean, pairs=False, far=None):
        self.X, self.mean, self.pairs, self.n, self.d = X, mean, pairs, X.shape[0], len(mean)
        self.centre, self.sparse = mean, hasattr(X, "tocsr")
        far = self._far() if far is None else far
        if self.sparse and far:
            self.X, self.mean = minus_mean(X, mean)
        self._exact = far and not self.sparse  # the mean is subtracted, and the items of a pair, before a product
        self._rest = np.zeros_like(mean) if self._exact else self.mean
        self._whole = self.sparse or (X.dtype == np.float64 and not self._exact)
        self._columns = self.X.T  # of a CSR matrix it takes as long as a product with few rows

    @cached_property
    def patience(self):
        """The most conjugate gradients of a step: those that take the time of the Hessian of SAMPLED rows."""
        hessian = min(self.n, SAMPLED) * self.d**2 + self.d**3
        return FEWEST + min(hessian // (8 * (self.X.size + 50 * self.n)), PATIENCE)

    def priced(self, cost=0.0):
        """Return the products for a loss whose weights are ``cost`` together, and those with sharper steps: these."""
        return self

    sharpened = priced

    def _far(self):
        """Return whether a column is far from 0 beside its deviation; of a CSR matrix only full columns can be."""
        few, mean = self.X[:: max(self.n // A_FEW, 1)], self.mean
        if self.pairs:
            few = few.astype(np.float64)
            first, second = np.hsplit(few, 2)
            return bool(np.any(np.abs(few).max(axis=0) > FAR * np.tile((second - first).std(axis=0), 2)))
        if not mean.any():
            return False
        if self.sparse:
            full = np.bincount(self.X.indices, minlength=self.d) == self.n
            few, mean = few[:, full].toarray(), mean[full]
        return bool(np.any(np.abs(mean) > FAR * few.std(axis=0, dtype=np.float64)))

    complete = True  # the features are X itself
    factorised = sharp = False  # Newton steps need no (n, n) matrix
    forcing = 0.1  # share of the residual that the steps of conjugate gradients leave
    exact = property(lambda self: self, doc="The same products in double precision: these.")
    span = property(lambda self: self, doc="The products with the features: these.")

    def zero(self):
        """Return w = 0."""
        return np.zeros(self.d)

    def times(self, w):
        """Return the scores of w, shape (n,)."""
        of_columns = self._spread(w)
        if self._whole:
            return self.X @ of_columns - self._rest @ w
        return np.concatenate([self._read(part) @ of_columns for part in self._parts(READ)]) - self._rest @ w

    def transposed(self, r):
        """Return the sum of the rows times r, shape (d,), or (d, c) for r (n, c)."""
        found = self._columns @ r if self._whole else sum(self._read(part).T @ r[part] for part in self._parts(READ))
        return self._gathered(found, r.sum(axis=0))

    def through(self, w, of_scores):
        """Return the sum of the rows times r, as :meth:`transposed`, where r = ``of_scores(part, s)`` for some of the
        rows with the scores s of w: an array is read once."""
        if self.sparse:
            return self.transposed(of_scores(slice(None), self.times(w)))
        found, total, of_columns, shift = 0.0, 0.0, self._spread(w), self._rest @ w
        for part in self._parts(CACHED):
            rows = self._read(part)
            r = of_scores(part, rows @ of_columns - shift)
            found, total = found + rows.T @ r, total + r.sum(axis=0)
        return self._gathered(found, total)

    def _parts(self, entries):
        return tiles(self.n, max(entries // self.X.shape[1], 1))

    def _read(self, part):
        """Return some of the rows in double precision, for products with weights :meth:`_spread`."""
        return self.dense(part) if self._exact else self.X[part].astype(np.float64, copy=False)

    def _spread(self, w):
        return np.concatenate([-w, w]) if self.pairs and not self._exact else w

    def _gathered(self, found, total):
        """Return the sum of the rows (d, ...) from that of what was read, and the sum of its factors."""
        found = found[self.d :] - found[: self.d] if self.pairs and not self._exact else found
        return found - np.multiply.outer(self._rest, total)

    def image(self, w, scores=None):
        """Return w. It is also the vector whose product with v is the inner product of w and v, what determines its
        scores, and of a sample the function of the rows from which this was taken."""
        return w

    point = carried = image

    def widened(self):
        """Return whether there are more features from now on."""
        return False

    def lifted(self, solve, r):
        """Return ``solve`` of r."""
        return solve(r)

    @cached_property
    def variance(self):
        """Return the mean square of each column, shape (d,)."""
        if not self.sparse:
            return sum(np.einsum("ij,ij->j", rows, rows) for rows in map(self.dense, self._parts(CACHED))) / self.n
        of_entries = np.bincount(self.X.indices, (self.X.data - self.mean[self.X.indices]) ** 2, self.d)
        zeros = self.n - np.bincount(self.X.indices, minlength=self.d)
        return (of_entries + zeros * self.mean**2) / self.n

    def take(self, rows):
        """Return some of the rows."""
        return CentredRows(self.X[rows], self.mean, self.pairs)

    def dense(self, rows):
        """Return some of the rows, (m, d) array."""
        part = self.X[rows]
        part = part.toarray() if self.sparse else part
        if self.pairs:
            part = part.astype(np.float64, copy=False)
            part = part[:, self.d :] - part[:, : self.d]
        return part - self.mean

    def difference(self, i, j):
        """Return the differences of rows i and j, (m, d) array or CSR matrix."""
        return self.X[i] - self.X[j] if self.sparse else self.dense(i) - self.dense(j)

    def weighted(self, weight):
        """Return the sum of the products of each row with itself times its weight >= 0, (d, d)."""
        used = np.flatnonzero(weight)
        if self.sparse:
            pull, total = self._columns @ weight, weight.sum()
            products = weighted_products(self.X[used], weight[used])
            return products - np.outer(pull, self.mean) - np.outer(self.mean, pull - total * self.mean)
        parts = (used[start : start + TILE] for start in range(0, max(len(used), 1), TILE))
        return sum(weighted_products(self.dense(part), weight[part]) for part in parts)

    def gram(self, rows):
        """Return the products of some rows with each other, (q, q) array."""
        if not self.sparse:
            part = self.dense(rows)
            return part @ part.T
        part = self.X[rows]
        shift = part @ self.mean
        return (part @ part.T).toarray() - shift[:, None] - shift + self.mean @ self.mean

    @cached_property
    def squared_norms(self):
        """The product of each row with itself, shape (n,)."""
        if not self.sparse:
            return np.concatenate([squared_norms(self.dense(part)) for part in tiles(self.n)])
        return np.maximum(squared_norms(self.X) - 2.0 * (self.X @ self.mean) + self.mean @ self.mean, 0.0)


def weighted_products(X, weight):
    """Return X^T diag(weight) X, (d, d), for a dense or a CSR X."""
    root = np.sqrt(weight)[:, None]
    if hasattr(X, "tocsr"):
        X = X.multiply(root).tocsr()
        return (X.T @ X).toarray()
    X = X * root
    return X.T @ X


def column_means(X, weight=None):
    """Return the weighted mean of each column in double precision, shape (d,)."""
    weight = np.ones(X.shape[0]) if weight is None else weight
    return CentredRows(X, np.zeros(X.shape[1])).transposed(weight) / weight.sum()


def inverse_of(H, ridge=0.0):
    """Return r -> H^-1 r, nearly, and a number below the least eigenvalue of H with its diagonal scaled to 1: 0 if it
    is not positive definite in spite of rounding."""
    from scipy.linalg import get_lapack_funcs  # estimators load it

    factor, solve, condition = get_lapack_funcs(("potrf", "potrs", "pocon"), dtype=np.float64)
    if not len(H):  # rows of zeros span no function
        return np.copy, 1.0
    sizes = np.diag(H)
    root = 1.0 / np.sqrt(np.where(sizes > 0.0, sizes, max(sizes.max(), 1.0)))  # rounding may leave one below 0
    H = 0.5 * (H + H.T) * root * root[:, None]
    norm = float(np.abs(H).sum(axis=0).max())
    for more in RIDGES:  # rounding may leave a matrix that is not positive definite
        raised = H + max(ridge, more) * np.eye(len(H))
        found, failed = factor(raised.T, overwrite_a=True, clean=False)  # LAPACK reads columns
        if not failed:
            break
    else:
        return lambda r: root * root * r, 0.0
    least = 0.0 if more else norm * float(condition(found, norm)[0])
    return lambda r: root * solve(found, root * r)[0], least


def tiles(n, size=TILE):
    """Yield the slices of n rows of which one part after the other is copied."""
    return (slice(start, start + size) for start in range(0, max(n, 1), size))


def minus_mean(X, mean):
    """Return a CSR matrix Y and what is left of a mean, m, so that X - mean = Y - m: columns with an entry in each row
    are shifted; the others hold zeros, so they are not far from 0."""
    full = (mean != 0.0) & (np.bincount(X.indices, minlength=X.shape[1]) == X.shape[0])
    if not full.any():
        return X, mean
    shift = np.where(full, mean, 0.0)
    data = X.data - shift[X.indices]
    return type(X)((data, X.indices, X.indptr), shape=X.shape), mean - shift


def scores_from_mean(X, mean, w, pairs=False):
    """Return (X - mean) w for rows X (m, d), array or CSR matrix, or for pairs (m, 2 d): an offset of a column costs no
    digits of w."""
    return CentredRows(X, mean + np.zeros_like(w), pairs, far=pairs or bool(np.any(mean))).times(w)
