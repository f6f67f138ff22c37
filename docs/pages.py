"""Write what is computed into the pages: ``make pages``, or ``python docs/pages.py``.

A page names a block, `<!-- table diez_table1 -->` to `<!-- /table -->`, and what stands between is replaced, so that a
code host shows the same tables and pictures as the site. ``python docs/pages.py check`` names the files that differ and
is part of ``make docs``. The names are those of `tables.table`, of `pictures.PICTURES`, and of the claims.
"""

import os
import re
import sys
from itertools import zip_longest
from pathlib import Path

import gallery
import keys
import pictures
import shown
import tables

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"<!-- (table|picture|claim) (\S+) -->.*?<!-- /\1 -->", re.DOTALL)
APART = 0.05  # points, which nobody sees
PAGES = ("README.md", "docs/*.md", "docs/guide/*.md", "docs/reproduction/*.md", "docs/start/*.md")


def filled(text, folder):
    """Return the text of a page with the present content of its blocks.

    Parameters
    ----------
    text : str
    folder : Path
        Where the page is, for the addresses of its pictures.
    """

    def block(match):
        kind, name = match.groups()
        start, end = f"<!-- {kind} {name} -->", f"<!-- /{kind} -->"
        if kind == "claim":
            return f"{start}{tables.claim(name)}{end}"
        if kind == "table":
            return f"{start}\n\n{tables.table(name)}\n\n{end}"
        address = os.path.relpath(pictures.file(name), folder)
        return f"{start}\n\n![{pictures.drawn(name)[1]}]({address})\n\n{end}"

    return BLOCK.sub(block, text)


def pages():
    """Return path -> content of every page with blocks."""
    files = {path: path.read_text(encoding="utf-8") for pattern in PAGES for path in sorted(ROOT.glob(pattern))}
    return {path: filled(text, path.parent) for path, text in files.items() if BLOCK.search(text)}


def made():
    """Return path -> content, text or bytes, of every file that is computed."""
    return pages() | pictures.made() | gallery.made() | keys.made()


def differing(files):
    """Return path -> what differs, of the files that do not say or show what is computed."""
    told = {path: difference(path, content) for path, content in files.items()}
    return {path: text for path, text in told.items() if text}


def difference(path, content):
    """Return how a file differs from its content, empty if it says or shows the same."""
    if not path.exists():
        return "it is missing"
    if isinstance(content, bytes):
        apart = gallery.APART if path.parent == gallery.PICTURES else APART
        return shown.difference(path.read_bytes(), content, apart)
    lines = zip_longest(path.read_text(encoding="utf-8").splitlines(), content.splitlines())
    return next((f"line {at} is stale" for at, (kept, made) in enumerate(lines, 1) if kept != made), "")


def main(check):
    changed = differing(files := made())
    told = [f"{path.relative_to(ROOT)}: {text}" for path, text in changed.items()]
    if check:
        return "\n".join(f"{line}: run `make pages`, look at it and commit it" for line in told) or 0
    for path in changed:
        content = files[path]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    print("\n".join([f"{len(files)} files, {len(changed)} of them changed", *told]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] == ["check"]))
