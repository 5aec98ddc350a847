"""Evenings from logs alone: who is who, and which logs tell of the same evening."""

from scorekeeper.clubs.gathering import Gathering, TwinLog
from tests.clubs.founding import evening, match

ONE = evening("06", match(1, 2, 1, players="ada leo"))


def test_the_same_id_and_the_same_name_are_one_person() -> None:
    gathering = Gathering()
    gathering.add(ONE)
    gathering.add(evening("07", match(1, 2, 1, players="ada leo"))._replace(
        names={"ada": " ADA", "leo": "Leone"}))  # fmt: skip
    whose = [dict(one.whose) for one in gathering.attended()]
    assert whose[0]["ada"] == whose[1]["ada"]
    assert whose[0]["leo"] != whose[1]["leo"]
    assert sorted(gathering.told_apart().values()) == ["Ada", "Leo", "Leone"]


def test_who_bears_the_same_name_is_told_apart_by_his_id() -> None:
    gathering = Gathering()
    gathering.add(ONE._replace(names={"ada": "Leo", "leo": "Leo"}))
    list(gathering.attended())
    assert sorted(gathering.told_apart().values()) == ["Leo (ada)", "Leo (leo)"]


def test_who_may_be_one_person_is_named() -> None:
    gathering = Gathering()
    gathering.add(ONE)
    gathering.add(evening("07", match(1, 2, 1, players="ada leo-2"))._replace(
        names={"ada": "Ada", "leo-2": " LEO"}))  # fmt: skip
    gathering.add(evening("08", match(1, 2, 1, players="ada leo"))._replace(
        names={"ada": "Adina", "leo": "Leo"}))  # fmt: skip
    list(gathering.attended())
    assert list(gathering.alike()) == [("Leo (leo)", " LEO (leo-2)"), ("Ada (ada)", "Adina (ada)")]
    assert sorted(gathering.told_apart().values()) == [" LEO (leo-2)", "Ada", "Adina", "Leo (leo)"]


def test_of_two_logs_of_one_evening_the_longer_counts() -> None:
    gathering = Gathering()
    longer = ONE._replace(session_id="later", events=90)
    for one in (ONE, longer):
        gathering.add(one)
    assert [one.evening.session_id for one in gathering.attended()] == ["later"]
    assert gathering.twins == [TwinLog("evening06", "later")]
