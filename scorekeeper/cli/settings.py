"""``settings``."""

import click


@click.command()
def settings() -> None:
    """List the settings: the environment variable, its default and its meaning."""
    from scorekeeper.config import settings_table

    click.echo(settings_table(), nl=False)
