"""The grid search."""

from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankbench.experiments import tune as module
from rankbench.experiments.job import binned
from rankbench.experiments.measures import finite_scores
from rankbench.experiments.preprocess import learn_scaling
from rankbench.experiments.tune import choose, loss_of, tune
from rankmargin import metrics

GRID = {"C": [0.1, 1, 10], "gamma": [0.5, 2]}


def inversions(y, scores):
    return float(np.mean((scores[:, None] <= scores)[y[:, None] > y]))


def method(score, path="C"):
    """Return a method whose model scores with ``score(X, C, gamma)``, and the list of its calls."""
    calls = []

    def fit_method(uses, X, y, values, *, seed, params, groups=None, **given):
        calls.append((tuple(values), params | given | ({} if groups is None else {"groups": groups}), X, seed))
        return [
            SimpleNamespace(
                scores=lambda Z, p={**params, **given, **({path: v} if path else {})}: score(
                    Z, **{k: v for k, v in p.items() if k != "Z"}
                )
            )
            for v in values
        ]

    return SimpleNamespace(fit_method=fit_method, path_of=lambda uses: path), calls


@contextmanager
def used(fake):
    """Let the grid search fit a made method."""
    with pytest.MonkeyPatch.context() as patch:
        for name, function in vars(fake).items():
            patch.setattr(module, name, function)
        yield


def search(fake, y, folds, grid=GRID, X=None, **options):
    scaling = partial(learn_scaling, scaling=options.pop("scaling", "none"))
    options = {"loss": inversions, "scaling": scaling, "seed": ("e", "d"), "params": {}, **options}
    inner = [
        tuple(np.flatnonzero(compared(folds, fold)) for compared in (np.not_equal, np.equal))
        for fold in np.unique(folds)
    ]
    with used(fake):
        return tune("made", np.c_[y] * 1.0 if X is None else X, np.asarray(y, float), inner, grid, **options)


def test_the_best_point_wins_and_paths_run_along_C():
    fake, calls = method(lambda X, C, gamma: X[:, 0] * (1 if (C, gamma) == (10, 2) else -1))
    choice = search(fake, np.arange(12), np.arange(12) % 3)
    assert choice.params == {"C": 10, "gamma": 2} and choice.inner_score == 0
    assert choice.losses.tolist() == [1, 1, 1, 1, 1, 0]
    assert [(values, params) for values, params, *_ in calls] == [((0.1, 1, 10), {"gamma": g}) for g in (0.5, 2)] * 3


@st.composite
def counted(draw):
    """Return wrong pairs by fold and grid point, and the pairs of each fold; often points have the same mean."""
    largest = draw(st.sampled_from([6, 60, 6000]))
    pairs = draw(st.lists(st.integers(1, largest), min_size=1, max_size=5))
    pairs = draw(st.sampled_from([pairs, [largest] * len(pairs)]))
    point = st.tuples(*(st.integers(0, n) for n in pairs))
    first = draw(point)
    others = st.permutations(first) if len(set(pairs)) == 1 else point
    return np.array([first, *draw(st.lists(st.one_of(point, others), min_size=1, max_size=5))]).T, pairs


@given(counted(), st.sampled_from([1, -1]), st.sampled_from([1.0, 1e-9, 3e5]))
def test_the_first_of_the_smallest_fractions_wins(case, sign, unit):
    """Folds of different sizes, losses and gains, in any unit: the choice is that of exact arithmetic."""
    wrong, pairs = case
    exact = [sum(Fraction(sign * k, n) for k, n in zip(column, pairs, strict=True)) for column in wrong.T.tolist()]
    losses = unit * sign * wrong / np.array(pairs)[:, None]
    points = [{"C": at} for at in range(len(exact))]
    if Fraction(1, 10**11) <= min([abs(a - b) for a in exact for b in exact if a != b], default=1):
        assert choose(losses, points).params["C"] == exact.index(min(exact))
    chosen = choose(losses, points).params["C"]
    assert abs(exact[chosen] - min(exact)) <= Fraction(1, 10**10)


def test_a_loss_that_is_no_number_never_wins():
    with pytest.raises(ValueError, match=r"the loss of every grid point must be finite, got nan for \{'C': 2\}"):
        choose([[0.2, 0.3, 0.1], [0.2, np.nan, 0.1]], [{"C": 1}, {"C": 2}, {"C": 3}])
    with pytest.raises(ValueError, match=r"must be finite, got inf for \{'C': 1\}"):
        choose([[np.inf, 0.1]], [{"C": 1}, {"C": 2}])
    fake, _ = method(lambda X, C, gamma: X[:, 0])
    with pytest.raises(ValueError, match=r"got nan for \{'C': 0.1, 'gamma': 0.5\}"):
        search(fake, np.arange(12), np.arange(12) % 3, loss=lambda y, s: np.nan)


def test_each_fold_scales_by_its_own_training_rows_and_has_its_own_seed():
    fake, calls = method(lambda X, C, gamma: X[:, 0])
    search(fake, np.arange(6), np.arange(6) % 2, scaling="standard")
    for _, _, X, _ in calls:
        np.testing.assert_allclose([X.mean(), X.std()], [0, 1], atol=1e-12)
    assert len({seed for *_, seed in calls}) == 2


def test_a_fold_without_a_pair_is_left_out():
    fake, calls = method(lambda X, C, gamma: X[:, 0])
    choice = search(fake, [1, 1, 1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1, 2, 2])
    assert len(calls) == 2 * 2 and choice.inner_score == 0  # fold 0 has one distinct y to judge


def test_a_metric_of_predictions_is_judged_on_single_rows():
    def distance(y, predictions):
        return float(np.mean(np.abs(y - predictions)))

    fake, calls = method(lambda X, C, gamma: X[:, 0] * (C == 10))
    choice = search(fake, [0, 1, 2], [0, 1, 2], loss=distance)
    assert len(calls) == 3 * 2 and choice.params == {"C": 10, "gamma": 0.5} and choice.inner_score == 0


def test_every_fit_and_every_loss_has_its_rows_of_what_comes_beside_X_and_y():
    y, groups, judged = np.arange(6), np.array([3, 3, 3, 3, 5, 5]), []
    fake, calls = method(lambda X, C, gamma, **given: X[:, 0])
    search(
        fake,
        y,
        y % 2,
        pairs={"Z": "pool"},
        groups=groups,
        weights=y + 0.5,
        loss=lambda y, scores, groups, sample_weight: judged.append((y, scores, groups, sample_weight)) or 0.0,
    )
    assert all(given["Z"] == "pool" for _, given, *_ in calls) and (len(calls), len(judged)) == (4, 12)
    learned = [(X[:, 0], X[:, 0], given["groups"], given["weights"]) for _, given, X, _ in calls]
    for part, odd in zip(learned + judged, [1, 1, 0, 0, *[0] * 6, *[1] * 6], strict=True):
        np.testing.assert_array_equal(part, (y[odd::2], y[odd::2], groups[odd::2], y[odd::2] + 0.5))


def test_no_usable_fold_is_an_error():
    fake, _ = method(lambda X, C, gamma: X[:, 0])
    with pytest.raises(ValueError, match="no inner fold has two different targets"):
        search(fake, [1, 1, 2, 2], [0, 0, 1, 1])


def test_what_is_better_higher_is_maximised():
    """Two ties and two unequal pairs in each fold: the model with C = 10 has the right direction, the other not."""
    y, X = np.array([0, 1, -1, 0] * 2), np.array([0.1, 1, -1, 0.2] * 2)[:, None]
    fake, _ = method(lambda X, C, gamma: X[:, 0] * (1 if C == 10 else -1))
    choice = search(fake, y, [0] * 4 + [1] * 4, loss=loss_of("comparison_auc"), X=X)
    assert choice.params == {"C": 10, "gamma": 0.5} and choice.losses.tolist() == [0, 0, 0, 0, -1, -1]
    assert loss_of("swapped_pairs") is metrics.swapped_pairs


def test_targets_may_be_replaced_by_the_bins_of_the_training_part():
    y = np.array([5.0, 1, 2, 3, 4, 100, 200])
    told, options = binned(y, np.arange(5), {"params": {"n_bins": 2, "bin_ties": "split", "kernel": "rbf"}})
    assert told.tolist() == [1, 0, 0, 0, 1, 100, 200] and options["params"] == {"kernel": "rbf"}
    assert y[0] == 5


def test_scores_must_be_finite_and_of_the_right_shape():
    with pytest.raises(FloatingPointError, match="1 of 2 scores are not finite"):
        finite_scores(SimpleNamespace(scores=lambda X: np.array([0, np.nan])), np.zeros((2, 1)))
    with pytest.raises(ValueError, match=r"scores must have shape \(2,\), got \(2, 1\)"):
        finite_scores(SimpleNamespace(scores=lambda X: X), np.zeros((2, 1)))
