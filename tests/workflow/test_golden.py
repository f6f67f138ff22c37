"""Runs give the numbers in tests/golden, so that a fault is noticed even if it affects all parts of the pipeline."""

import golden
import pandas as pd
import pytest
from checkout import ROOT


@pytest.mark.workflow
def test_smoke_gives_the_golden_records(smoke):
    assert golden.differences("smoke", golden.smoke(smoke.path / "results")) == []


@pytest.mark.parametrize("name", golden.MADE)
def test_every_column_is_compared(name):
    """One changed number is one line that names it; a nan is a difference too."""
    frame = pd.read_csv(golden.GOLDEN / f"{name}.csv")
    assert golden.differences(name, frame) == []
    for column in frame.columns.drop(["largest", "ours_sd"], errors="ignore"):
        for change in (lambda x: "?" if isinstance(x, str) else 1.2 * x + 1, lambda x: None):
            changed = frame.astype({column: object})
            changed.loc[3, column] = change(changed.loc[3, column])
            (line,) = golden.differences(name, changed.infer_objects())
            assert line.startswith(f"{name}, {frame['dataset'][3]}, ") and f", {column}: expected " in line
    assert len(golden.differences(name, frame[1:])) == 1


def test_table_1_has_its_36_cells_of_20_runs():
    cells = pd.read_csv(golden.GOLDEN / "diez_table1.csv")
    assert len(cells) == 36 and cells["dataset"].nunique() == 12 and set(cells["n_runs"]) == {20}


def test_the_command_that_makes_them(tmp_path, capsys):
    assert "expected check or write" in golden.main("check", tmp_path)
    assert "expected check or write" in golden.main("look", ROOT / "results")
