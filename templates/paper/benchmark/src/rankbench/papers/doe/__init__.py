"""Doe: all pairs and five partners."""
