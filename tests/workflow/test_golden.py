"""Runs give the numbers in tests/golden, so that a fault is noticed even if it affects all parts of the pipeline."""

import golden
import pytest


@pytest.mark.workflow
def test_smoke_gives_the_golden_records(smoke):
    assert golden.differences("smoke", golden.smoke(smoke.path / "results")) == []
