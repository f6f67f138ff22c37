"""What claims measure: intervals of paired differences, of means over cells, of shares and of fitted slopes.

An interval is over the draws of one table; it says nothing about another table. Hold-outs of one table overlap, and
plain intervals do not take that into account.

If the frames have too little to compare, these functions raise `rankbench.claims.verdict.Lacking`.
"""

from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from scipy import special, stats

from rankbench.statistics.intervals import CONFIDENCE, half_width, quantile

from ..statistics.common import on_common
from .verdict import Lacking

BLIND = ("constant", "random_answer")  # methods that do not look at the inputs
PAIR = ("dataset", "condition", "seed")
FOUND = stats.norm.ppf(0.8)  # an effect that 8 of 10 tests find lies so many standard errors beyond the limit


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 percent interval.

    Attributes
    ----------
    mean, low, high : float
    n : int
        Number of observations.
    df : float
        Degrees of freedom of the spread; n - 1 by default.
    compared : frozenset of str
        The names of the comparisons that it is made of.
    draws : Series
        The observations by data set and seed, if there are any: cells of one draw rise and fall together.
    lever : float
        By how much the estimate changes if seconds at one end are e times as large; 0 if it does not rest on seconds.
    """

    mean: float
    low: float
    high: float
    n: int
    df: float | None = None
    compared: frozenset = field(default=frozenset(), compare=False, repr=False)
    draws: pd.Series | None = field(default=None, compare=False, repr=False)
    lever: float = 0.0

    @property
    def sign(self):
        """1 if the whole interval is above 0, -1 if it is below 0, else 0."""
        return int(self.low > 0) - int(self.high < 0)

    @property
    def minus(self):
        """The interval of minus the quantity."""
        draws = None if self.draws is None else -self.draws
        return replace(self, mean=-self.mean, low=-self.high, high=-self.low, draws=draws)

    def plus(self, number):
        """Return the interval of the quantity plus a number."""
        draws = None if self.draws is None else self.draws + number
        return replace(self, mean=self.mean + number, low=self.low + number, high=self.high + number, draws=draws)

    @property
    def most(self):
        """The distance between 0 and the end that is farther from it: a bound on the absolute value."""
        return max(abs(self.low), abs(self.high))

    def at(self, level):
        """Return the interval that misses the truth in this share of all samples, instead of 5 percent."""
        factor = special.stdtrit(self._df, 1 - level / 2) / quantile(self._df) if self._df > 0 else 1.0
        low, high = (self.mean + factor * (end - self.mean) for end in (self.low, self.high))
        return replace(self, low=low, high=high)

    def finds(self, size, level=0.05):
        """Return whether this test, in 8 of 10 samples, excludes 0 if the effect has this size; not if df is 0."""
        error = (self.high - self.low) / 2 / quantile(self._df)
        return bool((special.stdtrit(self._df, 1 - level / 2) + FOUND) * error <= size)

    @property
    def _df(self):
        return self.n - 1 if self.df is None else self.df

    def text(self, decimals=2, unit=""):
        """Return ``0.52 [0.11, 0.93]`` with the unit behind it."""
        return f"{self.mean:.{decimals}f} [{self.low:.{decimals}f}, {self.high:.{decimals}f}]{unit}"


def some(rows, what):
    """Return the rows of a frame, or some cells; `what` names them in the error.

    Raises
    ------
    Lacking
        If there are none.
    """
    if not len(rows):
        raise Lacking(f"no row of {what}")
    return rows


def finished(records, metric):
    """Return the runs that are ok and have the metric; in each data set and condition all methods have the same seeds.

    A method that lacks too many runs is left out, see `rankbench.statistics.common`.

    Raises
    ------
    Lacking
        If there are no such runs.
    """
    if metric not in records:
        raise Lacking(f"no run has {metric}")
    cell = ["dataset", "condition"]
    planned = records.groupby(cell)["seed"].transform("nunique")
    ok = (records["status"] == "ok") & records[metric].notna()
    return some(on_common(records[ok], "seed", cell, planned[ok]), f"a finished run with {metric}")


def having(frame, names):
    """Return the named columns of a frame (methods or solvers of a pivot), without the rows that lack one of them.

    Raises
    ------
    Lacking
        If a column is missing or no row has all of them.
    """
    names = list(names)
    if missing := [str(name) for name in names if name not in frame.columns]:
        raise Lacking(f"no values of {', '.join(missing)}")
    return some(frame[names].dropna(), f"values of all of {', '.join(map(str, names))}")


def interval(values, scale=1.0, lever=0.0):
    """Return the mean of observations with its interval (Student's t), times `scale`; NaN are left out.

    Raises
    ------
    Lacking
        If there are fewer than two observations.
    """
    draws = (pd.Series(values, dtype=float) * scale).dropna()
    if len(draws) < 2:
        raise Lacking(f"an interval needs at least two observations, got {len(draws)}")
    if draws.index.nlevels < 2:
        draws = pd.concat({"": draws})
    mean, half = draws.mean(), half_width(draws.std() / np.sqrt(len(draws)), len(draws))
    return Interval(mean, mean - half, mean + half, len(draws), draws=draws, lever=lever)


def paired(records, metric, method, reference, scale=1.0, by=("dataset",)):
    """Return, for each group of runs, the interval of the metric of `method` minus that of `reference`.

    Runs are paired by data set, condition and seed. Runs that are not ok, or whose partner is missing, are left out,
    and so is a cell where one of the two methods lacks too many runs (`finished`).
    An observation is one data set with one seed. If a cell pools conditions, the differences of one seed are averaged
    over its conditions first, because the conditions of one seed share examples.

    Parameters
    ----------
    records : DataFrame
        ``dataset condition method seed status`` and the metric.
    metric, method, reference : str
        A better method has lower errors, so an interval above 0 says that the reference is better.
    by : sequence of str
        ``dataset``, ``condition`` or both: what makes a cell. If it is empty, all runs are one cell, ``""``.

    Returns
    -------
    dict of str to Interval
        ``"a_set"`` or ``"a_set n050"`` -> interval, for the cells with at least two observations.

    Raises
    ------
    Lacking
        If no cell has two observations.
    """
    runs = finished(records[records["method"].isin([method, reference])], metric)
    both = having(runs.pivot(index=list(PAIR), columns="method", values=metric), [method, reference])
    differences, cells = (both[method] - both[reference]).reset_index(name="difference"), {}
    for key, part in differences.groupby(list(by), sort=False) if by else [((), differences)]:
        observed = part.groupby(["dataset", "seed"], sort=False)["difference"].mean()
        if len(observed) > 1:
            named = comparisons(metric, method, reference, part)
            cells[" ".join(key)] = replace(interval(observed, scale), compared=named)
    if not cells:
        raise Lacking(f"no two seeds with {metric} of {method} and {reference}")
    return cells


def comparisons(metric, method, reference, runs):
    """Return the names of the comparisons of two methods in runs: one for each data set and condition."""
    names = f"{metric} of {' and '.join(sorted([method, reference]))} on "
    return frozenset(names + runs["dataset"] + " " + runs["condition"])


def mean_of(cells):
    """Return the interval of the mean of cells that have draws: all cells of one draw of a data set rise and fall
    together, and draws of different data sets are independent (Student's t, Satterthwaite's degrees of freedom).

    It is the limit of a bootstrap that draws data sets' draws anew, and unlike it right for four draws.
    """
    shares = pd.concat([cell.draws / (len(cell.draws) * len(cells)) for cell in cells.values()])
    parts = shares.groupby(level=[0, 1]).sum().groupby(level=0)
    n, variance = parts.size(), parts.size() * parts.var()
    df = variance.sum() ** 2 / (variance**2 / (n - 1)).sum() if variance.sum() > 0 else np.inf
    mean, half = shares.sum(), quantile(df) * np.sqrt(variance.sum())
    return Interval(mean, mean - half, mean + half, int(n.sum()), df)


def size(cells, decimals, unit):
    """Return the size of an effect in words: the mean of the cells with its interval, or else the range of the cells.

    Cells that have no draws, or of which some lie above and some below 0, are never averaged.
    """
    if len(cells) == 1:
        return next(iter(cells.values())).text(decimals, unit)
    signs, means = {cell.sign for cell in cells.values()}, [cell.mean for cell in cells.values()]
    if {-1, 1} <= signs or any(cell.draws is None for cell in cells.values()):
        return f"{min(means):.{decimals}f} to {max(means):.{decimals}f}{unit} (range of {len(cells)} cells)"
    return f"{mean_of(cells).text(decimals, unit)} (mean of {len(cells)} cells)"


def share(k, n):
    """Return the share of k in n with its interval (Clopper-Pearson)."""
    low = stats.beta.ppf((1 - CONFIDENCE) / 2, k, n - k + 1) if k else 0.0
    high = stats.beta.ppf((1 + CONFIDENCE) / 2, k + 1, n - k) if k < n else 1.0
    return Interval(k / n, float(low), float(high), n)


def learned(records, metric, by=("dataset",)):
    """Return the runs of those cells where some method has a clearly lower metric than each method that does not look
    at the inputs, and the names of the other cells: nothing was learned there.

    Raises
    ------
    Lacking
        If the records have no such methods (`BLIND`).
    """
    ok, by = finished(records, metric), list(by)
    wide = ok.pivot(index=list(PAIR), columns="method", values=metric)
    there = [name for name in BLIND if name in wide]
    if not there:
        raise Lacking(f"no run of {' or '.join(BLIND)}")
    cells = set()
    for name in wide.columns.difference(BLIND):
        lows = [_low(wide[blind] - wide[name], by) for blind in there]
        cells |= {cell for cell in lows[0].index if all(low.get(cell, 0) > 0 for low in lows)}
    names = records[by[0]].str.cat([records[other] for other in by[1:]], sep=" ")
    return records[names.isin(cells)], [name for name in names.unique() if name not in cells]


def _low(differences, by):
    """Return the lower end of the interval of `paired` of each cell, by its name."""
    observed = differences.dropna().groupby([*dict.fromkeys([*by, "dataset", "seed"])]).mean()
    cells = observed.groupby(by).agg(["mean", "std", "size"]).query("size > 1")
    low = cells["mean"] - half_width(cells["std"] / np.sqrt(cells["size"]), cells["size"])
    return low.set_axis([" ".join(key) if len(by) > 1 else key for key in low.index])


def slope(x, y, seconds=False):
    """Return the interval of the slope of log y against log x (least squares).

    Raises
    ------
    Lacking
        If there are fewer than three different x, or values that are not above 0.
    """
    fit, half = _line(x, y)
    lever = 1 / np.log(np.max(x) / np.min(x)) if seconds else 0.0
    return Interval(
        fit.slope, fit.slope - half * fit.stderr, fit.slope + half * fit.stderr, len(x), len(x) - 2, lever=lever
    )


def slope_of_runs(frame, x, y, run):
    """Return the interval of the slope of log y against log x over runs, a slope for each: it holds their spread.

    Raises
    ------
    Lacking
        As in `slope`, or if there are fewer than two runs.
    """
    runs = some(frame, f"seconds against {x}").groupby(run)
    slopes = {name: slope(part[x], part[y], seconds=True) for name, part in runs}
    return interval({name: one.mean for name, one in slopes.items()}, lever=next(iter(slopes.values())).lever)


def at_largest(x, y):
    """Return the interval of log y at the largest x, by the line of log y against log x.

    Raises
    ------
    Lacking
        As in `slope`.
    """
    fit, half = _line(x, y)
    error = half * np.nan_to_num(fit.intercept_stderr)
    return Interval(fit.intercept, fit.intercept - error, fit.intercept + error, len(x), len(x) - 2, lever=1.0)


def _line(x, y):
    """Fit log y against log(x / largest x), so that the intercept belongs to the largest x."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if len(np.unique(x)) < 3 or min(x.min(), y.min()) <= 0:
        raise Lacking(f"a slope needs at least three values of x, and x and y > 0, got x {x.tolist()}, y {y.tolist()}")
    return stats.linregress(np.log(x / x.max()), np.log(y)), quantile(len(x) - 2)
