"""The eleven rules by which claims are judged; a claim names one for its statement, one for its printed figure or both.

A rule of a statement returns the verdict, the counts in words, and the size of the effect, ``""`` if it is that of the
cells. A rule of a figure returns the verdict, the counts, and how far the figure is from ours.

A cell is *as claimed* if its whole interval lies above 0, *against* if it lies below 0. Else it is *undecided*; and if
its test would have missed an effect of `least` in more than 2 of 10 samples, it is *blunt* and says nothing. If blunt
cells could change a verdict, it is inconclusive: too few draws.

Thresholds are keyword arguments; one without a default is the claim's own.
"""

from functools import wraps
from inspect import Parameter, signature

import numpy as np
from scipy import stats

from .evidence import Lacking, mean_of, share, some
from .verdict import FAILS, HOLDS, INCONCLUSIVE, MACHINE, MIXED

FACTOR = 1.5  # machines differ more in seconds than runs do


def mostly(found, *, least, most=0.5, level=0.05):
    """*In general*: most cells are as claimed, and no more are against than the 2.5 percent that chance allows."""
    return _counted(found.cells, most, level, least)


def each(found, *, least, level=0.05):
    """*On named cells*: every one is as claimed."""
    return _counted(found.cells, None, level, least)


def far(found, *, least, most=0.5, level=0.05, far=0.1):
    """*By far*: as `mostly`, and the interval of the mean lies above a share of the larger side."""
    verdict, counts, _ = mostly(found, least=least, most=most, level=level)
    near = verdict == HOLDS and mean_of(found.cells).low < far * found.whole
    return MIXED if near else verdict, counts, ""


def together(found, *, least, level=0.05):
    """*This and that*: every part is as claimed; one that is refuted refutes the whole."""
    verdict, counts, _ = each(found, least=least, level=level)
    cells = [cell.at(level) for cell in found.cells.values()]
    refuted = any(cell.sign < 0 or (cell.sign == 0 and cell.finds(least, level)) for cell in cells)
    return FAILS if refuted and verdict != HOLDS else verdict, counts, ""


together.of_parts = True


def alike(found, *, margin, off=0.0, wrong=0.5):
    """*About the same*: the intervals lie within +-margin, but for the share `off` of them; it fails if at least the
    share `wrong` lies completely outside."""
    n, cells = len(some(found.cells, "runs to compare")), found.cells.values()
    inside = sum(cell.most <= margin for cell in cells)
    outside = sum(cell.low > margin or cell.high < -margin for cell in cells)
    blunt = sum(
        cell.most > margin and not abs(cell.low + cell.high) > 2 * margin and not cell.finds(margin) for cell in cells
    )
    verdict = HOLDS if n - inside <= off * n else FAILS if outside >= max(wrong * n, 1) else MIXED
    if verdict == MIXED and n - inside - blunt <= off * n:
        verdict = INCONCLUSIVE
    return verdict, f"{inside} of {n} within +-{margin:g}, {outside} completely outside", ""


def sometimes(found, *, level=0.05):
    """*There are cases*: one is enough, at a level divided by the number of cells; it fails if all are against."""
    if not isinstance(found.cells, dict):
        n, fine = len(found.cells), int(np.sum(np.asarray(found.cells) <= 0))
        return HOLDS if fine else FAILS, f"in {fine} of {n} cases", f"in {fine} of {n} cases"
    n = len(some(found.cells, "runs to compare"))
    signs = [cell.at(level / n).sign for cell in found.cells.values()]
    above, below = signs.count(1), signs.count(-1)
    verdict = HOLDS if above else FAILS if below == n else INCONCLUSIVE
    return verdict, f"clearly in {above} of {n} cells, clearly not in {below}", f"in {above} of {n} cells"


def always(found, *, same=0.0, off=0.0, wrong=0.0):
    """*Always*: no case is off by more than `same`; one counterexample refutes it, or a share above `wrong`."""
    fine = np.asarray(found.cells) <= same
    n, missed = int(fine.sum()), 1 - fine.mean()
    verdict = HOLDS if missed <= off + 1e-12 else FAILS if missed > wrong + 1e-12 else MIXED
    return verdict, f"in {n} of {len(fine)} cases", f"{n} of {len(fine)}, {share(n, len(fine)).text()}"


def on_seconds(rule):
    """*On a clock*: the verdict of another rule stands only if it stays the same if seconds at one end are `factor`
    times as large or as small; else it depends on the machine. It is never counted."""

    @wraps(rule)
    def judged(found, *, factor=FACTOR, **limits):
        answers = [rule(_with_seconds(found, by), **limits) for by in (0.0, np.log(factor), -np.log(factor))]
        same = len({verdict for verdict, *_ in answers}) == 1
        return answers[0][0] if same else MACHINE, *answers[0][1:]

    by_factor = Parameter("factor", Parameter.KEYWORD_ONLY, default=FACTOR)
    judged.__signature__ = signature(rule).replace(parameters=[*signature(rule).parameters.values(), by_factor])
    judged.of_seconds = True
    return judged


def _with_seconds(found, by):
    cells = {name: cell.plus(by * cell.lever) for name, cell in found.cells.items()}
    return type(found)(**{**vars(found), "cells": cells})


def table(found, *, errors=2.0, off=0.1, chance=0.05):
    """*A printed table*, (differences, standard errors, degrees of freedom): it fails if the chi-squared test on all
    cells rejects it at `chance`, and holds if at most the share `off` lies more than `errors` standard errors away.

    With few degrees of freedom a cell agrees if it is as likely by chance as that many standard errors of a normal
    distribution. The test takes cells as independent, also those of methods that share hold-outs: then it rejects more
    true tables, 8 to 9 percent if three methods on the same hold-outs have a correlation of 0.5, and 12 to 13 percent
    if they have 0.8.
    """
    difference, error = (np.asarray(one, dtype=float) for one in found.figure[:2])
    df, known = found.figure[2], ~np.isnan(difference) & ~np.isnan(error)
    if not known.any():
        raise Lacking("no cell has our number, a printed one and a standard error")
    difference, error = difference[known], error[known]
    distance = np.divide(np.abs(difference), error, out=np.zeros(len(difference)), where=difference != 0)
    z = distance if np.isinf(df) else stats.norm.isf(stats.t.sf(distance, df))
    out, p = z > errors, stats.chi2.sf((z**2).sum(), len(z))
    n_close, limit = int((~out).sum()), stats.t.isf(stats.norm.sf(errors), df)
    counts = (
        f"{n_close} of {len(out)} cells within {limit:.2g} standard errors, {np.sum(out & (difference < 0))} lower, "
        f"{np.sum(out & (difference > 0))} higher; all cells together: chi-squared {(z**2).sum():.0f} "
        f"on {len(z)} cells, "
        f"p = {p:.2g}"
    )
    verdict = FAILS if p < chance else HOLDS if out.mean() <= off + 1e-12 else MIXED
    return verdict, counts, f"agree {n_close} of {len(out)}"


def about(found, *, tenth=0.1):
    """*A printed figure without an error*, (our interval, the figure, decimals, unit): our whole interval lies within
    this share of it; a wider interval never makes it easier to hold."""
    cell, printed, decimals, unit = found.figure
    off, margin = cell.plus(-printed), tenth * abs(printed)
    verdict = HOLDS if off.most <= margin else FAILS if off.low > margin or off.high < -margin else INCONCLUSIVE
    return verdict, "", f"ours minus the printed {printed:g}: {off.text(decimals, unit)}, may be off by {margin:.2g}"


def again(found, *, level=0.05):
    """*A printed figure of a random experiment*, (the figure, real reruns, bootstrap, format): it lies where reruns of
    our protocol lie. If real reruns and the bootstrap of our hold-outs disagree, it is inconclusive."""
    printed, real, drawn, form = found.figure
    reruns = {f"{len(real)} real reruns": real, "a bootstrap of our hold-outs": drawn}
    ends = [level / 2, 1 - level / 2]
    ranges = {name: np.quantile(values, ends) for name, values in reruns.items() if len(values)}
    inside = {bool(low <= printed <= high) for low, high in ranges.values()}
    said = ", ".join(f"{name} {low:{form}} to {high:{form}}" for name, (low, high) in ranges.items())
    verdict = INCONCLUSIVE if len(inside) > 1 else HOLDS if inside.pop() else FAILS
    return verdict, "", f"{printed:{form}} printed; {said}"


def _counted(cells, most, level, least):
    """Return the verdict of `mostly`, or of `each` if `most` is None, and the counts of the cells in words.

    Without a clear answer it is mixed if more cells are as claimed than against, and fails if not; it is inconclusive
    if blunt cells could change that.
    """
    cells = {name: cell.at(level) for name, cell in some(cells, "runs to compare").items()}
    n, signs = len(cells), {name: cell.sign for name, cell in cells.items()}
    above, below, undecided = (list(signs.values()).count(sign) for sign in (1, -1, 0))
    blunt = [name for name, cell in cells.items() if cell.sign == 0 and not cell.finds(least)]

    def clear(wanted, others):
        return wanted == n or (most is not None and wanted > most * n and others <= level / 2 * n)

    def verdict_of(wanted, others):
        return HOLDS if clear(wanted, others) else MIXED if wanted > others and not clear(others, wanted) else FAILS

    verdict = verdict_of(above, below)
    open_ = verdict != HOLDS and not clear(below, above) and verdict_of(above + len(blunt), below) != verdict
    counts = f"of {n} cells, {above} as claimed, {below} against, {undecided} undecided"
    counts = counts + f" ({len(blunt)} of them blunt)" * bool(blunt) if n > 1 else ""
    named = {"against": -1} | ({"undecided": 0} if most is None else {})
    parts = [
        f"{word}: {_names(signs, sign)}" for word, sign in named.items() if 0 < list(signs.values()).count(sign) < n
    ]
    counts += f" ({'; '.join(parts)})" if parts else ""
    counts += f"{'; ' if counts else ''}too few draws to see {least:g}" if open_ else ""
    return INCONCLUSIVE if open_ else verdict, counts, ""


def _names(signs, sign):
    """Return the names of the cells with a sign, at most six of them."""
    names = [name for name, one in signs.items() if one == sign]
    return ", ".join([*names[:6], "..."] if len(names) > 6 else names)


RULES = (mostly, each, far, together, alike, sometimes, always, on_seconds, table, about, again)
