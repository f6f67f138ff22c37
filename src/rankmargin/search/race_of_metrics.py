"""The race of a search that learns a metric: of some rows, and of many rows once more, with landmarks."""

from dataclasses import replace
from typing import Any

import numpy as np

from rankmargin.search.ensemble import (
    MANY,
    SOME_LANDMARKS,
    greedy_average,
    machines_of_folds,
    metric_settings,
    settings_of_many,
    some_landmarks,
    split_of_many,
)
from rankmargin.search.metric import LANDMARKS, Metric
from rankmargin.search.race import Fold, Race, fitted_encoder, fold_of

FURTHER = 10.5  # times the C of some rows, up to which many rows are fitted
# ends of the stages in shares of max_seconds; the rest is for the last fits
FOR_METRICS, FOR_SOME, FOR_FOLDS = 0.25, 0.5, 0.75


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
    metrics = metric_settings(
        machine, whole, made, search.fast, search.n_jobs, search.verbose, began + FOR_METRICS * left
    )
    if not search.fast or n <= MANY:
        return metrics, _raced(search, metrics, made, Cs, scoring, end, y, LANDMARKS if search.fast else None), made
    race = _raced(search, metrics, made, Cs, scoring, began + FOR_SOME * left, y, LANDMARKS)
    train, test = split_of_many(n, given.get("groups"))
    if len(train) and len(test):
        fold = fold_of(machine, steps, X, y, given, train, test, weighted=False, encoder=encoder)
        chosen = _chosen_by(search, race, made)
        settings = settings_of_many([metrics[place] for place in chosen], fold, n, machine, search.verbose)
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
