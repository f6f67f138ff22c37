"""Public names of :mod:`rankmargin.solvers.max_margin`."""

from rankmargin.solvers.max_margin import MaxMargin, NotSeparableError, max_margin_lp, max_margin_qp

__all__ = ["MaxMargin", "NotSeparableError", "max_margin_lp", "max_margin_qp"]
