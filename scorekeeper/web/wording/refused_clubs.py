"""Messages for events that a club refuses, by the reason of the error."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

MEMBERS: Final[Mapping[str, str]] = {
    "no_member_wrote": _l(
        "%(got)s is not a member of this club, so nothing is recorded by that id."
    ),
    "no_such_member": _l("There is no member %(member)s in this club."),
    "merged_before": _l("%(id)s is the same person as %(name)s."),
    "same_name": _l("There is a member called %(name)s already. Add something to tell them apart."),
    "member_no_guest": _l("%(name)s is a member of the club and cannot become a guest."),
    "member_into_guest": _l(
        "%(member)s is a member: remove the name of the guest %(guest)s instead."
    ),
    "name_of_guest": _l(
        "There is a guest called %(name)s. Open the guest in the settings, or add something to "
        "tell them apart."
    ),
    "left_before": _l("%(name)s has left the club already."),
    "one_member": _l("These are one member already: %(one)s."),
    "one_paid_the_other": _l("%(payer)s paid %(payee)s once, so they are two people."),
    "both_were_there": _l(
        "%(one)s and %(other)s both played on one evening, so they are two people."
    ),
}

EVENINGS: Final[Mapping[str, str]] = {
    "evening_not_shown": _l("To add that evening you need its link."),
    "evening_not_hosted": _l(
        "Members can add the evenings that they host. For others ask the host of that evening, or "
        "of the club."
    ),
    "no_such_evening": _l("There is no such evening here. Check the link."),
    "no_such_head": _l("The evening never had this fingerprint."),
    "no_such_player": _l("Nobody called %(player)s played that evening."),
    "player_left_out": _l("Say which member or guest %(name)s is."),
    "same_evening": _l("This is the same evening as %(title)s, which already counts."),
    "forked_evening": _l(
        "This evening begins like %(title)s, which counts already, but goes on differently. Hands "
        "that would count twice: %(hands)s. If this one is right, withdraw the other first."
    ),
    "entered_before": _l("This evening already counts."),
    "not_entered": _l("This evening does not count for the club."),
    "tournament_not_shown": _l("To add that tournament you need a link to it."),
    "tournament_not_directed": _l(
        "Members can add the tournaments that they direct. For others ask a director, or the host "
        "of the club."
    ),
    "no_such_tournament": _l("There is no such tournament here. Check the link."),
    "no_entrant_there": _l("Nobody with the id %(entrant)s entered that tournament."),
    "each_of_pair": _l("Say which member or guest each player of %(name)s is."),
    "tournament_before": _l("This tournament already counts."),
    "same_tournament": _l("This is a copy of a tournament that already counts."),
    "table_entered": _l(
        "One of its tables already counts as an evening. Withdraw that evening first."
    ),
    "table_of_tournament": _l("This is a table of a tournament that already counts."),
    "two_are_one": _l("%(one)s and %(other)s played together, so only one of them is %(name)s."),
}

SEASONS: Final[Mapping[str, str]] = {
    "no_such_season": _l("There is no such season in this club."),
    "season_closed": _l("The season %(name)s is closed. Open a new one."),
    "ends_before_it_begins": _l("The season cannot end on %(end)s: it begins on %(start)s."),
    "no_points_to_a_rating": _l("A rating follows from the matches alone. Points change nothing."),
    "of_one_game_only": _l(
        "Points of different games are never added. Choose one game, or another ranking."
    ),
    "best_of_a_rating": _l("A rating follows from all evenings. Leave this empty."),
    "not_ranked_by_places": _l("Only a season ranked by places gives points for places."),
    "place_missing": _l("%(places)s places need points, but %(got)s have them."),
    "worse_place_gets_more": _l("A lower place cannot get more points than a higher one."),
    "no_hash": _l("This must be a fingerprint, not %(got)s."),
}

MONEY: Final[Mapping[str, str]] = {
    "pays_himself": _l("%(name)s cannot pay %(name)s. Choose two members."),
    "no_money_kept": _l("This club has no currency, so it keeps no payments."),
    "currency_in_use": _l("Payments in %(currency)s are recorded, so the currency stays."),
}

HOUSES: Final[Mapping[str, str]] = {
    "same_house": _l(
        "There are house rules called %(name)s already. Remove them first, or choose another name."
    ),
    "too_many_houses": _l("A club keeps %(most)s sets of house rules at most. Remove one first."),
    "no_such_house": _l("The club has no house rules called %(got)s."),
}

CLUB: Final[Mapping[str, str]] = {
    "club_not_opened": _l("The log of a club begins with club_opened, not with %(type)s."),
    "club_opened_twice": _l("club_opened may be only the first event of a log."),
    "no_time_zone": _l("This must be a time zone, such as Europe/Rome, not %(got)s."),
}

OF_CLUBS: Final[Mapping[str, str]] = {
    **MEMBERS, **EVENINGS, **SEASONS, **MONEY, **HOUSES, **CLUB,
}  # fmt: skip
