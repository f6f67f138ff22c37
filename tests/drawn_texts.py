"""The texts of a figure as they are drawn."""

import pytest
from matplotlib.text import Text


@pytest.fixture
def drawn_texts(monkeypatch):
    """Function figure -> words of the texts that are really drawn."""

    def collect(figure):
        seen = {}
        draw = Text.draw

        def record(text, renderer):
            if text.get_visible() and text.get_text().strip():
                seen[text] = text.get_text()
            return draw(text, renderer)

        with monkeypatch.context() as patch:
            patch.setattr(Text, "draw", record)
            figure.draw_without_rendering()
        return list(seen.values())

    return collect
