"""Solvers: one algorithm a file. Each takes rows (or an oracle) and a space, and returns
:class:`~rankmargin.solvers.solution.Solution`."""
