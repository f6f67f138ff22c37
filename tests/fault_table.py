"""The table of faults at the end of a test run: tests marked ``fault(kind)`` are its rows.

A test counts once. A test with many trials gives their numbers by `record_property`: ``tried`` and ``survived``.
"""

from collections import defaultdict

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Write the kind of fault of a test into its report."""
    report = yield
    marker = item.get_closest_marker("fault")
    if marker and call.when == "call":
        report.user_properties.append(("fault", marker.args[0]))
    return report


def pytest_terminal_summary(terminalreporter):
    """Print how many faults of each kind were tried and survived."""
    counts = defaultdict(lambda: [0, 0])
    for report in [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]:
        told = dict(report.user_properties)
        if "fault" in told:
            tried = told.get("tried", 1)
            counts[told["fault"]][0] += tried
            counts[told["fault"]][1] += told.get("survived", tried if report.passed else 0)
    if counts:
        terminalreporter.section("faults")
        terminalreporter.line("| fault | tried | survived |\n| --- | --- | --- |")
        for kind, (tried, survived) in sorted(counts.items()):
            terminalreporter.line(f"| {kind} | {tried:,} | {survived:,} |")
