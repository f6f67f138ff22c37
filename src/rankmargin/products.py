"""Products of functions with all rows, which is all that Newton's method knows of a kernel matrix or of X.

A *function* is its weights w if it is linear (:class:`CentredRows`), and its coefficients beta, f = sum_i beta_i k(x_i,
.), otherwise (:class:`KernelRows`). Both have the same methods; the inner product of f and g is ``f @ image(g)``.
"""

from functools import cached_property

import numpy as np

from rankmargin.kernels import TILE, squared_norms

FEW_ROWS, DIRECT = 50, 1000  # with more rows than the first, up to the second, Newton steps factorise a matrix
FEWEST, SAMPLED = 5, 2000  # conjugate gradients of a step with features: at least this number
DEAR, MOST = 1500, 5000  # C times the weight of a row from which on all steps are sharp; up to this number of rows
FAR, A_FEW = 1e4, 200  # distance of columns from 0 in standard deviations; rows that show them
FEW, MANY, SHARE = 100, 400, 5  # functions in whose span the Hessian is exact: at first, and at most; rows for each
PATIENCE, PER_STEP = 30, 100  # conjugate gradients of a step: at most this number, and one more for so many rows
LOST = 100  # units of rounding of the largest eigenvalue: smaller ones have no digits
UNSEEN, SINGULAR = 30, 5000  # units of rounding: of the norm of K, added to its diagonal; of 1, for its condition
RAISED = 0.25  # roots of a unit of rounding, of its norm: added to the diagonal of a K with a worse condition
ALL = 800  # up to this number of rows all eigenvectors of K are features, where rounding spoils factors
IN_DOUBLE = 1000  # up to this number of rows nothing is gained by single precision


class KernelRows:
    """Products with the kernel matrix K of training rows, for many of them in single precision: :attr:`exact` are
    those in double precision.

    Parameters
    ----------
    space : KernelSpace or ColumnSpace
        It computes products in double precision.
    K : (n, n) float32 or float64 array, or None to use the products of the space
    chosen : (n,) int array or None
        The places of these rows among the rows from which they were taken.
    of : int or None, the number of those rows
    """

    complete = False  # the features are some directions only
    spanned = False  # whether they span all functions, up to rounding
    forcing = 0.3  # a step costs more than with features, and a rougher one does as well

    def __init__(self, space, K, chosen=None, of=None):
        self.space, self.K, self.chosen, self.of = space, K, chosen, of
        self.n = space.n if K is None else len(K)
        self.d = min(self.n, FEW)
        self._span = None
        self.factorised = FEW_ROWS < self.n <= DIRECT  # whether a Newton step factorises an (n, n) matrix
        self._last = False

    @property
    def exact(self):
        """The same products in double precision."""
        K = self.space.held
        return self if K is not None and self.K is K else KernelRows(self.space, K)

    @property
    def sharp(self):
        """Whether a Newton step is exact but for rounding."""
        return self.factorised or self.spanned

    def priced(self, cost):
        """Return the products for a loss whose weights are ``cost`` together: :meth:`sharpened` if it is dear for the
        number of rows. Other steps stall there."""
        return self.sharpened() if cost >= DEAR * self.n else self

    def sharpened(self):
        """Return products in double precision with :attr:`sharp` steps: by features if as many as there may be span all
        functions (rows of few categories), by a factor otherwise; these if K is not held, or there are no others."""
        if (
            self.sharp
            or self._last
            or not DIRECT < self.n <= MOST
            or self.space.held is None
            or self.chosen is not None
        ):
            return self
        sharp = KernelRows(self.space, self.space.held)
        sharp._span_or_factorise()
        return sharp

    def zero(self):
        """Return f = 0."""
        return np.zeros(self.n)

    def times(self, f):
        """Return the scores K f, shape (n,)."""
        if self.K is None:
            return self.space.scores(f)
        return (self.K @ f.astype(self.K.dtype, copy=False)).astype(np.float64, copy=False)

    def transposed(self, r):
        """Return the function sum_i r_i k(x_i, .)."""
        return r

    def image(self, f, scores=None):
        """Return the vector whose product with g is the inner product of f and g; ``scores`` are those of f."""
        return self.times(f) if scores is None else scores

    def point(self, f, scores):
        """Return what determines these scores: the scores themselves."""
        return scores

    def take(self, rows):
        """Return the products of some rows; not for those of a space."""
        return KernelRows(self.space, self.K[rows].take(rows, axis=1), rows, self.n)

    def carried(self, f):
        """Return the function of a sample as one of the rows from which it was taken."""
        if self.chosen is None:
            return f
        whole = np.zeros(self.of)
        whole[self.chosen] = f
        return whole

    @property
    def features(self):
        """Scores (n, m) of m orthonormal functions that nearly span the leading eigenvectors of K."""
        return self._leading()[1]

    def dense(self, rows):
        """Return the features of some rows, shape (q, m)."""
        return self.features[rows]

    @property
    def patience(self):
        """The most conjugate gradients of a step: those of as many features as there are cost less than a factor."""
        return PATIENCE + (self.n // PER_STEP if self.d > FEW else 0)

    def widened(self):
        """Return whether a step is preconditioned in another way from now on, because it takes too many conjugate
        gradients: by more features, then by factors, and where rounding spoils these, by the features again, or by all
        eigenvectors of K."""
        most = min(MANY, self.n // SHARE)
        if self.factorised and self.n <= ALL:
            self.factorised, self._last, self.spanned, self.d, self._span = False, True, True, self.n, None
            return True
        if self.factorised or self.d >= most:
            self.factorised, self._last = not self.factorised and not self._last, True
            return self.factorised
        self.d, self._span = most, None
        return True

    def lifted(self, solve, r):
        """Return r with its part inside the span of the features replaced by ``solve`` of this part."""
        functions, scores = self._leading()
        inside = scores.T @ r
        return r - functions @ (inside - solve(inside))

    @cached_property
    def inverse(self):
        """The lower triangle of the inverse of K, whose diagonal is raised by what rounding hides; None if rounding
        leaves none, or if a few features span all functions.

        Of a K without an inverse in double precision (equal rows) rounding would make one that is of no use. There the
        diagonal is raised by more, which other matrices do without: with a large C it counts.
        """
        from scipy.linalg import get_lapack_funcs  # most jobs do not need it

        invert, condition = get_lapack_funcs(("potri", "pocon"), dtype=self.K.dtype)
        eps, norm = np.finfo(self.K.dtype).eps, float(np.linalg.norm(self.K))
        found = self._factor(UNSEEN * eps * norm)
        if found is None or condition(found, norm)[0] <= SINGULAR * eps:
            found = None  # it is as large as K
            self._span_or_factorise()
            if self.factorised:
                found = self._factor(RAISED * eps**0.5 * norm)
        return None if found is None else invert(found, overwrite_c=True)[0].T

    def _factor(self, shift):
        """Return the Cholesky factor of K with ``shift`` added to its diagonal; None if rounding leaves none."""
        from scipy.linalg import get_lapack_funcs

        factor = get_lapack_funcs("potrf", dtype=self.K.dtype)
        raised = self.K.copy()
        raised[np.diag_indices_from(raised)] += shift
        found, failed = factor(raised.T, overwrite_a=True, clean=False)  # LAPACK reads columns
        return None if failed or not shift else found

    def solver(self, add, times):
        """Return r -> x that nearly solves x + L K x = r; None if rounding leaves no factors.

        It is the inverse of I + L (K + e I) made self-adjoint: x = r - S K r with the symmetric S = L (J + L)^-1 J,
        where J is :attr:`inverse`. A Cholesky factor of J + L takes an eighth of the time of the product L K and its
        LU factors.

        Parameters
        ----------
        add : function that adds L to the lower triangle of an (n, n) array
        times : function v -> L v
        """
        if self.inverse is None:
            return None
        from scipy.linalg import get_blas_funcs, get_lapack_funcs

        factor, solve = get_lapack_funcs(("potrf", "potrs"), dtype=self.K.dtype)
        product = get_blas_funcs("symv", dtype=self.K.dtype)
        system = self.inverse.copy()
        add(system)
        found, failed = factor(system.T, overwrite_a=True, clean=False)
        if failed:
            return None
        return lambda r: r - times(solve(found, product(1.0, self.inverse.T, self.times(r)))[0])

    def _span_or_factorise(self):
        """Choose between two kinds of sharp steps: by features if as many as there may be span all functions, and by a
        factor otherwise."""
        before = self.d, self._span
        self.d, self._span = min(MANY, self.n // SHARE), None
        self.spanned = self.features.shape[1] < self.d
        self.factorised = not self.spanned
        if self.factorised:
            self.d, self._span = before

    def _leading(self):
        """Return m functions (n, m) with an inner product of 1 with themselves and 0 with each other, and their
        scores."""
        if self._span is None:
            K = self.space.single() if self.K is None else self.K
            start = np.random.default_rng(0).standard_normal((self.n, self.d)).astype(K.dtype)
            basis = np.linalg.qr(K @ start)[0]
            images = K @ basis
            values, vectors = np.linalg.eigh((basis.T @ images).astype(np.float64))
            good = values > LOST * np.finfo(K.dtype).eps * max(values[-1], 0.0)
            turn = vectors[:, good] / np.sqrt(values[good])
            self._span = basis.astype(np.float64) @ turn, images.astype(np.float64) @ turn
        return self._span


class CentredRows:
    """Products with X minus a mean of its columns, which is 0 if a problem sees the means.

    Differences of scores do not depend on the means, but digits cancel far from 0. Dense X with columns far from 0 is
    copied, and of CSR matrices the data of such columns; otherwise X stays as it is, and the mean is subtracted in each
    product.

    Parameters
    ----------
    X : (n, d) array or CSR matrix
    mean : (d,) array
    """

    def __init__(self, X, mean):
        self.X, self.mean, (self.n, self.d) = X, mean, X.shape
        if self._far():
            self.X, self.mean = minus_mean(X, mean)
        self._columns = self.X.T  # of a CSR matrix it takes as long as a product with few rows

    @cached_property
    def patience(self):
        """The most conjugate gradients of a step: those that take the time of the Hessian of SAMPLED rows."""
        hessian = min(self.n, SAMPLED) * self.d**2 + self.d**3
        return FEWEST + min(hessian // (8 * (self.X.size + 50 * self.n)), PATIENCE)

    def priced(self, cost):
        """Return the products for a loss whose weights are ``cost`` together: these."""
        return self

    def sharpened(self):
        """Return products with sharper steps: these."""
        return self

    def _far(self):
        """Return whether a column is far from 0 beside its deviation; of a CSR matrix only full columns can be."""
        if not self.mean.any():
            return False
        few, mean = self.X[:: max(self.n // A_FEW, 1)], self.mean
        if hasattr(few, "tocsr"):
            full = np.bincount(self.X.indices, minlength=self.d) == self.n
            few, mean = few[:, full].toarray(), mean[full]
        return bool(np.any(np.abs(mean) > FAR * few.std(axis=0)))

    complete = True  # the features are X itself
    factorised = sharp = False  # Newton steps need no (n, n) matrix
    forcing = 0.1  # share of the residual that the steps of conjugate gradients leave
    exact = property(lambda self: self, doc="The same products in double precision: these.")
    features = property(lambda self: self.X, doc="X")

    def zero(self):
        """Return w = 0."""
        return np.zeros(self.d)

    def times(self, w):
        """Return the scores of w, shape (n,)."""
        return self.X @ w - self.mean @ w

    def image(self, w, scores=None):
        """Return the vector whose product with v is the inner product of w and v: w."""
        return w

    def point(self, w, scores):
        """Return what determines these scores: w."""
        return w

    def carried(self, w):
        """Return the function of a sample as one of the rows from which it was taken: w."""
        return w

    def widened(self):
        """Return whether there are more features from now on."""
        return False

    def lifted(self, solve, r):
        """Return ``solve`` of r."""
        return solve(r)

    def transposed(self, r):
        """Return the sum of the rows times r, shape (d,)."""
        return self._columns @ r - self.mean * r.sum()

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
        return CentredRows(self.X[rows], self.mean)

    def dense(self, rows):
        """Return some of the rows, (m, d) array."""
        part = self.X[rows]
        return (part.toarray() if hasattr(part, "toarray") else part) - self.mean

    def gram(self, rows):
        """Return the products of some rows with each other, (q, q) array."""
        part = self.X[rows]
        if not hasattr(part, "tocsr"):
            part = part - self.mean
            return part @ part.T
        shift = part @ self.mean
        return (part @ part.T).toarray() - shift[:, None] - shift + self.mean @ self.mean

    @cached_property
    def squared_norms(self):
        """The product of each row with itself, shape (n,)."""
        if not hasattr(self.X, "tocsr"):
            return np.concatenate([squared_norms(self.dense(part)) for part in tiles(self.n)])
        return np.maximum(squared_norms(self.X) - 2.0 * (self.X @ self.mean) + self.mean @ self.mean, 0.0)


def tiles(n):
    """Yield the slices of n rows of which one part after the other is copied."""
    return (slice(start, start + TILE) for start in range(0, max(n, 1), TILE))


def minus_mean(X, mean):
    """Return rows Y and what is left of a mean, m, so that X - mean = Y - m: nothing for an array. Of a CSR matrix
    columns with an entry in each row are shifted; the others hold zeros, so they are not far from 0."""
    if not hasattr(X, "tocsr"):
        return X - mean, np.zeros_like(mean)
    full = (mean != 0.0) & (np.bincount(X.indices, minlength=X.shape[1]) == X.shape[0])
    if not full.any():
        return X, mean
    shift = np.where(full, mean, 0.0)
    data = X.data - shift[X.indices]
    return type(X)((data, X.indices, X.indptr), shape=X.shape), mean - shift


def scores_from_mean(X, mean, w):
    """Return (X - mean) w for rows X (m, d), array or CSR matrix: an offset of a column costs no digits of w."""
    if not np.any(mean):
        return np.asarray(X @ w).ravel()
    if hasattr(X, "tocsr"):
        rows, rest = minus_mean(X, mean)
        return np.asarray(rows @ w).ravel() - rest @ w
    return np.concatenate([(X[part] - mean) @ w for part in tiles(X.shape[0])])
