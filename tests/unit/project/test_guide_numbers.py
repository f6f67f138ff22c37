"""Numbers of the guide are those of the code or of the kept measurements."""

import re

import numpy as np
import pandas as pd
import pytest
import yaml
from checkout import ROOT, rows_of, words_of

from rankbench.compare import columns, folder, plan, read
from rankbench.statistics import common
from rankmargin import RankSearchCV
from rankmargin.problem import spaces
from rankmargin.search import ensemble, inputs

SAID = {
    "docs/guide/your_table.md": (
        f"needs at least {columns.FEWEST_ROWS} rows. The training part has {plan.SHARES[0]} percent of them",
        f"at most {plan.LARGEST:,}. Of more than {columns.MOST_USED:,} rows a random sample is used",
        f"A short budget trains on fewer rows, down to {plan.LEAST};",
        f"up to {columns.MOST_GRADES} grades",
        {1_000_000: "a file of more than a million is refused"}[read.MOST_ROWS],
        {0.1: "more than a tenth of all rows"}[folder.RECUR],
        {90: "fewer than nine of ten hold-outs"}[common.ENOUGH],
    ),
    "docs/guide/many_rows.md": (
        f"Up to {ensemble.MANY:,} rows its members are exact",
        f"{ensemble.MOST_ROWS:,} rows choose the metric; up to {ensemble.ROWS_OF_MANY:,} rows choose",
    ),
    "docs/guide/kernels_and_scale.md": (f"up to {spaces.MOST_HELD:,} rows the kernel matrix is held",),
}


@pytest.mark.parametrize(("page", "said"), [(page, said) for page, of in SAID.items() for said in of])
def test_limits_are_those_of_the_code(page, said):
    assert said in words_of(page)


def test_methods_of_a_comparison_are_those_of_its_yamls():
    line = dict(row[:2] for row in rows_of("docs/guide/your_table.md"))
    # RankSearchCV stands behind a method of the contest, `rankbench.papers.today.methods.self_tuning`
    for kind, name in (("values", "numbers"), ("grades", f"up to {columns.MOST_GRADES} grades")):
        methods = yaml.safe_load((ROOT / f"benchmark/src/rankbench/compare/{kind}.yaml").read_text("utf-8"))["methods"]
        classes = {str(method["uses"]).rpartition(".")[2] for method in methods.values()}
        ours = set(re.findall(r"`(\w+)`", line[name]))
        named = len(line[name].split(", ")) + 1  # two kernels of one
        assert ours - {"RankSearchCV"} <= classes and len(methods) == named


def test_seconds_are_the_measured_ones():
    measured = rows_of("benchmarks/README.md")
    guide = dict(row for row in rows_of("docs/guide/kernels_and_scale.md") if len(row) == 2)
    growth = {row[:3]: float(row[3]) for row in measured if len(row) == 5 and row[1] in ("linear", "rbf")}
    linear = [growth[key] for key in growth if key[0].startswith("`") and key[1:] == ("linear", "100,000")]
    assert len(linear) == 6
    assert guide["linear, 100,000 rows, six estimators"] == f"{min(linear):.1f} to {max(linear):.1f}"
    kernel = {rows: growth["`SwappedPairsSVM`", "rbf", rows] for rows in ("2,000", "4,000", "8,000")}
    assert guide["`SwappedPairsSVM`, Gaussian kernel, 2,000 rows"] == f"{kernel['2,000']:.1f}"
    assert guide["4,000 rows"] == f"{kernel['4,000']:.1f}" and guide["8,000 rows"] == f"{kernel['8,000']:.1f}"
    large = re.search(r"20,000 rows and C = 1: ([\d.]+) s and ([\d.]+ GB)", words_of("benchmarks/README.md"))
    seconds, memory = f"{float(large[1]):.0f}", large[2]
    assert guide["20,000 rows"] == f"{seconds}, and {memory}"
    said = f"8,000 rows in {kernel['8,000']:.1f} seconds, 20,000 in {seconds} seconds and {memory}"
    assert said in words_of("docs/guide/questions.md")


def test_leads_on_many_rows_are_those_of_the_table():
    cells = [
        row[1:]
        for row in rows_of("docs/guide/many_rows.md")
        if len(row) == 7 and row[1].strip("*").replace(".", "").isdigit()
    ]
    swapped = np.array([[float(cell.strip("*")) for cell in row] for row in cells])
    assert swapped.shape == (8, 6) and (swapped[:, [0, 3]] <= swapped[:, [1, 4]]).all()  # more rows never made it worse
    leads = swapped[:, [0, 3]] < swapped[:, [2, 5]]
    assert (leads == [[row[0][0] == "*", row[3][0] == "*"] for row in cells]).all()
    assert leads.sum(axis=0).tolist() == [6, 6] and "leads CatBoost on six of eight tables" in words_of("README.md")


def test_seconds_of_a_million_rows_are_the_measured_ones():
    grades = float(dict(row[:2] for row in rows_of("benchmarks/README.md"))["1,000,000 x 50, 5 levels"])
    distinct = float(re.search(r"all targets distinct take ([\d.]+) CPU s", words_of("benchmarks/README.md"))[1])
    line = dict(row for row in rows_of("README.md") if len(row) == 2)["A weighted sum is enough"]
    assert re.findall(r"take \[(\d+)\]\(.*\) to (\d+) seconds", line) == [(f"{grades:.0f}", f"{distinct:.0f}")]


def test_seconds_of_a_large_C_are_the_measured_ones():
    """The table of kernels by C has a column per C: .001 to 1,000, then the memory."""
    measured = {row[:2]: row for row in rows_of("benchmarks/README.md") if row[0] == "4,000" and len(row) > 9}
    guide = dict(row for row in rows_of("docs/guide/kernels_and_scale.md") if len(row) == 2)
    assert guide["1,000, all targets distinct"] == f"{float(measured['4,000', 'distinct'][8]):.1f}"
    assert guide["1,000, five grades"] == f"{float(measured['4,000', '5 grades'][8]):.0f}"
    up_to_100 = max(float(seconds) for row in measured.values() for seconds in row[2:8])
    assert len(measured) == 2 and 1 < up_to_100 < 2 and guide["up to 100"] == "at most 2"


def test_the_space_of_a_search_is_that_of_the_code():
    page, widths = words_of("docs/guide/tuning.md"), inputs.WIDTHS
    assert f"{widths.min():g} to {widths.max():.1f}, {in_words(len(widths))} values at equal ratios" in page
    few, many = (RankSearchCV(param_grid=None).fit(np.arange(n)[:, None], np.arange(n)).Cs_ for n in (500, 501))
    values = f"with {in_words(len(widths))} values of `gamma` and {in_words(len(few))} of `C`"
    assert f"{values} ({in_words(len(many))} above 500 rows)" in page
    assert (few[0], many[-1], few[-1]) == (0.01, 1000, 10_000)
    assert "powers of ten from 0.01 to 1,000, with at most 500 rows also 10,000" in page


def in_words(count):
    return {5: "five", 6: "six", 7: "seven"}[count]


def test_the_first_reproduction_prints_the_golden_numbers():
    golden = pd.read_csv(ROOT / "tests/golden/diez_table1.csv").set_index(["dataset", "method"])["ours_mean"]
    page = words_of("docs/start/first_reproduction.md")
    told = re.search(r"Diabetes ([\d.]+) / \S+ ([\d.]+) / \S+ ([\d.]+) /", page).groups()
    assert told == tuple(f"{golden['Diabetes', name]:.2f}" for name in ("svor5", "herbrich5", "svm_multi_sp"))
