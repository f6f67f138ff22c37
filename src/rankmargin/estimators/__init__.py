"""The estimators, one a file: the problem of a paper, its parameters, and scikit-learn's interface.

An estimator is a dataclass: its fields are its parameters, and Python makes the ``__init__`` that scikit-learn expects,
which only stores them.  ``_problem`` makes of them and of checked data a :class:`rankmargin.solvers.path.Posed`: rows,
a kernel, and how a solver is chosen.
"""
