"""``score``: a log's sheet, its findings, and why a hand scores what it does."""

import json
import sys
from typing import Any, BinaryIO

import click

from scorekeeper.cli import sheet_text
from scorekeeper.cli.common import FINE, UNUSABLE, WRONG, log_argument, read
from scorekeeper.replay import report


@click.command()
@log_argument
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.option(
    "--explain", metavar="HAND", help="Say why a hand scores what it does: 3, or 2.3 in match 2."
)
def score(log: BinaryIO, form: str, explain: str | None) -> None:
    """Score a log: the sheet of each match, and what is wrong with it.

    LOG is a file, or - for standard input. Exit code 0: fine. 1: there are findings of severity
    error. 2: the log cannot be used; the message names the line and the field.
    """
    session = read(log)
    told = report(session)
    if form == "json":
        click.echo(json.dumps(told, ensure_ascii=False, indent=1).encode())
    elif explain is not None:
        _print(sheet_text.explained(session, told, *_hand(told, explain)))
    else:
        _print(sheet_text.sheet(session, told))
    errors = any(finding["severity"] == "error" for finding in told["findings"])
    sys.exit(WRONG if errors else FINE)


def _print(lines: Any) -> None:
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    click.echo("\n".join(lines))


def _hand(told: dict[str, Any], named: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The match and the hand that ``named`` means; ends the program where there is none."""
    match_number, _, hand_number = named.rpartition(".")
    matches = told["matches"]
    wanted = match_number or (str(matches[-1]["match"]) if matches else "")
    for match in matches:
        for hand in match["hands"]:
            if (str(match["match"]), str(hand["hand"])) == (wanted, hand_number):
                return match, hand
    known = [f"{m['match']}.{h['hand']}" for m in matches for h in m["hands"]]
    listed = f"{known[0]} to {known[-1]}" if known else "no hands"
    click.echo(f"no hand {named} in this log, which has {listed}", err=True)
    sys.exit(UNUSABLE)
