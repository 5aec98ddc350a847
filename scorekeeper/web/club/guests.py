"""``…/settings/guests``: the host gives a guest of several evenings one account."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from flask import Blueprint, render_template, request
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.base.errors import UnusableError
from scorekeeper.clubs.guests import GuestUnion, UnnamedPlayer, list_unnamed
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.http.headers import no_store
from scorekeeper.service import NewEvent
from scorekeeper.web.club.merging import ChangedRow, compare_tables
from scorekeeper.web.club.settings import club_roster, redirect_to_settings
from scorekeeper.web.club.visitor import record_computed, see_club, visitor_of
from scorekeeper.web.forms.typed import clean_line, name_error
from scorekeeper.web.frame.form_keys import recorded_before
from scorekeeper.web.wording.refused import message_for_players

blueprint = Blueprint("club_guests", __name__, url_prefix="/club/<club_id>/settings/guests")
blueprint.after_request(no_store)

MAX_CHOSEN: Final = 200  # evenings and accounts of one form


class GuestChoice(NamedTuple):
    """The content of the form: players of evenings, accounts, and whose account they become."""

    players: Sequence[str]
    accounts: Sequence[str]
    into: str
    name: str

    @classmethod
    def read(cls, form: Any) -> "GuestChoice":
        """Return the content of a form."""
        return cls(
            form.getlist("player"), form.getlist("account"), form.get("into", ""),
            clean_line(form.get("name", "")),
        )  # fmt: skip

    @property
    def is_any(self) -> bool:
        """Whether anything is chosen."""
        return bool(self.players or self.accounts)

    def find_error(self) -> str:
        """Return what is wrong with the form; empty if nothing is."""
        if not self.is_any:
            return str(_("Choose the evenings or names of one guest."))
        if len(self.players) + len(self.accounts) > MAX_CHOSEN:
            return str(_("Choose at most %(most)s at a time.", most=MAX_CHOSEN))
        return "" if self.into else name_error(self.name, (), _("Type a name."))

    def unite(self, snapshot: ClubSnapshot) -> GuestUnion:
        """Return the chosen accounts and players as one person.

        Players who have an account by now are left out.
        """
        players = {
            unnamed.key: unnamed for group in list_unnamed(snapshot).values() for unnamed in group
        }
        chosen = [players[key] for key in self.players if key in players]
        return GuestUnion(chosen, list(self.accounts), self.into, self.name)


@blueprint.get("")
def form(club_id: str) -> str | tuple[str, int]:
    """List the guests and the players without an account; show the effect of what is chosen."""
    visitor_of(club_id, "host")
    choice = GuestChoice.read(request.args)
    if not (choice.is_any or "into" in request.args):
        return render_form(club_id, choice)
    wrong = choice.find_error()
    if wrong:
        return render_form(club_id, choice, wrong), 422
    try:
        tables = see_club(club_id, lambda snapshot: preview_union(snapshot, choice))
    except UnusableError as error:
        return render_form(club_id, choice, message_for_players(error)), 422
    return render_form(club_id, choice, tables=tables)


@blueprint.post("")
def unite(club_id: str) -> Response | tuple[str, int]:
    """Record that the chosen accounts and players are one person."""
    visitor, choice = visitor_of(club_id, "host"), GuestChoice.read(request.form)
    if recorded_before(club_id):
        return redirect_to_settings(club_id, "together")
    wrong = choice.find_error()
    if not wrong:

        def build_events() -> list[NewEvent]:
            events = see_club(
                club_id, lambda snapshot: choice.unite(snapshot).build_events(snapshot)
            )
            return [NewEvent(kind, data) for kind, data in events]

        try:
            record_computed(visitor, build_events)
        except UnusableError as error:
            wrong = message_for_players(error)
    if wrong:
        return render_form(club_id, choice, wrong), 422
    return redirect_to_settings(club_id, "together")


def preview_union(snapshot: ClubSnapshot, choice: GuestChoice) -> dict[str, list[ChangedRow]]:
    """Return the rows that change, by the title of their table.

    Raises `UnusableError` if the chosen cannot be one person.
    """
    return compare_tables(snapshot, choice.unite(snapshot).try_on(snapshot))


def render_form(
    club_id: str,
    choice: GuestChoice,
    wrong: str = "",
    tables: Mapping[str, Sequence[ChangedRow]] | None = None,
) -> str:
    """Return the form with its content, and the effect of what is chosen."""
    groups: Mapping[str, Sequence[UnnamedPlayer]] = see_club(club_id, list_unnamed)
    roster = club_roster(club_id)
    all_of = request.args.get("all", "")
    chosen = {*choice.players, *(unnamed.key for unnamed in groups.get(all_of, ()))}
    names = [unnamed.name for unnamed in groups.get(all_of, ())]
    return render_template(
        "club/guests.html", at=visitor_of(club_id, "host"), groups=groups, roster=roster,
        choice=choice, chosen=chosen, name=choice.name or next(iter(names), ""), wrong=wrong,
        tables=tables,
    )  # fmt: skip
