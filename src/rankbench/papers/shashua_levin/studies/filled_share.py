"""The share of a table of users and films that its ratings fill."""

import pandas as pd

COLUMNS = ("users", "films", "ratings", "share")


def run(data, experiment, *, users, films, ratings):
    """Return ``users films ratings share``: one row."""
    return pd.DataFrame([(users, films, ratings, ratings / (users * films))], columns=list(COLUMNS))
