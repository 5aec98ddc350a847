"""``make mutants``: make small faults in the code, and count how many the tests find."""
