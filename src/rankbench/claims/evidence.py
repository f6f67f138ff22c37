"""Rules of evidence that claims share: intervals of paired differences, counts of cells, fitted slopes."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from ..intervals import CONFIDENCE, half_width
from .verdict import FAILS, HOLDS, INCONCLUSIVE, MIXED

AGREE, DISAGREE = 0.9, 0.5  # shares of cells within two standard errors: printed numbers hold, fail
PAIR = ("dataset", "condition", "seed")


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 percent interval and the number of observations behind it."""

    mean: float
    low: float
    high: float
    n: int

    @property
    def sign(self):
        """1 if all of the interval is above 0, -1 if all is below, else 0."""
        return int(self.low > 0) - int(self.high < 0)

    def text(self, decimals=2, unit=""):
        """Return ``0.52 [0.11, 0.93]`` with the unit behind it."""
        return f"{self.mean:.{decimals}f} [{self.low:.{decimals}f}, {self.high:.{decimals}f}]{unit}"

    def runs_to_settle(self):
        """Return how many observations would exclude 0 if mean and spread stayed as they are."""
        if self.mean == 0:
            return np.inf
        return int(np.ceil(self.n * ((self.high - self.low) / 2 / abs(self.mean)) ** 2))


def interval(values, scale=1.0):
    """Return the mean of observations with its interval (Student's t), times `scale`.

    Raises
    ------
    ValueError
        For fewer than two observations.
    """
    values = np.asarray(values, dtype=float) * scale
    if len(values) < 2:
        raise ValueError(f"values must hold at least two observations, got {len(values)}")
    half = half_width(stats.sem(values), len(values))
    return Interval(values.mean(), values.mean() - half, values.mean() + half, len(values))


def paired(records, metric, method, reference, scale=1.0, by=("dataset",)):
    """Return, for each group of runs, the interval of the metric of `method` minus that of `reference`.

    Runs are paired by data set, condition and seed; runs that are not ok, or whose partner is missing, are left out.

    Parameters
    ----------
    records : DataFrame
        ``dataset condition method seed status`` and the metric.
    metric, method, reference : str
        Errors are lower where better, so an interval above 0 says that the reference is better.
    by : sequence of str
        ``dataset``, ``condition`` or both: what makes a cell.

    Returns
    -------
    dict of str to Interval
        ``"servo"`` or ``"servo n050"`` -> interval.
    """
    ok = records[records["status"] == "ok"]
    wide = ok[ok["method"].isin([method, reference])].pivot(index=list(PAIR), columns="method", values=metric).dropna()
    if wide.empty:
        return {}
    differences = (wide[method] - wide[reference]).reset_index(name="difference")
    groups = differences.groupby(list(by), sort=False)["difference"]
    return {" ".join(key): interval(group, scale) for key, group in groups if len(group) > 1}


def ordering(cells):
    """Judge a claim that every cell is above 0.

    Parameters
    ----------
    cells : mapping of str to Interval

    Returns
    -------
    verdict, counts : str
        ``holds``: at least half of the cells lie above 0 and no more below than the 2.5 percent that chance allows;
        ``fails``: cells below 0 and none above; ``mixed``: cells on both sides, or fewer than half above;
        ``inconclusive``: every interval holds 0, with the runs that would settle the cell nearest to it.

    Raises
    ------
    ValueError
        Without cells.
    """
    if not cells:
        raise ValueError("cells must not be empty: no runs to compare")
    n, above = len(cells), [name for name, cell in cells.items() if cell.sign > 0]
    below = [name for name, cell in cells.items() if cell.sign < 0]
    if n == 1:
        (cell,) = cells.values()
        verdict = {1: HOLDS, -1: FAILS, 0: INCONCLUSIVE}[cell.sign]
        return verdict, "" if cell.sign else f"about {cell.runs_to_settle()} runs would settle it"
    counts = f"of {n} cells {len(above)} as claimed, {len(below)} against, {n - len(above) - len(below)} undecided"
    if below:
        counts += f" (against: {', '.join(below[:6])}{', ...' if len(below) > 6 else ''})"
    if not above and not below:
        return INCONCLUSIVE, f"{counts}; about {min(c.runs_to_settle() for c in cells.values())} runs would settle one"
    if not above:
        return FAILS, counts
    return (HOLDS if len(above) >= n / 2 and len(below) <= (1 - CONFIDENCE) / 2 * n else MIXED), counts


def agreement(difference, standard_error):
    """Judge a claim about printed numbers: which cells lie within two standard errors of theirs.

    Parameters
    ----------
    difference, standard_error : (n,) arrays
        Ours minus printed, and the standard error of that; a cell without either is left out.

    Returns
    -------
    verdict, counts : str
        ``holds`` for at least 90 percent of the cells, ``fails`` for fewer than half, else ``mixed``.

    Raises
    ------
    ValueError
        Without cells.
    """
    difference, standard_error = np.asarray(difference, dtype=float), np.asarray(standard_error, dtype=float)
    known = ~np.isnan(difference) & ~np.isnan(standard_error)
    if not known.any():
        raise ValueError("difference must hold at least one cell with its standard error, got none")
    difference, standard_error = difference[known], standard_error[known]
    close = np.abs(difference) <= 2 * standard_error
    lower, higher = np.sum(~close & (difference < 0)), np.sum(~close & (difference > 0))
    verdict = HOLDS if close.mean() >= AGREE else FAILS if close.mean() < DISAGREE else MIXED
    counts = f"{close.sum()} of {len(close)} cells within two standard errors, {lower} lower, {higher} higher"
    return verdict, counts


def slope(x, y):
    """Return the interval of the slope of log y against log x (least squares).

    Raises
    ------
    ValueError
        For fewer than three different x, or values that are not above 0.
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if len(np.unique(x)) < 3 or min(x.min(), y.min()) <= 0:
        raise ValueError(f"x must hold at least three values, x and y be > 0, got x {x.tolist()}, y {y.tolist()}")
    fit = stats.linregress(np.log(x), np.log(y))
    half = stats.t.ppf(0.5 + CONFIDENCE / 2, len(x) - 2) * np.nan_to_num(fit.stderr)  # nan where y is constant
    return Interval(fit.slope, fit.slope - half, fit.slope + half, len(x))
