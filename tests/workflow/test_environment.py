"""conda's environment and pip's lock hold the same versions of everything that pyproject.toml asks for."""

import re
import tomllib
from itertools import chain
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
NOT_LOCKED = {"competitors"}
CONDA = {"build": "python-build", "matplotlib": "matplotlib-base", "snakemake": "snakemake-minimal"}


def asked_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [needs for extra, needs in project["optional-dependencies"].items() if extra not in NOT_LOCKED]
    every = chain(project["dependencies"], *extras)
    return {re.match(r"[A-Za-z0-9_.-]+", requirement)[0].lower() for requirement in every}


def locked():
    return dict(re.findall(r"^([a-z0-9_.-]+)==(\S+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE))


def test_environment_and_lock_agree():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    *lines, by_pip = environment["dependencies"]
    pins = dict(re.split(r"\s*==\s*", line) for line in [*lines, *by_pip["pip"]] if "==" in line)
    assert pins == {CONDA.get(name, name): locked()[name] for name in asked_for()}
    assert environment["dependencies"][0] == "python >=3.11"
    assert "-e ." in by_pip["pip"], "without the project itself Snakemake cannot import rankbench"


def test_the_lock_has_hashes_and_no_index():
    text = (ROOT / "requirements.lock").read_text()
    assert "://" not in text and "index-url" not in text
    entries = re.split(r"\n(?=[a-z0-9])", text.strip())
    assert len(entries) == len(locked()) and all("--hash=sha256:" in entry for entry in entries)
