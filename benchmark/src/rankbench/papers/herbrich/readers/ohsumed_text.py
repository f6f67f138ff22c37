"""Documents of OHSUMED as bags of words: ``ohsumed.87`` .. ``.91`` (fields ``.I .U .M .T .P .W .A .S``) and ``judged``.

The protocol is that of Herbrich, Graepel and Obermayer, section 2.5.2. An example is a document that was judged for one
query (the target in the sheet: ``query_1``). Its rank is 0 (not relevant), 1 (possibly) or 2 (definitely relevant). Its
attributes are the terms that occur at least three times in these documents, weighted by TF-IDF and scaled to unit
length. The paper does not say what a term is or which TF-IDF is meant. Here a term is a run of two or more letters of
title and abstract in lower case; its weight is the number of its occurrences in the document times log(number of
documents / number of documents that contain it).

A line of ``judged`` holds query, MEDLINE identifier, sequential number and up to three judgements, of which the first
is used. The files of relevant documents that come with the collection have this form.
"""

import math
import re
from collections import Counter
from pathlib import Path

from rankbench.datasets.assemble import assemble
from rankbench.datasets.lines import numbered_lines
from rankbench.datasets.table import Table

LEAST = 3
RANKS = {"n": 0.0, "p": 1.0, "d": 2.0}
JUDGED = "judged"
TERM = re.compile("[a-z]{2,}")


def read(path: Path, row) -> Table:
    """Read the documents judged for ``row.target`` from the files ``row.names`` of the folder `path`."""
    ranks = _judgements(path / JUDGED, row.target.removeprefix("query_"))
    texts = {}
    for name in row.names:
        if name != JUDGED:
            texts |= _texts(path / name, ranks)
    counts = [Counter(TERM.findall(texts[document].lower())) for document in sorted(ranks)]
    terms, weights = tf_idf(counts)
    rows = [[*cells, ranks[document]] for cells, document in zip(weights, sorted(ranks), strict=True)]
    return assemble(path, [*terms, row.target], enumerate(rows, 1), row)


def tf_idf(counts):
    """Return the terms that occur LEAST times, sorted, and the weights of each document, scaled to length 1.

    Parameters
    ----------
    counts : list of Counter, term -> number of its occurrences in the document

    Returns
    -------
    terms : list of str
    weights : list of lists of float, all 0 for a document without any such term
    """
    total = sum(counts, Counter())
    terms = sorted(term for term, times in total.items() if times >= LEAST)
    idf = {term: math.log(len(counts) / sum(term in count for count in counts)) for term in terms}
    weights = [[count[term] * idf[term] for term in terms] for count in counts]
    lengths = [math.sqrt(math.fsum(w * w for w in row)) for row in weights]
    return terms, [[w / length for w in row] if length else row for row, length in zip(weights, lengths, strict=True)]


def _judgements(path: Path, query: str) -> dict[int, float]:
    """Return sequential number -> rank of the documents judged for the query."""
    ranks = {}
    for _, line in numbered_lines(path):
        number_of_query, *rest = line.split()
        if number_of_query == query:
            ranks[int(rest[1])] = next(RANKS[cell] for cell in rest[2:] if cell in RANKS)
    return ranks


def _texts(path: Path, wanted) -> dict[int, str]:
    """Return sequential number -> title and abstract of the wanted documents of a file."""
    texts, document, field = {}, None, ""
    for _, line in numbered_lines(path):
        tag, _, rest = line.partition(" ")
        if tag == ".I":
            document = int(rest) if int(rest) in wanted else None
        elif re.fullmatch(r"\.[UMTPWAS]", line):
            field = line
        elif document is not None and field in (".T", ".W"):
            texts[document] = f"{texts.get(document, '')} {line}"
    return texts
