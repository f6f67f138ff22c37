"""ONNX: every fitted estimator as a graph of standard operators, which a server runs without Python.

A linear function becomes one product with its weights. A kernel is computed between the new rows and the training rows
that have a coefficient. Everything is computed in double precision, because a score that is rounded to a float32 may
cross a threshold. The packages of the extra ``onnx`` are imported only when a model is converted.
"""

import numpy as np
from sklearn.base import is_regressor
from sklearn.pipeline import Pipeline

import rankmargin
from rankmargin.estimators.comparison_link import ComparisonLink
from rankmargin.estimators.cumulative_link import CumulativeLink
from rankmargin.estimators.fit_arguments import of_this_package
from rankmargin.estimators.ordinal_base import class_order
from rankmargin.estimators.pairs_base import PairsMachine
from rankmargin.estimators.thresholded_ranker import ThresholdedRanker
from rankmargin.export.onnx_operators import Operators, encoded, expansion
from rankmargin.search.inputs import ColumnScaler
from rankmargin.search.rank_average import DIGITS, RankAverage
from rankmargin.search.search import RankSearchCV
from rankmargin.search.table import TableEncoder


def register() -> None:
    """Let skl2onnx convert the estimators of this package, alone or inside a Pipeline.

    Rankers have one output, ``scores`` (m, 1). Estimators of grades and of pairs have ``label`` (m,), ``scores`` (m, 1)
    and, with ``probability=True``, ``probabilities`` (m, r) in the order of ``classes_``. The option ``zipmap`` of
    skl2onnx has no effect: probabilities are a table. A kernel that is a callable cannot be converted.

    Raises
    ------
    ModuleNotFoundError
        If skl2onnx is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> from skl2onnx import to_onnx
    >>> from rankmargin import SVOR
    >>> from rankmargin.onnx import register
    >>> X = np.arange(12.0).reshape(-1, 1)
    >>> grader = SVOR().fit(X, np.repeat([1, 2, 3], 4))
    >>> register()
    >>> graph = to_onnx(grader, X[:1])
    >>> [output.name for output in graph.graph.output]
    ['label', 'scores']
    """
    from skl2onnx import update_registered_converter

    for name in rankmargin.__all__:
        estimator = getattr(rankmargin, name)
        if hasattr(estimator, "predict"):
            options = {"zipmap": [True, False, "columns"]}  # a Pipeline sets it for every classifier
            update_registered_converter(estimator, f"rankmargin.{name}", _shapes, _convert, True, _parse, options)
    for step in (ColumnScaler, TableEncoder):
        update_registered_converter(step, f"rankmargin.{step.__name__}", _shapes, _convert, True, _parse)


def _parse(scope, model, inputs, custom_parsers=None):
    """Declare the outputs of a model; what a search has chosen is parsed instead of it."""
    from skl2onnx._parse import _parse_sklearn as parse_sklearn  # parse_sklearn makes what it returns outputs of all

    if isinstance(model, RankSearchCV):
        return parse_sklearn(scope, model.best_estimator_, inputs, custom_parsers)
    if isinstance(model, RankAverage) and model.average != "scores":
        raise NotImplementedError(f'average must be "scores" to become ONNX, got {model.average!r}: skops keeps any')
    outputs = [scope.declare_local_variable(name, kind) for name, kind in _outputs(model).items()]  # named first
    members = [model.ranker_] if isinstance(model, ThresholdedRanker) else getattr(model, "estimators_", [])
    for member in members:
        _check_member(member, model, inputs)
    if members:
        inputs = [_scores_of(parse_sklearn(scope, member, inputs, custom_parsers)) for member in members]
    operator = scope.declare_local_operator(f"rankmargin.{type(model).__name__}", model)
    operator.inputs.extend(inputs)
    operator.outputs.extend(outputs)
    return operator.outputs


def _check_member(member, model, inputs):
    """Refuse a member of an average, or the ranker of thresholds, whose output may be something else than scores:
    converters of scikit-learn read the first column of a frame only, and call other things scores."""
    if all(map(of_this_package, member if isinstance(member, Pipeline) else [member])):
        return
    alone = isinstance(model, ThresholdedRanker) and len(inputs) == 1
    if not (alone and is_regressor(member) and not hasattr(member, "transform")):
        raise NotImplementedError(
            f"members must be estimators of this package to become ONNX, or a regressor of one array X in a "
            f"ThresholdedRanker, got {member!r}: skops keeps any"
        )


def _scores_of(outputs):
    return next((output for output in outputs if output.raw_name.startswith("scores")), outputs[0])


def _outputs(model):
    """Return the types of the outputs of a model by name."""
    from skl2onnx.common.data_types import BooleanTensorType, DoubleTensorType, Int64TensorType, StringTensorType

    if isinstance(model, ColumnScaler):
        return {"columns": DoubleTensorType([None, len(model.weights_)])}
    if isinstance(model, TableEncoder):
        return {"table": DoubleTensorType([None, len(model.sources_)])}
    scores = {"scores": DoubleTensorType([None, 1])}
    if not hasattr(model, "classes_"):
        return scores
    kind = model.classes_.dtype.kind
    types = {
        "b": BooleanTensorType,
        "i": Int64TensorType,
        "u": Int64TensorType,
        "f": DoubleTensorType,
        "U": StringTensorType,
    }
    if kind not in types or (kind == "u" and model.classes_[-1] > np.iinfo(np.int64).max):
        raise NotImplementedError(f"grades must be numbers or texts to become ONNX, got {model.classes_.tolist()!r}")
    outputs = {"label": types[kind]([None])} | scores
    if hasattr(model, "predict_proba") and (
        hasattr(model, "slope_") or isinstance(model, CumulativeLink | ComparisonLink)
    ):
        outputs["probabilities"] = DoubleTensorType([None, len(model.classes_)])
    return outputs


def _shapes(operator):
    """Do nothing: `_parse` has declared the types."""


def _convert(scope, operator, container):
    """Add the nodes of a model to the graph."""
    model, ops = operator.raw_operator, Operators(container.target_opset)
    if isinstance(model, TableEncoder):
        results = {"table": encoded(model, operator.inputs, ops)}
    else:
        columns = [*map(ops.double, operator.inputs)]
        X = columns[0] if len(columns) == 1 else ops.Concat(*columns, axis=1)
        scales = isinstance(model, ColumnScaler)
        results = {"columns": _columns(model, X, ops)} if scales else {"scores": _scores(model, X, ops)}
    if hasattr(model, "classes_"):
        if "probabilities" in _outputs(model):
            results["probabilities"] = _probabilities(model, results["scores"], ops)
        results["label"] = _labels(model, results, ops)
        results["scores"] = ops.Add(results["scores"], np.array([float(getattr(model, "_shift", 0.0))]))
    for output, name in zip(operator.outputs, _outputs(model), strict=True):
        ops.Identity(results[name], output_names=[output]).add_to(scope, container)


def _columns(model, X, ops):
    """Return the node of ``transform`` of a ColumnScaler, shape (m, q)."""
    scaler = model.scaler_
    if not hasattr(scaler, "transformer_list"):  # it was fitted to a sparse X
        return ops.Mul(_scaled(scaler, X, ops), model.weights_[None, :])
    (_, of_values), (_, (quantiles, of_shares)) = scaler.transformer_list
    q = quantiles.quantiles_.T
    d = len(q)
    by_column = np.array([d, -1, 1], dtype=np.int64)  # skl2onnx is slow with nodes of their own for each column
    x = ops.Reshape(ops.Transpose(X, perm=[1, 0]), by_column)
    values, shares = (
        ops.Transpose(ops.Reshape(values, np.array([d, -1], dtype=np.int64)), perm=[1, 0])
        for values in (x, _below(x, q, quantiles.references_, ops))
    )
    both = ops.Concat(_scaled(of_values, values, ops), _scaled(of_shares, shares, ops), axis=1)
    return ops.Mul(both, model.weights_[None, :])


def _scaled(scaler, X, ops):
    """Return the node of ``transform`` of a StandardScaler."""
    return ops.Div(ops.Sub(X, scaler.mean_[None, :]) if scaler.with_mean else X, scaler.scale_[None, :])


def _padded(parts, value=0.0):
    """Return arrays of different lengths as one, (d, 1, q), with a value behind the shorter ones."""
    longest = max(len(part) for part in parts)
    return np.array([[np.append(part, np.full(longest - len(part), value))] for part in parts])


def _below(x, known, references, ops):
    """Return the shares of training rows below values (d, m, 1): each function rises between two quantiles, and jumps
    where several are equal; there the middle of the jump counts, and at the ends 0 and 1."""
    values, first, count = zip(*(np.unique(column, return_index=True, return_counts=True) for column in known))
    upper = [references[start + repeats - 1] for start, repeats in zip(first, count)]
    lower = [references[start] for start in first]
    jumps = [(above - below) / 2.0 for above, below in zip(upper, lower)]
    of_reached = [np.r_[jump[:-1], 2.0 * jump[-1:]] for jump in jumps]
    of_above = [np.r_[jump[:-1], 0.0] for jump in jumps]
    for reached, above, jump in zip(of_reached, of_above, jumps):
        reached[0], above[0] = 0.0, 2.0 * jump[0]
    shares = ops.Sub(x, x)  # unknown if x is
    for compare, heights in ((ops.Greater, of_above), (ops.GreaterOrEqual, of_reached)):
        passed = ops.double(compare(x, _padded(values, np.inf)))
        shares = ops.Add(shares, ops.MatMul(passed, _padded(heights).swapaxes(1, 2)))
    if max(map(len, values)) > 1:
        rises = [below[1:] - above[:-1] for below, above in zip(lower, upper)]
        low, width = _padded([column[:-1] for column in values]), _padded([np.diff(column) for column in values], 1.0)
        passed = ops.Max(ops.Min(ops.Div(ops.Sub(x, low), width), np.array([1.0])), np.array([0.0]))  # of each step
        shares = ops.Add(shares, ops.MatMul(passed, _padded(rises).swapaxes(1, 2)))
    return shares


def _scores(model, X, ops):
    """Return the node of the scores that a model compares, shape (m, 1): ``predict`` of a ranker."""
    if isinstance(model, ThresholdedRanker):
        return X
    if isinstance(model, RankAverage):
        return _average(model, X, ops)
    if isinstance(model, PairsMachine):
        return _differences(model, X, ops)
    fitted = model.model_
    intercept = np.array([float(getattr(fitted, "bias", 0.0))])
    if hasattr(model, "coef_"):
        far = np.any(fitted.mean)
        scores = ops.times(ops.Sub(X, fitted.mean[None, :]) if far else X, model.coef_)
    elif hasattr(model, "landmarks_"):
        scores = expansion(fitted.kernel, X, model.landmarks_, model.landmark_coef_, ops)
        intercept = intercept - fitted.shift
    elif fitted.kernel.name == "precomputed":
        scores = ops.times(X, model.dual_coef_)
    else:
        solved = fitted.solution is not None
        scores = expansion(fitted.kernel, X, fitted.X, fitted.solution.beta if solved else fitted.coefficients, ops)
    return ops.Add(scores, intercept)


def _differences(model, X, ops):
    """Return the scores r(first) - r(second) of pairs."""
    fitted = model.model_
    if getattr(model, "kernel", None) == "precomputed":
        return ops.times(X, model.dual_coef_ / (fitted.threshold or 1.0))
    first, second = (ops.Gather(X, numbers.astype(np.int64), axis=1) for numbers in model._columns.numbers)
    if hasattr(model, "coef_"):
        return ops.Add(ops.times(ops.Sub(first, second), model.coef_), np.array([getattr(model, "offset_", 0.0)]))
    if hasattr(model, "landmarks_"):
        items, coefficients = model.landmarks_, model.landmark_coef_
    else:
        items, beta = np.vstack(np.hsplit(fitted.pairs, 2)), fitted.solution.beta / (fitted.threshold or 1.0)
        coefficients = np.concatenate([-beta, beta])
    sides = [expansion(fitted.kernel, side, items, coefficients, ops) for side in (first, second)]
    return ops.Sub(*sides)


def _average(model, scores, ops):
    """Return the weighted average of standardised scores (m, k), one column per member; rounded as in ``predict``."""
    unit = np.array([10.0**DIGITS])
    mean, deviation = np.hstack(model.reference_)[:, None, :]
    placed = ops.times(ops.Div(ops.Sub(scores, mean), deviation), model.weights_)
    return ops.Div(ops.Round(ops.Mul(placed, unit)), unit)


def _labels(model, results, ops):
    """Return the node of ``predict`` of a model with labels, shape (m,)."""
    scores = results["scores"]
    if getattr(model, "prediction", None) == "most_probable":
        return ops.Gather(_constant(model.classes_), ops.ArgMax(results["probabilities"], axis=1, keepdims=0))
    if isinstance(model, PairsMachine):
        edge, labels = 1.0 if model.model_.scaled else 0.0, model.labels_
        passed = [ops.GreaterOrEqual(scores, np.array([[-edge]])), ops.Greater(scores, np.array([[edge]]))]
        place = ops.Add(*(ops.double(mask) for mask in passed))
    else:
        edges, labels = np.maximum.accumulate(model._edges())[None, :], model.grades_
        place = ops.times(ops.double(ops.GreaterOrEqual(scores, edges)), np.ones(edges.shape[1]))
    flat = ops.Reshape(place, np.array([-1], dtype=np.int64))
    return ops.Gather(_constant(labels), ops.Cast(flat, to=7))


def _constant(labels):
    """Return labels as an array of a type that ONNX has."""
    types = {"b": np.bool_, "i": np.int64, "u": np.int64, "f": np.float64, "U": np.str_}
    return labels.astype(types[labels.dtype.kind])


def _probabilities(model, scores, ops):
    """Return the node of ``predict_proba``, shape (m, r): differences of cumulative probabilities."""
    if isinstance(model, CumulativeLink):
        edges, slope, link = model.model_.theta, 1.0, model.link
    elif isinstance(model, PairsMachine):
        edges, slope, link = np.array([-model.tie_, model.tie_]), getattr(model, "slope_", 1.0), "logit"
    else:
        edges, slope, link = model._cumulative(), model.slope_, "logit"
    eta = ops.Sub(edges[None, :], ops.Mul(scores, np.array([float(slope)])))
    order = class_order(model.labels_ if isinstance(model, PairsMachine) else model.grades_)
    shape = len(edges), len(edges) + 1
    differences, last = np.eye(*shape) - np.eye(*shape, 1), np.eye(1, shape[1], shape[0])
    return ops.Add(ops.times(_cumulative(link, eta, ops), differences[:, order]), last[:, order])


def _cumulative(link, eta, ops):
    """Return F(eta) of a link."""
    if link == "logit":
        return ops.Sigmoid(eta)
    if link == "probit":
        erf = ops.double(ops.Erf(ops.Cast(ops.Mul(eta, np.array([0.5**0.5])), to=1)))  # runtimes have it in single only
        return ops.Mul(ops.Add(erf, np.array([1.0])), np.array([0.5]))
    growth = ops.Exp(ops.Min(eta, np.array([700.0])))
    return ops.Sub(np.array([1.0]), ops.Exp(ops.Neg(growth)))
