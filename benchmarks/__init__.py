"""What ``make bench`` measures: medians over five runs, ratios where two things are compared."""
