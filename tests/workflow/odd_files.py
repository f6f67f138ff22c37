"""Made-up files as people have them: odd names, cells, types and sizes; some can be compared on, some cannot."""

import numpy as np
import pandas as pd

NAMES = [
    "a b",
    "a_b",
    "?",
    "",
    " ",
    "no",
    "1",
    "01",
    "1.0",
    "größe",
    "数",
    "x" * 120,
    "a,b",
    'a"b',
    "a\nb",
    "a\tc",
    "#",
    "self",
]
NAMES += [
    "index",
    "y_1",
    "$x",
    "`x`",
    "-",
    "None",
    "nan",
    "\x1b[31mred",
    "e\u0301",
    "a/b",
    "a\\b",
    "{",
    "[]",
    "'",
    "id",
    "=1+1",
]
WORDS = [
    "red",
    "None",
    "NA",
    "null",
    "",
    "?",
    "é",
    "01",
    "1",
    "1.0",
    "a\tb",
    "missing",
    "N/A",
    "-",
    "nan",
    "True",
    "=1",
    "x;y",
]
FORMATS = ["csv", "csv", "tsv", "semicolon", "latin-1", "utf-16", "gz", "parquet", "xlsx"]


def column(rng, n):
    """Return one column of cells of a kind drawn at random."""
    kinds = {
        "normal": lambda: rng.standard_normal(n).round(3),
        "whole": lambda: rng.integers(0, 9, n),
        "huge": lambda: rng.integers(10**17, 10**18, n),
        "tiny": lambda: rng.standard_normal(n) * 1e-90,
        "large": lambda: rng.standard_normal(n) * 1e90,
        "offset": lambda: 1e15 + rng.integers(0, 9, n),
        "constant": lambda: np.full(n, 7),
        "empty": lambda: np.full(n, np.nan),
        "almost constant": lambda: (np.arange(n) == rng.integers(n)).astype(int),
        "holes": lambda: np.where(rng.random(n) < 0.3, np.nan, rng.standard_normal(n).round(2)),
        "one value": lambda: np.where(np.arange(n) == 3, 5.0, np.nan),
        "words": lambda: rng.choice(WORDS, n),
        "letters": lambda: rng.choice(list("abc"), n),
        "texts": lambda: np.array([f"text {k} of {rng.integers(99)}" for k in range(n)]),
        "truth": lambda: rng.random(n) < 0.5,
        "date": lambda: pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.integers(0, 500, n), "D"),
        "row": lambda: np.arange(n) + 1,
        "thousands": lambda: np.array([f"{k:,}" for k in rng.integers(100, 10**6, n)]),
        "comma": lambda: np.array([f"{k:.2f}".replace(".", ",") for k in rng.standard_normal(n)]),
        "mixed": lambda: np.where(rng.random(n) < 0.1, "n.a.", rng.integers(0, 99, n).astype(str)),
        "infinite": lambda: np.where(np.arange(n) == 1, np.inf, rng.standard_normal(n)),
    }
    usual = list(kinds)[:-1]
    kind = rng.choice([*usual * 3, "infinite"])
    return kinds[kind]()


def target(rng, n, signal):
    """Return the cells of the target and the arguments that it needs."""
    grades = int(rng.integers(2, 7))
    ranks = np.searchsorted(np.quantile(signal, np.arange(1, grades) / grades), signal)
    names = ["None", "mild", "severe", "very severe", "NA", "worst"][:grades]
    kinds = {
        "numbers": lambda: (signal.round(3), []),
        "whole": lambda: ((signal * 100).astype(int), []),
        "grades": lambda: (ranks, []),
        "spread": lambda: (np.array([0, 10, 1000, 1001, -5, 7])[ranks], []),
        "names": lambda: (np.array(names)[ranks], ["--order", ", ".join(names) + ","]),
        "binary": lambda: ((signal > 0).astype(int), []),
        "rare": lambda: ((np.argsort(np.argsort(signal)) >= n - int(rng.integers(1, 12))).astype(int), []),
        "holes": lambda: (np.where(rng.random(n) < 0.2, np.nan, signal.round(2)), []),
        "constant": lambda: (np.ones(n), []),
        "two each": lambda: (np.arange(n) // 2, []),
        "huge": lambda: ((signal * 1e15).astype(np.int64) + 2**61, []),
        "thousands": lambda: (np.array([f"{k:,}" for k in (signal * 1e4 + 2e5).astype(int)]), []),
    }
    return kinds[str(rng.choice(list(kinds)))]()


def groups(rng, n):
    """Return groups of rows, and whether the target inside them differs is not known."""
    kinds = [
        np.arange(n),
        np.zeros(n, int),
        np.arange(n) % 7,
        rng.integers(0, n // 4 + 1, n),
        rng.choice(["p q", "p_q", "?", "x", "y", "z"], n),
        np.where(rng.random(n) < 0.1, np.nan, np.arange(n) // 5),
        np.where(np.arange(n) < n // 2, 0, np.arange(n) // 3),
    ]
    return kinds[int(rng.integers(len(kinds)))]


def pairs(rng, n):
    """Return a table of pairs of items."""
    items = {f"{name}_{end}": rng.standard_normal(n).round(2) for name in ("elo", "a b") for end in "ab"}
    frame = pd.DataFrame(items)
    frame["kind_a"], frame["kind_b"] = rng.choice(["x", "y", "01"], n), rng.choice(["x", "1", "?"], n)
    return frame.assign(won=np.sign((frame["elo_a"] - frame["elo_b"]).round()))


def odd_table(seed):
    """Return a data frame, the name of its target, and the arguments of a comparison."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([12, *[30, 31, 37, 45, 60, 100, 150, 300] * 3]))
    if rng.random() < 0.1:
        frame = pairs(rng, n)
        return frame.sample(n, replace=bool(rng.random() < 0.3), random_state=seed), "won", []
    signal = rng.standard_normal(n)
    names = list(rng.choice(NAMES, int(rng.integers(1, 9)), replace=False))
    cells = {"signal": signal.round(2)} if rng.random() < 0.8 else {}
    cells |= {name: column(rng, n) for name in names}
    cells["t y"], more = target(rng, n, signal + rng.standard_normal(n))
    if rng.random() < 0.25:
        cells["g"] = groups(rng, n)
        more += ["--groups", "g"]
    frame = pd.DataFrame(cells)
    if rng.random() < 0.25:  # rows that occur twice
        frame = frame.iloc[rng.integers(0, n, n)]
    if rng.random() < 0.1:
        more += ["--decimal", str(rng.choice(["comma", "point"]))]
    if rng.random() < 0.1:
        more += ["--keep", "NA, None,"]
    return frame.sample(frac=1, random_state=seed), "t y", more


def write_odd_file(folder, seed):
    """Write an odd table in a format drawn at random; return the path, the name of the target, and the arguments."""
    frame, name, more = odd_table(seed)
    kind = FORMATS[seed % len(FORMATS)]
    ending = {"semicolon": "csv", "latin-1": "csv", "utf-16": "csv", "gz": "csv.gz"}.get(kind, kind)
    path = folder / f"odd {seed}.{ending}"
    if kind == "parquet":
        frame.to_parquet(path, index=bool(seed % 2))
    elif kind == "xlsx":
        frame.rename(columns=lambda column: column.replace("\x1b", "")).to_excel(path, index=False)
    else:
        frame = frame.astype(dict.fromkeys(frame.select_dtypes("datetime").columns, "str"))
        options = {"sep": {"tsv": "\t", "semicolon": ";"}.get(kind, ",")}
        encoding = {"utf-16": "utf-16", "latin-1": "latin-1"}.get(kind, "utf-8")
        frame.to_csv(path, index=False, encoding=encoding, errors="replace", **options)
    return path, name, more
