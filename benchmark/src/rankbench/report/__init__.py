"""The report: one self-contained HTML file made from the files in ``results/``, which may be complete or partial.

It is the last job of the workflow, which judges the claims too. ``rankbench report`` does so by the files that exist,
also after an interrupted run; the page says what is missing.

``content``
    What the page says, collected from the checkout.
``comparison``
    The same for the folder of a user's own table, where no experiment is about a paper: ``comparison.html``.
``page.html``, ``parts.html``, ``page.css``, ``page.js``
    How the page looks; it loads nothing from outside.
"""

from .write import write_report

__all__ = ["write_report"]
