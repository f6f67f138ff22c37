"""A source file that is edited during a run: no result is kept of a job that may have run other code than planned."""

import os

import pytest

import snakemake_executor_plugin_warm as warm

# Snakemake loads `planned` for its plan. The job `edits` edits a file before all others.
LOADS = """
import importlib
from pathlib import Path

name, given = snakemake.wildcards.name, snakemake.config
if name == "edits":
    Path(given["file"]).write_text(Path(given["file"]).read_text() + "# edited")
Path(snakemake.output[0]).write_text(str(importlib.import_module("planned.late").VALUE))
"""


@pytest.mark.workflow
@pytest.mark.parametrize("file", ["planned/late.py", "one.py"])
def test_jobs_after_an_edit_fail_with_the_name_of_the_file_and_the_next_run_makes_them(workflow, file):
    workflow.write("Snakefile", "import planned\n" + workflow.read("Snakefile"))
    workflow.write("one.py", LOADS)
    (workflow.path / "planned").mkdir()
    workflow.write("planned/__init__.py", "")
    workflow.write("planned/late.py", "VALUE = 1\n")
    path = os.pathsep.join([str(workflow.path), *filter(None, [os.environ.get("PYTHONPATH")])])
    code, text = workflow.run(["edits", "a", "b"], "first=edits", f"file={file}", PYTHONPATH=path)
    assert code == 1 and not workflow.names("out/*.txt"), text
    assert f"{workflow.path / file} was edited after this run began; the same command again" in text
    code, text = workflow.run(["a", "b"], PYTHONPATH=path)
    assert code == 0 and workflow.names("out/*.txt") == ["a", "b"], text


def edit_and_hide(file):
    """As a tool that restores times: other bytes of the same length, with the same time of the last change."""
    before = file.stat()
    file.write_text("VALUE = 2")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("change", [edit_and_hide, lambda file: file.unlink()], ids=["hidden", "gone"])
def test_every_change_is_found_and_what_is_installed_is_no_source(tmp_path, monkeypatch, change):
    file = tmp_path / "module.py"
    file.write_text("VALUE = 1")
    files = warm.sources()
    assert any(file.endswith("rankbench/experiments/job.py") for file in files), "not only what is loaded"
    assert not any("site-packages" in file or "/json/" in file for file in files)
    executor = object.__new__(warm.Executor)
    executor.planned = []
    monkeypatch.setattr(warm, "BEGAN", file.stat().st_ctime + 1e-6)
    executor.refuse_edited([str(file)])
    change(file)
    with pytest.raises(warm.WorkflowError, match=f"{file} was edited"):
        executor.refuse_edited([str(file)])
