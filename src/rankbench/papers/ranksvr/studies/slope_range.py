"""Example 3 of Yu et al.: one point and one ordered pair at distance d leave a range of slopes (claim R23)."""

import pandas as pd
from scipy.optimize import linprog

COLUMNS = ("margin", "distance", "lowest", "highest", "width")


def run(data, experiment, *, distances, margins, largest_slope):
    """Find the least and greatest a of f(x) = a x + 1, |a| <= largest_slope, with f(z_1) - f(z_2) >= margin.

    Parameters
    ----------
    distances : sequence of float
        z_1 - z_2.
    margins : sequence of float
        The "some positive value" of the example.
    largest_slope : float
        Without a bound every range is infinite.

    Returns
    -------
    DataFrame
        `COLUMNS`, by linear programming; nan where no slope is left.
    """
    rows = []
    for margin in margins:
        for distance in distances:
            ends = [_extreme(sign, distance, margin, largest_slope) for sign in (1, -1)]
            rows.append((margin, distance, *ends, ends[1] - ends[0]))
    return pd.DataFrame(rows, columns=COLUMNS)


def _extreme(sign, distance, margin, largest_slope):
    """Return the least (sign 1) or greatest (sign -1) feasible slope."""
    answer = linprog([sign], [[-distance]], [-margin], bounds=[(-largest_slope, largest_slope)])
    return float(answer.x[0]) if answer.status == 0 else float("nan")
