"""Choose the pairs whose order is requested: the four samplers of Yu et al. (2010), section 5.

A sampler is any callable ``sampler(Z, n_pairs, order, kernel, rng) -> pairs``:

Z : (m, d) array or data frame of points; (m, m) kernel matrix for the kernel "precomputed"
n_pairs : int >= 1
order : (m,) array of numbers, nan if unknown. Only pairs whose two values are known and differ are returned.
kernel : dict of ``kernel`` and, if it has them, ``gamma``, ``degree``, ``coef0``, as for
    :class:`rankmargin.kernels.Kernel`. "Close" means close in its feature space: k(x, x) - 2 k(x, z) + k(z, z) is
    small. For a normalised kernel (Gaussian) this is a high kernel value, as in the paper's algorithms.
rng : numpy Generator or seed
pairs : (n_pairs, 2) int64 array of different pairs, row i is above row j: order[i] > order[j]

If fewer than ``n_pairs`` pairs are available, every sampler here raises a ValueError that says how many there are.
"""

import math
from numbers import Real
from typing import Any

import numpy as np

from rankmargin.annotations import Array, ArrayLike
from rankmargin.estimators.spatial import all_distances
from rankmargin.problem.kernels import Kernel, squared_norms
from rankmargin.problem.rows.pairs import floats

EUCLIDEAN_KERNELS = ("linear", "rbf")
SAMPLED = (*EUCLIDEAN_KERNELS, "poly", "precomputed")
REJECTION_ROUNDS = 20
# ClosePair is faster with boxes up to this many dimensions; measured on standard normal points, the hardest for boxes
MOST_DIMENSIONS = 30
LARGEST = 1e75  # the fourth power of it is a float


def random(Z: Any, n_pairs: int, order: ArrayLike, kernel: dict[str, Any], rng: np.random.Generator) -> Array:
    """Return random pairs; all sets of pairs are equally likely.

    Parameters
    ----------
    Z : (m, d) array or data frame
        Points; the (m, m) kernel matrix with the kernel "precomputed".
    n_pairs : int >= 1
        Number of pairs.
    order : (m,) array
        Numbers that order the points, nan if unknown. Only pairs whose two values are known and differ are returned.
    kernel : dict
        ``kernel`` and, if it has them, ``gamma``, ``degree``, ``coef0``, as for :class:`rankmargin.kernels.Kernel`.
        Two points are close if they are close in its feature space.
    rng : numpy Generator or seed
        The source of randomness.

    Returns
    -------
    (n_pairs, 2) array of integers
        Different pairs; row i of Z is above row j.

    Raises
    ------
    ValueError
        If fewer pairs are available; the message says how many there are.

    References
    ----------
    Yu, Kim, Na, "RankSVR: can preference data help regression?" (CIKM 2010), section 5.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.sampling import random
    >>> Z = np.array([[0.0], [1.0], [1.5], [4.0]])
    >>> random(Z, 2, order=np.array([1.0, 2.0, 3.0, 4.0]), kernel={"kernel": "linear"}, rng=0).shape
    (2, 2)
    """
    Z, n_pairs, order, _ = _checked(Z, n_pairs, order, kernel)
    pairs = _draw(order, n_pairs, np.random.default_rng(rng))
    _check_available(len(pairs), n_pairs, "pairs of known, different order")
    return pairs


def close_pair(Z: Any, n_pairs: int, order: ArrayLike, kernel: dict[str, Any], rng: np.random.Generator) -> Array:
    """Return the closest pairs, nearest first; the search is exact and does not list all pairs.

    Parameters
    ----------
    Z : (m, d) array or data frame
        Points; the (m, m) kernel matrix with the kernel "precomputed".
    n_pairs : int >= 1
        Number of pairs.
    order : (m,) array
        Numbers that order the points, nan if unknown. Only pairs whose two values are known and differ are returned.
    kernel : dict
        ``kernel`` and, if it has them, ``gamma``, ``degree``, ``coef0``, as for :class:`rankmargin.kernels.Kernel`.
        Two points are close if they are close in its feature space.
    rng : numpy Generator or seed
        The source of randomness.

    Returns
    -------
    (n_pairs, 2) array of integers
        Different pairs; row i of Z is above row j.

    Raises
    ------
    ValueError
        If fewer pairs are available; the message says how many there are.

    References
    ----------
    Yu, Kim, Na, "RankSVR: can preference data help regression?" (CIKM 2010), section 5, Algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.sampling import close_pair
    >>> Z = np.array([[0.0], [1.0], [1.5], [4.0]])
    >>> close_pair(Z, 2, order=np.array([1.0, 2.0, 3.0, 4.0]), kernel={"kernel": "linear"}, rng=0)
    array([[2, 1],
           [1, 0]])
    """
    Z, n_pairs, order, function = _checked(Z, n_pairs, order, kernel)
    _check_available(int(_ranking(order)[1].sum()), n_pairs, "pairs of known, different order")
    known = np.flatnonzero(~np.isnan(order))
    points = _finite(Z[np.ix_(known, known)] if function.name == "precomputed" else Z[known])
    found = None
    if function.name in EUCLIDEAN_KERNELS and Z.shape[1] <= MOST_DIMENSIONS:
        found = all_distances.closest_pairs_of_tree(points, order[known], n_pairs)
    if found is None:
        found = all_distances.closest_pairs(_distance(points, function), order[known], n_pairs)
    return _oriented(known[found], order)


def p_close_pair(
    Z: Any,
    n_pairs: int,
    order: ArrayLike,
    kernel: dict[str, Any],
    rng: np.random.Generator,
    p: float = 0.05,
    q: float = 0.95,
) -> Array:
    """Return the closest of some random pairs: ``draws_needed(p, q)`` pairs are drawn for each pair to return.

    One of them is among the closest fraction p of all pairs with probability q. If there are fewer pairs, all are used.
    The time does not depend on the number of points.

    Parameters
    ----------
    Z, n_pairs, order, kernel, rng
        As of :func:`close_pair`.
    p, q : float in (0, 1)
        Fraction and probability.

    Returns
    -------
    (n_pairs, 2) array of integers
        Different pairs; row i of Z is above row j.

    Raises
    ------
    ValueError
        If fewer pairs are available; the message says how many there are.

    References
    ----------
    Yu, Kim, Na, "RankSVR: can preference data help regression?" (CIKM 2010), section 5, Algorithm 2 and eq. 10.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.sampling import p_close_pair
    >>> Z = np.array([[0.0], [1.0], [1.5], [4.0]])
    >>> p_close_pair(Z, 1, order=np.array([1.0, 2.0, 3.0, 4.0]), kernel={"kernel": "linear"}, rng=0)
    array([[2, 1]])
    """
    Z, n_pairs, order, function = _checked(Z, n_pairs, order, kernel)
    drawn = _draw(order, draws_needed(p, q) * n_pairs, np.random.default_rng(rng))
    _check_available(len(drawn), n_pairs, "pairs of known, different order")
    return drawn[np.argsort(_squared_distances(Z, drawn, function), kind="stable")[:n_pairs]]


def sample_mst(Z: Any, n_pairs: int, order: ArrayLike, kernel: dict[str, Any], rng: np.random.Generator) -> Array:
    """Return random edges of a minimum spanning tree of all points, those of known, different order: at most m - 1.

    Parameters
    ----------
    Z : (m, d) array or data frame
        Points; the (m, m) kernel matrix with the kernel "precomputed".
    n_pairs : int >= 1
        Number of pairs.
    order : (m,) array
        Numbers that order the points, nan if unknown. Only pairs whose two values are known and differ are returned.
    kernel : dict
        ``kernel`` and, if it has them, ``gamma``, ``degree``, ``coef0``, as for :class:`rankmargin.kernels.Kernel`.
        Two points are close if they are close in its feature space.
    rng : numpy Generator or seed
        The source of randomness.

    Returns
    -------
    (n_pairs, 2) array of integers
        Different pairs; row i of Z is above row j.

    Raises
    ------
    ValueError
        If fewer pairs are available; the message says how many there are.

    References
    ----------
    Yu, Kim, Na, "RankSVR: can preference data help regression?" (CIKM 2010), section 5, Algorithm 3.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.sampling import sample_mst
    >>> Z = np.array([[0.0], [1.0], [1.5], [4.0]])
    >>> sample_mst(Z, 3, order=np.array([1.0, 2.0, 3.0, 4.0]), kernel={"kernel": "linear"}, rng=0).shape
    (3, 2)
    """
    Z, n_pairs, order, _ = _checked(Z, n_pairs, order, kernel)
    _check_available(len(Z) - 1, n_pairs, "edges of the tree")
    edges = minimum_spanning_tree(Z, kernel)
    edges = edges[order[edges[:, 0]] != order[edges[:, 1]]]
    edges = edges[~np.isnan(order[edges]).any(axis=1)]
    _check_available(len(edges), n_pairs, "edges of the tree of known, different order")
    chosen = np.random.default_rng(rng).choice(len(edges), n_pairs, replace=False)
    return _oriented(edges[chosen], order)


SAMPLERS = {"random": random, "close_pair": close_pair, "p_close_pair": p_close_pair, "sample_mst": sample_mst}


def draws_needed(p: float = 0.05, q: float = 0.95) -> int:
    """Return how many random pairs must be drawn to get one close pair.

    It is the smallest s with 1 - (1 - p)^s >= q: with probability q, at least one of s random pairs is among the
    closest fraction p of all pairs.

    Parameters
    ----------
    p : float in (0, 1)
        Fraction of all pairs that counts as close.
    q : float in (0, 1)
        Probability.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If p or q is outside (0, 1).

    References
    ----------
    Yu, Kim, Na, "RankSVR: can preference data help regression?" (CIKM 2010), eq. 10.

    Examples
    --------
    >>> from rankmargin.sampling import draws_needed
    >>> draws_needed(p=0.05, q=0.95)
    59
    """
    if not all(isinstance(share, Real) and 0 < share < 1 for share in (p, q)):
        raise ValueError(f"p and q must lie between 0 and 1, got p={p!r} and q={q!r}")
    return math.ceil(math.log1p(-q) / math.log1p(-p))


def minimum_spanning_tree(Z: Any, kernel: dict[str, Any]) -> Array:
    """Return the edges of a minimum spanning tree of the rows of Z in the kernel's distance, shape (m - 1, 2).

    The tree is exact. For the Gaussian and the linear kernel it is the Euclidean tree. It takes O(m^2 d) time and
    memory linear in m.
    """
    function, points = _kernel(Z, kernel), _finite(Z)
    return all_distances.spanning_tree(_distance(points, function))


def _checked(Z, n_pairs, order, kernel):
    """Return Z (m, d) as an array, the number of pairs, the order (m,) and the Kernel."""
    Z = np.asarray(Z) if hasattr(Z, "columns") else Z
    if not isinstance(Z, np.ndarray) or Z.ndim != 2 or Z.dtype.kind not in "biuf":
        raise ValueError(
            f"Z must be a dense array of numbers of two dimensions, got {type(Z).__name__} of shape {np.shape(Z)}"
        )
    if not isinstance(n_pairs, (int, np.integer)) or n_pairs < 1:
        raise ValueError(f"n_pairs must be an integer >= 1, got {n_pairs!r}")
    function, order = _kernel(Z, kernel), floats("order", order)
    if order.shape != (len(Z),):
        raise ValueError(f"order must hold one number per row of Z, shape ({len(Z)},), got shape {order.shape}")
    return Z, int(n_pairs), order, function


def _check_available(available, n_pairs, what):
    if available < n_pairs:
        raise ValueError(f"n_pairs must be at most {max(available, 0)}, the number of {what}, got {n_pairs}")


def _kernel(Z, kernel):
    given = dict(kernel) if isinstance(kernel, dict) else {}
    if "kernel" not in given:
        raise ValueError(f'kernel must hold the name of a kernel under "kernel", got {kernel!r}')
    made = Kernel(given.pop("kernel"), **given)
    if made.name not in SAMPLED:
        raise ValueError(f"kernel must be one of {', '.join(SAMPLED)} for samplers, got {made.name!r}")
    if made.name == "precomputed" and Z.shape[0] != Z.shape[1]:
        raise ValueError(f'Z must be a square matrix with kernel="precomputed", got shape {Z.shape}')
    return made


def _finite(values):
    if not np.all(np.abs(values) < LARGEST):
        raise ValueError(f"Z must hold finite numbers below {LARGEST:g}, whose distances are finite: scale Z")
    return np.ascontiguousarray(values, dtype=np.float64)


def _distance(Z, kernel):
    gamma, degree, coef0 = float(kernel.gamma), int(kernel.degree), float(kernel.coef0)
    if kernel.name == "precomputed":
        return all_distances.Distance(all_distances.PRECOMPUTED, Z, np.diag(Z).copy(), 1.0, 1, 0.0)
    kind = all_distances.EUCLIDEAN if kernel.name in EUCLIDEAN_KERNELS else all_distances.POLYNOMIAL
    diagonal = (gamma * squared_norms(Z) + coef0) ** degree
    return all_distances.Distance(kind, np.ascontiguousarray(Z.T), diagonal, gamma, degree, coef0)


def _squared_distances(Z, pairs, kernel):
    """Return a number for each pair, shape (p,), that increases with its distance in the feature space."""
    i, j = pairs[:, 0], pairs[:, 1]
    if kernel.name == "precomputed":
        return _finite(Z[i, i]) + _finite(Z[j, j]) - 2.0 * _finite(Z[i, j])
    above, below = _finite(Z[i]), _finite(Z[j])
    if kernel.name in EUCLIDEAN_KERNELS:
        return ((above - below) ** 2).sum(axis=1)

    def values(a, b):
        return (kernel.gamma * (a * b).sum(axis=1) + kernel.coef0) ** kernel.degree

    return values(above, above) + values(below, below) - 2.0 * values(above, below)


def _oriented(pairs, order):
    return np.where((order[pairs[:, 0]] > order[pairs[:, 1]])[:, None], pairs, pairs[:, ::-1])


def _draw(order, n_draws, rng):
    """Return different random pairs of known, different order, (n_draws, 2), or all of them if there are fewer.

    Random pairs of rows are drawn, and those that are not valid or not new are rejected; the time for this does not
    grow with the number of rows. If the sample is not full then, the valid pairs are counted and drawn by number.
    """
    n, codes = len(order), np.empty(0, dtype=np.int64)
    for _ in range(REJECTION_ROUNDS if 8 * n_draws <= n * (n - 1) else 0):
        i, j = rng.integers(n, size=(2, 2 * (n_draws - len(codes)) + 16))
        codes = np.append(codes, (i * n + j)[order[i] > order[j]])
        codes = codes[np.sort(np.unique(codes, return_index=True)[1])][:n_draws]
        if len(codes) == n_draws:
            return np.column_stack(np.divmod(codes, n))
    rows, below = _ranking(order)
    last = np.cumsum(below)
    numbers = rng.choice(int(below.sum()), size=min(n_draws, int(below.sum())), replace=False)
    above = np.searchsorted(last, numbers, side="right")
    return np.column_stack([rows[above], rows[numbers - (last - below)[above]]]).reshape(-1, 2)


def _ranking(order):
    """Return the rows of known order, lowest first, and how many rows are strictly below each of them."""
    rows = np.argsort(order, kind="stable")[: np.sum(~np.isnan(order))]
    return rows, np.searchsorted(order[rows], order[rows], side="left")
