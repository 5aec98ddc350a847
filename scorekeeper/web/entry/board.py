"""The content of a table page: the scores, the current hand, and the next steps."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import MatchStarted
from scorekeeper.events.corrections import CORRECTIONS
from scorekeeper.events.playing import CardPlayed
from scorekeeper.play.match_members import GameOfMatchView, read_games
from scorekeeper.play.scoring import add_up
from scorekeeper.report.next_events import AWAITING, NextEvents
from scorekeeper.report.report import is_confirmed_by_all
from scorekeeper.report.sheet import find_counted_unit
from scorekeeper.service import Holder
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.entry.board_parts import Board, Side
from scorekeeper.web.entry.handover import build_outcome, end_to_accept
from scorekeeper.web.entry.hands_so_far import hands_so_far
from scorekeeper.web.entry.history import describe_undo
from scorekeeper.web.entry.late_entries import late_steps
from scorekeeper.web.entry.moment import Moment, build_moment, scene_of
from scorekeeper.web.entry.steps import (
    Step,
    Steps,
    build_step,
    build_steps,
    turned_steps,
)
from scorekeeper.web.entry.to_do import list_tasks
from scorekeeper.web.forms.outcomes import last_with_result, list_outcomes
from scorekeeper.web.forms.scene import fit_label, marks_of, names_at, side_label, voice_at
from scorekeeper.web.forms.stopping import describe_open_match
from scorekeeper.web.frame.form_keys import new_key
from scorekeeper.web.frame.ring import sides_starting_with, starting_with
from scorekeeper.web.review.paid import stake_of

BETWEEN: Final = ("next", "over", "closed")  # states in which the last hand is shown
CORRECT: Final = {declared.TYPE for declared in CORRECTIONS}


def build_board(
    session: Session,
    holder: Holder,
    moment: Moment | None = None,
    *,
    watching: bool = False,
    key: str = "",
) -> Board:
    """Return the content of a table page for a viewer.

    `moment` is what all viewers share, by default computed here. `watching` adds the hands so far.
    `key` is the form key, by default a new one.
    """
    record, coming = session.structure, NextEvents(session)
    match = coming.match if coming.state != "closed" else last_with_result(session)
    known: dict[str, Any] = {
        "title": record.opened.title if record.opened else "",
        "version": session.events,
        "head": session.head,
        "recorded_at": session.corrections.recorded[session.events].at if session.events else "",
        "role": holder.role,
        "me": holder.player,
        "only_signs": holder.only_signs,
        "names": names_at(session),
        "key": key or new_key(),
    }
    if match is None:
        again = _rematch_step(coming) if coming.state == "none" else None
        back = describe_undo(session, coming.match, holder)
        return Board(**known, state=coming.state, again=again, undo=back)
    moment = moment or build_moment(session, None)
    return Board(
        **known,
        state=coming.state,
        **_match_fields(match, known["names"], holder.player),
        **_hand_fields(coming, match, holder),
        **_viewer_fields(coming, match, moment, holder),
        strip=moment.strip,
        level=moment.level,
        again=_rematch_step(coming) if coming.state == "over" else None,
        stake=stake_of(match) if coming.state in ("first", "over") else "",
        undo=describe_undo(session, coming.match, holder),
        outcomes=list_outcomes(session) if coming.state == "closed" else (),
        stop=describe_open_match(coming) if holder.role == "host" else None,
        hands_so_far=hands_so_far(session, match, holder.player)
        if watching or coming.state in ("over", "closed")
        else None,
    )


# ---------------------------------------------------------------------------------- the match


def _match_fields(match: MatchRecord, names: Mapping[str, str], me: str | None) -> JsonObject:
    """Return the fields of `Board` about the match: sides, totals, goal, seats and marks."""
    games = read_games(match.game.describe_match(match.standing())) or ()
    return {
        "match": match.number,
        "game": match.game,
        "pack": match.pack,
        "seats": starting_with(match.seats, me),
        "sides": tuple(_sides(match, games, names, me)),
        "counts": find_counted_unit(match),
        "target": games[-1].target if games else None,
        "game_now": match.game.called.get(games[-1].name, "") if len(games) > 1 else "",
        "goal": match.game.goal(match.options),
        "marks": marks_of({player: names[player] for player in match.seats}),
        "parties": _place_of_side_by_player(match, me),
    }


def _place_of_side_by_player(match: MatchRecord, me: str | None) -> dict[str, int]:
    """Return the place of each player's side, the side of `me` first; empty without partners."""
    if len(match.sides) == len(match.seats):
        return {}
    order = enumerate(sides_starting_with(match.sides, me))
    return {player: place for place, side in order for player in match.sides[side]}


def _sides(
    match: MatchRecord, games: Sequence[GameOfMatchView], names: Mapping[str, str], me: str | None
) -> Iterator[Side]:
    """Yield the sides with their scores; with several games, those of the current game."""
    standing = match.standing()
    last = match.last_complete()
    points = add_up(last.deal.result.lines, match.sides) if last else {}
    winners = match.list_winners()
    now = games[-1].scores if games else standing.totals
    for side in sides_starting_with(match.sides, me):
        yield Side(
            side,
            side_label(side, names, match),
            fit_label(side, names, match),
            now[side],
            points.get(side) if last else None,
            side in winners,
            int(standing.totals[side]) if games else None,
            len(match.sides[side]),
        )


# ----------------------------------------------------------------------------------- the hand


def _hand_fields(coming: NextEvents, match: MatchRecord, holder: Holder) -> JsonObject:
    """Return the fields of `Board` about the current or next hand, and the result of the last."""
    session, state, hand = coming.session, coming.state, coming.hand
    begins = coming.dealer_due or "" if state == "next" else ""
    number = len(match.hands) + (state in ("first", "next", "again"))
    open_hand = hand is not None and state in ("open", "wrong", AWAITING)
    dealer = begins or (hand.dealer if hand and open_hand else "")
    last = match.last_complete()
    shown = last if state in BETWEEN else None
    return {
        "hand": number,
        "begins": begins,
        "dealer": dealer,
        "dealer_sits_out": bool(dealer) and dealer not in match.seating_of(dealer).table.players,
        "last": last.number if last else 0,
        "outcome": build_outcome(session, shown, holder) if shown else None,
        "to_accept": end_to_accept(session, hand, holder),
        "to_do": list_tasks(session, holder.player, shown),
    }


# --------------------------------------------------------------------------- what can be done


def _viewer_fields(
    coming: NextEvents, match: MatchRecord, moment: Moment, holder: Holder
) -> JsonObject:
    """Return the fields of `Board` with the steps of a viewer.

    Their own seat and card come first.
    """
    me = holder.player
    late = {} if coming.state == "closed" else _late_fields(coming, match, holder)
    own_steps = _own_card_first(moment.steps.turned(me), me)
    if moment.totals:
        own_steps = Steps((), (*own_steps.open, *own_steps.also))
    dealing = turned_steps(moment.dealing, me)
    return {
        **late,
        "steps": own_steps,
        "totals": tuple(question.turned(me) for question in moment.totals),
        "next_up": _preselected_player(own_steps.open[0]) if own_steps.open else "",
        "rest": (*late.get("rest", ()), *dealing),
    }


def _own_card_first(board_steps: Steps, me: str | None) -> Steps:
    """Return the steps with the viewer's own card first, when it is their turn.

    What they are asked before it, such as their exchange, stays first; but not a bid, since the
    table may record no more of an auction.
    """
    if me is None or any(
        _preselected_player(step) == me and not step.in_turn for step in board_steps.open[:1]
    ):
        return board_steps
    mine = [
        step
        for step in board_steps.open
        if step.type == CardPlayed.TYPE and _preselected_player(step) == me
    ]
    return Steps(
        (*mine, *(step for step in board_steps.open if step not in mine)), board_steps.also
    )


def _preselected_player(step: Step) -> str:
    """Return the player whose turn it is in a step; empty if the step is not for one player."""
    return next((value.player for slot in step.slots for value in slot.values if value.chosen), "")


def _late_fields(coming: NextEvents, match: MatchRecord, holder: Holder) -> JsonObject:
    """Return the fields of `Board` with the steps for a complete hand.

    These are hidden facts and its claim. Once every side has confirmed the hand, hidden facts need
    a correction. If a hand was recorded card by card, the events that its game asks for at the end
    are still missing.
    """
    hand = coming.hand
    if hand is None or coming.hand_state != "complete":
        return {}
    scene, voice = scene_of(coming.session, match, hand.deal), voice_at(coming.session, match)
    settled = is_confirmed_by_all(coming.session, hand)
    late_forms = late_steps(hand, scene, corrects=holder.role == "host")
    hidden = [form for form in late_forms if not settled or form.type in CORRECT]
    asked = _all_steps(build_steps(coming.prompt_late(), scene, voice))
    return {
        "late": turned_steps((*asked, *hidden), holder.player),
        "late_due": bool(asked) and hand.deal.all_cards,
        "rest": turned_steps(
            _all_steps(build_steps(coming.prompt_claim(), scene, voice)), holder.player
        ),
    }


def _all_steps(both: Steps) -> tuple[Step, ...]:
    """Return all steps, those shown at once first."""
    return (*both.open, *both.also)


def _rematch_step(coming: NextEvents) -> Step | None:
    """Return the step that starts another match; None if no match can start."""
    starts, session = list(coming.prompt_matches()), coming.session
    if not starts:
        return None
    scene = scene_of(session, None, None)
    return build_step(MatchStarted, starts, scene, voice_at(session, None))
