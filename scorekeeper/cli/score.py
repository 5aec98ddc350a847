"""``score``: the score sheet of a log, its findings, reasons for scores, and what-if."""

import sys
from collections.abc import Iterable
from typing import BinaryIO, Final

import click

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import to_json_values
from scorekeeper.cli import reasons_text, sheet_text, whatif_text
from scorekeeper.cli.log_files import (
    EXIT_ERRORS,
    EXIT_OK,
    EXIT_UNUSABLE,
    exit_if_unusable,
    log_argument,
    read_session,
)
from scorekeeper.cli.printing import format_option, print_json, print_lines
from scorekeeper.events.disputes import Correction
from scorekeeper.log import canonical
from scorekeeper.log.reading import LogFile
from scorekeeper.report.explain import explain as explained
from scorekeeper.report.report import view_report
from scorekeeper.report.views import ReportView
from scorekeeper.report.what_if import compare_sessions, suppose, suppose_agreed
from scorekeeper.session.session import Session

ALL: Final = "all"  # explain all hands


@click.command()
@log_argument
@format_option
@click.option(
    "--explain", metavar="[HAND]", is_flag=False, flag_value=ALL,
    help="Explain the score of a hand: 3, or 2.3 in match 2; without HAND, of all hands.",
)  # fmt: skip
@click.option(
    "--option", "options", metavar="NAME=VALUE", multiple=True,
    help="Score it with this option, and print what that changes; can be repeated.",
)  # fmt: skip
@click.option(
    "--correction", "corrections", metavar="FILE", type=click.File("rb"),
    help="Score it with the corrections in this file, one on each line.",
)  # fmt: skip
@click.option(
    "--proposal", metavar="SEQ", type=int, help="Print what the proposal in this event changes."
)
@click.option("--match", type=int, help="The match for --option and --explain.")
def score(
    log: BinaryIO, form: str, explain: str | None, options: tuple[str, ...],
    corrections: BinaryIO | None, proposal: int | None, match: int | None,
) -> None:  # fmt: skip
    """Score a log: the sheet of each match, and what is wrong with it.

    LOG is a file, or - for standard input. Exit code 0: fine. 1: there are findings of severity
    error. 2: the log cannot be used; the message names the line and the field.
    """
    if match is not None and explain is None and not options:
        raise click.BadParameter("only with --option or --explain", param_hint="--match")
    session = read_session(log)
    report, comparison = view_report(session), None
    if options or corrections or proposal is not None:
        with exit_if_unusable(log):
            before, session = _apply_what_if(session, options, corrections, proposal, match)
        comparison = compare_sessions(before, session)
        report = comparison.report
    if explain is not None:
        _print_explanation(session, report, explain, match, form)
    elif form == "json":
        print_json(to_json_values(comparison or report))
    else:
        print_lines(sheet_text.sheet_lines(session, report))
        if comparison:
            print_lines(whatif_text.change_lines(session, comparison.difference))
    sys.exit(exit_code(report))


def _apply_what_if(
    session: Session, options: Iterable[str], corrections: BinaryIO | None, proposal: int | None,
    match: int | None,
) -> tuple[Session, Session]:  # fmt: skip
    """Return the session before and after the options, corrections or proposal.

    Raises `UnusableError` if they cannot be applied.
    """
    if proposal is None:
        parsed = read_corrections(corrections) if corrections else ()
        return session, suppose(session, parse_options(options), parsed, match)
    if options or corrections:
        raise click.BadParameter("without --option and --correction", param_hint="--proposal")
    return suppose_agreed(session, proposal)


def read_corrections(file: BinaryIO) -> list[Correction]:
    """Return the corrections in a file, one on each line; exit if it cannot be read."""
    with exit_if_unusable(file):
        return [Correction(raw.type, raw.data) for raw in LogFile(file)]


def parse_options(arguments: Iterable[str]) -> JsonObject:
    """Parse arguments of the form ``name=value``; the value is JSON or else a text."""
    options: dict[str, object] = {}
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals:
            raise click.BadParameter(f"expected NAME=VALUE, got {argument}", param_hint="--option")
        try:
            options[name] = canonical.decode(value.encode("utf-8", "surrogateescape"))
        except UnusableError:
            options[name] = value
    return options


def _print_explanation(
    session: Session, report: ReportView, hand_name: str, match: int | None, form: str
) -> None:
    """Print the reasons for the scores of a hand, or of all hands.

    Exits with a message if there is no such hand.
    """
    hand = None
    if hand_name != ALL:
        match, hand = parse_hand(report, hand_name, match)
    elif match is not None:
        exit_if_no_match(report, match)
    if form == "json":
        print_json(to_json_values(explained(session, match, hand)))
    else:
        print_lines(reasons_text.explanation_lines(session, report, match, hand))


def exit_code(report: ReportView) -> int:
    """Return the exit code for a report: 1 if it has a finding of severity error, else 0."""
    errors = any(finding.severity == "error" for finding in report.findings)
    return EXIT_ERRORS if errors else EXIT_OK


def parse_hand(report: ReportView, hand_name: str, match: int | None = None) -> tuple[int, int]:
    """Return the match and the hand of a name such as ``3`` or ``2.3``; exit if there is none.

    A name without a match means the given match, else the last.
    """
    match_number, _, hand_number = hand_name.rpartition(".")
    last = str(match or (report.matches[-1].match if report.matches else ""))
    for item in report.matches:
        for hand in item.hands:
            if (str(item.match), str(hand.hand)) == (match_number or last, hand_number):
                return item.match, hand.hand
    known = [f"{item.match}.{hand.hand}" for item in report.matches for hand in item.hands]
    listed = f"{known[0]} to {known[-1]}" if known else "no hands"
    click.echo(f"no hand {hand_name} in this log, which has {listed}", err=True)
    sys.exit(EXIT_UNUSABLE)


def exit_if_no_match(report: ReportView, number: int) -> None:
    """Exit with a message if there is no match of this number."""
    matches = len(report.matches)
    if not 1 <= number <= matches:
        click.echo(f"no match {number} in this log, which has {matches}", err=True)
        sys.exit(EXIT_UNUSABLE)
