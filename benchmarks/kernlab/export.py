"""Write the authors' simulated sets of 50 and 100 pairs as csv files for compare.R: python export.py FOLDER."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from rankbench.papers.svmcompare.simulated_pairs import draw_sets, make_pools

for norm, pool in make_pools().items():
    for n, seed in [(n, seed) for n in (50, 100) for seed in range(1, 5)]:
        sets = draw_sets({name: one.y for name, one in make_pools().items()}, n // 2, n // 2, seed)[norm]
        parts = [
            pd.DataFrame(
                np.column_stack([pool.X[rows], pool.X2[rows], pool.y[rows]]), columns=["x1", "x2", "y1", "y2", "label"]
            ).assign(part=part)
            for part, rows in sets.items()
        ]
        pd.concat(parts).to_csv(Path(sys.argv[1]) / f"{norm}_{n}_{seed}.csv", index=False, float_format="%.17g")
