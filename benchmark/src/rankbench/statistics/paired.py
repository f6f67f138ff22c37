"""What is a tie, and what the paper says of a p value; the tests are those of `rankbench.statistics.significance`."""

import numpy as np

LEVELS = (0.01, 0.05)
DECIMALS = 12  # differences, and means, that are alike up to rounding are ties


def mark(p):
    """Return the paper's mark of p: ``"0.01"``, ``"0.05"``, ``""`` (not significant) or ``"untested"`` (NaN)."""
    if np.isnan(p):
        return "untested"
    return next((str(level) for level in LEVELS if p < level), "")
