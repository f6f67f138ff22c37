"""Frames for statistics, tables and figures: made records whose cells have exactly the means and sds of Table 1."""

import os
from shutil import copytree

# Hundreds of processes import Snakemake and what it needs; each would compile all of it again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# With small matrices, several BLAS threads are slow if the cores are busy. This must be set before numpy is imported.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
os.environ.setdefault("MPLBACKEND", "agg")  # figures are drawn without a display

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
import pytest  # noqa: E402

pytest.register_assert_rewrite("crossed")  # its asserts explain themselves as those of a test do
from checkout import Checkout, once  # noqa: E402
from fault_cases import how_many  # noqa: E402
from hypothesis import settings  # noqa: E402

from rankbench.experiments.experiment import Experiment  # noqa: E402
from rankbench.registry import PUBLISHED  # noqa: E402

# No deadline, because a first call compiles. Derandomised: the same examples everywhere.
settings.register_profile("suite", deadline=None, derandomize=True, max_examples=how_many(20, 2000))
settings.load_profile("suite")

# --doctest-modules would collect each conftest.py as a module, and no two modules may have one name; mutants.py imports
# cosmic-ray, which is no part of the lock.
collect_ignore_glob = ["*conftest.py", "*mutants.py"]

NAMES = "Diabetes Pyrimidines Servo Triazines Wpbc MachineCPU AutoMPG Boston Stock Abalone Bank8 Bank32"
TITLES = {name.lower(): name for name in NAMES.split()}


def pytest_xdist_auto_num_workers(config):
    """With ``-n auto`` one more than there are cores: tests of the workflow wait for other processes."""
    return len(os.sched_getaffinity(0)) + (config.option.numprocesses == "auto")


def pytest_collection_modifyitems(items):
    """Begin with the tests that run Snakemake: each takes up to minutes, and the last one would run alone."""
    items.sort(key=lambda item: item.get_closest_marker("workflow") is None)


@pytest.fixture
def checkout(tmp_path):
    """A new copy of the project, in a path with a space and letters that are not ASCII."""
    return Checkout(tmp_path / "a checkout in Zürich")


@pytest.fixture(scope="session")
def smoke(tmp_path_factory):
    """A checkout after ``make reproduce EXPERIMENTS=smoke``, one for all processes of pytest: nothing may change it."""

    def make(folder):
        _, text = Checkout(folder).make("reproduce", "EXPERIMENTS=smoke", "CORES=2")
        assert "runs      18 of 18 ok" in text and (folder / "results/report.html").exists(), text

    return Checkout(once(tmp_path_factory, "smoke", make))


@pytest.fixture
def after_smoke(smoke, tmp_path):
    """A copy of that finished checkout, which a test may change."""
    return Checkout(copytree(smoke.path, tmp_path / "a checkout in Zürich", symlinks=True))


@pytest.fixture
def titles():
    """Data set key -> printed name."""
    return dict(TITLES)


@pytest.fixture(scope="session")
def published():
    """Table 1 as printed."""
    return pd.read_csv(PUBLISHED["diez_table1.csv"])


@pytest.fixture(scope="session")
def experiment(published):
    """An experiment with the keys that results read."""
    sizes = published.groupby("dataset")[["n_train", "n_test"]].first().to_dict("index")
    labels = {"svm_multi_sp": "SVM_multi^SP", "herbrich5": "Herbrich_5", "svor5": "SVOR_5"}
    document = {
        "datasets": {key: sizes[title] for key, title in TITLES.items()},
        "conditions": {"default": {}},
        "methods": {method: {"label": label} for method, label in labels.items()},
        "metrics": ["swapped_pairs"],
        "seeds": 20,
        "reference_method": "svm_multi_sp",
    }
    return Experiment.of(document)


@pytest.fixture(scope="session")
def all_records(published):
    """Complete records: 20 values per cell with the printed mean and sd, correlated over methods by shared splits."""
    keys = {title: key for key, title in TITLES.items()}
    rng = np.random.default_rng(20)
    split = {key: rng.standard_normal(20) for key in TITLES}
    return pd.concat(
        [_cell(row, keys[row.dataset], split[keys[row.dataset]], rng) for row in published.itertuples()],
        ignore_index=True,
    )


@pytest.fixture
def records(all_records):
    """A copy of `all_records`, which a test may change."""
    return all_records.copy()


def _cell(row, dataset, split, rng):
    noise = split + 0.4 * rng.standard_normal(20)
    z = (noise - noise.mean()) / noise.std(ddof=1)
    return pd.DataFrame(
        {
            "experiment": "made",
            "dataset": dataset,
            "condition": "default",
            "method": row.method,
            "seed": range(20),
            "n_train": row.n_train,
            "n_test": row.n_test,
            "n_pool": 0,
            "sample_seconds": 0.5,
            "tune_seconds": 2.0,
            "fit_seconds": 0.1,
            "job_seconds": 3.0,
            "source_digest": "0123",
            "peak_megabytes": 150.0,
            "params": '{"C": 1}',
            "n_settings": 20,
            "n_drawn": 20,
            "n_failed": 0,
            "edges": "",
            "status": "ok",
            "reason": "",
            "swapped_pairs": (row.mean_swapped_pct + row.sd_swapped_pct * z) / 100,
        }
    )
