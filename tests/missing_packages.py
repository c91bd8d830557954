"""With CI=true a test that is left out because a package is missing has failed.

What tests need is installed with them (the extra `test`), so a missing package is a mistake there;
elsewhere somebody may have good reasons to do without it.
"""

import os
from typing import Any

import pytest

REASON = "could not import"  # how pytest.importorskip begins


def _fail_if_missing(report: Any, error: "pytest.ExceptionInfo[BaseException] | None") -> None:
    is_missing = report.skipped and error is not None and REASON in str(error.value)
    if is_missing and os.environ.get("CI") == "true":
        report.outcome = "failed"
        report.longrepr = f"A package that tests need is not installed: {error.value}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Any:
    report = yield
    _fail_if_missing(report, call.excinfo)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Any:
    report = yield
    _fail_if_missing(report, getattr(report, "call", None) and report.call.excinfo)
    return report
