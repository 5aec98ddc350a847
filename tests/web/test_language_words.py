"""The texts of games in Italian and French: cards, ranks, events, lines, reasons.

Tests of ``web.wording.words``.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from scorekeeper.base.language import ENGLISH, language, speaking
from scorekeeper.cards.packs import Card
from scorekeeper.events.event import Event
from scorekeeper.events.fields import parts_of
from scorekeeper.events.playing import CardPlayed, OutcomeRecorded
from scorekeeper.events.sentences import Voice, noun_of, question_of, title_of
from scorekeeper.games import GAMES
from scorekeeper.games.briscola_chiamata.events import BidMade
from scorekeeper.games.briscola_regina.events import BrisCalled
from scorekeeper.games.knock.events import SignalMade
from scorekeeper.games.picchetto.events import Answered, CardsExchanged, SequenceDeclared
from scorekeeper.languages.catalogues import get_language
from scorekeeper.log import codec
from scorekeeper.play.deal import Deal
from scorekeeper.play.scoring import Text, Word
from scorekeeper.report.option_words import describe_value
from scorekeeper.web.forms.scene import joint_label
from scorekeeper.web.forms.scene import value_label as button
from scorekeeper.web.wording.filters import with_colon
from scorekeeper.web.wording.words import rank_letter, translate_text, translate_word
from tests.games import chiamata, knock

NAMES = {"mara": "Mara", "leo": "Leo"}


@pytest.fixture(params=["it", "fr"])
def reads(request: pytest.FixtureRequest, app: Flask) -> Iterator[str]:
    """Use the language of a reader."""
    asks = app.test_request_context(headers={"Accept-Language": request.param})
    with asks, speaking(get_language(request.param)):
        yield request.param


def of(reads: str, italian: str, french: str) -> str:
    return {"it": italian, "fr": french}[reads].replace("'", "’")


def pack_of(game: str) -> Any:
    return GAMES[game].pack(
        GAMES[game].options(None, max(GAMES[game].seats)), max(GAMES[game].seats)
    )


@pytest.mark.parametrize(
    ("game", "card", "italian", "french"),
    [
        ("riparto", "KS", "R♠", "R♠"),
        ("riparto", "QH", "D♥", "D♥"),
        ("riparto", "JD", "F♦", "V♦"),
        ("riparto", "10C", "10♣", "10♣"),
        ("briscola_chiamata", "KC", "il re di coppe", "le roi de coupes"),
        ("briscola_chiamata", "AS", "l'asso di spade", "l'as d'épées"),
        ("briscola_chiamata", "NB", "il cavallo di bastoni", "le cavalier de bâtons"),
        ("briscola_chiamata", "7D", "il 7 di denari", "le 7 de deniers"),
        ("knock", "QS", "la regina di spade", "la dame d'épées"),
        ("knock", "8C", "l'8 di coppe", "le 8 de coupes"),
        ("knock", "T21", "il trionfo 21", "l'atout 21"),
        ("knock", "FOOL", "il Matto", "l'Excuse"),
    ],
)
def test_card_has_its_usual_name(
    reads: str, game: str, card: str, italian: str, french: str
) -> None:
    assert pack_of(game).show(Card.parse(card)) == of(reads, italian, french)


def test_swords_and_spades_are_two_words(reads: str) -> None:
    assert pack_of("riparto").suit_name("S") == of(reads, "picche", "piques")
    assert pack_of("knock").suit_name("S") == of(reads, "spade", "épées")


@pytest.mark.parametrize(
    ("game", "kind", "data", "italian", "french"),
    [
        ("briscola_chiamata", "bid_made", {"player": "leo", "bid": "K"},
         "Leo ha offerto re", "Leo a enchéri roi"),
        ("briscola_chiamata", "bid_made", {"player": "leo", "bid": "pass"},
         "Leo ha detto passo", "Leo a passé"),
        ("briscola_chiamata", "points_counted", {"points": {"bidder": 61}},
         "Punti contati: chiamante 61", "Points comptés\u00a0: preneur 61"),
        ("picchetto", "declared",
         {"player": "leo", "category": "sequence", "length": 4, "high": "A"},
         "Leo ha dichiarato una sequenza di 4 all'asso", "Leo a annoncé une séquence de 4 à l'as"),
        ("picchetto", "shown", {"player": "leo", "category": "set", "count": 3, "rank": "J"},
         "Leo ha mostrato 3 fanti", "Leo a montré 3 valets"),
        ("knock", "signal_made", {"player": "leo", "signal": "have_sun"},
         "Leo ha fatto un segno: ho il Sole", "Leo a fait un signe\u00a0: j'ai le Soleil"),
        ("riparto", "hierarchy_declared", {"player": "leo", "suits": ["S", "H", "D", "C"]},
         "Leo ha dichiarato la gerarchia picche, cuori, quadri, fiori",
         "Leo a déclaré la hiérarchie piques, cœurs, carreaux, trèfles"),
        ("riparto", "hand_abandoned", {"reason": "misdeal"},
         "La mano è andata a monte: carte date male", "La donne a été annulée\u00a0: maldonne"),
        ("riparto", "hand_abandoned", {"reason": "Who dealt?", "player": "mara"},
         "La mano è andata a monte, su richiesta di Mara: Who dealt?",
         "La donne a été annulée par Mara\u00a0: Who dealt?"),
        ("riparto", "note_added", {"text": "White"}, "Nota: White", "Note\u00a0: White"),
    ],
)  # fmt: skip
def test_event_is_worded_in_the_language(
    reads: str, game: str, kind: str, data: dict[str, Any], italian: str, french: str
) -> None:
    pack = pack_of(game)
    voice = Voice(NAMES, pack.show, pack.suit_name)
    sentence = voice.describe(codec.decode(kind, data, GAMES[game].by_type))
    assert sentence == of(reads, italian, french)


def test_nested_sentence_is_translated(reads: str) -> None:
    inner = Text("the Fool was laid away")
    outer = Text("{side} owed nothing, so this has no effect: {why}", side="Mara & Leo", why=inner)
    assert str(outer).endswith(of(reads, "il Matto è stato scartato", "l'Excuse a été écartée"))
    several = Text(
        "Not on record, so not checked: {abouts}. To check this, record: {settles}",
        abouts=(Text("the count"),), settles=(Text("every bid"),),
    )  # fmt: skip
    assert of(reads, "il conteggio", "le compte") in translate_text(several)


def test_rank_is_inflected_by_its_place(reads: str) -> None:
    kings = Text("Three {rank}s", rank=Word("ranks", "K"))
    assert str(kings) == of(reads, "Tris di re", "Trois rois")
    run = Text("Sequence of {length} to the {high}", length=3, high=Word("high", "10"))
    assert str(run) == of(reads, "Sequenza di 3 al 10", "Séquence de 3 au 10")
    button = joint_label(SequenceDeclared, {"length": 3, "high": "A"}, None)
    assert button == of(reads, "3 all'asso", "3 à l'as")


@pytest.mark.parametrize(
    ("declared", "italian", "french"),
    [
        (CardPlayed, "Quale carta? / Una carta / Chi? / Carta",
         "Quelle carte\u202f? / Une carte / Qui\u202f? / Carte"),
        (SequenceDeclared,
         ("Sequenza dichiarata / Una dichiarazione / Chi? / Che cosa / Quanto lunga / "
         "Carta più alta"),
         ("Séquence annoncée / Une annonce / Qui\u202f? / Quoi / De quelle longueur / "
         "Plus haute carte")),
        (CardsExchanged,
         "Quante carte cambiate? / Uno scambio / Chi? / Quante? / Scartate / Pescate",
         ("Combien de cartes échangées\u202f? / Un échange / Qui\u202f? / Combien\u202f? / "
         "Écartées / Prises")),
    ],
)  # fmt: skip
def test_an_event_and_its_fields_have_names(
    reads: str, declared: type[Event], italian: str, french: str
) -> None:
    names = (title_of(declared), noun_of(declared), *map(question_of, parts_of(declared)))
    assert " / ".join(names) == of(reads, italian, french)


@pytest.mark.parametrize(
    ("game", "declared", "field", "value", "italian", "french"),
    [
        ("picchetto", Answered, "answer", "not_good", "Non buono", "Pas bon"),
        ("picchetto", SequenceDeclared, "high", "K", "R", "R"),
        ("briscola_chiamata", BidMade, "bid", "J", "F", "V"),
        ("briscola_chiamata", BidMade, "bid", "pass", "Passo", "Passe"),
        ("riparto", OutcomeRecorded, "made", False, "Fallito", "Chuté"),
        ("briscola_regina", BrisCalled, "suit", "S", "spade", "épées"),
        ("knock", SignalMade, "signal", "have_sun", "Ho il sole", "J’ai le soleil"),
    ],
)
def test_a_value_stands_on_its_button(
    reads: str, game: str, declared: type[Event], field: str, value: Any, italian: str, french: str
) -> None:
    kind = next(part.kind for part in parts_of(declared) if part.name == field)
    assert button(kind, value, pack_of(game)) == of(reads, italian, french)


def findings_of(deal: Deal, code: str) -> list[str]:
    """Return the findings of a game's check on a hand."""
    game = GAMES["knock" if code == "unknown_signal" else "briscola_chiamata"]
    looks = [check.look for check in game.checks if check.code == code]
    return [sight.text.say(deal.table.pack.show) for look in looks for sight in look(deal)]


def test_parties_and_gestures_of_a_finding_are_translated(reads: str) -> None:
    counted = chiamata.hand("b#J b+JC @d =65/4 b! b! b! d! b!")
    party = of(reads, "la parte del chiamante", "le camp du preneur")
    assert f"{party} 4 / " in findings_of(counted, "count_mismatch")[0]
    shown = knock.hand("a~have_moon", signals="none")
    assert findings_of(shown, "unknown_signal")[0].endswith(of(reads, "ho la Luna", "j'ai la Lune"))


def test_typed_texts_are_not_translated(reads: str) -> None:
    assert str(Text("{player} showed {card}", player="White", card="{x} game")).startswith("White ")
    assert translate_text("") == ""
    assert translate_text("nothing that anybody says") == "nothing that anybody says"


def test_words_and_values(reads: str) -> None:
    assert rank_letter("K") == "R"
    assert rank_letter("7") == "7"
    assert translate_word("corrected", "ruling") == of(
        reads, "risultato corretto", "résultat corrigé"
    )
    assert describe_value(value=True) == of(reads, "sì", "oui")
    assert describe_value({"target": 21}) == of(reads, "traguardo 21", "but 21")
    assert describe_value([]) == of(reads, "nessuna", "aucune")
    assert describe_value("none") == of(reads, "no", "non")  # to a question
    assert with_colon("Leo") == of(reads, "Leo:", "Leo\u00a0:")
    assert describe_value("last_trick") == of(reads, "ultima presa", "dernière levée")


def test_english_is_spoken_outside_of_pages() -> None:
    assert language() is ENGLISH
    assert pack_of("riparto").show(Card.parse("JD")) == "J♦"


def test_nothing_of_a_request_is_left_to_the_next(app: Flask) -> None:
    client = app.test_client()
    assert "Regolamenti" in client.get("/rules", headers={"Accept-Language": "it"}).text
    assert language() is ENGLISH
    client.get("/nothing", headers={"Accept-Language": "it"})
    assert language() is ENGLISH
