"""The recipes of CONTRIBUTING.md are followed: a method, a data set, an experiment, a paper."""

import hashlib
import json
import re
from shutil import copytree
from textwrap import dedent

import numpy as np
import pandas as pd
import pytest
from checkout import ROOT, Checkout, job_counts, once

from rankbench.datasets.sheet import load_sheet

pytestmark = pytest.mark.workflow

EXPERIMENT = """
title: Toys
paper: diez
datasets:
  toy_set: &sizes {n_train: 30, n_test: 20}
  toy_rows: *sizes
  toy_digest: *sizes
  friedman1: *sizes
conditions: {default: {}}
seeds: 1
preprocess: {scaling: standard, nominal: onehot}
tuning: {folds: 3, metric: swapped_pairs}
methods:
  toy: {uses: toy_method.Ridge, label: Toy, params: {}, grid: {C: [0.1, 1]}}
metrics: [swapped_pairs]
limits: {seconds: 60, megabytes: 2000}
reference_method: toy
studies:
  rank_noise: {datasets: [toy_set, friedman1]}
outputs: {statistics: [summary], tables: [], figures: []}
"""


def add_method_and_experiment(checkout):
    """Write the method that CONTRIBUTING shows, an experiment that uses it, and the experiment that it shows."""
    recipe = (ROOT / "CONTRIBUTING.md").read_text().split("## Adding a method")[1].split("\n## ")[0]
    (method,) = re.findall(r"^   ```python\n(.*?)^   ```", recipe, re.DOTALL | re.MULTILINE)
    (checkout.path / "src/toy_method.py").write_text(dedent(method))
    (checkout.path / "config/experiments/toys.yaml").write_text(EXPERIMENT)
    recipe = (ROOT / "CONTRIBUTING.md").read_text().split("## Adding an experiment")[1].split("\n## ")[0]
    (yaml,) = re.findall(r"   ```yaml\n(.*?)   ```", recipe, re.DOTALL)
    (checkout.path / "config/experiments/my_comparison.yaml").write_text(dedent(yaml))


def add_data_sets(checkout, mirror):
    """Put a csv into a mirror and three rows for it into the sheet; their URL is a port on which nothing listens."""
    x = np.random.default_rng(0).standard_normal((50, 2))
    rows = [f"{a:.3f},{b:.3f},{2 * a - b:.3f}" for a, b in x]
    (mirror / "toys").mkdir(parents=True)
    (mirror / "toys/toy.csv").write_text("\n".join(["a,b,y", *rows]) + "\n")
    sheet = checkout.path / "config/datasets.tsv"
    row = dict.fromkeys(sheet.read_text().splitlines()[0].split("\t"), "")
    row |= {"title": "Toy set", "reader": "csv", "file": "toys/toy.csv", "separator": "comma"}
    row |= {"urls": "http://127.0.0.1:9/toy.csv", "target": "y", "missing": "refuse", "rows": "50", "attributes": "2"}
    row |= {"sha256": hashlib.sha256((mirror / "toys/toy.csv").read_bytes()).hexdigest()}
    row |= {"licence": "none", "reference": "made by a test"}
    with sheet.open("a") as file:
        for name in ("toy_set", "toy_rows", "toy_digest"):
            file.write("\t".join((row | {"name": name}).values()) + "\n")


def test_the_row_that_contributing_shows_is_one_of_the_sheet(checkout):
    lines = (ROOT / "CONTRIBUTING.md").read_text().splitlines()
    header, row = [line.removeprefix("   ") for line in lines if "\t" in line]
    sheet = checkout.path / "config/datasets.tsv"
    assert header == sheet.read_text().splitlines()[0]
    named = [line.split("`")[1] for line in lines if line.startswith("   | `")]
    assert named == header.split("\t")
    with sheet.open("a") as file:
        file.write(row + "\n")
    assert load_sheet(sheet)["my_set"].file == ("my_set/my.csv",)


def add_paper(checkout):
    """Copy the template of a paper, as the recipe says."""
    recipe = (ROOT / "CONTRIBUTING.md").read_text().split("## Adding a paper")[1].split("\n## ")[0]
    assert "cp -r templates/paper/benchmark templates/paper/config ." in recipe
    template = ROOT / "templates/paper"
    for name in re.findall(r"^\| `(\S+)` \|", recipe, re.MULTILINE):
        assert (template / name).is_file(), name
    for folder in ("benchmark", "config"):
        copytree(template / folder, checkout.path / folder, dirs_exist_ok=True)


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    """A checkout in which all recipes were followed and run once, and what Snakemake said: nothing may change it. Three
    data sets are not there, without a mirror; the room of the paper is one new folder, and no list was edited."""

    def make(folder):
        checkout = Checkout(folder)
        add_method_and_experiment(checkout)
        add_data_sets(checkout, folder / "mirror")
        add_paper(checkout)
        copytree(ROOT / "resources/data", folder / "resources/data")
        code, text = checkout.snakemake(
            "--config", "experiments=[toys,my_comparison,doe_table1]", "seeds_per_job=5", cores=4
        )
        assert code == 0, f"what could be run was run: {text}"
        (folder / "said").write_text(text)

    folder = once(tmp_path_factory, "followed", make)
    return folder, (folder / "said").read_text()


def test_without_its_data_a_method_of_ones_own_runs_as_far_as_it_can(followed):
    folder, text = followed
    assert "runs      1 of 4 ok" in text
    assert "no data   3 runs, study rank_noise without toy_set, toy_rows, toy_digest" in text
    assert "Everything that could run has run; 3 runs have no data: see above." in text
    records = pd.read_parquet(folder / "results/toys/records.parquet").query("dataset == 'toy_set'")
    assert set(records["status"]) == {"missing"} and set(records["n_train"]) == {30}
    assert set(records["reason"]) == {"not fetched: toy_set: no source gave the registered data"}
    study = json.loads((folder / "results/toys/statistics/rank_noise.json").read_text())
    assert (study["status"], study["absent"]) == ("ok", ["toy_set"])
    for wanted in ("toys/toy.csv", "RANKBENCH_MIRROR", "http://127.0.0.1:9/toy.csv"):
        assert wanted in text.split("could not be fetched")[1]
    assert "Error in rule" not in text
    summary = pd.read_csv(folder / "results/toys/statistics/summary.csv")
    assert summary.set_index("dataset")["n_missing"].to_dict() == {
        "toy_set": 1,
        "toy_rows": 1,
        "toy_digest": 1,
        "friedman1": 0,
    }
    assert set(pd.read_csv(folder / "results/toys/statistics/rank_noise.csv")["dataset"]) == {"friedman1"}


@pytest.fixture
def provided(followed, tmp_path):
    """A copy with the mirror, in which one of the data sets fits, and what Snakemake says of it."""
    checkout = Checkout(copytree(followed[0], tmp_path / "checkout", symlinks=True))
    sheet = checkout.path / "config/datasets.tsv"
    *before, of_set, of_rows, of_digest = sheet.read_text().splitlines(keepends=True)
    digest = of_digest.split("\t")[5]
    wrong = [of_rows.replace("\t50\t2\t", "\t51\t2\t"), of_digest.replace(digest, "0" * 64)]
    sheet.write_text("".join([*before, of_set, *wrong]))
    mirror, asked = {"RANKBENCH_MIRROR": str(checkout.path / "mirror")}, ["--config", "experiments=[toys]"]
    return checkout.path, digest, *checkout.snakemake(*asked, **mirror)


def test_data_sets_of_ones_own_that_do_not_fit_and_one_that_does(provided):
    folder, digest, code, text = provided
    assert code != 0 and f"/toy.csv: does not fit the sheet, expected sha256 {'0' * 64}, got {digest}" in text
    assert not [word for word in ("could not be fetched", "Traceback", "Error in rule") if word in text]
    (refused,) = [line for line in text.splitlines() if "rows: expected 51, got 50" in line]
    assert "toy_rows: refused by its reader" in refused and "results/logs/data/toy_rows.table.log" in refused
    [*_, last] = (folder / "results/logs/data/toy_set.fetch.log").read_text().splitlines()
    assert last == f"kept: toy_set: {folder}/mirror/toys/toy.csv sha256 {digest}"
    assert job_counts(text)["run_job"] == 3 and "runs      2 of 4 ok" in text  # all but those of friedman1
    statistics = folder / "results/toys/statistics"
    summary = pd.read_csv(statistics / "summary.csv").set_index("dataset")
    assert set(pd.read_csv(statistics / "rank_noise.csv")["dataset"]) == {"toy_set", "friedman1"}
    assert summary["n_missing"].to_dict() == {"toy_set": 0, "toy_rows": 1, "toy_digest": 1, "friedman1": 0}
    assert summary.loc["toy_set", "mean"] < 0.05


def test_an_experiment_and_a_paper_of_ones_own(followed):
    folder, text = followed
    assert text.count("runs      10 of 10 ok") == 2, text
    table = pd.read_csv(folder / "results/my_comparison/tables/table1.csv")
    assert table["method"].tolist() == ["few_partners", "all_pairs"] and table["ours_mean"].between(5, 25).all()
    verdict = pd.read_csv(folder / "results/claims.csv").set_index("claim_id").loc["X01"]
    assert verdict["paper"] == "doe" and verdict["direction"] in ("holds", "fails", "inconclusive")
    assert verdict["effect"].endswith("points")
    report = (folder / "results/report.html").read_text(encoding="utf-8")
    assert 'id="X01"' in report and "J. Doe: All pairs and five partners." in report
