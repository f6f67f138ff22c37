"""A pool: rows whose targets are hidden, and the order of some pairs of them, which a method gets in addition to X and
y."""

import importlib
import time
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np

from rankbench.configuration.space import ends_of

from .preprocess import learn_scaling
from .split import seed_of


@dataclass(frozen=True)
class TargetUnit:
    """The unit in which targets are fitted: ``(y - center) / spread``.

    The meaning of a tube, a margin and a cost depends on the unit, so it is part of a protocol.

    Attributes
    ----------
    center, spread : float
    """

    center: float
    spread: float

    @classmethod
    def of(cls, y, target, train=slice(None)):
        """Return the unit ``raw``, or ``standardised``: mean 0 and sd 1 over the *whole* table, test part
        included, as some published files are. A method learns nothing from it except the scale of the target. Of
        ``standardised_train`` they are those of the rows ``train``."""
        y = y[train] if target == "standardised_train" else y
        return cls(0.0, 1.0) if target == "raw" else cls(float(np.mean(y)), float(np.std(y)))

    def fitted(self, y):
        """Return targets of the table in this unit."""
        return y if self == TargetUnit(0.0, 1.0) else (y - self.center) / self.spread

    def restored(self, model):
        """Return a model whose scores are in the unit of the table; in the raw unit that is the model itself."""
        if self == TargetUnit(0.0, 1.0):
            return model
        return SimpleNamespace(scores=lambda X: model.scores(X) * self.spread + self.center)


def ask_pairs(record, task, X, y, split):
    """Choose pairs of the pool, take their order from the hidden targets, and scale the inputs of all rows.

    The inputs of the pool are known, so scaling is learned on the training part and the pool together. The pairs depend
    on experiment, data set, seed and sampler, but not on the method.

    Parameters
    ----------
    record : Record
        It gets ``n_pool``, ``n_pairs`` and ``sample_seconds``.
    task : Task
    X : (n, p) float64
        The whole table, encoded but not scaled.
    y : (n,) float64
    split : rankbench.experiments.split.Split

    Returns
    -------
    task : Task
        With the remaining scaling.
    X : (n, p) float64
    pairs : dict
        ``Z`` and ``pairs`` for ``fit``; Z has only the rows of the pool that are in a pair. Empty without a sampler.
    """
    pool = split.pool
    record.n_pool = len(pool)
    if not len(pool):
        return task, X, {}
    X = learn_scaling(np.vstack([X[split.train], X[pool]]), task.preprocess["scaling"])(X)
    task = replace(task, preprocess={**task.preprocess, "scaling": "none"})
    if not task.sampler:
        return task, X, {}
    Z, names = np.ascontiguousarray(X[pool]), (task.experiment, task.dataset, record.seed)
    started = time.perf_counter()
    pairs = load_sampler(task.sampler)(Z, task.n_pairs, y[pool], kernel_of(task), seed_of(*names, "pairs"))
    record.sample_seconds = time.perf_counter() - started
    record.n_pairs = len(pairs)
    pairs = turn(pairs, task.wrong_pairs, seed_of(*names, "wrong pairs"))
    named, positions = np.unique(pairs, return_inverse=True)
    return task, X, {"Z": Z[named], "pairs": positions.reshape(pairs.shape)}


def turn(pairs, share, seed):
    """Return the pairs (k, 2); a random `share` of them, rounded to whole pairs, is reversed."""
    wrong = np.random.default_rng(seed).permutation(len(pairs))[: round(share * len(pairs))]
    turned = pairs.copy()
    turned[wrong] = pairs[wrong, ::-1]
    return turned


def kernel_of(task):
    """Return the kernel in whose space a sampler measures: that of the fixed parameters, with the first values of a
    grid.

    With the Gaussian and the linear kernel the values have no effect, because the order of distances does not depend on
    gamma.
    """
    names = ("kernel", "gamma", "degree", "coef0")
    first = {name: values[0] for name, values in ends_of(task.grid).items()}
    return {"kernel": "rbf"} | {key: value for key, value in (first | task.params).items() if key in names}


def load_sampler(name):
    """Return a sampler by its name; it is imported here, so that jobs without a sampler do not import it."""
    return importlib.import_module("rankmargin.estimators.pair_sampling").SAMPLERS[name]


def warm_up_sampler(task):
    """Run the sampler of a task on few and on many simulated points, because it may use different code for them."""
    if task.sampler:
        Z = np.random.default_rng(0).standard_normal((4000, 2))
        for size in (100, len(Z)):
            load_sampler(task.sampler)(Z[:size], 5, Z[:size, 0], kernel_of(task), 0)
