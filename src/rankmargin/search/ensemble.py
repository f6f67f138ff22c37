"""A search that learns a metric: its settings, their races (of many rows a second one, with landmarks), the average."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.parallel import Parallel, delayed

from rankmargin.annotations import Array
from rankmargin.estimators.base import MarginRanker
from rankmargin.estimators.path import last_step
from rankmargin.metrics.scorers import RankScorer
from rankmargin.problem.checks import check_targets, is_dense, taken
from rankmargin.problem.rows.pairs import group_codes, is_censored
from rankmargin.problem.spaces import most_features
from rankmargin.search.inputs import gammas_of
from rankmargin.search.metric import (
    LANDMARKS,
    STARTS,
    Metric,
    Pairs,
    Rows,
    distances,
    errors_of,
    fits_of,
    learned_metrics,
    rates,
    slopes,
    some_rows,
)
from rankmargin.search.race import DIGITS, Fold, Known, Race, fitted_encoder, fold_of, score_of_fold
from rankmargin.solvers.progress import one_thread

KERNELS = {"rbf": ("rbf", "laplacian")}  # what competes in place of a kernel; others are alone
LEARNED = "rbf", "laplacian", "matern12", "matern32", "matern52"
MOST_ROWS = 2_000  # of a search; C and the metric are those of some rows
BEST, USUAL = 4, 2  # learned metrics, and settings without learning, for which paths are fitted
ALIKE = 1e-4  # a member that is there already is taken if the average is worse by at most this
POOL = 40  # settings and values of C of which an average is made
MANY = 4_000  # rows from which on a fit has landmarks
ROWS_OF_MANY, TEST_ROWS = 20_000, 2_500  # that decide gamma, C and the average of many rows; those held out
SOME_LANDMARKS, MOST_LANDMARKS = 500, 2_000  # of these fits; of the last ones, which take more where these are better
MOST_FEATURES = 100_000_000  # entries of the features of a fit
FINER = 1.0, 2.0, 4.0  # factors of gamma
FEW, WORTH = 3, 0.99  # settings that are tried; share of an error that twice as many landmarks may leave
MEMBERS = {MANY: 4, 200_000: 2}  # of an average of more rows
FURTHER = 10.5  # times the C of some rows, up to which many rows are fitted
# ends of the stages in shares of max_seconds; the rest is for the last fits
FOR_METRICS, FOR_SOME, FOR_FOLDS = 0.25, 0.5, 0.75


def learns(estimator: Any, X: Any, y: Any, given: dict[str, Any]) -> bool:
    """Return whether a search learns a metric for an estimator: a ranker with a kernel of distances, rows without
    pairs, and every pair of one weight."""
    known = isinstance(estimator, MarginRanker) and isinstance(estimator.kernel, str) and estimator.kernel in LEARNED
    return known and is_dense(X) and not is_censored(y) and "pair_weight" not in given


def sampled(folds: Sequence[tuple[Array, Array]], n: int, groups: Any) -> list[tuple[Array, Array]]:
    """Return folds with those rows alone that a search sees: at most 2,000, whole groups, drawn with a fixed seed."""
    seen = drawn(n, groups) <= MOST_ROWS
    parts = [(train[seen[train]], test[seen[test]]) for train, test in folds]
    return [(train, test) for train, test in parts if len(train) and len(test)]


def drawn(n: int, groups: Any) -> Array:
    """Return how many rows are drawn when a row is, (n,): rows or whole groups, in a random order with a fixed seed; at
    least two groups within the first rows of a search."""
    rng, number = np.random.default_rng(0), np.empty(n, dtype=np.int64)
    if groups is None:
        number[rng.permutation(n)] = np.arange(1, n + 1)
        return number
    codes = group_codes(groups, n)
    order = rng.permutation(codes.max() + 1)
    counts = np.cumsum(np.bincount(codes)[order])
    counts[:2] = np.minimum(counts[:2], MOST_ROWS)
    number = np.empty(len(order), dtype=np.int64)
    number[order] = counts
    return number[codes]


def split_of_many(n: int, groups: Any) -> tuple[Array, Array]:
    """Return training and test rows of a search with many rows: the first ones of the search are training rows."""
    number = drawn(n, groups)
    test = (number > MOST_ROWS) & (number <= MOST_ROWS + min(TEST_ROWS, n // 5))
    return np.flatnonzero((number <= ROWS_OF_MANY) & ~test), np.flatnonzero(test)


def metric_settings(
    machine: Any, whole: Fold, folds: Sequence[Fold], fast: bool, n_jobs: int | None, end: float
) -> list[Metric]:
    """Return the metrics for which paths are fitted: linear, the best without learning, and the best learned ones. The
    columns of the folds have no weights."""
    limit = LANDMARKS if fast else None
    rows, *parts = [
        _rows(fold.rows, fold.targets, fold.of_fit, limit, fold.steps[-1].weights_) for fold in (whole, *folds)
    ]
    pairs = [_pairs(fold) for fold in folds]
    with_pairs = [place for place, rows_of in enumerate(parts) if len(pairs[place].ahead) and rows_of.shares.any()]
    gammas = gammas_of(whole.rows * rows.somers, machine, True)
    linear, *usual = [
        Metric(kernel, gamma, rows.somers, [(part.somers, gamma) for part in parts], "somers", 0)
        for kernel, gamma in [("linear", 1.0), *((machine.kernel, gamma) for gamma in gammas)]
    ]
    settings = [linear] if machine.kernel == "rbf" else []
    if not with_pairs:
        return settings + usual
    data = [(parts[place], pairs[place]) for place in with_pairs]
    settings += [usual[place] for place in np.argsort(errors_of(machine.kernel, gammas, data), kind="stable")[:USUAL]]
    chains = [(kernel, start) for kernel in KERNELS.get(machine.kernel, (machine.kernel,)) for start in STARTS]
    found = Parallel(n_jobs=n_jobs)(delayed(learned_metrics)(*chain, rows, data, end) for chain in chains)
    best = sorted((metric for of_chain in found for metric in of_chain), key=lambda metric: metric.error)
    for metric in best[:BEST]:
        of_folds = dict(zip(with_pairs, metric.of_folds))
        unseen = metric.weights, metric.gamma  # of a fold without a pair, which does not count
        settings.append(replace(metric, of_folds=[of_folds.get(place, unseen) for place in range(len(folds))]))
    return settings


def _rows(columns, targets, given, limit=None, somers=()):
    groups, weight = given.get("groups"), given.get("sample_weight")
    return Rows(columns, check_targets(targets)[0].astype(np.float64), groups, weight, limit, somers)


def _pairs(fold):
    """Return the pairs of the test rows of a fold."""
    return Pairs.of(_rows(fold.others, fold.truth, fold.of_score))


def machines_of_folds(
    metric: Metric, machine: Any, folds: Sequence[Fold], landmarks: int | None = None
) -> list[Pipeline]:
    """Return the estimators of a setting for the folds, with at most so many landmarks."""
    made = []
    for (weights, gamma), fold in zip(metric.of_folds, folds, strict=True):
        member = clone(machine)
        if metric.kernel != "linear":
            member.set_params(gamma=gamma)
            if landmarks is not None:
                weight = fold.of_fit.get("sample_weight")
                weighs = len(fold.targets) if weight is None else np.count_nonzero(weight)
                member.landmarks = max(1, min(landmarks, weighs))
        weighted = FunctionTransformer(partial(np.multiply, weights)).set_output(transform="default")
        made.append(make_pipeline(weighted, member))
    return made


def some_landmarks(n: int) -> int:
    """Return the number of landmarks of a fit of n rows, if nothing says more: those for which memory has room."""
    return min(SOME_LANDMARKS, most_features(n))


@one_thread(0)
def settings_of_many(chosen: Sequence[Metric], fold: Fold, n: int, machine: Any) -> list[tuple[int, Metric]]:
    """Return settings of a fit of n rows with their places among the chosen ones: the linear one, and of the others the
    best three, with the gamma and the number of landmarks that are best in the held-out rows of a fold: many rows tell
    finer functions apart. If it has no pair, there is none."""
    pairs, found, number = _pairs(fold), [], machine.landmarks or some_landmarks(n)
    if not len(pairs.ahead):
        return []
    rows = _rows(fold.rows, fold.targets, fold.of_fit, SOME_LANDMARKS)
    linear = [(place, metric) for place, metric in enumerate(chosen) if metric.kernel == "linear"]
    for place, metric in enumerate(chosen):
        if metric.kernel != "linear":
            gammas = [metric.gamma * factor for factor in FINER]
            of_gammas = fits_of(metric.kernel, gammas, metric.weights, rows, pairs)[1].min(axis=1)
            best = int(of_gammas.argmin())
            found.append((place, replace(metric, gamma=gammas[best], error=float(of_gammas[best]))))
    found = sorted(found, key=lambda choice: choice[1].error)[:FEW]
    if found and machine.landmarks is None:
        metric, error = found[0][1], found[0][1].error
        while 2 * number <= min(MOST_FEATURES // n, MOST_LANDMARKS, len(fold.targets) // 4):
            rows = _rows(fold.rows, fold.targets, fold.of_fit, 2 * number)
            last, error = error, fits_of(metric.kernel, [metric.gamma], metric.weights, rows, pairs)[1].min()
            if error > WORTH * last:
                break
            number *= 2
    found = linear + [(place, replace(metric, landmarks=number)) for place, metric in found]
    return [(place, replace(metric, of_folds=[(metric.weights, metric.gamma)])) for place, metric in found]


def known_slopes(member: Any, X: Any) -> bool:
    """Return whether the derivatives of a member's scores are known: dense X, a linear kernel or one of distances."""
    last = last_step(member)[0]
    return is_dense(X) and (hasattr(last, "coef_") or getattr(last, "kernel", None) in LEARNED)


def column_weights(best: Any, X: Any) -> dict[Any, float]:
    """Return how far each column of X moves the scores, by name, the largest first: its share in the sum of the mean
    squared derivatives of the average's scores at some rows, along columns of variance 1; of a name, along those of 0
    and 1 that it became. Values and quantiles of a column move together."""
    average = last_step(best)[0]
    members = getattr(average, "estimators_", [best])
    scales = [scale for _, scale in average.reference_] if len(members) > 1 else [1.0]
    chosen = some_rows(np.ones(X.shape[0]), LANDMARKS)
    rows = taken(X, chosen)
    for step in [*members[0]][:-2]:
        rows = step.transform(rows)
    scaled = members[0][-2].without_weights(rows)
    derivatives = sum(
        weight / scale * _derivatives(member, scaled)
        for member, weight, scale in zip(members, getattr(average, "weights_", [1.0]), scales)
    )
    values, quantiles = np.split(derivatives, 2, axis=1)
    squares = np.mean((values + quantiles) ** 2, axis=0)
    names = list(X.columns) if hasattr(X, "columns") else [f"x{place}" for place in range(X.shape[1])]
    weights = dict.fromkeys(names, 0.0)
    for name, share in zip(getattr(members[0][0], "sources_", names), squares / (squares.sum() or 1.0)):
        weights[name] += float(share)
    return dict(sorted(weights.items(), key=lambda entry: -entry[1]))


def _derivatives(member: Pipeline, scaled: Array) -> Array:
    """Return the derivatives of the scores of a member along columns (n, q) that its scaler has not weighted."""
    weights, last = member[-2].weights_, member[-1]
    if hasattr(last, "coef_"):
        return np.asarray(weights * last.coef_)[None]
    kernel, beta = last.model_.kernel, last.model_.solution.beta
    used = np.flatnonzero(beta)
    landmarks, beta = (
        (last.landmarks_, last.landmark_coef_) if hasattr(last, "landmarks_") else (last.model_.X[used], beta[used])
    )
    rows = scaled * weights
    products = rates(kernel.name, kernel.gamma, distances(kernel.name, rows, landmarks)) * beta
    return -weights * slopes(kernel.name, products, rows, landmarks)


def greedy_average(race: Race, folds: Sequence[Fold], size: int, most: int = POOL) -> tuple[dict[int, int], float]:
    """Return how often each row of the table of a race is in the best average of standardised predictions, and its mean
    score: ``size`` times the row with which the average is best is added (Caruana et al., 2004), ``most`` of them."""
    n_Cs, means = len(race.Cs), race.means().ravel()
    scored = np.isfinite(race.scores).reshape(len(means), -1)
    places: list[int] = np.flatnonzero(scored.any(axis=0)).tolist()
    whole = np.flatnonzero(np.isfinite(means) & scored[:, places].all(axis=1))
    pool = sorted(whole.tolist(), key=lambda k: (-round(float(means[k]), DIGITS), race.Cs[k % n_Cs], k))[:POOL]
    if not pool:  # the time was over inside the first fold
        return {}, np.nan
    tables = [np.array([_standard(race.held_out[k // n_Cs, fold][k % n_Cs]) for k in pool]) for fold in places]
    score_of = [_scorer_of(race.scoring, folds[fold]) for fold in places]
    counts: dict[int, int] = {}
    totals = [np.zeros(table.shape[1]) for table in tables]
    best_score = float(np.nan)
    for _ in range(size):
        of_folds = [score(total + table) for score, total, table in zip(score_of, totals, tables)]
        scores = [round(float(score), DIGITS) for score in np.mean(of_folds, axis=0)]
        there = [place for place, score in enumerate(scores) if score >= max(scores) - ALIKE and pool[place] in counts]
        there = there or [place for place in range(len(scores)) if len(counts) < most or pool[place] in counts]
        best = max(there, key=scores.__getitem__)
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


def race_of_metrics(
    search: Any,
    steps: Any,
    X: Any,
    y: Any,
    given: dict[str, Any],
    folds: Any,
    Cs: Any,
    scoring: Any,
    began: float,
    left: float,
) -> tuple[list[Metric], Race, list[Fold]]:
    """Return metrics, the race of their paths, and its folds; of many rows the second one."""
    machine, n, end = search._own(), X.shape[0], began + FOR_FOLDS * left
    rows, encoder = np.unique(np.concatenate([part for fold in folds for part in fold])), fitted_encoder(steps, X)
    made = [fold_of(machine, steps, X, y, given, train, test, weighted=False) for train, test in folds]
    whole = fold_of(machine, steps, X, y, given, rows, rows[:1], weighted=False, encoder=encoder)
    metrics = metric_settings(machine, whole, made, search.fast, search.n_jobs, began + FOR_METRICS * left)
    if not search.fast or n <= MANY:
        return metrics, _raced(search, metrics, made, Cs, scoring, end, y, LANDMARKS if search.fast else None), made
    race = _raced(search, metrics, made, Cs, scoring, began + FOR_SOME * left, y, LANDMARKS)
    train, test = split_of_many(n, given.get("groups"))
    if len(train) and len(test):
        fold = fold_of(machine, steps, X, y, given, train, test, weighted=False, encoder=encoder)
        chosen = _chosen_by(search, race, made)
        settings = settings_of_many([metrics[place] for place in chosen], fold, n, machine)
        first, values = [*chosen.values()], np.array(Cs)
        tried = np.array([(first[place] <= values) & (values <= FURTHER * first[place]) for place, _ in settings])
        found = [metric for _, metric in settings]
        again = _raced(search, found, [fold], Cs, scoring, end, y, SOME_LANDMARKS, tried) if found else race
        if found and np.isfinite(again.means()).any():
            return found, again, [fold]
    few = machine.landmarks or some_landmarks(n)  # a group is whole, there is no held-out pair, or no time
    return [replace(metric, landmarks=few) for metric in metrics], race, made


def _raced(search, metrics, folds, Cs, scoring, end, y, landmarks, tried=None):
    """Return the race of metrics over folds, of all values of C, or of those that are ``tried``, (metrics, Cs)."""
    settings = [metric.params for metric in metrics]
    machines = [
        machines_of_folds(metric, search._of_folds(setting, scoring, y), folds, landmarks)
        for metric, setting in zip(metrics, settings)
    ]
    race = Race(machines, Cs, len(folds), scoring, end, search.n_jobs, search.verbose, keeps=True)
    race.left = race.left if tried is None else tried
    race.run(iter(folds), search.fast, settings)
    return race


def _chosen_by(search, race, folds):
    """Return the C of each setting in the best average, the heaviest one first."""
    counts, chosen = greedy_average(race, folds, search.ensemble_size)[0], {}
    for candidate in sorted(counts, key=counts.__getitem__, reverse=True):
        chosen.setdefault(candidate // len(race.Cs), race.Cs[candidate % len(race.Cs)])
    return chosen
