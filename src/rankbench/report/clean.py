"""Clean the HTML of a table that may come from anybody, so that it contains nothing but a table."""

import html
from html.parser import HTMLParser

CELLS = {"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"}
ELEMENTS = CELLS | {"sub", "sup", "b", "strong", "em", "i", "span", "br"}
ATTRIBUTES = frozenset(["scope", "colspan", "rowspan"])
SILENT = frozenset(["script", "style"])  # their content is no text and is dropped too


class _Table(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts, self.silent = [], 0

    def handle_starttag(self, tag, attrs):
        self.silent += tag in SILENT
        if tag in ELEMENTS:
            kept = (f' {name}="{html.escape(value or "")}"' for name, value in attrs if name in ATTRIBUTES)
            self.parts.append(f"<{tag}{''.join(kept)}>")

    def handle_endtag(self, tag):
        self.silent -= tag in SILENT and self.silent > 0
        if tag in ELEMENTS and tag != "br":
            self.parts.append(f"</{tag}>")

    def handle_data(self, data):
        if not self.silent:
            self.parts.append(html.escape(data, quote=False))


def table_of(page):
    """Return the first table of a page, with only those elements and attributes that a table needs.

    Parameters
    ----------
    page : str
        HTML, which may come from anybody.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there is no complete table.
    """
    start, end = page.find("<table"), page.find("</table>")
    if not 0 <= start < end:
        raise ValueError("it has no complete table")
    parser = _Table()
    parser.feed(page[start : end + len("</table>")])
    parser.close()
    return "".join(parser.parts)
