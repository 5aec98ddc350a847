"""The prompts of a hand with a called card, in the words of :mod:`tests.games.calling`."""

from typing import Any

from scorekeeper.families.called_card.state import CallingDeal
from scorekeeper.games.game import Game
from scorekeeper.log.codec import decode, encode
from scorekeeper.play.prompts import Prompt
from tests.games import calling
from tests.games.calling import FIELDS

SIGNS = {kind: (sign, name) for sign, (kind, name) in FIELDS.items()}


def prompts(game: Game, deal: CallingDeal, level: str) -> list[Prompt]:
    """Return the prompts of a hand at a level of detail."""
    return [prompt for prompt in game.prompts(deal) if level in prompt.levels]


def types(offered: list[Prompt]) -> str:
    """Return the types of prompts in order, each once."""
    return " ".join(dict.fromkeys(prompt.type for prompt in offered))


def words(offered: list[Prompt], kind: str) -> list[str]:
    """Return the choices of one type, each as a word of a script."""
    choices = [choice for prompt in offered if prompt.type == kind for choice in prompt.choices]
    return [word_of(kind, encode(choice)) for choice in choices]


def word_of(kind: str, data: dict[str, Any]) -> str:
    """Return the word that stands for an event."""
    if kind == "outcome_recorded":
        return "made" if data["made"] else "lost"
    if kind == "hand_abandoned":
        return f"x{data.get('player', '')}"
    if kind == "partner_revealed":
        return f"@{data['player']}"
    if kind == "points_counted":
        parts = [data["points"], *([data["tricks"]] if "tricks" in data else [])]
        return "=" + "/".join(f"{part['bidder']},{part['defenders']}" for part in parts)
    sign, name = SIGNS[kind]
    what = data.get(name, "")
    text = ",".join(what) if isinstance(what, list) else "-" if what == "pass" else str(what)
    return f"{data['player']}{sign}{text}"


def record_choices(game: Game, script: str, prompt: Prompt) -> None:
    """Record every choice of a prompt after a script.

    Raises `UnusableError` if one cannot be.
    """
    for choice in prompt.choices:
        deal = calling.play(game, script)
        event = decode(prompt.type, encode(choice), game.by_type)
        game.refuse_event(deal, event)
        game.fold[type(event)](deal, 99, event)
        game.evaluate(deal)
