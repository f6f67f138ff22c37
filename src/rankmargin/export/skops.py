"""skops: files of fitted models that are read without running code of the file."""

import rankmargin


def trusted_types() -> list[str]:
    """Return the names of the classes that a fitted estimator may contain: those of this package, Bunch, range, and the
    sparse rows of scipy.

    They hold numbers, texts and arrays, and loading them runs no code from the file. The list is the same for every
    file. If a file contains another class, such as a kernel of your own, skops refuses it until you add its name.

    Returns
    -------
    list of str, for the argument ``trusted`` of ``skops.io.load`` and ``skops.io.loads``

    Examples
    --------
    >>> from rankmargin.skops import trusted_types
    >>> "rankmargin.estimators.svor.SVOR" in trusted_types()
    True
    """
    from scipy.sparse import csr_array, csr_matrix
    from sklearn.utils import Bunch

    from rankmargin.certificates.models import ComparisonModel, CrossKernel, KernelModel, RankSVRModel, ThresholdModel
    from rankmargin.certificates.solution import Solution
    from rankmargin.comparisons.pair_columns import PairColumns
    from rankmargin.metrics.scorers import RankScorer
    from rankmargin.problem.kernels import Kernel
    from rankmargin.problem.landmarks import LandmarkKernel
    from rankmargin.problem.losses import Loss
    from rankmargin.search.inputs import ColumnScaler
    from rankmargin.search.table import TableEncoder
    from rankmargin.solvers.comparison_likelihood import ComparisonLinkModel
    from rankmargin.solvers.likelihood import CumulativeLinkModel

    public = [getattr(rankmargin, name) for name in rankmargin.__all__]
    parts = [PairColumns, Kernel, LandmarkKernel, CumulativeLinkModel, ComparisonLinkModel, RankSVRModel, CrossKernel]
    parts += [ComparisonModel, KernelModel, ThresholdModel, Solution, Bunch, rankmargin.ItemKFold, RankScorer, Loss]
    parts += [ColumnScaler, TableEncoder, range, csr_matrix, csr_array]
    classes = [member for member in public if hasattr(member, "get_params")] + parts
    return [f"{made.__module__}.{made.__qualname__}" for made in classes]
