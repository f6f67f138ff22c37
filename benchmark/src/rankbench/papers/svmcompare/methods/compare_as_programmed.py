"""compare of Venuto et al. as the authors' program has it: eq. (13) with a bias of any sign.

Lemma 1 needs beta < 0. If beta >= 0 there is no comparison function, and three rules are possible:

- ``program``: r = -f / beta all the same, as the authors' program computes it. The order of the items is reversed, and
  as the differences are small, nearly every pair is called equal;
- ``sign``: the order of f, and every difference counts. This is :class:`rankmargin.ComparisonSVM`, which warns;
- ``neither``: every pair is called equal, and no pair is ordered.
"""

from dataclasses import dataclass, fields, replace

import numpy as np

from rankmargin import ComparisonSVM
from rankmargin.model import ComparisonModel
from rankmargin.problem.rows.comparisons import compare

RULES = ("program", "sign", "neither")


@dataclass(frozen=True)
class RuledModel(ComparisonModel):
    """A comparison model with a rule for what has no scaling.

    Attributes
    ----------
    rule : str
        One of `RULES`.
    beta : float
        The bias: `threshold` is -beta where that is above 0, and else 0.
    """

    rule: str
    beta: float

    def scores(self, pairs):
        """Return r(x') - r(x) of each pair, shape (m,)."""
        if self.scaled or self.rule == "sign" or self.beta == 0.0:
            return super().scores(pairs)
        return self.function(pairs) / -self.beta if self.rule == "program" else np.zeros(len(pairs))

    def labels_of(self, scores):
        """Return the labels of pairs with these scores, shape (m,)."""
        return super().labels_of(scores) if self.rule == "sign" else compare(scores, 1.0)


@dataclass(eq=False, repr=False, kw_only=True)
class CompareAsProgrammed(ComparisonSVM):
    """A ComparisonSVM with one of `RULES` for a bias that is not below 0."""

    rule: str = "program"

    def _problem(self, data):
        if self.rule not in RULES:
            raise ValueError(f"rule must be one of {', '.join(RULES)}, got {self.rule!r}")
        posed = super()._problem(data)

        def model(*solved):
            plain = posed.model(*solved)
            parts = {field.name: getattr(plain, field.name) for field in fields(plain)}
            return RuledModel(**parts, rule=self.rule, beta=-float(plain.solution.theta[0]))

        return replace(posed, model=model)

    def _warn_of_scaling(self):
        """The rule says what happens, and the study ``without_scaling`` counts it."""
