"""The kernel of an estimator, and landmarks: functions spanned by kernels of a few rows, so that a fit of many rows is
one of linear functions.

    f(x) = sum_j a_j k(z_j, x) = w.phi(x),   phi(x) = R^-T k(Z, x),   R^T R = K(Z, Z),   ||f|| = ||w||

This is the Nystroem method (Williams, Seeger, "Using the Nystroem method to speed up kernel machines", 2001), but the
rows ``phi(x)`` are the features of one problem, which is solved and certified as it is.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rankmargin.annotations import Array, Gamma
from rankmargin.annotations import Kernel as KernelName
from rankmargin.problem.kernels import SCALED, Kernel
from rankmargin.problem.products import scores_from_mean, tiles
from rankmargin.problem.spaces import check_features

INDEPENDENT = 1e-8  # of the largest k(z, z): what is left of a landmark beside others, so that it is kept
IN_DOUBLE = 1 << 25  # entries of features up to which they are in double precision
TILE = 1 << 18  # entries computed at a time


@dataclass(frozen=True, eq=False)
class LandmarkKernel(Kernel):
    """A kernel k whose functions are those that landmarks z_j span.

    Parameters
    ----------
    name, gamma, degree, coef0 : as of :class:`rankmargin.kernels.Kernel`
    landmarks : (m, d) array or CSR matrix, no one of which the others span
    basis : (m, m) array, R^-1 for the upper Cholesky factor R of their kernel matrix
    """

    landmarks: Any = None
    basis: Any = None

    @classmethod
    def drawn(cls, kernel: Kernel, X: Any, most: int, seed: int) -> Self:
        """Return the kernel with at most ``most`` of the rows X (n, d) as landmarks, drawn at random; rows that others
        span, such as repeated ones, are left out."""
        from scipy.linalg.lapack import dpstrf, dtrtri  # estimators load it

        if kernel.name == "precomputed":
            raise ValueError(f"landmarks must be None with kernel={kernel.name!r}, got {most}")
        if most > X.shape[0]:
            raise ValueError(f"landmarks must be at most the {X.shape[0]} rows of the fit, got {most}")
        Z = X[np.sort(np.random.default_rng(seed).choice(X.shape[0], most, replace=False))]
        K = kernel.gram(Z, Z)
        root, order, rank, _ = dpstrf(K, tol=INDEPENDENT * float(K.diagonal().max()), lower=0)
        kept, root = order[:rank] - 1, np.triu(root[:rank, :rank])
        return cls(kernel.name, kernel.gamma, kernel.degree, kernel.coef0, Z[kept], dtrtri(root)[0])

    @property
    def has_weights(self) -> bool:
        """True: no row of the fit is kept."""
        return True

    @property
    def exact(self) -> Kernel:
        """The kernel without landmarks."""
        return Kernel(self.name, self.gamma, self.degree, self.coef0)

    def features(self, X: Any) -> Array:
        """Return phi(x) of each row, (n, m), or of both items of pairs (n, 2 d), (n, 2 m); many are in single
        precision.

        Raises
        ------
        MemoryError
            If they take more than a quarter of the memory that this process may have.
        """
        n, sides = X.shape[0], X.shape[1] // self.landmarks.shape[1]
        m = sides * len(self.basis)
        single = n * m > IN_DOUBLE
        check_features(n, m, 4 if single else 8)
        phi = np.empty((n, m), dtype=np.float32 if single else np.float64)
        for part in tiles(n, max(1, TILE // len(self.basis))):
            for side, items in enumerate(self._items(X[part])):
                phi.reshape(n, sides, -1)[part, side] = self.gram(items, self.landmarks) @ self.basis
        return phi

    def coefficients(self, w: Array) -> Array:
        """Return a of f = sum_j a_j k(z_j, .), shape (m,), for weights w of features."""
        return self.basis @ w

    def of_weights(self, X: Any, mean: Any, w: Array, pairs: bool = False) -> Array:
        """Return the scores (m,) of rows minus a mean of features for weights w, or differences of those of pairs."""
        sides = [self.expansion(items, self.landmarks, self.coefficients(w)) for items in self._items(X)]
        return sides[1] - sides[0] if pairs else sides[0] - np.sum(mean * w)

    def _items(self, X):
        """Return rows, or the two items of pairs."""
        d = self.landmarks.shape[1]
        return [X[:, start : start + d] for start in range(0, X.shape[1], d)]


@dataclass(eq=False, repr=False, kw_only=True)
class KernelParameters:
    """The parameters of a kernel; ``gamma`` may follow from the data."""

    kernel: KernelName = "rbf"
    gamma: Gamma = "scale"
    degree: int = 3
    coef0: float = 0.0


def kernel_of(machine: KernelParameters, items: Any, sample_weight: Array | None = None, seed: int = 0) -> Kernel:
    """Return the kernel of an estimator on items (n, d) with weights (n,), with landmarks among them if it has some.

    ``gamma="scale"`` is 1 / (d var(items)), for the Laplacian kernel 1 over d times the mean absolute deviation, and
    for chi2 1 over d times the mean: no kernel changes with the unit of the items.
    """
    gamma = machine.gamma
    if isinstance(gamma, str):
        if gamma != "scale":
            raise ValueError(f'gamma must be a number > 0 or "scale", got {gamma!r}')
        variance = _scale(machine.kernel, items, sample_weight) if machine.kernel in SCALED else 1.0
        if not variance < np.inf or variance == 0.0 < float(items.max()) - float(items.min()):
            raise ValueError(f"X must have a variance in the range of float64, got {variance}: scale X")
        gamma = 1.0 / (items.shape[1] * variance) if variance > 0 else 1.0
    kernel, landmarks = (
        Kernel(machine.kernel, gamma, machine.degree, machine.coef0),
        getattr(machine, "landmarks", None),
    )
    if landmarks is None or kernel.name == "linear":
        return kernel
    return LandmarkKernel.drawn(kernel, items, landmarks, seed)


def _scale(kernel, X, sample_weight=None):
    """Return the variance of all entries of X, their mean absolute deviation or their mean."""
    power = {"laplacian": 1, "chi2": 0}.get(kernel, 2)
    weight = np.ones(X.shape[0]) if sample_weight is None else sample_weight
    with np.errstate(over="ignore", invalid="ignore"):
        if hasattr(X, "multiply"):
            size = weight.sum() * X.shape[1]
            mean, about = float((X.T @ weight).sum()) / size, X.copy()
            about.sum_duplicates()
            zeros = size - float(weight @ np.diff(about.indptr))
            if not power:
                return mean
            about.data = abs(about.data - mean) ** power  # the difference of sums would lose digits far from 0
            return (float((about.T @ weight).sum()) + zeros * abs(mean) ** power) / size
        if sample_weight is None and power == 2:
            return float(X.var())
        mean = np.average(X.mean(axis=1), weights=weight)
        return float(np.average((abs(X - mean) ** power).mean(axis=1), weights=weight) if power else mean)


def scores_of_weights(kernel: Kernel, X: Any, mean: Any, w: Array, pairs: bool = False) -> Array:
    """Return the scores (m,) of rows minus a mean for weights w, or the differences of those of pairs (m, 2 d)."""
    if isinstance(kernel, LandmarkKernel):
        return kernel.of_weights(X, mean, w, pairs)
    return scores_from_mean(X, mean, w, pairs)
