"""The report: one self-contained HTML file made of what lies in ``results/``, whole or partial.

``python -m rankbench.report`` judges the claims anew and writes ``results/claims.csv``, ``claims.md`` and
``report.html``. It takes what is there and says what is not, so it is no job of the workflow: it can be made at any
time, after an interrupted run too.

``content``
    what the page says, gathered from the checkout.
``page.html``, ``page.css``, ``page.js``
    how it looks; the page asks for nothing outside itself.
"""

from .write import write_report

__all__ = ["write_report"]
