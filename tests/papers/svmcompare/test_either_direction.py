"""Verdicts about areas are the same by either definition of a true positive; S13 uses both."""

import pytest
from checkout import ROOT

from rankbench.claims.ledger import Frames, judge, registered
from rankbench.report.artefact import KEPT

RIGHT, ANY = "comparison_auc", "comparison_auc_any_direction"
CHANGE = "S10", "S11", "S13", "S17"  # claims whose effects are areas of the records


class OfAnyDirection(Frames):
    """The kept frames, with areas by any direction in the place of those by the right one."""

    def __getitem__(self, need):
        frame = super().__getitem__(need)
        return frame.assign(**{RIGHT: frame[ANY]}) if ANY in frame else frame


@pytest.mark.parametrize("name", ["S09", "S10", "S11", "S12", "S13", "S14", "S17"])
def test_no_verdict_changes_by_any_direction(name):
    claim, folder = registered()[name], ROOT / KEPT / "frames"
    right, other = judge(claim, Frames(folder)), judge(claim, OfAnyDirection(folder))
    assert right.direction == other.direction
    assert (right.effect != other.effect) == (name in CHANGE)
