"""What the site adds to plain Markdown: links from the names of the library, and the order of pages from index pages.

The pages use no directive and no role, so that they read the same on a code host. A name such as `SVOR` or
`rankmargin.metrics.swapped_pairs` in code style becomes a link to the reference, and the pages to which an
``index.md`` links are below it.
"""

import re
from pathlib import Path, PurePosixPath

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

REFERENCE = Path(__file__).parents[1] / "reference/index.rst"
LISTED = set(re.findall(r"^   ([A-Za-z_][\w.]*)$", REFERENCE.read_text(encoding="utf-8"), re.MULTILINE))
INCLUDED = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "config/README.md": "configuration.md",
}
LINK = re.compile(r"\]\(([^)#:]+)\.(?:md|rst)\)")


def name_of(text):
    """Return the full name of what a literal names if the reference lists it, or None."""
    name = text.removeprefix("rankmargin.")
    return f"rankmargin.{name}" if name in LISTED and (text != name or "." not in name) else None


class Names(SphinxPostTransform):
    """A literal that names a public object becomes a reference to it."""

    default_priority = 5  # before references are resolved

    def run(self, **kwargs):
        if self.env.docname.startswith("reference/"):
            return
        for literal in list(self.document.findall(nodes.literal)):
            name = name_of(literal.astext())
            if name and not isinstance(literal.parent, (addnodes.pending_xref, nodes.reference)):
                link = addnodes.pending_xref(
                    "", refdomain="py", reftype="obj", reftarget=name, refexplicit=True, refwarn=False
                )
                literal.replace_self(link)
                link += literal


def link_included(app, docname, source):
    """Let links to files outside ``docs`` that a page of the site includes lead to this page."""
    up = "../" * docname.count("/")
    for file, page in INCLUDED.items():
        source[0] = source[0].replace(f"](../{up}{file}", f"]({up}{page}")


def add_toctree(app, docname, source):
    """Append a hidden toctree of the pages that an index page lists, in their order."""
    if PurePosixPath(docname).name not in ("index", "benchmark") or docname.startswith("reference/"):
        return
    links = [link for link in dict.fromkeys(LINK.findall(source[0])) if not link.startswith("..")]
    pages = [link for link in links if PurePosixPath(link).name in ("index", "benchmark") or docname != "index"]
    source[0] += "\n\n```{toctree}\n:hidden:\n:maxdepth: 2\n\n" + "\n".join(pages) + "\n```\n"


def setup(app):
    app.add_post_transform(Names)
    app.connect("source-read", link_included)
    app.connect("source-read", add_toctree)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
