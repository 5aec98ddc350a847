"""Code that all games share: the record of a hand, its score, its checks and its prompts."""
