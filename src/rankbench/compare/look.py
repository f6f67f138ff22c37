"""Decide what each column of a user's table is, and refuse what cannot be compared."""

import difflib
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ..labels import counted
from .cells import MOST_LEVELS, listed, quoted
from .leaks import leaks_of, note_of_leaks
from .names import TableError, one_line
from .read import Nested

MOST_USED = 50_000  # rows; more would cost every job time and memory, and hold-outs take 4,000 rows at most
FEWEST_ROWS = 30
FEWEST_GROUPS = 30  # of a sample that takes whole groups
MOST_GRADES = 10
BRACKETS = ("[]", "{}")
LARGEST, SMALLEST = 1e100, 1e-100  # squares of numbers in between are neither infinite nor 0
YEARS = 1500, 2200
PAIR_ENDINGS = (("_a", "_b"), ("_1", "_2"))


@dataclass(frozen=True)
class Column:
    """How one column is used.

    Attributes
    ----------
    name : str
    role : {"target", "groups", "number", "names", "left out"}
    why : str
        In words: the reason for a column that is left out, otherwise what it contains.
    missing : int
        Number of its empty cells.
    """

    name: str
    role: str
    why: str
    missing: int = 0


@dataclass(frozen=True)
class Look:
    """A table and how its columns are used.

    Attributes
    ----------
    frame : (n, columns) DataFrame
        The rows that have a target; targets are numbers, higher is better.
    columns : tuple of Column
        In the order of the file.
    kind : {"values", "grades", "pairs"}
    target, groups : str
        Names of columns; ``groups`` may be ``""``.
    grades : tuple of str
        Names of the grades in ascending order; empty for other kinds.
    endings : tuple of str
        Endings of the names of the columns of the first and the second item of a pair; empty for other kinds.
    notes : tuple of str
        Other facts that a reader must know, such as rows that are left out.
    """

    frame: pd.DataFrame
    columns: tuple
    kind: str
    target: str
    groups: str = ""
    grades: tuple = ()
    endings: tuple = ()
    notes: tuple = ()

    def names_of(self, role):
        """Return the names of the columns with a role, in the order of the file."""
        return [column.name for column in self.columns if column.role == role]


def look_at(frame, target, *, groups="", drop=(), nominal=(), order=(), notes=()):
    """Decide how the columns of a table are used.

    Parameters
    ----------
    frame : DataFrame
    target : str
        Column to order by: numbers (higher is better), grades, or -1, 0, 1 for pairs.
    groups : str
        Column; only rows with the same value in it are compared. ``""`` without groups.
    drop, nominal : sequence of str
        Columns to leave out, and columns of numbers that are names.
    order : sequence of str
        The grades in ascending order, if the target holds names.
    notes : sequence of str
        What is known of the file already.

    Returns
    -------
    Look

    Raises
    ------
    TableError
    """
    _check_names(frame, target, groups, drop, nominal)
    _refuse_nested(frame.drop(columns=list(drop)))
    identifiers = _identifiers(frame.drop(columns=[target, *drop, *nominal]))
    frame, left_out = _without_empty(frame, target, groups)
    frame, sampled = _sampled(frame, groups)
    values, grades = _target_values(frame[target], target, order)
    if len(frame) < FEWEST_ROWS:
        raise TableError(f"the table has {len(frame)} rows with a target; at least {FEWEST_ROWS} are needed")
    frame = frame.reset_index(drop=True)
    columns = tuple(_column(frame, name, target, groups, drop, nominal, identifiers) for name in frame.columns)
    if not any(column.role in ("number", "names") for column in columns):
        why = "; ".join(f"{column.name}: {column.why}" for column in columns if column.role == "left out")
        others = f"all columns except {target!r} are left out ({why[:300]})" if why else f"there is only {target!r}"
        raise TableError(f"no input column is left: {others}")
    left_out += [*_idle_options(target, drop, nominal, order, grades, columns)]
    different, paired = {*np.unique(values)}, [] if grades else [*_paired(columns)]
    pairs = next((endings for endings, _, others in paired if not others), ())
    signs = {-1.0} < different <= {-1.0, 0.0, 1.0}
    endings = pairs if signs else ()
    if pairs and different == {0.0, 1.0}:  # which can mean that 0 is a tie, or that the first item lost
        what = f"the columns ...{pairs[0]} and ...{pairs[1]} look like two items"
        left_out.append(f"{what}; they are compared only if {target} is -1 where the second item is better, not 0")
    if signs and not pairs:
        left_out += [_unpaired_note(both, others) for _, both, others in paired]
    few = len(np.unique(values)) <= MOST_GRADES and not groups  # all rows share the thresholds, but not the order
    kind = "pairs" if endings else "grades" if few else "values"
    if kind == "grades":
        held, values = np.unique(values, return_inverse=True)  # ranks 0, 1, ...: errors are counted in ranks
        grades = grades or tuple(f"{value:.15g}" for value in held)
    frame[target] = values.astype(float)
    grades = grades if kind == "grades" else ()
    look = Look(frame, columns, kind, target, groups, grades, endings, (*notes, *left_out, *sampled, *_codes(columns)))
    if endings:
        _check_pairs(columns, endings)
    elif groups:
        _check_groups(look)
    leaks = [] if kind == "pairs" else leaks_of(frame, look.names_of("number"), target, groups)
    return replace(look, notes=(*look.notes, *_idle_note(look), *note_of_leaks(leaks)))


def _check_names(frame, target, groups, drop, nominal):
    """Refuse columns that do not exist, and a column with two uses."""
    options = {"TARGET": [target], "--groups": [groups] if groups else [], "--drop": drop, "--nominal": nominal}
    for variable, names in options.items():
        for name in names:
            _require(variable, name, frame.columns)
    uses = [target, groups, *drop]
    if named := [name for name in nominal if name in (target, groups)]:
        raise TableError(f"{named[0]!r} may not be in --nominal: it is the target, or the column of groups")
    if twice := {name for name in uses if name and uses.count(name) > 1}:
        raise TableError(f"{min(twice)!r} may be in only one of TARGET, --groups and --drop")


def _codes(columns):
    """Yield a note about each column of numbers that may be codes."""
    for column in columns:
        if column.role == "number" and _called_identifier(column.name):
            yield f"{column.name} counts as a number; if its values are codes, use --nominal or --drop"


def _idle_options(target, drop, nominal, order, grades, columns):
    """Yield a note about each value of an option that changes nothing."""
    for column in columns:
        if column.name in nominal and column.role == "left out":
            why = "the column is left out by --drop" if column.name in drop else column.why
            yield f"--nominal={column.name} changes nothing: {why}"
    if spare := [name for name in order if name not in grades]:
        yield f"--order names {', '.join(spare)}, which no row of {target} has"


def _without_empty(frame, target, groups):
    """Return the rows that have a target and a group, and notes about the others."""
    notes = []
    for name in (target, *([groups] if groups else [])):
        if empty := int(frame[name].isna().sum()):
            notes.append(f"left out, because they have no {name}: {empty} of {counted(len(frame), 'row')}")
            frame = frame[frame[name].notna()]
    return frame, notes


def _sampled(frame, groups):
    """Return at most `MOST_USED` rows, drawn at random, in the order of the file, and notes.

    If at least `FEWEST_GROUPS` groups fit, whole groups are drawn, otherwise rows.
    """
    n, rng = len(frame), np.random.default_rng(0)
    if n <= MOST_USED:
        return frame, []
    place, what = rng.permutation(n), "rows"
    if groups:
        codes, names = pd.factorize(frame[groups])
        order = rng.permutation(len(names))[codes]
        fit = int(np.bincount(order).cumsum().searchsorted(MOST_USED, side="right"))
        if fit >= FEWEST_GROUPS:
            place, what = np.where(order < fit, 0, n), "whole groups"
    sample = frame[place < MOST_USED]
    return sample, [f"{len(sample):,} of {n:,} rows are used: {what}, drawn at random"]


def _require(option, name, columns):
    if name not in columns:
        close = difflib.get_close_matches(name, columns, 1)
        meant = f"did you mean {close[0]!r}? " if close else ""
        raise TableError(f"{option}={name}: there is no such column; {meant}there are {listed(columns, 30)}")


def _refuse_nested(frame):
    """Refuse a column whose cells are lists, arrays or mappings, or are written like them."""
    for name, column in frame.items():
        if _kind_of(column) != "names":
            continue
        for value in pd.unique(column.dropna()):
            written = isinstance(value, str) and value[:1] + value[-1:] in BRACKETS
            if written or isinstance(value, Nested) or not isinstance(value, str):
                kind = f"list or mapping, {value[:40]}" if written else one_line(value)[:40]
                raise TableError(f"column {name!r}: a cell must be a number or a name, got a {kind}; --drop={name}?")


def _target_values(column, target, order):
    """Return the target as float64 numbers, and the names of its grades in ascending order if it holds names."""
    if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered and not order:
        order = [str(name) for name in column.dtype.categories]
    if order:
        return _graded(column, target, order)
    kind = _kind_of(column)
    numbers = pd.to_numeric(column.astype("str"), errors="coerce") if kind == "names" else column
    if kind == "dates":
        raise TableError(f"TARGET={target}: must hold numbers or grades, got dates; give years or days as numbers")
    if numbers.isna().any():
        names = [str(name) for name in pd.unique(column)]
        if len(names) > MOST_GRADES:  # those that are no numbers come first
            names.sort(key=lambda name: not np.isnan(pd.to_numeric(name, errors="coerce")))
        refusal = f"TARGET={target}: must hold numbers, or names whose order is given, got {', '.join(names[:8])}"
        if len(names) > MOST_GRADES:
            raise TableError(f"{refusal} and {len(names) - 8} others")
        order = f"--order={quoted(names)} (here as they come in the file)"
        raise TableError(f"{refusal}; give their order, the worst first, such as {order}")
    values = _checked(numbers.to_numpy(dtype=float), f"TARGET={target}: ")
    if len(np.unique(values)) < 2:
        held = f"only {values[0]:g}" if len(values) else "no row"
        raise TableError(f"TARGET={target}: must have at least two different values, it has {held}")
    return values, ()


def _graded(column, target, order):
    """Return the ranks 0, 1, ... of the grades that a target of names holds, and those grades."""
    if twice := [name for name in order if order.count(name) > 1]:
        raise TableError(f"--order must name each grade once, got {twice[0]!r} twice")
    names = column.map("{:.15g}".format) if _kind_of(column) == "numbers" else column.astype("str")
    if unknown := sorted(set(names) - set(order)):
        said = f"--order must name every grade of {target!r}, it lacks {', '.join(unknown[:10])}"
        spare = [name for name in order if not (names == name).any()]
        pairs = [(name, close) for name in spare for close in difflib.get_close_matches(name, unknown, 1)]
        meant = "".join(f"; {close!r} was probably meant by {name!r}" for name, close in pairs)
        raise TableError(f"{said}; got {', '.join(order)}{meant}")
    grades = [name for name in order if (names == name).any()]
    if len(grades) < 2:
        raise TableError(f"TARGET={target}: must hold at least two grades, it holds {', '.join(grades) or 'none'}")
    return names.map({name: rank for rank, name in enumerate(grades)}).to_numpy(float), tuple(grades)


def _kind_of(column):
    """Return ``numbers``, ``dates`` or ``names``."""
    if pd.api.types.is_datetime64_any_dtype(column):
        return "dates"
    return "numbers" if pd.api.types.is_numeric_dtype(column) else "names"


def _checked(numbers, where):
    """Return the numbers if each is missing, 0, or of a size that can be squared; refuse them otherwise."""
    if np.isinf(numbers).any():
        raise TableError(f"{where}must be finite, got {numbers[np.isinf(numbers)][0]}")
    sizes = np.abs(numbers[~np.isnan(numbers) & (numbers != 0)])
    if sizes.size and (sizes.max() > LARGEST or sizes.max() < SMALLEST):
        raise TableError(f"{where}numbers must be between {SMALLEST:g} and {LARGEST:g} in size, got {sizes.max():.3g}")
    return numbers


def _column(frame, name, target, groups, drop, nominal, identifiers):
    """Decide how one column is used."""
    column = frame[name]
    missing = int(column.isna().sum())
    if name in drop:
        return Column(name, "left out", "you asked for it", missing)
    kind = _kind_of(column)
    if kind == "numbers":
        column = column.astype(float)  # digits that a float does not hold do not count
    distinct = int(column.nunique())
    if name == target:
        return Column(name, "target", f"{distinct} different values")
    if name == groups:
        return Column(name, "groups", f"{distinct} groups")
    if distinct + (missing > 0) < 2:  # a cell that is empty says something beside others that are not
        return Column(name, "left out", "it is constant", missing)
    if kind == "dates":
        return Column(name, "left out", "dates are not used; give years or days as numbers", missing)
    if kind == "numbers" and name not in nominal:
        numbers = _checked(column.to_numpy(), f"column {name!r}: ")
        if name in identifiers:
            return Column(name, "left out", "it looks like a row number or identifier", missing)
        return Column(name, "number", f"{np.nanmin(numbers):.4g} to {np.nanmax(numbers):.4g}", missing)
    if distinct > MOST_LEVELS:
        return Column(
            name, "left out", f"{distinct} different names such as {_example(column)!r}: text or an id", missing
        )
    named = listed(sorted(column.dropna().astype("str").unique()), 4)
    return Column(name, "names", f"{distinct} names: {named}", missing)


def _example(column):
    """Return the beginning of a cell that is no number: it shows why the column holds names."""
    texts = column.dropna().astype("str")
    odd = texts[pd.to_numeric(texts, errors="coerce").isna()]
    return (odd if len(odd) else texts).iloc[0][:20]


def _identifiers(frame):
    """Return the columns of whole numbers, all different, that count the rows or have the name of an identifier. Years
    count up too, and are none."""
    identifiers = set()
    for name in frame.select_dtypes("number"):
        numbers = np.sort(frame[name].to_numpy())
        if len(numbers) < 3 or not np.isfinite(numbers).all() or np.any(numbers % 1):
            continue
        if frame[name].is_unique and (_called_identifier(name) or _counts(numbers)):
            identifiers.add(name)
    return identifiers


def _counts(numbers):
    """Return whether sorted numbers count up by one, and cannot all be years."""
    return bool(np.all(np.diff(numbers) == 1)) and not YEARS[0] <= numbers[0] <= numbers[-1] <= YEARS[1]


def _called_identifier(name):
    """Return whether the name of a column is that of an identifier, such as id, user_id, movieId."""
    lower = name.lower()
    index = lower in ("id", "unnamed: 0", "column 1") or lower.startswith("__index_level_")
    return index or lower.endswith(("_id", " id", ".id")) or name.endswith(("Id", "ID"))


def _paired(columns):
    """Yield two endings by which columns come in pairs, the names of these columns, and those of the others."""
    names = [column.name for column in columns if column.role in ("number", "names")]
    for first, second in PAIR_ENDINGS:
        stems = [name.removesuffix(first) for name in names if name.endswith(first)]
        if both := [stem + ending for stem in stems if stem + second in names for ending in (first, second)]:
            yield (first, second), both, [name for name in names if name not in both]


def _unpaired_note(both, others):
    """Return a note: some columns come in pairs, and others do not."""
    what = f"{listed(both)} look like two items, but {listed(others)} {'is' if len(others) == 1 else 'are'}"
    return f"{what} of neither: rows are compared, not items; with --drop={quoted(others)} items are"


def _check_pairs(columns, endings):
    """Refuse missing numbers, which pairs of items cannot have, and numbers of one item that are names of the other."""
    roles = {column.name: column.role for column in columns}
    for column in columns:
        one, other = column.name, column.name.removesuffix(endings[0]) + endings[1]
        if one.endswith(endings[0]) and {roles[one], roles.get(other)} == {"number", "names"}:
            raise TableError(
                f"columns {one!r} and {other!r} are of two items, but one holds numbers and the other names: "
                f"mend its cells, or make both names with --nominal={quoted([one, other])}"
            )
        if column.missing and column.role == "number":
            raise TableError(
                f"column {column.name!r}: pairs of items must have no missing numbers; fill them or --drop it"
            )


def _check_groups(look):
    """Refuse groups in which nothing can be ordered."""
    sizes, where = useful_groups(look), f"--groups={look.groups}: "
    if (sizes["size"] == 1).all():
        raise TableError(f"{where}every group has only one row, so no group has a pair to order")
    if (useful := int(sizes["useful"].sum())) < 4:
        raise TableError(f"{where}at least 4 groups must hold two different values of {look.target!r}, got {useful}")


def useful_groups(look):
    """Return the ``size`` of each group, and whether it is ``useful``: two of its rows have different targets."""
    sizes = look.frame.groupby(look.groups, observed=True)[look.target].agg(["size", "nunique"])
    return sizes.assign(useful=sizes["nunique"] > 1)


def _idle_note(look):
    """Yield a note if most rows are in groups in which nothing can be compared."""
    if look.groups and look.kind != "pairs":
        sizes = useful_groups(look)
        idle, n = int(sizes.loc[~sizes["useful"], "size"].sum()), len(look.frame)
        if 2 * idle > n:
            yield f"{idle:,} of {n:,} rows are in groups of {look.groups} with one target only: they say nothing"
