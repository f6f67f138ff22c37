"""Kernels: the values k(x, z) of a kernel, and functions f = sum_i beta_i k(z_i, .)."""

import numbers
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankmargin.annotations import Array
from rankmargin.problem.kernel_functions import FUNCTIONS

KERNELS = ("linear", "rbf", "poly", "precomputed", *FUNCTIONS)
SCALED = ("rbf", "poly", *(name for name in FUNCTIONS if name != "cosine"))  # those with a gamma
TILE = 1024  # rows of a product that are computed at a time
TILE_SIZE = 1 << 16  # entries computed at a time, so that they stay in the cache
PAIR_BLOCK = 256
EXACT = 1e-10  # largest error of an entry of a Gaussian kernel
DIFFERENCES = 1 << 20  # numbers held at a time when entries are computed from differences
SMALLER = ", or choose a smaller gamma or degree"


@dataclass(frozen=True)
class Kernel:
    """A kernel k(x, z) between items.

    ``linear`` is x.z, ``rbf`` exp(-gamma ||x - z||^2), ``poly`` (gamma x.z + coef0)^degree, and ``precomputed`` means
    that matrices of kernel values are given in place of items. ``rankmargin.problem.kernel_functions`` has the others.

    Parameters
    ----------
    name : str or callable
        The kernel, one of ``KERNELS``. A callable takes rows (n, d) and (m, d) and returns their kernel values
        (n, m), as the kernels of ``sklearn.gaussian_process.kernels`` do.
    gamma : float > 0
        Parameter of all but ``linear``, ``cosine``, ``precomputed`` and a callable.
    degree : int >= 1
        Parameter of ``poly``.
    coef0 : float >= 0
        Parameter of ``poly``.

    Raises
    ------
    ValueError
        If a parameter is outside its range.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.kernels import Kernel
    >>> Kernel("rbf", gamma=1.0).gram(np.array([[0.0], [1.0]]), np.array([[1.0]])).round(3)
    array([[0.368],
           [1.   ]])
    """

    name: Any = "rbf"
    gamma: float = 1.0
    degree: int = 3
    coef0: float = 0.0

    def __post_init__(self) -> None:
        if not callable(self.name) and not (isinstance(self.name, str) and self.name in KERNELS):
            raise ValueError(f"kernel must be a callable or one of {', '.join(KERNELS)}, got {self.name!r}")
        for name in ("gamma", "degree", "coef0"):
            value = getattr(self, name)
            if not isinstance(value, numbers.Real) or value != value:
                raise ValueError(f"{name} must be a number, got {value!r}")
            if not isinstance(value, (numbers.Integral, float)):  # numpy would compute in the precision of the value
                object.__setattr__(self, name, float(value))
        if self.name in SCALED and not self.gamma > 0:
            raise ValueError(f"gamma must be > 0, got {self.gamma!r}")
        if self.name == "poly" and not (1 <= self.degree < np.inf and self.degree == int(self.degree)):
            raise ValueError(f"degree must be an integer >= 1, got {self.degree!r}")
        if self.name == "poly" and self.coef0 < 0:
            raise ValueError(f"coef0 must be >= 0 for a positive semi-definite kernel, got {self.coef0!r}")

    @property
    def has_weights(self) -> bool:
        """Whether a function is known by weights of features, so that no row of the fit is kept."""
        return self.name == "linear"

    @property
    def keeps_rows(self) -> bool:
        """Whether a function is known by rows of the fit: neither by weights nor by a given matrix."""
        return not self.has_weights and self.name != "precomputed"

    def features(self, X: Any) -> Any:
        """Return what functions have weights for: for ``linear`` the rows themselves."""
        return X

    def gram(self, X: Any, Z: Any) -> Array:
        """Return the matrix of kernel values k(x_i, z_j), or X itself if it is precomputed.

        The error of an entry of ``rbf`` is at most 1e-10, wherever the rows lie.

        Parameters
        ----------
        X : (n, d) array or CSR matrix
            Rows.
        Z : (m, d) array or CSR matrix
            Columns.

        Returns
        -------
        (n, m) array

        Raises
        ------
        ValueError
            If a value is too large for a float64.
        """
        if self.name == "precomputed":
            return X
        with np.errstate(over="ignore", invalid="ignore"):
            K = _dense(X @ Z.T) if self.name == "linear" else self._tiled(X, Z)
        if not np.isfinite(K).all():
            largest = max(float(abs(part).max()) for part in (X, Z))
            came = f"got inf or nan for X up to {largest:.3g}"
            raise ValueError(f"the {self.name} kernel must be finite, {came}: scale X{SMALLER}")
        return K

    def _tiled(self, X, Z):
        """Return the matrix (n, m) of a kernel that is not linear, computed a few rows at a time."""
        distances = _Distances(X, Z, self.gamma) if self.name == "rbf" else None
        K = np.empty((X.shape[0], Z.shape[0]))
        rows = max(1, TILE_SIZE // max(Z.shape[0], 1))
        for start in range(0, len(K), rows):
            part = slice(start, start + rows)
            if self.name == "poly":
                K[part] = (self.gamma * _dense(X[part] @ Z.T) + self.coef0) ** self.degree
            elif self.name == "rbf":
                np.exp(distances.exponents(part), out=K[part])
            else:
                K[part] = self._values(X[part], Z)
        if self.name == "rbf" and X is Z:
            np.fill_diagonal(K, 1.0)
        return K

    def _values(self, X, Z):
        """Return the values (n, m) of a callable, or of one of ``FUNCTIONS``."""
        if not callable(self.name):
            return FUNCTIONS[self.name](X, Z, self.gamma)
        values = np.asarray(self.name(X, Z), dtype=np.float64)
        if values.shape != (X.shape[0], Z.shape[0]):
            wanted = f"an array of shape {(X.shape[0], Z.shape[0])}"
            raise ValueError(f"kernel={self.name!r} must return {wanted}, got {values.shape}")
        return values

    def diagonal(self, X: Any) -> Array:
        """Return k(x_i, x_i) of each row of X, shape (n,); not for ``precomputed``."""
        if self.name == "rbf":
            return np.ones(X.shape[0])
        if self.name not in ("linear", "poly"):
            rows = (X[i : i + 1] for i in range(X.shape[0]))
            return np.array([self._values(row, row)[0, 0] for row in rows])
        norms = squared_norms(X)
        return norms if self.name == "linear" else (self.gamma * norms + self.coef0) ** self.degree

    def rounding(self, X: Any) -> float:
        """Return a bound on the rounding error of k(x_i, x_j) for the rows of X; not for ``precomputed``.

        With u = 2^-53, a product of d terms is off by at most d u ||x_i|| ||x_j||, and each power adds as much again.
        """
        u, terms = 2.0**-53, _longest(X) + 4
        with np.errstate(over="ignore"):
            largest = squared_norms(X).max(initial=0.0) * (1.0 if self.name == "linear" else self.gamma)
            if self.name == "rbf":
                return float(min(EXACT, 4 * terms * u * largest) + 2 * u)
            if self.name not in ("linear", "poly"):
                return float(8 * terms * u * self.diagonal(X).max(initial=0.0))
            if self.name == "poly":
                largest = self.degree * (largest + self.coef0) ** self.degree
            return float(terms * u * largest)

    def pair_gram(self, pairs: Any, others: Any) -> Array:
        """Return the kernel of differences, k(x', z') - k(x', z) - k(x, z') + k(x, z).

        Parameters
        ----------
        pairs : (n, 2 d) array
            Each row is x followed by x'; with ``precomputed`` it is the result itself.
        others : (m, 2 d) array
            Each row is z followed by z'.

        Returns
        -------
        (n, m) array

        References
        ----------
        Venuto, Hocking, Spanurattana, Sugiyama, "Support vector comparison machines" (2014), eq. 18.

        Examples
        --------
        >>> import numpy as np
        >>> from rankmargin.kernels import Kernel
        >>> pairs = np.array([[1.0, 3.0], [2.0, 1.0]])  # the differences are 2 and -1
        >>> Kernel("linear").pair_gram(pairs, pairs)
        array([[ 4., -2.],
               [-2.,  1.]])
        """
        if self.name == "precomputed":
            return pairs
        d = pairs.shape[1] // 2
        if self.name == "linear":
            return (pairs[:, d:] - pairs[:, :d]) @ (others[:, d:] - others[:, :d]).T
        K = np.empty((len(pairs), len(others)))
        symmetric = pairs is others
        for start in range(0, len(pairs), PAIR_BLOCK):  # by blocks, so that there is no second matrix of this size
            stop, left = min(start + PAIR_BLOCK, len(pairs)), start if symmetric else 0
            x, x2 = pairs[start:stop, :d], pairs[start:stop, d:]
            z, z2 = others[left:, :d], others[left:, d:]
            block = self.gram(x2, z2)
            block -= self.gram(x2, z)
            block -= self.gram(x, z2)
            block += self.gram(x, z)
            K[start:stop, left:] = block
            if symmetric:
                K[stop:, start:stop] = block[:, stop - start :].T
        return K

    def expansion(self, X: Any, Z: Any, coefficients: Array) -> Array:
        """Return f(X) for f = sum_i coefficients_i k(z_i, .), one tile at a time, so that the whole matrix is never
        held.

        Parameters
        ----------
        X : (m, d) array or CSR matrix; kernel values (m, n) if they are precomputed
        Z : (n, d) array or CSR matrix; rows without a coefficient are left out
        coefficients : (n,) array, or (n, q) for q functions

        Returns
        -------
        (m,) or (m, q) array
        """
        if self.name == "precomputed":
            return X @ coefficients
        X = X.tocsr() if hasattr(X, "tocsr") else X
        used = np.flatnonzero(coefficients if coefficients.ndim == 1 else np.any(coefficients != 0.0, axis=1))
        if not len(used):
            return np.zeros((X.shape[0], *coefficients.shape[1:]))
        Z, coefficients = Z if len(used) == Z.shape[0] else Z[used], coefficients[used]
        scores, rows = np.empty((X.shape[0], *coefficients.shape[1:])), max(1, TILE * TILE * 8 // max(len(used), 1))
        for start in range(0, len(scores), rows):
            part = slice(start, start + rows)
            scores[part] = self.gram(X[part], Z) @ coefficients
        return scores


class _Distances:
    """The exponents -gamma ||x - z||^2 of the Gaussian kernel, so exact that the error of an entry is at most `EXACT`.

    ||x||^2 + ||z||^2 - 2 x.z is fast, and its error is at most 2 (d + 5) u (||x||^2 + ||z||^2) with u = 2^-53 (a sum of
    d products, Higham 2002, section 3.1, and the other roundings).  If this bound is too large, the median of the rows
    is subtracted from them, because an outlier does not move it.  If the bound is still too large, each entry that is
    not certainly 0 is computed from x - z.
    """

    def __init__(self, X, Z, gamma):
        self.X, self.Z, self.gamma = X, Z, gamma
        self.bound = gamma * 2 * (max(_longest(X), _longest(Z)) + 5) * 2.0**-53
        self.moved, self.unsure = (X, Z), True
        for centred in (False, True):
            if centred and (not Z.shape[0] or hasattr(X, "tocsr") or hasattr(Z, "tocsr")):
                break
            if centred:
                centre = np.median(Z, axis=0)
                self.moved = X - centre, Z - centre
            self.norms = squared_norms(self.moved[0]), squared_norms(self.moved[1])
            self.unsure = not self.bound * (self.norms[0].max(initial=0.0) + self.norms[1].max(initial=0.0)) <= EXACT
            if not self.unsure:
                break

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
        at_once = max(1, DIFFERENCES // max(_longest(self.X), _longest(self.Z), 1))
        for start in range(0, len(i), at_once):
            few = slice(start, start + at_once)
            differences = (self.X[part][i[few]] - self.Z[j[few]]) * self.gamma**0.5
            exponents[i[few], j[few]] = -squared_norms(differences)


def _longest(X):
    """Return how many terms a product of rows has: d, or the largest number of entries of a row of a CSR matrix."""
    return int(np.diff(X.indptr).max(initial=0)) if hasattr(X, "indptr") else X.shape[1]


def squared_norms(X):
    """Return ||x_i||^2 of each row, shape (n,)."""
    squares = X.multiply(X) if hasattr(X, "multiply") else X * X
    return np.asarray(squares.sum(axis=1), dtype=np.float64).ravel()


def _dense(products):
    return products.toarray() if hasattr(products, "toarray") else products
