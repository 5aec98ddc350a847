"""A hand of each game is recorded and heard with a screen reader alone: no selector is used."""

import itertools
import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.hands import DICE, GAMES, played, recorded_events
from tests.browser.listening import DISCLOSURE, SECONDS, Listener, Node
from tests.browser.phones import NAMES, Evening, phone
from tests.conftest import SOAK
from tests.operation.serving import Server
from tests.players.common import Event

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

Data = Mapping[str, Any]
FRENCH: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
ITALIAN: Final = {"S": "swords", "C": "cups", "D": "coins", "B": "batons"}
RANKS: Final = {"A": "ace", "K": "king", "Q": "queen", "N": "knight", "J": "jack"}
SIDES: Final = {
    "A": "Mara & Zoe", "B": "Leo & Ben", "bidder": "Bidder’s party", "defenders": "Defenders",
    **NAMES,
}  # fmt: skip
SIGNS: Final = re.compile(r"[♠♥♦♣&×·✓★\u2212+/]|(?<![\w])-\d")


def card(code: str) -> str:
    return f"{RANKS.get(code[:-1], code[:-1])} of {ITALIAN[code[-1]]}"


def rank(code: str) -> str:
    return RANKS.get(code, code)


# What is asked about an event, and its answers: a group and a name, or the name of a field and a
# number. The last number of a count follows from the others, or is typed as well.
Answer = tuple[str | None, str] | tuple[str, int]


def count(data: Mapping[str, int]) -> list[Answer]:
    return [(SIDES[side], points) for side, points in data.items()]


QUESTIONS: Final[Mapping[str, tuple[str, Callable[[Data], list[Answer]]]]] = {
    "bid_made": ("Bid", lambda d: [
        ("Who?", NAMES[d["player"]]),
        ("A number", d["points"]) if "points" in d
        else ("A number", d["bid"]) if isinstance(d["bid"], int) else ("Bid", rank(d["bid"]))]),
    "hierarchy_declared": ("Hierarchy, strongest first", lambda d: [
        ("Who?", NAMES[d["player"]]),
        *zip(("Strongest", "Second", "Third"), (FRENCH[s] for s in d["suits"]), strict=False)]),
    "bris_called": ("Bris", lambda d: [
        ("Who?", NAMES[d["player"]]), ("Suit", ITALIAN[d["suit"]])]),
    "trick_taken": ("Who took the trick?", lambda d: [(None, NAMES[d["player"]])]),
    "partner_revealed": ("Who is the partner?", lambda d: [(None, NAMES[d["player"]])]),
    "card_called": ("", lambda d: [(None, card(d["card"]))]),
    "points_counted": ("Count the points", lambda d: count(d["points"])),
    "shown": ("", lambda d: [("Who?", NAMES[d["player"]]), (None, shown(d))]),
    "tricks_counted": ("Count the tricks", lambda d: [
        *count(d["tricks"]), ("Last trick to", NAMES[d["last"]])]),
}  # fmt: skip

# Where one answer is for several questions, except in the form of totals.
AT_ONCE: Final[Mapping[str, Callable[[Data], list[Answer]]]] = {
    "bris_called": lambda d: [(NAMES[d["player"]], ITALIAN[d["suit"]])],
}


def shown(data: Data) -> str:
    """Return the answer about a point, sequence or set."""
    if data["category"] == "point":
        return str(data["count"])
    if data["category"] == "sequence":
        return f"{data['length']} to the {rank(data['high'])}"
    return f"{data['count']} {rank(data['rank'])}s"


# What is heard of an event.
HEARD: Final[Mapping[str, Callable[[Data], str]]] = {
    "bid_made": lambda d: f"{NAMES[d['player']]} bid {d.get('points', rank(str(d.get('bid'))))}.",
    "hierarchy_declared": lambda d: (
        f"{NAMES[d['player']]} declared the hierarchy {', '.join(FRENCH[s] for s in d['suits'])}."),
    "bris_called": lambda d: f"{NAMES[d['player']]} called Bris in {ITALIAN[d['suit']]}.",
    "trick_taken": lambda d: f"{NAMES[d['player']]} took trick {{trick}}.",
    "partner_revealed": lambda d: f"{NAMES[d['player']]} ",  # plays alone, or is the partner
    "card_called": lambda d: f"{NAMES[d['player']]} called {card(d['card'])}.",
    "points_counted": lambda d: "Points counted: ",
    "shown": lambda d: f"{NAMES[d['player']]} showed a {d['category']} of ",
    "tricks_counted": lambda d: "Tricks counted: ",
}  # fmt: skip


TITLES: Final = {"briscola_chiamata": "Which card is called?", "briscola_col_monte": "The call"}


class Player(Listener):
    """A player who records by ear."""

    def title_of(self, event: Event) -> str:
        """Return the heading of the question about an event."""
        if event["type"] == "card_called":
            return TITLES[game_of(self)]
        if event["type"] == "shown":
            return f"{event['data']['category'].capitalize()} shown"
        return QUESTIONS[event["type"]][0]

    def record(self, event: Event) -> None:
        """Answer the question about an event."""
        title, (_, answers) = self.title_of(event), QUESTIONS[event["type"]]
        if self.page.locator("form.whole").count() == 0:
            answers = AT_ONCE.get(event["type"], answers)
        for place, name in answers(event["data"]):
            if isinstance(name, int):
                self.type(title, str(place), name)
            else:
                self.answer(title, place, name)

    def finish(self, title: str) -> None:
        """Press the button of a question."""
        buttons = self.question(title).all("button")
        self.press(next(one for one in buttons if one.name in ("Save", "Record")))

    def record_and_hear(self, event: Event) -> str:
        """Answer the question about an event; return what is then heard."""
        before = self.said()
        self.record(event)
        late = time.monotonic() + SECONDS / 3
        while self.said() == before and time.monotonic() < late:
            self.page.wait_for_timeout(20)
        if self.said() == before:  # it is not sent with its last answer
            self.finish(self.title_of(event))
        return self.hear(before)

    def ask_for_the_score(self) -> str:
        """Press the button that says the score."""
        tree, before = self.tree(), self.said()
        view = tree.first(DISCLOSURE, "View")
        if not view.facts.get("expanded"):
            self.press(view)
        self.press(self.tree().first("button", "Say the score"))
        return self.hear(before)


def order(tree: Node) -> dict[int, int]:
    """Return the place of each element in the order of reading."""
    return {node.backend: place for place, node in enumerate(tree.all())}


def next_question(tree: Node) -> Node:
    """Return the first question of the pad, or the next step between two hands."""
    record = next(tree.all("region", "Record"), None)
    heading = next(
        (one for one in (record or tree).all("heading") if one.facts["level"] == 3), None
    )
    return heading.section if heading else tree.first(DISCLOSURE, "Next hand")


def assert_focus_is_at_or_before_the_next_question(player: Player) -> None:
    tree, focused = player.tree(), player.focused()
    assert focused is not None
    assert focused.role != "RootWebArea", tree
    question = next_question(tree)
    last = max([question, *question.all()], key=lambda one: order(tree).get(one.backend, 0))
    assert order(tree)[focused.backend] <= order(tree)[last.backend], (str(focused), str(question))


def scores_in(words: str) -> dict[str, int]:
    """Return the numbers that are heard as the score."""
    found = re.search(r"(?:The score|Hands won): (.*?)(?:, of \d+)?\.", words)
    assert found, words
    pairs = (part.rsplit(" ", 1) for part in found[1].replace("minus ", "-").split(", "))
    return {name: int(points) for name, points in pairs}


def game_of(player: Player) -> str:
    return str(player.phone.evening.get()["matches"][-1]["game"])


def totals(evening: Evening) -> dict[str, int]:
    """Return the score of each side in the report, by the name that is heard."""
    match = evening.get()["matches"][-1]
    now = match["games"][-1]["scores"] if "games" in match else match["totals"]
    return {SIDES.get(side, side).replace(" & ", " and "): points for side, points in now.items()}


@pytest.fixture
def player(request: pytest.FixtureRequest, server: Server, browser: "Browser") -> Iterator[Player]:
    """Return a host who listens at a table with a hand that is dealt."""
    game: str = request.param
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    evening.record(("hand_started", {"dealer": played(game, DICE[game]).dealer}))
    with phone(browser, evening, "host") as host:
        host.open()
        yield Player(host)


ALWAYS: Final = (("riparto", "tricks"), ("picchetto", "tricks"))


def hands() -> Iterator[Any]:
    """Parametrize every game at totals and at tricks; most of them in the soak."""
    for game, level in itertools.product(GAMES, ("totals", "tricks")):
        marks = [] if (game, level) in ALWAYS or SOAK else [pytest.mark.soak]
        yield pytest.param(game, level, marks=marks, id=f"{game}-{level}")


@pytest.mark.parametrize(("player", "level"), list(hands()), indirect=["player"])
def test_whole_hand_is_recorded_and_heard(player: Player, level: str) -> None:
    player.phone.open(f"?level={level}")
    events = recorded_events(game_of(player), level, DICE[game_of(player)])
    tricks = itertools.count(1)
    if level == "totals":
        for event in events:
            player.record(event)
        before = player.said()
        player.press(player.tree().first("button", "Save the hand"))
        heard = player.hear(before)
        for event in events:
            assert HEARD[event["type"]](event["data"]) in heard
    else:
        for event in events:
            heard = player.record_and_hear(event)
            expected = HEARD[event["type"]](event["data"])
            if event["type"] == "trick_taken":
                expected = expected.format(trick=next(tricks))
            assert heard.startswith(expected) or event["type"] == "partner_revealed"
            assert "Entered by" not in heard  # by this phone
            assert_focus_is_at_or_before_the_next_question(player)
    assert not any(SIGNS.search(words) for words in player.heard), player.heard
    assert scores_in(player.heard[-1]) == totals(player.phone.evening)
    assert scores_in(player.ask_for_the_score()) == totals(player.phone.evening)


# ------------------------------------------------------------------------------- the others


@pytest.mark.parametrize("player", GAMES, indirect=True)
def test_keys_are_named_by_the_number_that_they_type_into(player: Player) -> None:
    player.phone.open("?level=totals")
    fields = [one.name for one in player.tree().all("textbox")]
    for name in fields:
        player.focus(player.tree().first("textbox", name))
        keys = [one for one in player.tree().all("group", name) if any(one.all("button"))]
        assert [one.name for one in keys] == [name]
        assert all(key.name for key in keys[0].all("button"))


@pytest.mark.parametrize("player", ["briscola_regina"], indirect=True)
def test_folded_forms_are_questions_and_the_winner_of_a_hand_is_named(player: Player) -> None:
    events = recorded_events("briscola_regina", "totals", DICE["briscola_regina"])
    player.phone.evening.record(*((event["type"], event["data"]) for event in events))
    player.phone.open()
    [won] = [one for one in player.tree().all("rowheader") if "won the hand" in one.text]
    assert won.text.split()[0] in NAMES.values()
    player.press(player.tree().first(DISCLOSURE, "More"))
    for title in ("Note", "Penalty"):
        player.press(player.tree().first(DISCLOSURE, title))
        assert player.tree().first("heading", title).facts["level"] == 3


TRICK: Final = {"player": "mara"}
# A device with two voices: one that needs the network, and one of its own for some languages.
VOICES: Final = """
window.spoken = [];
window.cancelled = 0;
const voices = [
  { name: "far", lang: "LANG", localService: false, default: true },
  { name: "own", lang: "OWN", localService: true, default: false },
];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => voices, addEventListener() {}, cancel() { window.cancelled += 1; },
  speak: (said) => window.spoken.push([said.text, said.voice.name, said.lang]),
} });
"""


@pytest.fixture
def evening(server: Server) -> Evening:
    """Return a table of Riparto at which the tricks begin."""
    evening = Evening.begin(server, "riparto", 4)
    evening.record(
        ("hand_started", {"dealer": "leo"}),
        ("bid_made", {"player": "leo", "points": 5}),
        ("hierarchy_declared", {"player": "leo", "suits": ["C", "H", "S", "D"]}),
    )
    return evening


@pytest.mark.parametrize("query", ["", "?view=watch"])
def test_entry_of_another_phone_is_heard_once_and_leaves_the_focus(
    evening: Evening, browser: "Browser", query: str
) -> None:
    with phone(browser, evening, "mara") as other:
        other.open(query)
        mara = Listener(other)
        link = mara.tree().first("link", "Results")
        mara.focus(link)
        before = mara.said()
        evening.record(("trick_taken", TRICK), by="leo")
        assert mara.hear(before) == "Leo: Mara took trick 1."
        focused = mara.focused()
        assert focused is not None
        assert focused.name == "Results"
        evening.record(("trick_taken", TRICK), by="host")
        assert mara.hear("Leo: Mara took trick 1.") == "Host: Mara took trick 2."


def test_refused_entry_is_an_alert_with_the_focus(evening: Evening, browser: "Browser") -> None:
    with phone(browser, evening, "host") as host:
        host.open("?level=tricks")
        player = Player(host)
        host.hide()
        evening.record(("trick_taken", TRICK), by="leo")
        player.answer("Who took the trick?", None, "Mara")
        host.page.get_by_role("alert").wait_for()
        assert "Somebody was quicker" in player.tree().first("alert").text
        focused = player.focused()
        assert focused is not None
        assert focused.role == "alert"
        assert player.said() == ""  # or it would be heard twice


def test_without_scripts_the_link_to_the_content_leads_to_the_question(
    evening: Evening, browser: "Browser"
) -> None:
    with phone(browser, evening, "host") as host:
        host.tools().send("Emulation.setScriptExecutionDisabled", {"value": True})
        host.open("?level=tricks")
        player = Listener(host)
        player.press(player.tree().first("link", "Skip to the content"))
        host.page.keyboard.press("Tab")
        focused = player.focused()
        assert focused is not None
        question = next_question(player.tree())
        assert focused.backend in {one.backend for one in question.all()}, question


@pytest.mark.parametrize(
    ("language", "own", "heard"),
    [
        pytest.param("en", "en_GB", "Leo: Mara took trick 1.", marks=pytest.mark.soak),
        pytest.param("it", "it-IT", "Leo: Mara ha fatto la presa 1.", marks=pytest.mark.soak),
        ("fr", "fr-CA", "Leo : Mara a fait la levée 1."),
        ("fr", "en-US", ""),
    ],
)
def test_entries_are_spoken_by_a_voice_of_the_device(
    evening: Evening, browser: "Browser", language: str, own: str, heard: str
) -> None:
    with phone(browser, evening, "mara", new=True) as other:
        other.context.add_init_script(VOICES.replace("LANG", language).replace("OWN", own))
        other.page.goto("/prefs")
        other.page.get_by_role("radio", name="Off").last.focus()
        form = {"lang": language, "speech": "yes"}
        other.context.add_cookies(
            [
                {
                    "name": "prefs",
                    "value": "&".join(f"{name}={value}" for name, value in form.items()),
                    "url": evening.server.origin,
                }
            ]
        )
        other.page.goto("/prefs")
        other.page.wait_for_timeout(1600)
        text = other.page.get_by_role("main").inner_text()
        assert ("pas de voix" in text) == (not heard)
        other.open("?view=watch")
        mara = Listener(other)
        evening.record(("trick_taken", TRICK), by="leo")
        words = mara.hear("")
        spoken = other.page.evaluate("() => window.spoken")
        assert spoken == ([[heard.replace(" :", "\u00a0:"), "own", own]] if heard else [])
        if heard:
            assert words == spoken[0][0].replace("\u00a0", " ")
            assert other.page.evaluate("() => window.cancelled") == 1  # what was spoken before


def test_nothing_is_spoken_unless_switched_on(evening: Evening, browser: "Browser") -> None:
    with phone(browser, evening, "mara", new=True) as other:
        other.context.add_init_script(VOICES.replace("LANG", "en").replace("OWN", "en-GB"))
        other.open()
        evening.record(("trick_taken", TRICK), by="leo")
        Listener(other).hear("")
        assert other.page.evaluate("() => window.spoken") == []
