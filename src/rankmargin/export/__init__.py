"""Fitted models in the forms of other programs."""
