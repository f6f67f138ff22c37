"""Methods: each file poses the problem of its paper: rows, a kernel, a solver.

``Parameters``
    a dataclass, the one description of the parameters, which the estimator of the method inherits.
``problem(own, X, y, *, seed=0, groups=None, ...)``
    poses the problem on data (see :class:`rankmargin.path.Posed`); without a path, ``model(own, X, y, ...)`` returns
    the fitted model.
``fit_path(X, y, values, ...)``
    returns one model for each value of C without the checks of an estimator; :func:`rankmargin.path.path_of` makes it.

A model has ``scores(X)``, a ``solution`` (None if it has no certificate) and, if it is ordinal, its ``ranks`` and
``labels(X)``.
"""
