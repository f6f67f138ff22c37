"""Functions over one input: their scale, their pairs, what the two studies make of them, and their figure."""

import numpy as np
import pytest

from rankbench.papers.ranksvr.studies import (
    DENSE,
    GRID,
    SCENES,
    make_draw,
    one_dimension_curves,
    one_dimension_errors,
)

PARAMS = {"C": 10, "C_rank": 1, "gamma": 30, "epsilon": 0.01}


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_has_its_pairs_in_the_order_of_the_target(scene):
    n_pairs, _, lengths = SCENES[scene]
    for number in range(5):
        known = make_draw(scene, number)
        y = known.target(GRID)
        assert (y.mean(), y.std()) == pytest.approx((0, 1), abs=1e-12)
        assert known.pairs.shape == (n_pairs, 2) and known.X.shape == (3, 1)
        heights = known.target(known.Z)[known.pairs]
        assert (heights[:, 0] > heights[:, 1]).all()
        ends = known.Z[:, 0].reshape(-1, 2)
        assert (ends >= 0).all() and (ends <= 1).all()
        if lengths:
            size = np.abs(np.diff(ends)).ravel()
            assert (size >= lengths[0] - 1e-12).all() and (size <= lengths[1] + 1e-12).all()
        if scene == "fig3_dense":
            middles = ends.mean(axis=1)
            assert (middles >= DENSE[0]).all() and (middles <= DENSE[1]).all()


def test_scenes_share_their_function_and_points():
    first, second = make_draw("fig1_few", 3), make_draw("fig3_spread", 3)
    np.testing.assert_array_equal(first.X, second.X)
    np.testing.assert_array_equal(first.target(GRID), second.target(GRID))
    assert not np.array_equal(first.X, make_draw("fig1_few", 4).X)
    np.testing.assert_array_equal(make_draw("fig1_many", 3).Z[:6], first.Z)


def test_the_curves_of_a_draw_are_those_whose_errors_are_counted():
    frame = one_dimension_curves({}, {}, draw=1, margin=0.1, params=PARAMS)
    errors = one_dimension_errors({}, {}, draws=2, margins=[0.1], params=PARAMS)
    for scene, part in frame.groupby("scene"):
        curves = {kind: part.loc[part["kind"] == kind, "y"].to_numpy() for kind in ("target", "svr", "ranksvr")}
        row = errors[(errors["scene"] == scene) & (errors["draw"] == 1)].iloc[0]
        for kind in ("svr", "ranksvr"):
            assert np.abs(curves[kind] - curves["target"]).mean() == pytest.approx(row[f"{kind}_error"])
        assert (part["kind"] == "pair").sum() == 2 * SCENES[scene][0]
    assert errors.groupby("draw")["svr_error"].nunique().eq(1).all()
