"""The report: one self-contained HTML file made of what lies in ``results/``, whole or partial.

It is the last job of the workflow, after the ledger of claims. ``python -m rankbench.report`` makes both of what is
there, after an interrupted run too; the page says what is not there.

``content``
    what the page says, gathered from the checkout.
``comparison``
    the same for a folder of one's own table, where no experiment is about a paper: ``comparison.html``.
``page.html``, ``parts.html``, ``page.css``, ``page.js``
    how it looks; the page asks for nothing outside itself.
"""

from .write import write_claims, write_report

__all__ = ["write_claims", "write_report"]
