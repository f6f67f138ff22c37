"""The counts of Table 1 of Diez et al. on several draws of twenty hold-outs, one row per draw, and their spread."""

from rankbench.labels import method_labels
from rankbench.papers.diez.tables.multiverse import grid_of
from rankbench.tables.markup import MARKUPS

COLUMNS = ["draw", "opponent", "n_datasets", "n_missing", "wins", "ties", "losses", "significant_wins"]
COLUMNS += ["holm_wins", "bh_wins", "corrected_wins", "mean_difference", "p_one_sided"]
CAPTION = (
    "Data sets on which the reference has the lower mean, the same mean, the higher mean; how many of the wins are "
    "significant (paired t-test over the hold-outs, 0.05); p of the one-sided paired t-test over the means of the data "
    "sets. Each draw has twenty hold-outs of its own, by the same protocol; the last row is the range over the draws."
)


def render(frames, experiment, titles):
    """Return the table as csv (tidy, `COLUMNS`) and as md, tex and html; parameters as in `rankbench.tables`."""
    cells = frames["draws"].reindex(columns=COLUMNS)
    texts = {"csv": cells.to_csv(index=False, na_rep="NA", float_format="%.6g", lineterminator="\n")}
    for ending, markup in MARKUPS.items():
        labels = method_labels(experiment, markup.label)
        rows = [(f"draw {draw}", part) for draw, part in cells.groupby("draw", sort=False)]
        grid = grid_of("Draw", rows, frames.get("published"), labels, _ranges(cells, labels), markup)
        texts[ending] = markup.table(grid, CAPTION)
    return texts


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
