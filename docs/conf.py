"""The documentation site. ``make docs`` builds it without a network: no page loads anything from elsewhere."""

import os
import re
import sys
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # small matrices and several BLAS threads are slow where cores are busy
DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS / "_ext"))

import rankmargin  # noqa: E402

project = "rankmargin"
author = "the rankmargin developers"
copyright = author
version = release = rankmargin.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "numpydoc",
    "myst_parser",
    "mathml",
    "names",
]
nitpicky = True
smartquotes = False
highlight_language = "none"
toc_object_entries_show_parents = "hide"
exclude_patterns = ["_build"]
templates_path = ["_templates"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False


def skip_what_is_not_ours(app, what, name, obj, skip, options):
    """Leave out what a class inherits from scikit-learn or Python, whose pages explain it."""
    return skip or (callable(obj) and not (getattr(obj, "__module__", None) or "").startswith("rankmargin"))


def without_way_back(app, page, template, context, doctree):
    """Leave out links from sources to the reference: viewcode knows one name for all that a module holds."""
    if page.startswith("_modules/"):
        context["body"] = re.sub(r'<a class="viewcode-back".*?</a>', "", context["body"])


def setup(app):
    app.connect("autodoc-skip-member", skip_what_is_not_ours)
    app.connect("html-page-context", without_way_back)


html_theme = "pydata_sphinx_theme"
html_title = f"rankmargin {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "show_prev_next": True,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "secondary_sidebar_items": {  # elsewhere wide tables and lines of code need the room
        pages: ["page-toc"] for pages in ("*", "design/*", "guide/*", "start/*")
    },
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "changelog": [], "contributing": []}
