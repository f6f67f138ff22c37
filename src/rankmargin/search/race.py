"""The race of a search: paths over C of all settings, one fold after the other, without the worse half."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils.parallel import Parallel, delayed

from rankmargin.annotations import Array
from rankmargin.caller import HintWarning, unsaid, warn_caller
from rankmargin.certificates import CertificateError
from rankmargin.estimators.fit_arguments import learns_inside_groups
from rankmargin.estimators.path import among, last_step, rank_path
from rankmargin.metrics.scorers import RankScorer, ScoredByOrder, arguments_of, scored
from rankmargin.problem.checks import scores_of, split
from rankmargin.problem.rows.pairs import NoPairError
from rankmargin.search.inputs import fitted_scaler
from rankmargin.search.table import TableEncoder
from rankmargin.solvers.progress import watching

FEWEST, FINALISTS = 2, 4  # settings that are never dropped; of those of an average
NO_WEIGHT = "sample_weight is 0 for all rows of a test part"
EQUAL, DIGITS = 1e-12, 12  # difference of equal means up to rounding, and their digits
STEPS = 1  # values of C on either side of the best one of a setting that are never dropped


@dataclass(frozen=True)
class Fold:
    """The data of one fold: training rows, their targets and the arguments of ``fit``; test rows, their targets and the
    arguments of the score; the fitted steps that made the columns, the last of which has their weights."""

    rows: Any
    targets: Any
    of_fit: dict[str, Any]
    others: Any
    truth: Any
    of_score: dict[str, Any]
    steps: Sequence[Any]


def fold_of(
    estimator: Any,
    steps: Sequence[Any],
    X: Any,
    y: Any,
    given: dict[str, Any],
    train: Array | None,
    test: Array,
    weighted: bool = True,
    encoder: Any = None,
) -> Fold:
    """Return a fold whose columns are transformed by ``steps``, an encoder and a scaler, either of which may lack; by
    the scaler without its weights, if they are not to be ``weighted``. A fitted ``encoder`` stands for the first. All
    rows are the training rows if ``train`` is None."""
    rows, targets, of_fit, of_matrix = X, y, given, np.arange(len(y))
    if train is not None:
        rows, targets = split(estimator, X, y, train)
        of_fit, of_matrix = among(given, train, len(y)), train
    others, truth = split(estimator, X, y, test, of_matrix)
    scored_by = ("groups", "sample_weight") if learns_inside_groups(estimator) else ("sample_weight",)
    of_score = among({name: given[name] for name in scored_by if name in given}, test, len(y))
    fitted: list[Any] = []
    for step in steps:
        if isinstance(step, TableEncoder):
            fitted.append(encoder or clone(step).set_params(whole=train is None).fit(rows))
            made = fitted[-1].transform
        else:
            fitted.append(fitted_scaler(step, rows, targets, of_fit))
            made = fitted[-1].transform if weighted else fitted[-1].without_weights
        rows, others = made(rows), made(others)
        of_fit = of_fit | {"Z": made(of_fit["Z"])} if "Z" in of_fit else of_fit
    return Fold(rows, targets, of_fit, others, truth, of_score, fitted)


def fitted_encoder(steps: Sequence[Any], X: Any) -> Any:
    """Return the encoder among steps, fitted to all rows, or None."""
    return next((clone(step).fit(X) for step in steps if isinstance(step, TableEncoder)), None)


@dataclass
class Race:
    """Mean scores of settings (estimators) and values of C over the folds that were tried.

    A setting has one estimator for each fold. With ``keeps``, the predictions of the test rows are kept.

    Attributes
    ----------
    scores, gaps : (settings, Cs, folds) arrays, nan where nothing was tried
    held_out : dict of (setting, fold) -> (Cs, m) array, nan where nothing was tried, if it ``keeps`` predictions
    seconds : (settings,) array
    left : (settings, Cs) array of bool, what was not dropped
    refusal : str, what the last fit said that found nothing to compare in its rows; empty if there was none
    """

    settings: Sequence[Sequence[Any]]
    Cs: Sequence[float]
    n_folds: int
    scoring: Callable[..., float]
    end: float
    n_jobs: int | None = None
    verbose: int = 0
    keeps: bool = False
    refusal: str = ""

    def __post_init__(self) -> None:
        self.held_out: dict[tuple[int, int], Array] = {}
        self.fewest = FINALISTS if self.keeps else FEWEST
        shape = len(self.settings), len(self.Cs), self.n_folds
        self.scores, self.gaps = np.full(shape, np.nan), np.full(shape, np.nan)
        self.seconds, self.left = np.zeros(len(self.settings)), np.full(shape[:2], True)

    def run(self, folds: Iterator[Fold], fast: bool, names: Sequence[Any]) -> None:
        """Fit the paths; ``fast`` drops settings and values of C after each fold."""
        races = fast and len(self.settings) > self.fewest
        numbered = enumerate(in_time(folds, self.end))
        together = 1 if races else effective_n_jobs(self.n_jobs)  # folds that processes share; no more are in memory
        while part := list(islice(numbered, together)):
            left = np.flatnonzero(self.left.any(axis=1)).tolist()
            jobs = [(setting, place, fold) for place, fold in part for setting in left]
            found = Parallel(n_jobs=self.n_jobs)(
                delayed(_path_of_fold)(
                    self.settings[setting][place],
                    fold,
                    np.asarray(self.Cs)[self.left[setting]],
                    self.scoring,
                    self.end,
                    self.keeps,
                )
                for setting, place, fold in jobs
            )
            for (setting, place, _), (scores, gaps, took, refusal, predicted) in zip(jobs, found):
                self.refusal = refusal or self.refusal
                places = self.left[setting]
                if predicted is not None:
                    kept = self.held_out[setting, place] = np.full((len(self.Cs), len(predicted[0])), np.nan)
                    kept[places] = predicted
                self.scores[setting, places, place], self.gaps[setting, places, place] = scores, gaps
                self.seconds[setting] += took
                if self.verbose:
                    best = f"best {np.nanmax(scores):.4f}" if np.isfinite(scores).any() else "no score"
                    print(f"fold {place + 1} of {self.n_folds}, {names[setting]}: {best}, {took:.2f} s", flush=True)
            part, jobs = [], []  # before the next folds are made
            if races:
                self._drop()

    def warn_of_empty_folds(self) -> None:
        """Warn once of all folds without a pair to compare, of which a scorer would warn at each fit."""
        fitted, scored_too = (~np.isnan(table).all(axis=(0, 1)) for table in (self.gaps, self.scores))
        if isinstance(self.scoring, RankScorer) and (empty := int((fitted & ~scored_too).sum())):
            what = f"{empty} of {self.n_folds} folds have no pair to compare"
            warn_caller(f"{what}: they do not count; fewer folds (cv=) are larger ones", UndefinedMetricWarning)

    def _drop(self):
        """Drop the worse half of the settings, but never the best two, and of the others the values of C that are more
        than a step away from the best one, the smallest of equal ones. A setting without a score so far stays: it may
        need what the rows of a fold did not hold."""
        means = self.means()
        known = np.flatnonzero(np.isfinite(means).any(axis=1))
        means = np.nan_to_num(means[known], nan=-np.inf)
        order = known[np.argsort(-means.max(axis=1, initial=-np.inf), kind="stable")]
        place = np.argsort(np.argsort(self.Cs))
        near = means >= means.max(axis=1, keepdims=True, initial=-np.inf) - EQUAL
        best = np.where(near, place, len(place)).min(axis=1)
        self.left[known] &= np.abs(place - best[:, None]) <= STEPS
        self.left[order[max(self.fewest, -(-len(order) // 2)) :]] = False

    def means(self) -> Array:
        """Return the mean scores (settings, Cs) of what is left, and nan elsewhere, over the folds that all of them
        have, or else over those that each has."""
        scores = np.ma.masked_invalid(self.scores)
        whole = ~np.ma.getmaskarray(scores)[self.left].any(axis=0)
        means = (scores[..., whole] if whole.any() else scores).mean(axis=2).filled(np.nan)
        return np.where(self.left, means, np.nan)

    def table(self, settings: Sequence[dict[str, Any]], name_of_C: str) -> dict[str, Any]:
        """Return ``cv_results_``."""
        points = [{**setting, name_of_C: float(C)} for setting in settings for C in self.Cs]
        table: dict[str, Any] = {"params": points}
        for name in sorted({name for point in points for name in point}):
            column = table[f"param_{name}"] = np.empty(len(points), dtype=object)
            column[:] = [point.get(name) for point in points]
        scores = np.ma.masked_invalid(self.scores.reshape(len(points), -1))
        table |= {f"split{fold}_test_score": column.filled(np.nan) for fold, column in enumerate(scores.T)}
        mean, n_folds = scores.mean(axis=1).filled(np.nan), scores.count(axis=1)
        # what was not dropped is compared as the choice is: on the same folds, and equal up to rounding
        left, known = self.left.ravel(), np.nan_to_num(mean, nan=-np.inf)
        common = np.round(np.nan_to_num(self.means().ravel(), nan=-np.inf), DIGITS)
        order = np.column_stack([left, np.where(left, common, n_folds), np.where(left, 0.0, known)])
        place = np.unique(order, axis=0, return_inverse=True)[1].ravel()
        return table | {
            "mean_test_score": mean,
            "std_test_score": scores.std(axis=1).filled(np.nan),
            "rank_test_score": rankdata(-place, "min").astype(int),
            "n_folds": n_folds,
            "gap": np.fmax.reduce(self.gaps.reshape(len(points), -1), axis=1),
            "seconds": np.repeat(self.seconds, len(self.Cs)),
        }


def in_time(folds: Iterator[Fold], end: float) -> Iterator[Fold]:
    """Yield the folds that begin before a time: making one scales its rows."""
    while time.monotonic() < end and (fold := next(folds, None)) is not None:
        yield fold


class Known(ScoredByOrder, BaseEstimator):
    """Predictions of the test rows of a fold, for a scorer, which is given just these rows."""

    def __init__(self, scores: Any) -> None:
        self.scores = scores

    def predict(self, X: Any) -> Any:
        """Return the predictions (m,)."""
        if X.shape[0] != len(self.scores):
            raise ValueError(f"scoring must score all {len(self.scores)} test rows of a fold, got {X.shape[0]}")
        return self.scores


def _path_of_fold(estimator, fold, Cs, scoring, end, keeps):
    """Return the scores of the test rows and the gaps of the fits for each C, the seconds, what a fit said that was
    refused, and the predictions if they are kept; nan if it was refused, because the training rows hold no pair, or
    there was no time."""
    began, nothing = time.monotonic(), np.full(len(Cs), np.nan)
    if began >= end:
        return nothing, nothing, 0.0, "", None
    try:
        limit = None if end == np.inf else end - began
        with watching(max_seconds=limit), unsaid(HintWarning):  # hints are about the fit that is kept
            path = rank_path(estimator, fold.rows, fold.targets, Cs, **fold.of_fit)
    except (NoPairError, CertificateError) as refusal:
        return nothing, nothing, time.monotonic() - began, str(refusal), None
    scores, gaps = nothing.copy(), nothing.copy()
    weighs = np.any(fold.of_score.get("sample_weight", 1.0)) or "sample_weight" not in arguments_of(scoring)
    if not (weighs or isinstance(scoring, RankScorer)):  # ours say nan by themselves
        return scores, np.array([_gap(fitted) for fitted in path]), time.monotonic() - began, NO_WEIGHT, None
    predicted = np.full((len(Cs), fold.others.shape[0]), np.nan) if keeps else None
    for place, fitted in enumerate(path):
        last = last_step(fitted)[0]
        if last.n_iter_ > 0 or _gap(fitted) <= last.tol:  # otherwise there was no time
            if predicted is not None:
                predicted[place] = scores_of(fitted, fold.others)
                fitted = Known(predicted[place]) if isinstance(scoring, RankScorer) else fitted
            scores[place], gaps[place] = score_of_fold(scoring, fitted, fold), _gap(last)
    return scores, gaps, time.monotonic() - began, "", predicted


def score_of_fold(scoring: Any, estimator: Any, fold: Fold) -> float:
    """Return the score of the test rows of a fold; nan without a pair to compare, of which the search warns once."""
    with unsaid(UndefinedMetricWarning):
        return float(scored(scoring, estimator, fold.others, fold.truth, **fold.of_score))


def _gap(fitted):
    """Return the relative gap of a fit; 0 without a certificate: such a fit ends at the rounding of its numbers."""
    return getattr(last_step(fitted)[0], "gap_", 0.0)
