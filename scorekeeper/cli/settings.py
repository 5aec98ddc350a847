"""``settings``."""

import click


@click.command()
def settings() -> None:
    """List the settings: the variable of the environment, its default, what it is."""
    from scorekeeper.config import table

    click.echo(table(), nl=False)
