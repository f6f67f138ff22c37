"""benchmarks/linear.py and all_pairs.py run, and their own formula agrees with the fits that they time."""

import importlib.util
import sys

import numpy as np
import pytest
import reference_pairs
from checkout import ROOT


@pytest.fixture
def linear(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    found = importlib.util.spec_from_file_location("linear", ROOT / "benchmarks/linear.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_it_prints_a_table_and_draws(linear, tmp_path, capsys):
    linear.main(["--tiny", "--figure", str(tmp_path / "growth.png")])
    lines = capsys.readouterr().out.splitlines()
    assert sum("squared_hinge" in line for line in lines) == 4
    assert all("gap" in line for line in lines)
    assert (tmp_path / "growth.png").stat().st_size > 1000


def test_its_objective_is_the_definition(linear):
    X, y, C = linear.made(60, 3)
    _, w, gap = linear.ours(X, y, C, "hinge")
    assert gap <= 1e-3
    hinge = reference_pairs.violations(y, X @ w, 1.0).loss
    assert linear.objective(X, y, C, w, False) == pytest.approx(0.5 * w @ w + C * hinge)
    s = X @ w
    short = np.maximum(1.0 - (s[:, None] - s[None, :]), 0.0)[y[:, None] > y[None, :]]
    assert linear.objective(X, y, C, w, True) == pytest.approx(0.5 * w @ w + C * np.sum(short**2))
