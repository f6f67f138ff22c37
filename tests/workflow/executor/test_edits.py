"""A source file that is edited during a run: no job runs with code that is no longer there or that was not planned."""

import os
import time
from importlib.machinery import SourceFileLoader

import pytest

from snakemake_executor_plugin_warm.sources import Edited, Sources

# The script imports `helper`, which lies beside it. Only its jobs load `planned.late`.
LOADS = """
import importlib, sys, time
from pathlib import Path
import helper
import planned.early

sys.stderr = open(snakemake.log[0], "w")
name, given = snakemake.wildcards.name, snakemake.config
if name == "edits":
    Path(given["file"]).write_text("VALUE = 2")
    before = Path("helper.py").read_text()
    Path("helper.py").write_text("VALUE = 3")
    Path("helper.py").write_text(before)
late = name == "late" and importlib.import_module("planned.late").VALUE
Path(snakemake.output[0]).write_text(f"{helper.VALUE} {planned.early.VALUE} {late}")
"""


@pytest.fixture
def loading(workflow):
    workflow.write("one.py", LOADS)
    workflow.write("helper.py", "VALUE = 1\n")
    (workflow.path / "planned").mkdir()
    for name in ("__init__", "early", "late"):
        workflow.write(f"planned/{name}.py", "VALUE = 1\n")
    return workflow


@pytest.mark.workflow
@pytest.mark.parametrize(
    ("file", "run_on"),
    [("helper.py", []), ("planned/late.py", ["a"])],
    ids=["beside the script and loaded", "planned and not yet loaded"],
)
def test_jobs_that_use_an_edited_file_are_refused_by_its_name(loading, file, run_on):
    """The job `edits` edits it before all others, and the helper too, whose edit it undoes."""
    path = os.pathsep.join([str(loading.path), *filter(None, [os.environ.get("PYTHONPATH")])])
    config = ["first=edits", f"file={file}", "--warm-sources", "planned"]
    code, text = loading.run(["edits", "a", "late"], *config, PYTHONPATH=path)
    assert code == 1 and loading.names("out/*.txt") == sorted(["edits", *run_on])
    assert f"{loading.path / file} was edited after this run began" in text
    if not run_on:
        code, text = loading.run(["a", "late"], PYTHONPATH=str(loading.path))
        assert code == 0 and loading.read("out/late.txt").split() == ["2", "1", "1"], text


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A file that was last changed before a run began, and the sources of that run."""
    monkeypatch.setattr(SourceFileLoader, "exec_module", SourceFileLoader.exec_module)  # and put back at the end
    file = tmp_path / "module.py"
    file.write_text("VALUE = 1")
    while time.time() < file.stat().st_ctime + 0.02:
        time.sleep(0.01)
    return file, Sources([str(tmp_path)], began=time.time())


def edit(file):
    file.write_text("VALUE = 2")


def edit_and_hide(file):
    """As a tool that restores times: other bytes of the same length, with the same time of the last change."""
    before = file.stat()
    file.write_text("VALUE = 2")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace(file):
    beside = file.with_name("beside")
    beside.write_text("VALUE = 2")
    beside.replace(file)


@pytest.mark.parametrize("change", [edit, edit_and_hide, replace, lambda file: file.unlink()])
def test_every_change_of_a_loaded_file_is_found(module, change):
    file, sources = module
    sources.add(str(file))
    sources.check()
    os.utime(file)
    sources.check()
    change(file)
    with pytest.raises(Edited, match=f"{file} was edited"):
        sources.check()
