"""Messages for events that a tournament refuses, by the reason of the error."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

ENTRANTS: Final[Mapping[str, str]] = {
    "same_name": _l("%(name)s has entered already. Add something to tell them apart."),
    "wrong_players": _l("Each entrant needs the right number of names: %(needed)s."),
    "one_player_twice": _l("The two players of a pair are two people."),
    "player_known": _l("%(name)s plays for %(entrant)s already."),
    "present_before": _l("%(name)s is noted as here already."),
    "no_fee": _l("This tournament has no fee."),
    "paid_before": _l("%(name)s has paid already."),
    "withdrawn_before": _l("%(name)s has withdrawn already, from round %(round)s on."),
    "seated_then": _l(
        "%(name)s sits at table %(table)s in round %(round)s, which everybody has seen. Choose a "
        "later round."
    ),
    "not_of_entrant": _l("That is no player of %(name)s."),
    "no_rounds": _l("From round %(first)s to round %(last)s there is none. Exchange the two."),
    "substituted_before": _l("%(name)s plays for %(entrant)s in such a round already."),
    "no_names": _l("Type one name on each line, and of a pair both names."),
    "no_seed": _l("The seed is a number. Look at the columns of your list."),
    "no_such_entrant": _l("There is no such entrant in this tournament."),
    "no_such_player": _l("There is no such player in this tournament."),
    "no_player_wrote": _l("Nobody in this tournament has the id %(got)s."),
}

DRAWS: Final[Mapping[str, str]] = {
    "not_drawn": _l("Round %(round)s is not drawn."),
    "not_published": _l("Round %(round)s is not published yet."),
    "published_before": _l("Round %(round)s is published already. It stays as it is."),
    "round_closed": _l("Round %(round)s is closed already."),
    "round_before_open": _l("Round %(round)s is still open. Close it first."),
    "round_skipped": _l("The next round is round %(next)s."),
    "wrong_stage": _l("That round belongs to another stage, number %(stage)s."),
    "stage_full": _l("All %(rounds)s rounds of this stage are drawn."),
    "all_played": _l("All rounds are drawn. Change the plan to play another one."),
    "drawn_by_hand": _l("In this stage you draw by hand, on paper or with a file."),
    "not_decided": _l(
        "A match of round %(round)s has no winner yet. Let them play on, or set the result."
    ),
    "too_few_entrants": _l("A table needs %(fewest)s entrants, and you have %(entrants)s."),
    "too_many_rounds": _l("At most %(most)s rounds can be drawn."),
    "wrong_table_size": _l("Table %(table)s would have %(size)s. This game is not played so."),
    "drawn_twice": _l("%(name)s would sit at two tables in round %(round)s."),
    "bye_and_table": _l("%(name)s would sit out and at a table in round %(round)s."),
    "bye_twice": _l("Somebody would sit out twice."),
    "drawn_and_withdrawn": _l("%(name)s has withdrawn. Draw round %(round)s again."),
    "withdrawn_entrant": _l("%(name)s has withdrawn and cannot be drawn."),
    "not_yet_entered": _l("%(name)s plays from a later round on."),
    "not_present": _l("%(name)s is not noted as here."),
    "nowhere": _l("%(name)s is at no table and does not sit out."),
    "sits_out_again": _l("%(name)s sits out again before all others have sat out."),
    "group_meets": _l("Pairs of one group who meet: %(pairs)s, such as %(one)s and %(other)s."),
    "not_in_round": _l("%(name)s is not drawn in round %(round)s."),
    "one_place": _l("Both are at the same table. Choose two at different tables."),
    "tables_are_playing": _l(
        "The tables of round %(round)s are open on the phones, so their seats stay. Say at the "
        "table who sat there."
    ),
    "foreign_session": _l("Publish the round on the page of its draw."),
    "session_in_use": _l("This evening belongs to another table."),
    "tables_missing": _l("All %(tables)s tables need an evening, or paper."),
    "not_closed": _l("Round %(round)s is not closed."),
    "later_published": _l("Round %(round)s is published, so the one before it stays as it is."),
    "round_is_played": _l("A result of round %(round)s is recorded, so it stays published."),
    "no_advance": _l("Nobody advances to round %(round)s: it does not begin a stage."),
    "no_lines": _l("Type the tables, one on each line."),
    "too_long": _l("This is longer than %(most)s letters."),
    "too_many_lines": _l("These are more than %(most)s lines."),
    "too_few_rounds": _l("This draw has only %(rounds)s rounds."),
    "nobody_has_name": _l("No entrant is called %(name)s."),
    "no_entrant_number": _l("The entrants have the numbers from 1 to %(most)s."),
    "no_draw": _l("This is no draw: it has no entrants and rounds."),
    "no_round": _l("A round of this draw has no tables."),
    "round_out_of_order": _l("Round %(round)s stands at the wrong place."),
}

TABLES: Final[Mapping[str, str]] = {
    "no_such_table": _l("There is no table %(got)s in this round."),
    "on_paper": _l("Table %(table)s is on paper: record its result."),
    "not_on_paper": _l("Table %(table)s is on the phones: its result comes from there."),
    "wrong_scores": _l("Fill in the score of everybody at table %(table)s."),
    "no_zero_sum": _l("The scores must add up to 0, and these make %(total)s. Count again."),
    "two_are_one": _l("%(name)s cannot be two players of one table."),
    "no_such_call": _l("There is no such call."),
    "answered_before": _l("The call of table %(table)s is answered already."),
    "clock_runs": _l("The clock of round %(round)s is running already."),
    "clock_not_started": _l("The clock of round %(round)s was not started."),
    "clock_stands": _l("The clock of round %(round)s is not running."),
}

PLANS: Final[Mapping[str, str]] = {
    "no_such_stage": _l("There is no stage %(got)s in this tournament."),
    "rule_in_use": _l("Round %(round)s is drawn by these rules, so this can no longer change."),
    "rounds_drawn": _l("%(rounds)s rounds of this stage are drawn already."),
    "no_such_tables": _l("The game is not played at such tables. Choose other sizes."),
    "no_partners": _l("Partners change only where each enters alone, in a game of two sides."),
    "no_number_of_hands": _l(
        "A match of this game has its own end. Leave the number of hands empty."
    ),
    "uneven_hands": _l(
        "Not everybody can play %(hands)s hands there, since players sit out in turn. Choose "
        "another number."
    ),
    "not_for_this_draw": _l("This rule does not belong to this kind of draw."),
    "nobody_advances": _l("Say how many go on to the next stage."),
    "not_for_these_points": _l("This rule does not belong to these points."),
    "no_match_points": _l("Won, drawn or lost needs tables of two."),
    "table_points_missing": _l("The points of a table of %(size)s are missing."),
    "scale_not_rising": _l("The differences must rise from step to step."),
    "no_game_for_pairs": _l("Pairs cannot enter in this game. Let each enter alone."),
    "draw_not_for_game": _l("This game cannot be drawn so. Choose another draw."),
    "no_place": _l("Prizes are by place, such as 1, not %(place)s."),
    "unknown_game": _l("The game is not installed here."),
}

TOURNAMENT: Final[Mapping[str, str]] = {
    "tournament_closed": _l("The tournament is closed."),
    "wrong_heads": _l("The tables have changed meanwhile. Close the tournament again."),
    "tournament_opened_twice": _l("tournament_opened may be only the first event of a log."),
    "tournament_not_opened": _l(
        "The log of a tournament begins with tournament_opened, not with %(type)s."
    ),
}

OF_TOURNAMENTS: Final[Mapping[str, str]] = {**ENTRANTS, **DRAWS, **TABLES, **PLANS, **TOURNAMENT}
