"""``rankbench why FILE``: which rule made a file, from what, at which commit, and what makes it again."""

import re
from itertools import chain
from pathlib import Path

from rankbench.datasets.own import OwnTable, load_datasets
from rankbench.experiments.experiment import digest_of_task
from rankbench.experiments.files import Damaged, note_of, read_note
from rankbench.experiments.protocol import files_of, load_asked
from rankbench.experiments.tasks import misfits
from rankbench.home import WORKFLOW
from rankbench.registry import STUDIES

MOST = 8  # more files than these are counted, not named
RULES = {  # pattern of the files -> the rule that makes them
    "resources/raw/{dataset}/.*": "fetch_dataset",
    "resources/tables/{dataset}.(npz|json)": "build_table",
    "resources/splits/{experiment}/{dataset}/{condition}/{seed}.(npz|json)": "split_table",
    "resources/warm_up/{digest}.txt": "warm_up",
    "results/{experiment}/jobs/{dataset}/{condition}/{method}/{seed}.(npz|json)": "run_job",
    "results/{experiment}/(records|test_scores).(parquet|json)": "collect_records",
    "results/{experiment}/statistics/{name}.(csv|json)": "compute_statistic",
    "results/{experiment}/tables/{name}.(json|html|csv|md|tex)": "write_table",
    "results/{experiment}/figures/{name}.(json|svg|pdf|png)": "draw_figure",
    "results/claims.(csv|json)": "judge_claims",
    "results/report.(html|json)": "write_report",
}


def rule_of(path):
    """Return the rule that makes a file, and its wildcards; a file that none makes raises a ValueError.

    >>> rule_of("resources/tables/my_set.npz")
    ('build_table', {'dataset': 'my_set'})
    """
    for pattern, rule in RULES.items():
        expression = re.sub(r"\{(\w+)\}", r"(?P<\1>[a-z0-9_]+)", pattern.replace(".(", r"\.("))
        if matched := re.fullmatch(expression, str(path)):
            wildcards = matched.groupdict()
            study = rule == "compute_statistic" and wildcards["name"] in STUDIES
            return "run_study" if study else rule, wildcards
    raise ValueError(
        f"{path}: no rule makes this file: rules only make files below results/ and resources/, and their logs"
    )


def why(file, root="."):
    """Print where a file of a run comes from.

    Parameters
    ----------
    file : path
    root : path
        The folder in which the workflow ran; the file is below it.
    """
    root = Path(root).resolve()
    path = Path(file).resolve()
    if not path.is_relative_to(root):
        raise ValueError(f"{file}: must be below {root}")
    path = path.relative_to(root)
    rule, wildcards = rule_of(path.as_posix())
    values = ", ".join(f"{name} {value}" for name, value in wildcards.items())
    print(f"{path}{'' if (root / path).exists() else ': is not there'}")
    if rule == "build_table" and isinstance(load_datasets(root).get(wildcards["dataset"]), OwnTable):
        print("rule      none: rankbench compare wrote this table when it made the folder\nagain     rankbench compare")
        return
    print(f"rule      {rule}{f' ({values})' if values else ''} in {rules_file(rule)}")
    for line in chain(_of_note(root / _note(path, rule)), _today(path, rule, wildcards, root)):
        print(line)
    print(f"again     {command(path, rule, wildcards, root)}")


def rules_file(rule):
    """Return the file of the workflow that holds a rule."""
    word = "rule:" if rule == "run_job" else f"rule {rule}:"
    return next(file for file in sorted(WORKFLOW.glob("rules/*.smk")) if word in file.read_text(encoding="utf-8"))


def _note(path, rule):
    """Return the note of a file: that beside it, or that of its folder of raw files."""
    return Path(*path.parts[:3], "source.json") if rule == "fetch_dataset" else note_of(path)


def _of_note(note):
    """Yield what the note of a file says."""
    try:
        values = read_note(note)
    except FileNotFoundError:
        yield f"note      there is no {note.name}, which would name its inputs"
        return
    except Damaged as error:
        yield f"note      {error}"
        return
    made = values.get("made_by", {})
    versions = ", ".join(f"{name} {version}" for name, version in made.get("versions", {}).items())
    if made:
        yield f"made      at commit {made.get('commit') or 'unknown'} on {made.get('machine')}; {versions}"
    read = [f"{path} (sha256 {digest[:12]})" for path, digest in values.get("read", {}).items()]
    for number, line in enumerate(read[:MOST]):
        yield f"{'' if number else 'from':<10}{line}"
    if len(read) > MOST:
        yield f"{'':<10}and {len(read) - MOST} more files: {note.name} names them"
    status = values.get("record", values).get("status")
    if status:
        yield f"status    {status} {values.get('record', values).get('reason', '')}".rstrip()


def _today(path, rule, wildcards, root):
    """Yield whether a file is what the experiments currently ask for; refuse one that they do not ask for."""
    if rule == "warm_up":
        return
    name, note = wildcards.get("experiment"), str(_note(path, rule))
    if name and name not in files_of(root):
        raise ValueError(f"{path}: there is no experiment {name!r} (rankbench list names all)")
    experiments, sheet = load_asked([name] if name else list(files_of(root)), root)  # any of them may need a data set
    if name and note not in map(str, map(note_of, _files(experiments[name]))):
        raise ValueError(f"{path}: {experiments[name].file} asks for no such file")
    dataset = "" if name else wildcards.get("dataset", "")
    if dataset and dataset not in sheet:
        raise ValueError(f"{path}: there is no data set {dataset!r} (rankbench list datasets names all)")
    if not (root / path).exists():
        return
    reason = misfits(experiments, sheet, root).get(note)
    yield f"now       the next run makes it again: {reason}" if reason else "now       it is up to date"


def _files(experiment):
    """Yield the paths of all files of an experiment, with one ending of each."""
    for dataset, condition in {cell[:2] for cell in experiment.cells}:
        yield from experiment.split_files(dataset, condition, range(experiment.seeds))
    yield from [*experiment.run_files("npz"), *experiment.result_files]
    if experiment.methods:
        yield f"results/{experiment.name}/test_scores.parquet"


def command(path, rule, wildcards, root="."):
    """Return the command that makes a file again."""
    if rule in ("judge_claims", "write_report"):
        return "rankbench report"
    where = "" if Path("Snakefile").exists() else f" --snakefile {WORKFLOW / 'Snakefile'}"
    name = wildcards.get("experiment") or _warmed(wildcards.get("digest"), root)
    chosen = f" --config 'experiments=[{name}]'" if name else ""
    return f"snakemake --cores all{where}{chosen} --force {path}"


def _warmed(digest, root):
    """Return an experiment for which a process is prepared by the task of this digest; "" without one."""
    if not digest:
        return ""
    experiments, _ = load_asked(list(files_of(root)), root)
    tasks = ((name, one.warm_up(method)) for name, one in experiments.items() for method in one.methods)
    return next((name for name, task in tasks if digest_of_task(task) == digest), "")
