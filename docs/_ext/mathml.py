"""Formulas as MathML, which browsers draw themselves: no script, no fonts from elsewhere, right in light and dark."""

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml


def write_inline(writer, node):
    writer.body.append(tex2mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def write_block(writer, node):
    writer.body.append(f'<div class="formula">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (write_inline, None), (write_block, None))
    app.config.html_math_renderer = "mathml"
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
