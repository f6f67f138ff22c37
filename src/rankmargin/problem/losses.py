"""Losses of a constraint that is missed by v = margin - value: convex functions whose slope rises along one ramp.

    slope(v) = clip(steepness v, 0, cap)

A steepness of infinity is a kink at 0: the hinge. A cap of infinity is a slope that never stops rising: the squared
hinge. Every other loss of this family is one line, ``Loss("smooth_hinge", steepness=4.0)``, and can be given to an
estimator as ``loss``. With such a slope the sums over all pairs follow from sorted scores (see
:mod:`rankmargin.oracles.pair_losses`), so no loss needs a list of pairs.
"""

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

Array = np.ndarray


@final
@dataclass(frozen=True)
class Loss:
    """The loss phi(v) with phi = 0 for v <= 0 and the slope clip(steepness v, 0, cap) for v > 0.

    Two losses are equal if their slopes are: the name is for messages only.

    Parameters
    ----------
    name : str
    steepness : float > 0
        Derivative of the slope on the ramp; infinity is a kink at 0.
    cap : float > 0
        The largest slope, or infinity.

    Raises
    ------
    ValueError
        If a parameter is outside its range, or both are infinite.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.losses import Loss
    >>> loss = Loss("smooth_hinge", steepness=4.0)
    >>> loss.value(np.array([-1.0, 0.125, 1.0])), loss.slope(np.array([-1.0, 0.125, 1.0]))
    (array([0.     , 0.03125, 0.875  ]), array([0. , 0.5, 1. ]))
    """

    name: str = field(compare=False)
    steepness: float = np.inf
    cap: float = 1.0

    def __post_init__(self) -> None:
        for name in ("steepness", "cap"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} of a loss must be > 0, got {getattr(self, name)!r}")
        if self.kinked and not self.capped:
            raise ValueError("a loss must have a finite steepness or a finite cap, got inf for both")

    def __str__(self) -> str:
        return repr(self.name) if LOSSES.get(self.name) == self else repr(self)

    @property
    def kinked(self) -> bool:
        """Whether the loss has a kink at 0."""
        return bool(self.steepness == np.inf)

    @property
    def capped(self) -> bool:
        """Whether its slope, and so a dual variable, has an upper bound."""
        return bool(self.cap < np.inf)

    def value(self, v: Any) -> Array:
        """Return phi(v)."""
        short = np.maximum(v, 0.0)
        if self.kinked:
            short *= self.cap  # in place: it may be as large as X
            return short
        inside = np.minimum(short, self.cap / self.steepness)
        beyond = short - inside
        return 0.5 * self.steepness * inside**2 + (self.cap * beyond if self.capped else 0.0)

    def slope(self, v: Any) -> Array:
        """Return phi'(v); at a kink, 0."""
        if self.kinked:
            return self.cap * (np.asarray(v) > 0.0)
        return np.minimum(self.steepness * np.maximum(v, 0.0), self.cap)

    def conjugate(self, a: Any) -> Array:
        """Return the largest a v - phi(v) over v; inf for a < 0 or a > cap."""
        return np.where(
            (np.asarray(a) >= 0.0) & (np.asarray(a) <= self.cap), 0.5 / self.steepness * np.square(a), np.inf
        )


HINGE = Loss("hinge")
LOSSES = {loss.name: loss for loss in (HINGE, Loss("squared_hinge", steepness=2.0, cap=np.inf))}


def loss_named(loss: Any) -> Loss:
    """Return a Loss as it is, or the one with this name."""
    if isinstance(loss, Loss):
        return loss
    if not isinstance(loss, str) or loss not in LOSSES:
        raise ValueError(f"loss must be a Loss or one of {', '.join(LOSSES)}, got {loss!r}")
    return LOSSES[loss]
