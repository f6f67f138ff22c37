"""Rules of evidence that claims share: intervals of paired differences, counts of cells, fitted slopes.

An interval is over the draws of one table; it says nothing about another table. Hold-outs of one table overlap, and
plain intervals do not take that into account. Cells of one table share draws as well, so a count of clear cells is a
description, not a test. Thresholds are keyword arguments. A claim repeats them among its own keyword arguments, so
that the ledger can halve and double them.

If the frames have too little to compare, these functions raise `rankbench.claims.verdict.Lacking`.
"""

from dataclasses import dataclass, field, replace

import numpy as np
from scipy import special, stats

from ..intervals import CONFIDENCE, half_width, quantile
from ..statistics.common import on_common
from .verdict import FAILS, HOLDS, INCONCLUSIVE, MIXED, NOT_CHECKABLE, Finding, Lacking

BLIND = ("constant", "random_answer")  # methods that do not look at the inputs
PAIR = ("dataset", "condition", "seed")


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 percent interval, the number n of observations, the degrees of freedom of the spread
    (n - 1 by default), and the names of the comparisons that it is made of."""

    mean: float
    low: float
    high: float
    n: int
    df: int | None = None
    compared: frozenset = field(default=frozenset(), compare=False, repr=False)

    @property
    def sign(self):
        """1 if the whole interval is above 0, -1 if it is below 0, else 0."""
        return int(self.low > 0) - int(self.high < 0)

    @property
    def minus(self):
        """The interval of minus the quantity: that of a falling slope is above 0."""
        return replace(self, mean=-self.mean, low=-self.high, high=-self.low)

    def plus(self, number):
        """Return the interval of the quantity plus a number."""
        return replace(self, mean=self.mean + number, low=self.low + number, high=self.high + number)

    @property
    def most(self):
        """The distance between 0 and the end that is farther from it: a bound on the absolute value."""
        return max(abs(self.low), abs(self.high))

    def at(self, level):
        """Return the interval that misses the truth in this share of all samples, instead of 5 percent."""
        df = self.n - 1 if self.df is None else self.df
        factor = special.stdtrit(df, 1 - level / 2) / quantile(df)
        low, high = (self.mean + factor * (end - self.mean) for end in (self.low, self.high))
        return replace(self, low=low, high=high)

    def text(self, decimals=2, unit=""):
        """Return ``0.52 [0.11, 0.93]`` with the unit behind it."""
        return f"{self.mean:.{decimals}f} [{self.low:.{decimals}f}, {self.high:.{decimals}f}]{unit}"

    def runs_to_settle(self):
        """Return how many observations would exclude 0 if mean and spread stayed as they are; inf if the mean is 0 or
        if more than 10^9 are needed."""
        df = self.n - 1 if self.df is None else self.df
        spread = np.sqrt(self.n) * (self.high - self.low) / 2 / quantile(df)
        if not abs(self.mean) * 1e9**0.5 > quantile(np.inf) * spread:
            return np.inf
        runs = max(2, int((quantile(np.inf) * spread / self.mean) ** 2))
        while quantile(runs - 1) * spread > abs(self.mean) * np.sqrt(runs):  # the quantile falls with more runs
            runs += 1
        return runs


def some(rows, what):
    """Return the rows of a frame; `what` names them in the error.

    Raises
    ------
    Lacking
        If there are no rows.
    """
    if rows.empty:
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
    missing = [str(name) for name in names if name not in frame.columns]
    if missing:
        raise Lacking(f"no values of {', '.join(missing)}")
    complete = frame[names].dropna()
    if complete.empty:
        raise Lacking(f"no row has values of all of {', '.join(map(str, names))}")
    return complete


def interval(values, scale=1.0):
    """Return the mean of observations with its interval (Student's t), times `scale`; NaN are left out.

    Raises
    ------
    Lacking
        If there are fewer than two observations.
    """
    values = np.asarray(values, dtype=float) * scale
    values = values[~np.isnan(values)]
    if len(values) < 2:
        raise Lacking(f"an interval needs at least two observations, got {len(values)}")
    half = half_width(values.std(ddof=1) / np.sqrt(len(values)), len(values))
    return Interval(values.mean(), values.mean() - half, values.mean() + half, len(values))


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
    differences = (both[method] - both[reference]).reset_index(name="difference")
    cells = {}
    for key, part in differences.groupby(list(by), sort=False) if by else [((), differences)]:
        observed = part.groupby(["dataset", "seed"], sort=False)["difference"].mean()
        if len(observed) > 1:
            cells[" ".join(key)] = replace(
                interval(observed, scale), compared=comparisons(metric, method, reference, part)
            )
    if not cells:
        raise Lacking(f"no two seeds with {metric} of {method} and {reference}")
    return cells


def comparisons(metric, method, reference, runs):
    """Return the names of the comparisons of two methods in runs: one for each data set and condition."""
    names = f"{metric} of {' and '.join(sorted([method, reference]))} on "
    return frozenset(names + runs["dataset"] + " " + runs["condition"])


def compared(*cells):
    """Return the comparisons that mappings of intervals are made of."""
    return frozenset().union(*(cell.compared for part in cells for cell in part.values()))


def over(cells):
    """Return the mean of the cells with the means of their ends: the interval if all cells went up and down together.

    Cells of one table share draws, so a narrower interval would not be safe.
    """
    cells = list(cells.values())
    mean, low, high = (float(np.mean([getattr(cell, end) for cell in cells])) for end in ("mean", "low", "high"))
    return Interval(mean, low, high, min(cell.n for cell in cells))


def multiple(logs, digits=1):
    """Return ``2.1 [1.7, 2.7] times`` from the interval of a mean logarithm."""
    return f"{np.exp(logs.mean):.{digits}f} [{np.exp(logs.low):.{digits}f}, {np.exp(logs.high):.{digits}f}] times"


def proportion(k, n):
    """Return the ends of the 95 percent interval of a share of k in n (Clopper-Pearson)."""
    low = stats.beta.ppf((1 - CONFIDENCE) / 2, k, n - k + 1) if k else 0.0
    high = stats.beta.ppf((1 + CONFIDENCE) / 2, k + 1, n - k) if k < n else 1.0
    return low, high


def share(k, n):
    """Return ``18 of 20, 0.90 [0.68, 0.99]``: a count, as a share, with its interval."""
    low, high = proportion(k, n)
    return f"{k} of {n}, {k / n:.2f} [{low:.2f}, {high:.2f}]"


def learned(records, metric, by=("dataset",)):
    """Return the cells where some method has a clearly lower metric than each method that does not look at the inputs.

    Raises
    ------
    Lacking
        If the records have no such methods (`BLIND`).
    """
    ok = finished(records, metric)
    names = [name for name in ok["method"].unique() if name not in BLIND]
    there = [name for name in BLIND if name in set(ok["method"])]
    if not there:
        raise Lacking(f"no run of {' or '.join(BLIND)}")
    cells_learned = set()
    for name in names:
        beaten = [paired(ok, metric, blind, name, by=by) for blind in there]
        cells_learned |= {
            cell for cell in beaten[0] if all(cells.get(cell) and cells[cell].sign > 0 for cells in beaten)
        }
    return sorted(cells_learned)


def nothing_learned(records, metric, published=""):
    """Return the finding of a claim about data from which no method learns: it cannot be checked on them."""
    means = 100 * finished(records, metric).groupby("method")[metric].mean()
    said = ", ".join(f"{name} {mean:.1f}" for name, mean in means.items())
    why = "No method is clearly better than a constant and a random answer: these data have nothing to compare."
    return Finding(NOT_CHECKABLE, f"{metric} in percent: {said}", published, why)


def ordering(cells, every=False, *, most=0.5, level=0.05):
    """Judge a claim that cells are above 0, by their intervals; the rule of ``fails`` mirrors that of ``holds``.

    A cell is as claimed if its interval lies above 0, against if it lies below 0, and undecided if it contains 0:

    - ``holds``: most cells are as claimed, and no more cells are against than the 2.5 percent that chance allows. If
      the claim names its cells, such as data sets (`every`), all of them are as claimed;
    - ``fails``: the same with "as claimed" and "against" exchanged;
    - ``inconclusive``: all cells are undecided; the text says how many runs would settle the one that needs the fewest;
    - ``mixed``: anything else, with the counts.

    Parameters
    ----------
    cells : mapping of str to Interval
    every : bool
        Whether the claim names its cells, such as data sets, so that each of them must be clear.
    most : float
        More than this share of the cells must be clear (1: all of them).
    level : float
        Share of samples whose interval misses the truth; chance puts half of them on either side.

    Returns
    -------
    verdict, counts : str

    Raises
    ------
    Lacking
        If there are no cells.
    """
    if not cells:
        raise Lacking("no runs to compare")
    cells = {name: cell.at(level) for name, cell in cells.items()}
    n, signs = len(cells), [cell.sign for cell in cells.values()]
    above, below, undecided = (signs.count(sign) for sign in (1, -1, 0))

    def clear(as_wanted, others):
        return as_wanted == n or (not every and as_wanted > most * n and others <= level / 2 * n)

    if clear(above, below):
        verdict = HOLDS
    elif clear(below, above):
        verdict = FAILS
    else:
        verdict = INCONCLUSIVE if undecided == n else MIXED
    counts = f"of {n} cells, {above} as claimed, {below} against, {undecided} undecided" if n > 1 else ""
    named = {"against": -1} | ({"undecided": 0} if every else {})
    parts = [f"{word}: {_names(cells, sign)}" for word, sign in named.items() if 0 < signs.count(sign) < n]
    counts += f" ({'; '.join(parts)})" if parts else ""
    if verdict == INCONCLUSIVE:
        counts = "; ".join(filter(None, [counts, _to_settle(cells)]))
    return verdict, counts


def _names(cells, sign):
    """Return the names of the cells with a sign, at most six of them."""
    names = [name for name, cell in cells.items() if cell.sign == sign]
    return ", ".join([*names[:6], "..."] if len(names) > 6 else names)


def _to_settle(cells):
    """Return in words how many runs would settle the cell that needs the fewest."""
    runs = min(cell.runs_to_settle() for cell in cells.values())
    which = "it" if len(cells) == 1 else "one"
    return f"about {runs} runs would settle {which}" if np.isfinite(runs) else f"no number of runs would settle {which}"


def both(*verdicts):
    """Return the verdict on a statement with several parts: one part that fails refutes it."""
    different = set(verdicts)
    if FAILS in different or len(different) == 1:
        return FAILS if FAILS in different else different.pop()
    return INCONCLUSIVE if different == {HOLDS, INCONCLUSIVE} else MIXED


def beyond(low, high, limit):
    """Return ``holds`` if an interval lies above a limit, ``fails`` if it lies below it, and else ``inconclusive``."""
    return HOLDS if low > limit else FAILS if high < limit else INCONCLUSIVE


def within(missed, off, wrong):
    """Return the verdict on the share of cells that are not as claimed: holds up to `off`, fails above `wrong`."""
    return HOLDS if missed <= off + 1e-12 else FAILS if missed > wrong + 1e-12 else MIXED


def equivalence(cells, margin, *, off=0.0, wrong=0.5):
    """Judge a claim that cells are about 0: their intervals must lie within +-margin.

    Parameters
    ----------
    cells : mapping of str to Interval
    margin : float > 0
    off, wrong : float
        The claim holds if at most the share `off` of the intervals is not inside the margin. It fails if at least the
        share `wrong` lies completely outside.

    Returns
    -------
    verdict, counts : str
    """
    inside = [name for name, cell in cells.items() if cell.most <= margin]
    outside = [name for name, cell in cells.items() if cell.low > margin or cell.high < -margin]
    n = len(cells)
    if n - len(inside) <= off * n:
        verdict = HOLDS
    elif len(outside) >= wrong * n and outside:
        verdict = FAILS
    else:
        verdict = MIXED if inside or outside else INCONCLUSIVE
    return verdict, f"{len(inside)} of {n} within +-{margin:g}, {len(outside)} completely outside"


def slope(x, y):
    """Return the interval of the slope of log y against log x (least squares).

    Raises
    ------
    Lacking
        If there are fewer than three different x, or values that are not above 0.
    """
    fit = _line(x, y)
    half = quantile(len(x) - 2) * np.nan_to_num(fit.stderr)  # nan where y is constant
    return Interval(fit.slope, fit.slope - half, fit.slope + half, len(x), len(x) - 2)


def at_largest(x, y):
    """Return the interval of y at the largest x, by the line of log y against log x.

    Raises
    ------
    Lacking
        As in `slope`.
    """
    fit = _line(x, y)
    half = quantile(len(x) - 2) * np.nan_to_num(fit.intercept_stderr)
    return Interval(*np.exp([fit.intercept, fit.intercept - half, fit.intercept + half]), len(x), len(x) - 2)


def _line(x, y):
    """Fit log y against log(x / largest x), so that the intercept belongs to the largest x."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if len(np.unique(x)) < 3 or min(x.min(), y.min()) <= 0:
        raise Lacking(f"a slope needs at least three values of x, and x and y > 0, got x {x.tolist()}, y {y.tolist()}")
    return stats.linregress(np.log(x / x.max()), np.log(y))
