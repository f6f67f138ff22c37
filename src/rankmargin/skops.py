"""skops: files of fitted models that are read without running code of the file."""

import rankmargin


def trusted_types() -> list[str]:
    """Return the names of the classes of this package, and scikit-learn's Bunch, that a fitted estimator consists of.

    They hold numbers, texts and arrays, and making one of them runs no code of the file. The list does not depend on a
    file: what a file holds beyond it, such as a kernel of your own, skops refuses until you name it.

    Returns
    -------
    list of str, for the argument ``trusted`` of ``skops.io.load`` and ``skops.io.loads``

    Examples
    --------
    >>> from rankmargin.skops import trusted_types
    >>> "rankmargin.estimators.svor.SVOR" in trusted_types()
    True
    """
    from sklearn.utils import Bunch

    from rankmargin.estimators.pair_columns import PairColumns
    from rankmargin.estimators.sum_of_margins import Constant
    from rankmargin.kernels import Kernel
    from rankmargin.methods.cumulative_link import CumulativeLinkModel
    from rankmargin.methods.ranksvr import RankSVRModel
    from rankmargin.model import ComparisonModel, CrossKernel, KernelModel, ThresholdModel
    from rankmargin.solvers.solution import Solution

    public = [getattr(rankmargin, name) for name in rankmargin.__all__]
    parts = [PairColumns, Constant, Kernel, CumulativeLinkModel, RankSVRModel, ComparisonModel, CrossKernel]
    parts += [KernelModel, ThresholdModel, Solution, Bunch]
    return [f"{one.__module__}.{one.__qualname__}" for one in public if hasattr(one, "get_params")] + [
        f"{one.__module__}.{one.__qualname__}" for one in parts
    ]
