"""Baselines of the benchmark, not estimators of the library; experiments name them by their dotted paths."""
