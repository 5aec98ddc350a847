"""``/club/<club_id>/settings/season``: a new season, and the close of one."""

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
from scorekeeper.clubs.books import Books
from scorekeeper.clubs.events import A_PLACE, RANKINGS, TIE_BREAKS, SeasonClosed, SeasonOpened
from scorekeeper.clubs.roll import Season
from scorekeeper.clubs.season import day_of, of_season
from scorekeeper.clubs.season_words import COUNTED, FIGURE, TIE
from scorekeeper.games import GAMES
from scorekeeper.http.headers import unkept
from scorekeeper.languages.money import MINUS
from scorekeeper.service import NewEvent
from scorekeeper.web.club.season_table import season_table
from scorekeeper.web.club.settings import back
from scorekeeper.web.club.visitor import record_in_club, see, visitor_of, written
from scorekeeper.web.frame.form_keys import recorded_before
from scorekeeper.web.opening.draft import LONGEST_TITLE, ids_of, line
from scorekeeper.web.wording.refused import in_words

blueprint = Blueprint("club_seasons", __name__, url_prefix="/club/<club_id>/settings/season")
blueprint.after_request(unkept)

MOST_TIES: Final = 3  # that a form asks for
OF_ONE_GAME: Final = ("points", "average")
MOST_COUNTED: Final = 10_000
# How many play a match, of any game that is installed.
TABLES: Final = tuple(sorted({many for game in GAMES.values() for many in game.seats}))


@dataclass(slots=True)
class SeasonDraft:
    """What a form says of a season; ``wrong`` is what is wrong with it, by field.

    ``places`` are what each place gets, by the number of players, as far as anything was typed.
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
    def read(cls, said: Any) -> "SeasonDraft":
        """The season of a form, not looked over yet."""
        by = said.get("by", "")
        return cls(
            name=line(said.get("name", "")),
            start=said.get("from", "").strip(),
            to=said.get("to", "").strip(),
            games=[one for one in said.getlist("game") if one in GAMES],
            by=by if by in RANKINGS else "",
            best=said.get("best", "").strip(),
            at_least=said.get("at_least", "").strip(),
            ties=[one for one in said.getlist("tie") if one in TIE_BREAKS][:MOST_TIES],
            places={many: typed for many in TABLES
                    if (typed := said.get(f"places-{many}", "").strip())},
        )  # fmt: skip

    def look_over(self) -> None:
        """Find what is wrong."""
        if not self.name:
            self.wrong["name"] = _("Give the season a name, such as Autumn.")
        elif len(self.name) > LONGEST_TITLE:
            self.wrong["name"] = _("This is longer than %(most)s letters.", most=LONGEST_TITLE)
        self._look_at_days()
        if not self.games:
            self.wrong["games"] = _("Choose at least one game.")
        if not self.by:
            self.wrong["by"] = _("Choose what counts.")
        elif len(self.games) > 1 and {self.by, *self.ties} & set(OF_ONE_GAME):
            self.wrong["by"] = _("Points of different games cannot be added up. Choose one game, "
                                 "or count something else.")  # fmt: skip
        self._look_at_figures()

    def _look_at_figures(self) -> None:
        for name in ("best", "at_least"):
            text = getattr(self, name)
            if text and not (
                text.isascii() and text.isdecimal() and 0 < int(text[:6]) <= MOST_COUNTED
            ):
                self.wrong[name] = _("A number from 1 to %(most)s, or nothing.", most=MOST_COUNTED)
        if self.by == "rating" and self.best:
            self.wrong["best"] = _("A rating follows from all evenings. Leave this empty.")
        for many, typed in self.places.items():
            wrong = self._wrong_with(many, typed)
            if wrong:
                self.wrong[f"places-{many}"] = wrong

    def _wrong_with(self, players: int, typed: str) -> str:
        """What is wrong with the points of the places of a match; nothing if they can be."""
        if self.by != "places":
            return str(_("Only a season ranked by places gives points for places."))
        found = figures_of(typed)
        if len(found) != players:
            return str(_("Type %(number)s whole numbers, the first place first.",
                         number=players))  # fmt: skip
        if not all(A_PLACE.low <= one <= A_PLACE.high for one in found):
            return str(_("Numbers from %(least)s to %(most)s.", least=written(str(A_PLACE.low)),
                         most=A_PLACE.high))  # fmt: skip
        if found != sorted(found, reverse=True):
            return str(_("A worse place cannot get more points than a better one."))
        return ""

    def _look_at_days(self) -> None:
        days: dict[str, date] = {}
        for name, text in (("from", self.start), ("to", self.to)):
            if text or name == "from":
                try:
                    days[name] = date.fromisoformat(text)
                except ValueError:
                    self.wrong[name] = _("Choose a day.")
        if "to" in days and "from" in days and days["to"] < days["from"]:
            self.wrong["to"] = _("The last day comes before the first.")

    def opening(self, taken: set[str]) -> dict[str, Any]:
        """The data of the event that opens it."""
        ranking: dict[str, Any] = {"by": self.by}
        for name in ("best", "at_least"):
            if getattr(self, name):
                ranking[name] = int(getattr(self, name))
        if self.places:
            ranking["places"] = {str(many): figures_of(typed)
                                 for many, typed in self.places.items()}  # fmt: skip
        if self.ties:
            ranking["ties"] = list(dict.fromkeys(self.ties))
        told: dict[str, Any] = {
            "id": ids_of([self.name], taken)[self.name], "name": self.name,
            "from": date.fromisoformat(self.start).isoformat(), "games": self.games,
            "ranking": ranking if len(ranking) > 1 else self.by,
        }  # fmt: skip
        return {**told, "to": date.fromisoformat(self.to).isoformat()} if self.to else told


def figures_of(typed: str) -> list[int]:
    """Whole numbers with spaces or commas between them; none where one of them is no number.

    >>> figures_of("5, 2 0"), figures_of("3 0 -3"), figures_of("1.5 1"), figures_of("")
    ([5, 2, 0], [3, 0, -3], [], [])
    """
    parts = typed.replace(MINUS, "-").replace(",", " ").replace(";", " ").split()
    try:
        return [int(one) for one in parts]
    except ValueError:
        return []


@blueprint.get("")
def form(club_id: str) -> str:
    """Ask what it is called, when it is, and what counts."""
    visitor_of(club_id, "host")
    draft = SeasonDraft.read(request.args)
    if not request.args:
        games, first = see(club_id, played)
        draft.games, draft.start = games or list(GAMES), first
        draft.by = "points" if len(games) == 1 else "places"
    return page(club_id, draft)


@blueprint.post("")
def create(club_id: str) -> Response | tuple[str, int]:
    """Open it."""
    visitor, draft = visitor_of(club_id, "host"), SeasonDraft.read(request.form)
    draft.look_over()
    if not draft.wrong:
        taken = see(club_id, lambda books: {*books.roll.seasons, "ever"})
        try:
            record_in_club(visitor, NewEvent(SeasonOpened.TYPE, draft.opening(taken)))
        except UnusableError as error:
            draft.wrong["by"] = in_words(error)
    return (page(club_id, draft), 422) if draft.wrong else back(club_id, "opened")


def played(books: Books) -> tuple[list[str], str]:
    """The games that were played so far, and the first of January of the last evening's year."""
    games = {match.game for one in books.evenings.values() for match in one.matches}
    last = max((day_of(one.began, books.zone)[:4] for one in books.evenings.values()), default="")
    today = date.today()  # noqa: DTZ011  # a suggestion in a form
    return [one for one in GAMES if one in games], f"{last or today.year}-01-01"


def page(club_id: str, draft: SeasonDraft) -> str:
    """The form with what it says already."""
    return render_template(
        "club/season_form.html", at=visitor_of(club_id, "host"), draft=draft, games=GAMES.values(),
        rankings=[(one, FIGURE[one], COUNTED[one]) for one in RANKINGS], ties=TIE,
        many=MOST_TIES, of_one_game=OF_ONE_GAME, tables=TABLES,
    )  # fmt: skip


# ----------------------------------------------------------------------------------- closing


@blueprint.get("/<season>/close")
def ask(club_id: str, season: str) -> str:
    """Say what the season comes to, and ask whether to close it."""
    visitor = visitor_of(club_id, "host")
    shown = season_table(club_id, season, "")
    if shown is None or shown.season["closed"]:
        raise NotFound(_("There is no such season in this club."))
    tag = see(club_id, lambda books: books.tag)
    return render_template(
        "club/close_season.html",
        at=visitor,
        standing=shown,
        tag=tag,
        changed="changed" in request.args,
    )


@blueprint.post("/<season>/close")
def close(club_id: str, season: str) -> Response:
    """Close it, if nothing changed since it was looked at.

    Raises `UnusableError` if it is closed already.
    """
    visitor = visitor_of(club_id, "host")
    tag, heads = see(club_id, lambda books: (books.tag, heads_of(books, season)))
    if tag != request.form.get("tag") and not recorded_before(club_id):
        return to(url_for(".ask", club_id=club_id, season=season, changed=1), 303)
    record_in_club(visitor, NewEvent(SeasonClosed.TYPE, {"season": season, "heads": heads}))
    return back(club_id, "closed")


def heads_of(books: Books, season_id: str) -> dict[str, str]:
    """The evenings that belong to a season, each with the head of its log."""
    season = books.roll.seasons.get(season_id)
    return dict(_heads(books, season)) if season else {}


def _heads(books: Books, season: Season) -> Iterator[tuple[str, str]]:
    for one in of_season(season, books.attended(), books.zone):
        if any(match.game in season.games and match.hands for match in one.evening.matches):
            yield one.evening.session_id, one.evening.head
