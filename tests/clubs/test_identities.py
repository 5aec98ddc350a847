"""The members of a club that the players of an evening are."""

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.clubs.club import Club
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.evening_collection import EveningCollection
from scorekeeper.clubs.identities import PlayerIdentities, identify_players
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.values import normalize_name
from tests.clubs.founding import Said, club, entry, evening, joined, match

ADA = joined("ada")
PAIR = [*ADA, *joined("bea")]


def snapshot(circolo: Club, *evenings: PlayedEvening) -> ClubSnapshot:
    return ClubSnapshot(
        circolo.state,
        circolo.events,
        circolo.head,
        {evening_.session_id: evening_ for evening_ in evenings},
    )


def played(**names: str) -> PlayedEvening:
    return evening("06", match(1, *range(len(names)), players=" ".join(names)))._replace(
        names=names
    )


def test_the_same_name_is_the_member_and_others_join() -> None:
    identities = identify_players(snapshot(club(*ADA)), {"a": "ADA ", "ciro": "Ciro"})
    assert identities == PlayerIdentities({"a": "ada", "ciro": "ciro"}, {"ciro": "Ciro"})


def test_same_id_with_another_name_is_another_person() -> None:
    identities = identify_players(snapshot(club(*ADA)), {"ada": "Adele"})
    assert identities == PlayerIdentities({"ada": "ada-2"}, {"ada-2": "Adele"})


def test_players_with_the_same_name_get_different_members() -> None:
    circolo = club(*ADA)
    identities = identify_players(snapshot(circolo), {"ada": "Ada", "ada2": "Ada"})
    assert identities == PlayerIdentities({"ada": "ada", "ada2": "ada2"}, {"ada2": "Ada (ada2)"})


def test_player_of_an_earlier_evening_is_the_member_entered_then() -> None:
    entering: Said = ("evening_entered", {"session": "evening06", "players": {"a": "ada"}})
    circolo = club(*PAIR, entering, ("member_renamed", {"member": "ada", "name": "Zora"}))
    known = snapshot(circolo, played(a="Ada"))
    assert identify_players(known, {"a": "ada"}) == PlayerIdentities({"a": "ada"})
    circolo.add(entry(6, ("members_merged", {"member": "ada", "into": "bea"})))
    assert identify_players(known, {"a": "ada"}) == PlayerIdentities({"a": "bea"})
    assert identify_players(known, {"ada": "Ada"}) == PlayerIdentities(
        {"ada": "ada-2"}, {"ada-2": "Ada"}
    )


def test_two_players_are_never_one_member() -> None:
    entering: Said = ("evening_entered", {"session": "evening06", "players": {"a": "ada"}})
    known = snapshot(club(*PAIR, entering), played(a="Ada"))
    identities = identify_players(known, {"a": "Ada", "ada": "Ada"})
    assert identities == PlayerIdentities({"a": "ada", "ada": "ada-2"}, {"ada-2": "Ada (ada-2)"})


SOME_IDS = st.sampled_from(["a", "a-2", "b", "x" * 32])
SOME_NAMES = st.sampled_from(["Ada", "ada", "Ada (a-2)", "Bea", "N" * 60])


@given(st.lists(st.dictionaries(SOME_IDS, SOME_NAMES, min_size=1), max_size=4))
def test_any_sequence_of_evenings_can_be_entered(evenings: list[dict[str, str]]) -> None:
    """Names may be any; a player who comes again with the same id and name is no new member."""
    circolo, there = club(), list[PlayedEvening]()
    for number, names in enumerate(evenings):
        for again in (False, True):
            identities = identify_players(snapshot(circolo, *there), names)
            assert not (again and identities.new_members)
            for id_, name in identities.new_members.items():
                circolo.add(entry(circolo.events + 1, ("member_joined", {"id": id_, "name": name})))
            session_id = f"e{number}{again}"
            entering = ("evening_entered", {"session": session_id, "players": identities.players})
            circolo.add(entry(circolo.events + 1, entering))
            there.append(played(**names)._replace(session_id=session_id))
    members = [normalize_name(member.name) for member in circolo.state.members.values()]
    assert len(set(members)) == len(members)


@given(st.lists(st.dictionaries(SOME_IDS, SOME_NAMES, min_size=1), max_size=4))
def test_logs_alone_have_the_persons_of_a_club(evenings: list[dict[str, str]]) -> None:
    """The command ``season`` lists the same people as a club that is opened from the logs."""
    circolo, there, collection = club(), list[PlayedEvening](), EveningCollection()
    expected = []
    for number, names in enumerate(evenings):
        identities = identify_players(snapshot(circolo, *there), names)
        for id_, name in identities.new_members.items():
            circolo.add(entry(circolo.events + 1, ("member_joined", {"id": id_, "name": name})))
        one = played(**names)._replace(session_id=f"evening{number:02}", first=f"{number}")
        entering = {"session": one.session_id, "players": identities.players}
        circolo.add(entry(circolo.events + 1, ("evening_entered", entering)))
        there.append(one)
        collection.add(one)
        expected.append(identities.players)
    assert [attended.member_of for attended in collection.list_attended()] == expected
    members = {member.id: member.name for member in circolo.state.members.values()}
    assert collection.names == members
