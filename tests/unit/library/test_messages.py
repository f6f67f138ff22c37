"""Messages about bad input name the argument, the value that was given and the accepted values."""

import pickle
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn import compose, preprocessing
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import StackingClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from test_ratings import everyone

import rankmargin
from rankbench.baselines.blind import Blind
from rankbench.baselines.lightgbm import LightGBM
from rankbench.baselines.mord import Mord
from rankbench.baselines.skordinal import SkOrdinal
from rankbench.baselines.xgboost import XGBoost
from rankbench.papers.herbrich.methods.svr_on_ranks import SVROnRanks
from rankmargin import (
    SVOR,
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
    stack_pairs,
)
from rankmargin.bounds import margin_bound
from rankmargin.certificates import judge
from rankmargin.estimators.pair_columns import pair_columns
from rankmargin.estimators.path import fit_path
from rankmargin.kernels import Kernel
from rankmargin.losses import Loss
from rankmargin.max_margin import max_margin_lp, max_margin_qp
from rankmargin.metrics import comparison_roc, concordance_index, get_scorer, swapped_pairs, zero_one
from rankmargin.ratings import Ratings, elo, glicko
from rankmargin.sampling import random as random_pairs
from rankmargin.solvers.progress import Progress
from rankmargin.spaces import make_space

X = np.random.default_rng(0).standard_normal((60, 3))
Y = np.arange(60.0)
WORDS = np.array(["bad", "good", "best"] * 20)
GRADES, LABELS, EVENT, ONES = Y // 20, Y % 3 - 1, Y % 2 == 0, np.ones(60)
PAIRS, SMOOTH = np.hstack([X, -X]), Loss("smooth_hinge", steepness=4.0)
FRAME = pd.DataFrame(PAIRS[:, :4], columns=["elo_a", "elo_b", "age_a", "age_b"])
TWICE = (["elo", "elo", "age", "age"], ["elo", "age", "elo", "elo"])


def rank(y=Y, **fit):
    return SwappedPairsSVM(kernel="linear").fit(X, y, **fit)


MESSAGES = [
    (lambda: SVOR().fit(X, pd.Series(pd.Categorical(WORDS))), "categorical with an order.*ordered=True"),
    (lambda: SVOR().fit(X, WORDS), r"y must hold numbers.*got values like .*bad.*categories=\[lowest"),
    (lambda: SVOR(categories=["bad", "good"]).fit(X, WORDS), r"grades of categories \['bad', 'good'\], got 'best'"),
    (lambda: SVOR(categories=["a", "a"]).fit(X, WORDS), "categories must be distinct"),
    (lambda: SVOR(categories=["bad"]).fit(X, [None, *WORDS[1:]]), "a grade for every row, got None at row 0"),
    (
        lambda: SVOR(categories=["bad", "good", "best"]).fit(X, np.unique(WORDS, return_inverse=True)[1]),
        r"got 0: StackingClassifier and others .* number the names in alphabetical order; use categories=\[0, 2, 1\]",
    ),
    (lambda: rank().score(X, WORDS), "y must hold numbers, higher means ahead, got values like"),
    (lambda: rank().score(X, None), "requires y to be passed, but the target y is None"),
    (lambda: SVOR().fit(X, WORDS == "bad").score(X, None), "y must be given to score, got None"),
    (lambda: rank(groups=[10] * 6), r"the group of each of the 60 rows, got 6 sizes that sum to 60: use np\.repeat"),
    (lambda: rank(groups=np.ones((60, 2))), r"groups must be a 1d array .* got shape \(60, 2\)"),
    (lambda: rank(groups=[None] * 30 + ["a"] * 30), "names of one type and none missing, got NoneType, str"),
    (lambda: rank(groups=np.array([1, "a"] * 30, dtype=object)), "names of one type and none missing, got int, str"),
    (
        lambda: SVOR().fit(np.where(X > 1, np.nan, X), np.tile([1, 2], 30)),
        r"contains NaN. SVOR takes no missing values: RankSearchCV\(SVOR\(\)\) fills them in",
    ),
    (
        lambda: PRank().fit(np.where(X > 1, np.nan, X), np.tile([1, 2], 30)),
        r"contains NaN. PRank takes no missing values: make_pipeline\(SimpleImputer\(\), PRank\(\)\) fills them in",
    ),
    (lambda: rank(groups=np.where(Y == 3, np.nan, 1)), "the group of each row, got nan at row 3"),
    (lambda: rank(sample_weight=-np.ones(60)), "(?i)negative"),
    (lambda: rank(sample_weight=np.zeros(60)), "zeros only|at least one non-zero"),
    (lambda: SVOR().fit(X, Y + 0.5), "continuous.*60 distinct numbers with fractions: SVOR.n_bins=5."),
    (lambda: SVOR(class_weight={"7": 2}).fit(X, Y // 20), "class_weight must name grades of y, got '7'"),
    (lambda: SVOR(class_weight={7: 2}, categories=[2, 1, 0]).fit(X, Y // 20), "class_weight must name grades .*got 7"),
    (lambda: SVOR(class_weight={1: -2}).fit(X, Y // 20), "class_weight must hold finite numbers >= 0, got -2 for the"),
    (lambda: SVOR(class_weight={1: np.nan}).fit(X, Y // 20), "class_weight must hold finite numbers >= 0, got nan"),
    (
        lambda: SVOR(class_weight="equal").fit(X, Y // 20),
        "class_weight must be a dict, .balanced. or None, got 'equal'",
    ),
    (lambda: SwappedPairsSVM(C_scale="mean").fit(X, Y), "C_scale must be one of rows, pairs, got 'mean'"),
    (
        lambda: SwappedPairsSVM(kernel="precomputed").fit(-np.eye(60), Y),
        "semi-definite .* got an eigenvalue of -1",
    ),
    (
        lambda: ComparisonSVM().fit(X, X, Y % 3 - 1),
        r"y must be a 1d array, one value per pair, got shape \(60, 3\): fit takes pairs X and .* stack_pairs",
    ),
    (lambda: ComparisonSVM().fit(X, Y % 3 - 1, X), r"sample_weight must be a 1d array, one value per pair, got shape"),
    (lambda: rank(groups=X), r"groups must be a 1d array .* got shape \(60, 3\)"),
    (lambda: SumOfMarginsSVM(C=5.0).fit(X, Y % 3), r"C must be in \[.*\] and .*, here in \[0.05, 4\], got 5.0"),
    (lambda: elo([0], [1], [1.0], start=1500), "start must be Ratings, got int: Ratings.start"),
    (lambda: glicko([0], [1], [1.0], start={0: 1500}), "start must be Ratings, got dict"),
    (
        lambda: elo([0], [1], [1.0], start=Ratings.start([0, 1], 1500.0), k="x"),
        "k must be a number > 0.*, got 'x'",
    ),
]


PARAMETERS = [
    (SwappedPairsSVM(C=0), "C must be a finite number > 0, got 0"),
    (SwappedPairsSVM(C=np.nan), "C must be a finite number > 0, got nan"),
    (SwappedPairsSVM(gamma=-1.0), "gamma must be > 0, got -1.0"),
    (SwappedPairsSVM(gamma="auto"), "gamma must be a number > 0 or \"scale\", got 'auto'"),
    (SwappedPairsSVM(kernel="sigmoid"), "kernel must be a callable or one of linear, rbf, .*, got 'sigmoid'"),
    *(
        (one(kernel="poly", degree=degree), f"degree must be .*, got {degree}")
        for one in (SwappedPairsSVM, PairwiseRankSVM, RankBoundarySVM, RankSVR, SVOR, FixedMarginSVM, KernelPRank)
        for degree in (1.5, 0, np.inf, np.nan)
    ),
    (SwappedPairsSVM(solver="newton"), "solver must be one of auto, smoothed_newton, dual_cd, .*, got 'newton'"),
    (SwappedPairsSVM(tol=0), "tol must be a finite number > 0, got 0"),
    (SwappedPairsSVM(max_iter=0), "max_iter must be an integer >= 1, got 0"),
    (SwappedPairsSVM(kernel="precomputed"), "square matrix"),
    (SwappedPairsSVM(loss="log"), "loss must be a Loss or one of hinge, squared_hinge, got 'log'"),
    (SwappedPairsSVM(loss=3), "loss must be a Loss or one of hinge, squared_hinge, got 3"),
    (SwappedPairsSVM(loss=None), "loss must be a Loss or one of hinge, squared_hinge, got None"),
    (
        SwappedPairsSVM(loss=SMOOTH, solver="dual_cd"),
        "loss must be \"hinge\" with kernel='rbf' and solver='dual_cd', got .*smooth",
    ),
    (SwappedPairsSVM(kernel=lambda a, b: np.ones(len(a))), "must return an array of shape .*, got"),
    (
        SwappedPairsSVM(kernel=lambda a, b: -np.exp(-np.abs(a[:, :1] - b[:, 0]))),
        "must be a positive semi-definite matrix, got",
    ),
    (SwappedPairsSVM(kernel=lambda a, b: a[:, :1] - b[:, 0]), "must be a symmetric matrix, got"),
    (SwappedPairsSVM(kernel="gauss"), "kernel must be a callable or one of linear, rbf"),
    (SwappedPairsSVM(kernel="chi2"), 'X must be >= 0 with kernel="chi2", got -'),
    (PairwiseRankSVM(n_partners=0), 'n_partners must be an integer >= 1 or "all", got 0'),
    (RankBoundarySVM(solver="smo"), "solver must be one of auto, smoothed_newton, dual_cd, .*, got 'smo'"),
    (SVOR(n_bins=1), "n_bins must be an integer >= 2 or None, got 1"),
    (SVOR(constraints="both"), "constraints must be one of implicit, explicit, got 'both'"),
    (PRank(epochs=0), "epochs must be an integer >= 1, got 0"),
    (CumulativeLink(link="log"), "link must be one of logit, probit, cloglog, got 'log'"),
    (SVROnRanks(C=1.0, representation="log"), "representation must be one of index, exp, got 'log'"),
    (SVROnRanks(C=1.0, epsilon=-1), "epsilon must be a finite number >= 0, got -1"),
    (Blind(answer="mean"), "answer must be one of constant, random, got 'mean'"),
    (ThresholdedRanker(Ridge(), loss="squared"), "loss must be one of absolute, zero_one, got 'squared'"),
    *((SumOfMarginsSVM(C=C), r"2 \(k - 1\) / N, 2 \(k - 1\)\].*here in \[0.05, 4\], got") for C in (1e-4, 5.0)),
]
MESSAGES += [(lambda one=one: one.fit(X, GRADES), message) for one, message in PARAMETERS]
MESSAGES += [  # rows, targets and groups
    (lambda: SwappedPairsSVM().fit(np.where(X > 1, np.nan, X), Y), "NaN"),
    (lambda: SwappedPairsSVM().fit(X, ONES), "two distinct values"),
    (lambda: SwappedPairsSVM().fit(X, Y[:-1]), "inconsistent numbers of samples"),
    *(
        (
            lambda unit=unit: SwappedPairsSVM(kernel="precomputed").fit(unit * np.triu(np.ones((60, 60))), Y),
            rf"symmetric matrix .* K\[j, i\] up to {re.escape(f'{unit:.3g}')}: \(K \+ K.T\) / 2 has none",
        )
        for unit in (1.0, 1e-12, 1e9)
    ),
    (lambda: rank(groups=np.arange(60)), "no pair to learn from"),
    (lambda: rank(groups=np.arange(59)), "groups must name the group of each of the 60 rows, got 59 names"),
    (lambda: rank(y=np.where(Y < 7, np.nan, Y)), "Input y contains NaN: 7 of 60 targets are missing"),
    (lambda: swapped_pairs(ONES, Y), "two distinct values"),
    (lambda: swapped_pairs(Y, Y, np.arange(60)), "no pair to learn from"),
    *(
        (lambda one=one: one.fit(X, WORDS), "y must hold numbers, higher means ahead, got values like .*bad")
        for one in (SwappedPairsSVM(), SVOR(), RankSVR(), PRank(), ThresholdedRanker(Ridge()))
    ),
    *(
        (lambda one=one: getattr(rankmargin, one)().fit(X, Y, qid=ONES), f"{one}.fit takes groups=, .*, got qid")
        for one in ("SwappedPairsSVM", "PairwiseRankSVM")
    ),
    *(
        (
            lambda one=one: getattr(rankmargin, one)().fit(X, GRADES, groups=Y),
            f"{one}.fit takes sample_weight=.*, and no groups, since .* common to all rows, got groups",
        )
        for one in ("SVOR", "FixedMarginSVM", "RankBoundarySVM")
    ),
    (lambda: CumulativeLink().fit(X[:6], [1, 2, 3, 4, 1, 2]), r"more rows than .* parameters \(6: weights and thres"),
    (lambda: CumulativeLink().fit(np.ones((60, 2)), GRADES), "a column that is not constant"),
    (lambda: ThresholdedRanker(Ridge()).fit(X, ONES), "y must hold at least two ranks, got 1"),
    (
        lambda: make_space(1e200 * X, Kernel("poly", 1.0, 3, 1.0)),
        "must be finite, got inf or nan for X up to .*: scale",
    ),
    (
        lambda: SVOR(categories=np.arange(10_000)).fit(np.zeros((10_000, 1)), np.arange(10_000)),
        'here 10,000 with 9,999, .*: use constraints="explicit", or n_bins',
    ),
    (
        lambda: fit_path(SumOfMarginsSVM(gamma=1.0), np.zeros((8, 2)), np.arange(8) % 2, [1.0]),
        "no positive sum of margins",
    ),
    (lambda: rank_path(Ridge(), X, Y), "estimator must be one of this package with a path over C, got Ridge"),
    (lambda: rank_path(SVOR(), X, GRADES, [1.0, -1.0]), "Cs must be numbers > 0, got"),
    (lambda: rank_path(make_pipeline(PRank()), X, GRADES), "of this package with a path over C, got PRank"),
    *(
        (lambda given=given: RankSearchCV(make_pipeline(SVOR()), **given).fit(X, GRADES), message)
        for given, message in (
            ({"param_grid": {"svor__C": [1.0]}}, "param_grid must not hold svor__C: Cs are its values"),
            ({"param_grid": {"gamma": [1.0]}}, "Invalid parameter 'gamma' for estimator Pipeline"),
            (
                {"scoring": "concordances"},
                "scoring must be callable, one of concordance, .* or a scorer of scikit-learn",
            ),
        )
    ),
    (lambda: Loss("wrong", steepness=0.0), "steepness of a loss must be > 0"),
    (lambda: Loss("wrong", cap=np.inf), "inf for both"),
]
MESSAGES += [  # grades
    *(
        (
            lambda one=one: SVOR(categories=["a", "b"]).fit(X, ["a", "b", "a", "b", one] * 12),
            "y must hold a grade for every row, got .* at row 4",
        )
        for one in (None, np.nan, pd.NA, pd.NaT)
    ),
    *(
        (lambda one=one: SwappedPairsSVM().fit(X, np.array([0, 1, 0, 1, one] * 12, dtype=object)), "NaN")
        for one in (None, np.nan, pd.NA, pd.NaT)
    ),
    *(
        (
            lambda one=one, weight=weight: one(class_weight={1: weight}).fit(X, GRADES),
            "class_weight must hold finite numbers >= 0, got .* for the grade 1",
        )
        for one in (SVOR, FixedMarginSVM, SumOfMarginsSVM, RankBoundarySVM, CumulativeLink)
        for weight in (-1.0, np.nan, np.inf, "2")
    ),
    (lambda: fit_path(PRank(epochs=1.5), X, GRADES, [None]), r"epochs must be an integer >= 1, got 1\.5"),
    (
        lambda: PRank().partial_fit(X, GRADES + 2, classes=[1, 2, 3]),
        r"y must hold grades of categories \[1, 2, 3\], got 4",
    ),
    (
        lambda: PRank().partial_fit(X, GRADES).partial_fit(X, GRADES, classes=[1, 2]),
        "classes must not change after the first call",
    ),
    *(
        (lambda one=one: one.fit(X, GRADES, sample_weight=0.5 * ONES), r"a whole number, how often .* shown, got 0\.5")
        for one in (PRank(), KernelPRank())
    ),
    (lambda: PRank().partial_fit(X, GRADES, classes=[3]), "classes must hold at least two grades, got 1"),
    (
        lambda: KernelPRank(kernel="precomputed").partial_fit(X @ X.T, GRADES),
        'must not be "precomputed" for partial_fit',
    ),
    (lambda: RankSVR().fit(X, Y, Z=X[:, :2], pairs=[[0, 1]]), "X has 2 features, but RankSVR is expecting 3 features"),
    (lambda: fit_path(RankSVR(C_rank=np.nan, gamma=1.0), X, Y, [1.0]), "C_rank must be a finite number >= 0, got nan"),
]
MESSAGES += [  # censored times, weights of pairs
    (lambda: rank(event=0 * Y), "no comparable pair in event"),
    (lambda: PairwiseRankSVM().fit(X, Y, event=0 * Y), "no comparable pair in event"),
    (lambda: rank(event=2 * EVENT), "event must hold 0 or 1, or a bool, for each of 60 rows of y"),
    (lambda: rank(event=EVENT[1:]), "event must hold 0 or 1"),
    (
        lambda: SwappedPairsSVM().fit(X, np.zeros(60, dtype=[("time", float), ("event", bool)])),
        "y must have a field of bool, the event, and one of numbers, the time",
    ),
    (
        lambda: rank(event=EVENT, pair_weight="ndcg"),
        "pair_weight must be a callable .* censored times, got 'ndcg'",
    ),
    (
        lambda: concordance_index(
            Y, Y, event=EVENT, censoring=np.array([(False, -0.5)], dtype=[("event", bool), ("time", float)])
        ),
        "censoring must hold rows that are not yet censored",
    ),
    (lambda: rank(pair_weight=np.ones((4, 60))), r"pair_weight must have shape \(60, 60\), .*, got \(4, 60\)"),
    (lambda: rank(pair_weight="gain"), r"pair_weight must be ndcg, a callable or an \(n, n\) array, got 'gain'"),
    (lambda: rank(pair_weight=-np.ones((60, 60))), "pair_weight must be a finite number >= 0 for each pair, got -"),
    (lambda: rank(pair_weight=lambda i, j: 1.0), r"must give one number for each of 1770 pairs, got shape \(\)"),
    (lambda: rank(pair_weight=np.zeros((60, 60))), "pair_weight must be > 0 for some pair, got zeros only"),
    (
        lambda: SwappedPairsSVM(kernel="linear").fit(X, Y - 1, pair_weight="ndcg"),
        'y must hold gains >= 0 with pair_weight="ndcg", got -1',
    ),
    (
        lambda: SwappedPairsSVM(solver="cutting_plane").fit(X, Y, pair_weight="ndcg"),
        "cutting_plane needs all pairs, got a list of rows",
    ),
    (
        lambda: SwappedPairsSVM(loss="squared_hinge", solver="interior_point").fit(X, Y, pair_weight="ndcg"),
        "interior_point needs loss='hinge', got 'squared_hinge'",
    ),
    (
        lambda: SwappedPairsSVM(kernel="linear").fit(np.zeros((10_000, 1)), np.arange(10_000), pair_weight="ndcg"),
        r"at most 20,000,000, got 49,995,000: PairwiseRankSVM\(n_partners=5\)",
    ),
]
MESSAGES += [  # comparisons
    *(
        (
            lambda way=way: getattr(ComparisonSVM(kernel="linear").fit(PAIRS, LABELS), way)(
                [[1e308, 0, 0, -1e308, 0, 0]]
            ),
            "X must have finite scores",
        )
        for way in ("predict", "decision_function", "score_samples")
    ),
    (
        lambda: ComparisonSVM(kernel="linear").fit(PAIRS, LABELS).score(PAIRS, LABELS / 2),
        r"labels -1, 0, 1 only, got -?0\.5",
    ),
    *((lambda one=one: pair_columns(one, len(one)), "must be different") for one in TWICE),
    *(
        (
            lambda one=one: ComparisonSVM().fit(FRAME.iloc[:, : len(one)].set_axis(one, axis=1), LABELS),
            "different|unique",
        )
        for one in TWICE
    ),
    (lambda: ComparisonSVM(items="_a").fit(FRAME, LABELS), "two endings or two lists"),
    (lambda: ComparisonSVM(items=3).fit(FRAME, LABELS), "two endings or two lists"),
    (lambda: ComparisonSVM(items=("_a", "_c")).fit(FRAME, LABELS), "two endings, or two beginnings, of all names"),
    (lambda: ComparisonSVM(items=(["elo_a"], ["elo_b"])).fit(FRAME, LABELS), "each of the 4 columns of X once"),
    (
        lambda: ComparisonSVM(items=(["elo_a", "elo_b"], ["elo_b", "age_a"])).fit(FRAME, LABELS),
        "each of the 4 columns of X once",
    ),
    (lambda: ComparisonSVM(items=("_a", "_b")).fit(FRAME.to_numpy(), LABELS), "items must"),
    *(
        (lambda one=one, y=y: one(np.zeros((3, 1)), np.array([[1.0], [1.0], [3.0]]), np.array(y)), message)
        for one in (max_margin_lp, max_margin_qp)
        for y, message in (
            ([0, 1, 1], "separable by a linear ranking function, got 3 pairs that are not"),
            ([1, -1, 0], "separable by a linear ranking function"),
            ([0, 1, 3], "labels -1, 0, 1 only, got 3"),
            ([1, 1, -1], "an equality pair"),
        )
    ),
    *(
        (lambda one=one: one(X, X[:, :1], LABELS), r"shapes \(n, d\), .*, got \(60, 3\), \(60, 1\) and \(60,\)")
        for one in (max_margin_lp, max_margin_qp)
    ),
    *(
        (lambda one=one, y=y: one(np.array(y), np.zeros(3)), message)
        for one in (
            metrics.comparison_auc,
            metrics.comparison_auc_any_direction,
            lambda y, s: metrics.comparison_baseline_auc(y),
        )
        for y, message in (
            ([0, 0, 0], "an inequality pair"),
            ([1, 1, 1], "an equality pair"),
            ([0, 1, 2], "labels -1, 0, 1 only, got 2"),
        )
    ),
    (
        lambda: comparison_roc(np.array([0, 1]), np.zeros(2), "both"),
        "true_positive must be one of right_direction, any_direction, got 'both'",
    ),
]
MESSAGES += [  # metrics, bounds, oracles
    (lambda: zero_one(np.ones(3), np.ones(2)), r"the same length > 0, got shapes \(3,\) and \(2,\)"),
    (lambda: metrics.mean_absolute_error([], []), "the same length > 0"),
    (lambda: metrics.absolute_error([1.0], [1.0, 2.0]), "the same length > 0"),
    (lambda: swapped_pairs([0.0, 1.0], [np.nan, np.nan]), "s must be numbers, got nan"),
    (lambda: zero_one([0.0, np.nan], [0.0, 1.0]), "y must be numbers, got nan"),
    (lambda: swapped_pairs([0, 1], [1, 2, 3]), r"y and s must be of the same length > 0, got shapes \(2,\) and \(3,\)"),
    (lambda: swapped_pairs([0, 1], [1, 2], [0]), "groups must name the group of each of the 2 rows, got 1 names"),
    (lambda: margin_bound(0.0, 1.0, 10, 0.1), "margin must be a finite number > 0, got 0.0"),
    (lambda: margin_bound(1.0, np.inf, 10, 0.1), "radius must be a finite number > 0, got inf"),
    (lambda: margin_bound(1.0, 1.0, 1, 0.1), "m must be an integer >= 2, got 1"),
    (lambda: margin_bound(1.0, 1.0, 10, 1.0), "delta must be between 0 and 1, got 1.0"),
]


GAME, DAYS = ([3], [10], [1.0]), np.array([0, 1], dtype="datetime64[D]")
MESSAGES += [  # ratings
    (lambda: elo([3], [11], [1.0], start=everyone()), "black must hold known players, got .*11.* not in players"),
    (lambda: glicko([999], [3], [1.0], start=everyone()), "white must hold known players, got .*999"),
    (lambda: elo([3], [3], [1.0], start=everyone()), "white and black must differ, got .*3.* twice"),
    (lambda: elo([3], [10], [-1.0], start=everyone()), r"score must lie in \[0, 1\], got -1"),
    (lambda: elo([3], [10], [np.nan], start=everyone()), r"score must lie in \[0, 1\], got nan"),
    (lambda: elo([3, 3], [10, 10], [1, 1], [5, 4], start=everyone()), "periods must be in order, got 4 after 5"),
    (lambda: elo(*GAME, [0.5], start=everyone()), "periods must be integers or dates, got 0.5"),
    (
        lambda: elo(*GAME, [4], start=elo(*GAME, [4], start=everyone()).ratings),
        "must come after period 4 of start, got 4",
    ),
    (lambda: elo([3], [10, 17], [1.0], start=everyone()), r"must have the same length, got \[1, 2\]"),
    *(
        (lambda system=system, given=given: system(*given), r"must have one dimension, got shapes \[.*\(1, 2\)")
        for system in (elo, glicko)
        for given in (([["a", "b"]], [["b", "a"]], [1.0]), (["a"], ["b"], [[1.0, 0.0]]))
    ),
    (lambda: elo("a", "b", 1.0), r"must have one dimension, got shapes \[\(\), \(\)"),
    (lambda: Ratings.start([["a"], ["b"]], 1500.0), r"players must have one dimension, got shape \(2, 1\)"),
    (lambda: elo(*GAME, start=everyone(), k=0.0), "k must be a number > 0 or Fide.*, got 0.0"),
    (lambda: glicko(*GAME, start=everyone(deviation=0.0)), r"deviations in \(0, max_deviation=350\], got 0 to 0"),
    (lambda: glicko(*GAME, start=everyone(deviation=1e-170)), r"deviations in \(0, max_deviation=350\], got 1e-170"),
    (lambda: elo(["a", 1], ["b", 2], [1, 1]), r"white must hold ids of one kind, got texts and others: \['a', 1\]"),
    (lambda: elo(["a", "b"], np.array(["b", 2], object), [1, 1]), "black must hold ids of one kind, got texts and"),
    (lambda: glicko(*GAME, start=everyone(), c=-1.0), "c must be >= 0 and below 1e150, got -1.0"),
    (lambda: glicko(*GAME, start=everyone(), c=1e200), "c must be >= 0 and below 1e150, got 1e\\+200"),
    (lambda: glicko(*GAME, start=everyone(), reset_deviation=1e-170), "reset_deviation must lie in"),
    (lambda: glicko(*GAME, start=everyone(), reset_deviation=0.0), "reset_deviation must lie in"),
    (lambda: elo(*GAME, start=Ratings.start([], 1500.0)), "white must hold known players, got .*3.*no players"),
    (lambda: Ratings.start([1, 1, 2], 1500.0), "players must be distinct, got 3 ids of 2 players"),
    *((lambda one=one: Ratings.start([1, 2], [one, 1500.0]), "rating must be finite") for one in (np.nan, np.inf)),
    *((lambda one=one: glicko([3], [10], [one], start=everyone()), "score must lie") for one in (1.6, np.nan)),
    *(
        (lambda one=one, ids=ids: elo([one], ids[:1], [1.0], start=Ratings.start(ids, 1500.0)), "white must hold known")
        for ids in (np.arange(-128, 127, 14, dtype=np.int8), np.arange(100, 226, 14, dtype=np.uint8))
        for one in (int(ids[0]) + 256, int(ids[-1]) + 1, -(2**63))
    ),
    *(
        (lambda system=system, given=given: system(*given, start=everyone()), message)
        for system in (elo, glicko)
        for given, message in (
            (([3], [10], [1], np.array([2**63 + 5], dtype=np.uint64)), "periods must be at most"),
            (([3, 3], [10, 10], [1, 1], np.uint8([7, 2])), "periods must be in order, got 2 after 7"),
            (([3, 3], [10, 10], [1, 1], DAYS[::-1]), "in order, got 1970-01-01 after 1970-01-02"),
            (
                ([3, 3], [10, 10], [1, 1], [DAYS[0], np.datetime64("NaT", "D")]),
                "a date for each game, got none for game 1",
            ),
        )
    ),
    (
        lambda: elo(*GAME, DAYS[:1], start=elo(*GAME, DAYS[1:], start=everyone()).ratings),
        "must come after period 1 of start, got 1970-01-01",
    ),
]
MESSAGES += [  # comparisons
    (lambda: ComparisonSVM().fit(PAIRS, LABELS + 2), "y must hold labels -1, 0, 1 only, got 2"),
    (lambda: ComparisonSVM().fit(PAIRS, 0 * LABELS), "at least one label -1 or 1"),
    (lambda: ComparisonSVM().fit(PAIRS, np.ones(60)), "at least one label 0 .* use RankThreshold"),
    (lambda: ComparisonSVM().fit(PAIRS, np.abs(LABELS)), "y holds 0 and 1 only.*labels='score'.*labels='comparison'"),
    (lambda: ComparisonSVM(labels="score").fit(PAIRS, LABELS), "y must hold labels 0, 0.5, 1 only, got -1"),
    (
        lambda: ComparisonSVM(labels="elo").fit(PAIRS, LABELS),
        "labels must be one of auto, comparison, score, or three labels .* got 'elo'",
    ),
    (lambda: ComparisonSVM().fit(PAIRS, LABELS[:-1]), "inconsistent numbers of samples"),
    (lambda: ComparisonSVM().fit(PAIRS, None), "requires y to be passed"),
    (lambda: ComparisonSVM().fit(PAIRS[:, :3], LABELS), "even number of columns.*got 3"),
    (
        lambda: ComparisonSVM().fit(PAIRS.reshape(60, 6, 1), LABELS),
        r"shape \(n, 2, d\) or \(n, 2 d\), got \(60, 6, 1\)",
    ),
    (lambda: ComparisonSVM(C=-1).fit(PAIRS, LABELS), "C must be a finite number > 0, got -1"),
    (lambda: ComparisonSVM(kernel="sigmoid").fit(PAIRS, LABELS), "kernel must be a callable or one of"),
    (lambda: ComparisonSVM().fit(PAIRS, LABELS).rank(PAIRS), "3 features per item, got 6"),
    (lambda: ComparisonSVM().fit(PAIRS, LABELS).predict(PAIRS[:, :2]), "expecting 6 features"),
    (lambda: ComparisonSVM().fit(PAIRS, LABELS).score(PAIRS, None), "y must be given"),
    (lambda: RankThreshold(equality="keep").fit(PAIRS, LABELS), "equality must be one of drop, oppose, got 'keep'"),
    (lambda: RankThreshold(ties="last").fit(PAIRS, LABELS), "ties must be one of widest, authors, got 'last'"),
    (lambda: RankThreshold().fit(PAIRS, 0 * LABELS), "at least one label -1 or 1"),
]
TWO = [("a", Ridge()), ("b", Ridge())]
MESSAGES += [  # averages of ranks
    (lambda given=given: RankAverage(**({"estimators": TWO} | given)).fit(X, Y, sample_weight=ONES), message)
    for given, message in (
        ({"weights": [1.0]}, 'weights must be "equal", "cv" or a number >= 0 per estimator, got'),
        ({"weights": [0.0, 0.0]}, 'weights must be "equal", "cv" or a number >= 0'),
        ({"weights": "best"}, 'weights must be "equal", "cv" or a number >= 0 per estimator, got \'best\''),
        ({"estimators": []}, "estimators must have at least one"),
        ({"estimators": [("a", Ridge()), ("a", Ridge())]}, "with distinct names, got"),
        ({"estimators": [("a", KNeighborsRegressor())]}, "sample_weight must be None, as estimator 'a' takes none"),
    )
]
MESSAGES += [  # members of an average
    (lambda: RankAverage([SVOR()]).fit(X, Y), r"list of \(name, estimator\), got SVOR\(\) in it"),
    (lambda: RankAverage([]).fit(X, Y), "at least one"),
    (lambda: RankAverage([("a", SVOR()), ("a", RankSVR())]).fit(X, Y), "distinct names, got .'a', 'a'."),
]
MESSAGES += [  # labels of comparisons
    (lambda given=given, y=y: ComparisonSVM(**given).fit(np.eye(4)[:3], y), message)
    for given, y, message in (
        ({}, ["away", "draw", "home"], "got 'away': labels=.worse, neither, better. says what names mean"),
        ({"labels": ["a", "b"]}, ["a", "b", "a"], "three different labels"),
        ({"labels": ["a", "b", "b"]}, ["a", "b", "a"], "three different labels"),
        ({"labels": None}, [-1, 0, 1], "three different labels"),
        ({"labels": ["a", "b", "c"]}, ["a", "b", "d"], "labels a, b, c only, got 'd'"),
        ({"labels": ["a", "b", "c"]}, [0, 1, 1], "labels a, b, c only, got 0"),
        ({"labels": ["a", "b", "c"]}, ["a", "b", None], "labels a, b, c only, got None"),
        ({}, [-1.0, 0.0, np.nan], "labels -1, 0, 1 only, got nan"),
        ({}, pd.array([-1, 0, pd.NA], dtype="Int64"), "labels -1, 0, 1 only, got (<NA>|nan)"),
        ({}, pd.Categorical(["a", "b", "a"], ["a", "b"], ordered=True), "three categories, worse, neither and better"),
    )
]
NAMES, SAME = WORDS.tolist()[:3], np.zeros((3, 4))
TIMES = np.array(list(zip(EVENT, Y)), dtype=[("event", bool), ("time", float)])
STREAM = PRank(categories=NAMES).fit(X[WORDS != "good"], WORDS[WORDS != "good"])
JUDGED = SVOR(kernel="linear").fit(X, GRADES)
MESSAGES += [  # the same of single methods, functions and classes
    *(
        (lambda given=given, pairs=pairs, Z=Z: RankSVR(**given).fit(X, Y, Z, pairs), message)
        for given, pairs, message in (
            ({}, [[0, 15]], r"row numbers of Z from 0 to 14, got \(0, 15\) at position 0 \(1 such pairs\)"),
            ({}, [[1, 0], [-1, 2]], r"row numbers of Z from 0 to 14, got \(-1, 2\) at position 1"),
            ({}, [[3, 3]], r"pairs must order two different rows, got \(3, 3\) at position 0"),
            ({}, [[0.0, 1.0]], r"pairs must be an \(m, 2\) array of integers, got shape \(1, 2\) of float64"),
            ({}, [(0, 1), (1, 2, 3)], r"pairs must be an \(m, 2\) array of integers, got rows of different lengths"),
            ({}, [0, 1, 2], r"pairs must be an \(m, 2\) array of integers, got shape \(3,\)"),
            ({}, None, "Z was given without pairs"),
            ({}, [[0], [1]], r"pairs must be an \(m, 2\) array of integers, got shape \(2, 1\)"),
            ({"C": 0}, [[0, 1]], "C must be a finite number > 0, got 0"),
            ({"C_rank": -1.0}, [[0, 1]], "C_rank must be a finite number >= 0, got -1.0"),
            ({"epsilon": np.nan}, [[0, 1]], "epsilon must be a finite number >= 0, got nan"),
            ({"margin": 0}, [[0, 1]], "margin must be a finite number > 0, got 0"),
            ({"kernel": "precomputed"}, [[0, 1]], "square matrix"),
        )
        for Z in (X[:15],)
    ),
    *(
        (lambda given=given: stack_pairs(SAME, **given), message)
        for given, message in (
            ({"rows": [[0, 3]]}, "rows must hold rows 0 to"),
            ({"rows": [[0.0, 1.0], [1.0, 0.0]]}, r"rows must hold \(n, 2\) integers, got shape \(2, 2\) of float64"),
            ({"second": [[0, 40]]}, "rows 0 to 2 of first, got 40"),
            ({"second": SAME, "rows": [[0, 1]]}, "second or rows must be given, got both"),
            ({}, "second must be given"),
        )
    ),
    *(
        (lambda one=one: stack_pairs(FRAME, one), "second must be a frame with the columns and the number of rows of")
        for one in (FRAME[["elo_a"]], np.ones((60, 4)))
    ),
    (lambda: next(ItemKFold(3).split(PAIRS, groups=Y)), r"groups must be an \(n, 2\) array"),
    (
        lambda: next(ItemKFold(3, random_state=0).split(PAIRS, groups=np.c_[np.zeros(30, int), np.arange(30) % 9 + 1])),
        r"groups must leave training and test pairs in each fold, got .* of 30 pairs; 0 is in 30 of them: use fewer",
    ),
    *((lambda one=one: Progress(verbose=one), "verbose must be an integer >= 0, got") for one in (-1, 0.5, "loud")),
    *(
        (lambda one=one: Progress(max_seconds=one), "max_seconds must be a number > 0 or None, got")
        for one in (0, -1.0, "long")
    ),
    (lambda: judge(pickle.loads(pickle.dumps(JUDGED)).model_, X), "a pickle does not keep it"),
    (lambda: judge(JUDGED), r"a fitted model, such as estimator\.model_, got SVOR"),
    (lambda: judge(JUDGED.model_), "X must be given, the rows of the fit: a linear estimator keeps none of them"),
    (lambda: judge(JUDGED.model_, X[1:]), "X must hold the 60 rows of the fit, without those of weight 0, got 59"),
    (
        lambda: STREAM.partial_fit(X, WORDS),
        r"grades of the first call, \['bad', 'best'\], got 'good': there is no thres",
    ),
    (lambda: STREAM.partial_fit(X, WORDS, classes=["bad", "worse"]), "classes must"),
    *(
        (lambda given=given: SVOR(**given).fit(X, GRADES), message)
        for given, message in (
            ({"prediction": "mode"}, "prediction must be one of thresholds, most_probable, got 'mode'"),
            ({"prediction": "most_probable"}, 'prediction must be "thresholds" with probability=False'),
            ({"n_bins": 2, "bin_ties": "cut"}, "bin_ties must be one of share, split, got 'cut'"),
        )
    ),
    (lambda: SVOR(class_weight={"lo": 2}, categories=NAMES).fit(X, WORDS), "class_weight must name .* of y, got 'lo'"),
    (lambda: SVOR(n_bins=3).fit(X, ONES), "at least two ranks"),
    (lambda: SVOR(probability=True).fit(X, Y == 7), "at least two grades in each of 5 parts"),
    (
        lambda: ThresholdedRanker(SwappedPairsSVM(), probability=True).fit(X, GRADES, pair_weight=np.ones((60, 60))),
        "pair_weight must have one value per row or none with probability=True",
    ),
    (
        lambda: ComparisonSVM(C=1e4, probability=True).fit(PAIRS, np.where(GRADES, 1, LABELS), groups=GRADES),
        "label 0 .* parts that probability=True leaves out",
    ),
    (
        lambda: ComparisonSVM().fit(FRAME, LABELS).rank(FRAME[["elo_a", "age_a"]].set_axis(["elo", "size"], axis=1)),
        r"columns of an item, \['elo', 'age'\], got \['elo', 'size'\]",
    ),
    (
        lambda: ComparisonSVM().fit(np.where(PAIRS > 1, np.nan, PAIRS), LABELS),
        r"make_pipeline\(PairTransformer\(SimpleImputer\(\)\), ComparisonSVM\(\)\)",
    ),
    (lambda: RankSearchCV(scoring="ndcg").fit(X, TIMES), "scoring must be concordance with censored times, got ndcg"),
    (
        lambda: get_scorer("kendall")(rank(), X, X[:, 0], pair_weight="ndcg"),
        "scoring must be concordance with pair_weight, got kendall",
    ),
    (lambda: RankSearchCV(RankSVR()).fit(X, TIMES), "not be censored times with RankSVR: its fit takes no event"),
    (
        lambda: RankAverage([("ridge", Ridge())]).fit(X, TIMES),
        "not be censored times with Ridge: its fit takes no event",
    ),
    (lambda: rank(TIMES, event=EVENT), "event must be None if y is a structured array"),
    (
        lambda: fit_path(
            SumOfMarginsSVM(kernel="linear"),
            np.c_[[0, 0, 1, 0, 0, 1, 1, -1.0]],
            np.array([0, 0, 0, 1, 1, 0, 0, 1]),
            [0.5],
        ),
        "leaves no positive sum of margins",
    ),
    (lambda: rank_path(SumOfMarginsSVM(), X, GRADES, [0.001]), r"C must be in \[.*\] and .*, got 0.001"),
    (
        lambda: RankSearchCV(param_grid="best").fit(X, Y),
        "param_grid must be \"auto\", a dict, a list of .*, got 'best'",
    ),
    (
        lambda: RankSearchCV().fit(X, Y, groups=0 * Y),
        "groups must be at least two, because each is whole in a fold, got 1",
    ),
    (
        lambda: RankSearchCV(ComparisonSVM(), cv=3).fit(PAIRS, np.where(LABELS, LABELS, 1)),
        "at least one label 0 .* use RankThreshold",
    ),
    *(
        (lambda one=one: CumulativeLink(penalty=one).fit(X, GRADES), "penalty must be a finite number >= 0")
        for one in (-1.0, np.nan, np.inf)
    ),
    *(
        (lambda one=one: one(estimator="other").fit(X, GRADES), "estimator must be one of .*, got 'other'")
        for one in (SkOrdinal, LightGBM, Mord, XGBoost)
    ),
    (
        lambda: inspection.LearningCurveDisplay.from_estimator(Ridge(), X, Y, train_sizes=[10]),
        r"train_sizes must be shares in \(0, 1\], got \[10\]",
    ),
    (
        lambda: inspection.summary(preprocessing.StandardScaler().fit(X)),
        "estimator must be one of this package or contain one, got StandardScaler",
    ),
    *(
        (lambda one=one: one.fit(X, WORDS), r"categories=\[0, 2, 1|use categories=.*, or numbers")
        for one in (
            StackingClassifier([("svor", SVOR(categories=NAMES))], LogisticRegression(), cv=3),
            CalibratedClassifierCV(SVOR(categories=NAMES), cv=3, ensemble=False),
            CalibratedClassifierCV(SVOR(categories=NAMES), method="temperature"),
        )
    ),
    (lambda: type("Logistic", (Loss,), {"value": lambda self, v: np.logaddexp(0.0, v)}), "a loss must be Loss"),
    *(
        (
            lambda one=one: one(kernel="linear").fit(1e150 * np.arange(1.0, 61)[:, None], GRADES),
            r"entries of X must be at most 1e\+100 .* got 6e\+151: scale X",
        )
        for one in (SwappedPairsSVM, SVOR, FixedMarginSVM, RankSVR, RankBoundarySVM)
    ),
    *(
        (
            lambda of=of: Kernel(**{"name": "poly", "gamma": 1.0, "degree": 2, "coef0": 1.0, **of}),
            "must be a number, got",
        )
        for of in ({"gamma": None}, {"gamma": "wide"}, {"degree": "3"}, {"coef0": np.nan})
    ),
    (lambda: metrics.spearman([3, 3], [5, 4]), "pair"),
    (lambda: metrics.ndcg([1, np.inf, 0], [1.0, 2.0, 3.0]), "y must hold finite gains >= 0 for ndcg, got inf"),
    (lambda: metrics.ndcg([1, -2, 0], [1.0, 2.0, 3.0]), "y must hold finite gains >= 0 for ndcg, got -2"),
    (lambda: metrics.quadratic_kappa([1, 2, 0], [1, np.inf, 2]), "ranks must hold finite grades, got inf"),
    (lambda: random_pairs(X, 3, Y, {}, np.random.default_rng(0)), "kernel must hold the name of a kernel .* got {}"),
    *(
        (lambda of=of: RankSearchCV(scoring=of).fit(X, Y), r"scoring must be callable, one of concordance, .* got")
        for of in (5, ["accuracy"])
    ),
    *((lambda of=of: rank_path(SwappedPairsSVM(), X, Y, Cs=of), "Cs must be numbers > 0, got") for of in ("auto", {})),
    *(
        (lambda of=of: RankSearchCV(of(tol="a")).fit(X, GRADES), "tol must be a finite number > 0, got 'a'")
        for of in (SVOR, SwappedPairsSVM)
    ),
    *(
        (lambda of=of: of.fit(X, Y, pair_weight=np.ones((60, 60))), "pair_weight must be None without pairs, got shape")
        for of in (RankSVR(), RankSearchCV(RankSVR()))
    ),
]


@pytest.mark.parametrize(("call", "message"), MESSAGES, ids=[message[:40] for _, message in MESSAGES])
def test_bad_input_is_named(call, message):
    with pytest.raises((ValueError, TypeError), match="(?s)" + message):
        call()


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


def test_a_column_without_any_value_is_refused_without_warnings():
    with warnings.catch_warnings(), pytest.raises(ValueError, match="none in column 'x3': leave"):
        warnings.simplefilter("error")
        RankSearchCV().fit(np.column_stack([X, np.full(60, np.nan)]), Y)


def test_members_of_an_average_may_be_lists_as_a_file_gives_them():
    members = [["a", SwappedPairsSVM()], ["b", RankSVR()]]
    assert len(RankAverage(members).fit(X, Y).estimators_) == 2


def test_what_took_minutes_in_silence_ends():
    """A linear SVOR with a large C. Steps are counted, not seconds."""
    rng = np.random.default_rng(0)
    hard = SVOR(kernel="linear", C=1e4).fit(rng.standard_normal((4000, 5)), rng.integers(0, 5, 4000))
    assert hard.gap_ <= hard.tol and hard.n_iter_ < 100


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
