"""Types of arguments, for annotations."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from rankmargin.problem.losses import Loss

Array: TypeAlias = np.ndarray

CScale: TypeAlias = Literal["rows", "pairs"]
ClassWeight: TypeAlias = dict[Any, float] | Literal["balanced"]
Gamma: TypeAlias = float | Literal["scale"]
PairItems: TypeAlias = tuple[str, str] | tuple[Sequence[Any], Sequence[Any]]
PairLabels: TypeAlias = Literal["auto", "comparison", "score"] | Sequence[Any]
Prediction: TypeAlias = Literal["thresholds", "most_probable"]
RandomState: TypeAlias = int | np.random.RandomState | np.random.Generator
AllPairsSolver: TypeAlias = Literal["auto", "smoothed_newton", "dual_cd", "interior_point", "cutting_plane"]

if TYPE_CHECKING:
    from numpy.typing import ArrayLike as ArrayLike

    MatrixLike: TypeAlias = ArrayLike | Any  # a sparse matrix of scipy has no annotations
    Stationary: TypeAlias = Literal["rbf", "laplacian", "matern12", "matern32", "matern52"]
    Kernel: TypeAlias = (
        Stationary | Literal["linear", "poly", "precomputed", "chi2", "cosine"] | Callable[[Array, Array], Array]
    )
    PairLossName: TypeAlias = Literal["hinge", "squared_hinge"] | Loss
    PairWeight: TypeAlias = Callable[[Array, Array], ArrayLike] | Literal["ndcg"] | ArrayLike
else:  # help() shows these names, and not the 100 to 400 characters that each stands for
    SHOWN = "ArrayLike", "MatrixLike", "Kernel", "PairLossName", "PairWeight"
    globals().update({name: type(name, (), {"__module__": "builtins"}) for name in SHOWN})
