"""The command line. Each command is imported only when it is called, so that scoring is quick."""

import logging
from importlib import import_module
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from scorekeeper import __version__
from scorekeeper.base.collector import gc_paused
from scorekeeper.base.interrupts import marked_interrupts
from scorekeeper.cli.settings_file import OPTION, SettingsFile, apply_file, move_to_front

# For each command: its module in this package (and the name of its function, if different), and
# one line of help.
COMMANDS: Final = {
    "score": ("score", "Score a log: the sheet, the findings, and reasons."),
    "audit": ("audit", "Audit a log: findings, their proof, and suggested corrections."),
    "verify": ("logs", "Verify a sealed log, or all logs in the database."),
    "seal": ("logs", "Seal a log that was written by hand."),
    "season": ("season", "Print or export the table of a season from logs."),
    "club": ("clubs.club", "List clubs, open one from logs, export and import."),
    "tournament": ("tournament", "Plan a tournament, draw its rounds, print its standings."),
    "games": ("rule_books", "List the games; begin and check a game of your own."),
    "rules": ("rule_books", "Print the rule book of a game."),
    "schema": ("rule_books", "Print the JSON Schema of the log."),
    "serve": ("serve", "Start the service and its pages."),
    "demo": ("demo", "Start a service to try, of which nothing is kept."),
    "sessions": ("sessions", "List the sessions in the database."),
    "keys": ("keys", "List the keys of a session, club or tournament; make or revoke one."),
    "export": ("sessions", "Write the sealed log of a session."),
    "import": ("sessions.import_log", "Import a log as a session."),
    "backup": ("database", "Write a backup of the database."),
    "restore": ("database", "Restore a backup."),
    "delete": ("deleting", "Delete a whole session, club or tournament."),
    "migrate": ("database", "Create or migrate the database."),
    "settings": ("settings", "List the settings."),
}


class LazyGroup(click.Group):
    """A group of commands that are imported when they are called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; ``--settings`` may also stand behind the command."""
        return super().parse_args(ctx, move_to_front(args))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. If an installed game fails in it, print one line and exit with code 2."""
        # Without a handler, Python would print log records; the server configures its own log.
        logging.getLogger("scorekeeper.games").addHandler(logging.NullHandler())
        with marked_interrupts():
            try:
                return super().invoke(ctx)
            except (click.ClickException, click.exceptions.Exit, click.Abort):
                raise
            except BaseException:
                stop_for_failed_game()
                raise

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(".")
        with gc_paused():
            imported = import_module(f"scorekeeper.cli.{module}")
        command: click.Command = getattr(imported, name or cmd_name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that begin with a text, without importing any, and the options."""
        found = [
            CompletionItem(name, help=line)
            for name, (_, line) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


def stop_for_failed_game() -> None:
    """Exit with a message if an installed game caused the error that is being handled."""
    # Imported only here, because most commands need no game.
    from scorekeeper.base.errors import NotInstalledError
    from scorekeeper.cli.log_files import stop
    from scorekeeper.games import GAMES

    try:
        with GAMES.failures_as_not_installed():
            raise  # noqa: PLE0704  # called while an error is handled
    except NotInstalledError as error:
        stop(str(error))
    except BaseException:  # noqa: BLE001, S110  # its caller raises it again
        pass


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="scorekeeper", message="%(prog)s %(version)s")
@click.option(
    OPTION, type=SettingsFile(), expose_value=False, callback=apply_file, is_eager=True,
    help="The settings of the service, a NAME=VALUE on each line, such as /etc/scorekeeper.env.",
)  # fmt: skip
def main() -> None:
    """Keep and audit the score of games played with real cards.

    Commands about the database need the settings of the service: in the environment, or in the
    file that --settings names.
    """
