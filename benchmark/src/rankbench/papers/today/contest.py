"""What the contest answers from its kept records: whether ours, or an average with it, orders better.

`docs/reproduction/contest_protocol.md` has the questions and what would count as an answer.
"""

from itertools import combinations

import numpy as np
import pandas as pd

from rankbench.configuration.labels import method_labels

from .averages import BETWEEN, OURS
from .kept import CONSTANT, VALUES, Kept

IN_OUR_PLACE = "svr"
# R1, R2, R3 of the protocol: the tuned rivals with the smallest average rank on the first eight tables of part A. They
# were named before part B was run, and stay what they are when tables are added to A.
RIVALS = ("catboost", "extra_trees", "svr")
PLANNED = {  # questions 1 to 3, with the first rival: ours against the control
    "Better alone?": ((OURS,), RIVALS[:1]),
    "Does adding ours help?": ((OURS, RIVALS[0]), RIVALS[:2]),
    "Does it have to be ours?": ((OURS, RIVALS[0]), (IN_OUR_PLACE, RIVALS[0])),
}
EQUAL = 0.1  # a smaller gain is none: a tenth of a percent of the pairs
DRAWS = 10_000  # of tables, for an interval
_, FRESH, _, CONFIRM = VALUES


class Errors:
    """Errors of methods and of averages of them, per table: one minus the mean concordance over its hold-outs.

    Parameters
    ----------
    averages : DataFrame
        Of the statistic ``averages``. A failed run counts as the constant answer, which changes no average of ranks.
    """

    def __init__(self, averages):
        self.holdouts = averages.set_index(["dataset", "seed"]).index.unique()
        by_members = averages.groupby(["method", "other"], sort=False)
        self.values = {
            frozenset((one, *others.split(BETWEEN))): rows.set_index(["dataset", "seed"])["value"]
            for (one, others), rows in by_members
        }

    def of(self, *names):
        """Return the errors by table of a method, or of the average of several."""
        values = self._of(frozenset(names)).fillna(CONSTANT)
        return 1 - values.groupby(level="dataset", sort=False).mean()

    def _of(self, members):
        """Return the concordance by hold-out; of an average without a member that failed, that of the others."""
        if members not in self.values and len(members) == 1:
            raise KeyError(*members)
        values = self.values.get(members, pd.Series(dtype=float)).reindex(self.holdouts)
        for size in range(len(members) - 1, 0, -1):  # the average of as many as did not fail
            for some in combinations(sorted(members), size):
                values = values.fillna(self.values.get(frozenset(some), pd.Series(dtype=float)))
        return values


def planned(averages, holdouts=DRAWS):
    """Return the questions of the protocol as columns: percentage points that ours swaps less than the control.

    Parameters
    ----------
    averages : DataFrame
        Of the statistic ``averages``.
    holdouts : int
        Draws of the tables, for the 95 percent bootstrap interval of the mean.

    Returns
    -------
    DataFrame
        ``question ours control points low high ahead tables answer``; *yes* if the interval lies above 0 and, against
        the best two rivals, ours is ahead on most tables, *no* if it lies below a tenth of a point, else *open*.
    """
    errors, rows = Errors(averages), []
    for question, (ours, control) in PLANNED.items():
        gains = 100 * (errors.of(*control) - errors.of(*ours)).to_numpy()
        draws = np.random.default_rng(0).integers(len(gains), size=(holdouts, len(gains)))
        low, high = np.quantile(gains[draws].mean(axis=1), (0.025, 0.975))
        ahead = int((gains > 0).sum())
        most = 2 * ahead > len(gains) or control != RIVALS[:2]
        answer = "yes" if low > 0 and most else "no" if high < EQUAL else "open"
        rows.append(
            (question, BETWEEN.join(ours), BETWEEN.join(control), gains.mean(), low, high, ahead, len(gains), answer)
        )
    return pd.DataFrame(
        rows, columns=["question", "ours", "control", "points", "low", "high", "ahead", "tables", "answer"]
    )


def answers(root):
    """Return the table of the answers in Markdown: one row per question, one column for the parts B and C."""
    parts = {"fresh tables (B)": Kept(FRESH, root), "later tables (C)": Kept(CONFIRM, root)}
    found = [planned(kept.averages) for kept in parts.values()]
    labels = method_labels(next(iter(parts.values())).experiment)
    lines = [f"| percentage points fewer swapped pairs | {' | '.join(parts)} |", "| --- | --- | --- |"]
    for both in zip(*(part.itertuples() for part in found), strict=True):
        intervals = [f"{one.points:.2f} ({one.low:.2f} to {one.high:.2f})" for one in both]
        ahead = [f"ahead on {one.ahead} of {one.tables} tables: **{one.answer}**" for one in both]
        cells = map(", ".join, zip(intervals, ahead, strict=True))
        members = [" + ".join(labels[name] for name in names.split(BETWEEN)) for names in both[0][2:4]]
        lines.append(f"| {' than '.join(members)} | {' | '.join(cells)} |")
    return "\n".join(lines)
