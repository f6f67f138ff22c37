"""``rankbench list`` and ``rankbench why``: what can run here, what is done, and where a file is from."""

from importlib.util import find_spec
from pathlib import Path

import yaml
from tabulate import tabulate

from rankbench.experiments.methods import sources_of
from rankbench.experiments.protocol import files_of, load_asked, names_of, read_config
from rankbench.records.files import note_of, read_note
from rankbench.records.paths import STATISTIC
from rankbench.report.summary import absent_datasets, summarise

HEADERS = ("experiment", "runs", "studies", "title")
SIDES = ("left", "right", "right", "left")
TOLD = ("made_by", "read", "status", "reason", "record")  # of a note, by `why`


def list_(names):
    """Print a line for each experiment, first those that run here, or what named ones lack; return the exit code."""
    if names:
        return 0 if summarise(*load_asked(names)) else 1
    experiments, rows = load_asked(list(files_of()))[0], []
    listed = names_of({**read_config(), "experiments": "all"}, experiments)
    for name, experiment in experiments.items():
        studies = [STATISTIC.format(experiment=name, statistic=study) for study in experiment.studies]
        done = [_done(files) for files in (experiment.run_files, studies)]
        wants = ", ".join([*missing_packages(experiment), *absent_datasets(experiment.all_datasets, Path())])
        rows.append((f"{name}{'' if name in listed else ' *'}", *done, experiment.title, wants))
    rows.sort(key=lambda row: (bool(row[-1]), row[0].endswith("*")))
    print(tabulate([row[:-1] for row in rows], HEADERS, "simple", colalign=SIDES))
    print("\n* only if it is named: not in the list `all` of config.yaml")
    for label, *_, wants in rows:
        if wants:
            print(f"{label.removesuffix(' *')}: missing {wants}")
    return 0


def _done(files):
    return f"{sum(note_of(file).exists() for file in files)} of {len(files):,}" if files else ""


def missing_packages(experiment):
    """Return the packages that the methods of an experiment need and that are not installed."""
    wanted = [package for method in experiment.methods.values() for package in sources_of(method.uses)[1]]
    return [package for package in dict.fromkeys(wanted) if find_spec(package) is None]


def why(file):
    """Print what the note of a file of a run says: from what it was made, at which commit, and how it ended."""
    note = Path(file).parents[-4] / "source.json" if "raw" in Path(file).parts else note_of(file)
    told = {key: value for key, value in read_note(note).items() if key in TOLD}
    print(yaml.safe_dump({file: told}, sort_keys=False, allow_unicode=True))
