"""Run the examples of docs/gallery and write each as a page with its output and pictures: ``{name}.md``.

An example is a program with a docstring, whose first line is the title, and with parts: ``# %%``, comments that become
text, and code. The text of a part that draws ends with a paragraph ``Picture: ...``, the text alternative. ``make
pages`` writes the pages.
"""

import ast
import contextlib
import io
import re
import warnings
from pathlib import Path
from unittest.mock import patch

import matplotlib as mpl
from threadpoolctl import threadpool_limits

mpl.use("agg")
import matplotlib.pyplot as plt

FOLDER = Path(__file__).parent / "gallery"
ORDER = (  # the most usual question first
    *("mixed_table", "rank_products", "grade_cars", "groups", "leaderboard", "look_inside", "ties", "patients"),
    *("weight_of_rows", "grade_wines", "margins_or_likelihood", "few_targets", "games", "stop_early", "which_pairs"),
)
OPENING = """\
Each example answers a practical question in seconds, on data from scikit-learn, from the repository, or simulated.
The examples are scripts: run `python plot_grade_cars.py` in the folder `docs/gallery` of a clone. They
need pandas and matplotlib besides the library, and read their data from the clone.
"""
PICTURES = FOLDER / "pictures"
APART = 2.0  # points, the radius of a mark: another processor ends a fit at another point within its tolerance
PART = re.compile(r"^# %%\n((?:#.*\n)*)", re.MULTILINE)
LOOK = {
    "figure.figsize": (7.0, 3.6),
    "figure.constrained_layout.use": True,
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "legend.frameon": False,
    "lines.markersize": 4,
    "savefig.dpi": 150,
    "svg.hashsalt": "rankbench",
}


def examples():
    return sorted(FOLDER.glob("plot_*.py"), key=lambda path: ORDER.index(path.stem.removeprefix("plot_")))


def page_of(example):
    return FOLDER / f"{example.stem.removeprefix('plot_')}.md"


def made():
    """Return path -> content of the page of each example, of its pictures, and of the page that lists them."""
    files = {path: content for example in examples() for path, content in run(example, told(example)).items()}
    return files | {FOLDER / "index.md": listing()}


def listing():
    """Return the page that lists the examples, each with its first picture and its title."""
    named = [(heading(told(example)), page_of(example)) for example in examples()]
    lines = [f"- [![{title}](pictures/{page.stem}_1.svg)]({page.name}) [{title}]({page.name})" for title, page in named]
    return f"# Gallery\n\n{OPENING}\n" + "\n".join(lines) + "\n"


def told(example):
    """Return (text, code) of each part; the first text is the docstring."""
    source = example.read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(source))
    first, *rest = PART.split(source.split('"""', 2)[2])
    texts = [re.sub(r"^# ?", "", text, flags=re.MULTILINE) for text in rest[::2]]
    return [
        (text.replace("``", "`").strip(), code.strip()) for text, code in zip([docstring, *texts], [first, *rest[1::2]])
    ]


def heading(parts):
    """Return the title of an example."""
    return parts[0][0].split("\n", 1)[0]


def run(example, parts):
    """Return path -> content of the page of an example and its pictures."""
    name, files, names = page_of(example).stem, {}, {"__name__": "__main__"}
    title, _, text = parts[0][0].split("\n", 2)
    lines = [f"# {title}", text.strip()]
    with (
        mpl.rc_context(LOOK),
        contextlib.chdir(FOLDER),
        patch.object(plt, "show"),
        warnings.catch_warnings(),
        threadpool_limits(1),  # the last digits depend on the number of threads, and so do pictures
    ):
        warnings.filterwarnings("error", module=r"rankmargin")  # a warning of the library is an error in an example
        for number, (words, code) in enumerate(parts):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(code, str(example), "exec"), names)
            words, _, seen = words.partition("\n\nPicture: ")
            lines += [words] * (number > 0) + [f"```python\n{code}\n```"]
            if out.getvalue().strip():
                lines.append(f"```text\n{out.getvalue().rstrip()}\n```")
            for figure in map(plt.figure, plt.get_fignums()):
                path = PICTURES / f"{name}_{len(files) + 1}.svg"
                files[path] = drawn(figure)
                lines.append(f"![{' '.join(seen.split())}](pictures/{path.name})")
            plt.close("all")
    lines.append(f"The program: [{example.name}]({example.name})")
    return {page_of(example): "\n\n".join(lines) + "\n"} | files


def drawn(figure):
    """Return the bytes of a figure as SVG."""
    out = io.BytesIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()
