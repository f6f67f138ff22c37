"""A file is read right or refused: a generator writes a table that it knows in odd ways, and what is read equals it.

``ODD_FILES=2000`` tries 2,000 files.
"""

import os

import numpy as np
import pandas as pd
import pytest

from rankbench.compare.cells import OTHER
from rankbench.compare.columns import columns_of, describe
from rankbench.compare.read import TableError, read_file

FILES = int(os.environ.get("ODD_FILES", "80"))
HEADS = ["width", "a b", "größe", "x_1", "no", "1", "a/b", "height", "+1", "", "x" * 90, "it's"]
WORDS = ["NA", "n.a.", "-", "?", "null", "--", "#N/A"]
NAMES = ["red", "None", "NA", "é", "x;y", "a,b", "missing", "-", "true", "7 up", "1-2", "(3)"]


def numbers(rng, n):
    """Return floats with few digits, in some columns all whole, large or with missing cells."""
    digits, size = int(rng.integers(0, 4)), 10.0 ** rng.integers(0, 6)
    values = (rng.standard_normal(n) * size).round(digits) + 0.0
    values[rng.random(n) < rng.choice([0, 0, 0.3])] = np.nan
    return values


def number_cells(rng, values, mark, thousands, between):
    """Return cells that mean these numbers to a person, or hardly: then they have to be told."""
    digits = max(len(f"{value:.4f}".rstrip("0").split(".")[1]) for value in np.append(values[~np.isnan(values)], 0.0))

    def written(value):
        text = f"{value:,.{digits}f}" if thousands else f"{value:.{digits}f}"
        return text.translate(str.maketrans({",": between, ".": mark}))

    cells = np.array([written(value) if not np.isnan(value) else "" for value in values], dtype=object)
    empty, some = cells == "", rng.random(len(cells)) < 0.4
    odd = {
        "plain": lambda: cells,
        "percent": lambda: cells + "%",
        "dollar": lambda: "$" + cells,
        "euro": lambda: cells + " EUR",
        "unit": lambda: cells + rng.choice([" cm", "km/h", " m²", "°C"]),
        "units": lambda: np.where(some, cells + " cm", cells + " in"),
        "some units": lambda: np.where(some, cells + " cm", cells),
        "less": lambda: np.where(some, "<" + cells, cells),
        "bracket": lambda: np.where(some, "(" + cells + ")", cells),
        "minus": lambda: np.array([cell.replace("-", "−") for cell in cells], dtype=object),
        "stars": lambda: np.where(some, cells + "*", cells),
        "word": lambda: cells,
    }
    kind = str(rng.choice([*odd, "plain", "plain", "word", "word"]))
    made = odd[kind]()
    made[empty] = str(rng.choice(WORDS)) if kind == "word" else ""
    return made


def column(rng, n, kind, style):
    """Return what the cells of a column mean (kind, values), and the cells."""
    if kind == "number":
        values = numbers(rng, n)
        return ("number", values), number_cells(rng, values, *style)
    if kind == "code":
        cells = np.array([f"{k:04d}" for k in rng.integers(0, 40, n) * 7 + rng.integers(0, 2) * 3000], dtype=object)
        return (("names", cells) if any(cell[0] == "0" for cell in cells) else ("number", cells.astype(float))), cells
    if kind == "day":
        days = rng.integers(0, 20_000, n).astype(float)
        times = pd.to_datetime(days, unit="D")
        form = str(rng.choice(["%Y-%m-%d", "%Y-%m-%d", "%Y-%m-%d 00:00:00", "%d.%m.%Y", "%m/%d/%Y"]))
        return ("day", days), np.array(times.strftime(form), dtype=object)
    if kind == "text":
        cells = np.array([f"text {k} of {rng.integers(99)}" for k in range(n)], dtype=object)
        return ("names", cells), cells
    cells = np.array(
        rng.choice([*NAMES, *(f"brand {k}" for k in range(90))][: int(rng.choice([3, 12, 100]))], n), dtype=object
    )
    cells[rng.random(n) < 0.1] = ""
    return ("names", cells), cells


def ids(rng, n):
    """Return ids that a reader of numbers would merge."""
    many = [
        [f"{k}" for k in range(9)] + [f"0{k}" for k in range(9)],
        ["2.1", "2.10", "2.100", "1e2", "100", "1E2", "10e1", "NA", "x"],
        [f"{76561198000000000 + k}" for k in range(12)],
        [f"{10**20 + k}" for k in range(12)],
    ]
    return np.array(rng.choice(many[int(rng.integers(len(many)))], n), dtype=object)


def odd_file(folder, seed):
    """Write a table; return its path, the options to read it, its target, groups, what each column means, and the
    decimal mark that is said."""
    rng = np.random.default_rng(seed)
    n, mark = int(rng.choice([40, 60, 150])), str(rng.choice([".", ".", ","]))
    style = mark, bool(rng.random() < 0.3), str(rng.choice([{".": ",", ",": "."}[mark], " ", "'"]))
    kinds = rng.choice(["number", "number", "number", "code", "day", "text", "names"], int(rng.integers(2, 7)))
    heads = list(rng.choice(HEADS, len(kinds), replace=False))
    known, cells = {}, {}
    for at, (head, kind) in enumerate(zip(heads, kinds, strict=True)):
        known[head or f"column {at + 1}"], cells[head] = column(rng, n, kind, style)
    values = rng.standard_normal(n).round(2) + 0.0
    values[rng.random(n) < rng.choice([0, 0.1])] = np.nan
    known["t y"], cells["t y"] = ("number", values), number_cells(rng, values, *style)
    groups = ""
    if rng.random() < 0.4:
        groups, cells["g"] = "g", ids(rng, n)
        known["g"] = "names", np.where(rng.random(n) < 0.05, "", cells["g"])
        cells["g"] = known["g"][1]
    decimal = {".": "point", ",": "comma"}[mark] if rng.random() < 0.7 else ""
    return *write(folder / f"odd {seed}", rng, pd.DataFrame(cells)), "t y", groups, known, decimal


def write(stem, rng, frame):
    """Write texts in a format drawn at random."""
    kind = str(rng.choice(["csv", "csv", "semicolon", "tsv", "gz", "parquet", "xlsx", "title"]))
    ending = {"semicolon": "csv", "title": "csv", "gz": "csv.gz"}.get(kind, kind)
    path = stem.with_name(f"{stem.name}.{ending}")
    if kind == "parquet":
        frame.to_parquet(path, index=False)
    elif kind == "xlsx":
        frame.to_excel(path, index=False)
    else:
        options = {"sep": {"tsv": "\t", "semicolon": ";"}.get(kind, ",")}
        text = ("Prices 2024\n" if kind == "title" else "") + frame.to_csv(index=False, **options)
        content = text.encode()
        path.write_bytes(content if kind != "gz" else __import__("gzip").compress(content))
    return path, {"header": 2} if kind == "title" else {}


def same(read, known):
    kind, values = known
    if kind == "names":
        return all(one in (OTHER, two) or (pd.isna(one) and two == "") for one, two in zip(read, values, strict=True))
    return np.allclose(read.to_numpy(float), values, rtol=1e-12, atol=1e-12, equal_nan=True)


@pytest.mark.slow
def test_a_file_is_read_right_or_refused(tmp_path):
    """Neither a refusal nor a column that is left out is wrong; a number that is read as a name is."""
    accepted, used = 0, {"number": 0, "names": 0, "day": 0}
    for seed in range(FILES):
        path, how, target, groups, known, decimal = odd_file(tmp_path, seed)
        try:
            frame = read_file(path, **how)
            found = columns_of(frame, target, groups=groups, decimal=decimal)
        except TableError as refused:
            assert "\n" not in str(refused), refused
            continue
        finally:
            path.unlink()
        accepted += 1
        said = "\n".join(describe(found))
        kept = ~np.isnan(known[target][1]) & np.array(
            [not groups or one != "" for one in known.get("g", ("", np.full(len(frame), "g")))[1]]
        )
        for name, role in found.roles.items():
            kind, values = known[name]
            where = f"seed {seed}, {name}: {role}\n{said}"
            if name not in found.forms:
                assert role and name in said, where
                continue
            assert role == "groups" or (role == "names") == (kind == "names"), where
            read = found.frame[name]
            if role == "target" and found.grades:
                read = read.map(dict(enumerate(map(float, found.grades))))
            assert same(read, (kind, values[kept])), where
            used[kind] += 1
    assert accepted > 0.5 * FILES and min(used.values()) > 0.2 * FILES, (accepted, used)
