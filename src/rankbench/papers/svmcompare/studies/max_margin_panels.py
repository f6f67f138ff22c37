"""The hard-margin linear and quadratic programs on one separable set, as it is and scaled (Venuto et al., Figure 2)."""

import numpy as np
import pandas as pd

from rankbench.papers.svmcompare.separable_pairs import scaled, separable_pairs
from rankmargin.methods.max_margin import max_margin_lp, max_margin_qp

COLUMNS = ("panel", "what", "x1", "x2", "y", "margin")
PANELS = ("original", "flipped", "scaled")


def run(data, experiment, *, n, spread, seed):
    """Solve both programs in each panel; in the first only the linear one, as in the paper.

    Parameters
    ----------
    n : int
        Pairs.
    spread : float
        How many times larger the second feature is than the first.
    seed : int

    Returns
    -------
    DataFrame
        `COLUMNS`: for ``what = difference`` a difference x' - x with its label, for ``lp`` and
        ``qp`` the weights (x1, x2) and the margin mu of the program. In the panels ``flipped`` and ``scaled`` they
        are those of the flipped data (8): inequality pairs point upwards, equality pairs stand in both directions.
    """
    X, X2, y = separable_pairs(seed, n, (1.0, spread))
    frames = []
    for panel in PANELS:
        A, B = scaled(X, X2) if panel == "scaled" else (X, X2)
        shown, labels = (B - A, y) if panel == "original" else _flipped(B - A, y)
        points = {"panel": panel, "what": "difference", "x1": shown[:, 0], "x2": shown[:, 1], "y": labels}
        frames.append(pd.DataFrame(points))
        programs = {"lp": max_margin_lp} | ({} if panel == "original" else {"qp": max_margin_qp})
        for name, solve in programs.items():
            found = solve(A, B, y)
            row = {"panel": panel, "what": name, "x1": found.w[0], "x2": found.w[1], "margin": found.margin}
            frames.append(pd.DataFrame([row]))
    return pd.concat(frames, ignore_index=True)[list(COLUMNS)]


def _flipped(differences, y):
    up = differences[y != 0] * y[y != 0, None]
    equal = differences[y == 0]
    return np.vstack([up, equal, -equal]), np.repeat([1, 0], [len(up), 2 * len(equal)])
