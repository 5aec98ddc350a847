"""State that each phone keeps: its language and display, its keys, and the logs it has seen."""
