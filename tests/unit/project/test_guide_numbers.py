"""Numbers of the guide are those of the code or of the kept measurements."""

import re

import yaml
from checkout import ROOT, words_of

from rankbench.compare import look, prepare, protocol, read, repeated
from rankbench.statistics import common
from rankmargin import spaces


def rows_of(page):
    """Return the cells of each line of the tables of a page."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    return [tuple(cell.strip() for cell in line.split("|")[1:-1]) for line in lines if line.startswith("|")]


def test_limits_of_a_comparison_are_those_of_its_code():
    page = words_of("docs/guide/your_table.md")
    for said in (
        f"needs at least {look.FEWEST_ROWS} rows. The training part has {protocol.SHARES[0]} percent of them",
        f"at most {protocol.LARGEST:,}. Of more than {look.MOST_USED:,} rows a random sample is used",
        f"{prepare.BUDGET:.0f} by default",
        f"up to {look.MOST_GRADES} grades",
    ):
        assert said in page
    assert read.MOST_ROWS == 1_000_000 and "a file of more than a million is refused" in page
    assert repeated.LARGEST == 0.1 and "more than a tenth of all rows" in page
    assert common.ENOUGH == 90 and "fewer than nine of ten hold-outs" in page


def test_methods_of_a_comparison_are_those_of_its_yamls():
    line = dict(row[:2] for row in rows_of("docs/guide/your_table.md"))
    # RankSearchCV stands behind a method of the contest, `rankbench.papers.today.methods.self_tuning`
    for kind, name in (("values", "numbers"), ("grades", f"up to {look.MOST_GRADES} grades")):
        methods = yaml.safe_load((ROOT / f"src/rankbench/compare/{kind}.yaml").read_text(encoding="utf-8"))["methods"]
        classes = {str(method["uses"]).rpartition(".")[2] for method in methods.values()}
        ours = set(re.findall(r"`(\w+)`", line[name]))
        named = len(line[name].split(", ")) + 1  # two kernels of one
        assert ours - {"RankSearchCV"} <= classes and len(methods) == named


def test_seconds_are_the_measured_ones():
    measured, page = rows_of("benchmarks/README.md"), words_of("docs/guide/kernels_and_scale.md")
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
    said = f"8,000 rows in {kernel['8,000']:.0f} seconds, 20,000 in {seconds} seconds and {memory}"
    assert said in words_of("docs/guide/questions.md")
    maps = {row[:2]: row[2:] for row in measured if row[0] == "exact" or row[0].endswith(" features")}
    few, exact = maps["600 features", "4,000"][1], maps["exact", "4,000"][1]
    assert f"with 600 components swaps {few} of the pairs, the exact one {exact} (4,000 rows)" in page
    assert f"100,000 rows take {float(maps['300 features', '100,000'][0]):.1f} seconds" in page


def test_limits_of_kernels_are_those_of_the_code():
    assert f"up to {spaces.MOST_HELD:,} rows the kernel matrix is held" in words_of("docs/guide/kernels_and_scale.md")
