"""Products of functions f = sum_i beta_i k(x_i, .) with all rows, which is all that Newton's method knows of a kernel
matrix.

Of linear functions :class:`rankmargin.problem.products.CentredRows` has them, with the same methods; the inner product
of f and g is ``f @ image(g)``.
"""

from functools import cached_property

import numpy as np

from rankmargin.problem.products import PATIENCE, CentredRows

DIRECT = 1000  # up to this number of rows, Newton steps factorise a matrix
DEAR, MOST = 1500, 5000  # C times the weight of a row from which on all steps are sharp; up to this number of rows
FEW, MANY, SHARE = 100, 400, 5  # functions in whose span the Hessian is exact: at first, and at most; rows for each
PER_STEP = 100  # conjugate gradients of a step: PATIENCE, and one more for so many rows
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
    whole : int or None, the number of those rows
    """

    complete = False  # the features are some directions only
    spanned = False  # whether they span all functions, up to rounding
    forcing = 0.3  # a step costs more than with features, and a rougher one does as well

    def __init__(self, space, K, chosen=None, whole=None):
        self.space, self.K, self.chosen, self.whole = space, K, chosen, whole
        self.n = space.n if K is None else len(K)
        self.d = min(self.n, FEW)
        self._span = None
        self.factorised = self.n <= DIRECT  # whether a Newton step factorises an (n, n) matrix
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
        """Return what determines these scores: the scores themselves, or the weights of a linear function."""
        return scores if self.space.linear is None else self.space.linear.weights(f)

    def take(self, rows):
        """Return the products of some rows; not for those of a space."""
        return KernelRows(self.space, self.K[rows].take(rows, axis=1), rows, self.n)

    def carried(self, f):
        """Return the function of a sample as one of the rows from which it was taken."""
        if self.chosen is None:
            return f
        whole = np.zeros(self.whole)
        whole[self.chosen] = f
        return whole

    @property
    def features(self):
        """Scores (n, m) of m orthonormal functions that nearly span the leading eigenvectors of K."""
        return self._leading()[1]

    @property
    def span(self):
        """The products with the features."""
        return CentredRows(self.features, np.zeros(self.features.shape[1]))

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
        from scipy.linalg import get_blas_funcs, get_lapack_funcs  # most jobs do not need it

        invert, condition = get_lapack_funcs(("potri", "pocon"), dtype=self.K.dtype)
        # nrm2 squares nothing that would overflow
        eps, norm = np.finfo(self.K.dtype).eps, float(get_blas_funcs("nrm2", dtype=self.K.dtype)(self.K.ravel()))
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

    def solver(self, loss, slopes, C):
        """Return r -> x that nearly solves x + L K x = r, where L is C times the second derivative of a loss where it
        has these slopes; None if rounding leaves no factors.

        It is the inverse of I + L (K + e I) made self-adjoint: x = r - S K r with the symmetric S = L (J + L)^-1 J,
        where J is :attr:`inverse`. A Cholesky factor of J + L takes an eighth of the time of the product L K and its
        LU factors.
        """
        if self.inverse is None:
            return None
        from scipy.linalg import get_blas_funcs, get_lapack_funcs

        factor, solve = get_lapack_funcs(("potrf", "potrs"), dtype=self.K.dtype)
        product = get_blas_funcs("symv", dtype=self.K.dtype)
        system = self.inverse.copy()
        loss.add_curvature(slopes, C, system)
        found, failed = factor(system.T, overwrite_a=True, clean=False)
        if failed:
            return None

        def nearly_solved(r):
            inner = solve(found, product(1.0, self.inverse.T, self.times(r)))[0]
            return r - C * loss.curvature_times(slopes, inner)[:, 0]

        return nearly_solved

    def _span_or_factorise(self):
        """Choose between two kinds of sharp steps: by features if as many as there may be span all functions, and by a
        factor otherwise."""
        before = self.d, self._span
        self.d, self._span = min(MANY, self.n // SHARE + 1), None
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
