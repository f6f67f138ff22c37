"""The executor: Snakemake's local one, but a Python script runs in a fork of a warm process."""

import importlib
import importlib.util
import json
import os
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from types import SimpleNamespace

import snakemake.script
from snakemake.benchmark import benchmarked
from snakemake.exceptions import WorkflowError
from snakemake.executors import local
from snakemake_interface_executor_plugins.settings import ExecutorSettingsBase

from . import BEGAN
from .client import Lost, Refused, Unfit, WarmProcesses

common_settings = local.common_settings
THREADS = ("OMP", "GOTO", "OPENBLAS", "MKL", "NUMEXPR")


@dataclass
class ExecutorSettings(ExecutorSettingsBase):
    """What warm processes load. Without any setting they make the imports at the top of the script."""

    imports: str = field(
        default="",
        metadata={"help": "Modules that every warm process imports, with blanks between them.", "metavar": "MODULES"},
    )
    prepare: str = field(
        default="",
        metadata={
            "help": "A function, module:function. It is called in Snakemake with an object that has the attributes of "
            "`snakemake` in the script of a job, and returns what a process must have called before it is forked for "
            "this job: the name of a function in the same form, and its keyword arguments, as JSON can write them. "
            "Jobs with the same answer share a process. None: nothing.",
            "metavar": "MODULE:FUNCTION",
        },
    )
    sources: str = field(
        default="",
        metadata={
            "help": "Packages that the plan of a run rests on, with blanks between them: no job runs with one of their "
            "files that was edited after the run began.",
            "metavar": "PACKAGES",
        },
    )
    seconds: float = field(default=120.0, metadata={"help": "Seconds that one step of a preparation may take."})
    processes: int = field(default=16, metadata={"help": "How many kinds of jobs have a warm process at a time."})


class Executor(local.Executor):
    """Snakemake's local executor, but Python scripts run in forks of warm processes.

    Snakemake prepares a script as ever and writes the file that it would start; only that start is another one. Scripts
    that need another environment or more threads start in the ordinary way, as do all other jobs.
    """

    def __post_init__(self):
        super().__post_init__()
        self.told, self.cold = set(), snakemake.script.PythonScript
        if not hasattr(os, "fork"):
            self.tell("this system cannot fork a process: all jobs start in the ordinary way")
            return
        given = self.workflow.executor_settings
        planned = [os.path.join(folder, "") for package in given.sources.split() for folder in folders_of(package)]
        settings = {"planned": planned, "began": BEGAN, "seconds": given.seconds, "most": given.processes}
        self.processes = WarmProcesses(settings, environment_of(1))
        self.imports, self.prepare = given.imports, function_of(given.prepare) if given.prepare else None
        snakemake.script.PythonScript = warm_script(self)

    def tell(self, text):
        """Write a line into Snakemake's log, once."""
        if text not in self.told:
            self.told.add(text)
            self.logger.info(f"executor warm: {text}")

    def run_job(self, job):
        if not (job.is_group() or job.is_script or job.is_norun):
            self.tell("jobs that are no scripts start in the ordinary way")
        super().run_job(job)

    def shutdown(self):
        super().shutdown()
        self.cool()

    def cancel(self):
        super().cancel()
        self.cool()

    def cool(self):
        """End the warm processes."""
        if snakemake.script.PythonScript is not self.cold:
            snakemake.script.PythonScript = self.cold
            self.processes.close()

    def run_script(self, script, file):
        """Run the file of a script in a fork of a warm process.

        Raises
        ------
        Unfit
            If it has to start in the ordinary way.
        CalledProcessError
            If it failed.
        WorkflowError
            If it must not run, or its process was lost.
        """
        if obstacle := obstacle_of(script):
            raise Unfit(obstacle)

        @contextmanager
        def watch(pid, notes):
            for note in notes:
                self.tell(f"not prepared: {note}")
            with nullcontext() if script.bench_record is None else benchmarked(pid, script.bench_record):
                yield

        path = script.path.get_path_or_uri(secret_free=True)
        request = {
            "file": os.path.abspath(file),
            "name": os.path.splitext(os.path.basename(path))[0],
            "steps": self.steps_of(script, path),
            "folder": os.getcwd(),
            "environment": environment_of(script.threads, script.resources.get("tmpdir")),
        }
        try:
            code = self.processes.run(request, watch)
        except (Refused, Lost) as error:
            raise WorkflowError(str(error)) from None
        if code:
            raise subprocess.CalledProcessError(code, f"{sys.executable} {file}")

    def steps_of(self, script, path):
        """Return the steps of the preparation for a script, the most general first."""
        steps = [("import", self.imports)] if self.imports else []
        if script.is_local:
            steps.append(("script", path))
        if self.prepare:
            names = ("input", "output", "params", "wildcards", "threads", "resources", "log", "config")
            job = SimpleNamespace(**{name: getattr(script, name) for name in names}, rule=script.rulename)
            if call := self.prepare(job):
                steps.append(("call", json.dumps(call, sort_keys=True)))
        return steps


def warm_script(executor):
    """Return the class that Snakemake is to use for Python scripts."""

    class WarmScript(executor.cold):
        def execute_script(self, fname, edit=False):
            try:
                executor.run_script(self, fname)
            except Unfit as why:
                executor.tell(f"{why} start in the ordinary way")
                super().execute_script(fname, edit=edit)

    return WarmScript


def obstacle_of(script):
    """Return which scripts cannot be forked, if this is one; else None."""
    if script.conda_env or script.env_modules:
        return "scripts with an environment of their own"
    if script.container_img:
        return "scripts in a container"
    if script.resources.get("shell_exec"):
        return "scripts with a shell of their own"
    if script.threads != 1:
        return "scripts with more than one thread"
    return None


def environment_of(threads, folder=None):
    """Return the environment variables that Snakemake sets for a script, with its folder for temporary files."""
    counts = dict.fromkeys([*(f"{name}_NUM_THREADS" for name in THREADS), "VECLIB_MAXIMUM_THREADS"], str(threads))
    folders = dict.fromkeys(("TMPDIR", "TMP", "TEMPDIR", "TEMP"), str(folder)) if folder else {}
    return {**os.environ, **counts, **folders}


def folders_of(package):
    """Return the folders of a package that need not be imported."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise WorkflowError(f"warm-sources must name packages, got {package!r}, which cannot be found")
    return spec.submodule_search_locations


def function_of(name):
    """Return the function that ``module:function`` names."""
    module, _, function = name.partition(":")
    try:
        return getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise WorkflowError(f"warm-prepare must be MODULE:FUNCTION, got {name!r}: {error}") from None
