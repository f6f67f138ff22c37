"""Rules for printed figures: a table whose cells have errors, a figure without one, counts that reruns would print."""

import numpy as np
from scipy import stats

from .evidence import beyond
from .verdict import FAILS, HOLDS, INCONCLUSIVE, MIXED, Lacking

DRAWS = 20_000


def agreement(difference, standard_error, *, errors=2.0, off=0.1, chance=0.05, df=np.inf):
    """Judge a printed table: how many of our cells agree with it, and does it agree as a whole?

    Parameters
    ----------
    difference, standard_error : (n,) arrays
        Our number minus the printed one, and the standard error of the difference; a cell that lacks one is left out.
    errors : float
        A cell agrees if it is at most this many standard errors away; with few degrees of freedom, if it is as likely
        by chance as that many standard errors of a normal distribution.
    chance : float
        The number fails if the chi-squared test on all cells together rejects the printed table at this level. It takes
        cells as independent, also those of methods that share hold-outs: then it rejects more true tables, 8 to 9
        percent if three methods on the same hold-outs have a correlation of 0.5, and 12 to 13 percent if they have 0.8.
    off : float
        If it does not fail, it holds if at most this share of the cells lies farther away.
    df : float
        Degrees of freedom of the standard errors: 3 for means over four sets.

    Returns
    -------
    verdict, counts, effect : str
        The effect is how many cells agree.

    Raises
    ------
    Lacking
        If there are no cells.
    """
    difference, standard_error = np.asarray(difference, dtype=float), np.asarray(standard_error, dtype=float)
    known = ~np.isnan(difference) & ~np.isnan(standard_error)
    if not known.any():
        raise Lacking("no cell has our number, a printed one and a standard error")
    difference, standard_error = difference[known], standard_error[known]
    distance = np.divide(np.abs(difference), standard_error, out=np.zeros(len(difference)), where=difference != 0)
    z = distance if np.isinf(df) else stats.norm.isf(stats.t.sf(distance, df))
    far = z > errors
    lower, higher = np.sum(far & (difference < 0)), np.sum(far & (difference > 0))
    p = stats.chi2.sf((z**2).sum(), len(z))
    verdict = FAILS if p < chance else HOLDS if far.mean() <= off + 1e-12 else MIXED
    n_close = int((~far).sum())
    limit = stats.t.isf(stats.norm.sf(errors), df)
    counts = (
        f"{n_close} of {len(far)} cells within {limit:.2g} standard errors, {lower} lower, {higher} higher; all cells "
        f"together: chi-squared {(z**2).sum():.0f} on {len(z)} cells, p = {p:.2g}"
    )
    return verdict, counts, f"agree {n_close} of {len(far)}"


def about(cell, printed, *, tenth=0.1, decimals=2, unit=""):
    """Judge a printed figure that has no stated error: our whole interval must lie within a tenth of it.

    Parameters
    ----------
    cell : Interval
        Our estimate of the same quantity.
    printed : float
        The figure.
    tenth : float
        The share of the figure by which ours may be off.

    Returns
    -------
    verdict, difference : str
        A wider interval never makes it easier to hold.
    """
    off, margin = cell.plus(-printed), tenth * abs(printed)
    verdict = HOLDS if off.most <= margin else FAILS if off.low > margin or off.high < -margin else INCONCLUSIVE
    return verdict, f"ours minus the printed {printed:g}: {off.text(decimals, unit)}, may be off by {margin:.2g}"


def reruns(cells):
    """Return what reruns of our protocol would give on the data sets: t values and mean differences.

    Our t values vary more over the data sets than the true ones do, because each has an error of 1. So the true ones
    are drawn from their distribution given ours (empirical Bayes: both normal), and a rerun adds an error of its own.

    Returns
    -------
    t, mean_difference : (DRAWS, n_cells) arrays
    """
    ours = cells["t"].to_numpy()
    kept = 1.0 - min(1.0 / ours.var(ddof=1), 1.0) if len(ours) > 1 and ours.var() > 0.0 else 0.0  # share of the spread
    truth = ours.mean() + kept * (ours - ours.mean())
    noise = np.random.default_rng(0).standard_normal((DRAWS, len(ours)))
    t = truth + np.sqrt(1.0 + kept) * noise
    return t, t * cells["standard_error"].to_numpy()


def range_of(values, level):
    """Return the ends of the interval that holds all but this share of the values."""
    return np.quantile(values, [level / 2, 1 - level / 2])


def printed_again(printed, values, level, what, form="g"):
    """Judge a printed figure by the range of the figures that reruns of our protocol would print."""
    low, high = range_of(values, level)
    said = f"{what} {printed:{form}} printed; {100 * (1 - level):g} percent of our reruns would print "
    return HOLDS if low <= printed <= high else FAILS, f"{said}{low:{form}} to {high:{form}}"


def clearly(values, limit, level):
    """Judge whether a quantity is above a limit, by the range of its values in reruns."""
    low, high = range_of(values, level)
    return beyond(low, high, limit)


RERUNS = (
    "20,000 reruns of our protocol are simulated: true t values given ours (empirical Bayes), with an error of 1 each."
)
