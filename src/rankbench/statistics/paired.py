"""What the paper says of a p value; the tests are those of :mod:`rankmargin.significance`."""

import numpy as np

LEVELS = (0.01, 0.05)


def mark(p):
    """Return the paper's mark of p: ``"0.01"``, ``"0.05"``, ``""`` (not significant) or ``"untested"`` (NaN)."""
    if np.isnan(p):
        return "untested"
    return next((str(level) for level in LEVELS if p < level), "")
