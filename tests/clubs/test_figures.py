"""Figures of evenings are computed only where something changed, with the same results."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.base.views import to_json_values
from scorekeeper.clubs import figures
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.events import RANKINGS, Ranking
from scorekeeper.clubs.figures import MAX_CACHED_SEASONS, SeasonCache, SeasonCaches
from scorekeeper.clubs.rankings import Ratings
from scorekeeper.clubs.season import Standings, compute_standings
from scorekeeper.clubs.standings import view_standings
from scorekeeper.log.writing import as_json, encode_view
from tests.clubs.founding import attended, evening, match, of_november
from tests.clubs.test_season import EVENINGS, UTC

NAMES = {"ada": "Ada", "bea": 'Bea "],"made_of":[]', "ciro": "Ciro", "dora": "Dòra"}


def table_with(by: str, evenings: list[PlayedEvening], counting: SeasonCache | None) -> Standings:
    return compute_standings(of_november(by), attended(evenings), UTC, (), counting)


def changed(chance: random.Random, evenings: list[PlayedEvening]) -> list[PlayedEvening]:
    """One evening corrected, left out, or more; in another order, which is that of no evening."""
    many = list(evenings)
    place = chance.randrange(len(many)) if many else 0
    what = chance.choice(["correct", "leave out", "one more", "open", "shuffle"])
    totals = [chance.randint(-9, 9) for _ in range(4)]
    if what == "one more" or not many:
        day = f"{chance.randint(1, 28):02}"
        many.append(evening(day, match(1, *totals), session_id=f"s{chance.randint(0, 10**9)}"))
    elif what == "leave out":
        del many[place]
    elif what == "correct":
        many[place] = many[place]._replace(matches=(match(1, *totals),))
    elif what == "open":
        many[place] = many[place]._replace(matches=(match(1, *totals, over=False),))
    else:
        chance.shuffle(many)
    return many


@pytest.mark.parametrize("by", RANKINGS)
@given(st.randoms(use_true_random=False))
def test_cached_results_change_no_figure(by: str, chance: random.Random) -> None:
    counting, evenings = SeasonCache(), list(EVENINGS)
    for _ in range(6):
        evenings = changed(chance, evenings)
        known, anew = table_with(by, evenings, counting), table_with(by, evenings, None)
        assert known == anew
        written = encode_view(view_standings(known, NAMES)).encode()
        view = view_standings(anew, NAMES)
        assert written == as_json(to_json_values(view)) == encode_view(view).encode()


@given(st.randoms(use_true_random=False))
def test_cached_results_change_nothing_after_another_ranking(chance: random.Random) -> None:
    counting, evenings = SeasonCache(), list(EVENINGS)
    for _ in range(4):
        evenings = changed(chance, evenings)
        by = chance.choice(RANKINGS)
        best = chance.choice([None, 1, 2]) if by != "rating" else None
        season = replace(of_november(by), ranking=Ranking(by, best=best))
        guest = chance.choice(["ada", "bea", "nobody"])
        values = [
            encode_view(
                view_standings(
                    compute_standings(season, attended(evenings, guest), UTC, (), cache), NAMES
                )
            )
            for cache in (counting, None)
        ]
        assert values[0] == values[1]


def test_only_new_evenings_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """And rated; what a correction moves is rated from there on."""
    done: Counter[str] = Counter()

    class Counted(Ratings):
        def rate(self, *match: Any) -> Any:
            done["rated"] += 1
            return super().rate(*match)

    monkeypatch.setattr(figures, "Ratings", Counted)
    counting = SeasonCache()

    def rated(evenings: list[PlayedEvening]) -> int:
        done.clear()
        table_with("rating", evenings, counting)
        return done["rated"]

    assert rated(EVENINGS) == 5  # matches
    assert rated(EVENINGS) == 0
    assert rated([*EVENINGS, evening("27", match(1, 1, 2, 3, 4))]) == 1
    first, second, third = EVENINGS
    assert rated([first, second._replace(matches=(match(1, 3, -3, 3, -3),)), third]) == 3
    noted = first._replace(head="noted", events=61)  # something was recorded that pays nothing
    assert rated([noted, second._replace(matches=(match(1, 3, -3, 3, -3),)), third]) == 0


def test_only_the_latest_seasons_are_cached() -> None:
    caches = SeasonCaches()
    for number in range(MAX_CACHED_SEASONS + 1):
        table_with("points", EVENINGS, caches.get_cache(f"s{number}", "now"))
    assert caches.weight == MAX_CACHED_SEASONS * len(EVENINGS)
    assert caches.get_cache("s0", "now").weight == 0
    assert caches.get_cache(f"s{MAX_CACHED_SEASONS}", "now").weight == len(EVENINGS)
