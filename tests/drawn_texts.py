"""The texts of a figure as they are drawn."""

import io
import itertools

import pytest
from matplotlib.text import Text


@pytest.fixture
def drawn_texts(monkeypatch):
    """Function figure -> list of (words, bounding box in pixels) of the texts that are really drawn."""

    def collect(figure):
        seen = {}
        draw = Text.draw

        def record(text, renderer):
            if text.get_visible() and text.get_text().strip():
                seen[text] = text.get_text(), Text.get_window_extent(text, renderer)
            return draw(text, renderer)

        with monkeypatch.context() as patch:
            patch.setattr(Text, "draw", record)
            figure.savefig(io.BytesIO(), format="png", dpi=figure.dpi)
        return list(seen.values())

    return collect


@pytest.fixture
def check_texts(drawn_texts):
    """Function figure -> None, which asserts that its texts are inside the canvas and no two lie on one another."""

    def check(figure):
        texts, canvas = drawn_texts(figure), figure.bbox
        for words, box in texts:
            assert box.x0 >= canvas.x0 - 1 and box.x1 <= canvas.x1 + 1, words
            assert box.y0 >= canvas.y0 - 1 and box.y1 <= canvas.y1 + 1, words
        for (words, box), (other, other_box) in itertools.combinations(texts, 2):
            overlap = box.intersection(box, other_box)
            assert overlap is None or min(overlap.width, overlap.height) < 1, (words, other)

    return check
