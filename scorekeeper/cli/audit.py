"""``audit``: the findings of a log, the events that prove them, and suggested corrections."""

import sys
from dataclasses import replace
from typing import BinaryIO

import click

from scorekeeper.base.views import to_json_values
from scorekeeper.cli import audit_text
from scorekeeper.cli.log_files import log_argument, read_session
from scorekeeper.cli.printing import format_option, print_json, print_lines
from scorekeeper.cli.score import exit_code, exit_if_no_match, parse_hand
from scorekeeper.report.report import view_report
from scorekeeper.report.views import ReportView


@click.command()
@log_argument
@format_option
@click.option("--suggest", is_flag=True, help="Also suggest corrections.")
@click.option("--hand", metavar="HAND", help="Only this hand: 3 of the last match, or 2.3.")
@click.option("--match", type=int, help="Only this match.")
def audit(log: BinaryIO, form: str, hand: str | None, match: int | None, *, suggest: bool) -> None:
    """Audit a log: each finding, its proof trick by trick, the clause, and what it changes.

    LOG is a file, or - for standard input. Exit code 0: nothing of severity error. 1: there are
    such findings. 2: the log cannot be used; the message names the line and the field.
    """
    session = read_session(log)
    report = view_report(session)
    number: int | None = None
    if hand is not None:
        match, number = parse_hand(report, hand, match)
    elif match is not None:
        exit_if_no_match(report, match)
    report = select_findings(report, match, number)
    search = None
    if suggest:
        from scorekeeper.repair import searched  # slow to import, and rarely needed

        search = searched(session, match, number)
    if form == "text":
        print_lines(audit_text.audit_lines(session, report, search, match, number))
    else:
        print_json(to_json_values(search.add_to(report) if search else report))
    sys.exit(exit_code(report))


def select_findings(report: ReportView, match: int | None, hand: int | None) -> ReportView:
    """Return the report with the findings of one match or hand, and those of the whole log."""
    findings = [
        finding
        for finding in report.findings
        if match is None or (finding.match in (match, None) and hand in (finding.hand, None))
    ]
    return replace(report, findings=findings)
