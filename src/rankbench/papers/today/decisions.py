"""Which of two methods for which table: does a rule choose better than always taking the one that is better overall?

A rule divides the tables by one of their features and takes on each side the method with the smaller mean error there.
It is judged on tables left out: each is given what the others say.
"""

import csv
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .contest_tables import FACTS


@dataclass(frozen=True)
class Rule:
    """Tables whose ``feature`` is below or at least ``limit``."""

    feature: str
    limit: float
    words: str


RULES = (
    Rule("rows", 200, "training rows"),
    Rule("nominal", 0.3, "share of nominal columns"),
    Rule("noise", 0.3, "lowest error of all methods"),
)


def features_of(records, errors):
    """Return the features that `RULES` name, one row per table of the records.

    ``noise`` is the lowest error of a table; before a table is fitted it can only be guessed from its cross-validation.

    Parameters
    ----------
    records : DataFrame
    errors : DataFrame
        One row per table and one column per method.
    """
    with open(FACTS, encoding="utf-8", newline="") as lines:
        facts = {row["name"]: int(row["nominal"]) / int(row["inputs"]) for row in csv.DictReader(lines)}
    rows = records.groupby("dataset")["n_train"].max()
    return pd.DataFrame({"rows": rows, "nominal": pd.Series(facts), "noise": errors.min(axis=1)}).loc[errors.index]


def decisions(features, differences):
    """Return for each side of each rule who is better there, and what the rule is worth on tables left out.

    Parameters
    ----------
    features : DataFrame
        See `features_of`.
    differences : Series
        By table: the error of ours minus that of the other.

    Returns
    -------
    DataFrame
        ``feature side tables better difference right always gain``: the tables of the side, on how many ours is better,
        and the mean difference; for both sides together the shares of tables left out on which the rule, and on which
        one method for all, takes the better one (equal: half), and the mean error that the rule saves.
    """
    rows, values = [], differences.to_numpy()
    always = _chosen(values, np.zeros(len(values), dtype=bool))
    for rule in RULES:
        large = (features[rule.feature] >= rule.limit).to_numpy()
        chosen = _chosen(values, large)
        gain = float(((always - chosen) * values).mean())
        for side, there in (("<", ~large), (">=", large)):
            part = values[there]
            told = (len(part), int((part < 0).sum()), part.mean() if len(part) else np.nan)
            rows.append(
                (rule.words, f"{side} {rule.limit:g}", *told, _right(chosen, values), _right(always, values), gain)
            )
    return pd.DataFrame(rows, columns=["feature", "side", "tables", "better", "difference", "right", "always", "gain"])


def _chosen(values, large):
    """Return for each table 1.0 if the others of its side (of all, if there are none) say ours, else 0.0."""
    chosen = np.zeros(len(values))
    for at in range(len(values)):
        others = np.arange(len(values)) != at
        side = others & (large == large[at])
        chosen[at] = values[side if side.any() else others].mean() < 0
    return chosen


def _right(chosen, values):
    """Return the share of tables on which the choice has the smaller error; equal errors count half."""
    return float(np.where(values == 0, 0.5, (values < 0) == (chosen == 1)).mean())
