"""Write what is computed into the pages: ``make pages``, or ``python docs/pages.py``.

A page names a block, `<!-- table diez_table1 -->` to `<!-- /table -->`, and what stands between is replaced, so that a
code host shows the same tables and pictures as the site. ``python docs/pages.py check`` names the files that differ and
is part of ``make docs``. The names are those of `tables.table`, of `pictures.PICTURES`, and of the claims.
"""

import os
import re
import sys
from pathlib import Path

import gallery
import pictures
import tables

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"<!-- (table|picture|claim) (\S+) -->.*?<!-- /\1 -->", re.DOTALL)
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
    return pages() | pictures.made() | gallery.made()


def differing(files):
    """Return the files whose committed content differs."""
    return [path for path, content in files.items() if not path.exists() or not same(path, content)]


def same(path, content):
    """Return whether a file has this content; of a picture of the gallery, whether the same program drew it."""
    if isinstance(content, str):
        return path.read_text(encoding="utf-8") == content
    kept = path.read_bytes()
    return gallery.same_picture(kept, content) if path.parent == gallery.PICTURES else kept == content


def main(check):
    changed = differing(files := made())
    names = "\n".join(f"  {path.relative_to(ROOT)}" for path in changed)
    if check:
        return f"these files are not what `make pages` writes:\n{names}" if changed else 0
    for path in changed:
        content = files[path]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    print(f"{len(files)} files, {len(changed)} of them changed\n{names}".rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] == ["check"]))
