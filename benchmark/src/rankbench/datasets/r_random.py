"""R's default random numbers, bit for bit: Mersenne Twister, normals by inversion, samples as before R 3.6.

It reproduces published simulations in R exactly.
"""

import numpy as np
from scipy.special import ndtri

WORDS = 624
TO_UNIT = 2.3283064365386963e-10
SMALLEST = 2.328306437080797e-10 / 2
BIG = 2**27
PARTS = ("train", "validation", "test")


class RRandom:
    """The stream that ``set.seed(seed)`` starts in R.

    Parameters
    ----------
    seed : int, used as R uses it: a negative seed counts as its unsigned 32-bit value
    """

    def __init__(self, seed):
        value = int(seed) % 2**32
        for _ in range(50):
            value = (69069 * value + 1) % 2**32
        state = np.empty(WORDS + 1, dtype=np.uint32)
        for word in range(WORDS + 1):
            value = (69069 * value + 1) % 2**32
            state[word] = value
        self._twister = np.random.MT19937()
        self._twister.state = {"bit_generator": "MT19937", "state": {"key": state[1:], "pos": WORDS}}

    def uniform(self, size):
        """Return ``runif(size)``: uniform on the open interval (0, 1), shape (size,)."""
        unit = self._twister.random_raw(size).astype(np.float64) * TO_UNIT
        return np.clip(unit, SMALLEST, 1.0 - SMALLEST)

    def normal(self, size):
        """Return ``rnorm(size)``, shape (size,); two uniforms per number."""
        return normal_from(self.uniform(2 * size).reshape(size, 2))

    def sample(self, items, size):
        """Return ``sample(items, size)`` of R before 3.6: without replacement, shape (size,).

        Raises
        ------
        ValueError
            When there are fewer items than asked for.
        """
        slots = np.array(items)
        if size > len(slots):
            raise ValueError(f"size must be <= the number of items {len(slots)}, got {size}")
        chosen = np.empty(size, dtype=slots.dtype)
        last = len(slots)
        for k, u in enumerate(self.uniform(size)):
            slot = int(last * u)
            last -= 1
            chosen[k], slots[slot] = slots[slot], slots[last]
        return chosen


def normal_from(uniforms):
    """Return the standard normals that R's inversion makes of uniforms of shape (..., 2), shape (...,)."""
    return ndtri((np.floor(BIG * uniforms[..., 0]) + uniforms[..., 1]) / BIG)


def draw_parts(stream, y, n_equality, n_inequality):
    """Draw disjoint train, validation and test sets of one pool with labels `y`; the equality pairs come first.

    Each drawn pair uses one number of the stream, for any labels.
    """
    remaining, parts = [np.flatnonzero(y == 0), np.flatnonzero(y != 0)], {}
    for part in PARTS:
        drawn = [stream.sample(rows, k) for rows, k in zip(remaining, (n_equality, n_inequality), strict=True)]
        remaining = [np.setdiff1d(rows, used) for rows, used in zip(remaining, drawn, strict=True)]
        parts[part] = np.concatenate(drawn)
    return parts
