"""The public estimators, made with what they need."""

import inspect

from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler

import rankmargin

INNER = {  # of estimators that contain one, by the name of the parameter
    "estimators": [("svm", rankmargin.SwappedPairsSVM(tol=1e-6)), ("ridge", Ridge())],
    "ranker": Ridge(),
    "transformer": StandardScaler(),
}
PUBLIC = [getattr(rankmargin, name) for name in rankmargin.__all__]
CLASSES = [one for one in PUBLIC if inspect.isclass(one) and hasattr(one, "predict")]


def made(cls, **wanted):
    """Return an estimator, with those of the wanted parameters that it has; the same one each time."""
    wanted = {"random_state": 0, **wanted}
    known = inspect.signature(cls).parameters
    needed = {name: INNER[name] for name, of in known.items() if of.default is inspect.Parameter.empty}
    return cls(**needed, **{name: value for name, value in wanted.items() if name in known})
