"""conda's environment and pip's lock hold the same versions of everything that the two packages ask for."""

import re
import tomllib
from itertools import chain

import pytest
import yaml
from checkout import ROOT

import rankmargin

CONDA = {"build": "python-build", "matplotlib": "matplotlib-base", "snakemake": "snakemake-minimal"}
CONDA |= {"typing-extensions": "typing_extensions"}


def project(folder):
    return tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]


def asked_for(extras=None):
    """Return the names of what both packages always need, and of some extras (None: all but `rivals` and `xrfm`)."""
    both = [project("."), project("benchmark")]
    every = both[0]["optional-dependencies"] | both[1]["optional-dependencies"]
    wanted = every.keys() - {"rivals", "xrfm"} if extras is None else extras
    needs = chain(*(one["dependencies"] for one in both), *(every[extra] for extra in wanted))
    return {re.match(r"[A-Za-z0-9_.-]+", need)[0].lower() for need in needs} - {"rankmargin"}


def locked(file="requirements.lock"):
    return dict(re.findall(r"^([a-z0-9_.-]+)==(\S+)", (ROOT / file).read_text(), re.MULTILINE))


def test_environment_and_lock_agree():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    *lines, by_pip = environment["dependencies"]
    pins = dict(re.split(r"\s*==\s*", line) for line in [*lines, *by_pip["pip"]] if "==" in line)
    assert pins == {CONDA.get(name, name): locked()[name] for name in asked_for()}
    assert environment["dependencies"][0] == "python >=3.11"
    assert {"-e .", "-e ./benchmark"} < {*by_pip["pip"]}, "without them Snakemake cannot import rankbench"


def test_the_environment_of_the_rules_is_that_of_the_lock():
    """It has what scripts import: all requirements of the library and the benchmark, except Snakemake and
    what its report needs."""
    environment = yaml.safe_load((ROOT / "workflow/envs/rankbench.yaml").read_text())
    pins = dict(re.split(r"\s*==\s*", line) for line in environment["dependencies"] if "==" in line)
    assert pins == {CONDA.get(name, name): locked()[name] for name in asked_for([]) - {"snakemake", "pygments"}}


def entries(file):
    """Return the entry of each package with its hashes, without the condition under which it is installed."""
    return {
        re.sub(r" ;.*", "", entry.replace(" \\\n", "\n"))
        for entry in re.split(r"\n(?=[a-z0-9])", (ROOT / file).read_text().strip())
    }


def test_a_run_needs_a_part_of_the_lock():
    """The lock of a run holds what a run imports and what installs it, at the versions and hashes of the whole lock,
    and nothing that only tests, pages or style need."""
    assert asked_for(["setup", "reference", "slurm"]) <= locked("run.lock").keys()
    assert entries("run.lock") < entries("requirements.lock")
    assert not {"pytest", "sphinx", "mypy", "ruff", "playwright", "statsmodels"} & locked("run.lock").keys()


@pytest.mark.parametrize("file", ["run.lock", "requirements.lock", "rivals.lock", "xrfm.lock"])
def test_a_lock_has_hashes_and_no_index(file):
    text = (ROOT / file).read_text()
    assert "://" not in text and "index-url" not in text
    entries = re.split(r"\n(?=[a-z0-9])", text.strip())
    assert len(entries) == len(locked(file)) and all("--hash=sha256:" in entry for entry in entries)


def test_the_rivals_stand_beside_the_other_packages():
    """Both locks can be installed into one environment, and the second holds what its extra asks for."""
    rivals = locked("rivals.lock")
    assert {name: version for name, version in locked().items() if name in rivals}.items() <= rivals.items()
    assert {re.match(r"[a-z-]+", need)[0] for need in project(".")["optional-dependencies"]["rivals"]} <= rivals.keys()


def test_the_benchmark_the_citation_and_the_recipe_tell_the_version():
    """``rankmargin.__version__`` is the only other place of the version; its wheel and the site read it."""
    version, benchmark = rankmargin.__version__, project("benchmark")
    assert (benchmark["version"], benchmark["dependencies"][0]) == (version, f"rankmargin=={version}")
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == rankmargin.__version__
    assert f'{{% set version = "{rankmargin.__version__}" %}}' in (ROOT / "conda/meta.yaml").read_text()
