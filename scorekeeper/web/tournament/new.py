"""``/tournament/new``: a new tournament, by a plan that clubs play or by one's own."""

from dataclasses import dataclass, field
from typing import Any, Final

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.wrappers import Response

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.language import language
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.http.access import holder_in_club
from scorekeeper.http.extensions import clubs, tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.http.limits import refuse_many_sessions
from scorekeeper.http.preferences import request_zone
from scorekeeper.log import canonical
from scorekeeper.service.club_rights import refuse_role
from scorekeeper.tournaments.presets import FittingPreset, list_presets
from scorekeeper.tournaments.table_rules import INDIVIDUAL, PAIRS, has_two_sides
from scorekeeper.web.forms.typed import (
    FieldError,
    clean_line,
    currency_error,
    line_error,
    parse_whole,
    read_amount,
)
from scorekeeper.web.forms.widget import FormData
from scorekeeper.web.frame.form_keys import form_attempt
from scorekeeper.web.opening import options
from scorekeeper.web.opening.draft import LONGEST_TITLE, chosen_game, validated_options
from scorekeeper.web.opening.redrawing import redirect_if_redrawn
from scorekeeper.web.opening.stakes import MAX_AMOUNT_CHARACTERS, USUAL
from scorekeeper.web.phone.my_tables import take_key
from scorekeeper.web.wording.refused import message_in_tournament

blueprint = Blueprint("tournament_new", __name__, url_prefix="/tournament/new")
blueprint.after_request(no_store)

OWN_PLAN: Final = "own"
MAX_NUMBER_CHARACTERS: Final = 5
MAX_ID_CHARACTERS: Final = 32
EXAMPLE_FEE: Final = 500  # minor units
NUMBERS: Final = ("rounds", "hands", "minutes")  # of a stage, as fields of the form
DRAW_WORDS: Final = {
    "balanced": _l("Everybody meets as many others as possible"),
    "ranked": _l("First against second, third against fourth"),
    "random": _l("By lot in each round"),
    "all_play_all": _l("Everybody plays everybody"),
    "partners": _l("Everybody plays with everybody, as partners"),
    "mitchell": _l("Half stay, half move to the next table"),
    "knockout": _l("Knock-out: the loser is out"),
    "by_hand": _l("I draw it myself"),
}
POINT_WORDS: Final = {
    "places": _l("By place at the table"),
    "score": _l("The score itself"),
    "match": _l("Won, drawn or lost"),
}
END_WORDS: Final = {
    "finish": _l("The hand that has begun is finished"),
    "one_more": _l("One more hand is played"),
    "stop": _l("The hand that has begun does not count"),
    "play_out": _l("All play to the end"),
}
FIELDS: Final = ("draw", "points", "at_time", *NUMBERS, "from", "to")


@dataclass(slots=True)
class TournamentDraft:
    """The content of the form for a tournament; ``wrong`` has the errors by field.

    ``plan`` is the id of a preset, or `OWN_PLAN`: then ``typed`` has the rules of the only stage.
    """

    game: Game
    name: str
    place: str
    plan: str
    pairs: bool
    fee: str
    currency: str
    typed: dict[str, str]
    form: FormData
    club: str = ""
    wrong: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, form: FormData) -> "TournamentDraft":
        """Return the tournament of a form, not validated yet."""
        game = chosen_game(form)
        return cls(
            game, clean_line(form.get("name", "")), clean_line(form.get("place", "")),
            clean_line(form.get("plan", "")), form.get("entrants", "") == PAIRS,
            form.get("fee", "").strip()[:MAX_AMOUNT_CHARACTERS],
            clean_line(form.get("currency", "") or USUAL)[:3].upper(),
            {name: clean_line(form.get(name, ""))[:12] for name in FIELDS},
            options.apply_preset(game, form),
            clean_line(form.get("club", ""))[:MAX_ID_CHARACTERS],
        )  # fmt: skip

    @property
    def presets(self) -> list[FittingPreset]:
        """The presets that can be played in the game."""
        return list_presets(self.game)

    @property
    def two_sides(self) -> bool:
        """Whether pairs can enter."""
        return has_two_sides(self.game)

    def validate(self) -> JsonObject:
        """Put the errors of the form into ``wrong``; return the data of the opening event."""
        errors = {
            "name": line_error(self.name, LONGEST_TITLE, _("Give the tournament a name.")),
            "place": line_error(self.place, LONGEST_TITLE),
        }
        self.wrong |= {name: error for name, error in errors.items() if error}
        chosen = validated_options(self.game, self.form, max(self.game.seats), self.wrong)
        data = {
            "name": self.name, "place": self.place, "zone": request_zone(), "game": self.game.id,
            "options": chosen, "fee": self._read_fee(), "club": self.club, **self._read_plan(),
        }  # fmt: skip
        return {name: value for name, value in data.items() if value}

    def _read_fee(self) -> JsonObject | None:
        """Return the fee in minor units; None for nothing."""
        if not self.fee:
            return None
        if error := currency_error(self.currency):
            self.wrong["currency"] = error
            return None
        try:
            amount = read_amount(self.fee, self.currency, EXAMPLE_FEE)
        except FieldError as error:
            self.wrong["fee"] = str(error)
            return None
        return {"amount": amount, "currency": self.currency} if amount else None

    def _read_plan(self) -> dict[str, Any]:
        """Return who enters and the stages; the names of stages are in the reader's language."""
        preset = next((each for each in self.presets if each.preset.id == self.plan), None)
        if preset is not None:
            say = language().say
            stages = [{**stage, "name": say(stage["name"])} for stage in preset.stages]
            return {"entrants": preset.entrants, "stages": stages}
        if self.plan != OWN_PLAN:
            self.wrong["plan"] = str(_("Choose how you play."))
        return {"entrants": PAIRS if self.pairs else INDIVIDUAL, "stages": [self._read_stage()]}

    def _read_stage(self) -> dict[str, Any]:
        """Return the only stage of a plan of one's own; numbers are not validated yet."""
        stage: dict[str, Any] = {
            "name": str(_("Rounds")), "draw": self.typed["draw"], "points": self.typed["points"],
        }  # fmt: skip
        stage |= {name: parse_whole(text[:MAX_NUMBER_CHARACTERS])
                  for name in NUMBERS if (text := self.typed[name])}  # fmt: skip
        if self.typed["at_time"] and self.typed["minutes"]:
            stage["at_time"] = self.typed["at_time"]
        sizes = [self.typed["from"] or self.typed["to"], self.typed["to"] or self.typed["from"]]
        if any(sizes):
            smallest, largest = map(parse_whole, sizes)
            stage["table"] = {"from": smallest, "to": largest}
        return stage

    def refuse(self, error: UnusableError) -> None:
        """Put the error of a tournament that cannot be opened beside its field."""
        parts = error.field.removeprefix("data.").split(".")
        own = self.plan == OWN_PLAN
        name = parts[0] if parts[0] in ("name", "place", "fee") else "plan"
        if parts[0] == "stages" and own:
            name = next((part for part in parts[2:3] if part in (*FIELDS, "table")), "plan")
        if parts[0] == "entrants" and own:
            name = "entrants"
        self.wrong[name] = message_in_tournament(error)


@blueprint.get("")
def form() -> str:
    """Ask for the name, the game and the plan; the query can name a club of this phone."""
    draft = TournamentDraft.read(request.args)
    find_club_name(draft.club)  # raises for a club that this phone does not know
    return render_form(draft)


@blueprint.post("")
def create() -> Response | tuple[str, int]:
    """Open the tournament; this phone becomes its director's.

    A button that chooses a game or rules only redraws the form.
    """
    form_again = redirect_if_redrawn(url_for(".form"))
    if form_again is not None:
        return form_again
    draft = TournamentDraft.read(request.form)
    find_club_name(draft.club)
    data = draft.validate()
    if draft.wrong:
        return render_form(draft), 422
    refuse_many_sessions()
    try:
        opened = tournaments().open(canonical.normalize(data), (), form_attempt())
    except UnusableError as error:
        draft.refuse(error)
        return render_form(draft), 422
    take_key(next(new_key.key for new_key in opened.keys if new_key.key.role == "host"))
    return to(url_for("tournament_entrants.page", tournament_id=opened.id), 303)


def find_club_name(club_id: str) -> str:
    """Return the name of the club that holds the tournament; empty without one.

    Only a phone that records in the club may open a tournament for it. Raises `UnknownClubError`,
    `MissingKeyError` or `ForbiddenError`.
    """
    if not club_id:
        return ""
    refuse_role(holder_in_club(club_id), "host", "seat")
    return clubs().with_state(club_id, lambda state: state.opened.name if state.opened else "")


def render_form(draft: TournamentDraft) -> str:
    """Return the HTML form of a new tournament with its present content."""
    return render_template(
        "tournament/new.html", draft=draft, games=GAMES.values(), own=OWN_PLAN,
        draws=DRAW_WORDS, points=POINT_WORDS, ends=END_WORDS,
        asked=options.option_fields(draft.game, draft.form),
        houses=options.preset_fields(draft.game, draft.form),
        kept=options.chosen_rules(draft.game, draft.form), club=find_club_name(draft.club),
    )  # fmt: skip
