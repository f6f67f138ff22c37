"""Oracles: sums over all pairs, or over listed rows, at a vector of scores."""
