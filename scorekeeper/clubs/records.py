"""The records of a club: for each game with the same terms, and over all games."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scorekeeper.clubs.evening import PlayedMatch, read_terms
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.rankings import (
    Figure,
    compute_win_share,
    map_players_to_sides,
    to_number,
)
from scorekeeper.clubs.views import (
    CLUB_RECORDS,
    GAME_RECORDS,
    FigureSource,
    GameRecordsView,
    MemberNames,
    NamedMember,
    Names,
    RecordsView,
    RecordView,
    is_guest,
)


class Record(NamedTuple):
    """A figure that nobody has surpassed, and the members who reached it first.

    ``members`` are several if they reached it together; for a match they are all who sat in it.
    ``place`` is where it was reached, None for a sum over many evenings.
    """

    what: str
    figure: Figure
    members: tuple[str, ...]
    place: FigureSource | None = None


@dataclass(slots=True)
class GameRecords:
    """The records of one game on one set of terms."""

    game: str
    terms: str
    records: dict[str, Record] = field(default_factory=dict)
    runs: dict[str, int] = field(default_factory=dict)

    def offer(self, what: str, figure: Figure, members: Sequence[str], place: FigureSource) -> None:
        """Store a figure as a record if it surpasses the present one."""
        known = self.records.get(what)
        if members and (known is None or figure > known.figure):
            self.records[what] = Record(what, figure, tuple(members), place)

    def add(self, attended: AttendedEvening, match: PlayedMatch) -> None:
        """Add a match with hands; a guest sets no record."""
        sides = map_players_to_sides(match)
        members = {
            player: member
            for player, member in attended.member_of.items()
            if member is not None and player in sides
        }
        for hand in match.hands:
            place = FigureSource(attended.evening.session_id, match.number, hand.number, hand.seq)
            earned = {
                members[player]: hand.undoubled_score(player)
                for player in hand.scores
                if player in members
            }
            self._offer_best("highest_hand", earned, place)
        if match.winners:
            place = FigureSource(attended.evening.session_id, match.number)
            totals = {member: match.totals[sides[player]] for player, member in members.items()}
            self._offer_best("highest_match", totals, place)
            self.offer("longest_match", len(match.hands), list(members.values()), place)
            for player, member in members.items():
                self._extend_run(member, place, won=sides[player] in match.winners)

    def _offer_best(self, what: str, figures: Mapping[str, Figure], place: FigureSource) -> None:
        """Offer the highest figure as a record, with all members who reached it."""
        best = max(figures.values(), default=0)
        self.offer(what, best, [member for member in figures if figures[member] == best], place)

    def _extend_run(self, member: str, place: FigureSource, *, won: bool) -> None:
        """Count a won match in a member's run, and offer it as a record.

        A lost match ends the run.
        """
        self.runs[member] = self.runs.get(member, 0) + 1 if won else 0
        if self.runs[member] > 1:
            self.offer("longest_run", self.runs[member], [member], place)


def find_game_records(attended: Iterable[AttendedEvening]) -> list[GameRecords]:
    """Return the records of each game with the same terms, from evenings in the order of play."""
    records_by_terms: dict[tuple[str, str], GameRecords] = {}
    for attended_evening in attended:
        for match in attended_evening.evening.matches:
            if match.hands:
                key = match.game, match.terms
                records_by_terms.setdefault(key, GameRecords(*key)).add(attended_evening, match)
    return list(records_by_terms.values())


def find_club_records(attended: Iterable[AttendedEvening]) -> Iterator[Record]:
    """Yield the largest sums over all games: evenings, matches won, hands."""
    totals: dict[str, dict[str, Figure]] = {what: {} for what in CLUB_RECORDS}
    counted = set[tuple[str, str]]()  # members with tournaments that they played
    for attended_evening in attended:
        played = [
            (match, map_players_to_sides(match))
            for match in attended_evening.evening.matches
            if match.hands
        ]
        for player, member in attended_evening.member_of.items():
            sat_in = [(match, sides[player]) for match, sides in played if player in sides]
            if member is not None and sat_in:
                hands = sum([player in hand.scores for match, _ in sat_in for hand in match.hands])
                won: Figure = sum(
                    [
                        compute_win_share(match.winners)
                        for match, side in sat_in
                        if side in match.winners
                    ]
                )
                first = (member, attended_evening.id) not in counted
                if attended_evening.occasion:
                    counted.add((member, attended_evening.id))
                for what, figure in zip(CLUB_RECORDS, (int(first), won, hands), strict=True):
                    totals[what][member] = totals[what].get(member, 0) + figure
    for what, by_member in totals.items():
        most = max(by_member.values(), default=0)
        if most:
            yield Record(what, most, tuple(m for m, n in by_member.items() if n == most))


def without_guests(attended: AttendedEvening, names: Names) -> AttendedEvening:
    """Return an evening without the accounts of guests."""
    return attended._replace(
        member_of={
            player: None if member is None or is_guest(names, member) else member
            for player, member in attended.member_of.items()
        }
    )


def view_records(attended: Sequence[AttendedEvening], names: Names) -> RecordsView:
    """Return the records of these evenings, given in the order of play; a guest sets none."""
    if isinstance(names, MemberNames) and names.guests:
        attended = [without_guests(item, names) for item in attended]
    return RecordsView(
        games=[
            GameRecordsView(
                found.game,
                *read_terms(found.terms),
                [_view_record(found.records[what], names)
                 for what in GAME_RECORDS if what in found.records],
            )
            for found in find_game_records(attended)
        ],
        club=[_view_record(record, names) for record in find_club_records(attended)],
    )  # fmt: skip


def _view_record(record: Record, names: Names) -> RecordView:
    """Return a record with the names of its members."""
    members = [NamedMember.of(member, names) for member in record.members]
    return RecordView(record.what, to_number(record.figure), members, record.place)
