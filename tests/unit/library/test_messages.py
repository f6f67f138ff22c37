"""Messages about bad input name the argument, the value that was given and the accepted values."""

import numpy as np
import pandas as pd
import pytest

import rankmargin
from rankmargin import SVOR, ComparisonSVM, SumOfMarginsSVM, SwappedPairsSVM
from rankmargin.ratings import Ratings, elo, glicko

X = np.random.default_rng(0).standard_normal((60, 3))
Y = np.arange(60.0)
WORDS = np.array(["bad", "good", "best"] * 20)


def rank(**fit):
    return SwappedPairsSVM(kernel="linear").fit(X, Y, **fit)


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
        r"contains NaN. SVOR takes no missing values: make_pipeline\(SimpleImputer\(\), SVOR\(\)\) fills them in",
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


@pytest.mark.parametrize(("call", "message"), MESSAGES, ids=[message[:40] for _, message in MESSAGES])
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match="(?s)" + message):
        call()


@pytest.mark.parametrize("name", ["SwappedPairsSVM", "PairwiseRankSVM"])
def test_names_of_others_for_groups_are_told_ours(name):
    with pytest.raises(TypeError, match=f"{name}.fit takes groups=, .*, got qid"):
        getattr(rankmargin, name)().fit(X, Y, qid=np.ones(60))


@pytest.mark.parametrize("name", ["SVOR", "FixedMarginSVM"])
def test_groups_of_an_ordinal_estimator_are_told_why_not(name):
    with pytest.raises(TypeError, match=f"{name}.fit takes sample_weight=, and no groups, since .* got groups"):
        getattr(rankmargin, name)().fit(X, Y // 20, groups=Y)


def test_what_took_minutes_in_silence_ends():
    """A linear SVOR with a large C."""
    rng = np.random.default_rng(0)
    hard = SVOR(kernel="linear", C=1e4, max_seconds=5.0).fit(rng.standard_normal((4000, 5)), rng.integers(0, 5, 4000))
    assert hard.gap_ <= hard.tol


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
