"""The methods that ``uses`` names: estimators, those of `rankmargin` by their names, any other by its dotted path.

``uses: SVOR`` and ``uses: sklearn.ensemble.RandomForestRegressor`` name classes with ``fit`` and with
``decision_function``, ``predict_proba`` or ``predict``. A list is a pipeline, whose parameters are named as
scikit-learn names them (``svr__C``). The classes are imported in their own jobs, and once when the protocol is checked.
"""

import importlib
import inspect
import os
import sys
from dataclasses import dataclass
from functools import cache

import numpy as np

from rankbench.baselines import _extra
from rankbench.records.sources import PACKAGES, closure, content_of, parsed
from rankmargin.problem.rows.pairs import group_codes

if os.getcwd() not in sys.path:  # last: a file beside a run stands for no installed module
    sys.path.append(os.getcwd())  # where a user's own methods are

PATIENCE = 50  # trees without a gain on the held-out rows, after which boosting stops
PATH = "C"  # the parameter of our estimators along which fits are started warm
SOLVER = "rankmargin.estimators.base"  # what every estimator imports that solves a problem
SOLVED = "rankbench.experiments.solved"  # named and not imported: see there


def paths_of(uses):
    """Return the dotted paths of a method as a tuple: one for an estimator, several for a pipeline."""
    names = (uses,) if isinstance(uses, str) else tuple(uses)
    return tuple(name if "." in name else f"rankmargin.{name}" for name in names)


def uses_named(uses):
    """Return the full name of a method: its dotted paths."""
    return " + ".join(paths_of(uses))


def is_absent(uses):
    """Return whether a method needs a package of the extra ``rivals`` that is not installed.

    Its parameters cannot be checked then. The experiment is described all the same, and its runs fail by name.
    """
    return any(_extra.lacks(path.split(".")[0]) for path in paths_of(uses))


def sources_of(uses):
    """Return the modules of this project that a method needs, and the other packages that it fits with.

    Of a method that solves a problem of `rankmargin`, `SOLVED` is one of the modules. The packages of a class of this
    project are those that its module imports, also inside functions, except numpy.
    """
    modules, packages = [], []
    for path in paths_of(uses):
        if path.split(".")[0] in PACKAGES:
            modules.append(_class_of(path).__module__)
            packages += foreign_imports(modules[-1])
        else:
            packages.append(path.split(".")[0])
    more = [SOLVED] if SOLVER in closure(modules) else []
    return (*modules, *more), tuple(dict.fromkeys(packages))


def solved(uses):
    """Return the module `SOLVED` for a method that solves a problem of `rankmargin`, and None for any other."""
    return _solved(paths_of(uses))


@cache  # a job fits thousands of times
def _solved(paths):
    return importlib.import_module(SOLVED) if SOLVED in sources_of(paths)[0] else None


@cache
def foreign_imports(module):
    """Return the packages that a module imports, also inside functions, sorted: without this project, the standard
    library and numpy."""
    imports, _ = parsed(content_of(module))
    names = {name.split(".")[0] for level, name, _ in imports if not level}
    return tuple(sorted(names - {*PACKAGES, *sys.stdlib_module_names, "numpy"}))


def estimator_of(uses, params):
    """Return an estimator that is not fitted yet.

    Parameters
    ----------
    uses : str or sequence of str
        A class, or the class of each step of a pipeline.
    params : dict

    Raises
    ------
    ValueError
        When a path cannot be imported, or its class cannot fit or predict, or lacks one of the parameters.
    """
    paths = paths_of(uses)
    return _with_defaults(paths).set_params(**params)


def _with_defaults(paths):
    steps = [_class_of(path)() for path in paths]
    if len(steps) == 1:
        return steps[0]
    from sklearn.pipeline import make_pipeline

    return make_pipeline(*steps)


def _class_of(path):
    module, _, name = path.rpartition(".")
    try:
        estimator = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError, TypeError) as error:  # TypeError: it begins with a dot
        more = f"; {_extra.hint(path.split('.')[0])}" if is_absent(path) else ""
        raise ValueError(f"{path} cannot be imported: {error}{more}") from None
    return estimator


def arguments_of(uses):
    """Return the names of the parameters of a method, sorted; see `estimator_of` for what is refused."""
    return sorted(_parameters_of(paths_of(uses)))


@cache
def _parameters_of(paths):
    """Return the names of the parameters of a method; CatBoost's ``get_params`` has only those that are set.

    They are read once, because a job makes thousands of estimators.
    """
    estimator = _with_defaults(paths)
    steps = getattr(estimator, "steps", [("", estimator)])
    can = [name for name in ("fit", "predict", "predict_proba", "decision_function") if hasattr(steps[-1][1], name)]
    if "fit" not in can or len(can) == 1:
        raise ValueError(f"{uses_named(paths)} must have fit and one of predict, predict_proba, decision_function")
    made_with = set()
    for step, of in steps:
        named = _arguments_of(type(of)).values()
        names = [one.name for one in named if one.kind is not one.VAR_KEYWORD]
        made_with |= {f"{step}__{name}" if step else name for name in names}
    return frozenset({*made_with, *estimator.get_params()})


@cache
def _arguments_of(function):
    """Return the arguments of a class or function by name."""
    return inspect.signature(function).parameters


def path_of(uses):
    """Return the name of the parameter along which fits are started warm, or None."""
    return _path_of(paths_of(uses))


@cache
def _path_of(paths):
    ours = solved(paths)
    return PATH if ours and ours.has_path(estimator_of(paths, {})) else None


def input_of(uses):
    """Return whether a method learns from "rows", from "pairs", or from "any" of them."""
    return getattr(_class_of(paths_of(uses)[-1]), "learns_from", "rows")


def takes_blocks(uses):
    """Return whether a method that searches by itself can keep blocks of rows whole in its folds."""
    return "blocks" in _arguments_of(_class_of(paths_of(uses)[-1]).fit)


def groups_argument(estimator):
    """Return the argument by which ``fit`` of an estimator takes groups, or None.

    It is the first of ``groups``, ``qid`` (both: the group of each row) and ``group`` (the size of each group) that its
    ``fit`` has; in a pipeline that of the last step, whose name comes before it, as in ``xgbranker__qid``.
    """
    return _argument_of_fit(estimator, ("groups", "qid", "group"))


def weights_argument(uses):
    """Return the argument by which ``fit`` of a method takes the weights of the rows, or None; as `groups_argument`."""
    return _argument_of_fit(_with_defaults(paths_of(uses)), ("sample_weight",))


def _argument_of_fit(estimator, names):
    """Return the first of some arguments that ``fit`` of an estimator has, or of the last step of a pipeline."""
    step, last = estimator.steps[-1] if hasattr(estimator, "steps") else ("", estimator)
    taken = next((name for name in names if name in _arguments_of(type(last).fit)), None)
    return f"{step}__{taken}" if taken and step else taken


def given_groups(argument, groups, n):
    """Return the order in which n rows are given to ``fit``, and its argument of groups as a dict.

    The arguments ``qid`` and ``group`` want group after group, and without groups all rows are one group for them.
    """
    kind = (argument or "").rpartition("__")[2]
    if not argument or (groups is None and kind == "groups"):
        return slice(None), {}
    if kind == "groups":
        return slice(None), {argument: groups}
    codes = group_codes(groups, n)
    order = np.argsort(codes, kind="stable")
    return order, {argument: np.bincount(codes) if kind == "group" else codes[order]}


def fit_method(uses, X, y, values, *, seed, params, groups=None, weights=None, held_out=None, **pairs):
    """Fit a method once for each of some values of C, or once if it has no path over C.

    Parameters
    ----------
    uses : str or sequence of str
    X : (n, p) float64, or DataFrame with categories
    y : (n,) float64
        For pairs, the label of the second item. (Estimators take the label of the first, so the sign is changed here.)
    values : sequence
        The values of C, or ``[None]`` for the default of the estimator; without a path they are not used.
    seed : int
        For each parameter ``random_state`` that is not set.
    params : dict
    groups : (n,) array or None
        Passed to ``fit`` as the argument that `groups_argument` names.
    weights : (n,) array or None
        Passed to ``fit`` as the argument that `weights_argument` names.
    held_out : (X, y) or None
        Rows on which LightGBM, XGBoost or CatBoost find out when to stop, see `EstimatorModel.n_trees`.
    **pairs : further arguments of ``fit``, ``Z`` and ``pairs``

    Returns
    -------
    list of models, one for each value
    """
    known, ours = _parameters_of(paths_of(uses)), _is_ours(uses)
    seeded = [name for name in known if name.rpartition("__")[2] == "random_state"]
    params = {**dict.fromkeys(seeded, seed if ours else seed % 2**32), **params}
    if input_of(uses) == "pairs":
        y = -y
        params |= {"labels": "comparison"} if "labels" in known else {}
    estimator = estimator_of(uses, params)
    order, more = given_groups(groups_argument(estimator), groups, len(y))
    if weights is not None:
        more[weights_argument(uses)] = weights[order]
    if held_out is not None:
        more |= _stop_early(estimator, known, *held_out)
    if "cat_features" in known and hasattr(X, "columns"):
        estimator.set_params(cat_features=list(X.select_dtypes("category")))  # CatBoost does not look at the types
    if None not in values and path_of(uses):
        path = solved(uses).rank_path(estimator, X, y, values, **more, **pairs)
        return [one.model_ for one in path]
    rows = X.iloc[order] if hasattr(X, "iloc") else X[order]
    estimator.fit(rows, y[order], **more, **pairs)
    return [estimator.model_ if ours else EstimatorModel(estimator, np.unique(y))] * len(values)


def _stop_early(estimator, known, X, y):
    """Let boosting stop early on the rows X, y, without a line for each tree; return the arguments of its ``fit``.

    ``known`` holds the names of its parameters.
    """
    if "early_stopping_rounds" in known:
        estimator.set_params(early_stopping_rounds=PATIENCE)
        return {"eval_set": [(X, y)], "verbose": False}
    estimator.set_params(early_stopping_round=PATIENCE, verbosity=-1)  # LightGBM
    return {"eval_X": X, "eval_y": y}


def _is_ours(uses):
    return [path.split(".")[0] in PACKAGES for path in paths_of(uses)] == [True]


@dataclass(frozen=True)
class EstimatorModel:
    """A fitted estimator of another library with the methods of `rankmargin.model`; it has no certificate.

    Attributes
    ----------
    estimator : object
    grades : (k,) float64
        The distinct targets of the training rows, ascending.
    """

    estimator: object
    grades: np.ndarray
    solution = None

    @property
    def ranks(self):
        """The grades whose probabilities a classifier predicts, shape (k,)."""
        return self.estimator.classes_

    @property
    def probabilities(self):
        """X (m, p) -> the probability of each of `ranks`, shape (m, k); AttributeError if the estimator gives none."""
        return self.estimator.predict_proba

    @property
    def n_trees(self):
        """The number of trees after which boosting was best on its held-out rows."""
        if hasattr(self.estimator, "tree_count_"):
            return int(self.estimator.tree_count_)  # CatBoost, which drops the trees after the best
        if hasattr(self.estimator, "best_iteration_"):
            return int(self.estimator.best_iteration_)  # LightGBM
        return int(self.estimator.best_iteration) + 1  # XGBoost

    def scores(self, X):
        """Return one score per row of X (m, p), shape (m,).

        It is the first of these that the estimator has: ``score_samples``, a decision function with one column, the
        expected grade by ``predict_proba``, the prediction.
        """
        if hasattr(self.estimator, "score_samples"):
            return np.asarray(self.estimator.score_samples(X), dtype=np.float64)
        if hasattr(self.estimator, "decision_function"):
            scores = np.asarray(self.estimator.decision_function(X), dtype=np.float64)
            if scores.ndim == 1:
                return scores
        if hasattr(self.estimator, "predict_proba"):
            return np.asarray(self.estimator.predict_proba(X)) @ np.asarray(self.estimator.classes_, dtype=np.float64)
        return np.asarray(self.estimator.predict(X), dtype=np.float64).ravel()

    def labels(self, X):
        """Return the grade of each row of X (m, p), shape (m,): the one nearest to the prediction."""
        predicted = np.asarray(self.estimator.predict(X), dtype=np.float64).ravel()
        between = (self.grades[1:] + self.grades[:-1]) / 2
        return self.grades[np.searchsorted(between, predicted)]
