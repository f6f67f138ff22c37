"""RankAverage: the average of the ranks, or of the scores, that several estimators give to a row."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier, is_clusterer, is_regressor
from sklearn.utils import Bunch, check_consistent_length, get_tags
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array, ArrayLike, MatrixLike
from rankmargin.estimators.fit_arguments import learns_inside_groups, takes
from rankmargin.estimators.path import checked_times, named_for
from rankmargin.metrics.scorers import ScoredByOrder, concordance
from rankmargin.problem.checks import (
    check_parameters,
    check_targets,
    fit_weights,
    matrix_as_it_came,
    refuse_infinite,
    scores_of,
    split,
)
from rankmargin.problem.rows.pairs import NoPairError, check_groups, check_pairs, is_censored
from rankmargin.search.folds import splits_of
from rankmargin.solvers.progress import current, in_one_step, watching

ROUNDS = 20  # members that a search for weights adds, one after the other
DIGITS = 12  # sums of the same shares in another order are equal
EQUAL, ROUNDING = 1e-12, 1e-15  # shares of a score, and of the median size, by which scores differ through rounding


@dataclass(eq=False, repr=False)
class RankAverage(MetaEstimatorMixin, ScoredByOrder, BaseEstimator):
    """Order rows by the average of the ranks that several estimators give to them.

    The rank of a row is the share of the training rows whose predictions are below its own, by the same estimator, so
    that a single row has a score. Up to rounding it grows with the prediction: linearly between neighbouring
    predictions of training rows, and towards 0 and 1 outside.

    Parameters
    ----------
    estimators : list of (name, estimator)
        Regressors or rankers of any package, ordered by their ``score_samples``, or else ``predict``; classifiers only
        with ``score_samples``, such as those of grades here.
    weights : "equal", "cv" or sequence of floats >= 0, default "equal"
        The weight of each estimator. ``cv`` is greedy: twenty times it adds the estimator that improves the
        average most on held-out rows, with repeats, as in Caruana et al. (2004).
    average : {"ranks", "scores"}, default "ranks"
        What is averaged. ``scores`` are the predictions, less their mean and divided by their standard deviation over
        the training rows.
    cv : int, splitter or None, default None
        Folds of ``weights="cv"``: a number, five with None. They consist of whole groups if there are groups.
    n_jobs : int or None, default None
        Number of processes; each fits one estimator. None means 1, -1 means one per processor.

    Attributes
    ----------
    estimators_ : list of fitted estimators
        Those of this package have certificates.
    named_estimators_ : Bunch, the same by name
    weights_ : (k,) array, with a sum of 1
    reference_ : list of k arrays (2, m)
        The predictions of training rows without repeats, and their ranks; of ``scores`` (2, 1) arrays, the mean and the
        standard deviation.

    References
    ----------
    Caruana, Niculescu-Mizil, Crew, Ksikes, "Ensemble selection from libraries of models" (2004).

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.ensemble import ExtraTreesRegressor
    >>> from rankmargin import RankAverage, SwappedPairsSVM
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 3))
    >>> y = X[:, 0] + X[:, 1] ** 2
    >>> both = RankAverage([("svm", SwappedPairsSVM()), ("trees", ExtraTreesRegressor(random_state=0))]).fit(X, y)
    >>> both.score(X, y) > 0.95, both.named_estimators_["svm"].gap_ < 1e-3
    (True, True)
    >>> both.predict(X[:1]).shape
    (1,)
    """

    estimators: list[tuple[str, Any]]
    weights: Literal["equal", "cv"] | Sequence[float] | Array = "equal"
    average: Literal["ranks", "scores"] = "ranks"
    cv: Any = None
    n_jobs: int | None = None

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters, also those of the estimators: ``svm__C`` of the estimator ``svm``."""
        params = super().get_params(deep=False)
        for name, member in self._named() if deep else []:
            params |= {name: member, **{f"{name}__{key}": value for key, value in member.get_params().items()}}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters, also those of the estimators."""
        self.estimators = params.pop("estimators", self.estimators)
        if {name for name, _ in self._named()} & {*params}:
            self.estimators = [(name, params.pop(name, member)) for name, member in self.estimators]
        return super().set_params(**params)

    def _named(self):
        """Return the members with a name that have parameters."""
        given = self.estimators if isinstance(self.estimators, list | tuple) else []
        pairs = [entry for entry in given if isinstance(entry, tuple | list) and len(entry) == 2]
        return [(name, member) for name, member in pairs if isinstance(name, str) and hasattr(member, "get_params")]

    @in_one_step
    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        event: ArrayLike | None = None,
    ) -> Self:
        """Fit each estimator on rows X and targets y.

        Parameters
        ----------
        X, y : as the estimators take them; y are numbers, or an ordered categorical whose places 0, 1, ... they get,
            or censored times
        groups : (n,) array or None
            Used by estimators that learn inside groups, by the folds, and by the score of ``weights="cv"``.
        sample_weight : (n,) array >= 0 or None
            Used by all estimators, which have to accept it, and by the ranks.
        event : (n,) array of bool or None
            True if the event happened at time y, False if the row is censored; y may also be a structured array (event,
            time). All estimators have to accept it, because others would treat each censored time as an event.

        Returns
        -------
        self

        Raises
        ------
        NoPairError
            If ``weights="cv"`` and no pair of held-out rows can be ordered.
        """
        check_parameters(self)
        members, weights = self._members(), self._told_weights()
        X, y = matrix_as_it_came(self, X), checked_times(y, event, members)
        y = y if is_censored(y) else check_targets(y)[0]
        check_consistent_length(X, y)
        given = {"groups": check_groups(y, groups), "sample_weight": fit_weights(X, sample_weight)}
        given = {name: value for name, value in given.items() if value is not None}
        for name, member in self.estimators:
            if "sample_weight" in given and not takes(member, "sample_weight"):
                raise ValueError(f"sample_weight must be None, as estimator {name!r} takes none, got weights")
        if not is_censored(y):
            check_pairs(y, given.get("groups"))
        folds = [] if weights is not None else splits_of(self, self.cv, X, y, groups)
        run = Parallel(n_jobs=self.n_jobs)
        rows = np.arange(len(y))
        limit = current().left / len(members)  # processes know of no limit outside
        fitted = run(delayed(_fitted)(member, X, y, rows, given, self.average, limit) for member in members)
        self.estimators_, self.reference_ = map(list, zip(*fitted))
        self.named_estimators_ = Bunch(**{name: member for (name, _), (member, _) in zip(self.estimators, fitted)})
        if weights is None:
            weights = self._best_weights(self._held_out(members, X, y, folds, given, run), y, given)
        self.weights_ = weights
        return self

    def _members(self):
        """Return the estimators; refuse those whose predictions are no scores."""
        names = [name for name, _ in self._named()]
        refused = any("__" in name for name in names) or {*names} & {*self.get_params(deep=False)}
        if refused or not names or len({*names}) < len(self.estimators):
            raise ValueError(
                "estimators must be a list of (name, estimator), whose names are different texts without __ and no "
                f"parameters, got {self.estimators!r}"
            )
        for name, member in self.estimators:
            regresses = hasattr(member, "fit") and (hasattr(member, "predict") or is_regressor(member))
            if not (
                hasattr(member, "score_samples") or (regresses and not (is_classifier(member) or is_clusterer(member)))
            ):
                raise ValueError(
                    f"estimators must be regressors or have score_samples, got the estimator {name!r}, {member!r}, "
                    "which predicts no scores"
                )
        return [member for _, member in self.estimators]

    def _told_weights(self):
        """Return ``weights`` as an array with a sum of 1, or None if they are found by cross-validation."""
        if isinstance(self.weights, str) and self.weights == "cv":
            return None
        equal = isinstance(self.weights, str) and self.weights == "equal"
        weights = np.ones(len(self.estimators)) if equal else np.asarray(self.weights)
        wrong = weights.dtype.kind not in "biuf" or weights.shape != (len(self.estimators),)
        if wrong or not (np.isfinite(weights).all() and np.all(weights >= 0) and weights.any()):
            raise ValueError(f'weights must be "equal", "cv" or a number >= 0 per estimator, got {self.weights!r}')
        weights = weights / weights.max()  # their sum may overflow
        return weights / weights.sum()

    def _best_weights(self, ranks, y, given):
        """Return the shares of ROUNDS greedy choices, each of the member (k, n) with which the average is best."""
        seen = np.isfinite(ranks).all(axis=0)
        if not seen.any():
            raise NoPairError("cv must leave training rows with a pair to order in some fold, got none")
        of_rows = [given[name][seen] if name in given else None for name in ("groups", "sample_weight")]
        counts, total = np.zeros(len(ranks)), np.zeros(int(seen.sum()))
        for _ in range(ROUNDS):
            best = int(np.argmax([concordance(y[seen], total + added, *of_rows) for added in ranks[:, seen]]))
            total += ranks[best, seen]
            counts[best] += 1
        return counts / ROUNDS

    def _held_out(self, members, X, y, folds, given, run):
        """Return the mean places (k, n) of rows that folds hold out, by members that are fitted on the others; nan for
        rows that are never held out."""
        total, counts = np.zeros((len(members), len(y))), np.zeros(len(y))
        for train, test in folds:
            if "sample_weight" in given and not given["sample_weight"][train].any():
                continue  # scikit-learn's own members would learn from rows without weight
            try:
                of_fold = run(delayed(_fitted)(member, X, y, train, given, self.average) for member in members)
            except NoPairError:  # nothing can be learned from these rows: the rows of the fold stay without a place
                continue
            for place, (member, reference) in enumerate(of_fold):
                rows, _ = split(member, X, y, test, train)
                total[place, test] += _places(scores_of(member, rows), reference, self.average)
            counts[test] += 1
        return np.where(counts > 0, total / np.maximum(counts, 1), np.nan)

    def predict(self, X: MatrixLike) -> Array:
        """Return the scores, shape (m,): a row with a higher score is further ahead."""
        check_is_fitted(self)
        X = matrix_as_it_came(self, X, reset=False)
        of_members = zip(self.estimators_, self.reference_)
        places = [_places(scores_of(member, X), reference, self.average) for member, reference in of_members]
        return np.round(self.weights_ @ np.array(places), DIGITS)

    def score_samples(self, X: MatrixLike) -> Array:
        """Return the scores of :meth:`predict`."""
        return self.predict(X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        for name in ("sparse", "allow_nan", "pairwise"):
            flags = [getattr(get_tags(member).input_tags, name) for _, member in self.estimators]
            setattr(tags.input_tags, name, all(flags))
        return tags


def _fitted(estimator, X, y, rows, given, average, limit=np.inf):
    """Return a clone that is fitted on some rows, and the reference of its places."""
    X, y = split(estimator, X, y, rows)
    grouped = "groups" in given and learns_inside_groups(estimator)
    fit_given = {name: value[rows] for name, value in given.items() if name != "groups" or grouped}
    with watching(max_seconds=limit if 0 < limit < np.inf else None):
        fitted = clone(estimator).fit(X, y, **named_for(estimator, **fit_given))
    scores = scores_of(fitted, X)
    refuse_infinite(scores, "estimators", estimator)
    weight = fit_given.get("sample_weight", np.ones(len(y)))
    if average != "scores":
        return fitted, _reference(scores, weight)
    mean = np.average(scores, weights=weight)
    deviation = np.sqrt(np.average((scores - mean) ** 2, weights=weight))
    return fitted, np.array([[mean], [deviation or 1.0]])


def _reference(scores, weight):
    """Return the distinct scores of rows that weigh something, and the weight below them and half of their own in
    shares of all, shape (2, m). Scores that differ by rounding are one: BLAS rounds equal rows differently."""
    scores, weight = scores[weight > 0], weight[weight > 0]
    values = np.unique(scores)
    size = np.abs(values)
    values = values[np.diff(values, prepend=-np.inf) > EQUAL * size + ROUNDING * np.median(size)]
    at_value = np.bincount(np.searchsorted(values, scores, side="right") - 1, weight)
    return np.array([values, (np.cumsum(at_value) - at_value / 2) / at_value.sum()])


def _places(scores, reference, average):
    """Return what is averaged of scores, (m,). Ranks are linear between those of the reference, and outside go towards
    0 and 1."""
    values, ranks = reference
    if average == "scores":
        return (scores - values) / ranks
    unit = float(values[-1] - values[0]) or 1.0
    below, above = np.maximum(values[0] - scores, 0.0) / unit, np.maximum(scores - values[-1], 0.0) / unit
    inside = np.interp(scores, values, ranks)
    return np.where(above > 0, 1.0 - (1.0 - ranks[-1]) / (1.0 + above), inside / (1.0 + below))
