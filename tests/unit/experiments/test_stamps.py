"""What is asked of each file changes with everything on which it depends and with nothing else; what is there and is
not what is asked for is refused, and what ended badly is tried again on request."""

import ast
import inspect
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import shipped

from rankbench.datasets.own import OwnTable
from rankbench.datasets.table import Table, save_table
from rankbench.experiments import experiment as of_experiments
from rankbench.experiments import stamps as of_stamps
from rankbench.experiments.experiment import Experiment
from rankbench.experiments.methods import sources_of
from rankbench.experiments.stamps import Asked, Plan, fault, other_limits
from rankbench.records import sources
from rankbench.records.files import (
    Damaged,
    note_of,
    read_bytes,
    remove,
    require,
    stamp_of,
    write_bytes,
    write_note,
)
from rankbench.records.provenance import version_of
from rankbench.registry import PUBLISHED, STUDIES

OF_A_TASK = {"datasets", "conditions", "preprocess", "tuning", "methods"}
NAMES = ("smoke", "diez_table1", "diez_theory", "svmcompare_fig3", "herbrich_fig2_2", "ranksvr_fig4")


def stamps_of(experiments=None, sheet=None):
    """Return note -> stamp of every file of some experiments, and those of the parts of a package."""
    experiments = experiments or {name: replace(shipped.experiments()[name]) for name in NAMES}
    of_stamps.script.cache_clear()
    plan = Plan(experiments, sheet or shipped.sheet())
    return {str(note): asked.stamp for note, asked in plan.notes(experiments)}


@cache
def today():
    """Return the stamps without any edit."""
    return stamps_of()


@pytest.fixture
def edited(monkeypatch):
    """Function that edits a module of the project, by adding a line to its source."""
    today()

    def edit(module):
        content_of = sources.content_of
        text = content_of(module) + b"EDITED = 1\n"
        monkeypatch.setattr(sources, "content_of", lambda name: text if name == module else content_of(name))
        sources.source_digest.cache_clear()

    yield edit
    sources.source_digest.cache_clear()


def changed(after, before=None):
    """Return the notes whose stamps differ."""
    before = before or today()
    assert after.keys() == before.keys()
    return {note for note in after if after[note] != before[note]}


def below(*parts):
    """Return the notes of today whose paths hold one of some parts."""
    return {note for note in today() if any(part in note for part in parts)}


OF_SMOKE = "smoke/records", "smoke/statistics", "smoke/tables", "smoke/figures"
NO_RUN = "resources/", "/jobs/", "records.json"
EDITS = {  # a module -> parts of the notes that an edit of it reaches, and of those that it leaves alone
    "rankbench.datasets.readers.friedman1": (
        ("tables/friedman1.json", "splits/smoke/friedman1/", "smoke/jobs/friedman1/", *OF_SMOKE),
        ("raw/", "jobs/diabetes_sklearn", "diez_table1", "herbrich_fig2_2", "fig3", "ranksvr"),
    ),
    "rankmargin.estimators.svor": (
        ("jobs/servo/default/svor5", "diez_table1/records", "diez_table1/statistics/", "tables/table1."),
        ("resources/", "jobs/servo/default/herbrich5", "ranksvr_fig4"),
    ),
    "rankmargin.estimators.ranksvr": (("statistics/cost_sweep.",), ("resources/", "diez_table1")),
    "rankbench.experiments.hold_outs": (("splits/smoke/", "smoke/jobs/", "diez_table1/jobs/"), ("resources/tables",)),
    "rankbench.statistics.overall": (("statistics/overall.",), NO_RUN),
    "rankbench.tables.best": ((), ("",)),  # none of these experiments shows it
    "rankbench.papers.diez.room": ((), ("",)),
    "rankbench.report.content": ((), ("",)),
}


@pytest.mark.slow
@pytest.mark.parametrize("module", EDITS)
def test_an_edit_reaches_what_is_made_by_the_module_and_nothing_else(edited, module):
    edited(module)
    after, (reached, alone) = changed(stamps_of()), EDITS[module]
    assert after >= below(*reached) and not after & below(*alone) and bool(after) == bool(reached)


SCRIPTS = {  # a script -> what every note of what it makes, or of what is made of that, holds
    "show_output": ("/tables/", "/figures/"),
    "run_job": ("/jobs/", "records.json", "test_scores.json", "/statistics/", "results/"),
    "build_table": ("resources/tables/", "splits/", "results/"),
}


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_an_edited_script_reaches_what_it_makes(monkeypatch, tmp_path, script):
    for file in (of_stamps.WORKFLOW / "scripts").glob("*.py"):
        (tmp_path / "scripts").mkdir(exist_ok=True)
        edit = "\nEDITED = 1\n" if file.stem == script else "\n# no change\n"
        (tmp_path / "scripts" / file.name).write_text(file.read_text() + edit)
    before = today()
    monkeypatch.setattr(of_stamps, "WORKFLOW", tmp_path)
    after, first = changed(stamps_of(), before), SCRIPTS[script][0]
    assert after >= {note for note in before if first in note and ("results/" in note or "resources" in first)}
    assert all(any(part in note for part in SCRIPTS[script]) for note in after)
    of_stamps.script.cache_clear()


def test_another_digest_in_the_sheet_reaches_everything_of_that_set():
    sheet = shipped.sheet()
    other = {**sheet, "servo": replace(sheet["servo"], table_sha256="0" * 64)}
    after = changed(stamps_of(sheet=other))
    assert after >= below("raw/servo/", "tables/servo.", "splits/diez_table1/servo", "diez_table1/jobs/servo/")
    assert not after & below("jobs/abalone", "smoke")


def test_a_printed_number_reaches_the_tables_that_show_it(monkeypatch, tmp_path):
    printed = tmp_path / "diez_table1.csv"
    printed.write_bytes(PUBLISHED["diez_table1.csv"].read_bytes())
    monkeypatch.setitem(of_stamps.PUBLISHED, "diez_table1.csv", printed)
    before = stamps_of()
    printed.write_bytes(printed.read_bytes() + b"\n")
    after = changed(stamps_of(), before)
    assert after and all("diez_table1/tables" in note or "diez_table1/figures" in note for note in after)


CHANGES = {  # what is changed in the yaml -> the value, and what of data set `one` and method `good` is made again
    ("title",): ("Other", "records statistics"),
    ("seeds_per_job",): (1, ""),
    ("methods", "good", "grid", "C"): ([1, 3], "jobs records statistics"),
    ("methods", "good", "params"): ({"tol": 0.1}, "jobs records statistics"),
    ("methods", "bad", "params"): ({"tol": 0.1}, "records statistics"),
    ("methods", "good", "uses"): ("SVOR", "jobs records statistics"),
    ("preprocess", "scaling"): ("none", "jobs records statistics"),
    ("tuning", "folds"): (4, "splits jobs records statistics"),
    ("tuning", "metric"): ("absolute_error", "jobs records statistics"),
    ("datasets", "one", "n_train"): (11, "splits jobs records statistics"),
    ("datasets", "two", "n_train"): (11, "records statistics"),
    ("metrics",): (["swapped_pairs", "zero_one"], "records statistics"),
    ("limits", "seconds"): (50, "records statistics"),  # see `other_limits`
}


@pytest.mark.parametrize("keys", CHANGES)
def test_an_edited_yaml_reaches_what_depends_on_the_key(yaml, keys):
    def of_one():
        small = Experiment.of(yaml)
        plan = Plan({"small": small}, {name: shipped.sheet()["servo"] for name in small.datasets})
        cell = ("small", "one", "default")
        every = {"splits": plan.splits(*cell), "jobs": plan.runs(*cell, "good"), "records": plan.records("small")}
        return {
            name: asked.stamp for name, asked in {**every, "statistics": plan.statistic("small", "summary")}.items()
        }

    yaml["outputs"] = {"statistics": ["summary"], "tables": [], "figures": []}
    before, (value, names), entry = of_one(), CHANGES[keys], yaml
    for key in keys[:-1]:
        entry = entry[key]
    entry[keys[-1]] = value
    assert " ".join(name for name, one in of_one().items() if one != before[name]) == names


def test_a_users_own_table_is_known_by_its_bytes(yaml, tmp_path):
    sheet = {name: OwnTable(name=name, title=name) for name in ("one", "two")}
    file = tmp_path / "resources/tables/one.npz"
    file.parent.mkdir(parents=True)
    told = []
    for number in (1.0, 2.0):
        save_table(file, Table(np.array([[number], [2.0], [3.0]]), np.arange(3.0), ("a",), ((),)))
        plan = Plan({"small": Experiment.of(yaml)}, sheet, tmp_path)
        told.append([plan.runs("small", name, "default", "good").stamp for name in ("one", "two")])
    assert told[0][0] != told[1][0] and told[0][1] == told[1][1]


# What is there

PATH = "results/one/statistics/summary.csv"
ASKED = Asked({"experiment": {"grid": (1, 0.5)}, "source": "01"}, {"runs": "02"})


@pytest.fixture
def made(tmp_path):
    """A file with its note."""
    file = tmp_path / PATH
    file.parent.mkdir(parents=True)
    write_bytes(file, b"a,b\n1,2\n")
    write_note(note_of(file), [file], **ASKED._asdict())
    return file


@pytest.mark.parametrize(
    ("task", "read", "why"),
    [
        ({}, {}, ""),
        ({"source": "09"}, {}, "made for a different task: source"),
        ({"more": 1, "source": "09"}, {}, "made for a different task: more, source"),
        ({"experiment": {"grid": (1, 2)}}, {}, "made for a different task: experiment"),
        ({}, {"runs": "03"}, "made from other versions: runs"),
        ({}, dict.fromkeys("abcde", ""), "made from other versions: a, b, c and 2 more"),
    ],
)
def test_what_was_made_for_another_task_is_refused(made, task, read, why):
    asked = Asked({**ASKED.task, **task}, {**ASKED.read, **read})
    assert fault(note_of(made), asked) == why
    assert (stamp_of(made) == asked.stamp) == (not why)
    if why:
        with pytest.raises(Damaged, match=r"summary.csv: made for .*; `rankbench tidy one` removes it, and the same"):
            require({made: asked.stamp})
    else:
        require({made: asked.stamp})


def copied(file, note, others):
    """Put file and note of another place, which are whole, in their place."""
    other = file.parents[2] / "two/statistics/summary.csv"
    other.parent.mkdir(parents=True)
    write_bytes(other, b"a,b\n1,2\n")
    write_note(note_of(other), [other], **ASKED._asdict())
    note.write_bytes(note_of(other).read_bytes())


WAYS = {  # what happens to a file and its note
    "edited": lambda file, note, _: file.write_bytes(b"a,b\n1,3\n"),
    "emptied": lambda file, note, _: file.write_bytes(b""),
    "an emptied note": lambda file, note, _: note.write_bytes(b""),
    "a note that is no text": lambda file, note, _: note.write_bytes(b"\xff\xfe\x00"),
    "a note with another value": lambda file, note, text: note.write_text(text.replace("0.5", "0.6")),
    "exchanged": copied,
}


@pytest.mark.parametrize("way", WAYS)
def test_what_was_damaged_or_exchanged_is_refused_by_the_check_and_by_its_reader(made, way):
    WAYS[way](made, note_of(made), note_of(made).read_text())
    assert fault(note_of(made), ASKED).startswith("damaged (")
    with pytest.raises(Damaged, match=r"damaged \("):
        require({made: ASKED.stamp})
        read_bytes(made)
    remove(note_of(made))
    assert fault(note_of(made), ASKED) == "" and not [*made.parent.iterdir()]


RECORDS_NOTE = "results/small/records.json"
RUN = {"status": "ok", "limits": {"seconds": 5, "megabytes": 500}}


@pytest.mark.parametrize(
    ("status", "seconds", "megabytes", "why"),
    [
        ("timeout", 9, 500, "stopped by a limit that is longer now: seconds"),
        ("memory", 5, 900, "stopped by a limit that is longer now: megabytes"),
        ("timeout", 5, 500, ""),
        ("timeout", 4, 500, ""),
        ("memory", 5, 400, ""),
        ("ok", 9, 900, ""),
        ("failed", 9, 500, ""),
        ("ok", 4, 500, "made under longer limits than the current ones: seconds"),
        ("failed", 4, 400, "made under longer limits than the current ones: megabytes, seconds"),
    ],
)
def test_another_limit_counts_where_it_could_change_the_end_of_a_run(status, seconds, megabytes, why):
    assert other_limits({**RUN, "status": status}, {"seconds": seconds, "megabytes": megabytes}) == why
    assert other_limits({"status": "missing", "limits": {}}, {"seconds": seconds, "megabytes": megabytes}) == ""


@pytest.mark.parametrize(
    ("retry", "tried"),
    [([], ()), (["timeout"], (0,)), (["timeout", "memory"], (0, 1)), (["failed"], (2, -2)), (["all"], (0, 1, 2, -2))],
)
def test_runs_and_studies_that_ended_so_are_tried_again_on_request(yaml, tmp_path, retry, tried):
    """One run of each status, a failed study, and a data set that no source had, which is tried again in any case."""
    small = replace(Experiment.of({**yaml, "seeds": 5}), studies={"slack_bound": {"trials": 1}})
    sheet = {name: replace(shipped.sheet()["servo"], name=name) for name in small.datasets}
    plan = Plan({"small": small}, sheet, tmp_path)
    statuses = ("timeout", "memory", "failed", "ok", "missing")
    values = {
        str(note_of(file)): {"record": {"experiment": "small", "status": status, "limits": small.limits}}
        for file, status in zip(small.run_files, statuses, strict=False)
    }
    values |= {RECORDS_NOTE: {}}
    values |= {"results/small/statistics/slack_bound.json": {"status": "failed"}}
    values |= {f"resources/{note}.json": {"absent": "no"} for note in ("raw/two/source", "tables/two")}
    for note, more in values.items():
        (tmp_path / note).parent.mkdir(parents=True, exist_ok=True)
        write_note(tmp_path / note, [], task={}, **more)
    again = [str(note) for note, _ in plan.retried(retry)]
    plan.remove({note_of(small.run_files[0])})  # and what is made of it, but no other run
    there = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*.json")}
    assert {*values} - there == {"results/small/jobs/one/default/good/0.json", RECORDS_NOTE}
    wanted = [[*values][one - (one < 0)] for one in tried]
    assert again == ["resources/raw/two/source.json", "resources/tables/two.json", *wanted]


# Sources of methods and studies

FITTED_WITH = ("lightgbm", "sklearn")


@pytest.mark.parametrize("package", FITTED_WITH)
def test_another_version_of_a_package_makes_the_runs_again_that_fit_with_it(monkeypatch, package):
    def digests():
        every = {name: replace(one).digests for name, one in shipped.experiments().items()}
        return {(name, method): digest for name, of in every.items() for method, digest in of.items()}

    before = digests()
    monkeypatch.setattr(of_experiments, "version_of", lambda name: "0.0" if name == package else version_of(name))
    after = {run for run, digest in digests().items() if digest != before[run]}
    entries = {(name, key): entry for name, one in shipped.experiments().items() for key, entry in one.methods.items()}
    assert after == {run for run, entry in entries.items() if package in sources_of(entry.uses)[1]} != set()


def test_the_version_of_a_package_is_that_of_its_distribution(monkeypatch, tmp_path):
    (tmp_path / "made_here.py").write_text("__version__ = '1.2'")
    monkeypatch.syspath_prepend(tmp_path)
    told = [version_of(name) for name in ("made_here", "no_such_package", "numpy")]
    assert told == ["none", "none", np.__version__]


def test_a_study_is_given_the_keys_that_it_reads():
    fig4 = shipped.experiments()["ranksvr_fig4"]
    given = fig4.studied("cost_sweep").document
    assert [*given["methods"]] == ["sample_mst"] and {"title", "paper", "outputs", "studies"}.isdisjoint(given)
    edited = replace(fig4, title="Another", outputs={}, published="other.csv", reference_method="random")
    assert edited.studied("cost_sweep").document == given
    assert replace(edited, preprocess={}).studied("cost_sweep").document != given
    assert shipped.experiments()["ranksvr_theory"].studied("close_draws").document == {"name": "close_draws"}


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_names_the_keys_that_it_reads(study):
    reads = STUDIES[study].reads
    tree = ast.parse(inspect.getsource(STUDIES[study].load()))
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "experiment"
    }
    assert used <= {*reads, "task"} and ("task" not in used or {*reads} >= OF_A_TASK)
