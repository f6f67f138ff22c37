"""Types of arguments, for annotations."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from rankmargin.losses import Loss

Array: TypeAlias = np.ndarray


class Sparse(Protocol):
    """A sparse matrix of scipy, which has no annotations of its own."""

    def tocsr(self) -> Any: ...


MatrixLike: TypeAlias = ArrayLike | Sparse
CScale: TypeAlias = Literal["rows", "pairs"]
ClassWeight: TypeAlias = dict[Any, float] | Literal["balanced"]
Gamma: TypeAlias = float | Literal["scale"]
Kernel: TypeAlias = (
    Literal["linear", "rbf", "poly", "precomputed", "laplacian", "matern12", "matern32", "matern52", "chi2", "cosine"]
    | Callable[[Array, Array], Array]
)
PairLossName: TypeAlias = Literal["hinge", "squared_hinge"] | Loss
PairItems: TypeAlias = tuple[str, str] | tuple[Sequence[Any], Sequence[Any]]
PairLabels: TypeAlias = Literal["auto", "comparison", "score"] | Sequence[Any]
PairWeight: TypeAlias = Callable[[Array, Array], ArrayLike] | Literal["ndcg"] | ArrayLike
Prediction: TypeAlias = Literal["thresholds", "most_probable"]
RandomState: TypeAlias = int | np.random.RandomState | np.random.Generator
AllPairsSolver: TypeAlias = Literal["auto", "smoothed_newton", "dual_cd", "interior_point", "cutting_plane"]
