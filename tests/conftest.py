"""How many tests ran; and with CRISP_LAN_SKIPS=fail, a skipped test fails the whole run."""

from __future__ import annotations

import os

import pytest

pytest_plugins = ("tests.sharing",)
RAN = ("passed", "failed", "xfailed", "xpassed")


def counts(reporter: pytest.TerminalReporter) -> tuple[int, int]:
    ran = sum(len(reporter.stats.get(outcome, ())) for outcome in RAN)
    return ran, len(reporter.stats.get("skipped", ()))


def skips_fail() -> bool:
    return os.environ.get("CRISP_LAN_SKIPS") == "fail"


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and skips_fail() and counts(reporter)[1] and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    ran, skipped = counts(terminalreporter)
    terminalreporter.write_line(f"{ran} tests ran, {skipped} were skipped.")
    for report in terminalreporter.stats.get("skipped", ()):
        _, _, why = report.longrepr
        terminalreporter.write_line(f"  {report.nodeid}: {why}")
    if skipped and skips_fail():
        terminalreporter.write_line("A skipped test counts as a failure here.", red=True)
