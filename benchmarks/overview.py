"""Problems of every kind: seconds, memory, and the seconds of a rival.

    OMP_NUM_THREADS=1 python benchmarks/overview.py [--tiny] [WORD ...]

With words, only problems that have one of them in their name. Each fit runs in a process of its own after a small one
that compiles; seconds are CPU seconds, the least of three where they are few, and the peak memory includes the
interpreter and the imports. The last column is the gap that the judge finds, or how far two objectives are
apart, both computed here. Linear functions beside LIBLINEAR-ranksvm are in ``linear.py``, SVOR beside the C programs of
its authors in ``ordinal.py``. POM is that of skordinal 0.2 (extra ``rivals``).
"""

import argparse
import json
import subprocess
import sys
import time
import warnings

import numpy as np
from made import peak_megabytes, problem

from rankmargin import SVOR, ComparisonSVM, CumulativeLink, RankBoundarySVM, RankSVR, SwappedPairsSVM
from rankmargin.certificates import judge
from rankmargin.estimators.path import fit_path
from rankmargin.ratings import Ratings, elo
from rankmargin.solvers.cut_points import best_cut_points

PATH, GAMMA = (1e-3, 1e-2, 1e-1, 1.0, 10.0), 0.1


def normal(n, d, levels=5, noise=0.5, seed=0):
    """Return standard normal X and the levels (or, with 0, the values) of a noisy linear utility."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    u = X @ rng.standard_normal(d) / d**0.5 + noise * rng.standard_normal(n)
    return X, np.searchsorted(np.quantile(u, np.arange(1, levels) / levels), u) if levels else u


def gap(models):
    return max(judge(model).gap for model in models)


def estimator(make, X, y):
    return [("rankmargin", lambda: make().fit(X, y), lambda fitted: judge(fitted.model_, X).gap)]


def path(estimator, C_values, X, y):
    return [("rankmargin", lambda: fit_path(estimator, X, y, C_values), gap)]


def comparisons(kernel, n):
    X, y = normal(2 * n, 20, levels=0)
    difference = y[n:] - y[:n]
    labels = np.where(np.abs(difference) < 0.3, 0, np.sign(difference)).astype(int)
    return estimator(lambda: ComparisonSVM(kernel=kernel), np.hstack([X[:n], X[n:]]), labels)


def orderings(n):
    """``RankSVR`` with n targets and n orderings of other points, linear."""
    X, u = normal(2 * n, 10, levels=0)
    i, j = np.random.default_rng(1).integers(n, size=(2, n)) + n
    pairs = np.column_stack([np.where(u[i] > u[j], i, j), np.where(u[i] > u[j], j, i)])[u[i] != u[j]] - n
    make = RankSVR(kernel="linear")
    return [("rankmargin", lambda: make.fit(X[:n], u[:n], X[n:], pairs), lambda fitted: judge(fitted.model_, X).gap)]


def tube(n, C):
    """Epsilon-SVR; the objective of libsvm's function is that of its coefficients and intercept."""
    from sklearn.metrics.pairwise import rbf_kernel
    from sklearn.svm import SVR

    rng = np.random.default_rng(0)
    X, w = rng.standard_normal((n, 10)), rng.standard_normal(10)
    y = np.sin(X @ w) + X[:, 0] + 0.1 * rng.standard_normal(n)

    def objective(beta, b):
        s = rbf_kernel(X, gamma=GAMMA) @ beta
        return 0.5 * beta @ s + C * np.maximum(np.abs(y - s - b) - 0.1, 0.0).sum()

    def excess(fitted):
        beta = np.zeros(n)
        beta[fitted.support_] = fitted.dual_coef_[0]
        (best,) = fit_path(RankSVR(gamma=GAMMA, tol=1e-6), X, y, [C]) if n <= 2000 else (None,)
        value = objective(beta, fitted.intercept_[0])
        return value / best.solution.dual_bound - 1.0 if best else np.nan

    return [
        ("rankmargin", lambda: fit_path(RankSVR(gamma=GAMMA), X, y, [C]), gap),
        ("SVR", lambda: SVR(C=C, gamma=GAMMA, epsilon=0.1, cache_size=2000).fit(X, y), excess),
    ]


def likelihood(n):
    from skordinal.classifiers import POM

    X, y = normal(n, 10)

    def mean(fitted):
        return float(np.log(fitted.predict_proba(X)[np.arange(n), y]).mean())

    return [("rankmargin", lambda: CumulativeLink().fit(X, y), mean), ("POM", lambda: POM().fit(X, y), mean)]


def games(n, players=20_000):
    """Elo, and the same sums as a loop of Python."""
    rng = np.random.default_rng(0)
    white = rng.integers(players, size=n)
    black = (white + rng.integers(1, players, size=n)) % players
    score = rng.choice([0.0, 0.5, 1.0], n)
    start = Ratings.start(np.arange(players), 1200.0, 200.0)

    def loop():
        rating = [1200.0] * players
        for w, b, result in zip(white.tolist(), black.tolist(), score.tolist(), strict=True):
            gain = 20.0 * (result - 1.0 / (1.0 + 10.0 ** ((rating[b] - rating[w]) / 400.0)))
            rating[w] += gain
            rating[b] -= gain
        return rating

    ours = "rankmargin", lambda: elo(white, black, score, start=start, k=20.0).ratings.rating, np.std
    return [ours, ("Python loop", loop, np.std)]


def cuts(n):
    rng = np.random.default_rng(0)
    scores = rng.standard_normal(n)
    y = (scores + 0.5 * rng.standard_normal(n)).argsort().argsort()
    return [("rankmargin", lambda: best_cut_points(scores, y, n), len)]


def ranker(n, d):
    return estimator(lambda: SwappedPairsSVM(kernel="linear"), *normal(n, d))


def boundaries(n, d, kernel):
    X, y = normal(n, d)
    return estimator(lambda: RankBoundarySVM(kernel=kernel), X, y)


def distinct_grades(n):
    return path(SVOR(gamma=GAMMA), [1.0], *normal(n, 8, levels=0))


def rbf_path(n, *C_values):
    return path(SwappedPairsSVM(gamma=GAMMA), C_values, *problem(n))


# name -> function, arguments, arguments of a tiny size
PROBLEMS = {
    "all pairs, linear, 1,000 x 20, 5 levels": (ranker, (1000, 20), (40, 5)),
    "all pairs, rbf, 1,000, C = 1": (rbf_path, (1000, 1.0), (40, 1.0)),
    "all pairs, rbf, 1,000, path of five C": (rbf_path, (1000, *PATH), (40, *PATH)),
    "all pairs, rbf, 2,000, C = 1": (rbf_path, (2000, 1.0), (50, 1.0)),
    "all pairs, rbf, 4,000, C = 1": (rbf_path, (4000, 1.0), (60, 1.0)),
    "all pairs, rbf, 5,000, C = 1e-5": (rbf_path, (5000, 1e-5), (70, 1e-5)),
    "all pairs, rbf, 10,000, C = 1e-4": (rbf_path, (10_000, 1e-4), (80, 1e-4)),
    "rank boundaries, rbf, 90 x 500": (boundaries, (90, 500, "rbf"), (30, 50, "rbf")),
    "rank boundaries, linear, 10,000 x 50": (boundaries, (10_000, 50, "linear"), (40, 5, "linear")),
    "RankSVR, linear, 2,000 + 2,000 pairs": (orderings, (2000,), (40,)),
    "SVOR, rbf, 1,000, all y distinct": (distinct_grades, (1000,), (30,)),
    "comparisons, linear, 10,000": (comparisons, ("linear", 10_000), ("linear", 40)),
    "comparisons, rbf, 10,000": (comparisons, ("rbf", 10_000), ("rbf", 40)),
    "cumulative link, 10,000 x 10": (likelihood, (10_000,), (60,)),
    "cumulative link, 100,000 x 10": (likelihood, (100_000,), (80,)),
    "SVR part, 1,000, C = 1": (tube, (1000, 1.0), (40, 1.0)),
    "SVR part, 2,000, C = 1": (tube, (2000, 1.0), (50, 1.0)),
    "SVR part, 4,000, C = 1": (tube, (4000, 1.0), (60, 1.0)),
    "SVR part, 8,000, C = 1": (tube, (8000, 1.0), (70, 1.0)),
    "Elo, 1,000,000 games": (games, (1_000_000,), (300,)),
    "cut points, 10,000 distinct y": (cuts, (10_000,), (50,)),
}


def measured(name, who, tiny):
    """Return the seconds of a fit, the peak memory in megabytes and the check; compile by a tiny fit before."""
    build, full, small = PROBLEMS[name]
    fits = {label: (call, check) for label, call, check in build(*small)}
    fits[who][0]()
    if not tiny:
        fits = {label: (call, check) for label, call, check in build(*full)}
    call, check = fits[who]
    seconds = []
    while len(seconds) < 3 and sum(seconds) < 2.0:
        start = time.process_time()
        fitted = call()
        seconds.append(time.process_time() - start)
    peak = peak_megabytes()
    return min(seconds), peak, float(check(fitted))


def measured_tiny(name, who):
    return measured(name, who, tiny=True)


def in_a_process(name, who):
    command = [sys.executable, __file__, "--one", name, who]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode:
        sys.exit(f"{name}, {who}: {answer.stderr.strip().splitlines()[-1]}")
    return json.loads(answer.stdout)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="measure only problems with one of these words in their name")
    parser.add_argument("--tiny", action="store_true", help="sizes for a test, in this process")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    warnings.simplefilter("ignore")  # the gap is in the table
    if given.one:
        print(json.dumps(measured(*given.one, tiny=False)))
        return
    print("| problem | seconds | MB | gap or value | rival | its seconds | its value | ours / its |")
    print("| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: |")
    for name, (build, _, small) in PROBLEMS.items():
        if given.words and not any(word in name for word in given.words):
            continue
        run = measured_tiny if given.tiny else in_a_process
        told = [(who, *run(name, who)) for who, *_ in build(*small)]
        (_, seconds, peak, value), rivals = told[0], told[1:]
        rest = [f"{who} | {s:.3f} | {v:.4g} | {seconds / s:.2f}" for who, s, _, v in rivals] or [" | | | "]
        print(f"| {name} | {seconds:.3f} | {peak:.0f} | {value:.4g} | {rest[0]} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
