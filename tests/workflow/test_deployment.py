"""The workflow as Snakemake's catalog uses it: from another folder, as a module, with the configuration of .test."""

import importlib.util
import shutil
import subprocess

import pytest
from checkout import BIN, ROOT, job_counts

pytestmark = pytest.mark.workflow
SMOKE = ["--config", "experiments=[smoke]"]
MODULE = """
configfile: "config/config.yaml"


module rankbench:
    snakefile:
        "{snakefile}"
    config:
        config


use rule * from rankbench
"""


@pytest.fixture
def elsewhere(tmp_path):
    """A folder with the configuration and a Snakefile that uses the workflow as a module, as snakedeploy writes it."""
    folder = tmp_path / "my project"
    shutil.copytree(ROOT / "config", folder / "config")
    (folder / "workflow").mkdir()
    (folder / "workflow/Snakefile").write_text(MODULE.format(snakefile=ROOT / "workflow/Snakefile"))
    return folder


def snakemake(checkout, folder, *arguments):
    command = [BIN / "snakemake", "--cores", "2", *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, env=checkout.environment(), capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_it_runs_from_there_and_plans_the_same_from_here(checkout, elsewhere):
    profile = ["--workflow-profile", ROOT / "workflow/profiles/default"]
    record = elsewhere / "results/smoke/jobs/friedman1/default/svm_multi_sp/1.json"
    code, text = snakemake(checkout, elsewhere, *profile, record.relative_to(elsewhere), *SMOKE)
    assert code == 0 and '"status": "ok"' in record.read_text(), text
    code, text = snakemake(checkout, elsewhere, "-n", *profile, *SMOKE)
    assert code == 0 and job_counts(text)["run_job"] == 17, text
    code, directory = snakemake(checkout, checkout.path, "-n", "--directory", elsewhere, *SMOKE)
    assert code == 0 and job_counts(directory) == job_counts(text), directory


def test_the_picture_of_the_rules_is_that_of_the_workflow():
    spec = importlib.util.spec_from_file_location("rule_graph", ROOT / "docs/rule_graph.py")
    rule_graph = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rule_graph)
    edges = rule_graph.edges_of_svg(rule_graph.PICTURE.read_text(encoding="utf-8"))
    assert edges == rule_graph.edges_of_dot(rule_graph.graph()), "python docs/rule_graph.py draws it anew"
    assert ("run_job", "collect_records") in edges and ("write_report", "all") in edges
