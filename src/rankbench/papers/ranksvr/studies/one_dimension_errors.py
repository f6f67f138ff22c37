"""Figures 1 to 3 of Yu et al. on many draws: the error of the curve for few and many, long and short, spread and
clustered pairs."""

from itertools import product

import numpy as np
import pandas as pd

from rankbench.papers.ranksvr.studies.one_dimension_curves import GRID, SCENES, fit, make_draw

COLUMNS = ("scene", "margin", "draw", "svr_error", "ranksvr_error")


def run(data, experiment, *, draws, margins, params):
    """Fit every draw of every scene at every margin.

    Parameters
    ----------
    data, experiment
        Not used: the functions are made in `one_dimension_curves`.
    draws : int
    margins : sequence of float
        In standard deviations of the function.
    params : dict
        Arguments of RankSVR, ``C`` among them.

    Returns
    -------
    DataFrame
        `COLUMNS`: mean absolute errors on an even grid of [0, 1], in standard deviations of the function.
    """
    rows = []
    for scene, number in product(SCENES, range(draws)):
        known = make_draw(scene, number)
        alone = _error(known, fit(known, 1.0, params, told=False))
        rows += [(scene, margin, number, alone, _error(known, fit(known, margin, params))) for margin in margins]
    return pd.DataFrame(rows, columns=COLUMNS)


def _error(known, model):
    return float(np.abs(model.scores(GRID[:, None]) - known.target(GRID)).mean())
