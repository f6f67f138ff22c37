"""What the report says: the experiments with their protocols, results and failures, and the data that they use."""

import base64
from types import SimpleNamespace
from xml.etree import ElementTree

from rankbench.records.files import Damaged, cure, read_bytes

from ..datasets.own import load_datasets
from ..experiments.protocol import files_of, load_experiments, read_config
from ..experiments.stamps import Plan, grouped
from .summary import absent_datasets, broken, failed, runs

DESCRIPTION = ".//{http://purl.org/dc/elements/1.1/}description"


def sections(root):
    """Return what the report shows of every experiment of a checkout, the sheet of data sets, and the experiments.

    The experiments of ``all`` in ``config.yaml`` come first, in its order; the others follow by name.

    Parameters
    ----------
    root : Path

    Raises
    ------
    ValueError
        If the configuration is wrong.
    """
    sheet, config = load_datasets(root), read_config(root)
    experiments = load_experiments({**config, "experiments": ["all", *files_of(root)]}, sheet, root)
    return [section(experiment, sheet, root) for experiment in experiments.values()], sheet, experiments


def section(experiment, sheet, root):
    """Collect what the report shows of one experiment; what is there and is not what it asks for is named.

    ``started`` says whether there is anything to show, and ``sample`` whether it is about no paper: it is then shown
    apart, and only if it has results. ``tables`` are HTML fragments.
    """
    files, unreadable = experiment.result_files, []
    frame = runs(experiment, root)
    absent = absent_datasets(experiment.all_datasets, root)
    n_ok = int((frame["status"] == "ok").sum())
    missing = [path for path in files if not (root / path).exists()]
    tables, figures = ([*readable(*kind, root, files, unreadable)] for kind in ((table, ".html"), (figure, ".svg")))
    name = experiment.name
    plan, there = Plan({name: experiment}, sheet, root), [name] * (root / "results" / name).exists()
    refused = [f"{line}; {cure(there)}" for line in grouped(plan.refused(there))]
    faults = [*failed(frame), *broken(experiment, frame, absent, root), *refused, *unreadable]
    return SimpleNamespace(
        name=name,
        file=experiment.file,
        files=files,
        experiment=experiment,
        title=experiment.title,
        paper=experiment.paper,
        substitute=experiment.substitute,
        deviations=experiment.deviations,
        protocol=(root / experiment.file).read_text(encoding="utf-8"),
        chosen_on_test=chosen_on_test(experiment),
        n_runs=len(frame),
        n_ok=n_ok,
        tables=tables,
        figures=figures,
        faults=[line.replace(f"{root}/", "") for line in faults],
        absent=[f"{dataset} ({why.partition(':')[0]})" for dataset, why in absent.items()],
        missing=missing,
        started=n_ok > 0 or len(missing) < len(files),
        sample=not experiment.paper,
    )


def readable(read, ending, root, files, unreadable):
    """Yield ``read(root, path)`` for each existing file with an ending; add a line to `unreadable` if it fails."""
    for path in files:
        if path.endswith(ending) and (root / path).exists():
            try:
                yield read(root, path)
            except FileNotFoundError:  # a run is making it again
                continue
            except Damaged as error:
                unreadable.append(str(error))


def chosen_on_test(experiment):
    """Return the conditions under which the parameters are chosen on the test part."""
    chosen = {name: one.tuning.chosen_on or experiment.tuning.chosen_on for name, one in experiment.conditions.items()}
    return [name for name, where in chosen.items() if where == "test"]


def table(root, path):
    """Return the table element of a page that `rankbench.tables` wrote."""
    page = read_bytes(root / path).decode("utf-8")
    return page[page.index("<table") : page.index("</table>")] + "</table>"


def figure(root, path):
    """Return a figure as a data URI, with its text alternative and the path of its PDF relative to the report."""
    data = read_bytes(root / path)
    text = ElementTree.fromstring(data).findtext(DESCRIPTION)
    source = "data:image/svg+xml;base64," + base64.b64encode(data).decode("ascii")
    return SimpleNamespace(source=source, text=text, pdf=path.removeprefix("results/").removesuffix("svg") + "pdf")


def data_used(shown, experiments, sheet):
    """Return the rows of the sheet that the shown experiments use: (row, their sections, what the data replace)."""
    used = {}
    for one in shown:
        for name in experiments[one.name].all_datasets:
            used.setdefault(name, []).append(one)
    return [
        (sheet[name], where, next((s.substitute for s in where if s.substitute), "")) for name, where in used.items()
    ]
