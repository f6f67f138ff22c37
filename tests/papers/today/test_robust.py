"""Many questions, dependent tables, and tables that would settle a question: on numbers whose answer is known."""

import numpy as np
import pandas as pd
import pytest
from checkout import ROOT
from scipy import stats
from shipped import Kept

from rankbench.papers.today.contest import PLANNED, Errors, asked
from rankbench.papers.today.robust import bootstrap_interval, by_package, clearness, p_of, packages, settled, to_settle


def test_tables_that_settle_have_an_interval_without_zero():
    differences = np.array([-2.0, -1.0, 0.0, 1.0, 1.0, -0.5])
    tables, spread = to_settle(differences), differences.std(ddof=1)
    widths = [stats.t.ppf(0.975, n - 1) * spread / np.sqrt(n) for n in (tables - 1, tables)]
    assert widths[0] > -differences.mean() >= widths[1]
    assert to_settle(np.array([-1.0, 1.0])) == np.inf
    assert settled(1234) == "About 1,234 tables would settle it, if mean and spread stay."
    assert settled(np.inf).startswith("No number of tables")


def test_a_probability_is_clear_from_95_percent():
    assert [clearness(shares) for shares in ((0.95, 0.05, 0), (0, 0.97, 0.03), (0.02, 0, 0.98))] == [
        *("better", "alike", "worse")
    ]
    assert clearness((0.949, 0.051, 0)) == "none"


def test_packages_of_one_table_each_give_the_t_test():
    differences = pd.Series([-1.0, -0.5, 0.2, -0.8, 0.1], index=list("abcde"))
    found = by_package(differences, {name: name for name in "abcde"})
    assert found.n == 5 and found.p == pytest.approx(stats.ttest_1samp(differences, 0).pvalue)
    assert found.p == pytest.approx(p_of(differences))


def test_a_bootstrap_interval_is_that_of_a_mean():
    low, high = bootstrap_interval(np.repeat([0.0, 1.0], 50))
    assert (low, high) == (pytest.approx(0.4, abs=0.01), pytest.approx(0.6, abs=0.01))


def test_copies_of_tables_say_no_more_than_one_of_them():
    differences = pd.Series([-1.0, -0.5, 0.2, -0.8, 0.1] * 4)
    found = by_package(differences, {at: at % 5 for at in range(20)})
    one = differences[:5]
    assert found.n == 5 and found.p == pytest.approx(stats.ttest_1samp(one, 0).pvalue)
    assert found.p > 5 * p_of(differences)
    draws = np.quantile(np.random.default_rng(1).choice(one, (20_000, 5)).mean(axis=1), (0.025, 0.975))
    assert (found.low, found.high) == pytest.approx(draws, abs=0.02)


def test_the_planned_questions_are_those_of_the_protocol():
    averages = Kept("contest_confirm_200", ROOT).averages
    errors, found = Errors(averages), asked(averages)
    alone, adding, in_our_place = (found[members].differences for members in PLANNED.values())
    assert alone.equals(errors.of("self_tuning") - errors.of("catboost"))
    assert adding.equals(errors.of("self_tuning", "catboost") - errors.of("catboost", "extra_trees"))
    assert in_our_place.equals(errors.of("self_tuning", "catboost") - errors.of("svr", "catboost"))
    assert set(alone.index) <= set(packages())
