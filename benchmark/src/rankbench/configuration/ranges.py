"""What is wrong with a range of a space: its ends are numbers of the argument, as the values of a list must be."""

from .checked import faults_of
from .model import KINDS


def range_faults(key, argument, axis, budget):
    """Yield the faults of a range.

    Parameters
    ----------
    key : str
        Of the axis.
    argument : str
    axis : dict
        See `rankbench.configuration.space`.
    budget : dict
        That of the search; empty if every point of a grid is tried.
    """
    if not budget:
        yield f"{key}: a range needs tuning.budget"
    low, high = axis["low"], axis["high"]
    if not (low < high and (low > 0 or axis["scale"] != "log")):
        yield f"{key}: needs low < high, and low > 0 on a log scale, got {low}, {high}"
    elif not low <= (first := axis.get("first", low)) <= high:
        yield f"{key}.first: must lie in the range, {low} to {high}, got {first}"
    for fault in faults_of(KINDS[argument], low) if argument in KINDS else ():
        yield f"{key}.low{fault.removeprefix('the document')}"
    if axis.get("whole"):
        if broken := [end for end in ("low", "high", "first") if end in axis and axis[end] != round(axis[end])]:
            yield f"{key}.{broken[0]}: must be an integer because of whole, got {axis[broken[0]]}"
        if "by" in axis:
            yield f"{key}.by: a whole number divided by the number of columns is none; leave out by or whole"
    elif counts(argument):
        yield f"{key}.whole: missing key; {argument} must be an integer, so write whole: true"


def counts(argument):
    """Return whether an argument is a number of something, so that every run would fail on a fraction.

    >>> counts("n_bins"), counts("forest__max_iter"), counts("alpha")
    (True, True, False)
    """
    name = argument.rpartition("__")[2]
    return name.startswith("n_") or name in ("max_iter", "epochs", "degree")
