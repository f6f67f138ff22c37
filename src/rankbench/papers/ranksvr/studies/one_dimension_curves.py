"""Figures 1 to 3 of Yu et al.: what orderings do to a regression curve over one input. One draw, to be looked at."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from rankmargin.methods.ranksvr import fit_path

COLUMNS = ("scene", "kind", "number", "x", "y")
N_POINTS, N_WAVES = 3, 4
GRID = np.linspace(0.0, 1.0, 201)
DENSE = (0.15, 0.35)
SHORT, LONG = (0.02, 0.1), (0.4, 0.8)

# Scene -> number of pairs, the range of the middle of a pair, the range of its length; None: two uniform points.
SCENES = {
    "fig1_few": (3, None, None),
    "fig1_many": (10, None, None),
    "fig2_long": (3, (0.0, 1.0), LONG),
    "fig2_short": (3, (0.0, 1.0), SHORT),
    "fig3_dense": (5, DENSE, SHORT),
    "fig3_spread": (5, (0.0, 1.0), SHORT),
}


@dataclass(frozen=True)
class Draw:
    """A function on [0, 1] with mean 0 and standard deviation 1, three points of it, and ordered pairs.

    Attributes
    ----------
    amplitudes, phases : (N_WAVES,) arrays
    X : (3, 1) inputs whose targets are known
    Z : (2 p, 1) ends of the pairs; rows 2 k and 2 k + 1 are pair k
    pairs : (p, 2) int array, the higher end first
    """

    amplitudes: np.ndarray
    phases: np.ndarray
    X: np.ndarray
    Z: np.ndarray
    pairs: np.ndarray

    def target(self, x):
        """Return the function at inputs of any shape: waves of half a period to N_WAVES half periods."""
        on_grid = self._waves(GRID)
        return (self._waves(np.ravel(x)) - on_grid.mean()) / on_grid.std()

    def _waves(self, x):
        k = np.arange(1, N_WAVES + 1)
        return np.sin(np.pi * np.outer(x, k) + self.phases) @ self.amplitudes


def make_draw(scene, number):
    """Return draw `number` of a scene; the function and the points are the same in all scenes."""
    n_pairs, middles, lengths = SCENES[scene]
    rng = np.random.default_rng([2010, number])
    amplitudes, phases = rng.standard_normal(N_WAVES), rng.uniform(0, 2 * np.pi, N_WAVES)
    X = rng.uniform(size=(N_POINTS, 1))
    ends = np.array([_pair(rng, at, n_pairs, middles, lengths) for at in range(n_pairs)])
    rows = np.arange(2 * n_pairs).reshape(-1, 2)
    known = Draw(amplitudes, phases, X, ends.reshape(-1, 1), rows)
    above = known.target(ends[:, 0]) > known.target(ends[:, 1])
    return Draw(amplitudes, phases, X, known.Z, np.where(above[:, None], rows, rows[:, ::-1]))


def _pair(rng, at, n_pairs, middles, lengths):
    """Return the two ends of pair `at`; their middles are spread evenly over their range, each anywhere in its part."""
    if middles is None:
        return rng.uniform(size=2)
    length, (low, high) = rng.uniform(*lengths), middles
    middle = low + (high - low) * (at + rng.uniform()) / n_pairs
    middle = np.clip(middle, length / 2, 1 - length / 2)
    return middle + np.array([-0.5, 0.5]) * length


def fit(known, margin, params, told=True):
    """Return RankSVR fitted to a draw, or, with ``told=False``, SVR fitted to its points without the pairs."""
    params = dict(params)
    given = {"Z": known.Z, "pairs": known.pairs, "margin": margin} if told else {}
    (model,) = fit_path(known.X, known.target(known.X), [params.pop("C")], **given, **params)
    return model


def run(data, experiment, *, draw, margin, params):
    """Draw one function and fit it with and without the pairs of each scene.

    Parameters
    ----------
    data, experiment
        Not used: the functions are made here.
    draw : int
        Which of the draws of `one_dimension_errors`.
    margin : float
        In standard deviations of the function.
    params : dict
        Arguments of RankSVR, ``C`` among them.

    Returns
    -------
    DataFrame
        `COLUMNS`: for each scene the curves ``target``, ``svr`` and ``ranksvr`` (``number`` 0), the ``point``s, and the
        two ends of each ``pair``.
    """
    rows = []
    for scene in SCENES:
        known = make_draw(scene, draw)
        curves = {"target": known.target(GRID)}
        for kind, told in (("svr", False), ("ranksvr", True)):
            curves[kind] = fit(known, margin, params, told).scores(GRID[:, None])
        rows += [(scene, kind, 0, x, y) for kind, values in curves.items() for x, y in zip(GRID, values)]
        rows += [(scene, "point", at, x, y) for at, (x, y) in enumerate(zip(known.X[:, 0], known.target(known.X)))]
        ends = zip(known.Z[:, 0], known.target(known.Z))
        rows += [(scene, "pair", at // 2, x, y) for at, (x, y) in enumerate(ends)]
    return pd.DataFrame(rows, columns=COLUMNS)
