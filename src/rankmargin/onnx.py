"""Public names of :mod:`rankmargin.export.onnx`."""

from rankmargin.export.onnx import register

__all__ = ["register"]
