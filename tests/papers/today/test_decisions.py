"""The worth of a rule on tables left out, counted by hand."""

import pandas as pd
import pytest

from rankbench.papers.today.decisions import decisions

FEATURES = pd.DataFrame({"rows": [100, 120, 200, 200], "nominal": [0.0] * 4, "noise": [0.4, 0.1, 0.4, 0.1]})


def test_a_rule_that_is_right_everywhere():
    found = decisions(FEATURES, pd.Series([-0.02, -0.04, 0.01, 0.03])).set_index(["feature", "side"])
    rows = found.loc["training rows"]
    assert rows["tables"].to_list() == [2, 2] and rows["better"].to_list() == [2, 0]
    assert rows["difference"].to_list() == pytest.approx([-0.03, 0.02])
    assert set(rows["right"]) == {1.0}
    # the others' mean: without the first 0, without the second 0, then -0.01 and -0.05 / 3: rival, rival, ours, ours
    assert set(rows["always"]) == {0.0}
    assert rows["gain"].to_list() == pytest.approx([0.025, 0.025])


def test_a_rule_without_a_second_side_is_the_choice_for_all():
    found = decisions(FEATURES, pd.Series([0.02, 0.04, 0.0, 0.03])).set_index(["feature", "side"])
    rows = found.loc["share of nominal columns"]
    assert rows["tables"].to_list() == [4, 0]
    assert set(rows["right"]) == set(rows["always"]) == {0.875}, "equal errors count half"
    assert set(rows["gain"]) == {0.0}
