"""Which conclusions survive which protocol: the comparisons over all data sets, one row per protocol and opponent."""

import pandas as pd

from rankbench.labels import condition_label, method_labels
from rankbench.tables.markup import MARKUPS

COLUMNS = ["condition", "opponent", "n_datasets", "n_missing", "wins", "ties", "losses", "significant_wins"]
COLUMNS += ["significant_losses", "corrected_wins", "mean_difference", "p_one_sided"]
LEVEL = 0.05


def render(frames, experiment, titles):
    """Return the table as csv (tidy, `COLUMNS`; the difference is a fraction) and as md, tex and html.

    Parameters
    ----------
    frames, experiment, titles
        As in `rankbench.tables`; ``published`` has one row per opponent: ``opponent wins ties losses significant_wins
        ttest_p_published``.
    """
    cells = frames["overall"][COLUMNS]
    texts = {"csv": cells.to_csv(index=False, na_rep="NA", float_format="%.6g", lineterminator="\n")}
    for ending, markup in MARKUPS.items():
        texts[ending] = markup.table(lay_out(cells, experiment, frames.get("published"), markup), _caption())
    return texts


def lay_out(cells, experiment, published, markup):
    """Return the grid of cell texts: one row per protocol, one with the printed counts, and last the share of protocols
    where the difference is significant; one group of columns per opponent."""
    labels = method_labels(experiment, markup.label)
    rows = [
        (markup.text(condition_label(experiment, condition)), group)
        for condition, group in cells.groupby("condition", sort=False)
    ]
    share = {("Protocol", ""): f"p {markup.less} {LEVEL}"}
    for opponent, group in cells.groupby("opponent", sort=False):
        share[labels[opponent], "p"] = f"{(group['p_one_sided'] < LEVEL).sum()} of {len(group)}"
    return grid_of("Protocol", rows, published, labels, share, markup)


def grid_of(first, groups, published, labels, last, markup):
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
    grid = pd.DataFrame([*rows, last]).fillna("")
    grid.columns = pd.MultiIndex.from_tuples(grid.columns)
    return grid


def _cell(label, row, significant, p):
    counts = f"{row.wins} / {row.ties} / {row.losses}"
    return {(label, "wins / ties / losses"): counts, (label, "significant"): f"{significant}", (label, "p"): f"{p:.2g}"}


def _caption():
    """Return how to read the table."""
    return (
        "Data sets on which the reference has the lower mean, the same mean, the higher mean; how many of the wins are "
        "significant (paired t-test over the hold-outs, 0.05); p of the one-sided paired t-test over the means of the "
        "data sets. Last row: protocols under which that p is below 0.05."
    )
