"""What the contest answers from its kept records: edges of searches, and whether an average gains by one of ours.

`docs/reproduction/contest_protocol.md` has the questions and what would count as an answer.
"""

from itertools import combinations

import numpy as np
import pandas as pd

from rankbench.compare.adding import BETWEEN, OURS
from rankbench.experiments.frames import read_frame
from rankbench.labels import method_labels
from rankbench.statistics.bayes import probabilities, rope_of

from .kept import AVERAGES, CONSTANT, KEPT
from .robust import clearness, p_of, to_settle

IN_OUR_PLACE = "svr"
# R1, R2, R3 of the protocol: the tuned rivals with the smallest average rank on the first eight tables of part A. They
# were named before part B was run, and stay what they are when tables are added to A.
RIVALS = ("catboost", "extra_trees", "svr")
PLANNED = {  # questions 1 to 3, with the first rival: ours against the control
    "Better alone?": ((OURS,), RIVALS[:1]),
    "Does adding ours help?": ((OURS, RIVALS[0]), RIVALS[:2]),
    "Does it have to be ours?": ((OURS, RIVALS[0]), (IN_OUR_PLACE, RIVALS[0])),
}
GRADES_ASKED = ("rank_boundaries", "lightgbm")  # of question 4: the best of ours and of others, named in the same way
DRAWS = 10_000  # of the tables, for an interval
FEWEST = 10  # tables that answer something; an interval of fewer is too narrow
EQUAL = -0.001  # a difference above it is no gain: a tenth of a percent of the pairs
ALIKE = rope_of("concordance_index")  # a difference that does not matter, in the Bayesian test


def searches_of(kept):
    """Return one row per method that searched, as the pages show it, of a `rankbench.papers.today.kept.Kept`."""
    rows = kept.frames("searches")["searches"]
    labels = method_labels(kept.experiment)
    return pd.DataFrame(
        {
            "method": [labels[name] for name in rows["method"]],
            "searches": rows["n_runs"],
            "settings tried": rows["settings"].round(1),
            "cut short": [f"{share:.0%}" for share in rows["cut"]],
            "seconds": rows["seconds"].round(1),
            "at an edge": [f"{share:.0%}" for share in rows["at_edge"]],
            "edges": rows["edges"],
            "ready": np.where(rows["ready"], "yes", "no"),
        }
    )


def losses_of(kept):
    """Return one row per method with its mean error on each table, of a `rankbench.papers.today.kept.Kept`."""
    means = kept.errors().groupby(level="dataset", sort=False).mean().round(3)
    means = means.rename(columns=method_labels(kept.experiment), index=kept.titles)
    return means.T.rename_axis("method").reset_index()


def averages_of(name, root):
    """Return the kept averages of an experiment: the frame of the statistic ``averages``."""
    return read_frame(root / KEPT / AVERAGES / f"{name}.parquet")[0]


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

    def has(self, *names):
        """Return whether there is an average of these, on any table."""
        return frozenset(names) in self.values


def questions(averages, experiment, rivals=RIVALS):
    """Answer the questions 1 to 3 of the protocol.

    Parameters
    ----------
    averages : DataFrame
    experiment : Experiment
    rivals : sequence of str
        R1, R2 and R3.

    Returns
    -------
    DataFrame
        ``question against difference low high better tables answer`` and the probabilities ``better / alike / worse``
        of the Bayesian signed-rank test: the mean difference of the errors over the tables in percent of the pairs,
        below 0 where ours is better, its 95 percent bootstrap interval over tables, the tables on which ours is better,
        and ``yes``, ``no``, ``open`` or, below `FEWEST`, ``too few tables``. ``clear`` says which probability is,
        ``p`` is that of the t test over the tables, and ``would settle`` is how many would answer what is open.
    """
    errors, labels = Errors(averages), method_labels(experiment)
    first, second, third = rivals
    asked = [((OURS,), (first,))]
    asked += [((OURS, rival), (first, second)) for rival in (first, second, third)]
    asked += [((OURS, rival), (IN_OUR_PLACE, rival)) for rival in (first, second, third) if rival != IN_OUR_PLACE]
    three = (first, second, third)
    asked += [(more, three) for more in ((OURS, first, second), (OURS, *three)) if errors.has(*more)]
    rows = []
    for ours, control in asked:
        both = errors.of(*ours).to_numpy(), errors.of(*control).to_numpy()
        differences = both[0] - both[1]
        low, high, better = *interval(differences), int((differences < 0).sum())
        most = 2 * better > len(differences) or control != (first, second)  # asked of question 2
        answer = "yes" if high < 0 and most else "no" if low > EQUAL else "open"
        answer = answer if len(differences) >= FEWEST else "too few tables"
        named = [together(members, labels) for members in (ours, control)]
        shown = [f"{100 * value:+.2f}" for value in (differences.mean(), low, high)]
        found = probabilities(*both, ALIKE)
        shares = " / ".join(f"{share:.2f}" for share in found)
        more = to_settle(differences) if answer == "open" else ""
        more = f"{more:,}" if more and np.isfinite(more) else more and "none"
        numbers = better, len(differences), answer, shares, clearness(found), f"{p_of(differences):.2g}", more
        rows.append((*named, *shown, *numbers))
    columns = ["question", "against", "difference", "low", "high", "better", "tables", "answer"]
    return pd.DataFrame(rows, columns=[*columns, "better / alike / worse", "clear", "p", "would settle"])


def planned(averages):
    """Return the differences, by table, of the questions `PLANNED`."""
    errors = Errors(averages)
    return [errors.of(*ours) - errors.of(*control) for ours, control in PLANNED.values()]


def together(members, labels):
    """Return the words for a method alone or for an average."""
    return " + ".join(labels[name] for name in members)


def interval(differences):
    """Return the 95 percent bootstrap interval of the mean of differences (m,), one for each table."""
    draws = np.random.default_rng(0).integers(len(differences), size=(DRAWS, len(differences)))
    return np.quantile(differences[draws].mean(axis=1), (0.025, 0.975))
