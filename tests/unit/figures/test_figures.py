"""Figures as they are drawn: every name and every number is there."""

import io
import itertools

import numpy as np
import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.figures import save_figure
from rankbench.figures.method_rows import OFFSET
from rankbench.figures.style import GREY, PALE, spread
from rankbench.papers.diez.figures import with_intervals
from rankbench.papers.diez.printed import beside_table1
from rankbench.registry import FIGURES, STATISTICS


def statistics(records, experiment, figures=("dot_plot", "critical_difference")):
    """The statistics that some figures need, through csv as in the workflow."""
    names = {"nemenyi", *(name for figure in figures for name in FIGURES[figure].needs if name in STATISTICS)}
    texts = {name: STATISTICS[name](records, experiment).to_csv(index=False) for name in names}
    return {name: pd.read_csv(io.StringIO(text)) for name, text in texts.items()}


@pytest.fixture(scope="session")
def all_frames(all_records, experiment, published):
    """The frames of two figures."""
    return statistics(all_records, experiment) | {"published": published}


@pytest.fixture
def frames(all_frames):
    """`all_frames`, in a dict to be changed at will."""
    return dict(all_frames)


@pytest.fixture
def curves(experiment):
    """A summary over three training sizes, two data sets and two metrics, and its experiment."""
    conditions = {f"m{n}": {"n_train": n} for n in (5, 10, 20)}
    metrics = ["rank_inversions", "zero_one"]
    learning = Experiment.of(
        experiment.document, conditions=conditions, metrics=metrics, datasets={"stock": {}, "bank8": {}}
    )
    cells = itertools.product(learning.datasets, conditions, metrics, learning.methods)
    rows = [
        {"dataset": d, "condition": c, "metric": m, "method": k, "mean": 0.4 / conditions[c]["n_train"], "sd": 0.1}
        for d, c, m, k in cells
    ]
    return {"summary": pd.DataFrame(rows).assign(n_runs=20, n_missing=0, shortfall="")}, learning


def test_learning_curves_draw_the_means_and_their_intervals(curves, titles):
    figure = FIGURES["learning_curves"].draw(*curves, titles)
    assert len(figure.axes) == 4
    line = figure.axes[0].lines[0]
    assert line.get_xdata().tolist() == [5, 10, 20]
    assert line.get_ydata() == pytest.approx([0.08, 0.04, 0.02])
    band = figure.axes[0].collections[0].get_paths()[0].vertices
    assert band[:, 1].max() == pytest.approx(0.08 + 2.0930 * 0.1 / 20**0.5, abs=1e-4)
    note = "ands: 95 percent intervals of the mean over the seeds"
    text = FIGURES["learning_curves"].describe(*curves, titles)
    assert "0.020" in text and text.endswith(f" B{note}.") and figure.get_supxlabel() == f"b{note}"


@pytest.mark.parametrize(
    ("sizes", "scale"), [([5, 10, 15, 20], "linear"), ([50, 160, 500, 1600, 5000], "log"), ([40, 160], "linear")]
)
def test_sizes_that_grow_by_factors_lie_on_a_logarithmic_axis(curves, titles, sizes, scale):
    frames, experiment = curves
    conditions = {f"n_{size}": {"n_train": size} for size in sizes}
    first = frames["summary"].drop_duplicates(["dataset", "metric", "method"])
    summary = pd.concat([first.assign(condition=name) for name in conditions])
    figure = FIGURES["learning_curves"].draw(
        {"summary": summary}, Experiment.of(experiment.document, conditions=conditions), titles
    )
    axis = figure.axes[0]
    assert axis.get_xscale() == scale and [text.get_text() for text in axis.get_xticklabels()][-1] == f"{sizes[-1]:,}"


@pytest.fixture
def many_curves(curves):
    """Eleven methods on one data set whose errors fall with the size and are near one another; m0 is best at the end,
    m10 last, and with the fewest rows it is the other way round."""
    document = curves[1].document
    methods = {f"m{at}": {**document["methods"]["svor5"], "label": f"Method {at}"} for at in range(11)}
    experiment = Experiment.of(document, methods=methods, datasets={"stock": {}}, reference_method="m0")
    sizes = {name: condition.n_train for name, condition in experiment.conditions.items()}
    rows = [
        {"dataset": "stock", "condition": name, "metric": metric, "method": f"m{at}", "mean": 1 / n}
        | {"sd": 0.01, "n_runs": 10, "n_missing": 0, "shortfall": ""}
        for name, n in sizes.items()
        for metric in experiment.metrics
        for at in range(11)
    ]
    summary = pd.DataFrame(rows)
    at = summary["method"].str[1:].astype(float)
    summary["mean"] *= 1 + 0.01 * np.where(summary["condition"] == "m20", at, 10 - at)
    return {"summary": summary}, experiment


def test_of_many_methods_the_best_at_the_largest_size_have_colours(many_curves, titles):
    figure = FIGURES["learning_curves"].draw(*many_curves, titles)
    (axis,) = figure.axes
    assert len(axis.lines) == 11 and not axis.collections
    colored = [line for line in axis.lines if line.get_color() != PALE]
    assert [line.get_ydata()[-1] for line in colored] == pytest.approx([0.05, 0.0505, 0.051, 0.0515])
    assert len({line.get_color() for line in colored}) == 4
    names = [text for text in axis.texts if text.get_text().startswith("Method")]
    heights = {text.get_text(): text.xyann[1] for text in names}
    assert [text for text, _ in sorted(heights.items(), key=lambda item: item[1])] == [f"Method {k}" for k in range(11)]
    assert min(heights.values()) >= 0 and max(heights.values()) <= 1
    assert {text.get_color() for text in names} == {GREY, *(line.get_color() for line in colored)}
    low, high = axis.get_ylim()
    assert axis.get_yscale() == "log" and 0.045 < low < 0.05 and 0.22 < high < 0.23
    assert (
        FIGURES["learning_curves"]
        .describe(*many_curves, titles)
        .endswith("In colour: the best methods at the largest size.")
    )


def test_learning_curves_of_single_runs_have_no_bands(curves, titles):
    frames, experiment = curves
    single = {"summary": frames["summary"].assign(n_runs=1, sd=np.nan)}
    low, high = FIGURES["learning_curves"].draw(single, experiment, titles).axes[0].get_ylim()
    assert 0.015 < low < 0.02 and 0.08 < high < 0.1


def test_the_name_of_a_users_file_is_no_formula(many_curves, drawn_texts):
    figure = FIGURES["learning_curves"].draw(*many_curves, {"stock": "my_wines.csv: price_in_$ at 5 $"})
    assert r"my_wines.csv: price_in_\$ at 5 \$" in drawn_texts(figure)


def test_of_gains_the_highest_have_colours(many_curves, titles):
    frames, experiment = many_curves
    gains = Experiment.of(experiment.document, metrics=["kendall_tau"])
    summary = frames["summary"].assign(metric="kendall_tau", mean=lambda frame: 1 - frame["mean"])
    (axis,) = (
        FIGURES["learning_curves"]
        .draw({"summary": summary.drop_duplicates(["condition", "method"])}, gains, titles)
        .axes
    )
    colored = [line.get_ydata()[-1] for line in axis.lines if line.get_color() != PALE]
    assert axis.get_yscale() == "linear" and colored == pytest.approx([0.95, 0.9495, 0.949, 0.9485])


def test_labels_stay_inside_their_limits():
    """Three labels wanted at the bottom touch it, three wanted at the top end there, and free ones do not move."""
    assert spread([0.0, 0.01, 0.02], 0.1, 0.0, 1.0) == pytest.approx([0.0, 0.1, 0.2])
    assert spread([0.98, 0.99, 1.0], 0.1, 0.0, 1.0) == pytest.approx([0.8, 0.9, 1.0])
    assert spread([0.2, 0.5], 0.1, 0.0, 1.0) == pytest.approx([0.2, 0.5])


def test_learning_curves_need_a_size_in_every_condition(frames, experiment, titles):
    with pytest.raises(ValueError, match=r"conditions must set n_train .* got none in \['default'\]"):
        FIGURES["learning_curves"].draw(frames, experiment, titles)


def test_dot_plot_names_every_data_set_and_method(frames, experiment, titles, drawn_texts):
    words = drawn_texts(FIGURES["dot_plot"].draw(frames, experiment, titles))
    assert set(titles.values()) < set(words)
    assert words.count(r"$\mathrm{SVM}_{\mathrm{multi}}^{\mathrm{SP}}$") == 4  # once a line of panels
    assert words.count("ours") == words.count("paper") == 1


def test_dot_plot_draws_both_means_of_every_cell(frames, experiment, titles):
    figure = FIGURES["dot_plot"].draw(frames, experiment, titles)
    cells = beside_table1(frames, experiment, titles)
    for axis in figure.axes:
        panel = cells[cells["dataset"] == axis.get_title(loc="left")].set_index("method").loc[list(experiment.methods)]
        points = {
            (line.get_marker(), *line.get_xydata()[0].round(6)) for line in axis.lines if line.get_marker() in "oD"
        }
        low, high = axis.get_xlim()
        assert len(points) == 6
        for row, cell in enumerate(panel.itertuples()):
            assert ("o", round(cell.ours_mean, 6), round(row - OFFSET, 6)) in points
            assert ("D", round(cell.published_mean, 6), round(row + OFFSET, 6)) in points
            assert low < cell.ours_mean < high
            assert low < cell.published_mean < high


def test_intervals_are_those_of_the_mean(frames, experiment, titles):
    cells = with_intervals(beside_table1(frames, experiment, titles))
    # t with 19 degrees of freedom: 2.0930 at 0.975
    assert np.allclose(cells["ours_half"], 2.0930 * cells["ours_sd"] / 20**0.5, rtol=1e-4)
    assert np.allclose(cells["published_half"], 2.0930 * cells["published_sd"] / 20**0.5, rtol=1e-4)


def test_dot_plot_without_printed_values_centres_ours_and_starts_at_0(records, experiment, titles, drawn_texts):
    records["swapped_pairs"] = (records["seed"] == 0) * 0.1
    records.loc[records["dataset"] == "servo", "status"] = "failed"
    figure = FIGURES["dot_plot"].draw(statistics(records, experiment), experiment, titles)
    for axis in figure.axes:
        arms = [segment for bars in axis.collections for segment in bars.get_segments()]
        if axis.get_title(loc="left") == "Servo":
            assert not arms and len(axis.get_xticks()) == 0
            continue
        assert [line.get_ydata()[0] for line in axis.lines if line.get_marker() == "o"] == [0, 1, 2]
        assert len(arms) == 3 and all(low == 0 < high for (low, _), (high, _) in arms)
    words = drawn_texts(figure)
    assert words.count("incomplete: 0 of 20 runs, 20 failed") == 3 and "ours" not in words


def test_dot_plot_says_what_is_missing(records, experiment, titles, published, drawn_texts):
    data, svor = records["dataset"], records["method"] == "svor5"
    lost = (
        (data == "servo") & svor
        | (data == "stock") & (records["seed"] < 2)
        | (data == "boston") & svor & (records["seed"] > 0)
    )
    frames = statistics(records[~lost], experiment) | {"published": published[published["dataset"] != "Diabetes"]}
    words = drawn_texts(FIGURES["dot_plot"].draw(frames, experiment, titles))
    assert words.count("incomplete: 0 of 20 runs, 20 absent") == 1
    assert words.count("incomplete: 1 of 20 runs, 19 absent") == 1
    assert {"20 of 60 runs missing", "6 of 60 runs missing", "19 of 60 runs missing"} < set(words)
    assert words.count("paper") == 1
    assert FIGURES["dot_plot"].describe(frames, experiment, titles).endswith("; 2 cells are incomplete.")


def test_critical_difference_joins_what_nemenyi_does_not_tell_apart(frames, experiment, titles):
    figure = FIGURES["critical_difference"].draw(frames, experiment, titles)
    ranks = frames["ranks"].set_index("method")["average_rank"]
    bars = [tuple(sorted(line.get_xdata())) for line in figure.axes[0].lines if len(set(line.get_ydata())) == 1]
    p = frames["nemenyi"].set_index(["method", "other"])["p"]
    apart = set(p.index[p < 0.05])
    assert bars
    for a, b in itertools.combinations(ranks.index, 2):
        joined = any(bar[0] <= min(ranks[a], ranks[b]) and max(ranks[a], ranks[b]) <= bar[-1] for bar in bars)
        assert joined != ((a, b) in apart or (b, a) in apart)


def test_critical_difference_draws_a_panel_a_metric(frames, experiment, titles, drawn_texts):
    both = {name: pd.concat([frames[name], frames[name].assign(metric="zero_one")]) for name in ("ranks", "nemenyi")}
    words = drawn_texts(FIGURES["critical_difference"].draw(both, experiment, titles))
    assert "average rank (1 = fewest swapped pairs)" in words
    assert "average rank (1 = fewest wrong ranks)" in words
    described = FIGURES["critical_difference"].describe(both, experiment, titles)
    assert described.startswith("swapped_pairs: Average ranks") and " zero_one: Average ranks" in described


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dot_plot", "of 36 cells with both, 36 differ by at most two standard errors"),
        ("critical_difference", "best first: SVM_multi^SP 1.54, Herbrich_5 2.08, SVOR_5 2.38; Friedman p = 0.11"),
    ],
)
def test_descriptions_carry_the_numbers(frames, experiment, titles, name, expected):
    assert expected in FIGURES[name].describe(frames, experiment, titles)


def test_files_are_whole_and_the_same_each_time(frames, experiment, titles, tmp_path):
    written = []
    for folder in ("one", "two"):
        figure = FIGURES["critical_difference"].draw(frames, experiment, titles)
        paths = save_figure(figure, tmp_path / folder / "ranks", title="Ranks", description="who is best")
        assert sorted(path.name for path in (tmp_path / folder).iterdir()) == ["ranks.pdf", "ranks.png", "ranks.svg"]
        written.append([path.read_bytes() for path in paths])
    assert written[0] == written[1]
    svg, pdf, png = written[0]
    assert b"<title>Ranks</title>" in svg and b"who is best" in svg
    assert pdf.startswith(b"%PDF") and b"who is best" in pdf
    assert png.startswith(b"\x89PNG") and b"who is best" in png


@pytest.mark.parametrize(("n_datasets", "n_methods", "n_seeds"), [(3, 3, 2), (1, 2, 1), (2, 5, 3)])
def test_small_experiments_without_printed_numbers(n_datasets, n_methods, n_seeds, drawn_texts):
    datasets, methods = [f"set_{i}" for i in range(n_datasets)], [f"a_made_method_{i}" for i in range(n_methods)]
    cells = itertools.product(datasets, ["default"], methods, range(n_seeds))
    records = pd.DataFrame(cells, columns=["dataset", "condition", "method", "seed"])
    values = np.random.default_rng(0).random(len(records))
    records = records.assign(
        n_train=40, n_test=20, n_pool=0, sample_seconds=0.1, status="ok", reason="", swapped_pairs=values
    ).assign(tune_seconds=1.0, fit_seconds=0.1, peak_megabytes=150.0, params="{}")
    experiment = Experiment.of(
        {
            "datasets": {dataset: {"n_train": 40, "n_test": 20} for dataset in datasets},
            "conditions": {"default": {}},
            "methods": {method: {"label": method} for method in methods},
            "metrics": ["swapped_pairs"],
            "seeds": n_seeds,
            "reference_method": methods[0],
        }
    )
    frames, titles = statistics(records, experiment), dict(zip(datasets, datasets))
    for name in ("dot_plot", "critical_difference"):
        words = " ".join(text for text in drawn_texts(FIGURES[name].draw(frames, experiment, titles)))
        assert words.count("a_made_method_") >= n_methods
        assert "nan" not in FIGURES[name].describe(frames, experiment, titles)


def test_ranks_of_one_method_are_refused(records, experiment, titles):
    frames = statistics(records[records["method"] == "svm_multi_sp"], experiment)
    with pytest.raises(ValueError, match="fewer than two methods have enough runs to be ranked"):
        FIGURES["critical_difference"].draw(frames, experiment, titles)


def test_critical_difference_says_who_is_not_ranked(records, experiment, titles, drawn_texts):
    """SVOR_5 fails on half of the hold-outs of two sets of twelve; Herbrich_5 on one, which is then left out."""
    data, seed = records["dataset"], records["seed"]
    lost = (records["method"] == "svor5") & data.isin(["servo", "stock"]) & (seed < 10)
    lost |= (records["method"] == "herbrich5") & (data == "boston") & (seed > 5)
    frames = statistics(records[~lost], experiment)
    figure = FIGURES["critical_difference"].draw(frames, experiment, titles)
    (note,) = [text for text in drawn_texts(figure) if text.startswith("joined by a bar")]
    assert "(10 of 12 data sets)" in note and "left out: 1 data sets where a ranked method lacks runs" in note
    described = FIGURES["critical_difference"].describe(frames, experiment, titles)
    assert "Average ranks over 11 data sets" in described and "runs are missing: SVOR_5 (10 of 12" in described


def test_spread_by_hand():
    assert spread([0.0, 5.0], 1) == pytest.approx([0, 5])
    assert spread([0.0, 0.0, 0.0], 1) == pytest.approx([-1, 0, 1])
    assert spread([3.0, 0.0], 1) == pytest.approx([1, 2])  # the order given is kept
