"""Public names of :mod:`rankmargin.problem.kernels`."""

from rankmargin.problem.kernels import Kernel

__all__ = ["Kernel"]
