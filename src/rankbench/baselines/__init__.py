"""Baselines of the benchmark, not methods of the library, under the contract of :mod:`rankmargin.methods`."""
