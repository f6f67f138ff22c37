"""Write a Python program that fits the best method of a comparison with the parameters that were chosen most often."""

import pprint

from rankbench.compare.own import OwnTable
from rankbench.experiments.methods import estimator_of, groups_argument, paths_of

RIVALS = {  # class of rankbench.baselines and its form -> the class, and how its fit takes groups
    ("LightGBM", "regressor"): ("lightgbm.LGBMRegressor", None),
    ("LightGBM", "classifier"): ("lightgbm.LGBMClassifier", None),
    ("LightGBM", "ranker"): ("lightgbm.LGBMRanker", "group"),
    ("XGBoost", "regressor"): ("xgboost.XGBRegressor", None),
    ("XGBoost", "classifier"): ("xgboost.XGBClassifier", None),
    ("XGBoost", "ranker"): ("xgboost.XGBRanker", "qid"),
    ("Mord", "LogisticAT"): ("mord.LogisticAT", None),
    ("Mord", "LogisticIT"): ("mord.LogisticIT", None),
}
KERNEL_ROWS = 2  # times the training rows of the comparison: the most rows that a program with a kernel fits


class Code(str):
    """An expression of a program."""

    __repr__ = str.__str__


def snippet_of(own, entry, chosen, n_train):
    """Return a program that fits a method to the table of a comparison; it runs in the folder of the comparison.

    Parameters
    ----------
    own : rankbench.compare.own.OwnTable
        The table.
    entry : rankbench.experiments.model.Method
    chosen : dict
        The chosen values of the hyper-parameters of its grid.
    n_train : int
        Number of training rows that they were chosen on.

    Returns
    -------
    str
        ``""`` if it is not the user's own table, or the method has no estimator.
    """
    uses, params, target = entry.uses, {**entry.params, **chosen}, ""
    if not isinstance(own, OwnTable):
        return ""
    ours = [path.rpartition(".")[0] for path in paths_of(uses)] == ["rankmargin"]
    rival = RIVALS.get((paths_of(uses)[-1].rpartition(".")[2], params.get("estimator")))
    if rival:
        params, target = _rival(uses, params)
        uses, argument = rival
    else:
        argument = groups_argument(estimator_of(uses, {}))
    imports, model, step = _model(uses, params)
    table = f'pd.read_parquet("{own.data}")'
    if ours and params.get("kernel") == "rbf" and own.rows > KERNEL_ROWS * n_train:
        table += f".sample({KERNEL_ROWS * n_train}, random_state=0)"  # all rows might take hours
    if own.kind == "pairs":
        lines = _pairs(own, model, table)
    else:
        lines = _rows(own, entry, model, step, table, argument, target)
    used = "\n".join(lines)
    imports |= {line for name, line in IMPORTS.items() if f"{name}(" in used}
    plain = sorted(line for line in imports if line.startswith("import "))
    named = _joined(line for line in imports if not line.startswith("import "))
    note = f"# The parameters were chosen on {n_train:,} training rows."
    note += " A kernel takes much more time on more rows." * (".sample(" in used)
    return "\n".join([*plain, *named, "", *lines[:1], note, *lines[1:]]) + "\n"


IMPORTS = {
    "read_parquet": "import pandas as pd",
    "hstack": "import numpy as np",
    "unique": "import numpy as np",
    "zeros": "import numpy as np",
    "make_column_transformer": "from sklearn.compose import make_column_transformer",
    "TransformedTargetRegressor": "from sklearn.compose import TransformedTargetRegressor",
    "SimpleImputer": "from sklearn.impute import SimpleImputer",
    "make_pipeline": "from sklearn.pipeline import make_pipeline",
    "OneHotEncoder": "from sklearn.preprocessing import OneHotEncoder",
    "StandardScaler": "from sklearn.preprocessing import StandardScaler",
}


def _joined(lines):
    """Return one sorted import line per module."""
    by_module = {}
    for line in lines:
        module, _, name = line.removeprefix("from ").partition(" import ")
        by_module.setdefault(module, set()).add(name)
    return [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(by_module.items())]


def _rival(uses, params):
    """Return the parameters of the class of a method of `rankbench.baselines`, and the line that codes its target."""
    form, rest = params["estimator"], estimator_of(uses, params).get_params()
    rest = {name: value for name, value in rest.items() if name not in ("estimator", "random_state")}
    partners, n_bins = rest.pop("n_partners", None), rest.pop("n_bins", None)
    target = ""
    name = uses.rpartition(".")[2]
    if name == "LightGBM":
        rest |= {"n_jobs": 1, "verbosity": -1}
    if (name, form) == ("XGBoost", "ranker"):
        rest |= {"objective": "rank:pairwise", "lambdarank_pair_method": "mean"}
        rest |= {"lambdarank_num_pair_per_sample": partners}
    if (name, form) == ("LightGBM", "ranker"):
        rest |= {"label_gain": Code(f"list(range({n_bins}))"), "lambdarank_truncation_level": 10_000}
        bins = f"np.searchsorted(np.quantile(y, np.arange(1, {n_bins}) / {n_bins}), y)"
        target = f"y = np.unique({bins}, return_inverse=True)[1]  # {n_bins} bins at most: it wants small whole numbers"
    return rest, target


def _model(uses, params):
    """Return the import lines of a method, the expression that constructs it, and its name as a step of a pipeline."""
    parts = [path.rpartition(".") for path in paths_of(uses)]
    imports, names = {f"from {module} import {name}" for module, _, name in parts}, [part[2] for part in parts]
    if len(names) == 1:
        return imports, _call(names[0], params), names[0].lower()
    steps = ", ".join(f"{name}()" for name in names)
    return imports, f"make_pipeline({steps}).set_params({_arguments(params)})", "pipeline"


def _call(name, params):
    return f"{name}({_arguments(params)})"


def _arguments(params):
    return ", ".join(f"{name}={value!r}" for name, value in params.items())


def _rows(own, entry, model, step, table, argument, target):
    """Return the lines for a table of rows: numbers are imputed and scaled, names become columns of 0 and 1."""
    fill = "SimpleImputer(add_indicator=True, keep_empty_features=True), " if own.missing else ""
    kind, names = (argument or "").rpartition("__")[2], own.nominal
    if entry.preprocess.get("target") == "standardised":
        model, step = f"TransformedTargetRegressor({model}, transformer=StandardScaler())", "transformedtargetregressor"
    sort = f'.sort_values({own.groups!r}, kind="stable")' if own.groups and kind in ("qid", "group") else ""
    lines = [f"table = {table}{sort}", f"y = table.pop({own.target!r})"]
    if own.grades:
        lines[1] += ".astype(int)  # ranks"
        lines.append(f"grades = {pprint.pformat(own.grades, width=100, compact=True)}  # of rank 0, 1, ...")
    if own.groups:
        lines.append(f"groups = table.pop({own.groups!r})  # only rows of the same group are compared")
    elif kind in ("qid", "group"):
        lines.append("groups = np.zeros(len(y))  # all rows are compared")
    lines += [target] * bool(target)
    lines += [f"names = {pprint.pformat(names, width=100, compact=True)}", "numbers = table.columns.difference(names)"]
    lines += [
        "columns = make_column_transformer(",
        f"    (make_pipeline({fill}StandardScaler()), numbers),",
        '    (make_pipeline(OneHotEncoder(handle_unknown="ignore", sparse_output=False), StandardScaler()), names),',
        ")",
        f"model = make_pipeline(columns, {model})",
    ]
    form = GROUPS.get(kind if own.groups or kind != "groups" else "", "")
    lines.append(f"model.fit(table, y, {step}__{argument}={form})" if form else "model.fit(table, y)")
    if own.grades:
        return [*lines, "print([grades[rank] for rank in model.predict(table)[:10]])"]
    return [*lines, "print(model.predict(table)[:10])  # higher is better"]


GROUPS = {  # argument of fit -> its value in a program whose rows are sorted by group
    "groups": "groups",
    "qid": "np.unique(groups, return_inverse=True)[1]",
    "group": "np.unique(groups, return_counts=True)[1]",
}


def _pairs(own, model, table):
    """Return the lines for pairs of items; both items are scaled in the same way."""
    return [
        f"table = {table}",
        f"y = table.pop({own.target!r})  # 1: the first item is better, -1: the second is better, 0: a tie",
        "half = table.shape[1] // 2",
        "first, second = table.to_numpy()[:, :half], table.to_numpy()[:, half:]",
        "scaler = StandardScaler().fit(np.vstack([first, second]))",
        "X = np.hstack([scaler.transform(first), scaler.transform(second)])",
        f"model = {model}",
        "model.fit(X, y)",
        "print(model.predict(X)[:10])",
    ]
