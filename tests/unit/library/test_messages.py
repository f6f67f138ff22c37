"""Messages about bad input name the argument, the value that was given and the accepted values."""

import datetime
import inspect
import pickle
import re
import traceback
import warnings
from contextlib import redirect_stdout, suppress
from functools import partial
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from crossed import data, every, fitted_once
from sklearn import compose, preprocessing
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import StackingClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from test_ratings import everyone
from test_stable_names import FROZEN, named

import rankmargin
from rankbench.baselines.blind import Blind
from rankbench.baselines.lightgbm import LightGBM
from rankbench.baselines.xgboost import XGBoost
from rankbench.papers.herbrich.margin_bound import margin_bound
from rankbench.papers.herbrich.methods.svr_on_ranks import SVROnRanks
from rankbench.papers.svmcompare.max_margin import max_margin_lp, max_margin_qp
from rankmargin import (
    SVOR,
    ComparisonLink,
    ComparisonSVM,
    CumulativeLink,
    FixedMarginSVM,
    ItemKFold,
    KernelPRank,
    PairwiseRankSVM,
    PRank,
    RankAverage,
    RankBoundarySVM,
    RankSearchCV,
    RankSVR,
    RankThreshold,
    SumOfMarginsSVM,
    SwappedPairsSVM,
    ThresholdedRanker,
    inspection,
    metrics,
    rank_path,
    ratings,
    stack_pairs,
)
from rankmargin.certificates import exact_bound, judge
from rankmargin.comparisons.pair_columns import pair_columns
from rankmargin.estimators import pair_sampling as sampling
from rankmargin.estimators.path import fit_path
from rankmargin.kernels import Kernel
from rankmargin.losses import Loss
from rankmargin.metrics import get_scorer, swapped_pairs, zero_one
from rankmargin.problem.spaces import make_space
from rankmargin.ratings import Ratings, elo, glicko
from rankmargin.sampling import random as random_pairs
from rankmargin.solvers.progress import Progress

X = np.random.default_rng(0).standard_normal((60, 3))
Y = np.arange(60.0)
WORDS = np.array(["bad", "good", "best"] * 20)
GRADES, LABELS, EVENT, ONES = (Y // 20, Y % 3 - 1, Y % 2 == 0, np.ones(60))
PAIRS, SMOOTH = (np.hstack([X, -X]), Loss("smooth_hinge", steepness=4.0))
FRAME = pd.DataFrame(PAIRS[:, :4], columns=["elo_a", "elo_b", "age_a", "age_b"])
TWICE = (["elo", "elo", "age", "age"], ["elo", "age", "elo", "elo"])


def rank(y=Y, **fit):
    return SwappedPairsSVM(kernel="linear").fit(X, y, **fit)


MESSAGES = [
    lambda: SVOR().fit(X, pd.Series(pd.Categorical(WORDS))),
    lambda: SVOR().fit(X, WORDS),
    lambda: SVOR(categories=["bad", "good"]).fit(X, WORDS),
    lambda: SVOR(categories=["a", "a"]).fit(X, WORDS),
    lambda: SVOR(categories=["bad"]).fit(X, [None, *WORDS[1:]]),
    lambda: SVOR(categories=["bad", "good", "best"]).fit(X, np.unique(WORDS, return_inverse=True)[1]),
    lambda: rank().score(X, WORDS),
    lambda: rank().score(X, None),
    lambda: SVOR().fit(X, WORDS == "bad").score(X, None),
    lambda: rank(groups=[10] * 6),
    lambda: rank(groups=np.ones((60, 2))),
    lambda: rank(groups=[None] * 30 + ["a"] * 30),
    lambda: rank(groups=np.array([1, "a"] * 30, dtype=object)),
    lambda: SVOR().fit(np.where(X > 1, np.nan, X), np.tile([1, 2], 30)),
    lambda: PRank().fit(np.where(X > 1, np.nan, X), np.tile([1, 2], 30)),
    lambda: rank(groups=np.where(Y == 3, np.nan, 1)),
    lambda: rank(sample_weight=-np.ones(60)),
    lambda: rank(sample_weight=np.zeros(60)),
    lambda: SVOR().fit(X, Y + 0.5),
    lambda: SVOR(class_weight={"7": 2}).fit(X, Y // 20),
    lambda: SVOR(class_weight={7: 2}, categories=[2, 1, 0]).fit(X, Y // 20),
    lambda: SVOR(class_weight={1: -2}).fit(X, Y // 20),
    lambda: SVOR(class_weight={1: np.nan}).fit(X, Y // 20),
    lambda: SVOR(class_weight="equal").fit(X, Y // 20),
    lambda: SwappedPairsSVM(C_scale="mean").fit(X, Y),
    lambda: SwappedPairsSVM(kernel="precomputed").fit(-np.eye(60), Y),
    lambda: ComparisonSVM().fit(X, X, Y % 3 - 1),
    lambda: ComparisonSVM().fit(X, Y % 3 - 1, X),
    lambda: rank(groups=X),
    lambda: SumOfMarginsSVM(C=5.0).fit(X, Y % 3),
    lambda: elo([0], [1], [1.0], start=1500),
    lambda: glicko([0], [1], [1.0], start={0: 1500}),
    lambda: elo([0], [1], [1.0], start=Ratings.start([0, 1], 1500.0), k="x"),
]
PARAMETERS = [
    SwappedPairsSVM(C=0),
    SwappedPairsSVM(C=np.nan),
    SwappedPairsSVM(gamma=-1.0),
    SwappedPairsSVM(gamma="auto"),
    SwappedPairsSVM(kernel="sigmoid"),
    *(
        one(kernel="poly", degree=degree)
        for one in (SwappedPairsSVM, PairwiseRankSVM, RankBoundarySVM, RankSVR, SVOR, FixedMarginSVM, KernelPRank)
        for degree in (1.5, 0, np.inf, np.nan)
    ),
    SwappedPairsSVM(solver="newton"),
    SwappedPairsSVM(tol=0),
    SwappedPairsSVM(max_iter=0),
    SwappedPairsSVM(kernel="precomputed"),
    SwappedPairsSVM(loss="log"),
    SwappedPairsSVM(loss=3),
    SwappedPairsSVM(loss=None),
    SwappedPairsSVM(loss=SMOOTH, solver="dual_cd"),
    SwappedPairsSVM(loss="squared_hinge", solver="cutting_plane"),
    PairwiseRankSVM(n_partners=2, solver="cutting_plane"),
    SwappedPairsSVM(kernel=lambda a, b: np.ones(len(a))),
    SwappedPairsSVM(kernel=lambda a, b: -np.exp(-np.abs(a[:, :1] - b[:, 0]))),
    SwappedPairsSVM(kernel=lambda a, b: a[:, :1] - b[:, 0]),
    SwappedPairsSVM(kernel="gauss"),
    SwappedPairsSVM(kernel="chi2"),
    PairwiseRankSVM(n_partners=0),
    RankBoundarySVM(solver="smo"),
    SVOR(n_bins=1),
    SVOR(constraints="both"),
    PRank(epochs=0),
    CumulativeLink(link="log"),
    SVROnRanks(C=1.0, epsilon=-1),
    Blind(answer="mean"),
    ThresholdedRanker(Ridge(), loss="squared"),
    *(SumOfMarginsSVM(C=C) for C in (0.0001, 5.0)),
]
MESSAGES += [partial(one.fit, X, GRADES) for one in PARAMETERS]
MESSAGES += [
    lambda: SwappedPairsSVM().fit(np.where(X > 1, np.nan, X), Y),
    lambda: SwappedPairsSVM().fit(X, ONES),
    lambda: SwappedPairsSVM().fit(X, Y[:-1]),
    *(
        lambda unit=unit: SwappedPairsSVM(kernel="precomputed").fit(unit * np.triu(np.ones((60, 60))), Y)
        for unit in (1.0, 1e-12, 1000000000.0)
    ),
    lambda: rank(groups=np.arange(60)),
    lambda: rank(groups=np.arange(59)),
    lambda: rank(y=np.where(Y < 7, np.nan, Y)),
    lambda: swapped_pairs(ONES, Y),
    lambda: swapped_pairs(Y, Y, np.arange(60)),
    *(
        lambda one=one: one.fit(X, WORDS)
        for one in (SwappedPairsSVM(), SVOR(), RankSVR(), PRank(), ThresholdedRanker(Ridge()))
    ),
    *(lambda one=one: getattr(rankmargin, one)().fit(X, Y, qid=ONES) for one in ("SwappedPairsSVM", "PairwiseRankSVM")),
    *(
        lambda one=one: getattr(rankmargin, one)().fit(X, GRADES, groups=Y)
        for one in ("SVOR", "FixedMarginSVM", "RankBoundarySVM")
    ),
    lambda: CumulativeLink().fit(X[:6], [1, 2, 3, 4, 1, 2]),
    lambda: CumulativeLink().fit(np.ones((60, 2)), GRADES),
    lambda: ThresholdedRanker(Ridge()).fit(X, ONES),
    lambda: make_space(1e200 * X, Kernel("poly", 1.0, 3, 1.0)),
    lambda: SVOR(categories=np.arange(10000)).fit(np.zeros((10000, 1)), np.arange(10000)),
    lambda: rank_path(Ridge(), X, Y),
    lambda: rank_path(SVOR(), X, GRADES, [1.0, -1.0]),
    lambda: rank_path(make_pipeline(PRank()), X, GRADES),
    *(
        lambda given=given: RankSearchCV(make_pipeline(SVOR()), **given).fit(X, GRADES)
        for given in ({"param_grid": {"svor__C": [1.0]}}, {"param_grid": {"gamma": [1.0]}}, {"scoring": "concordances"})
    ),
    lambda: Loss("wrong", steepness=0.0),
    lambda: Loss("wrong", cap=np.inf),
    *(
        lambda one=one: SVOR(categories=["a", "b"]).fit(X, ["a", "b", "a", "b", one] * 12)
        for one in (None, np.nan, pd.NA, pd.NaT)
    ),
    *(
        lambda one=one: SwappedPairsSVM().fit(X, np.array([0, 1, 0, 1, one] * 12, dtype=object))
        for one in (None, np.nan, pd.NA, pd.NaT)
    ),
    *(
        lambda one=one, weight=weight: one(class_weight={1: weight}).fit(X, GRADES)
        for one in (SVOR, FixedMarginSVM, SumOfMarginsSVM, RankBoundarySVM, CumulativeLink)
        for weight in (-1.0, np.nan, np.inf, "2")
    ),
    lambda: fit_path(PRank(epochs=1.5), X, GRADES, [None]),
    *(lambda one=one: one.fit(X, GRADES, sample_weight=0.5 * ONES) for one in (PRank(), KernelPRank())),
    lambda: RankSVR().fit(X, Y, Z=X[:, :2], pairs=[[0, 1]]),
    lambda: fit_path(RankSVR(C_rank=np.nan, gamma=1.0), X, Y, [1.0]),
    lambda: rank(event=0 * Y),
    lambda: PairwiseRankSVM().fit(X, Y, event=0 * Y),
    lambda: rank(event=2 * EVENT),
    lambda: rank(event=EVENT[1:]),
    lambda: SwappedPairsSVM().fit(X, np.zeros(60, dtype=[("time", float), ("event", bool)])),
    lambda: rank(event=EVENT, pair_weight="ndcg"),
    lambda: rank(pair_weight=np.ones((4, 60))),
    lambda: rank(pair_weight="gain"),
    lambda: rank(pair_weight=-np.ones((60, 60))),
    lambda: rank(pair_weight=lambda i, j: 1.0),
    lambda: rank(pair_weight=np.zeros((60, 60))),
    lambda: SwappedPairsSVM(kernel="linear").fit(X, Y - 1, pair_weight="ndcg"),
    lambda: SwappedPairsSVM(solver="cutting_plane").fit(X, Y, pair_weight="ndcg"),
    lambda: SwappedPairsSVM(loss="squared_hinge", solver="interior_point").fit(X, Y, pair_weight="ndcg"),
    lambda: SwappedPairsSVM(kernel="linear").fit(np.zeros((10000, 1)), np.arange(10000), pair_weight="ndcg"),
    *(
        lambda way=way: getattr(ComparisonSVM(kernel="linear").fit(PAIRS, LABELS), way)([[1e308, 0, 0, -1e308, 0, 0]])
        for way in ("predict", "decision_function", "score_samples")
    ),
    lambda: ComparisonSVM(kernel="linear").fit(PAIRS, LABELS).score(PAIRS, LABELS / 2),
    *(lambda one=one: pair_columns(one, len(one)) for one in TWICE),
    *(lambda one=one: ComparisonSVM().fit(FRAME.iloc[:, : len(one)].set_axis(one, axis=1), LABELS) for one in TWICE),
    lambda: ComparisonSVM(items="_a").fit(FRAME, LABELS),
    lambda: ComparisonSVM(items=3).fit(FRAME, LABELS),
    lambda: ComparisonSVM(items=("_a", "_c")).fit(FRAME, LABELS),
    lambda: ComparisonSVM(items=(["elo_a"], ["elo_b"])).fit(FRAME, LABELS),
    lambda: ComparisonSVM(items=(["elo_a", "elo_b"], ["elo_b", "age_a"])).fit(FRAME, LABELS),
    lambda: ComparisonSVM(items=("_a", "_b")).fit(FRAME.to_numpy(), LABELS),
    *(
        lambda one=one, y=y: one(np.zeros((3, 1)), np.array([[1.0], [1.0], [3.0]]), np.array(y))
        for one in (max_margin_lp, max_margin_qp)
        for y in ([0, 1, 1], [1, -1, 0], [0, 1, 3], [1, 1, -1])
    ),
    *(lambda one=one: one(X, X[:, :1], LABELS) for one in (max_margin_lp, max_margin_qp)),
    *(lambda y=y: metrics.comparison_auc(np.array(y), np.zeros(3)) for y in ([0, 0, 0], [1, 1, 1], [0, 1, 2])),
    lambda: zero_one(np.ones(3), np.ones(2)),
    lambda: metrics.mean_absolute_error([], []),
    lambda: metrics.absolute_error([1.0], [1.0, 2.0]),
    lambda: swapped_pairs([0.0, 1.0], [np.nan, np.nan]),
    lambda: zero_one([0.0, np.nan], [0.0, 1.0]),
    lambda: swapped_pairs([0, 1], [1, 2, 3]),
    lambda: swapped_pairs([0, 1], [1, 2], [0]),
    lambda: margin_bound(0.0, 1.0, 10, 0.1),
]
GAME, DAYS = (([3], [10], [1.0]), np.array([0, 1], dtype="datetime64[D]"))
MESSAGES += [
    lambda: elo([3], [11], [1.0], start=everyone()),
    lambda: glicko([999], [3], [1.0], start=everyone()),
    lambda: elo([3], [3], [1.0], start=everyone()),
    lambda: elo([3], [10], [-1.0], start=everyone()),
    lambda: elo([3], [10], [np.nan], start=everyone()),
    lambda: elo([3, 3], [10, 10], [1, 1], [5, 4], start=everyone()),
    lambda: elo(*GAME, [0.5], start=everyone()),
    lambda: elo(*GAME, [4], start=elo(*GAME, [4], start=everyone()).ratings),
    lambda: elo([3], [10, 17], [1.0], start=everyone()),
    *(
        lambda system=system, given=given: system(*given)
        for system in (elo, glicko)
        for given in (([["a", "b"]], [["b", "a"]], [1.0]), (["a"], ["b"], [[1.0, 0.0]]))
    ),
    lambda: elo("a", "b", 1.0),
    lambda: Ratings.start([["a"], ["b"]], 1500.0),
    lambda: elo(*GAME, start=everyone(), k=0.0),
    lambda: glicko(*GAME, start=everyone(deviation=0.0)),
    lambda: glicko(*GAME, start=everyone(deviation=1e-170)),
    lambda: elo(["a", 1], ["b", 2], [1, 1]),
    lambda: elo(["a", "b"], np.array(["b", 2], object), [1, 1]),
    *(
        partial(system, *GAME, start=everyone(), **{name: strange})
        for system, names in ((elo, ("k", "advantage")), (glicko, ("c", "max_deviation", "advantage")))
        for name in names
        for strange in (np.nan, np.inf, -np.inf)
    ),
    lambda: elo(*GAME, start=Ratings.start([], 1500.0)),
    lambda: Ratings.start([1, 1, 2], 1500.0),
    *(lambda one=one: Ratings.start([1, 2], [one, 1500.0]) for one in (np.nan, np.inf)),
    *(lambda one=one: glicko([3], [10], [one], start=everyone()) for one in (1.6, np.nan)),
    *(
        lambda one=one, ids=ids: elo([one], ids[:1], [1.0], start=Ratings.start(ids, 1500.0))
        for ids in (np.arange(-128, 127, 14, dtype=np.int8), np.arange(100, 226, 14, dtype=np.uint8))
        for one in (int(ids[0]) + 256, int(ids[-1]) + 1, -(2**63))
    ),
    *(
        lambda system=system, given=given: system(*given, start=everyone())
        for system in (elo, glicko)
        for given in (
            ([3, 3], [10, 10], [1, 1], np.uint8([7, 2])),
            ([3, 3], [10, 10], [1, 1], DAYS[::-1]),
            ([3, 3], [10, 10], [1, 1], [DAYS[0], np.datetime64("NaT", "D")]),
        )
    ),
    lambda: elo(*GAME, DAYS[:1], start=elo(*GAME, DAYS[1:], start=everyone()).ratings),
    lambda: ComparisonSVM().fit(PAIRS, LABELS + 2),
    lambda: ComparisonSVM().fit(PAIRS, 0 * LABELS),
    lambda: ComparisonSVM().fit(PAIRS, np.ones(60)),
    lambda: ComparisonSVM().fit(PAIRS, np.abs(LABELS)),
    lambda: ComparisonSVM(labels="score").fit(PAIRS, LABELS),
    lambda: ComparisonSVM(labels="elo").fit(PAIRS, LABELS),
    lambda: ComparisonSVM().fit(PAIRS, LABELS[:-1]),
    lambda: ComparisonSVM().fit(PAIRS, None),
    lambda: ComparisonSVM().fit(PAIRS[:, :3], LABELS),
    lambda: ComparisonSVM().fit(PAIRS.reshape(60, 6, 1), LABELS),
    lambda: ComparisonSVM(C=-1).fit(PAIRS, LABELS),
    lambda: ComparisonSVM(kernel="sigmoid").fit(PAIRS, LABELS),
    lambda: ComparisonSVM().fit(PAIRS, LABELS).rank(PAIRS),
    lambda: ComparisonSVM().fit(PAIRS, LABELS).predict(PAIRS[:, :2]),
    lambda: ComparisonSVM().fit(PAIRS, LABELS).score(PAIRS, None),
    lambda: RankThreshold(equality="keep").fit(PAIRS, LABELS),
    lambda: RankThreshold(ties="last").fit(PAIRS, LABELS),
    lambda: RankThreshold().fit(PAIRS, 0 * LABELS),
]
TWO = [("a", Ridge()), ("b", Ridge())]
MESSAGES += [
    *(
        lambda given=given: RankAverage(**{"estimators": TWO} | given).fit(X, Y, sample_weight=ONES)
        for given in (
            {"weights": [1.0]},
            {"weights": [0.0, 0.0]},
            {"weights": "best"},
        )
    ),
    *(
        lambda given=given, y=y: ComparisonSVM(**given).fit(np.eye(4)[:3], y)
        for given, y in (
            ({}, ["away", "draw", "home"]),
            ({"labels": ["a", "b"]}, ["a", "b", "a"]),
            ({"labels": ["a", "b", "b"]}, ["a", "b", "a"]),
            ({"labels": None}, [-1, 0, 1]),
            ({"labels": ["a", "b", "c"]}, ["a", "b", "d"]),
            ({"labels": ["a", "b", "c"]}, [0, 1, 1]),
            ({"labels": ["a", "b", "c"]}, ["a", "b", None]),
            ({}, [-1.0, 0.0, np.nan]),
            ({}, pd.array([-1, 0, pd.NA], dtype="Int64")),
            ({}, pd.Categorical(["a", "b", "a"], ["a", "b"], ordered=True)),
        )
    ),
]
NAMES, SAME = (WORDS.tolist()[:3], np.zeros((3, 4)))
TIMES = np.array(list(zip(EVENT, Y)), dtype=[("event", bool), ("time", float)])
JUDGED = SVOR(kernel="linear").fit(X, GRADES)
MESSAGES += [
    *(
        lambda given=given, pairs=pairs, Z=Z: RankSVR(**given).fit(X, Y, Z, pairs)
        for given, pairs in (
            ({}, [[0, 15]]),
            ({}, [[1, 0], [-1, 2]]),
            ({}, [[3, 3]]),
            ({}, [[0.0, 1.0]]),
            ({}, [0, 1, 2]),
            ({}, None),
            ({}, [[0], [1]]),
            ({"C": 0}, [[0, 1]]),
            ({"C_rank": -1.0}, [[0, 1]]),
            ({"epsilon": np.nan}, [[0, 1]]),
            ({"margin": 0}, [[0, 1]]),
            ({"kernel": "precomputed"}, [[0, 1]]),
        )
        for Z in (X[:15],)
    ),
    *(
        lambda given=given: stack_pairs(SAME, **given)
        for given in (
            {"rows": [[0, 3]]},
            {"rows": [[0.0, 1.0], [1.0, 0.0]]},
            {"second": SAME, "rows": [[0, 1]]},
            {},
        )
    ),
    *(lambda one=one: stack_pairs(FRAME, one) for one in (FRAME[["elo_a"]], np.ones((60, 4)))),
    lambda: next(ItemKFold(3).split(PAIRS, groups=Y)),
    lambda: next(ItemKFold(3, random_state=0).split(PAIRS, groups=np.c_[np.zeros(30, int), np.arange(30) % 9 + 1])),
    *(lambda one=one: Progress(verbose=one) for one in (-1, 0.5, "loud")),
    *(lambda one=one: Progress(max_seconds=one) for one in (0, -1.0, "long")),
    lambda: judge(JUDGED),
    lambda: judge(JUDGED.model_),
    lambda: judge(JUDGED.model_, X[1:]),
    *(
        lambda given=given: SVOR(**given).fit(X, GRADES)
        for given in ({"prediction": "mode"}, {"prediction": "most_probable"}, {"n_bins": 2, "bin_ties": "cut"})
    ),
    lambda: SVOR(class_weight={"lo": 2}, categories=NAMES).fit(X, WORDS),
    lambda: SVOR(n_bins=3).fit(X, ONES),
    lambda: SVOR(probability=True).fit(X, Y == 7),
    lambda: ThresholdedRanker(SwappedPairsSVM(), probability=True).fit(X, GRADES, pair_weight=np.ones((60, 60))),
    lambda: ComparisonSVM(C=10000.0, probability=True).fit(PAIRS, np.where(GRADES, 1, LABELS), groups=GRADES),
    lambda: ComparisonSVM().fit(FRAME, LABELS).rank(FRAME[["elo_a", "age_a"]].set_axis(["elo", "size"], axis=1)),
    lambda: ComparisonSVM().fit(np.where(PAIRS > 1, np.nan, PAIRS), LABELS),
    lambda: RankSearchCV(scoring="ndcg").fit(X, TIMES),
    lambda: get_scorer("kendall")(rank(), X, X[:, 0], pair_weight="ndcg"),
    lambda: RankSearchCV(RankSVR()).fit(X, TIMES),
    lambda: RankAverage([("ridge", Ridge())]).fit(X, TIMES),
    lambda: rank(TIMES, event=EVENT),
    lambda: rank_path(SumOfMarginsSVM(), X, GRADES, [0.001]),
    lambda: RankSearchCV(param_grid="best").fit(X, Y),
    lambda: RankSearchCV(ComparisonSVM(), cv=3).fit(PAIRS, np.where(LABELS, LABELS, 1)),
    *(lambda one=one: CumulativeLink(penalty=one).fit(X, GRADES) for one in (-1.0, np.nan, np.inf)),
    *(lambda one=one: one(estimator="other").fit(X, GRADES) for one in (LightGBM, XGBoost)),
    lambda: inspection.summary(preprocessing.StandardScaler().fit(X)),
    *(
        lambda one=one: one.fit(X, WORDS)
        for one in (
            StackingClassifier([("svor", SVOR(categories=NAMES))], LogisticRegression(), cv=3),
            CalibratedClassifierCV(SVOR(categories=NAMES), cv=3, ensemble=False),
            CalibratedClassifierCV(SVOR(categories=NAMES), method="temperature"),
        )
    ),
    lambda: type("Logistic", (Loss,), {"value": lambda self, v: np.logaddexp(0.0, v)}),
    *(
        lambda one=one: one(kernel="linear").fit(1e150 * np.arange(1.0, 61)[:, None], GRADES)
        for one in (SwappedPairsSVM, SVOR, FixedMarginSVM, RankSVR, RankBoundarySVM)
    ),
    *(
        lambda of=of: Kernel(**{"name": "poly", "gamma": 1.0, "degree": 2, "coef0": 1.0, **of})
        for of in ({"gamma": None}, {"gamma": "wide"}, {"degree": "3"}, {"coef0": np.nan})
    ),
    lambda: metrics.spearman([3, 3], [5, 4]),
    lambda: metrics.ndcg([1, np.inf, 0], [1.0, 2.0, 3.0]),
    lambda: metrics.ndcg([1, -2, 0], [1.0, 2.0, 3.0]),
    lambda: random_pairs(X, 3, Y, {}, np.random.default_rng(0)),
    *(lambda of=of: RankSearchCV(scoring=of).fit(X, Y) for of in (5, ["accuracy"])),
    *(lambda of=of: rank_path(SwappedPairsSVM(), X, Y, Cs=of) for of in ("auto", {})),
    *(lambda of=of: RankSearchCV(of(tol="a")).fit(X, GRADES) for of in (SVOR, SwappedPairsSVM)),
    *(lambda of=of: of.fit(X, Y, pair_weight=np.ones((60, 60))) for of in (RankSVR(), RankSearchCV(RankSVR()))),
]


MESSAGES += [  # averages, searches and ratings
    *(lambda of=of: RankAverage([("x", of)]).fit(X, Y) for of in ("drop", None)),
    lambda: ThresholdedRanker(LogisticRegression()).fit(X, GRADES),
    *(
        lambda of=of: RankSearchCV(ComparisonSVM(), param_grid=None, Cs=[1.0]).fit(PAIRS, LABELS, groups=of)
        for of in (np.zeros((50, 2), int), [[None, "a"]] * 60, [*[[0.0, 1.0]] * 59, [np.nan, 1.0]])
    ),
    *(lambda of=of: Ratings.start(["a", "b"], 1500.0, elite=of) for of in ([np.nan, 0], ["no", "yes"], [2, 0])),
    lambda: Ratings.start(["a", "b", "c"], [1500.0, 1400.0]),
    lambda: elo([1, 2], ["2", "1"], [1, 0]),
    lambda: elo(["1"], ["2"], [1], start=Ratings.start([1, 2], 1500.0, 200.0)),
    *(lambda of=of: Ratings.start(["a", of], 1500.0) for of in (None, np.nan)),
    *(lambda of=of: elo(["b", "c"], ["a", of], [1, 0]) for of in (None, np.nan)),
]
NO_DATE = np.array(["2020-01-01", "2020-01-02", "NaT", "2020-01-04"], dtype="M8[D]")
DUEL = {"first": ["ann", "bob"], "second": ["bob", "ann"], "score": [1, 1]}
BOARD = ratings.bradley_terry(**DUEL)
MESSAGES += [
    *(
        partial(ratings.bradley_terry, **DUEL | given)
        for given in (
            {"second": ["ann", "ann"]},
            {"score": [1, 0.3]},
            {"score": [1, np.nan]},
            {"score": ["won", "lost"]},
            {"score": [1]},
            {"first": [], "second": [], "score": []},
            {"first": [1, 2], "second": ["2", "1"]},
            {"weights": [0, 0]},
            {"weights": [-1, 1]},
            {"cluster": [1, 1]},
            {"ties": "split"},
            {"advantage": 30},
            {"prior": -1},
            {"score": [0.5, 0.5]},
            {"scale": 0},
            {"advantage": True, "second": ["bob", "bob"], "first": ["ann", "ann"], "score": [1, 0]},
        )
    ),
    lambda: BOARD.differences("ann", "eve"),
    lambda: BOARD.predict_proba(1, "ann"),
    lambda: BOARD.table(level=95),
    *(partial(elo, ids, [7, 8], [1, 0]) for ids in ([2**63, 5], [1.5, 2.5], [True, False], [1, "2"])),
    *(partial(elo, pd.Series(ids), [7, 8], [1, 0]) for ids in ([2**63, 5], [1.5, 2.5], [True, False], [1, "2"])),
    *(
        partial(glicko, ["a", "b"], ["b", "a"], [1, 0], periods)
        for periods in (
            ["2020-01-01", "2020-01-02"],
            [1.5e9, 1.6e9],
            [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)],
            pd.Series(pd.period_range("2020", periods=2, freq="M")),
            pd.Series(pd.to_datetime(["2020-01-01", "2020-01-02"])).dt.tz_localize("Asia/Tokyo"),
        )
    ),
    *(
        partial(ComparisonLink(**given).fit, PAIRS, y)
        for given, y in (
            ({}, 0 * LABELS),
            ({"offset": True, "labels": "comparison"}, abs(LABELS)),
        )
    ),
    *(
        partial(estimator.fit, X, GRADES)
        for estimator in (
            RankSearchCV("svor"),
            ThresholdedRanker("ridge"),
            ThresholdedRanker(None),
            RankSearchCV(Cs=[1.0], scoring=lambda *_: np.nan),
            RankSearchCV(param_grid=[]),
        )
    ),
    *(partial(metric, NO_DATE, [1, 2, 3, 4]) for metric in (swapped_pairs, metrics.kendall_tau)),
    partial(SwappedPairsSVM().fit, np.eye(4), NO_DATE),
    partial(metrics.ndcg, [0, 1], [1, 2], gain="log"),
    *(
        partial(metric, [0, 0], [1, 2])
        for metric in (metrics.average_precision, metrics.mean_reciprocal_rank, metrics.precision_at_k)
    ),
    partial(get_scorer, "kendall", k=3),
    lambda: inspection.SearchDisplay.from_estimator(GridSearchCV(Ridge(), {})),
    lambda: inspection.summary(Ridge().fit(X, Y)),
    *(
        partial(SwappedPairsSVM(**given).fit, X, GRADES)
        for given in ({"landmarks": 61}, {"landmarks": 0}, {"landmarks": 5, "kernel": "precomputed"})
    ),
    lambda: exact_bound(SwappedPairsSVM(landmarks=10).fit(X, Y).model_, X[::-1]),
    lambda: exact_bound(SwappedPairsSVM().fit(X, Y).model_, X),
    lambda: judge(pickle.loads(pickle.dumps(SwappedPairsSVM().fit(X, Y).model_))),
    *(
        partial(inspection.SwappedPairsDisplay.from_estimator, rank(), X, Y, n_bins=number)
        for number in (0, -1, 2.5, None, "auto")
    ),
]
PACKAGE = str(Path(rankmargin.__file__).parent)
SAYS = re.compile(r"(?s)\bgot\b|\bNone\b|\bNaN\b|Negative values")  # what came


def arguments():
    """Return the names of all arguments of what is public, and of its methods."""
    for line in FROZEN.read_text("utf-8").splitlines():
        thing = named(re.match(r"[\w.]+", line)[0])
        for one in [thing, *(dict(inspect.getmembers(thing)).values() if inspect.isclass(thing) else ())]:
            with suppress(TypeError, ValueError):
                yield from inspect.signature(one).parameters if callable(one) else ()


ARGUMENTS = {*arguments()} - {"self", "name", "of"}


def check_form(error, names=ARGUMENTS):
    """Every error of ours names an argument, and shows what came and what is accepted."""
    message = str(error)
    assert {*re.findall(r"[A-Za-z_]\w*", message)} & {*names}, f"names none of its arguments: {message}"
    assert SAYS.search(message), f"shows not what came: {message}"


def is_ours(error):
    """Return whether this package raised it, and not what it calls."""
    return traceback.extract_tb(error.__traceback__)[-1].filename.startswith(PACKAGE)


@pytest.mark.parametrize("call", MESSAGES)
def test_bad_input_is_named(call):
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    if is_ours(caught.value):
        check_form(caught.value)


STRANGE = [None, "x", np.nan, -1, 0, 0.5, [], np.ones((3, 3, 3)), np.ones(7), {}, np.array(["a", "b"], dtype=object)]
METHODS = ("predict", "score", "score_samples", "predict_proba", "decision_function")


def refused(call, names):
    """Run a call, which is right or refused in the form of our messages; others raise errors of theirs."""
    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("ignore")
        try:
            call()
        except (ValueError, TypeError, NotImplementedError) as error:
            if is_ours(error):
                check_form(error, names)
                return 1
    return 0


def strange_calls(estimator):
    """Yield a call for each parameter and argument with each strange value, and the names that its error may have."""
    X, y = data(estimator)
    taken = inspect.signature(estimator.fit).parameters.keys() - {"unknown", "fit_params"}
    fitted = fitted_once(estimator)[0]
    for value in STRANGE:
        for name in estimator.get_params(deep=False).keys() - {"n_jobs"}:
            made = clone(estimator)
            setattr(made, name, value)
            if name != "max_iter" and hasattr(made, "max_iter"):
                made.max_iter = 20
            yield partial(made.fit, X, y), {name, "X", "y"}
        for name in taken:
            yield partial(clone(estimator).fit, **{"X": X, "y": y, name: value}), {name, "X", "y"}
        for method in (getattr(fitted, name) for name in METHODS if hasattr(fitted, name)):
            for name in (known := inspect.signature(method).parameters):
                yield partial(method, **{"X": X, **({"y": y} if "y" in known else {}), name: value}), {name, "X", "y"}


@pytest.mark.slow
@every
def test_strange_arguments_of_estimators_are_named(estimator):
    assert sum(refused(call, names) for call, names in strange_calls(estimator)) > 30


GOOD = {"y": np.arange(12) % 3, "s": np.arange(12.0), "ranks": np.arange(12) % 3, "predictions": np.arange(12) % 3}
FIRST, SECOND = list("abab"), list("baba")
GAMES = {"white": FIRST, "black": SECOND, "first": FIRST, "second": SECOND, "score": [1.0, 0.5, 0.0, 1.0]}
OTHERS = {"Z": np.eye(4), "n_pairs": 2, "order": np.arange(4.0), "kernel": {"kernel": "linear"}, "rng": 0}
OTHERS |= {"margin": 1.0, "radius": 2.0, "m": 5, "delta": 0.05, "difference": 3.0, "players": ["a"], "rating": 1500.0}
COMPARED = {"y": np.arange(12) % 3 - 1}
FUNCTIONS = [getattr(metrics, name) for name in metrics.__all__ if name != "get_scorer"]
FUNCTIONS += [elo, glicko, ratings.bradley_terry, ratings.expected_score, Ratings.start]
FUNCTIONS += [*sampling.SAMPLERS.values(), sampling.draws_needed]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_strange_arguments_of_functions_are_named(function):
    known = inspect.signature(function).parameters
    good = GOOD | GAMES | OTHERS | (COMPARED if "comparison" in function.__name__ else {})
    given = {name: good[name] for name, of in known.items() if of.default is of.empty}
    function(**given)
    names = {*known, "start", "players", "max_deviation", "predictions", "s", "prior"}
    assert sum(refused(partial(function, **given | {name: value}), names) for name in known for value in STRANGE) > 3


ADVISED = [
    (
        SwappedPairsSVM,
        pd.DataFrame({"size": Y, "city": ["oslo", "rome", "bern"] * 20, "kind": WORDS}),
        Y,
        "oslo",
        "city",
    ),
    (SVOR, pd.DataFrame({"kind": pd.Categorical(WORDS), 3: Y}).rename(columns=str), GRADES, "bad", "kind"),
    (ComparisonSVM, pd.DataFrame({"a_a": Y, "c_a": WORDS, "a_b": Y[::-1], "c_b": WORDS[::-1]}), LABELS, "bad", "c_a"),
    (PRank, pd.DataFrame({"size": Y, "city": ["oslo", "rome", "bern"] * 20}), GRADES, "oslo", "city"),
    (RankSVR, np.array([["1", "x"], ["2", "7.5"]] * 30, dtype=object), Y, "x", 1),
]


@pytest.mark.parametrize(
    ("kind", "rows", "y", "value", "column"), ADVISED, ids=lambda one: getattr(one, "__name__", "")
)
def test_text_is_named_with_its_column_and_the_advice_works(kind, rows, y, value, column):
    with pytest.raises(ValueError, match=f"^X must hold numbers, got {value!r} in column {column!r}: ") as caught:
        kind().fit(rows, y)
    advice = str(caught.value).split(": ", 1)[1].removesuffix(" makes numbers of text")
    eval(
        advice,
        {
            **vars(compose),
            **vars(preprocessing),
            "PairTransformer": rankmargin.PairTransformer,
            kind.__name__: kind,
            "make_pipeline": make_pipeline,
            "RankSearchCV": RankSearchCV,
        },
    ).fit(rows, y)


def test_equal_rows_have_equal_scores():
    """Products may round the same row differently at another place; a tie must stay a tie."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((203, 7))
    for kernel in ("rbf", "poly"):
        fitted = SwappedPairsSVM(kernel=kernel).fit(rows[:60], rng.standard_normal(60))
        scores = fitted.predict(np.vstack([rows, rows[:100], rows[50:]]))
        np.testing.assert_array_equal(scores[:203], np.concatenate([scores[203:253], scores[303:]]))
        np.testing.assert_array_equal(scores[:100], scores[203:303])
        np.testing.assert_allclose(scores[:203], fitted.model_.scores(rows), rtol=1e-12, atol=1e-12)
