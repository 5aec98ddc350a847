"""What ``make mutants`` does: small faults are made in the code, and the tests must find them."""
