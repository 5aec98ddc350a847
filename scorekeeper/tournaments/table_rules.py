"""The tables at which a game can be played in a tournament, and how many hands they deal."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Final

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.games.game import Game
from scorekeeper.tournaments.draws.berger import ALL_PLAY_ALL
from scorekeeper.tournaments.draws.draw import PARTNERS
from scorekeeper.tournaments.draws.mitchell import MITCHELL

INDIVIDUAL: Final = "individual"
PAIRS: Final = "pairs"
SIDES: Final = 2
SIDES_SEATS: Final = 4  # of a table of two sides of two
AT_TWO: Final = (MITCHELL, ALL_PLAY_ALL)  # draws whose tables have two entrants


def has_two_sides(game: Game) -> bool:
    """Return whether four players of a game are two sides, so that pairs can enter."""
    if SIDES_SEATS not in game.seats:
        return False
    return len(game.sides(tuple(map(str, range(SIDES_SEATS))))) == SIDES


def list_sizes(game: Game, entrants: str) -> tuple[int, ...]:
    """Return the sizes of tables in entrants, for `individual` entrants or `pairs`.

    Raises `UnusableError` if the game is not played by pairs.
    """
    if entrants == INDIVIDUAL:
        return game.seats
    if not has_two_sides(game):
        words = f"{game.name} is not played by two sides: pairs cannot enter"
        raise UnusableError(Cause(words, "no_game_for_pairs", game=game.id), field="data.entrants")
    return (SIDES,)


def list_sizes_of_draw(game: Game, draw: str) -> tuple[int, ...]:
    """Return the sizes of tables in entrants for a kind of draw of a game.

    Raises `UnusableError` if the game is not played at such tables.
    """
    if draw == PARTNERS and has_two_sides(game):
        return (SIDES_SEATS,)
    if draw in AT_TWO and (SIDES in game.seats or has_two_sides(game)):
        return (SIDES,)
    if draw == PARTNERS or draw in AT_TWO:
        who = "two sides of two" if draw == PARTNERS else "two, or by two sides"
        words = f"{draw} is for games that are played by {who}; {game.name} is not"
        raise UnusableError(Cause(words, "draw_not_for_game", draw=draw, game=game.id))
    return game.seats


def can_end_after_hands(game: Game) -> bool:
    """Return whether a match of a game can end after a number of hands."""
    try:
        game.book.settle({"match_end": {"hands": 1}})
    except UnusableError:
        return False
    return True


def count_deals(game: Game, size: int, hands: int) -> int | None:
    """Return how many hands a table deals so that each player plays so many.

    None if they cannot all play the same number, because players sit out in turn.

    >>> from scorekeeper.games import GAMES
    >>> [count_deals(GAMES["briscola_chiamata"], size, 10) for size in (5, 6)]
    [10, 12]
    """
    seats = tuple(map(str, range(size)))
    deals = Fraction(hands * size, len(game.players(seats, seats[0])))
    return int(deals) if deals.denominator == 1 else None


def list_deals(game: Game, sizes: Collection[int], hands: int) -> Mapping[int, int] | None:
    """Return the number of hands that tables of each size deal; None if it is uneven at one."""
    deals = {size: count_deals(game, size, hands) for size in sorted(sizes)}
    even = {size: dealt for size, dealt in deals.items() if dealt is not None}
    return even if len(even) == len(deals) else None
