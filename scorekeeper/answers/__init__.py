"""Answers that take long: worked out in a process beside, within a budget, once for all who ask."""
