"""``/code``: a short code, read out at the table, leads to its seats; one tap takes a seat.

A code is easier to guess than a key, so it expires within minutes and wrong codes are limited.
Another site can make a browser fetch an address, but cannot post to it; so posted codes are counted
apart, and the right code, when posted, is accepted however many wrong ones came from the same
address.
"""

from collections.abc import Iterator
from typing import Final

from flask import Blueprint, render_template, request
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.base.errors import RateLimitError, SeatTakenError
from scorekeeper.http.access import own_key
from scorekeeper.http.client import client_address, networks_of
from scorekeeper.http.extensions import service
from scorekeeper.http.headers import no_store
from scorekeeper.http.limits import SECONDS_PER_HOUR, count_per_hour
from scorekeeper.http.problems import PROBLEMS, error_headers
from scorekeeper.store.keyring import CODE_LENGTH, LETTERS, is_in_use
from scorekeeper.web.frame.refusals import MESSAGES
from scorekeeper.web.opening.led import Destination, create_view_key, find_destination
from scorekeeper.web.phone.levels import requested_level, set_level_from_link
from scorekeeper.web.phone.my_tables import take_key, take_seat
from scorekeeper.web.phone.secret import next_secret
from scorekeeper.web.phone.viewer import give_up_own_seat

blueprint = Blueprint("code", __name__, url_prefix="/code")
blueprint.after_request(no_store)

# Limits on wrong codes of one address in an hour: fetched, and posted. Beyond the second limit, a
# code is still tried as long as few wrong codes with its beginning came from all addresses, and
# after that if the address has posted no wrong code for PAUSE_SECONDS. So nobody is locked out for
# long, and an attacker can try only a few of the 31 ** 4 codes with the same beginning. The wider
# networks of an IPv6 address are limited in the same way, each to a multiple of these numbers.
MAX_FETCHED_PER_HOUR: Final = 5
MAX_POSTED_PER_HOUR: Final = 15
BEGINNING_LETTERS: Final = 2
PAUSE_SECONDS: Final = 5
NETWORK_FACTORS: Final = (1, 4, 8)  # for an address, its network of 56 bits, and that of 48 bits
MAX_JOINS_PER_HOUR: Final = 200  # keys that one address may get
# The names of the counters in the store.
FETCHED: Final = "looked for a code"
POSTED: Final = "wrong code"
POSTED_BEGINNING: Final = "wrong code begun so"
PAUSED: Final = "wrong code slowed down"
JOINS: Final = "joined by code"


@blueprint.get("")
def enter() -> str | tuple[str, int]:
    """Show the form for a code, or the free seats of the session whose code is in the address."""
    typed = request.args.get("code", "").strip()
    code = normalize_code(typed)
    if not typed or (is_code(code) and has_fetched_too_many()):
        return code_form(code)
    session_id = find_session(code, FETCHED, MAX_FETCHED_PER_HOUR)
    return seats_page(session_id, code) if session_id else wrong_code_page(code)


@blueprint.post("")
def come() -> Response | str | tuple[str, int] | tuple[str, int, dict[str, str]]:
    """Show the seats of the session that a posted code names, take one, or join as a viewer.

    A wrong code is counted and shows the form with an error.
    """
    code = normalize_code(request.form.get("code", ""))
    try:
        session_id = find_posted(code)
    except RateLimitError as error:
        wrong = _("Too many wrong codes came from here, and this one is wrong or must wait. "
                  "Compare it with the phone that shows it and try again, or ask for a new "
                  "code or a link.")  # fmt: skip
        return code_form(code, wrong), PROBLEMS[error.code].status, error_headers(error)
    if session_id is None:
        return wrong_code_page(code)
    return (
        seats_page(session_id, code)
        if "show" in request.form
        else take_seat_by_code(session_id, code)
    )


def take_seat_by_code(session_id: str, code: str) -> Response | tuple[str, int]:
    """Take the seat in the form, or a key for viewing if it names none.

    Redirects to the first page, or shows the seats again if the seat is taken.
    """
    player = request.form.get("seat", "")
    place = find_destination(session_id)
    answer = to(place.address, 303)
    set_level_from_link(answer, session_id)
    if player and player not in list_free_players(place) and not is_mine(session_id, player):
        return seat_taken_page(session_id, code)
    count_per_hour(JOINS, MAX_JOINS_PER_HOUR)
    try:
        if player:
            take_seat(session_id, player)
        else:
            take_key(create_view_key(session_id).key)
    except SeatTakenError:
        return seat_taken_page(session_id, code)
    give_up_own_seat(session_id)
    return answer


def seat_taken_page(session_id: str, code: str) -> tuple[str, int]:
    """Return the page with the seats, an error that the chosen one is taken, and its status."""
    return seats_page(session_id, code, str(MESSAGES[SeatTakenError.code])), PROBLEMS[
        SeatTakenError.code
    ].status


def seats_page(session_id: str, code: str, wrong: str = "") -> str:
    """Return the HTML page with all seats of a table or club and which of them are free."""
    place = find_destination(session_id)
    return render_template(
        "code/seats.html", code=code, there=place, names=place.names, free=list_free_players(place),
        wrong=wrong, here=own_key(session_id) is not None, level=requested_level(),
    )  # fmt: skip


def wrong_code_page(code: str) -> tuple[str, int]:
    """Return the form again with an error that the code does not exist, and status 404."""
    wrong = _("This code does not exist: it was mistyped, or has expired. Ask for another.")
    return code_form(code, wrong), 404


def code_form(code: str, wrong: str = "") -> str:
    """Return the form for a code, with the code that was typed."""
    return render_template("code/enter.html", code=code[:40], wrong=wrong, level=requested_level())


def normalize_code(typed: str) -> str:
    """Return a code as it is stored, from any way of typing it.

    >>> normalize_code(" K7m-2PX")
    'k7m2px'
    """
    return "".join(letter for letter in typed.lower() if letter.isalnum())


def is_code(code: str) -> bool:
    """Return whether a text is a possible code; other texts are not counted as guesses."""
    return len(code) == CODE_LENGTH and set(code) <= set(LETTERS)


def find_posted(code: str) -> str | None:
    """Return the id of the session that a posted code leads to, or None for a wrong code.

    Raises `RateLimitError` if too many wrong codes came from this address.
    """
    counters, begun = service().counters, code[:BEGINNING_LETTERS]
    often = is_code(code) and seconds_to_wait(POSTED, MAX_POSTED_PER_HOUR, SECONDS_PER_HOUR) > 0
    slowed = often and bool(
        counters.wait(POSTED_BEGINNING, begun, MAX_POSTED_PER_HOUR, SECONDS_PER_HOUR)
    )
    left = seconds_to_wait(PAUSED, 1, PAUSE_SECONDS) if slowed else 0
    if left:
        raise RateLimitError("too many wrong codes came from here, and with this beginning", left)
    session_id = find_session(code, POSTED, MAX_POSTED_PER_HOUR)
    if session_id is None and is_code(code):
        counters.hit(POSTED_BEGINNING, begun, MAX_POSTED_PER_HOUR, SECONDS_PER_HOUR)
        if slowed:
            count_wrong(PAUSED, 1, PAUSE_SECONDS)
        if often:
            raise RateLimitError("too many wrong codes came from here", PAUSE_SECONDS)
    return session_id


def has_fetched_too_many() -> bool:
    """Return whether too many wrong codes came from this address to look up another."""
    return seconds_to_wait(FETCHED, MAX_FETCHED_PER_HOUR, SECONDS_PER_HOUR) > 0


def find_session(code: str, kind: str, most: int) -> str | None:
    """Return the id of the table or club that a code leads to, else None.

    A wrong code is counted under `kind`, of which `most` are allowed in an hour.
    """
    session_id = service().access.find_code(code) if is_code(code) else None
    if session_id is None and is_code(code):
        count_wrong(kind, most, SECONDS_PER_HOUR)
    return session_id


def seconds_to_wait(kind: str, most: int, window: int) -> int:
    """Return the seconds until one more wrong code is allowed in each network of the client.

    ``most`` are allowed from one address in ``window`` seconds.
    """
    wait = service().counters.wait
    return max(wait(kind, network, limit, window) for network, limit in network_limits(most))


def count_wrong(kind: str, most: int, window: int) -> None:
    """Count a wrong code in each network of the client, up to `most` in `window` seconds."""
    for network, limit in network_limits(most):
        service().counters.hit(kind, network, limit, window)


def network_limits(most: int) -> Iterator[tuple[str, int]]:
    """Yield the networks of the client with their limits; ``most`` is the limit of an address."""
    networks = networks_of(client_address())
    for network, factor in zip(networks, NETWORK_FACTORS, strict=False):  # IPv4 has one
        yield network, factor * most


def list_free_players(place: Destination) -> list[str]:
    """Return the players of a table, or members of a club, whose seat has no valid key."""
    access = service().access
    now = access.clock()
    taken = {key.player for key in access.keys(place.id) if is_in_use(key, now)}
    return [player for player in place.names if player not in taken]


def is_mine(session_id: str, player: str) -> bool:
    """Return whether this phone has a seat already, as after a second tap.

    A second tap may be sent before the response to the first one brings the new cookie.
    """
    keys = own_key(session_id), service().access.held_key(next_secret(), session_id)
    return any(key is not None and key.player == player for key in keys)
