"""What starts in the ordinary way, with one line that says so, and what this executor uses of Snakemake."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from snakemake_executor_plugin_warm.executor import obstacle_of

PYTHON = Path(sys.executable).name
SAYS = """
import os
with open(snakemake.output[0], "w") as file:
    file.write(f"{open('/proc/self/comm').read().strip()} {os.environ['OMP_NUM_THREADS']}")
"""
OTHERS = """
rule shell:
    output:
        "out/shell{n}.txt",
    wildcard_constraints:
        n="[0-9]",
    shell:
        "echo shell >{output}"

rule threads:
    output:
        "out/threads{n}.txt",
    threads: 2
    script:
        "one.py"

rule code:
    output:
        "out/code{n}.txt",
    run:
        with open(output[0], "w") as file:
            file.write("code")

ruleorder: shell > threads > code > one
"""


@pytest.fixture
def says(workflow):
    workflow.write("one.py", SAYS)
    workflow.write("Snakefile", workflow.read("Snakefile") + OTHERS)
    return workflow


def lines_of(text):
    start = "executor warm: "
    return sorted(line.removeprefix(start) for line in text.splitlines() if line.startswith(start))


@pytest.mark.workflow
def test_jobs_that_cannot_be_forked_start_in_the_ordinary_way_with_one_line(says):
    names = [f"{kind}{number}" for kind in ("shell", "threads", "code", "a") for number in (1, 2)]
    code, text = says.run(names)
    assert code == 0, text
    assert lines_of(text) == [
        "jobs that are no scripts start in the ordinary way",
        "scripts with more than one thread start in the ordinary way",
    ]
    assert {name: says.read(f"out/{name}.txt").split() for name in names if name[-1] == "1"} == {
        "shell1": ["shell"], "threads1": [PYTHON, "2"], "code1": ["code"], "a1": ["one", "1"],
    }  # fmt: skip


@pytest.mark.workflow
def test_a_system_that_cannot_fork(says, tmp_path):
    """Windows, as Python shows it there."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site/sitecustomize.py").write_text("import os\ndel os.fork\n")
    code, text = says.run(["a", "b"], PYTHONPATH=str(tmp_path / "site"))
    assert code == 0 and lines_of(text) == ["this system cannot fork a process: all jobs start in the ordinary way"]
    assert says.read("out/a.txt") == f"{PYTHON} 1"


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, None),
        ({"conda_env": "/env"}, "scripts with an environment of their own"),
        ({"env_modules": "module"}, "scripts with an environment of their own"),
        ({"container_img": "image.sif"}, "scripts in a container"),
        ({"resources": {"shell_exec": "zsh"}}, "scripts with a shell of their own"),
        ({"threads": 4}, "scripts with more than one thread"),
    ],
)
def test_scripts_that_cannot_be_forked(changed, told):
    plain = {"conda_env": None, "env_modules": None, "container_img": None, "resources": {}, "threads": 1}
    assert obstacle_of(SimpleNamespace(**(plain | changed))) == told
