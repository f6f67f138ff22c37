"""Frames of studies: a study gives rows, and its decorator names their columns."""

from functools import wraps

import pandas as pd


def columns(*names):
    """Decorate a function that yields rows, or returns a frame: it returns a frame with these columns.

    Returns
    -------
    callable
        With the attribute ``columns``, the names.

    Examples
    --------
    >>> @columns("n", "square")
    ... def squares(largest):
    ...     for n in range(largest):
    ...         yield n, n * n
    >>> squares(3)["square"].tolist()
    [0, 1, 4]
    """

    def decorate(study):
        @wraps(study)
        def frame(*inputs, **arguments):
            return pd.DataFrame(study(*inputs, **arguments), columns=names)

        frame.columns = names
        return frame

    return decorate
