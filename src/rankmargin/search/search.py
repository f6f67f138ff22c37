"""RankSearchCV: one call that scales, tries kernels and values of C by cross-validation, and fits with the best."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils import check_consistent_length

from rankmargin.annotations import Array, ArrayLike, MatrixLike, PairWeight
from rankmargin.caller import warn_caller
from rankmargin.estimators.fit_arguments import checked_arguments
from rankmargin.estimators.ordinal_base import OrdinalPredictions
from rankmargin.estimators.pairs import PairTransformer
from rankmargin.estimators.pairs_base import PairsMachine
from rankmargin.estimators.path import checked_path, checked_times, last_step, named_for, rank_path, refuse_without_path
from rankmargin.metrics.scorers import RankScorer, scorer_of
from rankmargin.oracles.objective import ConvergenceWarning
from rankmargin.problem.checks import ENCODED_ITEMS, check_parameters, refuse_text
from rankmargin.problem.kernels import SCALED
from rankmargin.problem.rows.pairs import NoPairError
from rankmargin.search.ensemble import (
    FOR_FOLDS,
    MEMBERS,
    column_weights,
    greedy_average,
    known_slopes,
    learns,
    race_of_metrics,
    sampled,
)
from rankmargin.search.folds import splits_of, tell_labels
from rankmargin.search.inputs import ColumnScaler, as_targets, gammas_of, scaler_of
from rankmargin.search.race import Race, fold_of
from rankmargin.search.rank_average import RankAverage
from rankmargin.search.searched import Searched
from rankmargin.search.table import TableEncoder, needs_encoding
from rankmargin.search.ties import lowest
from rankmargin.solvers.progress import current, in_one_step

ROUGH = 1e-2  # gap of the fits of folds


@dataclass(eq=False, repr=False)
class RankSearchCV(Searched):
    """Learn which columns matter, choose kernel, gamma and C by cross-validation, and average the best settings.

    A *setting* is a combination of all parameters but C. For each setting and fold, one path over C is fitted with
    warm starts (:func:`rankmargin.rank_path`). With groups, the folds keep each group whole, and rankers compare rows
    only inside groups. A fold without a pair to compare is left out of the means.

    For a ranker with a kernel of distances (None, or ``kernel="rbf"``, ``"laplacian"``, ``"matern12"`` and so on), the
    search has three stages. All of them keep the test rows of a fold apart.

    1. It *learns a metric*, the weight of each column: ridge regression on the ranks of y, on at most 200 training rows
       (landmarks), shows along which columns its function changes; columns are weighted by that, and the regression is
       repeated up to five times. It starts from columns with a monotone effect, from columns with any curve, and from
       columns that only change the spread of y. With ``rbf``, the Laplacian kernel competes.
    2. It fits paths over C for the linear kernel, for two settings without learning, and for the four best metrics.
       The kernels of folds are those of landmarks.
    3. It makes a greedy *average* of settings and values of C, of which each is then fitted on all rows.

    These stages see at most 2,000 rows, whole groups, drawn with a fixed seed. Above 4,000 rows, members have
    *landmarks*, and up to 20,000 rows decide more: gamma, C, the number of landmarks (500 to 2,000) and the average, by
    2,500 rows that no stage has seen. An average then has at most four members, above 200,000 rows at most two.

    Other estimators (grades, comparisons, :class:`RankSVR`), sparse rows, censored times, ``pair_weight`` and a
    ``param_grid`` have no metric and no average: the best of their settings is fitted. There, many rows need
    ``landmarks=`` of the estimator.

    Parameters
    ----------
    estimator : an estimator of this package with a parameter ``C``, a pipeline that ends in one, or None
        None is ``SwappedPairsSVM()``. The steps of a pipeline are fitted on the training rows of each fold.
    Cs : sequence of floats > 0 or None, default None
        None is 0.01, 0.1, ..., 10,000; the last, which would take most of the time, is left out above 500 rows. For
        SumOfMarginsSVM: six values that its C may have on the training rows of each fold and on all rows.
    param_grid : "auto", dict, list of dicts or None, default "auto"
        ``auto``: the settings above. Without a metric, five values of gamma, from 0.01 to 2.5 divided by the median
        squared distance of rows, if the kernel has a gamma; for ``kernel="rbf"`` the linear kernel too. A dict or list
        of dicts is as in scikit-learn's ``GridSearchCV``, with the parameter names of ``estimator``. None: search over
        C alone.
    scale : bool, default True
        Whether to replace each column by two: its values, and the share of the training rows below them (for ties the
        middle; 0 and 1 for the smallest and the largest value), both scaled to variance 1. In the second, long tails
        are short. Both are then multiplied by the weight ``sqrt(D^2 + 0.02)``, up to a common factor, where D is
        Somers' rank correlation of the column and y on the training rows: columns that say more count more. A learned
        metric starts there. In a frame or an array of objects, names, missing cells and dates become numbers before:
        names have a column each (20 at most, rare ones together), gaps are filled by the median, and a column says so.
        For pairs, both items get the same scaling, and columns are not weighted. A sparse X is only scaled. Nothing is
        done for a pipeline, for ``kernel="precomputed"``, for ``"chi2"``, which takes nothing below 0, or for a kernel
        of ``sklearn.gaussian_process`` with a length scale for each column. A kernel of your own gets all these
        columns.
    ensemble_size : int >= 1, default 12
        How often the average takes a setting, with repeats; 1 is the best single setting.
    cv : int, splitter or None, default 5
        The number of folds, or a splitter; None means five folds. Folds consist of whole groups if there are groups,
        one for each group if there are fewer groups than folds; otherwise rows are shuffled with a fixed seed, and
        folds are stratified for grades.
    scoring : callable, text or None, default None
        ``scoring(estimator, X, y)``, higher is better, such as :func:`rankmargin.metrics.get_scorer` returns, or a name
        of a scorer, there or in scikit-learn. It receives ``sample_weight``, and ``groups`` if the estimator learns
        inside groups, if it has arguments of these names. None is ``neg_mean_absolute_error`` for estimators of grades
        (their scores can be in the right order although all rows get the same grade), and ``concordance``, the share of
        pairs in the right order, for others. The labels of comparisons are such an order too: better, equal, worse.
    fast : bool, default True
        Whether to save time: the fits of folds stop at a gap of 0.01 if ``tol`` is smaller. The worse half of the
        settings is dropped after each fold, keeping at least two, or four for an average; each survivor keeps only the
        values of C next to its best. The final fits always have ``tol``. False: every setting is fitted on every fold,
        and with a metric on all rows, however many, without landmarks.
    n_jobs : int or None, default None
        Number of processes; each fits the path of one setting on one fold. None means 1, -1 means one per processor.
    verbose : int, default 0
        1 prints a line for each path.
    max_seconds : float > 0 or None, default None
        After three quarters of this time the search stops with a ``ConvergenceWarning``, and the best so far is fitted
        in the remaining time; metrics get a quarter. ``max_seconds`` of the estimator limits a single path.

    Attributes
    ----------
    best_estimator_ : estimator
        Fitted on all rows: a :class:`RankAverage` of the scores of pipelines, or one of them; a pipeline if columns are
        scaled. The last step of each has a certificate: ``objective_``, ``dual_bound_`` and ``gap_``.
    gap_ : float
        The largest relative gap of the members of ``best_estimator_``.
    column_weights_ : dict
        How far each column of X moves the scores, the largest first, as shares: the mean squared derivative of the
        scores along the scaled column, over at most 200 training rows. Only if columns are scaled, X is dense, and the
        kernels are linear or those of distances.
    best_params_ : dict
        The chosen parameters, C included, as ``estimator`` names them; of an average those of its heaviest member. Of
        equal mean scores (up to rounding) the smallest C is chosen, and the first setting.
    best_score_ : float
        The mean score of the average, or of the chosen setting.
    best_index_ : int
        Their row of ``cv_results_``.
    cv_results_ : dict of columns
        One row per setting and C that was tried, above 4,000 rows by the one split of many rows: ``params``, a column
        for each parameter (``param_gamma``), ``split0_test_score`` and so on (nan if a fold was not tried or has no
        pair),
        ``mean_test_score``, ``std_test_score``, ``rank_test_score`` (dropped settings come last), ``n_folds``, the
        largest relative gap of the fits ``gap``, and the ``seconds`` of the paths of a setting; with a metric also its
        ``start`` and ``step``.
    Cs_ : (c,) array
        The values of C.
    n_splits_ : int
        Number of folds.
    grades_, classes_ : (r,) array
        The grades of an ordinal estimator: from the lowest to the highest, and in sorted order.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import RankSearchCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((80, 3)) * [1.0, 100.0, 0.01]
    >>> y = X[:, 0] + np.sin(X[:, 1] / 50) + 0.1 * rng.standard_normal(80)
    >>> search = RankSearchCV().fit(X, y)
    >>> search.best_score_ > 0.9
    True
    >>> search.gap_ < 1e-3  # each member is certified
    True
    >>> list(search.column_weights_)[:2]  # the columns that matter most
    ['x1', 'x0']
    """

    estimator: Any = None
    Cs: Sequence[float] | Array | None = None
    param_grid: Any = "auto"
    scale: bool = True
    ensemble_size: int = 12
    cv: Any = 5
    scoring: Callable[..., float] | str | None = None
    fast: bool = True
    n_jobs: int | None = None
    verbose: int = 0
    max_seconds: float | None = None

    @in_one_step
    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        pair_weight: PairWeight | None = None,
        Z: MatrixLike | None = None,
        pairs: ArrayLike | None = None,
        event: ArrayLike | None = None,
    ) -> Self:
        """Fit on rows X and targets y, with the arguments of the estimator's ``fit``.

        Parameters
        ----------
        X, y : as in the ``fit`` of the estimator
        groups : (n,) array or None
            Rankers form pairs inside groups; for other estimators groups are those of the folds alone, and of the
            probabilities of labelled pairs, for which names of both items, (n, 2), make folds as :class:`ItemKFold`.
        sample_weight : (n,) array >= 0 or None
            Used in the fits, the scores and the weights of the columns, not in their variance.
        pair_weight : callable, "ndcg", (n, n) array or None, if the estimator takes it; for RankSVR (p,) array
            Used in the fits, not in the scores of the folds; with ``"ndcg"`` use ``scoring=get_scorer("ndcg")``.
        Z, pairs : as in :meth:`rankmargin.RankSVR.fit`
            Pairs of rows of Z are used in all training parts; pairs of rows of X in those that hold both rows.
        event : (n,) array of bool or None, if the estimator takes it
            True if the event happened at time y, False if the row is censored, for the fits and the scores; y may also
            be a structured array (event, time), which a callable ``scoring`` is given. ``concordance`` is then
            Harrell's.

        Returns
        -------
        self
        """
        if y is None:
            raise ValueError("RankSearchCV requires y to be passed, but the target y is None")
        check_parameters(self)
        machine = self._own()
        refuse_without_path(machine)
        X = self._matrix(X)
        y = checked_times(as_targets(y), event, [machine])
        check_consistent_length(X, y)
        of_grades = self.scoring is None and isinstance(last_step(machine)[0], OrdinalPredictions)
        scoring = scorer_of("neg_mean_absolute_error" if of_grades else self.scoring)
        given = checked_arguments(self, machine, X, groups, sample_weight, pair_weight, Z, pairs)
        folds = splits_of(machine, self.cv, X, y, groups)
        if isinstance(self.param_grid, str) and self.param_grid != "auto":
            raise ValueError(f'param_grid must be "auto", a dict, a list of dicts or None, got {self.param_grid!r}')
        learned = self.scale and isinstance(self.param_grid, str) and learns(machine, X, y, given)
        folds = sampled(folds, X.shape[0], groups) if learned and self.fast else folds
        parts = [slice(None), *(train for train, _ in folds)]
        Cs = checked_path(machine, self.Cs, y, parts, given.get("sample_weight"))
        self.Cs_, began, left = np.array(Cs), time.monotonic(), current().left
        end = began + FOR_FOLDS * left
        steps = self._steps(X)
        if learned:
            metrics, race, made = race_of_metrics(self, steps, X, y, given, folds, Cs, scoring, began, left)
            settings = [metric.params for metric in metrics]
        else:
            whole = fold_of(machine, steps, X, y, given, None, np.arange(1))
            settings = self._settings(whole.rows, y)
            machines = [[self._of_folds(setting, scoring, y)] * len(folds) for setting in settings]
            race = Race(machines, Cs, len(folds), scoring, end, self.n_jobs, self.verbose)
            race.run((fold_of(machine, steps, X, y, given, *fold) for fold in folds), self.fast, settings)
        if time.monotonic() >= end:
            tried = f"{int(np.isfinite(race.scores).sum())} of at most {race.scores.size} fits were tried"
            warn_caller(f"the search ended after max_seconds={self.max_seconds:g}: {tried}", ConvergenceWarning)
        else:
            race.warn_of_empty_folds()
        self._choose(settings, race)
        self.cv_results_ = race.table(settings, self._name_of_C())
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
        if learned:
            self._fit_average(race, made, metrics, steps, X, y, given)
        else:
            self._fit_best(whole, y)
        last = last_step(self.best_estimator_)[0]
        members = getattr(last, "estimators_", [self.best_estimator_])
        self.gap_ = max(getattr(last_step(member)[0], "gap_", 0.0) for member in members)
        if steps and isinstance(steps[-1], ColumnScaler) and all(known_slopes(member, X) for member in members):
            self.column_weights_ = column_weights(self.best_estimator_, X)
        self.__dict__.update({name: getattr(last, name) for name in ("grades_", "classes_") if hasattr(last, name)})
        return self

    def _fit_best(self, whole, y):
        """Fit the chosen setting on all rows."""
        last, C = self._with(self.best_params_), self.best_params_[self._name_of_C()]
        (last,) = rank_path(last, whole.rows, y, [C], **whole.of_fit)
        self.best_estimator_ = make_pipeline(*whole.steps, last) if whole.steps else last

    def _fit_average(self, race, folds, metrics, steps, X, y, given):
        """Fit the members of the best average on all rows."""
        table, n_Cs = self.cv_results_, len(race.Cs)
        counts = {self.best_index_: 1}
        for name in ("start", "step"):
            table[name] = np.repeat([getattr(metric, name) for metric in metrics], n_Cs)
        most = min((few for rows, few in MEMBERS.items() if X.shape[0] > rows), default=self.ensemble_size)
        if self.ensemble_size > 1 and (greedy := greedy_average(race, folds, self.ensemble_size, most))[0]:
            counts, self.best_score_ = greedy
            self.best_index_ = max(
                counts, key=lambda candidate: (counts[candidate], table["mean_test_score"][candidate])
            )
            self.best_params_ = table["params"][self.best_index_]
        members = {}
        for candidate in counts:
            metric, last = metrics[candidate // n_Cs], self._with(table["params"][candidate])
            members[f"{metric.kernel}_{candidate}"] = make_pipeline(
                *steps[:-1], ColumnScaler(weights=metric.weights), last
            )
        with config_context(enable_metadata_routing=False):  # the members are ours
            if len(members) == 1:
                (best,) = members.values()
                self.best_estimator_ = best.fit(X, y, **named_for(best, **given))
            else:
                best = RankAverage([*members.items()], [*counts.values()], "scores", n_jobs=self.n_jobs)
                self.best_estimator_ = best.fit(X, y, **given)

    def _name_of_C(self):
        return f"{last_step(self._own())[1]}C"

    def _with(self, params, tol=0.0):
        """Return the estimator with these parameters and at least this tol."""
        made = clone(self._own()).set_params(**clone(params, safe=False))  # a value may be an estimator
        last = refuse_without_path(made)
        check_parameters(last)
        last.tol = max(last.tol, tol)
        if isinstance(last, PairsMachine) and self._scaler() is not None:
            last.items = None  # the scaler returns both items side by side
        return made

    def _of_folds(self, setting, scoring, y):
        """Return the estimator for the folds, without probabilities if nothing needs them."""
        made = self._with(setting, ROUGH if self.fast else 0.0)
        last = last_step(made)[0]
        of_scores = isinstance(scoring, RankScorer) or getattr(scoring, "_response_method", None) == "predict"
        unread = of_scores and getattr(last, "prediction", None) != "most_probable"
        if unread and "probability" in last.get_params(deep=False):
            last.set_params(probability=False)
        tell_labels(made, y)
        return made

    def _scaler(self):
        """Return the transformer of the columns, or None."""
        return scaler_of(self._own(), self.param_grid) if self.scale else None

    def _steps(self, X):
        """Return what makes numbers of the columns of X, if they are no finite numbers, and what scales them."""
        scaler = self._scaler()
        if isinstance(scaler, PairTransformer):
            refuse_text(X, "RankSearchCV", ENCODED_ITEMS)
        if scaler is None:
            return []
        return [TableEncoder(), scaler] if isinstance(scaler, ColumnScaler) and needs_encoding(X) else [scaler]

    def _settings(self, rows, y):
        """Return the settings, of which there is one without parameters if there is no grid."""
        machine, grid = self._own(), self.param_grid
        last, before = last_step(machine)
        if isinstance(grid, str):
            grid = {}
            if last.kernel in SCALED:
                grid = [{f"{before}kernel": [last.kernel], f"{before}gamma": self._gammas(rows, y)}]
                grid = [{f"{before}kernel": ["linear"]}, *grid] if last.kernel == "rbf" else grid
        if not (settings := list(ParameterGrid({} if grid is None else grid))):
            raise ValueError("param_grid must hold at least one setting, got []; None searches over C alone")
        if any(self._name_of_C() in setting for setting in settings):
            raise ValueError(f"param_grid must not hold C, got {self._name_of_C()}: Cs are its values")
        if self._scaler() is not None and any("items" in setting for setting in settings):
            raise ValueError("param_grid must not hold items: give them to the estimator, or use scale=False")
        return settings

    def _gammas(self, rows, y):
        """Return values of gamma that suit the distances of some rows, as the steps of a pipeline leave them."""
        machine = self._own()
        while isinstance(machine, Pipeline):
            rows = clone(machine[:-1]).fit_transform(rows, y) if len(machine.steps) > 1 else rows
            machine = machine.steps[-1][1]
        return gammas_of(rows, machine, self._scaler() is not None)

    def _choose(self, settings, race):
        """Set the chosen setting and C; of equal means the smallest C, then the first setting."""
        means, Cs = race.means().ravel(), race.Cs
        if not np.isfinite(means).any():
            why = race.refusal or "check y and groups, use fewer folds (cv) or more max_seconds"
            raise NoPairError(f"scoring must give a finite score on some test fold, got none: {why}")
        finite = np.flatnonzero(np.isfinite(means))
        equal = finite[lowest(-means[None, finite])]
        self.best_index_ = int(min(equal, key=lambda i: (Cs[i % len(Cs)], i // len(Cs))))
        setting, place = divmod(self.best_index_, len(Cs))
        self.best_params_ = {**settings[setting], self._name_of_C(): float(Cs[place])}
        self.n_splits_ = race.n_folds
