"""scikit-learn faces of the methods: validation, attributes and tags; the mathematics is in
:mod:`rankmargin.methods`.

An estimator is a dataclass: its fields are its parameters, and Python makes the ``__init__`` that scikit-learn expects,
which only stores them.
"""
