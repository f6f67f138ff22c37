"""The most likely strengths of players, by Newton's method; where there are none, what grows without bound."""

import numpy as np

from rankmargin.comparisons.game_counts import CURE, SeparationError
from rankmargin.comparisons.strengths import Strengths
from rankmargin.comparisons.tie_models import first_guess
from rankmargin.problem.laplacian import conjugate_gradients

MAX_STEPS, LONGEST = 200, 20.0  # of Newton's method, and the largest change of a parameter in one of them
CLOSE = 1e-8  # a step of this length is the last: the next is about its square
FAR, NOTHING = 1e-3, 1e-13  # a longer step that gains less, for each game, leads away to infinity


def most_likely_strengths(counts, ties, advantage, prior):
    """Return the :class:`Strengths` of the largest likelihood; players must not be separated, or the prior > 0.

    Raises
    ------
    SeparationError
        If the advantage or the parameter of ties grows without bound, or no game tells the advantage from strengths.
    """
    results = counts.results.sum(axis=0)
    with_ties = ties != "half" and bool(results[1] > 0)
    if with_ties and not results[[0, 2]].any():
        raise SeparationError('score must hold a win, got ties only, so that a tie has the probability 1: ties="half"')
    start = np.zeros(len(counts.games) + advantage + with_ties)
    if with_ties:
        start[-1] = first_guess(ties, results[1] / results.sum())
    here = Strengths(counts, ties, advantage, with_ties, prior, start)
    if advantage and prior == 0:
        _refuse_confounded(here)
    for _ in range(MAX_STEPS):
        try:
            step = here.solve(here.gradient[:, None])[:, 0]
        except np.linalg.LinAlgError:
            break
        longest, gain = np.abs(step).max(), float(here.gradient @ step)
        if not gain >= 0 or (longest > FAR and gain < NOTHING * results.sum()):
            break  # the likelihood grows no more, but the parameters do
        part, least = min(1.0, LONGEST / longest) if longest else 1.0, here.value - 1e-12 * abs(here.value)
        while not (there := here.moved(part * step)).value >= least and part > 1e-6:
            part /= 2
        here = there
        if longest < CLOSE:
            return here
    raise SeparationError(_what_grows(here))


def _refuse_confounded(here):
    """Refuse an advantage that some strengths replace in all games: without ties its information beside them is 0."""
    along = conjugate_gradients(here.sparse, here.border[:, :1])
    if here.corner[0, 0] - float(here.border[:, 0] @ along[:, 0]) < 1e-9 * here.corner[0, 0]:
        raise SeparationError(
            "advantage must be False, got True: no games tell it from the ratings, as no player is first in some games "
            "and second in others of the same strength"
        )


def _what_grows(here):
    if here.with_advantage and abs(here.advantage) > np.abs(here.r).max():
        return "advantage must be False, got results in which the same side nearly always wins: it has no bound"
    if here.with_ties:
        return (
            "score must hold results that contradict an order in which only neighbours tie, got none, so that ratings "
            f'and ties have no bound: ties="half", or {CURE}'
        )
    return f"score must have most likely ratings, got none after {MAX_STEPS} steps: {CURE}"
