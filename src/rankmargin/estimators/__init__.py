"""scikit-learn faces of the methods: validation, attributes and tags; the mathematics is in
:mod:`rankmargin.methods`."""
