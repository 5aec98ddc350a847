"""How things are put in the reader's words: figures, times, cards, clauses, what games say."""
