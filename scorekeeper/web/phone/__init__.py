"""What each phone keeps for itself: its language and looks, its keys, what it saw of a log."""
