"""A new estimator in the contest: its runs in a folder of its own, and its place among the kept records of the others.

``rankbench contest --add package.module:Estimator`` calls `prepare`, runs the workflow in the folder, and calls `tell`.
"""

from functools import partial
from pathlib import Path

import pandas as pd
import yaml

from rankbench.compare.folder import write_changed
from rankbench.configuration.labels import GAINS, counted, meant, method_labels, metric_label
from rankbench.configuration.strict_yaml import read_yaml
from rankbench.datasets.fetch import whole
from rankbench.experiments.methods import arguments_of, estimator_of, path_of
from rankbench.experiments.places import hold
from rankbench.experiments.protocol import as_step
from rankbench.records.files import write_text
from rankbench.records.frames import read_frame
from rankbench.statistics.overall import PRINTED_DECIMALS

from .kept import CONCORDANCE, GRADES, KEPT, VALUES, Kept

# what --tables may say -> experiment: known, fresh, fresh_1000, confirm, known_grades, fresh_grades
PARTS = {name.removeprefix("contest_").removesuffix("_200"): name for name in (*VALUES, *GRADES)}


def prepare(options, root):
    """Write the folder in which the estimator runs: the kept protocol with this one method; return the folder.

    The experiment has the same name as the kept one, from which its hold-outs are drawn.

    Parameters
    ----------
    options : Namespace
        ``add``, ``space`` and ``tables`` of the command line.
    root : Path
        The checkout that holds the kept records.

    Raises
    ------
    ValueError
        If the estimator cannot be imported, the space is no yaml of parameters, no records of these tables are kept, or
        the folder holds another entry. The protocol itself is checked when the workflow starts.
    """
    experiment = part_of(options.tables, root)
    protocol = read_frame(root / KEPT / f"{experiment}.parquet")[1]["protocol"]
    grid = read_yaml(Path(options.space)) if options.space else {}
    if not isinstance(grid, dict):
        raise ValueError(f"{options.space}: must be a mapping of parameters to lists or ranges, got {grid!r}")
    uses = as_step(options.add.replace(":", "."))
    arguments_of(uses)
    label = options.add.replace(":", ".").rpartition(".")[2]
    step = "" if isinstance(uses, str) else f"{label.lower()}__"
    grid = {f"{step}{name}": values for name, values in grid.items()}
    path = path_of(uses)  # of an SVM of ours, whose C a run has to know
    params = {path: estimator_of(uses, {}).get_params()[path]} if path and path not in grid else {}
    method = {"uses": uses, "label": label, "params": params, "grid": grid}
    entry = {key: value for key, value in protocol.items() if key not in ("name", "rows")} | {
        "title": f"{method['label']} in the contest",
        "methods": {"entry": method},
        "reference_method": "entry",
        "outputs": {"statistics": ["summary"], "tables": [], "figures": []},
    }
    folder = Path("contest", f"{method['label'].lower()}_{options.tables}")
    if methods_in(folder / f"config/experiments/{experiment}.yaml") not in (None, {"entry": method}):
        raise ValueError(f"{folder}: holds the runs of another class or space; rename or remove it")
    data = read_yaml(root / "config/config.yaml")["data"]
    data["mirrors"] = [whole(mirror, root) for mirror in data["mirrors"]]  # the run works in another folder
    config = {"experiments": [experiment], "data": data}
    with hold(folder):  # no run reads these files while they are written
        for path, text in {
            "config/config.yaml": yaml.safe_dump(config, sort_keys=False),
            "config/datasets.tsv": (root / "config/datasets.tsv").read_text(encoding="utf-8"),
            f"config/experiments/{experiment}.yaml": yaml.safe_dump(entry, sort_keys=False, allow_unicode=True),
        }.items():
            write_changed(folder / path, partial(write_text, text=text))
    return folder


def methods_in(file):
    """Return the methods of a yaml of an experiment; None if there is no such file."""
    return yaml.safe_load(file.read_text(encoding="utf-8"))["methods"] if file.exists() else None


def part_of(tables, root):
    """Return the experiment with the kept records of ``--tables``."""
    there = [part for part, name in PARTS.items() if (root / KEPT / f"{name}.parquet").exists()]
    if tables not in there:
        raise ValueError(f"--tables: no kept records of {tables!r}; {meant(tables, there)}")
    return PARTS[tables]


def tell(options, folder, root):
    """Print the place of the estimator among the kept methods: average ranks, wins and losses, seconds."""
    kept = Kept(part_of(options.tables, root), root)
    records = read_frame(folder / f"results/{kept.experiment.name}/records.parquet")[0]
    absent = records[records["status"] == "missing"].drop_duplicates("dataset")
    if len(absent):
        print(f"\nleft out, because they are not there: {', '.join(absent['dataset'])} ({absent['reason'].iloc[0]})")
    records = records[~records["dataset"].isin(absent["dataset"])]
    if records.empty:
        raise ValueError(f"no table of {options.tables!r} could be fetched, so nothing was compared")
    label = options.add.replace(":", ".").rpartition(".")[2]
    joined = kept.joined(records, f"> {label}")
    table, failed, tried = standings(joined), records["status"].ne("ok").sum(), records[["n_failed", "n_drawn"]].sum()
    metric = joined.experiment.metrics[0]
    constant = ", counted as the constant answer" if metric == CONCORDANCE else ", so without an average rank"
    tables, holdouts = counted(len(joined.experiment.datasets), "table"), counted(joined.experiment.seeds, "hold-out")
    print(
        f"\n{len(table)} methods on {tables}, {holdouts} of each.\n"
        f"Error: {'1 minus ' * (metric in GAINS)}the {metric_label(metric)}, mean over the tables.\n"
        + f"Failed{constant}: {counted(failed, 'run')} of {label}.\n" * bool(failed)
        + f"Left out of its searches: {tried['n_failed']:.0f} of {tried['n_drawn']:.0f} settings, whose fits failed.\n"
        * bool(tried["n_failed"])
        + f"Better and worse: tables on which {label} is better or worse than the method of the line.\n"
        f"\n{table.round({'average_rank': 2, 'error': 4, 'seconds': 2}).to_string(index=False)}"
        f"\n\nrecords   {folder / 'results'}"
    )


def standings(joined):
    """Return one row per method, the best average rank first.

    Parameters
    ----------
    joined : Kept
        Whose records are those of all methods; the new one is called ``entry``.

    Returns
    -------
    DataFrame
        ``method average_rank error better worse seconds`` as the pages have them: over the tables average ranks, means
        of the errors, and medians of the seconds of search and fit; and the number of tables on which the entry is
        better or worse than the method.
    """
    errors = joined.errors().groupby(level="dataset").mean().round(PRINTED_DECIMALS)  # equal as printed is a draw
    behind = errors.rsub(errors["entry"], axis=0)
    table = pd.DataFrame(
        {
            "average_rank": joined.average_ranks,
            "error": errors.mean(),
            "better": (behind < 0).sum(),
            "worse": (behind > 0).sum(),
            "seconds": joined.frames("best")["best"].groupby("method")["seconds"].median(),
        }
    )
    table.index = table.index.map(method_labels(joined.experiment))
    return table.sort_values("average_rank", kind="stable").rename_axis("method").reset_index()
