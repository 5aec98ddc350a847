"""The stake of a match in money, as a form asks for it; without typed amounts there is none."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scorekeeper.events.common import Stake
from scorekeeper.games.game import Game
from scorekeeper.languages.money import format_for_input
from scorekeeper.web.forms.typed import FieldError, currency_error, read_amount
from scorekeeper.web.forms.widget import FormData
from scorekeeper.web.opening.options import options_by_form
from scorekeeper.web.wording.filters import format_money

USUAL: Final = "EUR"
CURRENCY, POINT, MATCH = "stake-currency", "stake-point", "stake-match"
FIELDS: Final = (CURRENCY, POINT, MATCH)
MAX_AMOUNT_CHARACTERS: Final = 14  # of a typed amount, in the form
EXAMPLE: Final = 10  # of an amount, in minor units


class StakeField(NamedTuple):
    """The stake as it was typed.

    `highest` is the most points that a hand can score, `pays` the amount of these.
    """

    currency: str
    point: str
    match: str
    highest: int | None
    pays: str
    doubles: bool

    @property
    def played_for(self) -> bool:
        """Whether any amount was typed."""
        return bool(self.point or self.match)


def stake_field(game: Game, form: FormData, seats: int) -> StakeField:
    """Return the stake as it was typed; an impossible number of ``seats`` counts as the largest.

    ``pays`` is the amount of the highest hand at this stake, empty if it is unknown.
    """
    currency, point, match = (form.get(name, "").strip()[:MAX_AMOUNT_CHARACTERS] for name in FIELDS)
    stake = chosen_stake(form, {})
    seats = seats if seats in game.seats else max(game.seats)
    options = options_by_form(game, form, seats)
    highest = game.highest_hand(options, seats) if options else None
    doubles = options is not None and game.doubles(options)
    pays = ""
    if stake and highest and stake["point"]:
        pays = format_money(highest * stake["point"], stake["currency"])
    return StakeField(currency or USUAL, point, match, highest, pays, doubles)


def chosen_stake(form: FormData, wrong: dict[str, str]) -> dict[str, Any] | None:
    """Return the stake of a form in minor units, None for no money.

    `wrong` gets the errors by field.
    """
    texts = {name: form.get(name, "").strip() for name in FIELDS}
    if not texts[POINT] and not texts[MATCH]:
        return None
    currency = (texts[CURRENCY] or USUAL).upper()
    if error := currency_error(currency):
        wrong[CURRENCY] = error
        return None
    amounts = {}
    for name in (POINT, MATCH):
        try:
            amounts[name] = read_amount(texts[name] or "0", currency, EXAMPLE)
        except FieldError as refused:
            wrong[name] = str(refused)
    if len(amounts) < len(FIELDS) - 1 or not any(amounts.values()):
        return None
    return {"currency": currency, "point": amounts[POINT], "match": amounts[MATCH]}


def stake_as_form(stake: Stake | None) -> Mapping[str, str]:
    """Return the form fields of a stake; empty without one."""
    if stake is None:
        return {}
    return {
        CURRENCY: stake.currency,
        POINT: format_for_input(stake.point, stake.currency),
        MATCH: format_for_input(stake.match, stake.currency),
    }
