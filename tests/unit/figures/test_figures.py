"""Figures: what is not seen in the pictures of the pages, which `make docs` compares."""

import io

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

from rankbench.figures import save_figure
from rankbench.figures.critical_difference import bars
from rankbench.figures.style import COLORS, GREY, MORE, curve_look, spread
from rankbench.papers.diez.figures import with_intervals
from rankbench.papers.diez.printed import beside_table1
from rankbench.registry import FIGURES, STATISTICS


def statistics(records, experiment, figures=("dot_plot", "critical_difference")):
    """The statistics that some figures need, through csv as in the workflow."""
    names = {name for figure in figures for name in FIGURES[figure].needs if name in STATISTICS}
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


def test_no_colour_is_given_twice():
    """A comparison with rivals has thirteen methods; each of sixteen colours has a mark and dashes of its own."""
    looks = [curve_look(color) for color in COLORS + MORE]
    assert len({*COLORS, *MORE, GREY}) == 17
    assert len({look["marker"] for look in looks}) == 16 and not {look["marker"] for look in looks} & {"D", "d"}


def test_intervals_are_those_of_the_mean(frames, experiment, titles):
    cells = with_intervals(beside_table1(frames, experiment, titles))
    # t with 19 degrees of freedom: 2.0930 at 0.975
    assert np.allclose(cells["ours_half"], 2.0930 * cells["ours_sd"] / 20**0.5, rtol=1e-4)
    assert np.allclose(cells["published_half"], 2.0930 * cells["published_sd"] / 20**0.5, rtol=1e-4)


def texts_of(figure):
    """Return the texts of a figure that are not hidden."""
    return [text.get_text() for text in figure.findobj(Text) if text.get_visible()]


def test_dot_plot_says_what_is_missing(records, experiment, titles, published):
    data, svor = records["dataset"], records["method"] == "svor5"
    lost = (
        (data == "servo") & svor
        | (data == "stock") & (records["seed"] < 2)
        | (data == "boston") & svor & (records["seed"] > 0)
    )
    frames = statistics(records[~lost], experiment) | {"published": published[published["dataset"] != "Diabetes"]}
    words = texts_of(FIGURES["dot_plot"].draw(frames, experiment, titles))
    assert words.count("incomplete: 0 of 20 runs, 20 absent") == 1
    assert words.count("incomplete: 1 of 20 runs, 19 absent") == 1
    assert {"20 of 60 runs missing", "6 of 60 runs missing", "19 of 60 runs missing"} < set(words)
    assert words.count("paper") == 1
    assert FIGURES["dot_plot"].describe(frames, experiment, titles).endswith("; 2 cells are incomplete.")


def test_files_are_whole_and_the_same_each_time(frames, experiment, titles, tmp_path):
    written = []
    for folder in ("one", "two"):
        figure = FIGURES["critical_difference"].draw(frames, experiment, titles)
        save_figure(figure, tmp_path / folder / "ranks", title="Ranks", description="who is best")
        paths = sorted((tmp_path / folder).iterdir())
        assert [path.name for path in paths] == ["ranks.pdf", "ranks.png", "ranks.svg"]
        written.append([path.read_bytes() for path in paths])
    assert written[0] == written[1]
    pdf, png, svg = written[0]
    assert b"<title>Ranks</title>" in svg and b"who is best" in svg
    assert pdf.startswith(b"%PDF") and b"who is best" in pdf
    assert png.startswith(b"\x89PNG") and b"who is best" in png


def test_critical_difference_says_who_is_not_ranked(records, experiment, titles):
    """SVOR_5 fails on half of the hold-outs of two sets of twelve; Herbrich_5 on one, which is then left out."""
    data, seed = records["dataset"], records["seed"]
    lost = (records["method"] == "svor5") & data.isin(["servo", "stock"]) & (seed < 10)
    lost |= (records["method"] == "herbrich5") & (data == "boston") & (seed > 5)
    frames = statistics(records[~lost], experiment)
    figure = FIGURES["critical_difference"].draw(frames, experiment, titles)
    (note,) = [text for text in texts_of(figure) if text.startswith("joined by a bar")]
    assert "(10 of 12 data sets)" in note and "left out: 1 data set where a ranked method lacks runs" in note
    described = FIGURES["critical_difference"].describe(frames, experiment, titles)
    assert "Average ranks over 11 data sets" in described and "runs are missing: SVOR_5 (10 of 12" in described


def test_bars_join_ranks_that_differ_by_less_than_the_critical_difference():
    """It is the smallest difference that Nemenyi's test calls significant."""
    assert (
        bars([1.0, 2.0], 1.0) == [] and bars([1.0, 2.0], 1.1) == [(1.0, 2.0)] and bars([1.5, 1.5], 1.0) == [(1.5, 1.5)]
    )
    assert bars([2.8, 2.0, 1.2], 1.0) == [(1.2, 2.0), (2.0, 2.8)]


def test_spread_by_hand():
    assert spread([0.0, 5.0], 1) == pytest.approx([0, 5])
    assert spread([0.0, 0.0, 0.0], 1) == pytest.approx([-1, 0, 1])
    assert spread([3.0, 0.0], 1) == pytest.approx([1, 2])  # the order given is kept
