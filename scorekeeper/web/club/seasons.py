"""``/club/<club_id>/settings/season``: open and close seasons."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.clubs.events import PLACE_POINTS, RANKINGS, TIE_BREAKS, SeasonClosed, SeasonOpened
from scorekeeper.clubs.season_effects import list_played_ids
from scorekeeper.clubs.season_words import COUNTED, FIGURE, TIE
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.values import Season
from scorekeeper.events.names import player_ids
from scorekeeper.games import GAMES
from scorekeeper.http.headers import no_store
from scorekeeper.languages.money import MINUS
from scorekeeper.service import NewEvent
from scorekeeper.web.club.season_table import build_season_table
from scorekeeper.web.club.settings import redirect_to_settings
from scorekeeper.web.club.visitor import localize_figure, record_in_club, see_club, visitor_of
from scorekeeper.web.forms.typed import clean_line, line_error
from scorekeeper.web.frame.form_keys import recorded_before
from scorekeeper.web.opening.draft import LONGEST_TITLE
from scorekeeper.web.wording.refused import message_for_players

blueprint = Blueprint("club_seasons", __name__, url_prefix="/club/<club_id>/settings/season")
blueprint.after_request(no_store)

MAX_TIE_BREAKS: Final = 3  # in the form
RANKINGS_OF_ONE_GAME: Final = ("points", "average")
MAX_EVENINGS_COUNTED: Final = 10_000
# Of a match of any installed game.
NUMBERS_OF_PLAYERS: Final = tuple(sorted({many for game in GAMES.values() for many in game.seats}))


@dataclass(slots=True)
class SeasonDraft:
    """The content of the form for a season; ``wrong`` has the errors by field.

    ``places`` are the typed points for places, by the number of players.
    """

    name: str
    start: str
    to: str
    games: list[str]
    by: str
    best: str
    at_least: str
    ties: list[str]
    places: dict[int, str]
    wrong: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, form: Any) -> "SeasonDraft":
        """Return the season of a form, not validated yet."""
        by = form.get("by", "")
        return cls(
            name=clean_line(form.get("name", "")),
            start=form.get("from", "").strip(),
            to=form.get("to", "").strip(),
            games=[game for game in form.getlist("game") if game in GAMES],
            by=by if by in RANKINGS else "",
            best=form.get("best", "").strip(),
            at_least=form.get("at_least", "").strip(),
            ties=[tie for tie in form.getlist("tie") if tie in TIE_BREAKS][:MAX_TIE_BREAKS],
            places={players: typed for players in NUMBERS_OF_PLAYERS
                    if (typed := form.get(f"places-{players}", "").strip())},
        )  # fmt: skip

    def validate(self) -> None:
        """Put the errors of the form into ``wrong``."""
        missing = _("Give the season a name, such as Autumn.")
        if wrong := line_error(self.name, LONGEST_TITLE, missing):
            self.wrong["name"] = wrong
        self._check_days()
        if not self.games:
            self.wrong["games"] = _("Choose at least one game.")
        if not self.by:
            self.wrong["by"] = _("Choose what counts.")
        elif len(self.games) > 1 and {self.by, *self.ties} & set(RANKINGS_OF_ONE_GAME):
            self.wrong["by"] = _("Points of different games cannot be added up. Choose one game, "
                                 "or count something else.")  # fmt: skip
        self._check_numbers()

    def _check_numbers(self) -> None:
        """Check the numbers of counted evenings, and the points for places."""
        for name in ("best", "at_least"):
            text = getattr(self, name)
            if text and not (
                text.isascii() and text.isdecimal() and 0 < int(text[:6]) <= MAX_EVENINGS_COUNTED
            ):
                self.wrong[name] = _(
                    "A number from 1 to %(most)s, or leave it empty.", most=MAX_EVENINGS_COUNTED
                )
        if self.by == "rating" and self.best:
            self.wrong["best"] = _("A rating follows from all evenings. Leave this empty.")
        for players, typed in self.places.items():
            wrong = self._describe_wrong_points(players, typed)
            if wrong:
                self.wrong[f"places-{players}"] = wrong

    def _describe_wrong_points(self, players: int, typed: str) -> str:
        """Return the error about the points for places; empty if they are valid."""
        if self.by != "places":
            return str(_("Only a season ranked by places gives points for places."))
        points = parse_whole_numbers(typed)
        if len(points) != players:
            return str(_("Type %(number)s whole numbers, the first place first.",
                         number=players))  # fmt: skip
        if not all(PLACE_POINTS.low <= figure <= PLACE_POINTS.high for figure in points):
            return str(
                _(
                    "Numbers from %(least)s to %(most)s.",
                    least=localize_figure(str(PLACE_POINTS.low)),
                    most=PLACE_POINTS.high,
                )
            )
        if points != sorted(points, reverse=True):
            return str(_("A lower place cannot get more points than a higher one."))
        return ""

    def _check_days(self) -> None:
        """Put the errors on the first and last day into `wrong`."""
        days: dict[str, date] = {}
        for name, text in (("from", self.start), ("to", self.to)):
            if text or name == "from":
                try:
                    days[name] = date.fromisoformat(text)
                except ValueError:
                    self.wrong[name] = _("Choose a day.")
        if "to" in days and "from" in days and days["to"] < days["from"]:
            self.wrong["to"] = _("The last day comes before the first.")

    def opening(self, taken: set[str]) -> JsonObject:
        """Return the data of the event that opens the season; its id is not in `taken`."""
        ranking: dict[str, object] = {"by": self.by}
        for name in ("best", "at_least"):
            if getattr(self, name):
                ranking[name] = int(getattr(self, name))
        if self.places:
            ranking["places"] = {str(players): parse_whole_numbers(typed)
                                 for players, typed in self.places.items()}  # fmt: skip
        if self.ties:
            ranking["ties"] = list(dict.fromkeys(self.ties))
        data: dict[str, object] = {
            "id": player_ids([self.name], taken)[self.name], "name": self.name,
            "from": date.fromisoformat(self.start).isoformat(), "games": self.games,
            "ranking": ranking if len(ranking) > 1 else self.by,
        }  # fmt: skip
        return {**data, "to": date.fromisoformat(self.to).isoformat()} if self.to else data


def parse_whole_numbers(typed: str) -> list[int]:
    """Return whole numbers separated by spaces or commas; empty if one of them is malformed.

    >>> [parse_whole_numbers(typed) for typed in ("5, 2 0", "3 0 -3", "1.5 1", "")]
    [[5, 2, 0], [3, 0, -3], [], []]
    """
    words = typed.replace(MINUS, "-").replace(",", " ").replace(";", " ").split()
    try:
        return [int(word) for word in words]
    except ValueError:
        return []


@blueprint.get("")
def form(club_id: str) -> str:
    """Ask for the name, the dates, and the ranking."""
    visitor_of(club_id, "host")
    draft = SeasonDraft.read(request.args)
    if not request.args:
        games, first = see_club(club_id, suggest_games_and_start)
        draft.games, draft.start = games or list(GAMES), first
        draft.by = "points" if len(games) == 1 else "places"
    return render_form(club_id, draft)


@blueprint.post("")
def create(club_id: str) -> Response | tuple[str, int]:
    """Open the season."""
    visitor, draft = visitor_of(club_id, "host"), SeasonDraft.read(request.form)
    draft.validate()
    if not draft.wrong:
        taken = see_club(club_id, lambda snapshot: {*snapshot.state.seasons, "ever"})
        try:
            record_in_club(visitor, NewEvent(SeasonOpened.TYPE, draft.opening(taken)))
        except UnusableError as error:
            draft.wrong["by"] = message_for_players(error)
    return (
        (render_form(club_id, draft), 422)
        if draft.wrong
        else redirect_to_settings(club_id, "opened")
    )


def suggest_games_and_start(snapshot: ClubSnapshot) -> tuple[list[str], str]:
    """Return the games played so far, and 1 January of the last evening's year."""
    games = {match.game for evening in snapshot.evenings.values() for match in evening.matches}
    last = max(
        (evening.day.in_zone(snapshot.zone)[:4] for evening in snapshot.evenings.values()),
        default="",
    )
    today = date.today()  # noqa: DTZ011  # a suggestion in a form
    return [game for game in GAMES if game in games], f"{last or today.year}-01-01"


def render_form(club_id: str, draft: SeasonDraft) -> str:
    """Return the HTML form of a new season with its present content."""
    return render_template(
        "club/season_form.html", at=visitor_of(club_id, "host"), draft=draft, games=GAMES.values(),
        rankings=[(ranking, FIGURE[ranking], COUNTED[ranking]) for ranking in RANKINGS], ties=TIE,
        many=MAX_TIE_BREAKS, of_one_game=RANKINGS_OF_ONE_GAME, tables=NUMBERS_OF_PLAYERS,
    )  # fmt: skip


# ----------------------------------------------------------------------------------- closing


@blueprint.get("/<season>/close")
def ask(club_id: str, season: str) -> str:
    """Show the final table, and ask whether to close the season."""
    visitor = visitor_of(club_id, "host")
    shown = build_season_table(club_id, season, "")
    if shown is None or shown.season.closed:
        raise NotFound(_("There is no such season in this club."))
    tag = see_club(club_id, lambda snapshot: snapshot.tag)
    return render_template(
        "club/close_season.html",
        at=visitor,
        standing=shown,
        tag=tag,
        changed="changed" in request.args,
    )


@blueprint.post("/<season>/close")
def close(club_id: str, season: str) -> Response:
    """Close the season, if nothing changed since its table was shown.

    Raises `UnusableError` if it is closed already.
    """
    visitor = visitor_of(club_id, "host")
    tag, heads = see_club(
        club_id, lambda snapshot: (snapshot.tag, heads_by_evening(snapshot, season))
    )
    if tag != request.form.get("tag") and not recorded_before(club_id):
        return to(url_for(".ask", club_id=club_id, season=season, changed=1), 303)
    record_in_club(visitor, NewEvent(SeasonClosed.TYPE, {"season": season, "heads": heads}))
    return redirect_to_settings(club_id, "closed")


def heads_by_evening(snapshot: ClubSnapshot, season_id: str) -> dict[str, str]:
    """Return the head of the log of each evening in a season that has a game of it.

    Of a tournament these are that of its own log, and those of all its tables.
    """
    season = snapshot.state.seasons.get(season_id)
    return dict(_heads(snapshot, season)) if season else {}


def _heads(snapshot: ClubSnapshot, season: Season) -> Iterator[tuple[str, str]]:
    """Yield the id and log head of each evening of a season that has a hand in one of its games."""
    played = list_played_ids(snapshot, season)
    yield from (
        (tournament_id, known.head)
        for tournament_id, known in snapshot.tournaments.items()
        if tournament_id in played
    )
    for attended in snapshot.list_attended():
        if attended.id in played:
            yield attended.evening.session_id, attended.evening.head
