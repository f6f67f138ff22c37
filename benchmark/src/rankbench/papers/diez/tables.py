"""Tables of Díez, del Coz and Bahamonde: Table 1, and what other protocols, draws and readings make of it."""

from functools import partial
from itertools import product

import numpy as np
import pandas as pd
from scipy import stats

from rankbench.configuration.labels import condition_label, method_labels
from rankbench.papers.diez.printed import COLUMNS, METRIC, PUBLISHED_RUNS, beside_table1, with_difference
from rankbench.tables.cells import explained, number, ours
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
FORMS = {"svor5": ("svor5", "svor5_on_bins"), "herbrich5": ("herbrich5",)}
FORMS["svm_multi_sp"] = ("svm_multi_sp", "svm_multi_sp_percent")
RIDDLES = ["condition", *FORMS, "half", "cells", "chi2", "p", "within_two"]
DAGGERS = {"": 0, "0.05": 1, "0.01": 2}


def draws(frames, experiment, titles):
    """Return the counts of Table 1 on several draws of twenty hold-outs, one row per draw.

    The csv is tidy, with the columns `DRAWS`; parameters as in `rankbench.room.Table`, ``published`` as in `_counted`.
    """
    caption = f"{COUNTED} Each draw has twenty hold-outs of its own, by the same protocol; the last row is the range "
    cells = frames["draws"].reindex(columns=DRAWS)
    return _counted(cells, "Draw", "draw {}".format, frames, experiment, f"{caption}over the draws.")


def multiverse(frames, experiment, titles):
    """Return which conclusions survive which protocol, one row per protocol.

    The csv is tidy, with the columns `MULTIVERSE` (the difference is a fraction); parameters as in
    `rankbench.room.Table`, ``published`` as in `_counted`.
    """
    name = partial(condition_label, experiment)
    caption = f"{COUNTED} The last row is the range over the protocols."
    return _counted(frames["overall"][MULTIVERSE], "Protocol", name, frames, experiment, caption)


def _counted(cells, first, name, frames, experiment, caption):
    """Return the table of counts: a row for each value of the first column of `cells`, one with the printed counts, and
    last their range; a group of columns per opponent.

    ``published`` has one row per opponent: ``opponent wins ties losses significant_wins ttest_p_published``.
    """

    def lay_out(markup):
        labels, rows = method_labels(experiment, markup.label), []
        groups = [(markup.text(name(key)), part) for key, part in cells.groupby(cells.columns[0], sort=False)]
        if "published" in frames:
            printed = frames["published"].rename(columns={"ttest_p_published": "p_one_sided"})
            groups.append(("printed", printed[printed["opponent"].isin(list(labels))]))
        for key, group in groups:
            texts = {(first, ""): key}
            for cell in group.itertuples():
                texts[labels[cell.opponent], "wins / ties / losses"] = f"{cell.wins} / {cell.ties} / {cell.losses}"
                texts[labels[cell.opponent], "significant"] = f"{cell.significant_wins}"
                texts[labels[cell.opponent], "p"] = f"{cell.p_one_sided:.2g}"
            rows.append(texts)
        return grid_of([*rows, {(first, ""): "range"} | _ranges(cells, labels)]), caption

    return written(cells, lay_out)


def _ranges(cells, labels):
    """Return the lowest to the highest count of each opponent."""
    row = {}
    for opponent, part in cells.groupby("opponent", sort=False):
        names = {"wins / ties / losses": ("wins", "ties", "losses"), "significant": ("significant_wins",)}
        for column, counts in names.items():
            spans = [f"{part[count].min()} to {part[count].max()}" for count in counts]
            row[labels[opponent], column] = " / ".join(spans)
        row[labels[opponent], "p"] = f"{part['p_one_sided'].min():.2g} to {part['p_one_sided'].max():.2g}"
    return row


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
    cells = halves[(halves["metric"] == METRIC) & (halves["n_runs"] > 1)]
    printed_as = {form: name for name, forms in FORMS.items() for form in forms}
    cells = cells.assign(title=cells["dataset"].map(titles), key=cells["method"].map(printed_as))
    printed = published.rename(columns={"dataset": "title", "method": "key"})
    both = with_difference(cells.merge(printed, on=["title", "key"]))
    both["z"] = both["difference"] / both["standard_error"]
    rows = []
    for (condition, half), part in both.groupby(["condition", "half"], sort=False):
        for forms in product(*FORMS.values()):
            z = part.loc[part["method"].isin(forms), "z"].to_numpy()
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
        chi2 = [number(row["chi2", half], ".0f") for half in halves]
        chi2[0] = f"{chi2[0]} on {number(row['cells', 'all'], '.0f')}"
        coding = markup.text(condition_label(experiment, key[0]))
        rows.append([coding, *(labels[form] for form in key[1:]), *chi2, number(row["within_two", "all"], ".0f")])
    return pd.DataFrame(rows, columns=pd.MultiIndex.from_tuples(columns))


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
    both = cells["published_mean"].notna().any()

    def lay_out(markup):
        grid = _table1(cells, experiment, titles, markup, both)
        return grid, explained(_caption(experiment, markup, both), cells)

    return written(cells[COLUMNS], lay_out, "%.4f")


def _table1(cells, experiment, titles, markup, both):
    """Return the grid of cell texts: one row per data set, columns (method, ours / printed / difference), the last two
    only with `both`."""
    labels = method_labels(experiment, markup.label)
    sizes = {titles[key]: f"{data.n_train} / {data.n_test}" for key, data in experiment.datasets.items()}
    rows = []
    for dataset, row in cells.groupby("dataset", sort=False):
        texts = {("Dataset", ""): markup.text(dataset), ("train / test", ""): sizes[dataset]}
        lowest_ours = row["ours_mean"].round(2).min()
        lowest_printed = row["published_mean"].min()
        for cell in row.itertuples():
            label, lowest = labels[cell.method], round(cell.ours_mean, 2) == lowest_ours
            text = _mean_and_sd(cell.ours_mean, cell.ours_sd, cell.significance, lowest, markup)
            texts[label, "ours"] = ours(cell, text + " (untested)" * (cell.significance == "untested"))
            if both:
                printed, lowest = cell.published_mean, cell.published_mean == lowest_printed
                text = _mean_and_sd(printed, cell.published_sd, cell.published_significance, lowest, markup)
                texts[label, "printed"] = "not printed" if np.isnan(printed) else text
                text = markup.signed(cell.difference) + markup.plus_minus + number(cell.standard_error, ".2f")
                texts[label, "difference"] = "n/a" if np.isnan(cell.difference) else text
        rows.append(texts)
    return grid_of(rows)


def _mean_and_sd(mean, sd, significance, lowest, markup):
    text = markup.bold(number(mean, ".2f")) if lowest else number(mean, ".2f")
    return text + markup.dagger * DAGGERS.get(significance, 0) + markup.plus_minus + number(sd, ".2f")


def _caption(experiment, markup, both):
    """Return the explanation of the table, in the given markup; with `both` it shows printed numbers too."""
    reference = method_labels(experiment, markup.label)[experiment.reference_method]
    dagger, minus = markup.dagger, markup.minus
    ours, beside, among = f"{experiment.seeds} hold-outs", "", ""
    if both:
        ours += f" (ours) and {PUBLISHED_RUNS} (printed)"
        beside = (
            f" Difference: ours {minus} printed{markup.plus_minus}its standard error, the root of the summed "
            "variance / runs of both."
        )
        among = ", among ours and among the printed"
    return (
        f"Percentage of swapped pairs on the test part: mean{markup.plus_minus}standard deviation over {ours}.{beside} "
        f"Bold: the lowest mean of the row{among}. {dagger} ({dagger}{dagger}): differs from {reference} by a "
        f"paired t-test over the hold-outs, p {markup.less} 0.05 (0.01)."
    )
