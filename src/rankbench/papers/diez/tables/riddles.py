"""Compare several readings of the text with the printed Table 1 of Diez et al., by chi-squared of the whole table.

Exploratory: the readings were chosen after the printed cells had been seen.
"""

from itertools import product

import numpy as np
import pandas as pd
from scipy import stats

from rankbench.labels import condition_label, method_labels
from rankbench.papers.diez.printed import METRIC, PUBLISHED_RUNS
from rankbench.tables.markup import MARKUPS

FORMS = {"svor5": ("svor5", "svor5_on_bins"), "herbrich5": ("herbrich5",)}
FORMS["svm_multi_sp"] = ("svm_multi_sp", "svm_multi_sp_percent")
COLUMNS = ["condition", *FORMS, "half", "cells", "chi2", "p", "within_two"]


def render(frames, experiment, titles):
    """Return the scores as csv (tidy, `COLUMNS`, every half) and as md, tex and html, nearest first.

    Parameters
    ----------
    frames, experiment, titles
        As in `rankbench.tables`; ``published`` is Table 1 as printed.
    """
    scores = score(frames["halves"], frames["published"], titles)
    texts = {"csv": scores.to_csv(index=False, na_rep="NA", float_format="%.6g", lineterminator="\n")}
    for ending, markup in MARKUPS.items():
        texts[ending] = markup.table(lay_out(scores, experiment, markup), caption(scores))
    return texts


def score(halves, published, titles):
    """Score every combination of a coding and a form of each method against the printed means.

    Returns
    -------
    DataFrame
        `COLUMNS`, one row per combination and half of the seeds: the sum of squared differences divided by their
        standard errors (of ours and of the printed means), its p, and the number of cells within two standard errors.
    """
    ours = halves[(halves["metric"] == METRIC) & (halves["n_runs"] > 1)]
    ours = ours.assign(title=ours["dataset"].map(titles))
    rows = []
    for (condition, half), part in ours.groupby(["condition", "half"], sort=False):
        for forms in product(*FORMS.values()):
            chosen = part.assign(key=part["method"].map(dict(zip(forms, FORMS))))
            z = _z(chosen, published)
            chi2 = float(np.sum(z**2))
            p = stats.chi2.sf(chi2, len(z)) if len(z) else np.nan
            rows.append((condition, *forms, half, len(z), chi2, p, int(np.sum(np.abs(z) <= 2))))
    return pd.DataFrame(rows, columns=COLUMNS)


def _z(chosen, published):
    """Return ours minus printed, divided by its standard error, for the cells that are in both."""
    both = chosen.merge(published, left_on=["title", "key"], right_on=["dataset", "method"])
    error = np.sqrt((100 * both["sd"]) ** 2 / both["n_runs"] + both["sd_swapped_pct"] ** 2 / PUBLISHED_RUNS)
    return ((100 * both["mean"] - both["mean_swapped_pct"]) / error).to_numpy()


def lay_out(scores, experiment, markup):
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


def caption(scores):
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
