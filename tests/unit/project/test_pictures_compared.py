"""`make docs` refuses a picture that shows something else, and a page with other numbers, and nothing else."""

import io

import matplotlib as mpl
import pytest
from checkout import ROOT
from matplotlib.figure import Figure


@pytest.fixture
def pages(monkeypatch):
    """The module that makes the pages."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    import pages

    return pages


def drawn(salt="a", title="", where=0.5, color="C0", width=1.0, marker="o", also=()):
    """Return a picture of a curve with marks, a dotted line and a text."""
    figure = Figure(figsize=(4, 3))
    axis = figure.subplots()
    axis.plot([0, 1, 2, *also], [0, where, 1, *also], color=color, linewidth=width, marker=marker)
    axis.axhline(0.3, linestyle=":")
    axis.set(xlim=(0, 2), ylim=(0, 1), title="Curve")
    axis.text(1, 0.1, title or "mean 0.25")
    out = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": salt}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Description": "A curve."})
    return out.getvalue()


@pytest.mark.parametrize("same", [{}, {"salt": "b"}, {"where": 0.5 + 1e-6}, {"where": 0.5001, "salt": "b"}])
def test_ids_and_digits_that_nobody_sees_are_no_difference(pages, same):
    assert (drawn() != drawn(**same)) == bool(same)
    assert pages.shown.difference(drawn(), drawn(**same), pages.APART) == ""


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"where": 0.501}, "path d is at "),
        ({"color": "C1"}, "path style is 'e; stroke: #1f77b4"),
        ({"width": 1.5}, "path style is '"),
        ({"marker": "s"}, "use style is '"),
        ({"title": "mean 0.26"}, "path d is '"),
        ({"title": "mean 0.2"}, "drawn anew"),
        ({"also": (1.5,)}, "drawn anew"),
    ],
)
def test_what_a_reader_sees_is_a_difference(pages, other, told):
    found = pages.shown.difference(drawn(), drawn(**other), pages.APART)
    assert told in found and "\n" not in found


def test_each_stale_file_has_a_line_with_the_cure(pages, monkeypatch, tmp_path, capsys):
    picture, page, new = tmp_path / "a.svg", tmp_path / "b.md", tmp_path / "new.svg"
    picture.write_bytes(drawn())
    page.write_text("one\ntwo 0.25\n")
    now = {picture: drawn(where=0.6), page: "one\ntwo 0.26\n", new: drawn()}
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    monkeypatch.setattr(pages, "made", lambda: now)
    cure = ": run `make pages`, look at it and commit it"
    first, *rest = pages.main(check=True).splitlines()
    assert first.startswith("a.svg: path d is at ") and first.endswith(cure)
    assert rest == [f"b.md: line 2 is stale{cure}", f"new.svg: it is missing{cure}"]
    pages.main(check=False)
    assert pages.main(check=True) == 0 and page.read_text() == now[page]
    assert "3 files, 3 of them changed" in capsys.readouterr().out


def test_a_picture_of_the_gallery_may_differ_by_the_radius_of_a_mark(pages):
    """Its fits end elsewhere on another processor; the pictures of kept numbers may not."""
    picture = next(pages.gallery.PICTURES.glob("*.svg"))
    near, far = (picture.read_bytes().replace(b'<path d="M 0 ', b'<path d="M %s ' % at, 1) for at in (b"1.5", b"2.5"))
    assert not pages.difference(picture, near) and "drawn anew at 2.5" in pages.difference(picture, far)
    kept = next(pages.pictures.FOLDER.glob("*.svg"))
    assert "at 1.5" in pages.difference(kept, kept.read_bytes().replace(b'<path d="M 0 ', b'<path d="M 1.5 ', 1))
