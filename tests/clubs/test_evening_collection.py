"""Evenings from logs alone: players are identified, and duplicate logs are left out."""

from scorekeeper.clubs.evening_collection import DuplicateLog, EveningCollection
from tests.clubs.founding import evening, match

ONE = evening("06", match(1, 2, 1, players="ada leo"))


def test_the_same_name_is_one_person_whatever_the_id() -> None:
    collection = EveningCollection()
    collection.add(ONE)
    collection.add(evening("07", match(1, 2, 1, players="x leo"))._replace(
        names={"x": "ada", "leo": "Leo"}))  # fmt: skip
    one, other = (dict(evening_.member_of) for evening_ in collection.list_attended())
    assert one == {"ada": "ada", "leo": "leo"}
    assert other == {"x": "ada", "leo": "leo"}
    assert list(collection.find_lookalikes()) == []


def test_two_players_of_one_evening_are_two_persons() -> None:
    collection = EveningCollection()
    for day in ("06", "07"):
        collection.add(evening(day, match(1, 2, 1, players="ada leo"))._replace(
            names={"ada": "Leo", "leo": "Leo"}))  # fmt: skip
    one, other = (dict(evening_.member_of) for evening_ in collection.list_attended())
    assert one == other == {"ada": "ada", "leo": "leo"}


def test_another_name_under_the_same_id_is_another_person() -> None:
    collection = EveningCollection()
    collection.add(ONE)
    collection.add(evening("07", match(1, 2, 1, players="ada leo"))._replace(
        names={"ada": " ADA", "leo": "Leone"}))  # fmt: skip
    member_of = [dict(evening_.member_of) for evening_ in collection.list_attended()]
    assert member_of[0]["ada"] == member_of[1]["ada"]
    assert (member_of[0]["leo"], member_of[1]["leo"]) == ("leo", "leo-2")
    assert sorted(collection.names.values()) == ["Ada", "Leo", "Leone"]


def test_players_with_the_same_name_are_distinguished_by_id() -> None:
    collection = EveningCollection()
    collection.add(ONE._replace(names={"ada": "Leo", "leo": "Leo"}))
    list(collection.list_attended())
    assert sorted(collection.names.values()) == ["Leo", "Leo (leo)"]


def test_possible_duplicates_of_a_person_are_listed() -> None:
    collection = EveningCollection()
    collection.add(ONE)
    collection.add(evening("07", match(1, 2, 1, players="ada leo-2"))._replace(
        names={"ada": "Ada", "leo-2": " LEO"}))  # fmt: skip
    collection.add(evening("08", match(1, 2, 1, players="ada leo"))._replace(
        names={"ada": "Adina", "leo": "Leo"}))  # fmt: skip
    list(collection.list_attended())
    assert list(collection.find_lookalikes()) == [
        ("Ada (ada)", "Adina (ada)"),
    ]
    assert sorted(collection.names.values()) == ["Ada", "Adina", "Leo"]


def test_of_two_logs_of_one_evening_the_longer_counts() -> None:
    collection = EveningCollection()
    longer = ONE._replace(session_id="later", events=90)
    for log in (ONE, longer):
        collection.add(log)
    assert [evening_.evening.session_id for evening_ in collection.list_attended()] == ["later"]
    assert collection.duplicates == [DuplicateLog("evening06", "later")]
