"""Write a Python program that fits the best method of a comparison with the parameters that were chosen most often."""

import pprint
from pathlib import Path

import jinja2

from rankbench.compare.own import OwnTable
from rankbench.experiments.methods import estimator_of, groups_argument, is_absent, paths_of

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
OF_DIFFERENCES = {  # method of comparisons -> the class that learns from differences of items, and its parameters
    "BradleyTerry": ("rankmargin.CumulativeLink", lambda penalty=1.0: {"penalty": 2 * penalty}),
    "Logistic": ("sklearn.linear_model.LogisticRegression", lambda C=1.0: {"C": C, "max_iter": 10_000}),
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
    uses, params = entry.uses, {**entry.params, **chosen}
    if not isinstance(own, OwnTable):
        return ""
    name, more, n_bins = paths_of(uses)[-1].rpartition(".")[2], [], 0
    argument = None if is_absent(uses) else groups_argument(estimator_of(uses, {}))
    if rival := RIVALS.get((name, params.get("estimator"))):
        params, n_bins = _rival(uses, params)
        uses, argument = rival
    elif name == "SelfTuning":
        uses = "rankmargin.RankSearchCV"
        if searched := params.pop("estimator", ""):
            params["estimator"], more = Code(f"{searched}()"), [f"rankmargin.{searched}"]
        params |= {"cv": Code("folds")} if own.repeated else {}
    elif name in OF_DIFFERENCES:
        uses, params_of = OF_DIFFERENCES[name]
        params = params_of(**params)
    kind = (argument or "").rpartition("__")[2]
    by_group = kind in ("qid", "group")
    table = f'pd.read_parquet("{own.data}")'
    kernel = paths_of(uses)[-1].startswith("rankmargin.") and (name == "SelfTuning" or params.get("kernel") == "rbf")
    sampled = kernel and own.rows > KERNEL_ROWS * n_train
    if sampled:
        table += f".sample({KERNEL_ROWS * n_train}, random_state=0)"  # all rows might take hours
    if own.groups and by_group:
        table += f'.sort_values({own.groups!r}, kind="stable")'
    model, step = _model(uses, params)
    if own.kind != "pairs" and entry.preprocess.get("target", "raw") != "raw":
        model, step = f"TransformedTargetRegressor({model}, transformer=StandardScaler())", "transformedtargetregressor"
    groups = f"{argument}={GROUPS[kind]}" if by_group or (own.groups and kind) else ""
    what = {"table": table, "sampled": sampled, "n_train": f"{n_train:,}", "n_bins": n_bins, "by_group": by_group}
    what |= {"chosen": bool(chosen), "differences": name in OF_DIFFERENCES}
    what |= {"coded": next((column for column in own.attributes if "=" in column), "")}
    body = _TEMPLATES.get_template("program.py.jinja").render(own=own, model=model, step=step, groups=groups, **what)
    return "\n".join([*_imports([*paths_of(uses), *more], body), "", body])


def _wrapped(names):
    """Return a list of names as an expression of one or more lines."""
    return pprint.pformat(names, width=100, compact=True)


_TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent), trim_blocks=True, undefined=jinja2.StrictUndefined
)
_TEMPLATES.filters |= {"repr": repr, "wrapped": _wrapped}
HELPERS = (
    "sklearn.compose.make_column_transformer",
    "sklearn.compose.TransformedTargetRegressor",
    "sklearn.impute.SimpleImputer",
    "sklearn.model_selection.GroupKFold",
    "sklearn.pipeline.make_pipeline",
    "sklearn.preprocessing.OneHotEncoder",
    "sklearn.preprocessing.StandardScaler",
)


def _imports(paths, body):
    """Return the import lines of a program: its classes have these paths, and it calls some of the `HELPERS`."""
    used = [path for path in HELPERS if f"{path.rpartition('.')[2]}(" in body]
    by_module = {}
    for path in sorted({*paths, *used}):
        module, _, name = path.rpartition(".")
        by_module.setdefault(module, []).append(name)
    lines = [f"from {module} import {', '.join(names)}" for module, names in sorted(by_module.items())]
    return [*["import numpy as np"] * ("np." in body), "import pandas as pd", *lines]


def _rival(uses, params):
    """Return the parameters of the class of a method of `rankbench.baselines`, and the bins into which it cuts y."""
    form, rest = params["estimator"], estimator_of(uses, params).get_params()
    rest = {name: value for name, value in rest.items() if name not in ("estimator", "random_state")}
    partners, n_bins = rest.pop("n_partners", None), rest.pop("n_bins", 0)
    name = uses.rpartition(".")[2]
    if name == "LightGBM":
        rest |= {"n_jobs": 1, "verbosity": -1}
    if (name, form) == ("XGBoost", "ranker"):
        rest |= {"objective": "rank:pairwise", "lambdarank_pair_method": "mean"}
        rest |= {"lambdarank_num_pair_per_sample": partners}
    if (name, form) != ("LightGBM", "ranker"):
        return rest, 0
    return rest | {"label_gain": Code(f"list(range({n_bins}))"), "lambdarank_truncation_level": 10_000}, n_bins


def _model(uses, params):
    """Return the expression that constructs a method, and its name as a step of a pipeline."""
    names = [path.rpartition(".")[2] for path in paths_of(uses)]
    arguments = ", ".join(f"{name}={value!r}" for name, value in params.items())
    if len(names) == 1:
        return f"{names[0]}({arguments})", names[0].lower()
    steps = ", ".join(f"{name}()" for name in names)
    return f"make_pipeline({steps}).set_params({arguments})", "pipeline"


GROUPS = {  # argument of fit -> its value in a program whose rows are sorted by group
    "groups": "groups",
    "qid": "np.unique(groups, return_inverse=True)[1]",
    "group": "np.unique(groups, return_counts=True)[1]",
}
