"""Ratings and strengths of items from their games."""
