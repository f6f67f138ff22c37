"""Public names of :mod:`rankmargin.certificates.models`."""

from rankmargin.certificates.models import ComparisonModel, KernelModel, RankSVRModel, ThresholdModel

__all__ = ["ComparisonModel", "KernelModel", "RankSVRModel", "ThresholdModel"]
