"""A small workflow of somebody else: the executor `warm` knows nothing of this project."""

import os
import signal
import subprocess
import time

import pytest
from checkout import BIN, hears_signals, left

RULES = """
rule all:
    input:
        expand("out/{name}.txt", name=config["names"].split("+")),

# The job that the configuration names runs before all others.
def before(wildcards):
    first = config.get("first", wildcards.name)
    return [] if first == wildcards.name else [f"out/{first}.txt"]

rule one:
    input:
        before,
    output:
        "out/{name}.txt",
    log:
        "log/{name}.log",
    params:
        value={"a": [1, 2.5]},
    script:
        "one.py"
"""


class Workflow:
    """A folder with a workflow, and the commands of its user.

    Attributes
    ----------
    path : Path
    running : list of Popen
        The commands that were started.
    """

    def __init__(self, path):
        self.path, self.running = path, []
        self.write("Snakefile", RULES)

    def write(self, name, text):
        (self.path / name).write_text(text)

    def read(self, name):
        return (self.path / name).read_text()

    def names(self, pattern):
        return sorted(file.stem for file in self.path.glob(pattern))

    def start(self, names, *arguments, executor="warm", cores=2, **variables):
        """Start Snakemake for the jobs of these names, in its own process group."""
        command = [BIN / "snakemake", "--cores", str(cores), "--executor", executor, "--keep-going", "--nolock"]
        command += ["--rerun-incomplete", "--config", f"names={'+'.join(names)}", *arguments]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "start_new_session": True}
        environment = {**os.environ, "MARK": str(self.path), **variables}
        process = subprocess.Popen(command, cwd=self.path, env=environment, preexec_fn=hears_signals, **options)
        self.running.append(process)
        return process

    def run(self, names, *arguments, **options):
        """Run Snakemake to its end; return exit code and everything it printed."""
        process = self.start(names, *arguments, **options)
        text, _ = process.communicate(timeout=240)
        return process.returncode, text

    def wait_for(self, *names):
        """Wait until these files are there; return their texts."""
        deadline = time.monotonic() + 120
        while not all((self.path / name).exists() and self.read(name) for name in names):
            assert time.monotonic() < deadline, f"none of {names}"
            time.sleep(0.02)
        return [self.read(name) for name in names]


@pytest.fixture
def workflow(tmp_path):
    """A workflow whose jobs each run `one.py`, which a test writes."""
    folder = tmp_path / "a workflow"
    folder.mkdir()
    made = Workflow(folder)
    yield made
    for process in made.running:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    for process in left(folder, 0):
        process.kill()
