"""Tables of Díez, del Coz and Bahamonde: Table 1, and what other protocols, draws and readings make of it."""

from itertools import product

import numpy as np
import pandas as pd
from scipy import stats

from rankbench.labels import condition_label, method_labels
from rankbench.papers.diez.printed import COLUMNS, METRIC, PUBLISHED_RUNS, beside_table1, with_difference
from rankbench.shortfalls import COMMON, incomplete, missing_of
from rankbench.tables.markup import grid_of, written

COUNTED = (
    "Data sets on which the reference has the lower mean, the same mean, the higher mean; how many of the wins are "
    "significant (paired t-test over the hold-outs, 0.05); p of the one-sided paired t-test over the means of the data "
    "sets."
)
DRAWS = ["draw", "opponent", "n_datasets", "n_missing", "wins", "ties", "losses", "significant_wins"]
DRAWS += ["holm_wins", "bh_wins", "corrected_wins", "mean_difference", "p_one_sided"]
MULTIVERSE = ["condition", "opponent", "n_datasets", "n_missing", "wins", "ties", "losses", "significant_wins"]
MULTIVERSE += ["significant_losses", "corrected_wins", "mean_difference", "p_one_sided"]
LEVEL = 0.05
FORMS = {"svor5": ("svor5", "svor5_on_bins"), "herbrich5": ("herbrich5",)}
FORMS["svm_multi_sp"] = ("svm_multi_sp", "svm_multi_sp_percent")
RIDDLES = ["condition", *FORMS, "half", "cells", "chi2", "p", "within_two"]
DAGGERS = {"": 0, "0.05": 1, "0.01": 2}


def draws(frames, experiment, titles):
    """Return the counts of Table 1 on several draws of twenty hold-outs, one row per draw, and their spread.

    The csv is tidy, with the columns `DRAWS`; parameters as in `rankbench.room.Table`.
    """
    cells = frames["draws"].reindex(columns=DRAWS)
    rows = [(f"draw {draw}", part) for draw, part in cells.groupby("draw", sort=False)]
    caption = f"{COUNTED} Each draw has twenty hold-outs of its own, by the same protocol; the last row is the range "
    caption += "over the draws."

    def lay_out(markup):
        labels = method_labels(experiment, markup.label)
        return _counts("Draw", rows, frames.get("published"), labels, _ranges(cells, labels)), caption

    return written(cells, lay_out)


def _ranges(cells, labels):
    """Return the last row: lowest to highest count of each opponent."""
    row = {("Draw", ""): "range"}
    for opponent, part in cells.groupby("opponent", sort=False):
        names = {"wins / ties / losses": ("wins", "ties", "losses"), "significant": ("significant_wins",)}
        for column, counts in names.items():
            spans = [f"{part[count].min()} to {part[count].max()}" for count in counts]
            row[labels[opponent], column] = " / ".join(spans)
        row[labels[opponent], "p"] = f"{part['p_one_sided'].min():.2g} to {part['p_one_sided'].max():.2g}"
    return row


def multiverse(frames, experiment, titles):
    """Return which conclusions survive which protocol: one row per protocol, one with the printed counts, and last the
    share of protocols where the difference is significant; one group of columns per opponent.

    The csv is tidy, with the columns `MULTIVERSE` (the difference is a fraction); parameters as in
    `rankbench.room.Table`; ``published`` has one row per opponent: ``opponent wins ties losses significant_wins
    ttest_p_published``.
    """
    cells = frames["overall"][MULTIVERSE]
    caption = f"{COUNTED} Last row: protocols under which that p is below 0.05."

    def lay_out(markup):
        labels = method_labels(experiment, markup.label)
        parts = cells.groupby("condition", sort=False)
        rows = [(markup.text(condition_label(experiment, condition)), part) for condition, part in parts]
        share = {("Protocol", ""): f"p {markup.less} {LEVEL}"}
        for opponent, part in cells.groupby("opponent", sort=False):
            share[labels[opponent], "p"] = f"{(part['p_one_sided'] < LEVEL).sum()} of {len(part)}"
        return _counts("Protocol", rows, frames.get("published"), labels, share), caption

    return written(cells, lay_out)


def _counts(first, groups, published, labels, last):
    """Return the grid of counts: one row per (name, rows of `overall`), the printed row, and the `last` row."""
    rows = []
    for name, group in groups:
        texts = {(first, ""): name}
        for cell in group.itertuples():
            texts |= _cell(labels[cell.opponent], cell, cell.significant_wins, cell.p_one_sided)
        rows.append(texts)
    if published is not None:
        printed = {(first, ""): "printed"}
        for row in published.itertuples():
            if row.opponent in labels:
                printed |= _cell(labels[row.opponent], row, row.significant_wins, row.ttest_p_published)
        rows.append(printed)
    return grid_of([*rows, last])


def _cell(label, row, significant, p):
    counts = f"{row.wins} / {row.ties} / {row.losses}"
    return {(label, "wins / ties / losses"): counts, (label, "significant"): f"{significant}", (label, "p"): f"{p:.2g}"}


def riddles(frames, experiment, titles):
    """Compare several readings of the text with the printed Table 1, by chi-squared of the whole table, nearest first.

    Exploratory: the readings were chosen after the printed cells had been seen. The csv is tidy, with the columns
    `RIDDLES` and every half of the seeds; parameters as in `rankbench.room.Table`; ``published`` is Table 1 as printed.
    """
    scores = score(frames["halves"], frames["published"], titles)
    return written(scores, lambda markup: (_riddles(scores, experiment, markup), _choice(scores)))


def score(halves, published, titles):
    """Score every combination of a coding and a form of each method against the printed means.

    Returns
    -------
    DataFrame
        `RIDDLES`, one row per combination and half of the seeds: the sum of squared differences divided by their
        standard errors (of ours and of the printed means), its p, and the number of cells within two standard errors.
    """
    ours = halves[(halves["metric"] == METRIC) & (halves["n_runs"] > 1)]
    ours = ours.assign(title=ours["dataset"].map(titles))
    rows = []
    for (condition, half), part in ours.groupby(["condition", "half"], sort=False):
        for forms in product(*FORMS.values()):
            chosen = part.assign(key=part["method"].map(dict(zip(forms, FORMS))))
            both = with_difference(chosen.merge(published, left_on=["title", "key"], right_on=["dataset", "method"]))
            z = (both["difference"] / both["standard_error"]).to_numpy()
            chi2 = float(np.sum(z**2))
            p = stats.chi2.sf(chi2, len(z)) if len(z) else np.nan
            rows.append((condition, *forms, half, len(z), chi2, p, int(np.sum(np.abs(z) <= 2))))
    return pd.DataFrame(rows, columns=RIDDLES)


def _riddles(scores, experiment, markup):
    """Return the grid of cell texts, one row per combination, the smallest chi-squared of all seeds first."""
    labels = method_labels(experiment, markup.label)
    values, halves = ["chi2", "cells", "within_two"], ["all", "even", "odd"]
    wide = scores.pivot(index=["condition", *FORMS], columns="half", values=values)
    wide = wide.reindex(columns=pd.MultiIndex.from_product([values, halves]))  # a half may have no runs
    columns = [("Coding", ""), ("ordinal regression", ""), ("thinned pairs", ""), ("all pairs", "")]
    columns += [("chi-squared", f"{half} seeds") for half in halves] + [("cells", "within two errors")]
    rows = []
    for key, row in wide.sort_values(("chi2", "all"), kind="stable").iterrows():
        chi2 = [_whole(row["chi2", half]) for half in halves]
        chi2[0] = f"{chi2[0]} on {_whole(row['cells', 'all'])}"
        coding = markup.text(condition_label(experiment, key[0]))
        rows.append([coding, *(labels[form] for form in key[1:]), *chi2, _whole(row["within_two", "all"])])
    return pd.DataFrame(rows, columns=pd.MultiIndex.from_tuples(columns))


def _whole(number):
    return "n/a" if np.isnan(number) else f"{number:.0f}"


def _choice(scores):
    """Describe which combination the even seeds choose and what the odd seeds say about it, and how to read the
    table."""
    even, odd = (scores[scores["half"] == half].reset_index(drop=True) for half in ("even", "odd"))
    text = ""
    if len(even) and even["chi2"].notna().any():
        best = even.loc[even["chi2"].idxmin()]
        keys = ["condition", *FORMS]
        judged = odd[(odd[keys] == best[keys]).all(axis=1)].iloc[0]
        text = (
            f"The even seeds choose {', '.join(best[keys])}; on the odd seeds it has chi-squared {judged['chi2']:.0f} "
            f"on {judged['cells']} cells (p = {judged['p']:.2g}), {judged['within_two']} of them within two standard "
            "errors. "
        )
    return text + (
        "Exploratory: the readings were chosen after the printed numbers had been seen, on other hold-outs than these. "
        "Chi-squared: squared differences from the printed means over their variances, summed over all cells; a table "
        "that differs by chance alone has about as much as cells."
    )


def table1(frames, experiment, titles):
    """Return Table 1 in the paper's layout: percentage of swapped pairs, ours and the printed one.

    One row per data set, one column group per method: ours, printed, and their difference with its standard error;
    ours alone where nothing is printed. The lowest mean of a row is bold, once among ours and once among the printed;
    daggers mark significance against the reference. Missing numbers are NA in the csv (tidy, `COLUMNS` of ``printed``)
    and words elsewhere; the only empty cells are the csv's ``significance`` of differences that are not significant (or
    of the reference itself).

    Parameters, Raises
        As `rankbench.papers.diez.printed.beside_table1`.
    """
    cells = beside_table1(frames, experiment, titles)
    missing = f" {COMMON}" if cells["n_missing"].any() else ""

    def lay_out(markup):
        return _table1(cells, experiment, titles, markup), _caption(experiment, markup, _both(cells)) + missing

    return written(cells[COLUMNS], lay_out, "%.4f")


def _table1(cells, experiment, titles, markup):
    """Return the grid of cell texts: one row per data set, columns (method, ours / printed / difference)."""
    labels = method_labels(experiment, markup.label)
    sizes = {titles[key]: f"{data.n_train} / {data.n_test}" for key, data in experiment.datasets.items()}
    rows = []
    for dataset, row in cells.groupby("dataset", sort=False):
        texts = {("Dataset", ""): markup.text(dataset), ("train / test", ""): sizes[dataset]}
        lowest_ours = row["ours_mean"].round(2).min()
        lowest_printed = row["published_mean"].min()
        for cell in row.itertuples():
            label = labels[cell.method]
            texts[label, "ours"] = _ours(cell, round(cell.ours_mean, 2) == lowest_ours, markup)
            if _both(cells):
                texts[label, "printed"] = _printed(cell, cell.published_mean == lowest_printed, markup)
                texts[label, "difference"] = _difference(cell, markup)
        rows.append(texts)
    return grid_of(rows)


def _both(cells):
    """Return whether the paper prints any of these cells."""
    return cells["published_mean"].notna().any()


def _ours(cell, lowest, markup):
    if cell.n_runs == 0:
        return incomplete(cell)
    text = _mean_and_sd(cell.ours_mean, cell.ours_sd, cell.significance, lowest, markup)
    if cell.significance == "untested":
        text += " (untested)"
    return text + missing_of(cell)


def _printed(cell, lowest, markup):
    if np.isnan(cell.published_mean):
        return "not printed"
    return _mean_and_sd(cell.published_mean, cell.published_sd, cell.published_significance, lowest, markup)


def _difference(cell, markup):
    if np.isnan(cell.difference):
        return "n/a"
    return markup.signed(cell.difference) + markup.plus_minus + _two_decimals(cell.standard_error)


def _mean_and_sd(mean, sd, significance, lowest, markup):
    text = markup.bold(_two_decimals(mean)) if lowest else _two_decimals(mean)
    return text + markup.dagger * DAGGERS.get(significance, 0) + markup.plus_minus + _two_decimals(sd)


def _two_decimals(value):
    return "n/a" if np.isnan(value) else f"{value:.2f}"


def _caption(experiment, markup, both):
    """Return the explanation of the table, in the given markup; with `both` it shows printed numbers too."""
    reference = method_labels(experiment, markup.label)[experiment.reference_method]
    dagger, minus = markup.dagger, markup.minus
    ours, beside, among = f"{experiment.seeds} hold-outs", "", ""
    if both:
        ours += f" (ours) and {PUBLISHED_RUNS} (printed)"
        beside = f" Difference: ours {minus} printed{markup.plus_minus}its standard error, the root of the summed "
        beside += "variance / runs of both."
        among = ", among ours and among the printed"
    return (
        f"Percentage of swapped pairs on the test part: mean{markup.plus_minus}standard deviation over {ours}.{beside} "
        f"Bold: the lowest mean of the row{among}. {dagger} ({dagger}{dagger}): differs from {reference} by a "
        f"paired t-test over the hold-outs, p {markup.less} 0.05 (0.01)."
    )
