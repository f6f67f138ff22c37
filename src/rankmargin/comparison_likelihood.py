"""Public names of :mod:`rankmargin.solvers.comparison_likelihood`."""

from rankmargin.solvers.comparison_likelihood import ComparisonLinkModel

__all__ = ["ComparisonLinkModel"]
