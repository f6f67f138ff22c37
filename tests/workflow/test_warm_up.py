"""No run of an experiment compiles what its warm-up could have compiled: its seconds would be those of the compiler."""

import subprocess
import sys

METHODS = "svor5", "herbrich5", "svm_multi_sp"
COUNT = """
import os
import sys
import numpy as np
from numba.core.dispatcher import Dispatcher
from rankbench.experiments.job import fit_points, grid_points, warm_up
from rankbench.experiments.solved import judge
from rankbench.experiments.protocol import load_asked

def compiled():
    modules = [module for name, module in sys.modules.items() if name.startswith(("rankmargin", "rankbench"))]
    functions = {one for module in modules for one in vars(module).values() if isinstance(one, Dispatcher)}
    return {(one.py_func.__module__, one.py_func.__name__, str(types)) for one in functions for types in one.signatures}

experiment = load_asked(["diez_table1"])[0]["diez_table1"]
for name in sys.argv[1:]:
    if os.fork():
        os.wait()
        continue
    uses, task = experiment.methods[name], experiment.warm_up(name)
    for grid in task["grids"]:
        warm_up(task["uses"], grid, task["params"], task["metric"], 3)
    before = compiled()
    rng = np.random.default_rng(1)
    for size in (24, 90, 160):
        X = rng.standard_normal((size, 6))
        y = np.round(X[:, 0] + rng.standard_normal(size), 1)
        for model in fit_points(uses.uses, X, y, grid_points(uses.grid), seed=0, params=uses.params):
            judge(model, X)
    print(name, len(before) >= 3, *sorted(compiled() - before), flush=True)
    break
"""


def test_a_run_compiles_nothing():
    done = subprocess.run([sys.executable, "-c", COUNT, *METHODS], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"{name} True" for name in METHODS], done.stdout
