"""Spaces of settings: what is drawn, in which order, when a search ends, and what an edge is."""

from types import SimpleNamespace

import numpy as np
import pytest

from rankbench.configuration.space import batches_of, edges_of
from rankbench.experiments import tune as tune_module
from rankbench.experiments.tune import tune

C = {"low": 1e-4, "high": 1e3, "scale": "log"}
TREES = {"low": 2, "high": 64, "scale": "log", "whole": True}
SHARE = {"low": 0.4, "high": 1.0, "scale": "linear", "open": "high"}
GAMMA = {"low": 1e-4, "high": 10, "scale": "log", "by": "columns"}


def settings(space, most=200, seed=0, n_columns=5):
    """Return the settings of all batches one after the other."""
    drawn = batches_of(space, {"settings": most}, np.random.default_rng(seed), n_columns)
    return [setting for batch in drawn for setting in batch]


def test_a_budget_that_is_enough_for_a_grid_draws_nothing_twice():
    grid = {"C": [1, 10], "gamma": [0.1, 1]}
    assert settings(grid, 4) == batches_of(grid, {}, np.random.default_rng(0), 5)[0]
    assert len(settings(grid, 3)) == 3 and settings({}, 60) == [{}]


def test_draws_fill_a_range_in_its_own_scale():
    drawn = settings({"C": C, "share": SHARE}, most=2001)[1:]
    for name, low, high, scaled in (("C", -4, 3, np.log10), ("share", 0.4, 1, float)):
        places = [(scaled(one[name]) - low) / (high - low) for one in drawn]
        assert min(places) >= 0 and max(places) <= 1
        np.testing.assert_allclose(np.histogram(places, 4, (0, 1))[0] / 2000, 0.25, atol=0.04)


def test_whole_numbers_reach_both_ends():
    drawn = [one["trees"] for one in settings({"trees": TREES}, most=2000)[1:]]
    assert all(isinstance(value, int) for value in drawn)
    assert {2, 3, 63, 64} <= {*drawn} and min(drawn) == 2 and max(drawn) == 64
    np.testing.assert_allclose(np.mean(np.array(drawn) == 2), np.log(2.5 / 1.5) / np.log(64.5 / 1.5), atol=0.03)


def test_the_first_setting_is_what_the_space_says_and_else_the_default():
    assert settings({"C": {**C, "first": 1}, "kind": ["b", "a"], "share": SHARE}, 1) == [{"C": 1, "kind": "b"}]
    assert settings({"gamma": {**GAMMA, "first": 1}}, 1, n_columns=5) == [{"gamma": 0.2}]


def test_a_path_is_one_batch_and_never_more_than_is_left():
    batches = batches_of({"gamma": GAMMA, "C": {**C, "together": 6}}, {"settings": 10}, np.random.default_rng(0), 5)
    assert [len(batch) for batch in batches] == [1, 6, 3]
    path = batches[1]
    assert len({one["gamma"] for one in path}) == 1
    assert [one["C"] for one in path] == sorted(one["C"] for one in path)
    assert np.diff(np.log10([one["C"] for one in path])).max() < 2 * 7 / 6, "one in each sixth of the range"


@pytest.mark.parametrize(
    ("setting", "edges"),
    [
        ({"C": 1e-4}, "C low"),
        ({"C": 10**-3.66}, "C low"),
        ({"C": 10**-3.64}, ""),
        ({"C": 10**2.66}, "C high"),
        ({"share": 0.99}, ""),
        ({"share": 0.42}, "share low"),
        ({"trees": 2}, "trees low"),
        ({"trees": 3}, ""),
        ({"trees": 63}, ""),
        ({"trees": 64}, "trees high"),
        ({"gamma": 2.0}, "gamma high"),
        ({"gamma": 1.0}, ""),
        ({"list": 1}, "list low"),
        ({"list": 2}, ""),
        ({"two": 1}, ""),
        ({"power": 2}, ""),
        ({"kind": "a"}, ""),
        ({"C": 1000, "trees": 2}, "C high, trees low"),
        ({}, ""),
    ],
)
def test_edges_by_hand(setting, edges):
    space = {"C": C, "share": SHARE, "trees": TREES, "gamma": GAMMA, "list": [1, 2, 4], "two": [1, 2]}
    space["power"] = [2, 1, 1.5]
    space["kind"] = ["a", "b", "c"]
    assert edges_of(setting, space, n_columns=5) == edges


def test_the_final_fit_has_the_mean_number_of_trees_of_the_folds(monkeypatch):
    given = []

    def fit_method(uses, X, y, values, *, seed, params, groups, held_out):
        given.append((len(X), *map(len, held_out)))
        trees = {1: (7, 10), 2: (100, 3)}[params["depth"]][(len(given) - 1) // 2]
        return [SimpleNamespace(scores=lambda Z: np.zeros(len(Z)) - params["depth"], n_trees=trees)]

    monkeypatch.setattr(tune_module, "fit_method", fit_method)
    monkeypatch.setattr(tune_module, "path_of", lambda uses: None)
    X, y, rows = np.arange(9.0)[:, None], np.arange(9.0), np.arange(9)
    inner = [(rows[rows % 3 != k], rows[rows % 3 == k]) for k in (0, 1)]
    told = {"loss": lambda y, s: -s.mean(), "scaling": lambda X: lambda Z: Z, "seed": ("e",), "params": {}}
    choice = tune("made.Method", X, y, inner, {"depth": [2, 1]}, stops="n_estimators", **told)
    assert choice.params == {"depth": 1, "n_estimators": 8} and given == [(6, 3, 3)] * 4


def test_settings_that_fail_are_left_out_of_a_search_and_end_a_grid(monkeypatch):
    def fit_method(uses, X, y, values, *, seed, params, groups):
        if any(value > 10 for value in values):
            raise ValueError("did not converge")
        return [SimpleNamespace(scores=lambda Z, C=value: np.zeros(len(Z)) + C) for value in values]

    monkeypatch.setattr(tune_module, "fit_method", fit_method)
    monkeypatch.setattr(tune_module, "path_of", lambda uses: "C")
    X, y, rows = np.arange(6.0)[:, None], np.arange(6.0), np.arange(6)
    told = {"loss": lambda y, s: -s.mean(), "scaling": lambda X: lambda Z: Z, "seed": ("e",), "params": {}}
    told |= {"X": X, "y": y, "inner": [(rows[::2], rows[1::2])]}
    budget, path = {"settings": 13, "seconds": 1e9}, {**C, "first": 1, "together": 6}
    choice = tune("made.Method", grid={"C": path}, budget=budget, **told)
    assert len(choice.losses) + choice.n_failed == 13 and 2 <= choice.n_failed <= 6
    assert 1 < choice.params["C"] <= 10
    with pytest.raises(ValueError, match="did not converge"):
        tune("made.Method", grid={"C": [1, 100]}, **told)
    with pytest.raises(ValueError, match="did not converge"):
        tune("made.Method", grid={"C": {**path, "low": 20, "first": 20}}, budget=budget, **told)
