"""The recipes of CONTRIBUTING.md are followed: a method, a data set, an experiment, a paper."""

import hashlib
import json
import re
from shutil import copytree
from textwrap import dedent

import numpy as np
import pandas as pd
import pytest
from checkout import ROOT, job_counts

from rankbench.datasets.sheet import load_sheet

pytestmark = pytest.mark.workflow

EXPERIMENT = """
title: Toys
paper: diez
datasets: {toy_set: {n_train: 30, n_test: 20}, friedman1: {n_train: 30, n_test: 20}}
conditions: {default: {}}
seeds: 3
preprocess: {scaling: standard, nominal: onehot}
tuning: {folds: 3, metric: swapped_pairs}
methods:
  toy: {uses: toy_method.Ridge, label: Toy, params: {}, grid: {C: [0.1, 1]}}
metrics: [swapped_pairs]
limits: {seconds: 60, megabytes: 2000}
reference_method: toy
studies:
  rank_noise: {datasets: [toy_set, friedman1]}
outputs: {statistics: [summary, per_dataset], tables: [], figures: []}
"""


def add_method(checkout):
    """Write the method that CONTRIBUTING shows, and an experiment that uses it."""
    recipe = (ROOT / "CONTRIBUTING.md").read_text().split("## Adding a method")[1].split("\n## ")[0]
    (method,) = re.findall(r"^   ```python\n(.*?)^   ```", recipe, re.DOTALL | re.MULTILINE)
    (checkout.path / "src/toy_method.py").write_text(dedent(method))
    (checkout.path / "config/experiments/toys.yaml").write_text(EXPERIMENT)


def add_data_set(checkout, mirror):
    """Put a csv into a mirror and its row into the sheet; its URL is a port on which nothing listens."""
    x = np.random.default_rng(0).standard_normal((50, 2))
    rows = [f"{a:.3f},{b:.3f},{2 * a - b:.3f}" for a, b in x]
    (mirror / "toys").mkdir(parents=True)
    (mirror / "toys/toy.csv").write_text("\n".join(["a,b,y", *rows]) + "\n")
    sheet = checkout.path / "config/datasets.tsv"
    row = dict.fromkeys(sheet.read_text().splitlines()[0].split("\t"), "")
    row |= {"name": "toy_set", "title": "Toy set", "reader": "csv", "file": "toys/toy.csv", "separator": "comma"}
    row |= {"urls": "http://127.0.0.1:9/toy.csv", "target": "y", "missing": "refuse", "rows": "50", "attributes": "2"}
    row |= {"sha256": hashlib.sha256((mirror / "toys/toy.csv").read_bytes()).hexdigest()}
    row |= {"licence": "none", "reference": "made by a test"}
    with sheet.open("a") as file:
        file.write("\t".join(row.values()) + "\n")


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


def test_a_method_and_a_data_set_of_ones_own(checkout, tmp_path):
    add_method(checkout)
    add_data_set(checkout, tmp_path / "mirror")
    toys = ["--config", "experiments=[toys]"]

    code, text = checkout.snakemake(*toys)
    assert code == 0, "what could be run was run"
    assert "runs      3 of 6 ok" in text and "no data   3 runs, study rank_noise without toy_set" in text
    assert "Everything that could run has run; 3 runs have no data: see above." in text
    assert list(pd.read_csv(checkout.path / "results/claims.csv")) and (checkout.path / "results/report.html").exists()
    records = pd.read_parquet(checkout.path / "results/toys/records.parquet").query("dataset == 'toy_set'")
    assert set(records["status"]) == {"missing"} and set(records["n_train"]) == {30}
    assert set(records["reason"]) == {"not fetched: toy_set: no source gave the registered data"}
    study = json.loads((checkout.path / "results/toys/statistics/rank_noise.json").read_text())
    assert (study["status"], study["absent"]) == ("ok", ["toy_set"])
    for wanted in ("toys/toy.csv", "RANKBENCH_MIRROR", "http://127.0.0.1:9/toy.csv"):
        assert wanted in text.split("could not be fetched")[1]
    assert "Error in rule" not in text
    summary = pd.read_csv(checkout.path / "results/toys/statistics/summary.csv")
    assert summary.set_index("dataset")["n_missing"].to_dict() == {"toy_set": 3, "friedman1": 0}
    gaps = checkout.path / "results/toys/statistics/rank_noise.csv"
    assert set(pd.read_csv(gaps)["dataset"]) == {"friedman1"}

    digest = hashlib.sha256((tmp_path / "mirror/toys/toy.csv").read_bytes()).hexdigest()
    sheet = checkout.path / "config/datasets.tsv"
    registered = sheet.read_text()
    sheet.write_text(registered.replace(digest, "0" * 64))
    code, text = checkout.snakemake("results/toys/records.parquet", *toys, RANKBENCH_MIRROR=str(tmp_path / "mirror"))
    refused = f"mirror/toys/toy.csv: does not fit the sheet, expected sha256 {'0' * 64}, got {digest}"
    assert code != 0 and "no data   toy_set: not fetched: " in text and refused in text
    assert "could not be fetched" not in text
    sheet.write_text(registered)

    code, text = checkout.snakemake(*toys, RANKBENCH_MIRROR=str(tmp_path / "mirror"))
    assert code == 0 and "Everything that could run has run." in text, text
    [*_, last] = (checkout.path / "results/logs/data/toy_set.fetch.log").read_text().splitlines()
    assert last == f"kept: toy_set: {tmp_path}/mirror/toys/toy.csv sha256 {digest}"
    assert job_counts(text)["run_job"] == 3 and "runs      6 of 6 ok" in text
    summary = pd.read_csv(checkout.path / "results/toys/statistics/summary.csv")
    assert set(pd.read_csv(gaps)["dataset"]) == {"toy_set", "friedman1"}
    assert (summary["n_missing"] == 0).all() and summary.set_index("dataset").loc["toy_set", "mean"] < 0.05

    method = checkout.path / "src/toy_method.py"
    written = method.read_text()
    method.write_text(f"{written}EDITED = 1\n")
    code, text = checkout.snakemake("-n", *toys, RANKBENCH_MIRROR=str(tmp_path / "mirror"))
    assert code == 0 and job_counts(text)["run_job"] == 6, text
    method.write_text(written)

    sheet.write_text(sheet.read_text().replace("\trefuse\t50\t2\t", "\trefuse\t51\t2\t"))
    code, text = checkout.snakemake(*toys)
    assert code != 0 and "Traceback" not in text and "Error in rule" not in text and "could not be fetched" not in text
    (refused,) = [line for line in text.splitlines() if "rows: expected 51, got 50" in line]
    assert "toy_set: refused by its reader" in refused and "results/logs/data/toy_set.table.log" in refused


def add_experiment(checkout):
    """Write the experiment that CONTRIBUTING shows."""
    recipe = (ROOT / "CONTRIBUTING.md").read_text().split("## Adding an experiment")[1].split("\n## ")[0]
    (yaml,) = re.findall(r"   ```yaml\n(.*?)   ```", recipe, re.DOTALL)
    (checkout.path / "config/experiments/my_comparison.yaml").write_text(dedent(yaml))


def add_paper(checkout):
    """Write each file that the recipe for a paper shows."""
    recipe = (ROOT / "CONTRIBUTING.md").read_text().split("## Adding a paper")[1].split("\n## ")[0]
    files = re.findall(r"^`(\S+)`:\n\n   ```\w*\n(.*?)^   ```", recipe, re.DOTALL | re.MULTILINE)
    assert len(files) == 5
    for name, text in files:
        (checkout.path / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout.path / name).write_text(dedent(text))


def test_an_experiment_and_a_paper_of_ones_own(checkout):
    """The room of the paper is one new folder; no list has to be edited."""
    add_experiment(checkout)
    add_paper(checkout)
    copytree(ROOT / "resources/data", checkout.path / "resources/data")
    code, text = checkout.snakemake("--config", "experiments=[my_comparison,doe_table1]")
    assert code == 0 and text.count("runs      10 of 10 ok") == 2, text
    table = pd.read_csv(checkout.path / "results/my_comparison/tables/table1.csv")
    assert table["method"].tolist() == ["few_partners", "all_pairs"] and table["ours_mean"].between(5, 25).all()
    verdict = pd.read_csv(checkout.path / "results/claims.csv").set_index("claim_id").loc["X01"]
    assert verdict["paper"] == "doe" and verdict["direction"] in ("holds", "fails", "inconclusive")
    assert verdict["effect"].endswith("points")
    report = (checkout.path / "results/report.html").read_text(encoding="utf-8")
    assert 'id="X01"' in report and "J. Doe: All pairs and five partners." in report
