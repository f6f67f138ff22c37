"""A search on tied values says the same in single and in double precision, if it is asked as it was fitted: the share
of training rows below a value jumps at ties, and a rounded value is another one."""

import numpy as np
import pandas as pd
import pytest

import rankmargin

rng = np.random.default_rng(0)
X = np.column_stack([rng.integers(1, 20, 60) * 0.1, rng.integers(0, 5, 60) * 0.1, rng.integers(0, 9, 60)])
Y = np.sin(3 * X[:, 0]) + 3 * X[:, 1] + 0.1 * rng.standard_normal(60)
FRAME = pd.DataFrame(X, columns=list("abc")).astype({"c": int})
FORMS = {  # rows that say the same
    "a frame in double": FRAME,
    "a frame in single": FRAME.astype({"a": "float32", "b": "float32"}),
    "one column in single": FRAME.astype({"a": "float32"}),
    "all columns in single": FRAME.astype("float32"),
}


def made():
    return rankmargin.RankSearchCV(
        rankmargin.SwappedPairsSVM(tol=1e-8), param_grid={"kernel": ["rbf"], "gamma": [0.3]}, Cs=[100.0], cv=3
    )


@pytest.mark.parametrize("form", FORMS)
def test_precision_does_not_matter(form):
    model = made().fit(FORMS[form], Y)
    np.testing.assert_allclose(model.predict(FORMS[form]), made().fit(FRAME, Y).predict(FRAME), atol=1e-4)


def test_half_precision_is_read_as_numbers():
    half = rng.standard_normal((60, 3)).astype(np.float16)
    y = half[:, 0] + 0.3 * rng.standard_normal(60)
    one, other = (rankmargin.RankSearchCV().fit(rows, y) for rows in (half, half.astype(float)))
    assert one.best_params_ == other.best_params_
    np.testing.assert_array_equal(one.predict(half), other.predict(half.astype(float)))
