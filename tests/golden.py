"""Numbers that runs must give again: every record of smoke and the 36 means of Table 1.

    make reproduce EXPERIMENTS="smoke diez_table1"
    .venv/bin/python tests/golden.py check results    # compare what is there with tests/golden/
    .venv/bin/python tests/golden.py write results    # make them anew; the commit says why they changed

The tolerances allow for changes by another BLAS or processor, and by a solver that reaches the same gap in another way.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

GOLDEN = Path(__file__).parent / "golden"
RUN = ["dataset", "condition", "method", "seed"]
N_SCORES = 3
POINTS = 0.1  # of the percentages of Table 1
SPREAD = 0.15  # or of the sd of a cell: at a gap of 1e-3 two solvers choose other neighbours on the grid in some runs
NEAR = {"inner_score": 0.005, "swapped_pairs": 0.005}  # absolute: a few of the 780 pairs of a test part
OBJECTIVE = 2e-3  # relative: both solutions have a gap of at most 1e-3
SCORES = 0.03  # of the largest score of the run


def smoke(results):
    """Return a row for each run of smoke: choice, errors, objective, row numbers and scores of three test rows."""
    records = pd.read_parquet(results / "smoke/records.parquet")
    scores = pd.read_parquet(results / "smoke/test_scores.parquet").astype(dict.fromkeys(RUN[:3], str))
    frame = records[[*RUN, "status", "params", "inner_score", "swapped_pairs", "objective"]].set_index(RUN)
    runs = scores.groupby(RUN, sort=False)
    for k in range(N_SCORES):
        kth = scores[runs.cumcount() == k].set_index(RUN)
        frame[f"row_{k}"], frame[f"score_{k}"] = kth["row"], kth["score"]
    frame["largest"] = runs["score"].agg(lambda s: s.abs().max())
    return frame.reset_index().sort_values(RUN, ignore_index=True)


def table1(results):
    """Return a row for each cell of Table 1: number of runs, mean percentage and its sd."""
    cells = pd.read_csv(results / "diez_table1/tables/table1.csv")
    return cells[["dataset", "method", "n_runs", "ours_mean", "ours_sd"]].sort_values(
        ["dataset", "method"], ignore_index=True
    )


MADE = {"smoke": smoke, "diez_table1": table1}


def far(name, golden, came):
    """Yield (column, mask of the rows that differ) for the columns that have a tolerance or must be equal."""
    for column in golden.columns:
        a, b = golden[column], came[column]
        if column == "ours_mean":
            yield column, (a - b).abs() > np.maximum(POINTS, SPREAD * golden["ours_sd"])
        elif column in NEAR:
            yield column, (a - b).abs() > NEAR[column]
        elif column == "objective":
            yield column, (a - b).abs() > OBJECTIVE * a.abs()
        elif column.startswith("score_"):
            yield column, (a - b).abs() > SCORES * golden["largest"]
        elif column not in ("largest", "ours_sd"):
            yield column, a != b


def differences(name, came):
    """Return a line for each number of a frame that is not the golden one; none: they agree."""
    golden = pd.read_csv(GOLDEN / f"{name}.csv")
    if len(golden) != len(came) or list(golden.columns) != list(came.columns):
        return [f"{name}: expected {golden.shape} rows and columns, got {came.shape}"]
    lines = []
    for column, mask in far(name, golden, came):
        for at in np.flatnonzero(mask | came[column].isna()):
            where = ", ".join(str(golden[key][at]) for key in RUN if key in golden)
            lines.append(f"{name}, {where}, {column}: expected {golden[column][at]}, got {came[column][at]}")
    return lines


def main(action, results):
    """Check or write what is in a folder of results; return an error text or None."""
    there = [name for name in MADE if (Path(results) / name / "records.parquet").exists()]
    if not there or action not in ("check", "write"):
        return f"expected check or write and a folder of results with {' or '.join(MADE)}, got {action} {results}"
    lines = []
    for name in there:
        frame = MADE[name](Path(results))
        if action == "write":
            frame.to_csv(GOLDEN / f"{name}.csv", index=False, float_format="%.9g", lineterminator="\n")
        lines += differences(name, frame)
        print(f"{name}: {len(frame)} rows, {'written' if action == 'write' else 'compared'}")
    return "\n".join(lines) or None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 3 else __doc__)
