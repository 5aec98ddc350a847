"""Code shared by games in which a bidder plays for a contract against the rest.

The bidder plays alone, with a partner whose card they call, or with one that the table names. The
modules are those of a game: the events (``events``), the state of a hand (``auction``, ``state``),
the result and the shares of the players (``score``), the checks of an auction (``audit``), the
prompts for it (``prompts``) and the facts (``facts``). How many points a hand has, how many the
contract needs and what it pays is for each game to say.
"""
