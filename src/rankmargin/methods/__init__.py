"""Methods: each file translates the problem of its paper into rows, a solver and a space.

``tests/property/library/test_methods_contract.py`` checks that every file here has:

``PATH``
    the name of the hyper-parameter that :func:`fit_path` follows with warm starts, or None.
``fit_path(X, y, values, *, seed=0, groups=None, **params)``
    returns one model for each value of PATH, in the given order.  :func:`rankmargin.path.path_of` makes it of

    ``Parameters``
        a dataclass, the one description of the parameters, and
    ``problem(own, X, y, *, seed=0, groups=None, ...)``
        which poses the problem on data (see :class:`rankmargin.path.Posed`); or, without a path, ``model(own, X, y,
        ...)``, which returns the fitted model.
``INPUT``
    "pairs" if a row of X is a pair, x followed by x', and y in {-1, 0, 1} says which is better; "any" if the method
    does not look at X; otherwise absent.
``ORDINAL``
    True if models predict ranks as well as scores; otherwise absent.

A model has ``scores(X)``, a ``solution`` (None if it has no certificate) and, if it is ordinal, its ``ranks`` and
``labels(X)``.  The methods import numpy and numba only, because a benchmark job then starts in half the time that
importing scikit-learn takes.
"""
