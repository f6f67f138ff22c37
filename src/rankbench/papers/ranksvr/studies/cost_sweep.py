"""How much the two costs matter: the error of one method of an experiment over a grid of C and C_rank (claim R13)."""

from dataclasses import replace
from itertools import product

import pandas as pd

from rankbench.experiments.job import Data, Task, run_seed
from rankbench.experiments.preprocess import encode
from rankbench.experiments.record import Record
from rankbench.experiments.tune import measured
from rankmargin.metrics import absolute_error

COLUMNS = ("dataset", "C", "C_rank", "seed", "error")


def run(data, experiment, *, method, condition, seeds, C, C_rank):
    """Run the first seeds of a method under a condition of the experiment with every pair of costs.

    Parameters
    ----------
    data, experiment
        As every study; the data sets must be the experiment's own: splits, kernels and scaling are.
    method, condition : str
        Keys of the experiment.
    seeds : int
    C, C_rank : sequences of float

    Returns
    -------
    DataFrame
        `COLUMNS`: the mean absolute error of each run, in standard deviations of the target.

    Raises
    ------
    ValueError
        When a run is not ok.
    """
    rows = []
    for dataset, (table, splits) in data.items():
        task = Task(**experiment.task(dataset, condition, method), limits=experiment.limits)
        X, spread = encode(table.X, table.levels, task.preprocess["nominal"]), table.y.std()
        for cost, cost_rank, split in product(C, C_rank, splits[:seeds]):
            changed = replace(task, params={**task.params, "C": cost, "C_rank": cost_rank})
            sizes = (len(split.train), len(split.test), X.shape[1])
            record = Record("cost_sweep", dataset, condition, method, split.seed, *sizes)
            kept = run_seed(record, changed, Data.of(table, X, split))
            if record.status != "ok":
                raise ValueError(f"{dataset}, C {cost}, C_rank {cost_rank}, seed {split.seed}: {record.reason}")
            rows.append((dataset, cost, cost_rank, split.seed, measured(absolute_error, kept) / spread))
    return pd.DataFrame(rows, columns=COLUMNS)
