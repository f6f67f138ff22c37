"""What starts in the ordinary way, with one line that says so, and what this executor uses of Snakemake."""

import inspect
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import snakemake.benchmark
import snakemake.script
from snakemake.executors import local
from snakemake.shell import shell
from snakemake_interface_executor_plugins.registry import ExecutorPluginRegistry

from snakemake_executor_plugin_warm.executor import ExecutorSettings, environment_of, obstacle_of

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


def test_snakemake_finds_the_executor():
    plugin = ExecutorPluginRegistry().get_plugin("warm")
    assert plugin.settings_cls is ExecutorSettings and plugin.common_settings.local_exec


def test_what_it_uses_of_snakemake_is_still_there():
    """These are no part of the stable interface. If this fails after an update, `executor.py` needs a look."""
    moved = "Snakemake has moved what the executor `warm` uses"
    script, source = snakemake.script.PythonScript, inspect.getsource(snakemake.script.script)
    assert "PythonScript" in source, f"{moved}: the class of Python scripts"
    assert [*inspect.signature(script.execute_script).parameters] == ["self", "fname", "edit"], (
        f"{moved}: how one starts"
    )
    given = {*inspect.signature(script.__init__).parameters} - {"self", "input_"} | {"input"}
    used = {"path", "output", "params", "wildcards", "threads", "resources", "log", "config", "rulename", "conda_env"}
    used |= {"input", "container_img", "env_modules", "bench_record", "is_local"}
    assert used <= given, f"{moved}: {sorted(used - given)} of a script"
    for name in ("run_job", "shutdown", "cancel", "__post_init__"):
        assert callable(getattr(local.Executor, name)), f"{moved}: {name} of the local executor"
    assert [*inspect.signature(snakemake.benchmark.benchmarked).parameters][:2] == ["pid", "benchmark_record"], moved


def test_the_environment_is_that_which_snakemake_sets_for_a_command():
    """It sets these variables in `shell`, which starts a script in the ordinary way."""
    source = inspect.getsource(shell.__new__)
    names = {*re.findall(r'envvars\["(\w+)"\]', source)}
    assert names and names == {name for name, value in environment_of(7, "/here").items() if value in ("7", "/here")}
