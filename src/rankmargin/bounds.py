"""Public names of :mod:`rankmargin.certificates.bounds`."""

from rankmargin.certificates.bounds import margin_bound

__all__ = ["margin_bound"]
