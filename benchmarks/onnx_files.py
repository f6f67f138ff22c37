"""Every estimator as ONNX: bytes of the file, and how far its answers are from those of ``predict``.

    python benchmarks/onnx_files.py [--rows 200]

It needs the extra ``onnx``. The table is scikit-learn's diabetes behind a StandardScaler (pairs: behind none); the
first rows are fitted, all are predicted, as float64 and as float32. Differences of scores are divided by the largest
score, and grades and labels are counted that differ.
"""

import argparse
import sys

import numpy as np
from sklearn.base import is_classifier
from sklearn.datasets import load_diabetes
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, minmax_scale

import rankmargin

ESTIMATORS = {
    "SwappedPairsSVM": rankmargin.SwappedPairsSVM(),
    "SwappedPairsSVM, linear": rankmargin.SwappedPairsSVM(kernel="linear"),
    "PairwiseRankSVM": rankmargin.PairwiseRankSVM(random_state=0),
    "RankSVR": rankmargin.RankSVR(),
    "RankBoundarySVM": rankmargin.RankBoundarySVM(),
    "SVOR": rankmargin.SVOR(),
    "SVOR, linear": rankmargin.SVOR(kernel="linear"),
    "SVOR, probability": rankmargin.SVOR(probability=True),
    "FixedMarginSVM": rankmargin.FixedMarginSVM(),
    "SumOfMarginsSVM": rankmargin.SumOfMarginsSVM(),
    "PRank": rankmargin.PRank(),
    "KernelPRank": rankmargin.KernelPRank(),
    "CumulativeLink": rankmargin.CumulativeLink(),
    "ThresholdedRanker": rankmargin.ThresholdedRanker(rankmargin.SwappedPairsSVM()),
    "RankAverage": rankmargin.RankAverage([("rbf", rankmargin.SwappedPairsSVM()), ("svr", rankmargin.RankSVR())]),
    "RankSearchCV": rankmargin.RankSearchCV(),
    "ComparisonSVM": rankmargin.ComparisonSVM(),
    "RankThreshold": rankmargin.RankThreshold(random_state=0),
}


def data(n):
    """Return X (n, d), y (n,), five grades of y, and pairs of rows with their labels."""
    X, y = load_diabetes(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(y))[:n]
    X, y = minmax_scale(X)[rows], y[rows]
    pairs = np.hstack([X, np.roll(X, 1, axis=0)])
    difference = y - np.roll(y, 1)
    labels = np.where(np.abs(difference) < 30, 0, np.sign(difference)).astype(int)
    return X, y, np.searchsorted(np.quantile(y, [0.2, 0.4, 0.6, 0.8]), y), (pairs, labels)


def differences(model, X):
    """Return the bytes of the graph, the largest difference of scores and the number of other labels (None without),
    for rows X in their type."""
    import onnxruntime
    from skl2onnx import to_onnx

    file = to_onnx(model, X[:1]).SerializeToString()
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    told = dict(zip(names, session.run(names, {session.get_inputs()[0].name: X}), strict=True))
    score = model.score_samples if hasattr(model, "score_samples") else model.predict
    scores, labels = score(X), told.get("label")
    off = float(np.abs(told["scores"].ravel() - scores).max() / np.abs(scores).max())
    return len(file), off, None if labels is None else int(np.sum(labels != model.predict(X)))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--only", nargs="+", default=[*ESTIMATORS], choices=[*ESTIMATORS])
    asked = parser.parse_args(arguments)
    X, y, grades, (pairs, labels) = data(442)
    from rankmargin.onnx import register

    register()
    print(
        "| | bytes, float64 | bytes, float32 | scores, float64 | scores, float32 | labels, float64 | labels, float32 |"
    )
    print(f"| --- |{' ---: |' * 6}")
    for name in asked.only:
        estimator = ESTIMATORS[name]
        if getattr(estimator, "learns_from", "") == "pairs":
            model, rows_of, y_of = estimator, pairs, labels
        else:
            model, rows_of = make_pipeline(StandardScaler(), estimator), X
            y_of = grades if is_classifier(estimator) else y
        model.fit(rows_of[: asked.rows], y_of[: asked.rows])
        found = [differences(model, rows_of.astype(kind)) for kind in (np.float64, np.float32)]
        cells = [f"{size:,}" for size, _, _ in found] + [f"{off:.0e}" for _, off, _ in found]
        cells += ["" if other is None else f"{other} of {len(rows_of)}" for _, _, other in found]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
