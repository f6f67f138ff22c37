"""What the contest answers from its kept records: edges of searches, and whether an average gains by one of ours.

`docs/reproduction/contest_protocol.md` has the questions and what would count as an answer.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd

from rankbench.labels import method_labels
from rankbench.statistics.bayes import probabilities, rope_of

from .averages import BETWEEN, OURS
from .kept import CONSTANT
from .robust import bootstrap_interval, clearness, p_of, to_settle

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
FEWEST = 10  # tables that answer something; an interval of fewer is too narrow
EQUAL = 0.001  # a smaller gain is none: a tenth of a percent of the pairs
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


@dataclass(frozen=True, eq=False)
class Compared:
    """Ours and a control on the same tables, and what that answers.

    Attributes
    ----------
    ours, control : Series
        Errors by table.
    alike : float
        A difference that does not matter, in the Bayesian signed-rank test.
    equal : float
        A mean difference above minus this is no gain.
    by_most : bool
        Whether ours must also be better on most tables for a yes.
    """

    ours: pd.Series
    control: pd.Series
    alike: float
    equal: float = 0.0
    by_most: bool = False

    @cached_property
    def differences(self):
        """Below 0 where ours is better."""
        return self.ours - self.control

    @cached_property
    def interval(self):
        """The 95 percent bootstrap interval of the mean difference, over the tables."""
        return bootstrap_interval(self.differences.to_numpy())

    @cached_property
    def shares(self):
        """The probabilities better, alike and worse."""
        return probabilities(self.ours.to_numpy(), self.control.to_numpy(), self.alike)

    @property
    def better(self):
        """The number of tables on which ours is better."""
        return int((self.differences < 0).sum())

    @property
    def answer(self):
        """``yes``, ``no``, ``open`` or, below `FEWEST`, ``too few tables``."""
        (low, high), tables = self.interval, len(self.differences)
        if tables < FEWEST:
            return "too few tables"
        if high < 0 and (2 * self.better > tables or not self.by_most):
            return "yes"
        return "no" if low > -self.equal else "open"

    @property
    def shown_shares(self):
        """The probabilities as text."""
        return " / ".join(f"{share:.2f}" for share in self.shares)

    @property
    def likely(self):
        """The probabilities as text, with which of them is clear."""
        return f"{self.shown_shares} (clear: {clearness(self.shares)})"

    @property
    def p(self):
        """Of the two-sided t test over the tables."""
        return p_of(self.differences.to_numpy())

    @property
    def to_settle(self):
        """How many tables would answer what is open; None if it is not."""
        return to_settle(self.differences.to_numpy()) if self.answer == "open" else None

    def points(self):
        """Return mean difference, low and high as text, in percentage points."""
        return [f"{100 * value:+.2f}" for value in (self.differences.mean(), *self.interval)]


def asked(averages):
    """Return the questions 1 to 3 of the protocol with each rival: (ours, control) -> `Compared`.

    Parameters
    ----------
    averages : DataFrame
        Of the statistic ``averages``.
    """
    errors, best_two = Errors(averages), RIVALS[:2]
    pairs = [((OURS,), RIVALS[:1])]
    pairs += [((OURS, rival), best_two) for rival in RIVALS]
    pairs += [((OURS, rival), (IN_OUR_PLACE, rival)) for rival in RIVALS if rival != IN_OUR_PLACE]
    pairs += [(more, RIVALS) for more in ((OURS, *best_two), (OURS, *RIVALS)) if errors.has(*more)]
    return {
        (ours, control): Compared(errors.of(*ours), errors.of(*control), ALIKE, EQUAL, control == best_two)
        for ours, control in pairs
    }


def questions(averages, experiment):
    """Return the answers to the questions 1 to 3 of the protocol as a table for people.

    Parameters
    ----------
    averages : DataFrame
    experiment : Experiment

    Returns
    -------
    DataFrame
        ``question against difference low high better tables answer`` and the probabilities ``better / alike / worse``
        of the Bayesian signed-rank test: the mean difference of the errors over the tables in percent of the pairs,
        below 0 where ours is better, its 95 percent bootstrap interval over tables, the tables on which ours is better,
        and the answer of a `Compared`. ``clear`` says which probability is, ``p`` is that of the t test over the
        tables, and ``would settle`` is how many would answer what is open.
    """
    labels, rows = method_labels(experiment), []
    for members, one in asked(averages).items():
        more = one.to_settle
        shown = "" if more is None else f"{more:,}" if np.isfinite(more) else "none"
        numbers = one.better, len(one.differences), one.answer, one.shown_shares, clearness(one.shares)
        rows.append((*(together(names, labels) for names in members), *one.points(), *numbers, f"{one.p:.2g}", shown))
    columns = ["question", "against", "difference", "low", "high", "better", "tables", "answer"]
    return pd.DataFrame(rows, columns=[*columns, "better / alike / worse", "clear", "p", "would settle"])


def together(members, labels):
    """Return the words for a method alone or for an average."""
    return " + ".join(labels[name] for name in members)
