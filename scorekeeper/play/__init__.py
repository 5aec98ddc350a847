"""What all games share: the record of a hand, its scoring, its checks, and what comes next."""
