"""A source file that is edited during a run: no result is kept of a job that may have run other code than planned."""

import os

import pytest

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
def test_jobs_after_an_edit_fail_with_the_name_of_the_file_and_the_next_run_makes_them(workflow):
    workflow.write("Snakefile", "import planned\n" + workflow.read("Snakefile"))
    workflow.write("one.py", LOADS)
    (workflow.path / "planned").mkdir()
    workflow.write("planned/__init__.py", "")
    workflow.write("planned/late.py", "VALUE = 1\n")
    path = os.pathsep.join([str(workflow.path), *filter(None, [os.environ.get("PYTHONPATH")])])
    for file in ("planned/late.py", "one.py"):
        code, text = workflow.run(["edits", "a", "b"], "first=edits", f"file={file}", PYTHONPATH=path)
        assert code == 1 and not workflow.names("out/*.txt"), text
        assert f"{workflow.path / file} was edited after this run began; the same command again" in text
    code, text = workflow.run(["a", "b"], PYTHONPATH=path)
    assert code == 0 and workflow.names("out/*.txt") == ["a", "b"], text
