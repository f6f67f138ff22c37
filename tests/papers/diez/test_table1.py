"""Table 1 in its four formats, each read back."""

import io
import re

import numpy as np
import pandas as pd
import pytest

from rankbench.labels import figure_label, html_label, tex_label
from rankbench.papers.diez.printed import COLUMNS
from rankbench.registry import STATISTICS, TABLES

CSV_COLUMNS = (
    "dataset method n_runs ours_mean ours_sd published_mean published_sd difference standard_error significance"
)


def render(records, experiment, titles, published=None):
    """Render Table 1 from statistics that went through csv, as in the workflow."""
    table = TABLES["table1"]
    frames = {}
    for name in table.needs:
        text = STATISTICS[name](records, experiment).to_csv(index=False)
        frames[name] = pd.read_csv(io.StringIO(text))
    if published is not None:
        frames["published"] = published
    return table.render(frames, experiment, titles)


def read_csv(text):
    return pd.read_csv(
        io.StringIO(text), dtype={"significance": str}, keep_default_na=False, na_values={"ours_mean": "NA"}
    )


@pytest.fixture
def thinned(records):
    """Records with one cell gone, one with 2 and one with 19 runs missing."""
    svor, data, seed = records["method"] == "svor5", records["dataset"], records["seed"]
    lost = svor & ((data == "servo") | ((data == "stock") & (seed < 2)) | ((data == "bank8") & (seed > 0)))
    return records[~lost]


def test_csv_has_the_columns_of_the_issue(records, experiment, titles, published):
    table = read_csv(render(records, experiment, titles, published)["csv"])
    assert " ".join(table.columns) == " ".join(COLUMNS) == CSV_COLUMNS
    assert len(table) == 36
    assert list(table["dataset"] + table["method"]) == list(published["dataset"] + published["method"])


def test_csv_sets_ours_beside_the_printed_cell(records, experiment, titles, published):
    records["swapped_pairs"] += 0.01
    table = pd.read_csv(io.StringIO(render(records, experiment, titles, published)["csv"]))
    assert np.allclose(table["published_mean"], published["mean_swapped_pct"])
    assert np.allclose(table["difference"], 1)
    assert np.allclose(table["standard_error"], published["sd_swapped_pct"] * (2 / 20) ** 0.5, atol=1e-4)


def test_significance_is_that_of_the_paired_t_test(records, experiment, titles, published):
    table = read_csv(render(records, experiment, titles, published)["csv"])
    tests = STATISTICS["per_dataset"](records, experiment)
    expected = {(titles[row.dataset], row.method): row.t_mark for row in tests.itertuples()}
    assert set(expected.values()) >= {"", "0.01"}
    for row in table.itertuples():
        assert row.significance == expected.get((row.dataset, row.method), "")


def test_standard_error_counts_the_runs_there_are(thinned, experiment, titles, published):
    table = pd.read_csv(io.StringIO(render(thinned, experiment, titles, published)["csv"])).set_index(
        ["dataset", "method"]
    )
    stock = table.loc[("Stock", "svor5")]
    assert stock["n_runs"] == table.loc[("Stock", "herbrich5"), "n_runs"] == 18
    assert stock["standard_error"] == pytest.approx((stock["ours_sd"] ** 2 / 18 + 0.69**2 / 20) ** 0.5, abs=1e-4)


def test_missing_numbers_are_named_not_blank(thinned, experiment, titles, published):
    texts = render(thinned, experiment, titles, published)
    servo = next(line for line in texts["csv"].splitlines() if line.startswith("Servo,svor5"))
    assert servo == "Servo,svor5,0,NA,NA,20.6100,3.0700,NA,NA,untested"
    for ending in ("md", "tex", "html"):
        lacks = (
            "incomplete: 0 of 20 runs, 20 absent",
            "(18 of 20 runs, 2 absent)",
            "incomplete: 1 of 20 runs, 19 absent",
        )
        assert all(words in texts[ending] for words in lacks) and "the hold-outs that all compared" in texts[ending]
        assert "nan" not in texts[ending]


def cells_of(ending, text):
    """Return the body of a rendered table as lists of cells."""
    if ending == "md":
        return [
            [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
        ][1:]
    if ending == "tex":
        body = text.split("\\hline\n")[2]
        return [line.removesuffix(" \\\\").split(" & ") for line in body.splitlines()]
    body = text[text.index("<tbody>") : text.index("</tbody>")]
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line) for line in body.splitlines() if line.startswith("<tr>")]


@pytest.mark.parametrize(
    ("ending", "pyrimidines"),
    [
        ("md", ["22.37†† ± 5.12", "**18.86** ± 3.43"]),
        ("tex", [r"22.37$\dagger$$\dagger$ $\pm$ 5.12", r"\textbf{18.86} $\pm$ 3.43"]),
        ("html", ["22.37†† ± 5.12", "<strong>18.86</strong> ± 3.43"]),
    ],
)
def test_layout_is_the_papers(records, experiment, titles, published, ending, pyrimidines):
    rows = cells_of(ending, render(records, experiment, titles, published)[ending])
    assert [row[0] for row in rows] == list(published["dataset"].unique())
    assert {len(row) for row in rows} == {2 + 3 * 3}
    assert all(all(row) for row in rows)
    assert rows[1][1] == "50 / 24"
    assert [rows[1][3], rows[1][9]] == pyrimidines


def test_bold_is_where_the_published_file_says_lowest(records, experiment, titles, published):
    rows = cells_of("md", render(records, experiment, titles, published)["md"])
    bold = [cell.startswith("**") for row in rows for cell in row[3::3]]
    assert bold == list(published["lowest"])
    assert bold == [cell.startswith("**") for row in rows for cell in row[2::3]]  # ours have the printed means here


def test_without_printed_numbers(records, experiment, titles):
    texts = render(records, experiment, titles)
    for ending in ("md", "tex", "html"):
        assert "printed" not in texts[ending].replace("Our numbers and the printed ones", "")
        assert all(len(row) == 2 + 3 for row in cells_of(ending, texts[ending]))
    assert len(cells_of("md", texts["md"])) == 12
    assert ",NA,NA,NA,NA," in texts["csv"]


def test_latex_braces_and_dollars_balance(records, experiment, titles, published):
    text = render(records, experiment, titles, published)["tex"]
    assert text.count("{") == text.count("}")
    assert text.count("$") % 2 == 0
    assert text.isascii()


def test_labels():
    assert tex_label("SVM_multi^SP") == r"$\mathrm{SVM}_{\mathrm{multi}}^{\mathrm{SP}}$"
    assert html_label("SVM_multi^SP") == "SVM<sub>multi</sub><sup>SP</sup>"
    assert figure_label("SVM_multi^SP") == tex_label("SVM_multi^SP")
    assert (tex_label("a_b_c"), html_label("a_b_c"), figure_label("a_b_c")) == (r"a\_b\_c", "a_b_c", "a_b_c")
