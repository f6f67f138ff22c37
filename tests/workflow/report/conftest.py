"""Checkouts whose results were settled by hand, and a browser."""

import shutil
from dataclasses import replace

import pandas as pd
import pytest
import shipped
from checkout import ROOT, once

from rankbench.figures import save_figure
from rankbench.records.frames import write_frame
from rankbench.registry import FIGURES, PUBLISHED, STATISTICS, TABLES
from rankbench.report import write_report

KEYS = {"machinecpu": "machine_cpu", "autompg": "auto_mpg"}


def configured(checkout):
    """Copy the configuration into a folder, and return it."""
    shutil.copytree(ROOT / "config", checkout / "config")
    return checkout


@pytest.fixture
def checkout(tmp_path):
    """Configuration, no results."""
    return configured(tmp_path)


@pytest.fixture
def settle(tmp_path, whole, all_records, experiment):
    """Function titles -> checkout with few experiments whose results of Table 1 are the printed ones."""

    def settle(titles=None):
        if titles is None:
            return shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
        return settled(with_few(configured(tmp_path)), all_records, experiment, titles)

    return settle


@pytest.fixture(scope="session")
def whole(tmp_path_factory, all_records, experiment):
    """Such a checkout with its verdicts and its report, to be copied and damaged."""

    def make(folder):
        titles = {key: shipped.sheet()[KEYS.get(key, key)].title for key in experiment.datasets}
        settled(with_few(configured(folder)), all_records, experiment, titles)
        write_report(folder)

    return once(tmp_path_factory, "whole", make)


@pytest.fixture(scope="session")
def report(whole):
    """The report of the printed results of Table 1."""
    return whole / "results/report.html"


def with_few(checkout):
    """Leave few experiments in the configuration of a checkout, and return it."""
    few = ["diez_table1", "diez_theory", "herbrich_fig2_2"]
    for file in (checkout / "config/experiments").rglob("*.yaml"):
        if file.stem not in (*few, "smoke"):  # named by an overlay
            file.unlink()
    (checkout / "config/config.yaml").write_text(f"experiments: [{', '.join(few)}]\ndata: {{mirrors: []}}\n")
    return checkout


def settled(checkout, all_records, experiment, titles):
    """Write the printed results of Table 1 into a checkout and return it."""
    folder, names = checkout / "results/diez_table1", {KEYS.get(k, k): title for k, title in titles.items()}
    records = all_records.assign(dataset=all_records["dataset"].replace(KEYS), experiment="diez_table1")
    asked = replace(experiment, datasets={KEYS.get(k, k): sizes for k, sizes in experiment.datasets.items()})
    frames = {name: STATISTICS[name](records, asked) for name in ("summary", "per_dataset", "overall")}
    for part in ("statistics", "tables"):
        (folder / part).mkdir(parents=True)
    for name, frame in frames.items():
        frame.to_csv(folder / f"statistics/{name}.csv", index=False)
    write_frame(folder / "records.parquet", records)
    frames["published"] = pd.read_csv(PUBLISHED["diez_table1.csv"])
    for ending, text in TABLES["table1"].render(frames, asked, names).items():
        (folder / f"tables/table1.{ending}").write_text(text, encoding="utf-8")
    text = FIGURES["dot_plot"].describe(frames, asked, names)
    figure = FIGURES["dot_plot"].draw(frames, asked, names)
    save_figure(figure, folder / "figures/dot_plot", title="dot_plot", description=text)
    return checkout


@pytest.fixture(scope="session")
def browser():
    """Headless Chromium."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("no chromium on the PATH")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()
