"""Checks of the parts of a protocol about labelled pairs, published splits and inner splits."""

from .methods import input_of


def foreign_sizes(data, sizes):
    """Return the keys, sorted, that only a data set with ``split: comparisons`` may have."""
    return sorted({"equality", "inequality", "test"} & sizes.keys() | ({"place"} if data.place is not None else set()))


def set_faults(experiment, dataset, condition, sizes, sheet):
    """Yield the faults in the sizes of a data set whose ``split`` is published or comparisons."""
    key, tuning, data = f"datasets.{dataset}", experiment.tuning, experiment.datasets[dataset]
    ranks = ["every_rank"] if experiment.every_rank else []
    if foreign := [*sorted({"n_train", "n_test", "n_pool"} & sizes.keys()), *ranks]:
        yield f"{key}.split: a {data.split} split has its own sizes and ranks, got {', '.join(foreign)} too"
    if data.split == "published":
        if foreign := foreign_sizes(data, sizes):
            yield f"{key}.split: a published split has its own sizes and ranks, got {', '.join(foreign)} too"
        if tuning.validation_set:
            yield f"tuning.validation_set: must come with split: comparisons; {dataset} is published"
        return
    if not tuning.validation_set:
        yield f"tuning.validation_set: missing key; the sets of {dataset} have one"
    if absent := [name for name in ("equality", "inequality") if name not in sizes]:
        for name in absent:
            yield f"{key}.{name}: missing key; set it here or in conditions.{condition}"
        return
    if "test" in sizes and data.place is not None:
        yield f"{key}.test: cannot be combined with place: all sets of the authors have the same size"
    test = sizes.get("test", sizes)
    n_pairs = 2 * (sizes["equality"] + sizes["inequality"]) + test["equality"] + test["inequality"]
    if dataset in sheet and n_pairs > sheet[dataset].rows:
        yield f"conditions.{condition}: three sets of {n_pairs} pairs, but {dataset} has {sheet[dataset].rows} rows"


def tuning_faults(tuning):
    """Yield the faults in the choice of inner splits."""
    if len(named := [name for name in ("folds", "validation_set", "shares") if getattr(tuning, name)]) != 1:
        yield f"tuning: must have exactly one of folds, validation_set and shares, got {' and '.join(named) or 'none'}"
    if tuning.first_periods and not tuning.shares:
        yield "tuning.first_periods: must come with shares"


def kind_faults(key, method, datasets, sheet):
    """Yield the data sets whose kind of examples the method cannot learn from, and attributes that do not exist."""
    try:
        takes = input_of(method.uses)
    except ValueError:  # another fault names it
        return
    for name in datasets if method.datasets is None else method.datasets:
        if name not in datasets:
            yield f"{key}.datasets: unknown name {name!r}; accepted: {', '.join(datasets)}"
        if name not in sheet:
            continue
        gives = sheet[name].kind
        if takes not in (gives, "any"):
            yield f"{key}.uses: {method.uses} learns from {takes}, but {name} has {gives}"
        known = [column for column in sheet[name].columns if column != sheet[name].target]
        parts = {key: method, **({f"datasets.{name}": datasets[name]} if name in datasets else {})}
        for where, part in parts.items():
            if known and (unknown := [a for a in part.attributes if a not in known]):
                yield f"{where}.attributes: {', '.join(unknown)} not in {name}; accepted: {', '.join(known)}"
