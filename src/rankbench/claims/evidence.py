"""Rules of evidence that claims share: intervals of paired differences, counts of cells, fitted slopes.

Intervals are over draws, for the table at hand: they do not cover another table. Hold-outs of one table overlap, which
plain intervals leave out; `corrected_counts` says what Nadeau and Bengio's correction for that leaves of the clear
cells. Cells of one table share draws as well, so a count of clear cells is a description, not a test.

Where the frames have too little to compare, these functions raise `rankbench.claims.verdict.Lacking`.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from ..intervals import CONFIDENCE, half_width, quantile
from .verdict import FAILS, HOLDS, INCONCLUSIVE, MIXED, Lacking

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
        """Return how many observations would exclude 0 if mean and spread stayed as they are; inf for a mean of 0."""
        if self.mean == 0:
            return np.inf
        return int(np.ceil(self.n * ((self.high - self.low) / 2 / abs(self.mean)) ** 2))


def some(rows, what):
    """Return the rows of a frame; `what` names them for the one who reads that they lack.

    Raises
    ------
    Lacking
        Without rows.
    """
    if rows.empty:
        raise Lacking(f"no row of {what}")
    return rows


def finished(records, metric):
    """Return the runs that are ok and have the metric.

    Raises
    ------
    Lacking
        Without such runs.
    """
    if metric not in records:
        raise Lacking(f"no run has {metric}")
    return some(records[(records["status"] == "ok") & records[metric].notna()], f"a finished run with {metric}")


def having(frame, names):
    """Return the named columns (of a pivot: methods, solvers) of a frame, without the rows that lack one of them.

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
        raise Lacking(f"nothing has values of all of {', '.join(map(str, names))}")
    return complete


def interval(values, scale=1.0):
    """Return the mean of observations with its interval (Student's t), times `scale`; NaN are left out.

    Raises
    ------
    Lacking
        For fewer than two observations.
    """
    values = np.asarray(values, dtype=float) * scale
    values = values[~np.isnan(values)]
    if len(values) < 2:
        raise Lacking(f"an interval needs at least two observations, got {len(values)}")
    half = half_width(stats.sem(values), len(values))
    return Interval(values.mean(), values.mean() - half, values.mean() + half, len(values))


def paired(records, metric, method, reference, scale=1.0, by=("dataset",)):
    """Return, for each group of runs, the interval of the metric of `method` minus that of `reference`.

    Runs are paired by data set, condition and seed; runs that are not ok, or whose partner is missing, are left out.
    An observation is a data set and seed: where a cell pools conditions, the differences of a seed that are there are
    averaged over its conditions first, because the conditions of one seed share examples.

    Parameters
    ----------
    records : DataFrame
        ``dataset condition method seed status`` and the metric.
    metric, method, reference : str
        Errors are lower where better, so an interval above 0 says that the reference is better.
    by : sequence of str
        ``dataset``, ``condition`` or both: what makes a cell; with none all runs are one cell, ``""``.

    Returns
    -------
    dict of str to Interval
        ``"servo"`` or ``"servo n050"`` -> interval, of the cells with at least two observations.

    Raises
    ------
    Lacking
        If no cell has two.
    """
    ok = finished(records, metric)
    wide = ok[ok["method"].isin([method, reference])].pivot(index=list(PAIR), columns="method", values=metric)
    both = having(wide, [method, reference])
    differences = (both[method] - both[reference]).reset_index(name="difference")
    observed = differences.groupby(list(dict.fromkeys([*by, "dataset", "seed"])), sort=False)["difference"].mean()
    groups = observed.groupby(level=list(by), sort=False) if by else [((), observed)]
    cells = {" ".join(key): interval(group, scale) for key, group in groups if len(group) > 1}
    if not cells:
        raise Lacking(f"no two seeds with {metric} of {method} and {reference}")
    return cells


def corrected_counts(per_dataset, metric, worse, *better):
    """Return in words how many cells are clear by Nadeau and Bengio's corrected t-test, for and against `better`.

    Parameters
    ----------
    per_dataset : DataFrame
        `rankbench.statistics.per_dataset`; one method of each pair is its reference.
    metric, worse : str
    *better : str
        Methods that are said to have a lower error than `worse`.

    Raises
    ------
    Lacking
        If they are not compared in it.
    """
    compared = {(worse, name): 1 for name in better} | {(name, worse): -1 for name in better}
    signs = np.array([compared.get(key, 0) for key in zip(per_dataset["method"], per_dataset["reference"])], dtype=int)
    chosen = (per_dataset["metric"] == metric) & (signs != 0)
    if not chosen.any():
        raise Lacking(f"no test of {metric} of {worse} against {', '.join(better)}")
    clear = per_dataset["corrected_p"] < 1 - CONFIDENCE
    ahead = np.sign(per_dataset["mean_difference"]) * signs * clear
    n_for, n_against = (int((ahead[chosen] == sign).sum()) for sign in (1, -1))
    return f"with Nadeau and Bengio's correction {n_for} for, {n_against} against of {chosen.sum()}"


def ordering(cells, every=False):
    """Judge a claim that cells are above 0, by their 95 percent intervals.

    A cell is as claimed if its interval lies above 0, against if it lies below, undecided if it holds 0. The rule:

    - ``holds``: most cells, more than half, are as claimed and no more against than the 2.5 percent that chance
      allows; where the claim names its cells, such as data sets (`every`), all of them are as claimed;
    - ``fails``: cells are against and none as claimed;
    - ``inconclusive``: all cells are undecided; told are the runs that would settle the one nearest to it;
    - ``mixed``: anything else, with the counts.

    Parameters
    ----------
    cells : mapping of str to Interval
    every : bool
        Whether the claim names its cells, such as data sets, so that each of them must be clear.

    Returns
    -------
    verdict, counts : str

    Raises
    ------
    Lacking
        Without cells.
    """
    if not cells:
        raise Lacking("no runs to compare")
    n, signs = len(cells), [cell.sign for cell in cells.values()]
    above, below, undecided = (signs.count(sign) for sign in (1, -1, 0))
    mostly = above > n / 2 and below <= (1 - CONFIDENCE) / 2 * n
    if above == n or (mostly and not every):
        verdict = HOLDS
    elif not above:
        verdict = FAILS if below else INCONCLUSIVE
    else:
        verdict = MIXED
    counts = f"of {n} cells {above} as claimed, {below} against, {undecided} undecided" if n > 1 else ""
    named = {"against": -1} | ({"undecided": 0} if every else {})
    parts = [f"{word}: {_names(cells, sign)}" for word, sign in named.items() if 0 < signs.count(sign) < n]
    counts += f" ({'; '.join(parts)})" if parts else ""
    if verdict == INCONCLUSIVE:
        counts = "; ".join(filter(None, [counts, _to_settle(cells)]))
    return verdict, counts


def _names(cells, sign):
    """Return the first names of the cells of a sign."""
    names = [name for name, cell in cells.items() if cell.sign == sign]
    return ", ".join([*names[:6], "..."] if len(names) > 6 else names)


def _to_settle(cells):
    """Return in words how many runs would settle the cell that is nearest to it."""
    runs, which = min(cell.runs_to_settle() for cell in cells.values()), "it" if len(cells) == 1 else "one"
    return f"about {runs} runs would settle {which}" if np.isfinite(runs) else f"no number of runs would settle {which}"


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
    Lacking
        Without cells.
    """
    difference, standard_error = np.asarray(difference, dtype=float), np.asarray(standard_error, dtype=float)
    known = ~np.isnan(difference) & ~np.isnan(standard_error)
    if not known.any():
        raise Lacking("no cell of ours and printed with a standard error")
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
    Lacking
        For fewer than three different x, or values that are not above 0.
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if len(np.unique(x)) < 3 or min(x.min(), y.min()) <= 0:
        raise Lacking(f"a slope needs at least three values of x, and x and y > 0, got x {x.tolist()}, y {y.tolist()}")
    fit = stats.linregress(np.log(x), np.log(y))
    half = quantile(len(x) - 2) * np.nan_to_num(fit.stderr)  # nan where y is constant
    return Interval(fit.slope, fit.slope - half, fit.slope + half, len(x))
