"""Seconds and megabytes of the four samplers, five pairs six times as Table 3 of Yu et al., beside brute force.

    python benchmarks/sampling.py            n to 8192
    python benchmarks/sampling.py large      n = 100,000 too (about a minute)

Points are standard normal, the hardest case for boxes; brute force is scipy's pdist with argpartition (ClosePair) or
scipy's minimum_spanning_tree (SampleMST), which keeps all n (n - 1) / 2 distances. Each row runs in a process of its
own, so its peak memory beyond the points is its own.
"""

import multiprocessing
import resource
import sys
import time

import numpy as np

from rankmargin.estimators.pair_sampling import SAMPLERS

N_PAIRS, TIMES, RUNS = 5, 6, 3
PRINTED = {"random": 1.061, "close_pair": 2743.776, "p_close_pair": 35.327, "sample_mst": 50.447}  # Cpusmall, n = 8192
KERNEL = {"kernel": "rbf", "gamma": 1.0}
MOST_BRUTE = 10_000


def brute_force(name, Z, n_pairs, order, kernel, rng):
    """ClosePair or SampleMST from the list of all distances."""
    from scipy.sparse.csgraph import minimum_spanning_tree
    from scipy.spatial.distance import pdist, squareform

    distances = pdist(Z)
    if name == "close_pair":
        i, j = np.triu_indices(len(Z), 1)
        chosen = np.argpartition(distances, n_pairs)[:n_pairs]
        return np.column_stack([i[chosen], j[chosen]])
    tree = minimum_spanning_tree(squareform(distances), overwrite=True)
    return np.column_stack(tree.nonzero())[np.random.default_rng(rng).choice(len(Z) - 1, n_pairs, replace=False)]


def measure(task):
    """Return the median seconds of a row and its peak megabytes beyond the points."""
    name, n, d, brute = task
    sample = (lambda *arguments: brute_force(name, *arguments)) if brute else SAMPLERS[name]
    small = np.random.default_rng(0).standard_normal((3000, 2 if d < 4 else 4))
    for size in (100, 3000):
        sample(small[:size], N_PAIRS, small[:size, 0], KERNEL, 0)  # compiles both ways
    Z = np.random.default_rng(1).standard_normal((n, d))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times, seconds = (1, 1) if brute or n > MOST_BRUTE else (TIMES, RUNS), []
    for _ in range(times[1]):
        started = time.perf_counter()
        for seed in range(times[0]):
            sample(Z, N_PAIRS, Z[:, 0], KERNEL, seed)
        seconds.append((time.perf_counter() - started) * TIMES / times[0])
    return float(np.median(seconds)), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1e3


def main():
    sizes = [(252, 14), (1030, 8), (4177, 8), (8192, 12)] + ([(100_000, 10)] if "large" in sys.argv else [])
    print(
        f"{N_PAIRS} pairs {TIMES} times: median seconds of {RUNS} runs; one sample times {TIMES} for n > {MOST_BRUTE}"
    )
    print(f"{'sampler':14}{'n':>8}{'d':>4}{'seconds':>10}{'MB':>8}{'brute s':>10}{'ratio':>8}{'printed s':>11}")
    for name in SAMPLERS:
        for n, d in sizes:
            with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
                seconds, megabytes = pool.apply(measure, ((name, n, d, False),))
                compared = name in ("close_pair", "sample_mst") and n <= MOST_BRUTE
                brute = pool.apply(measure, ((name, n, d, True),))[0] if compared else np.nan
            printed = PRINTED[name] if n == 8192 else np.nan
            print(
                f"{name:14}{n:8}{d:4}{seconds:10.4f}{megabytes:8.1f}{brute:10.2f}{brute / seconds:8.1f}{printed:11.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
