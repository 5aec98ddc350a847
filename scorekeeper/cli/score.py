"""``score``: a log's sheet, its findings, why a hand scores what it does, and what might be."""

import json
import sys
from collections.abc import Iterable
from typing import Any, BinaryIO, Final

import click

from scorekeeper.base.errors import Unusable
from scorekeeper.cli import reasons_text, sheet_text, whatif_text
from scorekeeper.cli.log_files import FINE, UNUSABLE, WRONG, exit_if_unusable, log_argument, read
from scorekeeper.log import canonical
from scorekeeper.log.reading import LogFile
from scorekeeper.report.explain import explain as explained
from scorekeeper.report.report import report
from scorekeeper.report.what_if import compared, suppose, suppose_agreed
from scorekeeper.session.session import Session

ALL: Final = "all"  # what is explained where no hand is named

format_option = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)


@click.command()
@log_argument
@format_option
@click.option(
    "--explain", metavar="[HAND]", is_flag=False, flag_value=ALL,
    help="Say why a hand scores what it does: 3, or 2.3 in match 2; without HAND of all.",
)  # fmt: skip
@click.option(
    "--option", "options", metavar="NAME=VALUE", multiple=True,
    help="Score it as if played with this option, and say what that changes; often, for more.",
)  # fmt: skip
@click.option(
    "--correction", "corrections", metavar="FILE", type=click.File("rb"),
    help="Score it as if the corrections in this file, one a line, came next.",
)  # fmt: skip
@click.option(
    "--proposal", metavar="SEQ", type=int, help="Say what the proposal in this event changes."
)
@click.option("--match", type=int, help="The match that --option and --explain mean.")
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
    session = read(log)
    told, would = report(session), None
    if options or corrections or proposal is not None:
        with exit_if_unusable(log):
            before, session = _supposed(session, options, corrections, proposal, match)
        would = compared(before, session)
        told = would["report"]
    if explain is not None:
        _explain(session, told, explain, match, form)
    elif form == "json":
        print_json(would or told)
    else:
        print_lines(sheet_text.sheet(session, told))
        if would:
            print_lines(whatif_text.changes(session, would["difference"]))
    sys.exit(exit_code(told))


def _supposed(
    session: Session, options: Iterable[str], corrections: BinaryIO | None, proposal: int | None,
    match: int | None,
) -> tuple[Session, Session]:  # fmt: skip
    """A session as it is, or was, and as it would be; Unusable."""
    if proposal is None:
        said = corrections_in(corrections) if corrections else ()
        return session, suppose(session, options_of(options), said, match)
    if options or corrections:
        raise click.BadParameter("without --option and --correction", param_hint="--proposal")
    return suppose_agreed(session, proposal)


def corrections_in(file: BinaryIO) -> list[dict[str, Any]]:
    """Corrections, one a line, as in a log by hand; ends the program where they are none."""
    with exit_if_unusable(file):
        return [{"type": raw.type, "data": raw.data} for raw in LogFile(file)]


def options_of(said: Iterable[str]) -> dict[str, Any]:
    """Options given as ``name=value``: JSON, or else a text."""
    options: dict[str, Any] = {}
    for one in said:
        name, equals, value = one.partition("=")
        if not equals:
            raise click.BadParameter(f"expected NAME=VALUE, got {one}", param_hint="--option")
        try:
            options[name] = canonical.decode(value.encode("utf-8", "surrogateescape"))
        except Unusable:
            options[name] = value
    return options


def _explain(session: Session, told: Any, named: str, match: int | None, form: str) -> None:
    hand = None
    if named != ALL:
        match, hand = hand_of(told, named, match)
    elif match is not None:
        refuse_match(told, match)
    if form == "json":
        print_json(explained(session, match, hand))
    else:
        print_lines(reasons_text.explained(session, told, match, hand))


def exit_code(told: Any) -> int:
    """1 where there is a finding of severity error in a report."""
    errors = any(finding["severity"] == "error" for finding in told["findings"])
    return WRONG if errors else FINE


def print_json(value: Any) -> None:
    """A value as JSON, on standard output."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=1).encode())


def print_lines(lines: Iterable[str]) -> None:
    """Text, on standard output."""
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    click.echo("\n".join(lines))


def hand_of(told: Any, named: str, match: int | None = None) -> tuple[int, int]:
    """The numbers of the match and the hand that ``named`` means; else ends the program."""
    match_number, _, hand_number = named.rpartition(".")
    matches = told["matches"]
    last = str(match or (matches[-1]["match"] if matches else ""))
    for one in matches:
        for hand in one["hands"]:
            if (str(one["match"]), str(hand["hand"])) == (match_number or last, hand_number):
                return one["match"], hand["hand"]
    known = [f"{m['match']}.{h['hand']}" for m in matches for h in m["hands"]]
    listed = f"{known[0]} to {known[-1]}" if known else "no hands"
    click.echo(f"no hand {named} in this log, which has {listed}", err=True)
    sys.exit(UNUSABLE)


def refuse_match(told: Any, number: int) -> None:
    """End the program where there is no match of that number."""
    matches = len(told["matches"])
    if not 1 <= number <= matches:
        click.echo(f"no match {number} in this log, which has {matches}", err=True)
        sys.exit(UNUSABLE)
