"""The bound that the margin of a ranking without errors proves."""

import math


def margin_bound(margin: float, radius: float, m: int, delta: float) -> float:
    r"""Return a bound on the risk that a ranking without training errors inverts a new pair.

    .. math::

        \mathrm{risk} \le \frac{2}{m - 1} \left( k \log_2\frac{8 e (m - 1)}{k} \log_2(32 (m - 1))
        + \log_2\frac{8 (m - 1)}{\delta} \right)

    with

    .. math::

        k = \lfloor (8\, \mathrm{radius} / \mathrm{margin})^2 \rfloor \le e (m - 1)

    It holds with probability 1 - delta, for f with ||w|| <= 1 on inputs of norm <= radius that inverts no pair of the
    training sample.

    Parameters
    ----------
    margin : float > 0
        Smallest ``|f(x_i) - f(x_j)|`` over pairs of neighbouring training rows of unequal rank, with f scaled to
        ||w|| = 1.
    radius : float > 0
        Largest norm of a training input in feature space, max_i k(x_i, x_i)^(1/2).
    m : int >= 2
        Size of the training sample.
    delta : float in (0, 1)
        Probability that the bound does not hold.

    Returns
    -------
    float
        Infinite if k > e (m - 1). A value of 1 or more says nothing.

    Raises
    ------
    ValueError
        If there are training errors, so that the margin is not above 0.

    References
    ----------
    Herbrich, Graepel, Obermayer, "Large margin rank boundaries for ordinal regression" (2000), Theorem 2.2 with
    eq. 1.44.

    Examples
    --------
    >>> from rankbench.papers.herbrich.margin_bound import margin_bound
    >>> round(margin_bound(margin=1.0, radius=1.0, m=100_000, delta=0.05), 2)
    0.5
    >>> margin_bound(margin=1.0, radius=1.0, m=20, delta=0.05)  # too few rows for this margin
    inf
    """
    if not margin > 0:
        raise ValueError(f"margin must be > 0, got {margin!r}")
    pairs, k = m - 1, math.floor((8 * radius / margin) ** 2)
    if k > math.e * pairs:
        return math.inf
    capacity = k * math.log2(8 * math.e * pairs / k) * math.log2(32 * pairs) if k else 0.0
    return 2 / pairs * (capacity + math.log2(8 * pairs / delta))
