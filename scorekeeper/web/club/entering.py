"""``/club/<club_id>/enter``: enter an evening or tournament by link or code, evenings by file."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from hashlib import sha256
from typing import Final, NamedTuple

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response

from scorekeeper.base.errors import NotInstalledError, RateLimitError, UnusableError
from scorekeeper.clubs.identities import PlayerIdentities, assign_new_member, identify_players
from scorekeeper.clubs.state import ClubState
from scorekeeper.http.access import shown_keys
from scorekeeper.http.extensions import clubs, service, tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.http.limits import count_per_hour, refuse_wrong_key
from scorekeeper.service.club_logs import build_entering_events
from scorekeeper.service.club_rights import KeyOf, ShownKey
from scorekeeper.store import Key
from scorekeeper.store.keyring import can_be_entered, is_open, is_tournament
from scorekeeper.web.club.bringing import FileResult, import_and_enter, result_of_equal_file
from scorekeeper.web.club.entering_tournament import (
    enter_tournament,
    read_names,
    render_entrants_form,
)
from scorekeeper.web.club.visitor import Visitor, record_computed, see_club, visitor_of
from scorekeeper.web.frame.form_keys import recorded_before
from scorekeeper.web.opening.code import JOINS, MAX_JOINS_PER_HOUR, find_posted
from scorekeeper.web.opening.code import normalize_code as plain_code
from scorekeeper.web.opening.led import create_view_key
from scorekeeper.web.phone.my_tables import my_keys
from scorekeeper.web.wording.refused import message_for_players

blueprint = Blueprint("club_entering", __name__, url_prefix="/club/<club_id>/enter")
blueprint.after_request(no_store)

MAX_OFFERED_TABLES: Final = 30  # of this phone
MAX_FILES: Final = 200
MAX_LINK_CHARACTERS: Final = 400
LINK: Final = re.compile(r"(?:^|/join/)([A-Za-z0-9_-]{32})(?:[?#]|$)")
TABLE: Final = re.compile(r"/(?:t|tournament)/([0-9a-z]{12})(?:[/?#]|$)")
# Form values for a player without an account, for a new guest, and for a player who joins.
NOBODY, NEW_GUEST, NEW = "", "*", "+"


class NamedEvening(NamedTuple):
    """An evening or tournament that a form named, with the secret or code that opens it."""

    session_id: str
    secret: str = ""
    code: str = ""

    def look(self) -> KeyOf:
        """Return the function that finds the client's key to an evening.

        It uses the link of the form, or the keys of this phone.
        """
        return shown_keys([self.secret] if self.secret else ())

    @property
    def is_shown(self) -> bool:
        """Return whether the form gives access to the evening, by a code or a key."""
        return bool(self.code) or self.look()(self.session_id) is not None

    @contextmanager
    def keys(self, visitor: Visitor) -> Iterator[KeyOf]:
        """Provide the key to each session; a code creates a new key for viewing.

        The host of the table sees that key in the list of keys and can revoke it: a code alone
        could not be revoked from the club. A key with which nothing was entered is revoked at the
        end.
        """
        held, new_keys = self.look(), list[Key]()

        def key_of(session_id: str) -> ShownKey | None:
            key = held(session_id)
            if key or not self.code or session_id != self.session_id:
                return key
            if visitor.hosts and not new_keys:
                count_per_hour(JOINS, MAX_JOINS_PER_HOUR)
                new_keys.append(create_view_key(session_id).key)
                service().access.touch_key(new_keys[0])
            return ShownKey("view", *new_keys)

        try:
            yield key_of
        finally:
            followers = service().following.followers(self.session_id) if new_keys else []
            streams = tournaments() if is_tournament(self.session_id) else service()
            for key in new_keys:
                if key.id not in {follower.key for follower in followers}:
                    streams.revoke_key(self.session_id, key.id, ends_code=False)


class NoEveningError(Exception):
    """The form does not name an evening; the message is for its sender."""


# ---------------------------------------------------------------------------------- the page


@blueprint.get("")
def page(club_id: str) -> str:
    """Show the ways to enter an evening in the club."""
    return entry_page(visitor_of(club_id, "host", "seat"))


def entry_page(visitor: Visitor, wrong: str = "", brought: tuple[FileResult, ...] = ()) -> str:
    """Return the page with an error, or with the results for files."""
    return render_template(
        "club/enter.html", at=visitor, wrong=wrong, brought=brought, tables=own_tables(visitor),
        done=request.args.get("done", ""), most=MAX_FILES,
    )  # fmt: skip


def own_tables(visitor: Visitor) -> list[tuple[str, str, str]]:
    """Return the id, title and day of this phone's tables that may be entered in the club."""
    now = service().access.clock()
    stopped = clubs().following.stops(visitor.club_id).keys()
    entered = clubs().with_state(
        visitor.club_id, lambda state: {*state.evenings, *state.tournaments} - stopped
    )
    zone, tables = see_club(visitor.club_id, lambda snapshot: snapshot.zone), {}
    for key in my_keys(MAX_OFFERED_TABLES):
        allowed = visitor.hosts or key.role == "host"
        if (
            allowed
            and is_open(key, now)
            and key.stream_id not in entered
            and can_be_entered(key.stream_id)
        ):
            try:
                if is_tournament(key.stream_id):
                    tables[key.stream_id] = clubs().tournament(key.stream_id).name, ""
                    continue
                evening = clubs().evening(key.stream_id)
            except (UnusableError, NotInstalledError):
                continue
            tables[key.stream_id] = evening.title, evening.day.in_zone(zone)
    return [(session_id, title, day) for session_id, (title, day) in tables.items()]


# -------------------------------------------------------------------------------- one evening


@blueprint.post("/who")
def who(club_id: str) -> Response | str | tuple[str, int]:
    """Ask which member each player of the named evening is.

    If the evening counts already but is no longer followed, it is followed again with the same
    members.
    """
    visitor = visitor_of(club_id, "host", "seat")
    try:
        evening = evening_of_form()
        if resume_following(visitor, evening):
            return to(url_for("club_evenings.page", club_id=club_id, done="followed"), 303)
        if is_tournament(evening.session_id):
            return render_entrants_form(visitor, evening)
        return render_who_form(visitor, evening)
    except NoEveningError as refused:
        return entry_page(visitor, str(refused)), 422
    except UnusableError as error:
        return entry_page(visitor, message_for_players(error)), 422


@blueprint.post("")
def enter(club_id: str) -> Response | str | tuple[str, int]:
    """Enter the evening or tournament of the form, each player as the chosen member or guest."""
    visitor = visitor_of(club_id, "host", "seat")
    if recorded_before(club_id):
        return to(url_for("club.page", club_id=club_id), 303)
    try:
        evening = evening_of_form()
        if is_tournament(evening.session_id):
            return _enter_tournament(visitor, evening)
        players = clubs().evening(evening.session_id).players
    except NoEveningError as refused:
        return entry_page(visitor, str(refused)), 422
    except UnusableError as error:
        return entry_page(visitor, message_for_players(error)), 422
    choices = {player: request.form.get(f"as-{player}", NOBODY) for player in players}
    try:
        with evening.keys(visitor) as key_of:
            record_computed(
                visitor,
                lambda: build_entering_events(
                    evening.session_id,
                    clubs().with_state(
                        club_id, lambda state: chosen_identities(state, players, choices)
                    ),
                ),
                key_of,
            )
    except UnusableError as error:
        return render_who_form(visitor, evening, message_for_players(error), choices), 422
    return to(url_for("club.page", club_id=club_id), 303)


def _enter_tournament(visitor: Visitor, named: NamedEvening) -> Response | tuple[str, int]:
    """Enter the tournament of the form in the club. Raises `UnusableError` if there is none."""
    typed = read_names(clubs().tournament(named.session_id))
    try:
        with named.keys(visitor) as key_of:
            enter_tournament(visitor, named.session_id, key_of)
    except UnusableError as error:
        return render_entrants_form(visitor, named, message_for_players(error), typed), 422
    return to(url_for("club_tournaments.page", club_id=visitor.club_id), 303)


def evening_of_form() -> NamedEvening:
    """Return the evening that a form names: by its link, by its code, or of this phone.

    Raises `NoEveningError` if there is none, or this phone may not see it.
    """
    typed, code = request.form.get("link", "").strip(), plain_code(request.form.get("code", ""))
    if typed:
        evening = evening_by_link(typed[:MAX_LINK_CHARACTERS])
    elif code:
        evening = evening_by_code(code)
    elif request.form.get("session"):
        evening = NamedEvening(request.form["session"])
    else:
        raise NoEveningError(_("Paste the link of the evening, or type its code."))
    if not evening.is_shown:
        raise NoEveningError(_("You need a key to that evening. Paste one of its links."))
    return evening


def evening_by_link(typed: str) -> NamedEvening:
    """Return the evening of a link with a key, or of a page that this phone has a key to.

    Raises `NoEveningError` for any other text; a wrong key is counted.
    """
    secret, table = LINK.search(typed), TABLE.search(typed)
    if secret is not None:
        key = service().access.find_key(secret[1])
        if key is None or not can_be_entered(key.stream_id):
            refuse_wrong_key()
            raise NoEveningError(
                _("This link opens no evening and no tournament. Ask its host for a new one.")
            )
        return NamedEvening(key.stream_id, secret[1])
    if table is not None:
        return NamedEvening(table[1])
    raise NoEveningError(
        _("This is not the link of an evening or tournament. Copy all of it, from http to its end.")
    )


def evening_by_code(code: str) -> NamedEvening:
    """Return the evening of a code that its host's phone shows.

    Raises `NoEveningError` if the code is wrong, or too many were.
    """
    try:
        session_id = find_posted(code)
    except RateLimitError:
        raise NoEveningError(_("Too many tries; wait a little.")) from None
    if session_id is None or not can_be_entered(session_id):
        raise NoEveningError(
            _("This code does not exist: it was mistyped, or has expired. Ask the host for "
              "another.")
        )  # fmt: skip
    return NamedEvening(session_id, code=code)


def resume_following(visitor: Visitor, named: NamedEvening) -> bool:
    """Follow an evening again if the club stopped following it; return whether it did.

    Raises `UnusableError` if the evening cannot be followed.
    """
    club_id, session_id = visitor.club_id, named.session_id
    counts = clubs().with_state(
        club_id, lambda state: session_id in state.evenings or session_id in state.tournaments
    )
    if not counts or clubs().stop_of(club_id, session_id) is None:
        return False
    with named.keys(visitor) as key_of:
        clubs().follow_again(club_id, session_id, visitor.holder, key_of)
    return True


def render_who_form(
    visitor: Visitor,
    evening_named: NamedEvening,
    wrong: str = "",
    choices: Mapping[str, str] | None = None,
) -> str:
    """Return the form that asks which member each player is.

    Raises `UnusableError` if the evening cannot be used.
    """
    evening = clubs().evening(evening_named.session_id)
    known = see_club(
        visitor.club_id, lambda snapshot: identify_players(snapshot, evening.players, join=False)
    )
    people = clubs().with_state(
        visitor.club_id,
        lambda state: sorted(state.members.values(), key=lambda member: member.name.casefold()),
    )
    unknown = NEW if visitor.hosts else NEW_GUEST
    usual = {
        player: unknown if member is None or member in known.new_guests else member
        for player, member in known.players.items()
    }
    return render_template(
        "club/who.html", at=visitor, found=evening_named, evening=evening, wrong=wrong,
        people=people, said={**usual, **(choices or {})}, NOBODY=NOBODY,
        NEW_GUEST=NEW_GUEST, NEW=NEW,
    )  # fmt: skip


def chosen_identities(
    state: ClubState, players: Mapping[str, str], choices: Mapping[str, str]
) -> PlayerIdentities:
    """Return which member or guest each player is, as a form states it.

    A player marked as new gets an unused id, and has yet to join as a member or guest.
    """
    identities = PlayerIdentities()
    for player, name in players.items():
        choice = choices[player]
        if choice in (NEW, NEW_GUEST):
            guest = choice == NEW_GUEST
            choice = assign_new_member(state, identities, player, name, guest=guest)
        identities.players[player] = choice or None
    return identities


# --------------------------------------------------------------------------------- many files


@blueprint.post("/files")
def files(club_id: str) -> str | tuple[str, int]:
    """Enter the evenings of log files."""
    visitor = visitor_of(club_id, "host", "seat")
    sent = [file for file in request.files.getlist("log") if file.filename][:MAX_FILES]
    if not sent:
        return entry_page(visitor, _("Choose the files of your evenings.")), 422
    join = visitor.hosts and request.form.get("join") == "yes"
    return entry_page(visitor, brought=tuple(_import_files(visitor, sent, join=join)))


def _import_files(
    visitor: Visitor, files: Iterable[FileStorage], *, join: bool
) -> Iterator[FileResult]:
    """Import uploaded log files, enter their evenings, and yield the result of each.

    Of equal files only the first is entered.
    """
    results: dict[bytes, FileResult] = {}  # by the digest of the file
    for file in files:
        with closing(file):
            name, log = file.filename or "", file.stream.read()
        digest = sha256(log).digest()
        if digest in results:
            yield result_of_equal_file(name, results[digest])
        else:
            results[digest] = import_and_enter(visitor, name, log, join=join)
            yield results[digest]
