"""The learned numbers of a fitted estimator, with the names of its columns."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rankmargin.comparisons.pair_columns import pair_columns
from rankmargin.estimators.fit_arguments import of_this_package
from rankmargin.estimators.path import last_step
from rankmargin.problem.checks import holder_of, with_inner

MOST = 10  # columns that are printed


@dataclass(frozen=True)
class FitSummary:
    """Weights of a linear function, support rows, thresholds and certificate of a fit; ``print`` shows them.

    Attributes
    ----------
    coefficients : dict of str to float, or None
        Name of each column -> its weight, sorted by absolute value, the largest first; only with the linear kernel.
        Columns without names are x0, x1, ... Of a RankAverage the weight of each estimator.
    thresholds : dict of str to float, or None
        Two neighbouring grades, such as ``"bad | fair"`` -> the score between them.
    n_rows : int or None
        Number of rows of the fit; None if the method has no coefficient per row.
    n_support : int or None
        Number of rows with a coefficient other than 0; without the other rows the fit would be the same.
    gap : float or None
        Relative duality gap.
    n_iter : int or None
        Steps of the solver.
    settings : dict of str to float, or None
        The settings that a search averages, and their weights.
    score : float or None
        The mean score of a search in its folds.
    columns : dict of str to float, or None
        The share of each column in the distances of rows, of a search.
    """

    coefficients: dict[str, float] | None
    thresholds: dict[str, float] | None
    n_rows: int | None
    n_support: int | None
    gap: float | None
    n_iter: int | None
    settings: dict[str, float] | None = None
    score: float | None = None
    columns: dict[Any, float] | None = None

    def __str__(self) -> str:
        lines = []
        for title, shares in (("settings", self.settings), ("columns, by how far they move the scores", self.columns)):
            if shares is not None:
                most = [*shares.items()][:MOST]
                width = max(len(str(name)) for name, _ in most)
                lines += [title, *(f"  {name!s:{width}} {share:.2f}" for name, share in most)]
        if self.score is not None:
            lines.append(f"mean score of the folds: {self.score:.4g}")
        if self.coefficients is not None:
            width = max(len(name) for name in self.coefficients)
            lines += ["weights", *(f"  {name:{width}} {weight: .4g}" for name, weight in self.coefficients.items())]
        if self.thresholds is not None:
            lines += [
                "thresholds",
                *(f"  {between}  {threshold:.4g}" for between, threshold in self.thresholds.items()),
            ]
        if self.n_rows and self.n_support is not None:
            share = 100 * self.n_support / self.n_rows
            lines.append(f"support rows: {self.n_support} of {self.n_rows} ({share:.0f} %)")
        if self.gap is not None:
            steps = "" if self.n_iter is None else f" after {self.n_iter} steps"
            lines.append(f"relative gap: {self.gap:.1e}{steps}")
        return "\n".join(lines)


def summary(estimator: Any) -> FitSummary:
    """Return what a fitted estimator of this package has learned.

    Parameters
    ----------
    estimator : fitted estimator
        An estimator of this package, a pipeline that ends in one, or a search over them. The columns have the names of
        the data frame of the fit; in a pipeline they have the names that its steps give them.

    Returns
    -------
    FitSummary

    Raises
    ------
    ValueError
        If it is not an estimator of this package and does not contain one.

    Examples
    --------
    >>> from rankmargin import SVOR
    >>> from rankmargin.inspection import summary
    >>> X, y = [[0, 1], [1, 0], [2, 1], [3, 0], [4, 1], [5, 0]], ["bad", "bad", "fair", "fair", "good", "good"]
    >>> grader = SVOR(kernel="linear", C=10, tol=1e-6, categories=["bad", "fair", "good"]).fit(X, y)
    >>> print(summary(grader))  # doctest: +ELLIPSIS
    weights
      x0  1
      x1  1
    thresholds
      bad | fair  2
      fair | good  4
    support rows: ... of 6 (...)
    relative gap: ... after ... steps
    """
    check_is_fitted(estimator)
    if not any(map(of_this_package, with_inner(estimator))):
        raise ValueError(f"estimator must be one of this package or contain one, got {type(estimator).__name__}")
    ordinal, thresholds = holder_of(estimator, "thresholds_"), None
    if ordinal is not None:
        between = [f"{low} | {high}" for low, high in zip(ordinal.grades_[:-1], ordinal.grades_[1:])]
        thresholds = dict(zip(between, ordinal.thresholds_.tolist()))
    search, average = holder_of(estimator, "best_score_"), holder_of(estimator, "named_estimators_")
    if search is not None and of_this_package(search) and (average is None or hasattr(average, "weights_")):
        members = [search.best_estimator_] if average is None else average.estimators_
        weights = [1.0] if average is None else average.weights_.tolist()
        settings: dict[str, float] = {}
        for member, weight in zip(members, weights):  # two metrics may have led to the same parameters
            settings[_setting(member)] = settings.get(_setting(member), 0.0) + weight
        columns = getattr(search, "column_weights_", None)
        inner = _summary_of_machine(search.best_estimator_, thresholds)
        gap = inner.gap if average is None else search.gap_
        return replace(inner, gap=gap, settings=settings, score=search.best_score_, columns=columns)
    if average is not None and hasattr(average, "weights_"):
        weights = _named(average.weights_, [*average.named_estimators_])
        return FitSummary(weights, thresholds, None, None, None, None)
    return _summary_of_machine(estimator, thresholds)


def _setting(member):
    """Return the kernel and the parameters of a member of a search as a text."""
    last = last_step(member)[0]
    kernel, gamma = last.kernel or "linear", getattr(last, "gamma", None)
    of_kernel = f", gamma={gamma:.3g}" if isinstance(gamma, float) and kernel != "linear" else ""
    return f"{kernel}{of_kernel}, C={last.C:.3g}"


def _summary_of_machine(estimator, thresholds):
    held, names = _machine(estimator)
    beta = getattr(held, "dual_coef_", None) if hasattr(held, "model_") else None  # otherwise of another package
    return FitSummary(
        _named(getattr(held, "coef_", None), names),
        thresholds,
        None if beta is None else len(beta),
        None if beta is None else int(np.count_nonzero(getattr(held, "landmark_coef_", beta))),
        getattr(held, "gap_", None),
        getattr(held, "n_iter_", None),
    )


def _machine(estimator):
    """Return the inner estimator that has the function, the last one if none has; and the names of its columns or
    None."""
    names = held = None
    for held in with_inner(estimator):
        names = getattr(held, "feature_names_in_", names)
        if hasattr(held, "model_") or hasattr(held, "coef_"):
            return held, _of_one_item(held, names)
        if len(getattr(held, "steps", ())) > 1:
            names = _names_behind(held[:-1], names)
    return held, names


def _of_one_item(held, names):
    """Return the names of the columns of one item, if the rows are pairs of items."""
    columns = getattr(held, "_columns", None)
    if columns is None or names is None:
        return names
    return columns.names or pair_columns(names, len(names)).names


def _names_behind(steps, names):
    try:
        return steps.get_feature_names_out(names)
    except (AttributeError, ValueError):  # a step does not name its columns
        return None


def _named(weights, names):
    """Return the weights by name, the largest first; for pairs the names are those of the columns of the first item.
    Another package may have a row of weights, or one row for each of several functions, which have no names here."""
    if weights is None or (np.ndim(weights) > 1 and 1 not in np.shape(weights)):
        return None
    weights = np.ravel(weights)
    names = [f"x{i}" for i in range(len(weights))] if names is None else [str(name) for name in names[: len(weights)]]
    return {names[i]: float(weights[i]) for i in np.argsort(-np.abs(weights), kind="stable")}
