"""Public names of :mod:`rankmargin.problem.losses`."""

from rankmargin.problem.losses import Loss

__all__ = ["Loss"]
