"""Methods that say how probable it is that the first of two items wins, that there is a tie, and that it loses.

Each learns from pairs (n, 2 d), the first item beside the second, and labels of the first: 1, 0 (tie) and -1. All of
them are symmetric but the constant: who is named first does not matter.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import logit
from sklearn.linear_model import LogisticRegression

from rankbench.baselines._base import Baseline
from rankbench.baselines._extra import optional_extra
from rankbench.papers.today.methods.thresholds import lightgbm_classifier
from rankmargin import ComparisonLink, ComparisonSVM, RankSearchCV, RankThreshold
from rankmargin.comparisons.ratings import USUAL_RATING, Ratings, bradley_terry, elo, expected_score, glicko
from rankmargin.estimators.probabilities import fit_link, link_probabilities

LABELS = np.array([-1.0, 0.0, 1.0])


@dataclass(frozen=True)
class Comparing:
    """A fitted method; its table has labels of the second item, so that both are turned around.

    Attributes
    ----------
    outcomes : callable
        Pairs (m, 2 d) -> probabilities (m, 3) that the first item is worse, that neither is better, that it is better.
    difference : callable or None
        Pairs -> differences (m,), above 0 where the first is better; by default that of the probabilities.
    """

    outcomes: Callable
    difference: Callable | None = None
    solution: None = None

    def scores(self, pairs):
        """Return how much better the second item is, shape (m,)."""
        if self.difference is not None:
            return -self.difference(pairs)
        worse, _, better = self.outcomes(pairs).T
        return worse - better

    def probabilities(self, pairs):
        """Return the probabilities of the labels -1, 0, 1 of the second item, shape (m, 3)."""
        return self.outcomes(pairs)[:, ::-1]

    def labels(self, pairs):
        """Return the most probable label of the second item, shape (m,)."""
        return LABELS[self.probabilities(pairs).argmax(axis=1)]


def whole(probabilities, classes):
    """Return probabilities (m, c) of some of the labels as those of all three, (m, 3)."""
    filled = np.zeros((len(probabilities), 3))
    filled[:, np.searchsorted(LABELS, np.asarray(classes, dtype=np.float64))] = probabilities
    return filled


def both_ways(X, y):
    """Return each pair in both directions, (2 n, 2 d), with its labels (2 n,)."""
    return np.vstack([X, np.hstack(np.hsplit(X, 2)[::-1])]), np.concatenate([y, -y])


class OfPairs(Baseline):
    """A method that is given pairs (n, 2 d)."""

    learns_from = "pairs"


@dataclass(eq=False, repr=False, kw_only=True)
class Margins(OfPairs):
    """`rankmargin.ComparisonSVM` with probabilities, or with ``search`` `rankmargin.RankSearchCV` around it.

    `ComparisonSVM` is not defined without ties; `rankmargin.RankThreshold`, which its error names, is used then.
    """

    C: float = 1.0
    kernel: str = "rbf"
    gamma: float | str = "scale"
    search: bool = False
    random_state: int = 0

    def fit(self, X, y, groups=None, sample_weight=None):
        """Fit to pairs X (n, 2 d) and labels y (n,) of the first item; ``groups`` (n,) are who answered."""
        given = {"groups": groups, "sample_weight": sample_weight}
        machine = ComparisonSVM if np.any(y == 0) else RankThreshold
        one = machine(probability=True, labels="comparison", random_state=self.random_state)
        if self.search:
            fitted = RankSearchCV(one).fit(X, y, **given)
        else:
            fitted = one.set_params(C=self.C, kernel=self.kernel, gamma=self.gamma).fit(X, y, **given)
        self.model_ = Comparing(fitted.predict_proba, fitted.score_samples)
        return self


@dataclass(eq=False, repr=False, kw_only=True)
class BradleyTerry(OfPairs):
    """Bradley and Terry with features: `rankmargin.ComparisonLink`.

    Parameters
    ----------
    penalty : float > 0, the weight of 1/2 ||w||^2
    """

    penalty: float = 1.0

    def fit(self, X, y, sample_weight=None):
        """Fit to pairs X (n, 2 d) and labels y (n,) of the first item."""
        fitted = ComparisonLink(C=1 / self.penalty, labels="comparison").fit(X, y, sample_weight=sample_weight)
        self.model_ = Comparing(fitted.predict_proba)
        return self


@dataclass(eq=False, repr=False, kw_only=True)
class Logistic(OfPairs):
    """scikit-learn's logistic regression on differences; a tie is a third class."""

    C: float = 1.0

    def fit(self, X, y):
        """Fit to pairs X (n, 2 d) and labels y (n,) of the first item."""
        pairs, labels = both_ways(X, y)
        model = LogisticRegression(C=self.C, max_iter=10_000).fit(_differences(pairs), labels)
        self.model_ = Comparing(partial(_three, model))
        return self


def _three(model, pairs):
    return whole(model.predict_proba(_differences(pairs)), model.classes_)


def _differences(pairs):
    first, second = np.hsplit(np.asarray(pairs), 2)
    return first - second


@dataclass(eq=False, repr=False, kw_only=True)
class Strengths(OfPairs):
    """`rankmargin.ratings.bradley_terry` of items that are known by one number alone; an unknown one is average.

    Parameters
    ----------
    prior : float > 0
    """

    prior: float = 1.0

    def fit(self, X, y, sample_weight=None):
        """Fit to pairs X (n, 2) of items and labels y (n,) of the first item."""
        items, numbers = np.unique(X, return_inverse=True)
        first, second = numbers.reshape(len(X), 2).T
        board = bradley_terry(first, second, (np.asarray(y) + 1) / 2, weights=sample_weight, prior=self.prior)
        ratings = dict(zip(items[board.players].tolist(), board.ratings.tolist(), strict=True))
        self.model_ = Comparing(partial(_davidson, ratings, board.ties))
        return self


def _davidson(ratings, ties, pairs):
    """Return the probabilities (m, 3) that the first item loses, of a tie, and that it wins."""
    one, other = (np.array([ratings.get(item, 0.0) for item in side.tolist()]) for side in np.asarray(pairs).T)
    odds = np.exp(np.column_stack([other - one, np.zeros(len(one)), one - other]) / 2) * [1, ties, 1]
    return odds / odds.sum(axis=1, keepdims=True)


class Rated(OfPairs):
    """Ratings of items that are known by their attributes alone; unknown items have the rating of a newcomer.

    Half of the training games settle the ratings, and the other half says how a difference before a game becomes a
    probability, by a symmetric ordered logit.
    """

    def fit(self, X, y):
        """Fit to pairs X (n, 2 d) in the order of time and labels y (n,) of the first item."""
        numbers = {}
        white, black = ([numbers.setdefault(_key(item), len(numbers)) for item in side] for side in np.hsplit(X, 2))
        names = np.arange(len(numbers) + 1)  # the last one is the newcomer
        rated = self._rated(white, black, (np.asarray(y) + 1) / 2, names)
        before = rated.white - rated.black, np.hypot(rated.white_deviation, rated.black_deviation)
        late = slice(len(y) // 2, None)
        d = self._logit(*before)[late]
        slope, edges = fit_link(np.concatenate([d, -d]), np.concatenate([y[late], -y[late]]))
        self._known = numbers, names[-1], rated.ratings, slope, float(edges[-1] - edges[0]) / 2
        self.model_ = Comparing(self._outcomes, self._difference)
        return self

    def _difference(self, pairs):
        numbers, newcomer, after, *_ = self._known
        at = [[numbers.get(_key(item), newcomer) for item in side] for side in np.hsplit(np.asarray(pairs), 2)]
        one, other = (after.rating[side] for side in at)
        return self._logit(one - other, np.hypot(*(after.deviation[side] for side in at)))

    def _outcomes(self, pairs):
        *_, slope, tie = self._known
        return link_probabilities(self._difference(pairs), slope, np.array([-tie, tie]))

    def _logit(self, difference, deviation):
        return logit(expected_score(difference + self.advantage, deviation))


def _key(item):
    return (item + 0.0).tobytes()  # -0 is 0


@dataclass(eq=False, repr=False, kw_only=True)
class Elo(Rated):
    """`rankmargin.ratings.elo`; ``advantage`` are the points of the item that is named first, at home."""

    k: float = 20.0
    advantage: float = 0.0

    def _rated(self, white, black, score, names):
        start = Ratings.start(names, USUAL_RATING)
        return elo(white, black, score, start=start, k=float(self.k), advantage=self.advantage)


@dataclass(eq=False, repr=False, kw_only=True)
class Glicko(Rated):
    """`rankmargin.ratings.glicko`; a ``deviation`` is that of a newcomer, and grows by ``c`` with each game."""

    deviation: float = 350.0
    c: float = 15.0
    advantage: float = 0.0

    def _rated(self, white, black, score, names):
        start = Ratings.start(names, USUAL_RATING, self.deviation)
        options = {"c": self.c, "max_deviation": self.deviation, "advantage": self.advantage}
        return glicko(white, black, score, start=start, **options)


class Boosted(OfPairs):
    """Boosting of the three labels on both items and their difference, in both directions."""

    def fit(self, X, y):
        """Fit to pairs X (n, 2 d) and labels y (n,) of the first item."""
        pairs, labels = both_ways(X, y)
        with optional_extra():
            machine = self._machine().fit(_with_difference(pairs), labels)
        classes = np.asarray(machine.classes_, dtype=np.float64)

        def outcomes(pairs):
            turned, _ = both_ways(np.asarray(pairs), np.zeros(len(pairs)))
            there, back = np.vsplit(whole(machine.predict_proba(_with_difference(turned)), classes), 2)
            return (there + back[:, ::-1]) / 2

        self.model_ = Comparing(outcomes)
        return self


def _with_difference(pairs):
    return np.hstack([pairs, _differences(pairs)])


@dataclass(eq=False, repr=False, kw_only=True)
class LightGBM(Boosted):
    """LightGBM's classifier."""

    n_estimators: int = 100
    learning_rate: float = 0.1
    num_leaves: int = 31
    min_child_samples: int = 20
    random_state: int = 0

    def _machine(self):
        return lightgbm_classifier(self)


@dataclass(eq=False, repr=False, kw_only=True)
class CatBoost(Boosted):
    """CatBoost's classifier."""

    iterations: int = 1000
    learning_rate: float | None = None
    depth: int = 6
    l2_leaf_reg: float = 3.0
    random_state: int = 0

    def _machine(self):
        import catboost

        options = {"iterations": self.iterations, "learning_rate": self.learning_rate, "depth": self.depth}
        options |= {"l2_leaf_reg": self.l2_leaf_reg, "random_seed": self.random_state % 2**31, "thread_count": 1}
        return catboost.CatBoostClassifier(
            loss_function="MultiClass", verbose=False, allow_writing_files=False, **options
        )


@dataclass(eq=False, repr=False, kw_only=True)
class Shares(OfPairs):
    """The constant answer: how often the first item was worse, equal and better, each counted once more."""

    def fit(self, X, y):
        """Count the labels y (n,)."""
        counts = (np.asarray(y)[:, None] == LABELS).sum(axis=0)
        shares = (counts + (counts > 0)) / (counts + (counts > 0)).sum()
        self.model_ = Comparing(lambda pairs: np.tile(shares, (len(pairs), 1)))
        return self
