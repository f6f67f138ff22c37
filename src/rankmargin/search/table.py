"""A table as people have it as a matrix: names, missing cells and dates become numbers."""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from decimal import Decimal
from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array, ArrayLike
from rankmargin.caller import HintWarning, warn_caller
from rankmargin.problem.checks import dates_as_days, is_dense, matrix_as_it_came, names_of_columns, text_of
from rankmargin.problem.rows.pairs import is_missing, places

SOME, ALL = 20, 250  # names of a column that have columns of their own if it has more than ALL, which are all countries
FEWEST = 2  # rows of such a name: the column of a single row tells it from all others, and nothing else
KINDS: dict[str, Any] = {  # of cells, in the order in which they are tried: a timedelta64 is a Real too
    "names": str,
    "dates": date | np.datetime64,
    "durations": timedelta | np.timedelta64,
    "numbers": Real | Decimal | np.bool_,
}


def needs_encoding(X: Any) -> bool:
    """Return whether X has anything but finite numbers: names, categories, missing cells, dates, objects. A sparse X
    has only numbers."""
    return is_dense(X) and any(map(_strange, (X[name] for name in X.columns) if hasattr(X, "columns") else [X]))


def _strange(column):
    """Return whether an array, or a column of a frame, has anything but finite numbers."""
    named = hasattr(getattr(column, "dtype", None), "categories")
    values = np.asarray(column)
    if named or values.dtype.kind not in "biuf":
        return True
    return values.dtype.kind == "f" and not np.isfinite(values).all()


@dataclass(eq=False, repr=False)
class TableEncoder(TransformerMixin, BaseEstimator):
    """Make numbers of the columns of a frame of pandas or polars, or of an array of objects.

    - Numbers, True and False stay. A missing number becomes the median of its column in ``fit``. If any was missing
      there, one more column is 1 where a cell is missing and 0 elsewhere.
    - Dates become days since 1970 and durations days. They may be missing, as numbers may.
    - Names, texts or a categorical, become one column of 0 and 1 for each name that at least two rows have. Of more
      than 250 different names only the 20 most frequent have one (of equally frequent names the first in the alphabet).
      The other names of ``fit`` share one more column. Missing names have a column of their own if there were any. A
      name that ``fit`` has not seen is in none of these columns. An empty text is a missing cell.
    - An ordered categorical of pandas becomes the places 0, 1, ... of its categories, which are treated as numbers. An
      ``Enum`` of polars holds names, because it may be a list of names without a meaning of their order.
    - Free texts, which are more than 20 different texts in more than half of the rows that have one, are left out, and
      so are columns without any value; a warning names them. More than 20 texts that are all numbers are refused,
      unless they are a categorical.

    Parameters
    ----------
    whole : bool, default True
        False for a part of a table that was encoded as a whole before: nothing is said about what is left out.

    Attributes
    ----------
    columns_ : list of dict
        What was learned of each column that is not left out.
    sources_ : list
        For each column of ``transform`` the name of the column of X that it was made of.
    """

    whole: bool = True

    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Learn medians and names from X (n, d)."""
        learned = {name: self._learned(name, column) for name, column in self._columns(X).items()}
        left_out = ", ".join(repr(name) for name, known in learned.items() if known is None)
        self.columns_ = [known | {"at": number} for number, known in enumerate(learned.values()) if known is not None]
        if not self.columns_:
            raise ValueError(f"X must have a column of numbers, names or dates, got none but {left_out}")
        if left_out and self.whole:
            warn_caller(f"X has columns of free texts, or without values, which are left out: {left_out}", HintWarning)
        self.sources_ = [known["name"] for known in self.columns_ for _ in known["made"]]
        return self

    def transform(self, X: Any) -> Array:
        """Return the numbers, a float64 array (m, q)."""
        check_is_fitted(self)
        columns = [*self._columns(X, reset=False).values()]
        return np.column_stack([_encoded(columns[known["at"]], known) for known in self.columns_]).astype(np.float64)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> Array:
        """Return the names of the columns of ``transform``, such as ``age``, ``age is missing`` and ``town=Oslo``."""
        check_is_fitted(self)
        names_of_columns(self, input_features)
        return np.array(
            [f"{known['name']}{suffix}" for known in self.columns_ for suffix in known["made"]], dtype=object
        )

    def _columns(self, X, reset=True):
        """Return the columns of X by their names."""
        X = matrix_as_it_came(self, X, reset)
        if not hasattr(X, "columns"):
            X = check_array(X, dtype=None, ensure_all_finite=False)
            if X.dtype.kind in "SU":
                raise ValueError("X must not be an array of texts, which may have been numbers: use a frame")
            return {f"x{number}": column for number, column in enumerate(X.T)}
        return {name: X[name] for name in X.columns}

    def _learned(self, name, column):
        """Return what is learned of a column, None if it is left out."""
        order = list(column.dtype.categories) if getattr(column.dtype, "ordered", False) else None
        kind, cells = _cells(name, column, order)
        known = {"name": name, "kind": kind, "order": order}
        if kind is None:
            return None
        if isinstance(cells, np.ndarray):
            made = ["", " is missing"] if np.isnan(cells).any() else [""]
            return known | {"fill": float(np.nanmedian(cells)), "made": made}
        counts = Counter(cells)
        missing = bool(counts.pop(None, 0))
        listed = hasattr(column.dtype, "categories") or text_of(np.array([*counts], dtype=object)) is not None
        if len(counts) > SOME and self.whole and not listed:
            raise ValueError(
                f"X must hold numbers, got texts of numbers such as {next(iter(counts))!r} in column {name!r}: convert "
                "them, or make it a categorical if they are names"
            )
        if len(counts) > max(SOME, counts.total() / 2):
            return None
        often = sorted(
            (label for label in counts if counts[label] >= FEWEST), key=lambda label: (-counts[label], str(label))
        )
        kept = sorted(often if len(counts) <= ALL else often[:SOME], key=str)
        rare = sorted(counts.keys() - {*kept}, key=str)
        made = [f"={label}" for label in kept] + [" is rare"] * bool(rare) + [" is missing"] * missing
        positions = [*range(len(kept)), *[len(kept)] * len(rare), *[len(made) - 1] * missing]
        return known | {"names": kept + rare + [None] * missing, "places": positions, "made": made}


def _cells(name, column, order):
    """Return the kind of the cells of a column, None if all are missing, and the cells: a list of names, None where one
    is missing, or an array of numbers, nan where one is missing. Those that have an order are its places."""
    days = dates_as_days(column)
    kind = "numbers" if days is column else "dates"
    named = order is not None or hasattr(column.dtype, "categories")
    cells = np.asarray(days, dtype=object if named else None)
    if cells.dtype.kind not in "biuf":
        cells = [None if _is_absent(cell) else cell for cell in cells.tolist()]
        found = {"names" if named else _kind(cell): cell for cell in cells if cell is not None}
        if len(found) > 1 or found.keys() - KINDS.keys():
            values = " and ".join(f"{kind} such as {value!r}" for kind, value in found.items())
            raise ValueError(f"X must hold only numbers, names or dates in column {name!r}, got {values}")
        kind = next(iter(found), kind)
        if order is not None:
            known = [cell for cell in cells if cell is not None]
            place = dict(zip(known, places(known, order, f"column {name!r}")))
            cells = [place.get(cell) for cell in cells]
        elif kind == "names":
            return kind, cells
        cells = [cell.astimezone(UTC).replace(tzinfo=None) if getattr(cell, "tzinfo", None) else cell for cell in cells]
        cells = dates_as_days(np.array(cells, dtype={"dates": "M8[us]", "durations": "m8[us]"}.get(kind, np.float64)))
    cells = cells.astype(np.float64)
    return None if np.isnan(cells).all() else kind.replace("durations", "dates"), cells


def _is_absent(cell):
    """Return whether a cell is missing, or an empty text."""
    return not cell if isinstance(cell, str) else not hasattr(cell, "__len__") and is_missing(cell)


def _kind(cell):
    """Return the name of the kind of a cell, or of its type if it is of no kind."""
    return next((kind for kind, types in KINDS.items() if isinstance(cell, types)), type(cell).__name__)


def _encoded(column, known):
    """Return the columns (m, w) that a column becomes."""
    kind, cells = _cells(known["name"], column, known["order"])
    if kind not in (None, known["kind"]):
        raise ValueError(f"X must hold {known['kind']} in column {known['name']!r}, as in fit, got {kind}")
    if "fill" in known:
        missing = np.isnan(cells)
        return np.column_stack([np.where(missing, known["fill"], cells), missing][: len(known["made"])])
    place = dict(zip(known["names"], known["places"]))
    positions = [place.get(cell, -1) for cell in (cells if kind else [None] * len(column))]
    return np.array(positions, dtype=int)[:, None] == np.arange(len(known["made"]))
