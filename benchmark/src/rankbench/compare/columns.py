"""Decide what each column of a user's table is, and refuse what cannot be compared."""

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import pandas as pd

from rankbench.configuration.labels import counted, listed, quoted
from rankmargin.comparisons.pair_columns import BEGINS, SEPARATORS, WORDS, pair_columns
from rankmargin.metrics import concordance_index

from .cells import OTHER, forms_of, texts_of
from .read import TableError

MOST_USED = 50_000  # rows; more would cost every job time and memory, and hold-outs take 4,000 rows at most
FEWEST_ROWS = 30
MOST_GRADES = 10
MOST_LEVELS = 50  # names of a column; of more, rare ones are together
LARGEST = 1e100  # squares of larger numbers are infinite
YEARS = 1500, 2200
LEAK = 0.98  # of two orders, from -1 (the reverse) to 1
SAME = 0.1  # of the rows may have the same name twice, if the names are those of two items
FEWEST = 10  # rows with another than the most frequent target: fewer may agree with a column by chance
TIES = ("tie", "ties", "draw", "equal", "neither", "both", "1/2-1/2", "½-½", "both bad", "bothbad", "both_bad")
TIES += ("tie (bothbad)", "tie (both bad)", "both good")
RESULTS = {"first": 1.0, "1-0": 1.0, "second": -1.0, "0-1": -1.0, **dict.fromkeys(TIES, 0.0)}
MISSING = {  # role of a column -> what becomes of its empty cells
    "number": "replaced by the training mean and marked in an extra column",
    "names": "an empty cell counts as a name of its own",
}
CHANGE = '--drop="name ...", --nominal="name ...", --groups=name, --order="worst ... best", --missing="word ..."'


@dataclass(frozen=True)
class Columns:
    """A table and how its columns are used.

    Attributes
    ----------
    frame : (n, columns) DataFrame
        The rows that have a target: numbers and names; targets are numbers, higher is better.
    roles : dict of str to str
        Column of the file -> ``target``, ``groups``, ``weight``, ``number``, ``names``, or else why it is left out.
    forms : dict of str to rankbench.compare.cells.Form
        How the cells of the used columns are written.
    kind : {"values", "grades", "pairs", "battles"}
    target, groups, weight : str
        Names of columns; ``groups`` and ``weight`` may be ``""``.
    grades : tuple of str
        Names of the grades in ascending order; empty if the target holds numbers that are no grades.
    items : tuple of (str, str, str)
        Of each attribute of two items its name and the columns of the first and the second item. Of battles the first
        one holds the names of the items.
    halves : bool
        Whether the file says 1, 0.5 and 0 for the results 1, 0 and -1.
    notes : tuple of str
        Other facts that a reader must know, such as rows that are left out.
    """

    frame: pd.DataFrame
    roles: dict
    forms: dict
    kind: str
    target: str
    groups: str = ""
    weight: str = ""
    grades: tuple = ()
    items: tuple = ()
    halves: bool = False
    notes: tuple = ()

    def names_of(self, role):
        """Return the names of the columns with a role, in the order of the file."""
        return [name for name, one in self.roles.items() if one == role]


def columns_of(frame, target, *, groups="", weight="", drop=(), nominal=(), items=(), order=(), decimal="", missing=()):
    """Decide how the columns of a table are used.

    Parameters
    ----------
    frame : DataFrame
        As `rankbench.compare.read.read_file` returns it.
    target : str
        Column to order by: numbers (higher is better), grades, or results of two items.
    groups, weight : str
        The column in which only equal rows are compared, and that of the weights of the rows.
    drop, nominal : sequence of str
        Columns to leave out, and those whose cells are names.
    items : sequence of two str
        The columns that name the two items of a row, or two endings (or beginnings) of the columns of the two items.
    order : sequence of str
        The grades in ascending order, if the target holds names.
    decimal : {"", "point", "comma"}
    missing : sequence of str
        Words that mean an empty cell.

    Returns
    -------
    Columns

    Raises
    ------
    TableError
    """
    _check_names(frame, {"TARGET": [target], "--groups": [groups], "--weight": [weight], "--drop": drop}, nominal)
    whole, frame = frame, frame.drop(columns=[*drop])
    named = _named_items(frame, target, items, order, missing)
    as_names = {*nominal, *named, groups, *([target] if order else [])}
    forms, odd, more = forms_of(frame, as_names, decimal, missing)
    read = pd.DataFrame({name: forms[name].read(column) for name, column in frame.items()})
    if large := [name for name, column in read.select_dtypes("number").items() if column.abs().gt(LARGEST).any()]:
        raise TableError(f"column {large[0]!r}: numbers must be finite, and at most {LARGEST:g} in size")
    inputs = [name for name in frame if name not in (target, groups, weight)]
    identifiers = _identifiers(read[[name for name in inputs if forms[name].kind == "number"]])
    pairs = [] if order else _pairs([name for name in inputs if name not in odd], named, items)
    of_names = [pair[1:] for pair in pairs if forms[pair[1]].kind == forms[pair[2]].kind == "names"]
    if len(of_names) == 1 and (read[of_names[0][0]] == read[of_names[0][1]]).mean() < SAME:
        named = named or of_names[0]
    grades, worded = (), forms[target].kind == "names"
    if worded and named:
        read[target] = results_of(read, target, named)
    elif worded:
        read[target], grades = _graded(read[target], target, order)
    read, left_out = _used_rows(read, (target, groups, weight, *named), named)
    _check_target(read, target, weight)
    compared = [column for pair in pairs for column in pair[1:]]
    others = [name for name in inputs if name not in compared and name not in odd]
    different, halves = {*read[target]}, False
    signs = (worded and bool(named)) or (different <= {-1.0, 0.0, 1.0} and -1.0 in different)
    scores = different <= {0.0, 0.5, 1.0}
    if items and not (signs or scores):
        known = "-1, 0, 1, or 0, 0.5, 1, or words"
        held = listed([f"{value:g}" for value in sorted(different)], 5)
        raise TableError(f"TARGET={target}: results of two items are {known}, got {held}")
    if pairs and not grades and (named or items or ((signs or (0.5 in different and scores)) and not others)):
        halves = not signs
        read[target] = results_of(read, target, named, halves)
        odd |= dict.fromkeys(others, "it belongs to neither item")
    elif pairs:
        look = f"{' and '.join(compared[:2])} look like two items, but rows are compared"
        cure = "--items says that items are" + (f", or --drop={quoted(others)}" if others else "")
        left_out += [f"{look}: {cure}"] if not grades and (signs or scores) else []
        pairs = []
    roles, forms = _roles(
        read, forms, odd | dict.fromkeys(identifiers, "it looks like a row number or identifier"), nominal, pairs, named
    )
    roles |= {target: "target"} | ({groups: "groups"} if groups else {}) | ({weight: "weight"} if weight else {})
    roles = {name: roles.get(name, "you asked for it") for name in whole}
    used = [name for name, role in roles.items() if role in ("number", "names")]
    if not used:
        why = "; ".join(f"{name}: {role}" for name, role in roles.items())
        raise TableError(f"no input column is left ({why[:300]})")
    kind = "grades" if len(different) <= MOST_GRADES and not groups else "values"
    if pairs := [pair for pair in pairs if pair[1] in used and pair[2] in used]:
        for pair in pairs:
            _check_pair(*pair[1:], roles, read)
        pairs = sorted(pairs, key=lambda pair: pair[1:] != named)
        kind = "battles" if pairs[0][1:] == named else "pairs"
    elif kind == "grades":
        held, read[target] = np.unique(read[target], return_inverse=True)  # errors are counted in ranks
        grades = grades or tuple(f"{value:.15g}" for value in held)
    for name in used:  # rare names together, now that it is known which rows are used
        read[name] = forms[name].read(read[name]) if forms[name].common else read[name]
    read = read.astype({target: float}).reset_index(drop=True)
    forms = {name: forms[name] for name in [*used, *filter(None, (groups, weight, target))]}
    found = Columns(read, roles, forms, kind, target, groups, weight, grades, tuple(pairs), halves)
    codes = filter(_called_identifier, found.names_of("number"))
    told = [f"{name} counts as a number; if its values are codes, use --nominal or --drop" for name in codes]
    notes = [*more, *left_out, *told]
    return replace(found, notes=(*notes, *([] if pairs else _leak_notes(found))))


def _check_names(frame, uses, nominal):
    """Refuse columns that do not exist, and a column with two uses."""
    for option, names in {**uses, "--nominal": nominal}.items():
        for name in filter(None, names):
            if name not in frame:
                raise TableError(f"{option}={name}: there is no such column, there are {listed(frame, 30)}")
    names = [name for of in uses.values() for name in of if name]
    if twice := {name for name in names if names.count(name) > 1 or name in nominal}:
        raise TableError(f"{min(twice)!r} may be in only one of {', '.join(uses)} and --nominal")


def _named_items(frame, target, items, order, missing):
    """Return the two columns that name the items of a row, if the target says which of them won; or ``()``."""
    if len(items) not in (0, 2) or target in items:
        raise TableError(f"--items must hold two names of columns, or two endings, got {listed(items)}")
    if items:
        return tuple(items) if all(name in frame for name in items) else ()
    if not order and isinstance(frame[target].dtype, pd.StringDtype):
        results = texts_of(frame[target], missing).dropna()
        for first, second in _partners([name for name in frame if name != target]):
            names = [texts_of(frame[name], missing)[results.index] for name in (first, second)]
            if _values_of(results, names, (first, second)).notna().mean() > 0.5:
                return first, second
    return ()


def _values_of(results, names, columns):
    """Return 1, 0 or -1 of each result, for the first item; nan for one that says nothing known."""
    ways = {columns[0].casefold(): 1.0, columns[1].casefold(): -1.0, **RESULTS}
    for first, second in chain.from_iterable(WORDS):
        if first in _words(columns[0]) and second in _words(columns[1]):
            ways |= {first: 1.0, second: -1.0}
    values = results.str.casefold().map(ways)
    return values.mask(results == names[0], 1.0).mask(results == names[1], -1.0)


def results_of(frame, target, columns, halves=False):
    """Return the results of two items as 1, 0 and -1; refuse a word that is not known."""
    results = frame[target]
    if pd.api.types.is_numeric_dtype(results):
        return 2 * results - 1 if halves else results
    values = _values_of(results, [frame[name] for name in columns], columns)
    if len(odd := results[values.isna() & results.notna()]):
        known = f"{columns[0]}, {columns[1]}, tie, both bad, or the name of the winner"
        cure = f"--missing={quoted([odd.iloc[0]])} leaves such rows out"
        raise TableError(f"TARGET={target}: {odd.iloc[0]!r} in row {odd.index[0] + 1} is none of {known}; {cure}")
    return values


def _words(name):
    return tuple(part.strip(SEPARATORS).casefold() for part in BEGINS.split(name))


def _partners(names):
    """Return the pairs of columns whose names differ in one of the pairs of words that the library knows."""
    words = {_words(name): name for name in names}
    for pair in chain.from_iterable(WORDS):
        found = [
            (name, words[other])
            for of, name in words.items()
            for at, word in enumerate(of)
            if word == pair[0] and (other := (*of[:at], pair[1], *of[at + 1 :])) in words
        ]
        if found:
            return found
    return []


def _pairs(names, named, items):
    """Return (attribute, column of the first item, column of the second item) of all columns that come in pairs.

    Raises
    ------
    TableError
        If `items` are endings that the columns do not have.
    """
    given, found = tuple(items) if items and not named else None, []
    partners = [] if given else [pair for pair in _partners(names) if not {*pair} & {*named}]
    columns = [pair[side] for side in (0, 1) for pair in partners]
    if given and not (columns := [name for name in names if name.startswith(given) or name.endswith(given)]):
        raise TableError(f"--items={','.join(given)}: no columns begin or end so, there are {listed(names, 30)}")
    try:
        of = pair_columns(columns, len(columns), given)
        found = [(str(of.names[k]), columns[one], columns[two]) for k, (one, two) in enumerate(of.numbers.T)]
    except ValueError as error:
        if given:
            raise TableError(f"--items={','.join(given)}: {error}") from None
    return [*([("item", *named)] if named else []), *found]


def _graded(names, target, order):
    """Return the ranks 0, 1, ... of the grades of a target of names (nan if missing), and the names of the grades."""
    held = [*names.dropna().unique()]
    if not order:
        refusal = f"TARGET={target}: must hold numbers, or names whose order is given, got {listed(held)}"
        cure = f"give their order, the worst first, such as --order={quoted(held)}"
        raise TableError(f"{refusal}; {cure if len(held) <= MOST_GRADES else 'numbers must all be written alike'}")
    if len(order) > len({*order}) or not {*held} <= {*order}:
        lacks = sorted({*held} - {*order})
        said = f"lacks {listed(lacks)}" if lacks else "names one twice"
        raise TableError(f"--order must name every grade of {target!r} once, it {said}; got {listed(order)}")
    grades = tuple(name for name in order if name in held)
    return names.map({name: float(rank) for rank, name in enumerate(grades)}), grades


def _used_rows(frame, needed, named):
    """Return at most `MOST_USED` rows that have these cells, and of items two different ones; and notes."""
    notes = []
    for name in filter(None, needed):
        if empty := int(frame[name].isna().sum()):
            notes.append(f"left out, because they have no {name}: {empty} of {counted(len(frame), 'row')}")
            frame = frame[frame[name].notna()]
    if named and (same := frame[named[0]] == frame[named[1]]).any():
        notes.append(f"left out, because both items are the same: {counted(int(same.sum()), 'row')}")
        frame = frame[~same]
    if (n := len(frame)) <= MOST_USED:
        return frame, notes
    codes = pd.factorize(frame[needed[1]])[0] if needed[1] else np.arange(n)  # of groups, or of rows
    order = np.random.default_rng(0).permutation(codes.max() + 1)[codes]
    fit = max(int(np.bincount(order).cumsum().searchsorted(MOST_USED, side="right")), 1)
    sample = frame[order < fit].head(MOST_USED)
    return sample, [
        *notes,
        f"{len(sample):,} of {n:,} rows are used: {'groups' if needed[1] else 'rows'} drawn at random",
    ]


def _check_target(frame, target, weight):
    """Refuse a target, weights, or a number of rows with which nothing can be compared."""
    if len(frame) < FEWEST_ROWS:
        raise TableError(f"the table has {len(frame)} rows with a target; at least {FEWEST_ROWS} are needed")
    if weight:
        odd = frame[weight][~pd.to_numeric(frame[weight], errors="coerce").gt(0)]
        if len(odd):
            raise TableError(f"--weight={weight}: weights must be numbers > 0, got {odd.iloc[0]}")


def _roles(frame, forms, odd, nominal, pairs, named):
    """Return the roles of the columns, and their forms, of which some know the frequent names."""
    roles, known = {}, dict(forms)
    partner = {column: [*pair[1:]] for pair in pairs for column in pair[1:]}
    for name, values in frame.items():
        counts = pd.concat([frame[column] for column in partner.get(name, [name])]).value_counts()
        roles[name] = odd.get(name) or ("number" if forms[name].kind != "names" else "names")
        if len(counts) + values.isna().any() < 2:  # a cell that is empty says something beside others that are not
            roles[name] = "it is constant"
        elif roles[name] == "names" and len(counts) > MOST_LEVELS and not (pairs and name in named):
            common = sorted(counts.index, key=lambda one: (-counts[one], one))[: MOST_LEVELS - 1]
            known[name] = replace(forms[name], common=tuple(sorted(common)))
            if name not in nominal and counts[common][counts[common] > 1].sum() < counts.sum() / 2:
                what = f"{len(counts)} different names such as {counts.index[0][:20]!r}: text or an id"
                roles[name] = f"{what}; --nominal={quoted([name])} uses it"
    return roles, known


def _identifiers(frame):
    """Yield the columns of whole numbers, all different, that count the rows or have the name of an identifier. Years
    count up too, and are none."""
    for name, column in frame.items():
        numbers = np.sort(column.to_numpy())
        if len(numbers) > 2 and np.isfinite(numbers).all() and not np.any(numbers % 1) and column.is_unique:
            counts = np.all(np.diff(numbers) == 1) and not YEARS[0] <= numbers[0] <= numbers[-1] <= YEARS[1]
            if _called_identifier(name) or counts:
                yield name


def _called_identifier(name):
    """Return whether the name of a column is that of an identifier, such as id, user_id, movieId."""
    lower = name.lower()
    index = lower in ("id", "unnamed: 0", "column 1") or lower.startswith("__index_level_")
    return index or lower.endswith(("_id", " id", ".id")) or name.endswith(("Id", "ID"))


def _check_pair(one, other, roles, frame):
    """Refuse missing numbers, which two items cannot have, and numbers of one item that are names of the other."""
    if roles[one] != roles[other] or (roles[one] == "number" and frame[[one, other]].isna().any(axis=None)):
        cure = f"fill or --drop them, or --nominal={quoted([one, other])}"
        raise TableError(
            f"columns {one!r}, {other!r}: of two items both must hold names, or numbers in all rows; {cure}"
        )


def _leak_notes(found):
    """Return a note about columns that order nearly all rows as the target does, or in reverse."""
    leaks = []
    for name in found.names_of("number"):
        rows = found.frame[found.frame[name].notna()]
        y, groups = rows[found.target].to_numpy(), rows[found.groups].to_numpy(object) if found.groups else None
        if len(y) - np.unique(y, return_counts=True)[1].max(initial=0) >= FEWEST:
            with suppress(ValueError):  # there is no pair to compare
                leaks += [name] if abs(2 * concordance_index(y, rows[name].to_numpy(), groups) - 1) >= LEAK else []
    what = f"{listed(leaks)}: nearly the order of the target, or its reverse"
    return [f"{what}; if it is a copy of the target or made from it, --drop={quoted(leaks)}"] if leaks else []


def describe(found):
    """Yield lines that say how each column is used and how to change that."""
    frame, out = found.frame, [name for name in found.roles if name not in found.forms]
    _, one, other = found.items[0] if found.items else ("", "", "")
    won = f"1: the item of {one} is better, -1: that of {other}, 0: neither"
    what = {
        "values": "numbers, higher is better: ranking methods are compared",
        "grades": f"{len(found.grades)} grades, the worst first: {', '.join(found.grades)}",
        "pairs": f'{won} (if rows are no pairs of items: --order="-1 0 1")',
        "battles": f"{won}; both bad counts as 0",
    }[found.kind]
    yield f"rows      {len(frame):,}"
    yield f"target    {found.target}: {what}"
    if found.kind == "battles":
        yield f"items     {one}, {other}: {pd.concat([frame[one], frame[other]]).nunique():,} names"
    if found.groups:
        use = "each is in one part of a hold-out" if found.items else "only rows of one group are compared"
        useful = [True] if found.items else frame.groupby(found.groups)[found.target].nunique() > 1
        some = "" if all(useful) else f", of which {sum(useful):,} hold rows to compare"
        yield f"groups    {found.groups}: {frame[found.groups].nunique():,}{some}; {use}"
    if found.weight:
        yield f"weights   {found.weight}: a weight of 2 is a row that is there twice"
    yield f"numbers   {listed(found.names_of('number')) or 'none'}"
    if names := found.names_of("names"):
        yield f"names     {listed(names)} (one column of 0 and 1 per name; --nominal=... adds others)"
    if out:
        yield f"left out  {listed(f'{name} ({found.roles[name]})' for name in out)}"
    for role, filled in MISSING.items():
        if holes := [f"{name} ({n:,})" for name in found.names_of(role) if (n := frame[name].isna().sum())]:
            yield f"missing   {listed(holes)}: {filled}"
    if rare := [name for name, form in found.forms.items() if form.common]:
        yield f"note      {listed(rare)}: the {MOST_LEVELS - 1} most frequent names, and all others together as {OTHER}"
    yield from (f"note      {note}" for note in found.notes)
    yield f"change    with {CHANGE}"
