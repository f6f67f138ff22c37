"""Judged documents of queries in the format of LETOR 3.0, plain or gzipped: ``label qid:Q 1:v 2:v ... #docid = N``.

An example is a document that was judged for one query. Its target is that judgement; its attributes are the numbered
match scores of query and document. The target in the sheet names the query: ``query_1``, or ``all_queries`` for the
documents of all queries in the file that have a match score above 0.
"""

import re
from pathlib import Path

from rankbench.datasets.assemble import assemble
from rankbench.datasets.lines import numbered_lines
from rankbench.datasets.table import Table

LINE = re.compile(r"(?P<label>[0-9]+) qid:(?P<query>\S+)(?P<features>( [0-9]+:\S+)+) *(#.*)?")


def read(path: Path, row) -> Table:
    """Read the documents of the query ``row.target`` in the order of the file; attributes are x1, x2, ..."""
    query = re.fullmatch(r"query_([0-9]+)|all_queries", row.target)
    documents = [
        (number, [*features, label])
        for number, number_of_query, label, features in _documents(path)
        if query[1] == number_of_query or (query[1] is None and any(value.strip("0.") for value in features))
    ]
    names = [*(f"x{j}" for j in range(1, len(documents[0][1]))), row.target]
    return assemble(path, names, documents, row)


def _documents(path: Path):
    """Yield line number, query, label and features of every line; the features must be numbered 1, 2, ..."""
    for number, line in numbered_lines(path):
        matched = LINE.fullmatch(" ".join(line.split()))
        cells = [cell.partition(":") for cell in matched["features"].split()] if matched else []
        if not matched or [int(name) for name, _, _ in cells] != list(range(1, len(cells) + 1)):
            raise ValueError(f"{path}, line {number}: expected label qid:Q 1:v 2:v ..., got {line[:60]!r}")
        yield number, matched["query"], matched["label"], [value for _, _, value in cells]
