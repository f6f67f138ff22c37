"""The settings of a search that learns a metric, and the average of the best of them."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils.parallel import Parallel, delayed

from rankmargin.annotations import Array
from rankmargin.estimators.base import MarginRanker
from rankmargin.estimators.checks import check_targets
from rankmargin.estimators.inputs import WIDTHS, gammas_of
from rankmargin.estimators.metric import LANDMARKS, STARTS, Landmarks, error_of, Metric, Pairs, Rows, learned_metrics
from rankmargin.estimators.race import EQUAL, Fold, Known, Race, score_of_fold
from rankmargin.estimators.scorers import RankScorer
from rankmargin.kernels import SCALED
from rankmargin.rows.pairs import group_codes, is_censored

KERNELS = {"rbf": ("rbf", "laplacian")}  # what competes in place of a kernel; others are alone
LEARNED = "rbf", "laplacian", "matern12", "matern32", "matern52"
MOST_ROWS = 2_000  # of a search; C and the metric are those of some rows
BEST, USUAL = 4, 2  # learned metrics, and settings without learning, for which paths are fitted
FINALISTS = 4  # settings that are never dropped before the last fold
ALIKE = 1e-4  # a member that is there already is taken if the average is worse by at most this
POOL = 40  # settings and values of C of which an average is made


def learns(estimator: Any, X: Any, y: Any, given: dict[str, Any]) -> bool:
    """Return whether a search learns a metric for an estimator: a ranker with a kernel of distances, rows without
    pairs, and every pair of one weight."""
    known = isinstance(estimator, MarginRanker) and isinstance(estimator.kernel, str) and estimator.kernel in LEARNED
    return known and not issparse(X) and not is_censored(y) and "pair_weight" not in given


def sampled(folds: Sequence[tuple[Array, Array]], n: int, groups: Any) -> list[tuple[Array, Array]]:
    """Return folds with those rows alone that a search sees: at most 2,000, whole groups, drawn with a fixed seed."""
    if n <= MOST_ROWS:
        return list(folds)
    rng, seen = np.random.default_rng(0), np.zeros(n, dtype=bool)
    if groups is None:
        seen[rng.permutation(n)[:MOST_ROWS]] = True
    else:
        codes = group_codes(groups, n)
        order = rng.permutation(codes.max() + 1)
        counts = np.cumsum(np.bincount(codes)[order])
        seen = np.isin(codes, order[: max(2, np.searchsorted(counts, MOST_ROWS, side="right"))])
    return [(train[seen[train]], test[seen[test]]) for train, test in folds]


def metric_settings(
    own: Any, whole: Fold, folds: Sequence[Fold], fast: bool, n_jobs: int | None, verbose: int, end: float
) -> list[Metric]:
    """Return the metrics for which paths are fitted: linear, those of a search without learning, and the best learned
    ones. The columns of the folds have no weights."""
    limit = LANDMARKS if fast else None
    rows, *parts = [_rows_of(fold, limit) for fold in (whole, *folds)]
    pairs = [Pairs.of(_rows_held_out(fold)) for fold in folds]
    told = [(part, pair) for part, pair in zip(parts, pairs) if len(pair.ahead)]
    at = np.array([len(pair.ahead) > 0 for pair in pairs])
    somers = [fold.weights for fold in folds]
    settings = [Metric("linear", 1.0, whole.weights, somers, "somers", 0)] if own.kernel == "rbf" else []
    gammas = gammas_of(whole.rows * whole.weights, own, True)
    usual = [Metric(own.kernel, gamma, whole.weights, somers, "somers", 0) for gamma in gammas]
    if not told:
        return settings + usual
    usual = sorted(usual, key=lambda metric: error_of(metric, told))
    settings += usual[:USUAL]
    chains = [(kernel, start) for kernel in KERNELS.get(own.kernel, (own.kernel,)) for start in STARTS]
    found = Parallel(n_jobs=n_jobs)(delayed(learned_metrics)(*chain, rows, told, end) for chain in chains)
    best = sorted((metric for of_chain in found for metric in of_chain), key=lambda metric: metric.error)
    if verbose:
        for chain, of_chain in zip(chains, found):
            error = min(metric.error for metric in of_chain)
            print(f"metric of {chain[0]} from {chain[1]}: {error:.4f} swapped after {of_chain[-1].step} steps", flush=True)
    for metric in best[:BEST]:
        weights = [of.copy() for of in somers]
        for place, of_fold in zip(np.flatnonzero(at), metric.of_folds):
            weights[place] = of_fold
        settings.append(Metric(metric.kernel, metric.gamma, metric.weights, weights, metric.start, metric.step, metric.error))
    return settings


def _rows_of(fold, limit):
    groups, weight = fold.of_fit.get("groups"), fold.of_fit.get("sample_weight")
    return Rows(fold.rows, check_targets(fold.targets)[0].astype(float), groups, weight, limit, fold.weights)


def _rows_held_out(fold):
    groups, weight = fold.of_score.get("groups"), fold.of_score.get("sample_weight")
    return Rows(fold.others, check_targets(fold.truth)[0].astype(float), groups, weight)


def machine_of_fold(made: Any, metric: Metric, place: int, fast: bool) -> Pipeline:
    """Return the estimator of a setting for a fold; its kernel is that of landmarks if that is ``fast``."""
    weights, last = metric.of_folds[place], clone(made)
    if not fast or metric.kernel == "linear":
        return make_pipeline(Landmarks(weights), last)
    return make_pipeline(Landmarks(weights, metric.kernel, metric.gamma), last.set_params(kernel="linear"))


def greedy_average(race: Race, folds: Sequence[Fold], size: int) -> tuple[dict[int, int], float]:
    """Return how often each row of the table of a race is in the best average of standardised predictions, and its mean
    score: ``size`` times the one with which the average is best is added (Caruana et al., 2004)."""
    means = race.means().ravel()
    n_Cs, finite = len(race.Cs), [place for place in range(len(folds)) if np.isfinite(race.scores[..., place]).any()]
    whole = [at for at in np.flatnonzero(np.isfinite(means)) if np.isfinite(race.scores.reshape(len(means), -1)[at, finite]).all()]
    pool = sorted(whole, key=lambda at: -means[at])[:POOL]
    tables = {place: np.array([_standard(race.held_out[at // n_Cs, place][at % n_Cs]) for at in pool]) for place in finite}
    score = {place: _scorer_of(race.scoring, folds[place]) for place in finite}
    counts: dict[int, int] = {}
    totals, best_score = {place: np.zeros(tables[place].shape[1]) for place in finite}, np.nan
    for _ in range(size):
        scores = np.mean([score[place](totals[place] + tables[place]) for place in finite], axis=0)
        equal = [at for at in np.flatnonzero(scores >= scores.max() - ALIKE) if pool[at] in counts]  # fewer members
        best = int(max(equal or [int(scores.argmax())], key=lambda at: scores[at]))
        best_score = float(scores[best])
        counts[pool[best]] = counts.get(pool[best], 0) + 1
        totals = {place: totals[place] + tables[place][best] for place in finite}
    return counts, best_score


def _standard(scores):
    return (scores - scores.mean()) / (scores.std() or 1.0)


def _scorer_of(scoring, fold) -> Callable[[Array], Array]:
    """Return what gives the score of each row of a table of predictions (p, m) of the test rows of a fold."""
    if isinstance(scoring, RankScorer) and scoring.name == "concordance":
        pairs = Pairs.of(_rows_held_out(fold))
        return lambda table: 1.0 - pairs.swapped(table.T)
    return lambda table: np.array([score_of_fold(scoring, Known(row), fold) for row in table])
