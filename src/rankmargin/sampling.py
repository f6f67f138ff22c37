"""Public names of :mod:`rankmargin.estimators.pair_sampling`."""

from rankmargin.estimators.pair_sampling import close_pair, draws_needed, p_close_pair, random, sample_mst

__all__ = ["close_pair", "draws_needed", "p_close_pair", "random", "sample_mst"]
