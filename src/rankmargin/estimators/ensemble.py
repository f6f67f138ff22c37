"""The settings of a search that learns a metric, and the average of the best of them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils.parallel import Parallel, delayed

from rankmargin.annotations import Array
from rankmargin.estimators.base import MarginRanker
from rankmargin.estimators.checks import check_targets
from rankmargin.estimators.inputs import gammas_of
from rankmargin.estimators.metric import LANDMARKS, STARTS, Landmarks, Metric, Pairs, Rows, errors_of, learned_metrics
from rankmargin.estimators.race import DIGITS, Fold, Known, Race, score_of_fold
from rankmargin.estimators.scorers import RankScorer
from rankmargin.rows.pairs import group_codes, is_censored

KERNELS = {"rbf": ("rbf", "laplacian")}  # what competes in place of a kernel; others are alone
LEARNED = "rbf", "laplacian", "matern12", "matern32", "matern52"
MOST_ROWS = 2_000  # of a search; C and the metric are those of some rows
BEST, USUAL = 4, 2  # learned metrics, and settings without learning, for which paths are fitted
ALIKE = 1e-4  # a member that is there already is taken if the average is worse by at most this
POOL = 40  # settings and values of C of which an average is made


def learns(estimator: Any, X: Any, y: Any, given: dict[str, Any]) -> bool:
    """Return whether a search learns a metric for an estimator: a ranker with a kernel of distances, rows without
    pairs, and every pair of one weight."""
    known = isinstance(estimator, MarginRanker) and isinstance(estimator.kernel, str) and estimator.kernel in LEARNED
    dense = not (issparse(X) or hasattr(X, "sparse"))  # only a frame of sparse columns has the accessor
    return known and dense and not is_censored(y) and "pair_weight" not in given


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
    """Return the metrics for which paths are fitted: linear, the best without learning, and the best learned ones. The
    columns of the folds have no weights."""
    limit = LANDMARKS if fast else None
    rows, *parts = [_rows(one.rows, one.targets, one.of_fit, limit, one.steps[-1].weights_) for one in (whole, *folds)]
    pairs = [_pairs(fold) for fold in folds]
    told = [place for place, of in enumerate(pairs) if len(of.ahead)]
    gammas = gammas_of(whole.rows * rows.somers, own, True)
    linear, *usual = [
        Metric(kernel, gamma, rows.somers, [(part.somers, gamma) for part in parts], "somers", 0)
        for kernel, gamma in [("linear", 1.0), *((own.kernel, gamma) for gamma in gammas)]
    ]
    settings = [linear] if own.kernel == "rbf" else []
    if not told:
        return settings + usual
    data = [(parts[place], pairs[place]) for place in told]
    settings += [usual[at] for at in np.argsort(errors_of(own.kernel, gammas, data), kind="stable")[:USUAL]]
    chains = [(kernel, start) for kernel in KERNELS.get(own.kernel, (own.kernel,)) for start in STARTS]
    found = Parallel(n_jobs=n_jobs)(delayed(learned_metrics)(*chain, rows, data, end) for chain in chains)
    for (kernel, start), of_chain in zip(chains, found if verbose else []):
        if not of_chain:
            continue
        error, last = min(metric.error for metric in of_chain), of_chain[-1].step
        print(f"metric of {kernel} from {start}: {100 * error:.1f} % swapped, {last} steps", flush=True)
    best = sorted((metric for of_chain in found for metric in of_chain), key=lambda metric: metric.error)
    for metric in best[:BEST]:
        of_folds = dict(zip(told, metric.of_folds))
        unseen = metric.weights, metric.gamma  # of a fold without a pair, which does not count
        settings.append(replace(metric, of_folds=[of_folds.get(place, unseen) for place in range(len(folds))]))
    return settings


def _rows(columns, targets, given, limit=None, somers=()):
    groups, weight = given.get("groups"), given.get("sample_weight")
    return Rows(columns, check_targets(targets)[0].astype(np.float64), groups, weight, limit, somers)


def _pairs(fold):
    """Return the pairs of the test rows of a fold."""
    return Pairs.of(_rows(fold.others, fold.truth, fold.of_score))


def machines_of_folds(metric: Metric, machines: Sequence[Any], fast: bool) -> list[Pipeline]:
    """Return the estimators of a setting for the folds; their kernel is that of landmarks if that is ``fast``."""
    made = []
    for (weights, gamma), machine in zip(metric.of_folds, machines, strict=True):
        if metric.kernel == "linear":
            made.append(make_pipeline(Landmarks(weights), machine))
        elif fast:
            features = Landmarks(weights, metric.kernel, gamma)
            made.append(make_pipeline(features, clone(machine).set_params(kernel="linear")))
        else:
            made.append(make_pipeline(Landmarks(weights), clone(machine).set_params(gamma=gamma)))
    return made


def column_weights(members: Sequence[Pipeline], counts: Any, X: Any) -> dict[Any, float]:
    """Return the share of each column of X in the (squared) distances of the members, by name, the largest first."""
    shares = [member[-2].weights_ ** 2 / (member[-2].weights_ ** 2).sum() for member in members]
    of_columns = np.average(shares, axis=0, weights=counts)
    names = list(X.columns) if hasattr(X, "columns") else [f"x{place}" for place in range(X.shape[1])]
    sources = getattr(members[0][0], "sources_", names)
    weights = dict.fromkeys(names, 0.0)
    for name, share in zip(sources * (len(of_columns) // len(sources)), of_columns):
        weights[name] += float(share)
    return dict(sorted(weights.items(), key=lambda of: -of[1]))


def greedy_average(race: Race, folds: Sequence[Fold], size: int) -> tuple[dict[int, int], float]:
    """Return how often each row of the table of a race is in the best average of standardised predictions, and its mean
    score: ``size`` times the row with which the average is best is added (Caruana et al., 2004)."""
    n_Cs, means = len(race.Cs), race.means().ravel()
    scored = np.isfinite(race.scores).reshape(len(means), -1)
    places: list[int] = np.flatnonzero(scored.any(axis=0)).tolist()
    whole = np.flatnonzero(np.isfinite(means) & scored[:, places].all(axis=1))
    pool = sorted(whole.tolist(), key=lambda at: (-round(float(means[at]), DIGITS), race.Cs[at % n_Cs], at))[:POOL]
    if not pool:  # the time was over inside the first fold
        return {}, np.nan
    tables = [np.array([_standard(race.held_out[at // n_Cs, fold][at % n_Cs]) for at in pool]) for fold in places]
    score_of = [_scorer_of(race.scoring, folds[fold]) for fold in places]
    counts: dict[int, int] = {}
    totals = [np.zeros(table.shape[1]) for table in tables]
    best_score = float(np.nan)
    for _ in range(size):
        of_folds = [score(total + table) for score, total, table in zip(score_of, totals, tables)]
        scores = [round(float(of), DIGITS) for of in np.mean(of_folds, axis=0)]
        there = [at for at, of in enumerate(scores) if of >= max(scores) - ALIKE and pool[at] in counts]
        best = max(there or range(len(scores)), key=scores.__getitem__)
        best_score = scores[best]
        counts[pool[best]] = counts.get(pool[best], 0) + 1
        totals = [total + table[best] for total, table in zip(totals, tables)]
    return counts, best_score


def _standard(scores):
    return (scores - scores.mean()) / (scores.std() or 1.0)


def _scorer_of(scoring: Any, fold: Fold) -> Callable[[Array], Array]:
    """Return what gives the score of each row of a table of predictions (p, m) of the test rows of a fold."""
    if isinstance(scoring, RankScorer) and scoring.name == "concordance":
        pairs = _pairs(fold)
        return lambda table: 1.0 - pairs.swapped(table.T)
    return lambda table: np.array([score_of_fold(scoring, Known(row), fold) for row in table])
