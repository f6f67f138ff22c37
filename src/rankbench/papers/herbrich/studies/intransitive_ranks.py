"""Three objects whose most probable pairwise orders go round in a circle (Herbrich et al., section 2.3).

The rank of each object is random and independent of the others', as y given x is: its values are equally probable. They
are the faces of Efron's kind of dice.
"""

from fractions import Fraction
from itertools import product

import pandas as pd

COLUMNS = ("above", "below", "probability", "tie")
FACES = {"a": (2, 4, 9), "b": (1, 6, 8), "c": (3, 5, 7)}


def run(data, experiment):
    """Return ``above below probability tie``: the probability that the rank of one object is above the next one's."""
    names = list(FACES)
    rows = []
    for above, below in zip(names, [*names[1:], names[0]], strict=True):
        pairs = list(product(FACES[above], FACES[below]))
        higher, tie = (Fraction(sum(test(x, z) for x, z in pairs), len(pairs)) for test in (int.__gt__, int.__eq__))
        rows.append((above, below, float(higher), float(tie)))
    return pd.DataFrame(rows, columns=list(COLUMNS))
