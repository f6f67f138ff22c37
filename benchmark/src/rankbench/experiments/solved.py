"""What a run needs of a method that solves a problem of `rankmargin`: fits along C, and the judge.

Jobs load this module by its name, and only for such methods: the runs of all others stand when a solver is edited.
"""

import inspect

import rankmargin
from rankmargin.certificates import judge
from rankmargin.estimators.base import KernelMachine
from rankmargin.estimators.path import has_path, rank_path

__all__ = ["has_path", "judge", "method_names", "rank_path"]


def method_names():
    """Return the names of the estimators of `rankmargin` that ``uses`` may give without a path, sorted."""
    public = {name: getattr(rankmargin, name) for name in rankmargin.__all__}
    return sorted(name for name, one in public.items() if inspect.isclass(one) and issubclass(one, KernelMachine))
