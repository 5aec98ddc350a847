"""Whether some deal of the cards is left with which everything on record is true: a witness."""
