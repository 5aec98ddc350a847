"""The first page: what this is, the games, and the ways in."""

from flask import Blueprint, render_template

from scorekeeper.games import GAMES

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def index() -> str:
    """Say what this is."""
    return render_template("home/index.html", games=GAMES.values())
