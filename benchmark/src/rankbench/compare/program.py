"""Write a Python program that fits the best method of a comparison with the parameters that were chosen most often."""

import pprint
from functools import partial
from pathlib import Path

import jinja2

from rankbench.experiments.methods import estimator_of, groups_argument, is_absent, paths_of, weights_argument

KERNEL_ROWS = 2  # times the training rows of the comparison: the most rows that a program with a kernel fits
HELPERS = (
    "joblib.dump",
    "rankbench.compare.folder.rows_of",
    "rankmargin.PairTransformer",
    "sklearn.compose.make_column_transformer",
    "sklearn.compose.TransformedTargetRegressor",
    "sklearn.impute.SimpleImputer",
    "sklearn.model_selection.GroupKFold",
    "sklearn.pipeline.make_pipeline",
    "sklearn.preprocessing.OneHotEncoder",
    "sklearn.preprocessing.OrdinalEncoder",
    "sklearn.preprocessing.StandardScaler",
)


class Code(str):
    """An expression of a program."""

    __repr__ = str.__str__


def program_of(own, entry, chosen, n_train):
    """Return a program that fits a method to the table of a comparison; it runs in the folder of the comparison.

    Parameters
    ----------
    own : rankbench.datasets.own.OwnTable
        The table.
    entry : rankbench.configuration.model.Method
    chosen : dict
        The chosen values of the hyper-parameters of its grid.
    n_train : int
        Number of training rows that they were chosen on.

    Returns
    -------
    str
    """
    uses, params, more = entry.uses, {**entry.params, **chosen}, []
    searched = paths_of(uses)[-1].endswith(".SelfTuning")
    arguments = (
        {}
        if is_absent(uses)
        else {"groups": groups_argument(estimator_of(uses, {})), "weights": weights_argument(uses)}
    )
    if searched:
        uses = "rankmargin.RankSearchCV"
        if name := params.pop("estimator", ""):
            params["estimator"], more = Code(f"{name}()"), [f"rankmargin.{name}"]
        params |= {"cv": Code("folds")} if own.repeated else {}
    ours = any(path.startswith("rankmargin.") for path in paths_of(uses))
    kernel = searched or (ours and params.get("kernel") == "rbf")
    model, step = _model(uses, params)
    if own.kind != "pairs" and entry.preprocess.get("target", "raw") != "raw":
        model, step = f"TransformedTargetRegressor({model}, transformer=StandardScaler())", "transformedtargetregressor"
    given = {"groups": own.groups, "weights": own.weight}
    taken = [f"{step}__{argument}={name}" for name, argument in arguments.items() if argument and given[name]]
    sides = [
        [pair[side] for pair in own.items if not entry.attributes or pair[0] in entry.attributes] for side in (1, 2)
    ]
    body = _TEMPLATE.render(
        own=own,
        model=model,
        given={name: column for name, column in given.items() if column},
        taken="".join(f", {one}" for one in taken),
        sampled=KERNEL_ROWS * n_train if kernel and own.rows > KERNEL_ROWS * n_train else 0,
        n_train=f"{n_train:,}" if chosen else "",
        sides=sides if own.items else (),
        codes=entry.preprocess.get("nominal") == "ordinal",
        nominal=[name for name in own.nominal if not own.items or name in sides[0]],
        weighed=own.weight and not arguments.get("weights"),
    )
    return "\n".join([*_imports([*paths_of(uses), *more], body), "", body])


_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent), trim_blocks=True, undefined=jinja2.StrictUndefined
)
_ENVIRONMENT.filters |= {"repr": repr, "wrapped": partial(pprint.pformat, width=100, compact=True)}
_TEMPLATE = _ENVIRONMENT.get_template("program.py.jinja")


def _imports(paths, body):
    """Return the import lines of a program: its classes have these paths, and it calls some of the `HELPERS`."""
    used, by_module = [path for path in HELPERS if f"{path.rpartition('.')[2]}(" in body], {}
    for path in sorted({*paths, *used}):
        module, _, name = path.rpartition(".")
        by_module.setdefault(module, []).append(name)
    return [f"from {module} import {', '.join(names)}" for module, names in sorted(by_module.items())]


def _model(uses, params):
    """Return the expression that constructs a method, and its name as a step of a pipeline."""
    names = [path.rpartition(".")[2] for path in paths_of(uses)]
    arguments = ", ".join(f"{name}={value!r}" for name, value in params.items())
    if len(names) == 1:
        return f"{names[0]}({arguments})", names[0].lower()
    steps = ", ".join(f"{name}()" for name in names)
    return f"make_pipeline({steps}).set_params({arguments})", "pipeline"
