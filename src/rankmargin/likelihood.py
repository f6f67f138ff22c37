"""Public names of :mod:`rankmargin.solvers.likelihood`."""

from rankmargin.solvers.likelihood import CumulativeLinkModel

__all__ = ["CumulativeLinkModel"]
