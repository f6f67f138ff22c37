"""Write a Python program that fits the best method of a comparison with the parameters that were chosen most often."""

import pprint

OURS = {  # method of this project -> its estimator, and the parameters that give the same model as the method
    "swapped_pairs": ("SwappedPairsSVM", {"C_scale": "pairs"}),
    "pairwise": ("PairwiseRankSVM", {"C_scale": "pairs"}),
    "svor": ("SVOR", {}),
    "fixed_margin": ("FixedMarginSVM", {}),
    "compare": ("ComparisonSVM", {}),
    "rank_threshold": ("RankThreshold", {}),
}
READERS = ("csv", "csv_pairs")


def snippet_of(row, entry, chosen, n_train):
    """Return a program that fits a method to the whole table of a comparison; it runs in the folder of the comparison.

    Parameters
    ----------
    row : rankbench.datasets.sheet.Row
        The row of the table in the sheet of data sets.
    entry : rankbench.experiments.entries.Method
    chosen : dict
        The chosen values of the hyper-parameters of its grid.
    n_train : int
        Number of training rows that they were chosen on.

    Returns
    -------
    str
        ``""`` if the table is not a csv or the method has no estimator.
    """
    uses = entry.uses
    if row.reader not in READERS or (isinstance(uses, str) and "." not in uses and uses not in OURS):
        return ""
    imports, model = _model(uses, {**entry.params, **chosen})
    lines = _pairs(row, model) if row.reader == "csv_pairs" else _rows(row, entry, imports, model)
    used = "\n".join(lines)
    imports |= {line for name, line in IMPORTS.items() if f"{name}(" in used}
    plain = sorted(line for line in imports if line.startswith("import "))
    named = _joined(line for line in imports if not line.startswith("import "))
    note = f"# The parameters were chosen on {n_train:,} training rows."
    return "\n".join([*plain, *named, "", *lines[:1], note, *lines[1:]]) + "\n"


IMPORTS = {
    "read_csv": "import pandas as pd",
    "hstack": "import numpy as np",
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


def _model(uses, params):
    """Return the import lines of a method and the expression that constructs it."""
    if isinstance(uses, str) and uses in OURS:
        name, more = OURS[uses]
        return {f"from rankmargin import {name}"}, _call(name, {**params, **more})
    paths = [uses] if isinstance(uses, str) else uses
    parts = [path.rpartition(".") for path in paths]
    imports = {f"from {module} import {name}" for module, _, name in parts}
    if len(parts) == 1:
        return imports, _call(parts[0][2], params)
    steps = ", ".join(f"{name}()" for _, _, name in parts)
    return imports, f"make_pipeline({steps}).set_params({_arguments(params)})"


def _call(name, params):
    return f"{name}({_arguments(params)})"


def _arguments(params):
    return ", ".join(f"{name}={value!r}" for name, value in params.items())


def _rows(row, entry, imports, model):
    """Return the lines for a table of rows: numbers are imputed and scaled, names become columns of 0 and 1."""
    fill = "SimpleImputer(add_indicator=True, keep_empty_features=True), " if row.missing == "keep" else ""
    names = list(row.nominal)
    if entry.preprocess.get("target") == "standardised":
        model = f"TransformedTargetRegressor({model}, transformer=StandardScaler())"
    lines = [f'table = pd.read_csv("data/{row.file[0]}")', f"y = table.pop({row.target!r})"]
    if row.groups:
        lines.append(f"groups = table.pop({row.groups!r})  # only rows of the same group are compared")
    lines += [f"names = {pprint.pformat(names, width=100, compact=True)}", "numbers = table.columns.difference(names)"]
    lines += [
        "columns = make_column_transformer(",
        f"    (make_pipeline({fill}StandardScaler()), numbers),",
        '    (make_pipeline(OneHotEncoder(handle_unknown="ignore", sparse_output=False), StandardScaler()), names),',
        ")",
        f"model = make_pipeline(columns, {model})",
    ]
    grouped = row.groups and any("rankmargin" in line for line in imports)
    step = model.partition("(")[0].lower()
    lines.append(f"model.fit(table, y, {step}__groups=groups)" if grouped else "model.fit(table, y)")
    classes = any(word in model for word in ("SVOR", "FixedMargin", "Classifier", "LogisticRegression"))
    told = "the grade of each row" if classes else "higher is better"
    return [*lines, f"print(model.predict(table)[:10])  # {told}"]


def _pairs(row, model):
    """Return the lines for pairs of items; both items are scaled in the same way."""
    return [
        f'table = pd.read_csv("data/{row.file[0]}")',
        f"y = -table.pop({row.target!r})  # 1: the first item is better, -1: the second is better, 0: a tie",
        "half = table.shape[1] // 2",
        "first, second = table.to_numpy()[:, :half], table.to_numpy()[:, half:]",
        "scaler = StandardScaler().fit(np.vstack([first, second]))",
        "X = np.hstack([scaler.transform(first), scaler.transform(second)])",
        f"model = {model}",
        "model.fit(X, y)",
        "print(model.predict(X)[:10])",
    ]
