"""skops: files of fitted models that are read without running code of the file."""

from importlib import import_module

import rankmargin

PARTS = (  # modules whose classes estimators contain
    *("certificates.models", "comparisons.pair_columns", "metrics.scorers", "problem.kernels"),
    *(
        "oracles.objective",
        "problem.landmarks",
        "problem.losses",
        "search.inputs",
        "search.table",
        "solvers.comparison_likelihood",
    ),
    "solvers.likelihood",
)


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

    members = [member for name in PARTS for member in vars(import_module(f"rankmargin.{name}")).values()]
    public = [member for name in rankmargin.__all__ if hasattr(member := getattr(rankmargin, name), "get_params")]
    parts = [member for member in members if isinstance(member, type) and member.__module__.startswith("rankmargin.")]
    classes = dict.fromkeys([*public, *parts, rankmargin.ItemKFold, Bunch, range, csr_matrix, csr_array])
    return [f"{made.__module__}.{made.__qualname__}" for made in classes]
