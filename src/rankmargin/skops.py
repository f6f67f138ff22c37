"""Public names of :mod:`rankmargin.export.skops`."""

from rankmargin.export.skops import trusted_types

__all__ = ["trusted_types"]
