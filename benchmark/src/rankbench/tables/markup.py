"""Three markups of one grid of cells: Markdown, LaTeX and HTML."""

import html
from collections.abc import Callable
from dataclasses import dataclass

import jinja2
import pandas as pd

from rankbench.configuration.labels import html_label, tex_label, tex_text

_PAGE = jinja2.Template(
    """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Our numbers and the printed ones</title>
<style>
body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5em; color: #1a1a1a; background: #fff; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { caption-side: bottom; text-align: left; padding-top: 1em; max-width: 60em; }
th, td { padding: 0.25em 0.7em; text-align: right; white-space: nowrap; font-weight: normal; }
thead th { text-align: center; vertical-align: bottom; }
thead th[colspan] { border-bottom: 1px solid #888; }
tbody tr:first-child > * { border-top: 1px solid #888; }
sub, sup { line-height: 0; }
tbody th { text-align: left; }
tbody tr:nth-child(even) { background: #f4f4f4; }
</style>
</head>
<body>
<table>
<caption>{{ caption }}</caption>
<thead>
<tr>
{%- for name, width in heads -%}
{%- if width %}<th colspan="{{ width }}" scope="colgroup">{{ name }}</th>
{%- else %}<th rowspan="2" scope="col">{{ name }}</th>{% endif -%}
{%- endfor -%}
</tr>
<tr>{% for part in parts %}<th scope="col">{{ part }}</th>{% endfor %}</tr>
</thead>
<tbody>
{% for row in rows -%}
<tr><th scope="row">{{ row[0] }}</th>{% for cell in row[1:] %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor -%}
</tbody>
</table>
</body>
</html>
""",
    keep_trailing_newline=True,
)


@dataclass(frozen=True)
class Markup:
    """The functions with which one format writes the parts of a cell and a whole table."""

    label: Callable[[str], str]  # a method's label
    text: Callable[[str], str]  # plain text
    bold: Callable[[str], str]
    plus_minus: str
    minus: str
    less: str
    dagger: str
    table: Callable  # (grid, caption) -> str

    def signed(self, value):
        """Return a number of two decimals with its sign; zero after rounding has a plus."""
        return ("+" if round(value, 2) >= 0 else self.minus) + f"{abs(value):.2f}"


def _markdown(grid, caption):
    flat = grid.set_axis([f"{group} {part}".strip() for group, part in grid.columns], axis=1)
    align = ["left"] + ["right"] * (flat.shape[1] - 1)
    return f"{flat.to_markdown(index=False, disable_numparse=True, colalign=align)}\n\n{caption}\n"


def _latex(grid, caption):
    rules = [{"selector": rule, "props": ":hline;"} for rule in ("toprule", "midrule", "bottomrule")]
    style = grid.style.hide(axis="index").set_table_styles(rules)
    tabular = style.to_latex(column_format="l" + "r" * (grid.shape[1] - 1), multicol_align="c")
    return f"{tabular}\n\\par\\smallskip\\noindent {caption}\n"


def _html(grid, caption):
    heads = {}  # in the order of the columns; 0 for one that has no parts
    for group, part in grid.columns:
        heads[group] = heads.get(group, 0) + bool(part)
    parts = [part for _, part in grid.columns if part]
    return _PAGE.render(caption=caption, heads=heads.items(), parts=parts, rows=grid.to_numpy())


MARKUPS = {
    "md": Markup(
        label=str,
        text=str,
        bold="**{}**".format,
        plus_minus=" ± ",
        minus="−",
        less="<",
        dagger="†",
        table=_markdown,
    ),
    "tex": Markup(
        label=tex_label,
        text=tex_text,
        bold=r"\textbf{{{}}}".format,
        plus_minus=r" $\pm$ ",
        minus="$-$",
        less="$<$",
        dagger=r"$\dagger$",
        table=_latex,
    ),
    "html": Markup(
        label=html_label,
        text=html.escape,
        bold="<strong>{}</strong>".format,
        plus_minus=" ± ",
        minus="−",
        less="&lt;",
        dagger="†",
        table=_html,
    ),
}


def written(frame, lay_out, float_format="%.6g"):
    """Return the text of each format by its ending: the frame as csv, a grid of cell texts as md, tex and html.

    Parameters
    ----------
    frame : DataFrame
    lay_out : callable
        Gets a `Markup` and returns the grid (see `grid_of`) and the caption.
    float_format : str
        Of the csv.
    """
    texts = {"csv": frame.to_csv(index=False, na_rep="NA", float_format=float_format, lineterminator="\n")}
    return texts | {ending: markup.table(*lay_out(markup)) for ending, markup in MARKUPS.items()}


def grid_of(rows):
    """Return the grid of rows ``{(group, part): text}``; a text that a row lacks is empty."""
    grid = pd.DataFrame(rows).fillna("")
    grid.columns = pd.MultiIndex.from_tuples(grid.columns)
    return grid
